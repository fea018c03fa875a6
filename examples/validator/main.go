// The validator answers whether a move is legal in a game that somebody else keeps. It stores nothing.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
	"google.golang.org/grpc/codes"
)

// Question is a move, and what the caller knows of the game: the position as text, or a hand and the trick.
type Question struct {
	GameID  string            `json:"game"`
	Players uint32            `json:"players"`
	Options map[string]string `json:"options"`
	// Position is the text of a position that [Answer] has returned; empty for a question about a hand and a trick.
	Position string   `json:"position"`
	Hand     []string `json:"hand"`
	Trick    []string `json:"trick"`
	// Trump is the trump suit, "" for no trumps; absent if it is not known.
	Trump *string `json:"trump"`
	// Seat is the seat that moves in a position; absent for chance, which deals.
	Seat  *uint32  `json:"seat"`
	Verb  string   `json:"verb"`
	Cards []string `json:"cards"`
}

// Refusal is a clause that the move breaks.
type Refusal struct {
	Code    string   `json:"code"`
	Clause  string   `json:"clause"`
	Message string   `json:"message"`
	Allowed []string `json:"allowed,omitempty"`
}

// Answer says whether the move is legal, and if it is, in a position, which one follows.
type Answer struct {
	Legal    bool      `json:"legal"`
	Refusals []Refusal `json:"refusals"`
	// DependsOn has what the caller has left out and decides whether the move is legal.
	DependsOn []string `json:"depends_on,omitempty"`
	Position  string   `json:"position,omitempty"`
}

type validator struct{ client *chitarrella.Client }

func (v validator) validate(ctx context.Context, asked *Question) (*Answer, error) {
	ruleSet := &chitarrella.RuleSet{GameId: asked.GameID, Players: asked.Players, Options: asked.Options}
	move, seat := chitarrella.NewMove(asked.Verb, asked.Cards...), chitarrella.Nobody
	if asked.Position == "" {
		known := []chitarrella.KnownPart{chitarrella.Hand(0, asked.Hand...), chitarrella.Trick(asked.Trick...)}
		if asked.Trump != nil {
			known = append(known, chitarrella.Trump(*asked.Trump))
		}
		partial := chitarrella.NewPartialPosition(ruleSet, known...)
		checked, err := v.client.Rules.ValidateMove(ctx, partial, chitarrella.Nobody, move)
		if err != nil {
			return nil, err
		}
		verdict := checked.GetVerdict()
		answer := &Answer{Legal: verdict == chitarrella.Accepted, Refusals: refusalsOf(checked.GetRefusals())}
		if verdict == chitarrella.Undecided {
			answer.DependsOn = checked.GetDependsOn()
		}
		return answer, nil
	}
	if asked.Seat != nil {
		seat = chitarrella.Seat(*asked.Seat)
	}
	position := &chitarrella.Position{RuleSet: ruleSet, Text: asked.Position}
	applied, err := v.client.Rules.ApplyMoves(ctx, position, chitarrella.By(seat, move)) // validates, and goes on
	if err != nil {
		return nil, err
	}
	answer := &Answer{Legal: applied.GetApplied() == 1, Refusals: refusalsOf(applied.GetRefusals())}
	if answer.Legal {
		answer.Position = applied.GetPosition().GetText()
	}
	return answer, nil
}

func refusalsOf(refusals []*chitarrella.Refusal) []Refusal {
	all := make([]Refusal, 0, len(refusals))
	for _, one := range refusals {
		all = append(all, Refusal{one.GetCode(), one.GetClause().GetKey(), one.GetMessage(), one.GetAllowedCards()})
	}
	return all
}

func (v validator) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	decoder := json.NewDecoder(http.MaxBytesReader(response, request.Body, 1<<16))
	decoder.DisallowUnknownFields()
	var asked Question
	if err := decoder.Decode(&asked); err != nil {
		write(response, http.StatusBadRequest, map[string]string{"code": "bad_request", "message": err.Error()})
		return
	}
	answer, err := v.validate(request.Context(), &asked)
	if failed, ok := errors.AsType[*chitarrella.Error](err); ok {
		status := http.StatusBadGateway
		switch {
		case failed.GetStatus() == codes.InvalidArgument || failed.GetStatus() == codes.NotFound:
			status = http.StatusBadRequest
		case !failed.FromService():
			status = http.StatusServiceUnavailable
		}
		problem := map[string]string{"code": string(failed.GetCode()), "message": failed.GetMessage(), "field": failed.GetField()}
		write(response, status, problem)
		return
	}
	if err != nil {
		log.Print(err)
		write(response, http.StatusInternalServerError, map[string]string{"code": "internal", "message": "Something failed."})
		return
	}
	write(response, http.StatusOK, answer)
}

func write(response http.ResponseWriter, status int, body any) {
	response.Header().Set("content-type", "application/json")
	response.WriteHeader(status)
	if err := json.NewEncoder(response).Encode(body); err != nil {
		log.Print(err) // the caller has gone
	}
}

func setting(name, usual string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return usual
}

func main() {
	client, err := chitarrella.Connect(setting("CHITARRELLA", "127.0.0.1:50051"))
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+setting("PORT", "8090"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Validator http://%s\n", listener.Addr())
	mux := http.NewServeMux()
	mux.Handle("POST /validate", validator{client})
	log.Fatal(http.Serve(listener, mux))
}
