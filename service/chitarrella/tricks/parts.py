"""The kinds of parts that a trick-taking game is made of: moves, phases, duties, counts, and how deals make a match.

A part gets the rules of its table as the argument ``g``, and may ask them for everything.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import (
    NOT_IN_HAND,
    BaseAction,
    Event,
    Fact,
    Inference,
    Move,
    Reason,
    Refusal,
    Seat,
    Visibility,
    public_event,
)
from chitarrella.tricks.table import MatchState, Table, Trick

if TYPE_CHECKING:
    from chitarrella.tricks import rules

    Rules: TypeAlias = rules.Rules
else:
    Rules = Any  # every part names the rules in its signatures, and they are made of the parts

Fault: TypeAlias = tuple[str, str]  # the field of a position that is impossible, and the reason
CardCounts: TypeAlias = tuple[tuple[int, ...], ...]
"""What each side has taken in a deal: one row per side, one number per count of the order."""


def is_deal_running(g: Rules, t: Table) -> bool:
    """Return whether a deal is being played."""
    return t.phase in g.deal_phases


def everybody(g: Rules, t: object) -> tuple[Seat, ...]:
    """Return every seat: all take part in the deal."""
    return g.seating.everybody


def overrides(part: object, method: str) -> bool:
    """Return whether the class of ``part`` has its own ``method`` in place of the one that all such parts have."""
    return sum(method in vars(kind) for kind in type(part).__mro__) > 1


Check: TypeAlias = Callable[[Rules, Table], Fault | None]
"""Returns why a phase or an action cannot have left a table so, given the game and the table."""


class Action(BaseAction[Rules, Table]):
    """One kind of move: its form, the moves of a seat, why they are refused, and what they change.

    ``reasons`` are those of its refusals, beyond phase and turn. ``recorded_in`` is a field of `Table` that keeps it.
    ``breaks_off_deal`` says that it can end a deal before the last trick.
    """

    recorded_in: ClassVar[str] = ""
    breaks_off_deal: ClassVar[bool] = False

    def is_available(self, g: Rules, t: Table) -> bool:
        """Return whether it belongs to the present state of its phase; asked only of an action that defines it."""
        raise NotImplementedError(self.spec.verb)

    def is_agreed(self, g: Rules) -> bool:
        """Return whether such a move can ever be legal with the options and the seats of the game."""
        return True

    def is_due(self, g: Rules, t: Table, seat: Seat) -> bool:
        """Return whether this is the moment for such a move of ``seat``; at any other its `conditions` refuse it."""
        return True

    def legal_moves(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return those of the `offers` that are not refused; most often a move beside the tricks is not due."""
        return super().legal_moves(g, t, seat) if self.is_due(g, t, seat) else ()

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Return the clauses that ``move`` breaks whosever turn it is: by default that its cards are held."""
        return self.possession(g, t, seat, move)

    def possession(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse cards that are not in the hand of ``seat``."""
        hand = list(t.hands[seat]) if t.hands else []
        for card in move.cards:
            if card not in hand:
                return (g.refuse(NOT_IN_HAND, verb=self.spec.verb, word=card),)
            hand.remove(card)
        return ()

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why this action cannot have left what ``t`` records of it; every seat in ``t`` exists."""
        return None


class Phase:
    """A section of a deal or of a match, with its own actions and turns.

    In some a card ``turns_up`` for trumps, and in some a seat names them (``names_trumps``).
    """

    name: str
    turns_up: ClassVar[bool] = False
    names_trumps: ClassVar[bool] = False

    @property
    def actions(self) -> tuple[Action, ...]:
        """The kinds of moves that belong to it."""
        return ()

    def card_actions(self, trick: Hand) -> tuple[Action, ...]:
        """Return the actions that play cards to ``trick``, which is empty for a lead; most phases have none."""
        return ()

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Begin the phase; one without a decision goes on to the next at once."""
        return t.with_phase(self.name)

    def turn(self, g: Rules, t: Table) -> Seat | None:
        """Return the seat to move, by default the one that leads; `CHANCE` for a pack or a lot, None for nobody."""
        return t.leader

    def turns(self, g: Rules, t: Table) -> tuple[Seat, ...]:
        """Return all seats that have to move; more than one where they decide at once."""
        turn = self.turn(g, t)
        return () if turn is None else (turn,)

    def first_lead(self, g: Rules, t: Table) -> Seat | None:
        """Return the seat that leads to the first trick, None where this phase does not decide it."""
        return None

    def inferences(self, g: Rules, t: Table) -> Iterable[Inference]:
        """Return what follows about hidden cards from what was done in it; asked while a deal is being played."""
        return ()

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why this phase cannot be, or have been, as ``t`` records it; every seat in ``t`` exists."""
        return next(filter(None, [action.fault(g, t) for action in self.actions]), None)


class TrickEffect:
    """Something that happens whenever a trick was taken; to draw cards is one such thing."""

    def apply(self, g: Rules, t: Table, trick: Trick, events: list[Event]) -> Table:
        """Return the table after it; ``trick`` is the last of ``t.tricks``."""
        return t

    def ends_deal(self, g: Rules, t: Table) -> bool:
        """Return whether the deal is over with the last trick, whatever is still in the hands."""
        return False


@dataclass(frozen=True)
class Following:
    """A duty of the seats that follow to a trick, or of the seat that leads, with the reasons for its refusals.

    `allowed_cards` decides; by default any card may be played. As a duty of those who follow it needs a card in
    ``t.trick``. One that ``reads_tricks`` depends on earlier tricks of the deal.
    """

    reasons: ClassVar[tuple[Reason, ...]] = ()
    reads_tricks: ClassVar[bool] = False

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Return the cards of ``hand`` that may be played, in its order; further copies of a face may be left out."""
        return hand

    def refusals(self, g: Rules, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Refuse ``card`` of ``hand`` unless it is allowed."""
        return () if card in self.allowed_cards(g, t, hand) else (self.refusal(g, t, hand, card),)

    def refusal(self, g: Rules, t: Table, hand: Hand, card: Card) -> Refusal:
        """Return the refusal of ``card`` of ``hand``, which is not allowed; by default for its one reason."""
        led = g.cards.suit[t.trick[0]] if t.trick else ""
        allowed = self.allowed_cards(g, t, hand)
        return g.refuse(self.reasons[0], allowed_cards=allowed, offending_cards=(card,), word=led)


@dataclass(frozen=True)
class Taking:
    """The rule that decides who takes a trick; ``has_trump_card`` says that the trump is a single card.

    By default it is the highest trump, else the highest card of the suit led; of two equal cards the one played first.
    """

    has_trump_card: ClassVar[bool] = False

    def best(self, g: Rules, t: Table, cards: Hand) -> int:
        """Return the index of the card that takes ``cards``, which are in order of play and at least one."""
        strength = g.cards.trick_strengths[t.trump][cards[0]]
        if len(cards) == 2:
            return int(strength[cards[1]] > strength[cards[0]])
        strengths = [strength[card] for card in cards]
        return strengths.index(max(strengths))


@dataclass(frozen=True)
class DealScoring:
    """The score of a deal, and who wins it: by default the side with more than every other.

    The counts of the order are compared one after the other: a later one decides only where all before it are level.
    If the best are level in all of them nobody wins.
    """

    avoided: ClassVar[bool] = False  # whether points are bad for the seat that takes them

    def points(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return what each seat has taken in this deal, by the first count."""
        return g.card_points(t, 0)

    def by_side(self, g: Rules, t: Table, sides: tuple[int, ...] = ()) -> CardCounts:
        """Return what each side has taken; ``sides`` are those of this deal where it has its own."""
        sides = sides or g.sides
        taken: list[list[Card]] = [[] for _ in range(max(sides) + 1)]
        for _, cards, winner in t.tricks:
            taken[sides[winner]] += cards
        counts, trump = g.order.counts, t.trump
        return tuple([tuple([count.of(cards, trump) for count in counts]) for cards in taken])

    def winner(self, g: Rules, t: Table, counted: CardCounts) -> int | None:
        """Return the side that wins the deal, None where nobody does."""
        return strictly_best(counted)


def strictly_best(figures: Sequence[Any]) -> int | None:
    """Return the index of the highest of ``figures``, None where several are level."""
    best = max(figures)
    return figures.index(best) if figures.count(best) == 1 else None


MAX_COUNT = 1_000_000  # the most deals, chips, tricks or games that a position records: their sums fit 32 bits


class MatchFormat(ABC):
    """How deals make a match: what is entered after a deal, when the match is finished, and who has won.

    ``end_phase`` is the name of the phase after the last deal. By default a side, or a seat that plays alone, scores
    what it has added up over the deals, and the highest total wins.
    """

    end_phase: str = "match_over"
    lower_score_wins: ClassVar[bool] = False

    @property
    def max_balance(self) -> int:
        """How much a seat can win or lose in a match at most."""
        return MAX_COUNT

    @property
    def is_endless(self) -> bool:
        """Whether the match goes on for as long as the players like."""
        return False

    def total_count(self, g: Rules) -> int:
        """Return the length of `MatchState.totals`, which is added up over the deals: one for each side."""
        return max(g.sides) + 1

    def initial_record(self, g: Rules) -> Any:
        """Return the game's own record before the first deal."""
        return g.own()

    @abstractmethod
    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Enter the deal that was just played; wait for the next one or end the match."""

    def void_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Throw in a deal that nobody wants to play; the next dealer deals."""
        events.append(public_event("deal_voided", amount=t.match_state.deal))
        return next_deal(g, t, t.match_state, events)

    def scores(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return the score of every seat."""
        return tuple([t.match_state.totals[side] for side in g.sides])

    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        """Return the seats that have won a finished match; empty for a draw."""
        return frozenset(g.seating.seats_of(strictly_best(t.match_state.totals)))

    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        """Return what is known of the match beside the score."""
        return ()

    @abstractmethod
    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why no match can stand as ``t`` records it; every seat and row of ``t`` exists."""


def next_deal(g: Rules, t: Table, match_state: MatchState, events: list[Event]) -> Table:
    """Pass the deal to the next dealer and wait for the pack."""
    dealer = g.dealing.next_dealer(g, match_state.dealer)
    return g.dealing.enter(g, t._replace(match_state=match_state._replace(dealer=dealer)), events)


def end_match(g: Rules, t: Table, match_state: MatchState, events: list[Event]) -> Table:
    """End the match and report who has won; nobody leads any more."""
    t = t._replace(phase=g.series.end_phase, match_state=match_state, leader=0)
    winners = sorted(g.series.winners(g, t))
    events.extend([public_event("match_won", seat) for seat in winners] or [public_event("match_drawn")])
    return t


class Place(NamedTuple):
    """A place where cards lie beside the fields of `Table`: before seats, or in the middle of the table (no seat).

    ``read`` returns the cards that lie there, by seat; ``write`` puts others there.
    """

    name: str
    description: str
    seen_by: Callable[[Rules, Any], Visibility]
    read: Callable[[Rules, Table], Iterable[tuple[Seat | None, Hand]]]
    write: Callable[[Rules, Table, dict[Seat | None, Hand]], Table]
