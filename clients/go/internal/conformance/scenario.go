// Steps of a scenario in JSON, and values as they appear in results.

package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
)

type object = map[string]any

// step is one step of a scenario, with the arguments of every operation.
type step struct {
	Op               string
	RuleSet          ruleSet `json:"rule_set"`
	Position         string
	Seat             *uint32
	Move             move
	Hand, Trick      []string
	Cards, Pack      names
	Trump            string
	As, Match        string
	PackSource       string `json:"pack_source"`
	Bots             map[string]string
	Private          bool
	Who              who
	Key              *string
	ExpectedRevision *uint32 `json:"expected_revision"`
	RequestID        string  `json:"request_id"`
	Messages         int
	CutAfter         int `json:"cut_after"`
	Decline          bool

	GameID      string `json:"game_id"`
	Known       knownParts
	Moves       []seatMove
	Questions   []step
	PositionOf  *uint32 `json:"position_of"`
	ExternalID  string  `json:"external_id"`
	Labels      map[string]string
	PlayerNames map[string]string `json:"player_names"`
	PlayerName  string            `json:"player_name"`
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
	Seat   *uint32  `json:"seat"`
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
	made := &chitarrella.Move{Verb: m.Verb, Cards: m.Cards, Choice: m.Choice, Amount: m.Amount, Seat: m.Seat}
	for _, one := range m.Shares {
		made.Shares = append(made.Shares, &chitarrella.Share{Person: one.Person, Amount: one.Amount})
	}
	return made
}

func writeMove(value *chitarrella.Move) move {
	shares := each(value.GetShares(), func(one *chitarrella.Share) share {
		return share{one.GetPerson(), one.GetAmount()}
	})
	return move{value.GetVerb(), list(value.GetCards()), value.GetChoice(), value.Amount, value.Seat, shares}
}

func writeRefusal(value *chitarrella.Refusal) object {
	return object{
		"code": value.GetCode(), "clause": value.GetClause().GetKey(),
		"allowed_cards": list(value.GetAllowedCards()), "offending_cards": list(value.GetOffendingCards()),
		"word": value.GetWord(), "amount": value.Amount, "penalty": value.GetPenalty(),
	}
}

func writeExplained(value *chitarrella.ExplainedMove) object {
	return object{"move": writeMove(value.GetMove()), "refusals": each(value.GetRefusals(), writeRefusal)}
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

func seatOf(number string) (chitarrella.Seat, error) {
	seat, err := strconv.Atoi(number)
	if err != nil {
		return 0, fmt.Errorf("%q is no seat: %w", number, err)
	}
	return chitarrella.Seat(seat), nil
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
