// Command conformance is the runner of the Go client: it runs the example of the README, plays the scenarios and writes
// the report. See clients/conformance/README.md.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

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

type object = map[string]any

// step is one step of a scenario, with the arguments of every operation.
type step struct {
	Op               string
	RuleSet          ruleSet `json:"rule_set"`
	Position         string
	Seat             *uint32
	Move             move
	Cards, Pack      names
	Trump            *string
	As, Match        string
	PackSource       string `json:"pack_source"`
	Bots             map[chitarrella.Seat]string
	Private          bool
	Who              who
	Key              *string
	ExpectedRevision *uint32 `json:"expected_revision"`
	RequestID        string  `json:"request_id"`
	Messages         int
	CutAfter         int `json:"cut_after"`
	Decline          bool

	GameID      string `json:"game_id"`
	Known       *knownParts
	Moves       []seatMove
	Questions   []step
	PositionOf  *uint32 `json:"position_of"`
	ExternalID  string  `json:"external_id"`
	Labels      map[string]string
	PlayerNames map[chitarrella.Seat]string `json:"player_names"`
	PlayerName  string                      `json:"player_name"`
	Sandbox     *string
	Clock       []time.Duration // in seconds
	MoveCount   *uint32         `json:"move_count"`
	Matches     []string
	Steps       []step
	Seconds     int
	Webhook     string
	URL         string
	Disabled    *bool
	State       string
	Delivery    string

	Restrictions []string
	WinnerName   string `json:"winner_name"`
	Winners      []chitarrella.Seat
	Reason       string
	Resume       bool

	at *chitarrella.Match // with the key of who
}

type ruleSet struct {
	GameID  string `json:"game_id"`
	Players uint32
	Options map[string]string
}

type share struct {
	Person string `json:"person"`
	Amount int64  `json:"amount"`
}

// move is a move as scenarios write it.
type move struct {
	Verb   string   `json:"verb"`
	Cards  []string `json:"cards"`
	Choice string   `json:"choice"`
	Amount *int32   `json:"amount"`
	Dummy  *uint32  `json:"dummy_seat"`
	Shares []share  `json:"shares"`
}

// names is a list of cards, or one name: "pack" is the cards of a match, or the name of a pack in the catalogue.
type names []string

// UnmarshalJSON reads either.
func (n *names) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*n = names{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(n))
}

// who is a seat's number, "referee" or "public".
type who string

// UnmarshalJSON reads either.
func (w *who) UnmarshalJSON(text []byte) error {
	*w = who(text)
	if text, err := strconv.Unquote(string(text)); err == nil {
		*w = who(text)
	}
	return nil
}

func (r ruleSet) read() *chitarrella.RuleSet {
	return &chitarrella.RuleSet{GameId: r.GameID, Players: r.Players, Options: r.Options}
}

func (s step) position() *chitarrella.Position {
	return &chitarrella.Position{RuleSet: s.RuleSet.read(), Text: s.Position}
}

func (m move) read() *chitarrella.Move {
	made := &chitarrella.Move{Verb: m.Verb, Cards: m.Cards, Choice: m.Choice, Amount: m.Amount, DummySeat: m.Dummy}
	for _, one := range m.Shares {
		made.Shares = append(made.Shares, &chitarrella.Share{Person: one.Person, Amount: one.Amount})
	}
	return made
}

func writeMove(value *chitarrella.Move) move {
	shares := each(value.GetShares(), func(one *chitarrella.Share) share {
		return share{one.GetPerson(), one.GetAmount()}
	})
	return move{value.GetVerb(), list(value.GetCards()), value.GetChoice(), value.Amount, value.DummySeat, shares}
}

func writeRefusal(value *chitarrella.Refusal) object {
	return object{
		"code": value.GetCode(), "clause": value.GetClause().GetKey(),
		"allowed_cards": list(value.GetAllowedCards()), "offending_cards": list(value.GetOffendingCards()),
		"word": value.GetWord(), "amount": value.Amount, "penalty": value.GetPenalty(),
		"undecided": value.GetUndecided(),
	}
}

func writeExplained(value *chitarrella.ExplainedMove) object {
	written := writeVerdict(value)
	written["move"] = writeMove(value.GetMove())
	return written
}

// verdict is what the validation of a move and an explained move have in common.
type verdict interface {
	GetVerdict() chitarrella.Verdict
	GetRefusals() []*chitarrella.Refusal
	GetDependsOn() []string
}

func writeVerdict(value verdict) object {
	names := map[chitarrella.Verdict]string{
		chitarrella.Accepted: "accepted", chitarrella.Refused: "refused", chitarrella.Undecided: "undecided",
	}
	return object{
		"verdict": names[value.GetVerdict()], "refusals": each(value.GetRefusals(), writeRefusal),
		"depends_on": list(value.GetDependsOn()),
	}
}

func writeEvent(value *chitarrella.Event) object {
	return object{"kind": value.GetKind(), "seat": value.Seat, "cards": list(value.GetCards())}
}

func writeScores(scores []*chitarrella.Score) object {
	written := object{}
	for _, one := range scores {
		written[one.GetName()] = one.GetValue()
	}
	return written
}

// writeWaiting adds who has to act.
func writeWaiting(into object, view chitarrella.View) object {
	names := map[chitarrella.Waiting]string{
		chitarrella.WaitingSeat: "seat", chitarrella.WaitingChance: "chance", chitarrella.WaitingNobody: "nobody",
	}
	into["waiting"], into["turn"] = names[view.GetWaiting()], writeSeat(view.OnTurn())
	return into
}

func writeSeat(seat chitarrella.Seat) any {
	if seat == chitarrella.Nobody {
		return nil
	}
	return seat
}

// each writes a list that is never null.
func each[T, R any](values []T, write func(T) R) []R {
	written := make([]R, 0, len(values))
	for _, value := range values {
		written = append(written, write(value))
	}
	return written
}

func list[T any](values []T) []T { return each(values, func(value T) T { return value }) }

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
