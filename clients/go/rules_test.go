// Cases that the scenarios do not reach: what is known of a position, and what is not.

package chitarrella_test

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

var briscola = &chitarrella.RuleSet{GameId: "briscola"}

// fakeRules keeps the last request, and answers that everything depends on the trump.
type fakeRules struct {
	pb.UnimplementedRulesServiceServer
	t    *testing.T
	last proto.Message
}

func (s *fakeRules) ListLegalMoves(_ context.Context, r *pb.ListLegalMovesRequest) (*pb.ListLegalMovesResponse, error) {
	s.last = r
	if r.Position == nil && r.PartialPosition == nil {
		return nil, serviceError(s.t, codes.InvalidArgument, "bad_request", map[string]string{"field": "position"})
	}
	undecided := &pb.ExplainedMove{Move: chitarrella.NewMove("play_card", "2c"), DependsOn: []string{"trump"}}
	return &pb.ListLegalMovesResponse{Undecided: []*pb.ExplainedMove{undecided}}, nil
}

func (s *fakeRules) ListPlayableCards(
	_ context.Context, r *pb.ListPlayableCardsRequest,
) (*pb.ListPlayableCardsResponse, error) {
	s.last = r
	return &pb.ListPlayableCardsResponse{}, nil
}

func (s *fakeRules) ResolveTrick(_ context.Context, r *pb.ResolveTrickRequest) (*pb.ResolveTrickResponse, error) {
	s.last = r
	return &pb.ResolveTrickResponse{DependsOn: []string{"trump"}}, nil
}

func (s *fakeRules) ApplyMoves(_ context.Context, r *pb.ApplyMovesRequest) (*pb.ApplyMovesResponse, error) {
	s.last = r
	penalty := &pb.MovePenalty{Index: 1, Refusals: []*pb.Refusal{{Code: "zero_card_lead", Penalty: true}}}
	moves := []*pb.Move{chitarrella.NewMove("play_card", "Ab")}
	return &pb.ApplyMovesResponse{Applied: 2, Penalties: []*pb.MovePenalty{penalty}, LegalMoves: moves}, nil
}

// rulesOf returns the rules of the fake service.
func rulesOf(t *testing.T) (*chitarrella.Rules, *fakeRules) {
	t.Helper()
	server, service := grpc.NewServer(), &fakeRules{t: t}
	pb.RegisterRulesServiceServer(server, service)
	return clientOf(t, server).Rules, service
}

func (s *fakeRules) expect(request proto.Message) {
	s.t.Helper()
	if !proto.Equal(s.last, request) {
		s.t.Errorf("received %v, expected %v", s.last, request)
	}
}

// A partial position has its known parts only; an empty text and a zero are known.
func TestPartialPositionHasKnownParts(t *testing.T) {
	rules, service := rulesOf(t)
	known := chitarrella.NewPartialPosition(
		briscola, chitarrella.Hand(0, "Ab", "2c"), chitarrella.Trick("Rs"), chitarrella.Leader(3),
		chitarrella.DeclaredSuit(""), chitarrella.Trump(""), chitarrella.StockSize(0),
	)
	moves, err := rules.LegalMoves(t.Context(), known, chitarrella.Nobody)
	if err != nil || len(moves.GetUndecided()) != 1 || chitarrella.IsLegal(moves.GetUndecided()[0]) {
		t.Errorf("moves %v, error: %v", moves, err)
	}
	service.expect(&pb.ListLegalMovesRequest{PartialPosition: &pb.PartialPosition{
		RuleSet: briscola, Hands: []*pb.SeatCards{{Seat: 0, Cards: []string{"Ab", "2c"}}},
		Trick:     &pb.PartialTrick{Cards: []string{"Rs"}, Leader: new(uint32(3)), DeclaredSuit: new("")},
		Trump:     new(""),
		StockSize: new(uint32(0)),
	}})
}

// A position is accepted in the same place; anything else is an error of the service.
func TestPositionIsWholeOrPartial(t *testing.T) {
	rules, service := rulesOf(t)
	position := &chitarrella.Position{RuleSet: briscola, Text: "x"}
	if _, err := rules.LegalMoves(t.Context(), position, 1); err != nil {
		t.Fatal(err)
	}
	service.expect(&pb.ListLegalMovesRequest{Position: position, Seat: new(uint32(1))})
	if _, err := rules.LegalMoves(t.Context(), &pb.StartGameRequest{}, 1); !errors.Is(err, chitarrella.CodeBadRequest) {
		t.Errorf("failed with %v", err)
	}
}

// A trump that is not given is unknown, and an index that depends on it is absent.
func TestTrickOfUnknownTrump(t *testing.T) {
	rules, service := rulesOf(t)
	trick, err := rules.ResolveTrick(t.Context(), briscola, []string{"Rs", "2d"})
	if err != nil || trick.WinningIndex != nil || len(trick.GetDependsOn()) != 1 {
		t.Errorf("trick %v, error: %v", trick, err)
	}
	service.expect(&pb.ResolveTrickRequest{RuleSet: briscola, Cards: []string{"Rs", "2d"}})
	trumps := []chitarrella.ResolveOption{chitarrella.Trump(""), chitarrella.TrumpCard("MAT")}
	if _, err := rules.ResolveTrick(t.Context(), briscola, nil, trumps...); err != nil {
		t.Error(err)
	}
	service.expect(&pb.ResolveTrickRequest{RuleSet: briscola, Trump: new(""), TrumpCard: new("MAT")})
}

// The trump card, the declared suit and cards to draw are options of the playable cards.
func TestPlayableCardsHaveOptions(t *testing.T) {
	rules, service := rulesOf(t)
	options := []chitarrella.PlayableOption{
		chitarrella.TrumpCard("MAT"), chitarrella.DeclaredSuit("numbers"), chitarrella.StockLeft(),
	}
	if _, err := rules.PlayableCards(t.Context(), briscola, []string{"IV"}, nil, "", options...); err != nil {
		t.Fatal(err)
	}
	service.expect(&pb.ListPlayableCardsRequest{
		RuleSet: briscola, Hand: []string{"IV"}, TrumpCard: "MAT", DeclaredSuit: "numbers", StockLeft: true,
	})
}

// Applied moves come with their penalties and the next legal moves.
func TestAppliedMovesHavePenalties(t *testing.T) {
	rules, _ := rulesOf(t)
	move := chitarrella.By(0, chitarrella.NewMove("play_card", "Ab"))
	applied, err := rules.ApplyMoves(t.Context(), &chitarrella.Position{RuleSet: briscola}, move)
	if err != nil || len(applied.GetLegalMoves()) != 1 || applied.GetPenalties()[0].GetIndex() != 1 {
		t.Errorf("applied %v, error: %v", applied, err)
	}
}
