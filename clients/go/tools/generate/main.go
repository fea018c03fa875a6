// Command generate writes the Go code generated from the contract, or names, with -check, the files that are not up to
// date. Call it from clients/go: go -C tools run ./generate [-check]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Paths relative to the folder of the tools.
const (
	client   = ".."
	contract = "../../../proto"
)

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "write nothing; exit 1 if a file is not up to date")
	flag.Parse()
	fresh, err := os.MkdirTemp("", "chitarrella-go-")
	if err != nil {
		log.Fatal(err)
	}
	stale, err := generate(fresh, *check)
	if err := os.RemoveAll(fresh); err != nil {
		log.Print(err)
	}
	switch {
	case err != nil:
		log.Fatal(err)
	case *check && len(stale) > 0:
		log.Fatalf("not up to date: %v", stale)
	}
}

// generate generates into the folder fresh, returns the names of the files that differ from the committed ones, and
// replaces those unless check is set.
func generate(fresh string, check bool) ([]string, error) {
	if err := stubs(fresh); err != nil {
		return nil, err
	}
	if err := withoutUnneeded(fresh); err != nil {
		return nil, err
	}
	stale, err := differences(fresh)
	if err != nil || check || len(stale) == 0 {
		return stale, err
	}
	if err := os.RemoveAll(filepath.Join(client, "gen")); err != nil {
		return nil, err
	}
	return stale, copyAll(fresh)
}

// unneeded matches, first, what protoc-gen-go writes for callers of its API of 2019 alone: the methods Descriptor, Reset and
// ProtoMessage of each message and EnumDescriptor of each enumeration, the compressed description that they return, the
// import of its lock, and the tables of names; and what is said of versions and of gRPC. Then what only a server needs: its interface and handlers, and of the description all but the streams. At last
// the comments in tables of numbers.
var unneeded = regexp.MustCompile(`(?m)^// Deprecated: Use .*\nfunc \(.*Descriptor\(\) .*\n.*\n}\n\n?` +
	`|^func \(x \*\w+\) Reset\(\) .*\n(?:\t.*\n)*}\n\n|^func \(\*\w+\) ProtoMessage\(\) {}\n\n` +
	`|^var \(\n.*_rawDescOnce .*\n.*\n\)\n\n` +
	`|^func \w+_rawDescGZIP\(\) .*\n(?:\t.*\n)*}\n\n` +
	`|^\tsync "sync"\n` +
	`|^// Enum value maps for .*\nvar \(\n(?:\t.*\n)*\)\n\n` +
	`|^// versions:\n(?:// [-\t].*\n)+|^// This is a compile-time .*\n(?:// .*\n)*|^// For semantics around ctx .*\n//\n` +
	`|(?s:^// \w+ is the server API .*^(// \w+_ServiceDesc is the ))` +
	`|(?s:^\tMethods: .*?^(\tStreams: ))` +
	`|^\tHandlerType: .*\n|^\t\t\tHandler: .*\n|^\t(?:codes|status) "google.golang.org/grpc.*\n` +
	`|^(\t(?:\(.*\)\(nil\)|\d+),) +// .*$`)

// reflection matches the body of the methods ProtoReflect, which is the same for every message but for its description;
// reflectOf has it once, at the end of the file of what all others import.
var reflection = regexp.MustCompile(`(?m)^\tmi := (&\w+\[\d+\])\n\tif x != nil {\n(?:\t\t.*\n)*\t}\n\treturn mi\.MessageOf\(x\)\n`)

const reflectOf = `
// reflectOf returns the reflection of the message x, which p points to.
func reflectOf(x any, p protoimpl.Pointer, mi *protoimpl.MessageInfo) protoreflect.Message {
	if p == nil {
		return mi.MessageOf(x)
	}
	ms := protoimpl.X.MessageStateOf(p)
	if ms.LoadMessageInfo() == nil {
		ms.StoreMessageInfo(mi)
	}
	return ms
}
`

// callComments matches the comments of the calls in the stubs: those of the contract, which the client's methods replace.
var callComments = regexp.MustCompile(`(?m)^\t// .*\n`)

// withoutUnneeded leaves out what a client does not need.
func withoutUnneeded(folder string) error {
	names, err := files(folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		path := filepath.Join(folder, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text = unneeded.ReplaceAll(text, []byte("$1$2$3"))
		text = reflection.ReplaceAll(text, []byte("\treturn reflectOf(x, protoimpl.Pointer(x), $1)\n"))
		if strings.HasSuffix(name, "/table.pb.go") {
			text = append(text, reflectOf...)
		}
		if strings.HasSuffix(name, "_grpc.pb.go") {
			text = callComments.ReplaceAll(text, nil)
		}
		text, err = format.Source(text)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// stubs runs buf with the template.
func stubs(into string) error {
	buf, err := filepath.Abs(filepath.Join(contract, "../clients/node_modules/.bin/buf"))
	if err != nil {
		return err
	}
	if _, err := os.Stat(buf); err != nil {
		return fmt.Errorf("buf is needed; at the root of the repository: make clients/node_modules (%w)", err)
	}
	command := exec.Command(buf, "generate", "--template", "../clients/go/buf.gen.yaml", "-o", into)
	command.Dir, command.Stdout, command.Stderr = contract, os.Stdout, os.Stderr
	return command.Run()
}

// differences returns the generated files that are missing, different, or no longer generated.
func differences(fresh string) ([]string, error) {
	made, err := files(fresh)
	if err != nil {
		return nil, err
	}
	kept, err := files(filepath.Join(client, "gen"))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	names := map[string]bool{}
	for _, name := range made {
		names[name] = true
	}
	for _, name := range kept {
		names[filepath.Join("gen", name)] = true
	}
	var stale []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		is, _ := os.ReadFile(filepath.Join(client, name))
		should, _ := os.ReadFile(filepath.Join(fresh, name))
		if is == nil || should == nil || !bytes.Equal(is, should) {
			stale = append(stale, name)
		}
	}
	return stale, nil
}

// copyAll copies the generated files into the client.
func copyAll(fresh string) error {
	made, err := files(fresh)
	if err != nil {
		return err
	}
	for _, name := range made {
		text, err := os.ReadFile(filepath.Join(fresh, name))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(client, filepath.Dir(name)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(client, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// files lists the files below a folder, relative to it.
func files(folder string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		found = append(found, name)
		return err
	})
	return found, err
}
