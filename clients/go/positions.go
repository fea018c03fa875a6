// Positions, whole or partial.

package chitarrella

import (
	pb "github.com/chitarrella/chitarrella/clients/go/gen/chitarrella/v1"
)

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
// [TrumpCard], the [StockSize].
type KnownPart interface{ know(*PartialPosition) }

// ResolveOption is an option of [Rules.ResolveTrick]: the [Trump], the [TrumpCard].
type ResolveOption interface{ resolve(*pb.ResolveTrickRequest) }

// PlayableOption is an option of [Rules.PlayableCards]: the [TrumpCard], the [DeclaredSuit], [StockLeft].
type PlayableOption interface {
	playable(*pb.ListPlayableCardsRequest)
}

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

func (t TrumpCard) playable(into *pb.ListPlayableCardsRequest)    { into.TrumpCard = string(t) }
func (d DeclaredSuit) playable(into *pb.ListPlayableCardsRequest) { into.DeclaredSuit = string(d) }

type stockLeft struct{}

func (stockLeft) playable(into *pb.ListPlayableCardsRequest) { into.StockLeft = true }

// StockLeft says that there are cards to draw: in some games the duty to follow waits for the last one.
func StockLeft() PlayableOption { return stockLeft{} }
