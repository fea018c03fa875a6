// Command conformance is the runner of the Go client: it runs the example of the README, plays the scenarios and writes
// the report. See clients/conformance/README.md.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
)

// environment has the addresses and files of a conformance run.
type environment struct{ grpc, rest, cut, tls, ca, platform, platformREST, apiKey, scenarios, report string }

// scenario is the content of one file.
type scenario struct {
	Name  string
	Steps []step
}

func main() {
	log.SetFlags(0)
	var at environment
	for name, value := range map[string]*string{
		"grpc": &at.grpc, "rest": &at.rest, "cut": &at.cut, "tls": &at.tls, "ca": &at.ca,
		"platform": &at.platform, "platform-rest": &at.platformREST, "api-key": &at.apiKey,
		"scenarios": &at.scenarios, "report": &at.report,
	} {
		flag.StringVar(value, name, "", "see clients/conformance/README.md")
	}
	flag.Parse()
	ctx := context.Background()
	if err := runExample(ctx, at.grpc); err != nil {
		log.Fatal("the example of the README: ", err)
	}
	if err := at.playAll(ctx); err != nil {
		log.Fatal(err)
	}
}

// playAll plays the scenarios in the order of their file names, each with its own client, and writes the report.
func (s environment) playAll(ctx context.Context) error {
	paths, err := filepath.Glob(filepath.Join(s.scenarios, "*.json"))
	if err != nil {
		return err
	}
	results := map[string][]any{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var one scenario
		if err := json.Unmarshal(text, &one); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if results[one.Name], err = s.play(ctx, one); err != nil {
			return fmt.Errorf("%s: %w", one.Name, err)
		}
	}
	report, err := json.Marshal(map[string]any{"client": "go", "results": results})
	if err != nil {
		return err
	}
	return os.WriteFile(s.report, report, 0o644)
}

// play plays one scenario.
func (s environment) play(ctx context.Context, one scenario) ([]any, error) {
	client, err := chitarrella.Connect(s.grpc)
	if err != nil {
		return nil, err
	}
	player := &runner{client, s, map[string]*chitarrella.Match{}, map[string]string{}}
	defer func() { _ = player.client.Close() }()
	return player.playSteps(ctx, one.Steps)
}

// cutConnections cuts every connection through the proxies.
func (s environment) cutConnections(ctx context.Context) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", s.cut)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, _ = conn.Read(make([]byte, 1)) // closed when all connections are cut
	return nil
}

// connectTLS connects over TLS.
func (s environment) connectTLS() (*chitarrella.Client, error) {
	certificate, err := os.ReadFile(s.ca)
	if err != nil {
		return nil, err
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(certificate)
	return chitarrella.Connect(s.tls, chitarrella.WithTLS(&tls.Config{RootCAs: trusted}))
}
