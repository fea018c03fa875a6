// The example of the README, run as it stands there.

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// exampleAddress is the address of the service in the example.
const exampleAddress = "127.0.0.1:50051"

var program = regexp.MustCompile("(?ms)^```go\n(package main\n.*?)^```$")

// runExample runs the program in the README of this client against a service.
func runExample(ctx context.Context, grpc string) error {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		return err
	}
	found := program.FindSubmatch(readme)
	if found == nil || !strings.Contains(string(found[1]), exampleAddress) {
		return errors.New("there is no program for " + exampleAddress)
	}
	folder, err := os.MkdirTemp("build", "example-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "main.go")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(found[1]), exampleAddress, grpc)), 0o644); err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "go", "run", path)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	return command.Run()
}
