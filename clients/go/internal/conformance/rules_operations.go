// The operations of scenarios: questions about the rules.

package main

import (
	"context"
	"errors"
	"fmt"

	chitarrella "github.com/chitarrella/chitarrella/clients/go"
	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// runner plays one scenario.
type runner struct {
	client      *chitarrella.Client
	environment environment
	matches     map[string]*chitarrella.Match
	webhooks    map[string]string // their ids
}

type operation func(*runner, context.Context, step) (any, error)

var operations = map[string]operation{
	"list_games": (*runner).listGames, "start_game": (*runner).startGame, "list_legal_moves": (*runner).listLegalMoves,
	"explain_hand": (*runner).explainHand, "validate_move": (*runner).validateMove,
	"resolve_trick": (*runner).resolveTrick, "score_cards": (*runner).scoreCards, "card_images": (*runner).cardImages, "create_match": (*runner).createMatch,
	"get_match": (*runner).getMatch, "list_match_moves": (*runner).listMatchMoves, "play_move": (*runner).playMove,
	"suggest_move": (*runner).suggestMove,
	"play_out":     (*runner).playOut, "watch_match": (*runner).watchMatch, "verify_shuffles": (*runner).verifyShuffles,
	"get_record": (*runner).getRecord, "take_back": (*runner).takeBack, "tls": (*runner).tls,
	"describe_cards": (*runner).describeCards, "list_known_moves": (*runner).listKnownMoves,
	"apply_moves": (*runner).applyMoves, "batch": (*runner).batch, "connect_platform": (*runner).connectPlatform,
	"import_match": (*runner).importMatch, "describe_match": (*runner).describeMatch,
	"list_matches": (*runner).listMatches, "get_matches": (*runner).getMatches, "abort_match": (*runner).abortMatch,
	"rotate_key": (*runner).rotateKey, "advance_clock": (*runner).advanceClock,
	"join_match": (*runner).manage, "resign_match": (*runner).manage, "decide_match": (*runner).manage,
	"update_match": (*runner).manage, "pause_clock": (*runner).manage, "add_time": (*runner).manage,
	"create_webhook": (*runner).createWebhook, "list_webhooks": (*runner).listWebhooks,
	"update_webhook": (*runner).updateWebhook, "rotate_webhook_secret": (*runner).rotateWebhookSecret,
	"test_webhook": (*runner).testWebhook, "list_deliveries": (*runner).listDeliveries,
	"resend_delivery": (*runner).resendDelivery, "delete_webhook": (*runner).deleteWebhook,
}

func init() { operations["watch_matches"] = (*runner).watchMatches } // its steps are operations themselves

// playSteps runs the steps; a call that fails gives its code as the result, anything else is an error.
func (r *runner) playSteps(ctx context.Context, steps []step) ([]any, error) {
	results := []any{}
	for number, step := range steps {
		operate, known := operations[step.Op]
		if !known {
			return nil, fmt.Errorf("step %d: there is no operation %q", number, step.Op)
		}
		var result any
		var err error
		if step.at, err = r.as(step); err == nil {
			result, err = operate(r, ctx, step)
		}
		if failure, ok := errors.AsType[*chitarrella.Error](err); ok {
			result = writeError(failure)
		} else if err != nil {
			return nil, fmt.Errorf("step %d: %w", number, err)
		}
		results = append(results, result)
	}
	return results, nil
}

func writeError(failure *chitarrella.Error) object {
	return object{"error": object{"code": failure.GetCode(), "field": failure.GetField()}}
}

func (r *runner) listGames(ctx context.Context, _ step) (any, error) {
	keys := []string{}
	for game, err := range r.client.Games(ctx) {
		if err != nil {
			return nil, err
		}
		keys = append(keys, game.GetGameId())
	}
	return keys, nil
}

func (r *runner) startGame(ctx context.Context, s step) (any, error) {
	start, err := r.client.Rules.StartGame(ctx, s.RuleSet.read())
	if err != nil {
		return nil, err
	}
	result := object{"text": start.GetPosition().GetText(), "chance_request": nil}
	if start.GetChanceRequest() != nil {
		result["chance_request"] = start.GetChanceRequest().GetVerb()
	}
	return result, nil
}

func (r *runner) listLegalMoves(ctx context.Context, s step) (any, error) {
	found, err := r.client.Rules.LegalMoves(ctx, s.position(), chitarrella.SeatOf(s.Seat))
	if err != nil {
		return nil, err
	}
	return object{"seat": found.Seat, "moves": each(found.GetMoves(), writeMove)}, nil
}

func (r *runner) explainHand(ctx context.Context, s step) (any, error) {
	hand, err := r.client.Rules.ExplainHand(ctx, s.anyPosition(), chitarrella.SeatOf(s.Seat))
	return each(hand.GetMoves(), writeExplained), err
}

func (r *runner) validateMove(ctx context.Context, s step) (any, error) {
	validation, err := r.client.Rules.ValidateMove(ctx, s.anyPosition(), chitarrella.SeatOf(s.Seat), s.Move.read())
	if err != nil {
		return nil, err
	}
	return writeVerdict(validation), nil
}

func (r *runner) resolveTrick(ctx context.Context, s step) (any, error) {
	trick, err := r.client.Rules.ResolveTrick(ctx, s.RuleSet.read(), s.Cards, chitarrella.Trump(*s.Trump))
	if err != nil {
		return nil, err
	}
	return object{
		"winning_index": trick.WinningIndex, "winning_card": trick.GetWinningCard(),
		"scores": writeScores(trick.GetScores()),
	}, nil
}

func (r *runner) scoreCards(ctx context.Context, s step) (any, error) {
	var options []chitarrella.ScoreOption
	if s.Trump != nil {
		options = append(options, chitarrella.Trump(*s.Trump))
	}
	found, err := r.client.Rules.ScoreCards(ctx, s.RuleSet.read(), s.Cards, options...)
	return object{"scores": writeScores(found.GetScores()), "depends_on": list(found.GetDependsOn())}, err
}

func (r *runner) cardImages(_ context.Context, s step) (any, error) {
	return each(s.Cards, func(card string) string { return chitarrella.CardImage(card, s.Pack[0]) }), nil
}

func (r *runner) tls(ctx context.Context, s step) (any, error) {
	client, err := r.environment.connectTLS()
	if err != nil {
		return nil, err
	}
	defer client.Close()
	keys, err := (&runner{client: client}).listGames(ctx, s)
	if err != nil {
		return nil, err
	}
	return len(keys.([]string)), nil
}

func (r *runner) describeCards(ctx context.Context, s step) (any, error) {
	game, err := r.client.Game(ctx, s.GameID)
	return each(s.Cards, func(code string) object {
		card := chitarrella.CardOf(game, code)
		return object{
			"code": card.GetCode(), "name": card.GetName(), "suit": card.GetSuit(), "order": card.GetOrder(),
			"points": card.Points,
		}
	}), err
}

// knownParts are what a step knows of a position.
type knownParts struct {
	Hands     map[chitarrella.Seat][]string
	Trick     *[]string
	Trump     *string
	StockSize *uint32 `json:"stock_size"`
}

// anyPosition reads the position of the step, or what it knows of one.
func (s step) anyPosition() chitarrella.AnyPosition {
	if s.Known == nil {
		return s.position()
	}
	var parts []chitarrella.KnownPart
	for seat, cards := range s.Known.Hands {
		parts = append(parts, chitarrella.Hand(seat, cards...))
	}
	if s.Known.Trick != nil {
		parts = append(parts, chitarrella.Trick(*s.Known.Trick...))
	}
	if s.Known.Trump != nil {
		parts = append(parts, chitarrella.Trump(*s.Known.Trump))
	}
	if s.Known.StockSize != nil {
		parts = append(parts, chitarrella.StockSize(*s.Known.StockSize))
	}
	return chitarrella.NewPartialPosition(s.RuleSet.read(), parts...)
}

func (r *runner) listKnownMoves(ctx context.Context, s step) (any, error) {
	found, err := r.client.Rules.LegalMoves(ctx, s.anyPosition(), chitarrella.SeatOf(s.Seat))
	if err != nil {
		return nil, err
	}
	undecided := each(found.GetUndecided(), func(one *chitarrella.ExplainedMove) object {
		return object{"move": writeMove(one.GetMove()), "depends_on": list(one.GetDependsOn())}
	})
	return object{
		"seat": found.Seat, "moves": each(found.GetMoves(), writeMove), "undecided": undecided,
		"depends_on": list(found.GetDependsOn()),
	}, nil
}

// seatMove is a move of a position, with the seat that makes it; nil for chance.
type seatMove struct {
	Seat *uint32
	Move move
}

func readSeatMoves(moves []seatMove) []*chitarrella.SeatMove {
	return each(moves, func(one seatMove) *chitarrella.SeatMove {
		return chitarrella.By(chitarrella.SeatOf(one.Seat), one.Move.read())
	})
}

func (r *runner) applyMoves(ctx context.Context, s step) (any, error) {
	applied, err := r.client.Rules.ApplyMoves(ctx, s.position(), readSeatMoves(s.Moves)...)
	if err != nil {
		return nil, err
	}
	return writeApplied(applied.ApplyMovesResponse), nil
}

func writeApplied(value *pb.ApplyMovesResponse) object {
	return object{
		"text": value.GetPosition().GetText(), "applied": value.GetApplied(),
		"refusals": each(value.GetRefusals(), writeRefusal), "legal_moves": each(value.GetLegalMoves(), writeMove),
	}
}

func (r *runner) batch(ctx context.Context, s step) (any, error) {
	var questions []*chitarrella.Question
	for _, one := range s.Questions {
		question, err := one.question()
		if err != nil {
			return nil, err
		}
		questions = append(questions, question)
	}
	answers, err := r.client.Rules.Batch(ctx, questions...)
	return each(answers, writeAnswer), err
}

// question reads a question of a batch, with the position of the step or of an earlier question.
func (s step) question() (*chitarrella.Question, error) {
	question := &chitarrella.Question{PositionOf: s.PositionOf}
	var position *chitarrella.Position
	if s.PositionOf == nil {
		position = s.position()
	}
	switch s.Op {
	case "start_game":
		question.Kind = &pb.Question_StartGame{StartGame: &pb.StartGameRequest{RuleSet: s.RuleSet.read()}}
	case "apply_moves":
		request := &pb.ApplyMovesRequest{Position: position, Moves: readSeatMoves(s.Moves)}
		question.Kind = &pb.Question_ApplyMoves{ApplyMoves: request}
	case "list_legal_moves":
		request := &pb.ListLegalMovesRequest{Position: position, Seat: s.Seat}
		question.Kind = &pb.Question_ListLegalMoves{ListLegalMoves: request}
	default:
		return nil, fmt.Errorf("there is no question %q", s.Op)
	}
	return question, nil
}

func writeAnswer(answer *chitarrella.Answer) any {
	if problem := answer.GetError(); problem != nil {
		return writeError(chitarrella.ErrorOf(problem))
	}
	if start := answer.GetStartGame(); start != nil {
		return start.GetPosition().GetText()
	}
	if applied := answer.GetApplyMoves(); applied != nil {
		return writeApplied(applied)
	}
	found := answer.GetListLegalMoves()
	return object{"seat": found.Seat, "moves": each(found.GetMoves(), writeMove)}
}
