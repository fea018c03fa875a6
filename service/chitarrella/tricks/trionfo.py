"""The trionfo: a single trump card, the twin of the turn-up, that is played at any time and takes any trick.

Who leads it says which suit the others must follow. Beside it there are the pictures that count nothing: by most rules
they are not led beside other cards, nor laid on a picture by a hand that has better ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.cards import Card, Hand
from chitarrella.tricks.following import MUST_FOLLOW_SUIT, Following
from chitarrella.tricks.play import PlayCard
from chitarrella.tricks.table import Table
from chitarrella.tricks.taking import Highest
from chitarrella.words import NOT_IN_HAND, Event, Form, Move, Reason, Refusal, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

NUMBERS, PICTURES = "numbers", "pictures"
DECLARATION_MISSING = Reason("declaration_missing", "Who leads the trionfo says which suit is to be followed.")
DECLARATION_NOT_ALLOWED = Reason("declaration_not_allowed", "A suit is declared with the trionfo, when it is led.")
ZERO_CARD_LEAD = Reason(
    "zero_card_lead", "A picture that counts nothing is led only where the hand has nothing else: {instead}."
)
ZERO_CARD_FOLLOW = Reason(
    "zero_card_follow", "A picture that counts nothing is not laid on a picture while the hand has better: {instead}."
)


def counts(g: TrickGame, card: Card) -> bool:
    """Tell whether a card counts anything."""
    return card.rank in g.order.counts[0].worth


@dataclass(frozen=True)
class TrionfoTakes(Highest):
    """The trionfo, else the highest card of the suit led; of two equal cards the one played first."""

    def best(self, g: TrickGame, t: Table, cards: Hand) -> int:
        """Give the place of the winning card."""
        trionfo = t.turn_up
        return super().best(g, t, cards) if trionfo is None or trionfo not in cards else cards.index(trionfo)


@dataclass(frozen=True)
class ZerosLast(Following):
    """A picture that counts nothing may be led only from a hand of nothing else, unless it is the trionfo."""

    reasons = (ZERO_CARD_LEAD,)

    def objections(self, g: TrickGame, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object to such a card beside others; the trionfo stands there for what its face counts."""
        if counts(g, card) or card == t.turn_up or not any(counts(g, held) for held in hand):
            return ()
        instead = [held for held in hand if counts(g, held) or held == t.turn_up]
        return (g.refuse(ZERO_CARD_LEAD, instead=tuple(dict.fromkeys(instead)), held=(card,)),)


@dataclass(frozen=True)
class FollowButTrionfo(Following):
    """The suit led, or asked for, must be followed by whoever has it; the trionfo may be played all the same.

    With ``keeps_zeros`` a picture led by any other card asks for one that counts, while the hand has it. With
    ``in_suit`` the trionfo is a card of its suit in the hand too, which may be the only one to follow with.
    """

    keeps_zeros: bool = True
    in_suit: bool = False

    reasons = (MUST_FOLLOW_SUIT, ZERO_CARD_FOLLOW)

    def objections(self, g: TrickGame, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object to another suit, and to a picture that counts nothing where a better one is due."""
        trionfo, suit, led = t.turn_up, g.suit, suit_led(g, t)
        keeps = self.keeps_zeros and led == PICTURES and t.trick[0] != trionfo
        if card == trionfo or (suit[card] == led and (not keeps or counts(g, card))):
            return ()
        fitting: Sequence[Card] = g.of_suit(hand, led)
        if trionfo in fitting and not self.in_suit:
            fitting = [held for held in fitting if held != trionfo]
        if keeps:
            fitting = [held for held in fitting if counts(g, held)] or fitting
        if not fitting or card in fitting:
            return ()
        instead = (*fitting, trionfo) if trionfo in hand and trionfo not in fitting else tuple(fitting)
        reason = ZERO_CARD_FOLLOW if suit[card] == led else MUST_FOLLOW_SUIT
        return (g.refuse(reason, instead=instead, held=(card,), word=led),)


def suit_led(g: TrickGame, t: Table) -> str:
    """Name the suit to be followed in the present trick: that of the first card, or what was said with the trionfo."""
    declared: str = t.own.declared
    return declared if t.trick[0] == t.turn_up else g.suit[t.trick[0]]


@dataclass(frozen=True)
class PlayOrDeclare(PlayCard):
    """A card of the hand goes to the trick; with the trionfo, when it is led, goes the suit that is asked for."""

    form = Form("play_card", "Play a card to the trick.", frozenset(), (1, 1), words=("", NUMBERS, PICTURES))
    reasons = (NOT_IN_HAND, DECLARATION_MISSING, DECLARATION_NOT_ALLOWED)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer every face of the hand once, the trionfo on the lead once with each suit."""
        moves, trionfo = super().offers(g, t, seat), t.turn_up
        if t.trick or trionfo is None or trionfo not in t.hands[seat]:
            return moves
        plain = [move for move in moves if move.cards[0] != trionfo]
        return [*plain, *(g.plays[seat][trionfo]._replace(word=suit) for suit in (NUMBERS, PICTURES))]

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to a declaration that is missing or out of place, too."""
        wanted = not t.trick and move.cards[0] == t.turn_up
        against = PlayCard.objections(self, g, t, seat, move)
        if wanted == bool(move.word):
            return against
        undeclared = g.refuse(DECLARATION_MISSING if wanted else DECLARATION_NOT_ALLOWED, word=move.word)
        return (undeclared, *against) if move.cards[0] in t.hands[seat] else (*against, undeclared)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Lay the card down, and remember what was asked for."""
        if not move.word:
            return super().apply(g, t, seat, move, tell)
        t = super().apply(g, t._replace(own=t.own._replace(declared=move.word)), seat, move, tell)
        tell.append(public("suit_declared", seat, word=move.word))
        return t
