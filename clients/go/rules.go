// Stateless questions about positions and cards, and the local verification of shuffles.

package chitarrella

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

// Messages about the rules.
type (
	// ChanceRequest is what chance has to supply: cards in some order, or one of some numbers.
	ChanceRequest = pb.ChanceRequest
	// SeatMove is a move and its seat.
	SeatMove = pb.SeatMove
	// Question is one item of a batch. With PositionOf, the index of an earlier item that starts a game or applies moves,
	// it has the position of that answer.
	Question = pb.Question
)

// Rules answers questions for those who store matches themselves: a position goes in, a position comes out. Calls fail
// with the codes of invalid requests, such as [CodeBadPosition] or [CodeUnknownCard].
type Rules struct{ transport *transport }

// StartGame returns the position before the first card, and what chance has to supply.
func (r *Rules) StartGame(ctx context.Context, ruleSet *RuleSet) (GameStart, error) {
	answer, err := call(ctx, r.transport, nil, r.transport.rules.StartGame, &pb.StartGameRequest{RuleSet: ruleSet})
	return GameStart{answer}, err
}

// LegalMoves lists the legal moves of a seat; [Nobody] for the seat to move. For a [PartialPosition] these are the moves
// that play cards to the trick, and [Nobody] is for its only hand if the leader is unknown.
func (r *Rules) LegalMoves(ctx context.Context, position AnyPosition, seat Seat) (*LegalMoves, error) {
	whole, partial := split(position)
	request := &pb.ListLegalMovesRequest{Position: whole, PartialPosition: partial, Seat: seat.toProto()}
	return call(ctx, r.transport, nil, r.transport.rules.ListLegalMoves, request)
}

// ExplainHand explains every card of a hand and every other possible move; [Nobody] for the seat to move. For a
// [PartialPosition] see [Rules.LegalMoves].
func (r *Rules) ExplainHand(ctx context.Context, position AnyPosition, seat Seat) (*ExplainedHand, error) {
	whole, partial := split(position)
	request := &pb.ExplainHandRequest{Position: whole, PartialPosition: partial, Seat: seat.toProto()}
	return call(ctx, r.transport, nil, r.transport.rules.ExplainHand, request)
}

// ValidateMove validates a move of a seat, or of chance ([Nobody]); for a [PartialPosition], [Nobody] is for its only
// hand. A refusal is a result, not an error.
func (r *Rules) ValidateMove(ctx context.Context, position AnyPosition, seat Seat, move *Move) (*MoveValidation, error) {
	whole, partial := split(position)
	request := &pb.ValidateMoveRequest{Position: whole, PartialPosition: partial, Seat: seat.toProto(), Move: move}
	return call(ctx, r.transport, nil, r.transport.rules.ValidateMove, request)
}

// By returns a move of a seat, for [Rules.ApplyMoves]; [Nobody] for a move of chance.
func By(seat Seat, move *Move) *SeatMove { return &SeatMove{Seat: seat.toProto(), Move: move} }

// ApplyMoves plays moves in order, up to the first that is refused, and returns the position after them.
func (r *Rules) ApplyMoves(ctx context.Context, position *Position, moves ...*SeatMove) (AppliedMoves, error) {
	request := &pb.ApplyMovesRequest{Position: position, Moves: moves}
	answer, err := call(ctx, r.transport, nil, r.transport.rules.ApplyMoves, request)
	return AppliedMoves{answer}, err
}

// GetView returns the view of a seat, or of the public ([Nobody]).
func (r *Rules) GetView(ctx context.Context, position *Position, seat Seat) (View, error) {
	request := &pb.GetViewRequest{Position: position}
	if seat >= 0 {
		request.Viewer = &pb.GetViewRequest_Seat{Seat: uint32(seat)}
	}
	return r.getView(ctx, request)
}

// GetRefereeView returns the view of the referee: everything.
func (r *Rules) GetRefereeView(ctx context.Context, position *Position) (View, error) {
	return r.getView(ctx, &pb.GetViewRequest{Position: position, Viewer: &pb.GetViewRequest_Referee{Referee: true}})
}

func (r *Rules) getView(ctx context.Context, request *pb.GetViewRequest) (View, error) {
	answer, err := call(ctx, r.transport, nil, r.transport.rules.GetView, request)
	return View{answer.GetView()}, err
}

// ResolveTrick returns, without a position, the card that takes a trick. Without the option [Trump] or [TrumpCard] that
// part is unknown; Trump("") is for no trumps. Fails with [CodeNoTricks].
func (r *Rules) ResolveTrick(
	ctx context.Context, ruleSet *RuleSet, cards []string, options ...ResolveOption,
) (*TrickResult, error) {
	request := &pb.ResolveTrickRequest{RuleSet: ruleSet, Cards: cards}
	for _, option := range options {
		option.resolve(request)
	}
	return call(ctx, r.transport, nil, r.transport.rules.ResolveTrick, request)
}

// ScoreCards returns what cards count, without a position. Without the option [Trump] the trump suit is unknown.
func (r *Rules) ScoreCards(
	ctx context.Context, ruleSet *RuleSet, cards []string, options ...ScoreOption,
) (*CardScores, error) {
	request := &pb.ScoreCardsRequest{RuleSet: ruleSet, Cards: cards}
	for _, option := range options {
		option.score(request)
	}
	return call(ctx, r.transport, nil, r.transport.rules.ScoreCards, request)
}

// VerifyShuffle has the service verify a shuffle; [IsFair] does it locally.
func (r *Rules) VerifyShuffle(ctx context.Context, gameID string, shuffle *Shuffle) (*Fairness, error) {
	return call(ctx, r.transport, nil, r.transport.rules.VerifyShuffle, &pb.VerifyShuffleRequest{
		GameId: gameID, Commitment: shuffle.GetCommitment(), Nonce: shuffle.GetNonce(), Number: shuffle.GetNumber(),
		ClientSeeds: shuffle.GetClientSeeds(), Cards: shuffle.GetCards(), Amount: shuffle.Amount, Lots: shuffle.GetLots(),
	})
}

// Batch sends many questions in one call; each has its own answer or error, in the same order.
func (r *Rules) Batch(ctx context.Context, questions ...*Question) ([]*Answer, error) {
	answer, err := call(ctx, r.transport, nil, r.transport.rules.Batch, &pb.BatchRequest{Questions: questions})
	return answer.GetAnswers(), err
}

type (
	// Position is a position and its rule set; the text is written by the service.
	Position = pb.Position
	// PartialPosition is what is known of a position in a game of tricks; [NewPartialPosition] returns one. An absent part
	// is unknown, and nothing is assumed about it: the answer names the unknown parts that it depends on.
	PartialPosition = pb.PartialPosition
)

// AnyPosition is a *[Position] or a *[PartialPosition]. With anything else a call fails with [CodeBadRequest].
type AnyPosition interface{ GetRuleSet() *RuleSet }

// split returns the two fields of a request for a position, one of which is nil.
func split(position AnyPosition) (*Position, *PartialPosition) {
	whole, _ := position.(*Position)
	partial, _ := position.(*PartialPosition)
	return whole, partial
}

// KnownPart is a part of [NewPartialPosition]: a [Hand], the [Trick], its [Leader], the [DeclaredSuit], the [Trump], the
// [TrumpCard], the [StockSize], the seats [DealtIn].
type KnownPart interface{ know(*PartialPosition) }

// ResolveOption is an option of [Rules.ResolveTrick]: the [Trump], the [TrumpCard].
type ResolveOption interface{ resolve(*pb.ResolveTrickRequest) }

// ScoreOption is an option of [Rules.ScoreCards]: the [Trump].
type ScoreOption interface{ score(*pb.ScoreCardsRequest) }

// NewPartialPosition returns a partial position with the known parts.
func NewPartialPosition(ruleSet *RuleSet, known ...KnownPart) *PartialPosition {
	position := &PartialPosition{RuleSet: ruleSet}
	for _, part := range known {
		part.know(position)
	}
	return position
}

type knownPartFunc func(*PartialPosition)

func (k knownPartFunc) know(into *PartialPosition) { k(into) }

// Hand is the complete hand of a seat.
func Hand(seat Seat, cards ...string) KnownPart {
	return knownPartFunc(func(p *PartialPosition) {
		p.Hands = append(p.Hands, &pb.SeatCards{Seat: uint32(seat), Cards: cards})
	})
}

// Trick is the current trick in order of play; no cards for a lead.
func Trick(cards ...string) KnownPart {
	return knownPartFunc(func(p *PartialPosition) { trickOf(p).Cards = cards })
}

// Leader is the seat that leads the trick. Without it, the seat of the question is the one to play.
func Leader(seat Seat) KnownPart {
	return knownPartFunc(func(p *PartialPosition) { trickOf(p).Leader = seat.toProto() })
}

// DealtIn are the seats that take part in the deal, where seats may sit out.
func DealtIn(seats ...uint32) KnownPart {
	return knownPartFunc(func(p *PartialPosition) { p.DealtIn = seats })
}

// trickOf returns the trick of a partial position; adds an empty one if it is unknown.
func trickOf(position *PartialPosition) *pb.PartialTrick {
	if position.Trick == nil {
		position.Trick = &pb.PartialTrick{}
	}
	return position.Trick
}

// Trump is the trump suit; "" for no trumps.
type Trump string

// TrumpCard is the trump card, in games where the trump is a single card; "" for none.
type TrumpCard string

// DeclaredSuit is the suit that the leader of the trump card has declared; "" for none.
type DeclaredSuit string

// StockSize is the number of cards to draw.
type StockSize uint32

func (t Trump) know(into *PartialPosition)        { into.Trump = new(string(t)) }
func (t TrumpCard) know(into *PartialPosition)    { into.TrumpCard = new(string(t)) }
func (d DeclaredSuit) know(into *PartialPosition) { trickOf(into).DeclaredSuit = new(string(d)) }
func (s StockSize) know(into *PartialPosition)    { into.StockSize = new(uint32(s)) }

func (t Trump) resolve(into *pb.ResolveTrickRequest)     { into.Trump = new(string(t)) }
func (t TrumpCard) resolve(into *pb.ResolveTrickRequest) { into.TrumpCard = new(string(t)) }
func (t Trump) score(into *pb.ScoreCardsRequest)         { into.Trump = new(string(t)) }

// IsFair reports whether a shuffle follows from its commitment; pack is the pack of the [Game], not needed for a lot. A
// shuffle that was supplied by the referee, or whose nonce is not published yet, cannot be verified: false.
func IsFair(shuffle *Shuffle, pack []string) bool {
	promised := sha256.Sum256([]byte(shuffle.GetNonce()))
	if shuffle.GetNonce() == "" || !strings.EqualFold(hex.EncodeToString(promised[:]), shuffle.GetCommitment()) {
		return false
	}
	if lots := shuffle.GetLots(); len(lots) > 0 {
		return shuffle.Amount != nil && shuffled(shuffle, slices.Sorted(slices.Values(lots)))[0] == *shuffle.Amount
	}
	index := make(map[string]int, len(pack))
	for at, card := range slices.Backward(pack) {
		index[card] = at
	}
	cards := slices.Clone(shuffle.GetCards())
	for _, card := range cards {
		if _, known := index[card]; !known {
			return false
		}
	}
	slices.SortStableFunc(cards, func(a, b string) int { return cmp.Compare(index[a], index[b]) })
	return len(cards) > 0 && slices.Equal(shuffled(shuffle, cards), shuffle.GetCards())
}

// shuffled shuffles things, given in canonical order, into the order of the shuffle.
func shuffled[T any](shuffle *Shuffle, things []T) []T {
	numbers := numbersOf(shuffle)
	for last := len(things) - 1; last > 0; last-- {
		other := numbers.below(uint64(last) + 1)
		things[last], things[other] = things[other], things[last]
	}
	return things
}

// numbers is an endless stream of 64-bit numbers: SHA-256 of a key and a block counter, four numbers to a block.
type numbers struct {
	key   [sha256.Size]byte
	block uint64
	left  []byte
}

func numbersOf(shuffle *Shuffle) *numbers {
	var text strings.Builder
	fmt.Fprintf(&text, "chitarrella shuffle 1\n%s\n%d\n", shuffle.GetNonce(), shuffle.GetNumber())
	for _, one := range shuffle.GetClientSeeds() {
		fmt.Fprintf(&text, "%d %s\n", one.GetSeat(), one.GetSeed())
	}
	return &numbers{key: sha256.Sum256([]byte(text.String()))}
}

func (n *numbers) next() uint64 {
	if len(n.left) == 0 {
		digest := sha256.Sum256(binary.BigEndian.AppendUint64(n.key[:], n.block))
		n.left = digest[:]
		n.block++
	}
	number := binary.BigEndian.Uint64(n.left)
	n.left = n.left[8:]
	return number
}

// below returns a uniform number below span: numbers above the last multiple of span are rejected.
func (n *numbers) below(span uint64) uint64 {
	surplus := (math.MaxUint64%span + 1) % span
	for {
		if number := n.next(); number <= math.MaxUint64-surplus {
			return number % span
		}
	}
}
