"""The interfaces of a trick-taking game: `Rules`, which every part may ask, and the kinds of parts themselves.

A part gets the game as its argument ``g: Rules``, which `TrickGame` implements; no part depends on `TrickGame`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypeAlias, final

from chitarrella.core.cards import Card, Hand, Pack
from chitarrella.core.model import (
    NOT_IN_HAND,
    Event,
    Fact,
    Legality,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    plain_move,
    public_event,
)
from chitarrella.core.options import AgreedRules
from chitarrella.tricks.card_values import Order
from chitarrella.tricks.seating import CardIndex, Seating, card_events
from chitarrella.tricks.table import MatchState, Table, Trick

Fault: TypeAlias = tuple[str, str]  # the field of a position that is impossible, and the reason
CardCounts: TypeAlias = tuple[tuple[int, ...], ...]
"""What each side has taken in a deal: one row per side, one number per count of the order."""


@dataclass(frozen=True, kw_only=True)
class Rules(AgreedRules, ABC):
    """A trick-taking game as its parts see it: what it is made of, and what follows from that, looked up once.

    ``leading`` binds the seat that leads, ``following`` the others. ``drawing`` is called after a trick while there is
    a stock. ``payments`` are made after each trick, before ``trick_effects``. ``carry_over`` maps a record of type
    ``own`` to that of the next deal. ``dealt_in_seats`` returns the seats of a deal, in order. A ``first_dealer`` of
    None is drawn.
    """

    seating: Seating
    pack: Pack
    order: Order
    dealing: DealPhase
    phases: tuple[Phase, ...]
    series: MatchFormat
    following: Following
    leading: Following
    drawing: Callable[[Rules, Table, list[Event]], Table]
    taking: Taking
    deal_scoring: DealScoring
    payments: TrickEffect | None = None
    trick_effects: tuple[TrickEffect, ...] = ()
    own: type[Any]
    carry_over: Callable[[Any], Any]
    dealt_in_seats: Callable[[Rules, Table], tuple[Seat, ...]]
    first_dealer: Seat | None = 0

    @property
    @abstractmethod
    def play_tables(self) -> PlayTables:
        """What every card that is played looks up."""

    @property
    @abstractmethod
    def phases_by_name(self) -> Mapping[str, Phase]:
        """Every phase of the game, those between two deals included."""

    # ------------------------------------------------------------------ seats and cards

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The side of every seat."""
        return self.seating.sides

    @cached_property
    def controllers(self) -> tuple[Seat, ...]:
        """The seat whose person moves the cards of each seat: its own, but for a dummy its partner's."""
        return self.seating.controllers

    @cached_property
    def cards(self) -> CardIndex:
        """The cards as this game sees them."""
        return CardIndex(self.pack, self.order)

    @cached_property
    def seats(self) -> int:
        """The number of places at the table, dummies included."""
        return len(self.sides)

    @cached_property
    def everybody_plays(self) -> bool:
        """Whether every seat takes part in each deal."""
        return self.dealt_in_seats is everybody

    @cached_property
    def moves_by_card(self) -> tuple[dict[Card, Move], ...]:
        """The move that plays each card, seat by seat; the move of a dummy's card names the seat."""
        return tuple(
            {
                card: Move("play_card", (card,), seat=None if person == seat else seat)
                for card in self.pack.faces.values()
            }
            for seat, person in enumerate(self.controllers)
        )

    @cached_property
    def draw_events(self) -> tuple[dict[Card, Event], ...]:
        """The event of each card that is drawn unseen by others, seat by seat."""
        return card_events("card_drawn", self.pack, tuple(map(self.seating.watchers, self.seating.everybody)))

    @cached_property
    def identity(self) -> object:
        """A key of this one game for caches: it is hashed at once, and the parts of a game are not."""
        return object()

    # ------------------------------------------------------------------ the table

    @cached_property
    def row_lengths(self) -> dict[str, int]:
        """The length of each row of numbers in `MatchState`, by field."""
        chips = self.seats if self.payments else 0
        return {"wins": len(set(self.sides)), "chips": chips, "totals": self.series.total_count(self)}

    @cached_property
    def all_trick_effects(self) -> tuple[TrickEffect, ...]:
        """Everything that is applied after a trick, in this order."""
        return (*((self.payments,) if self.payments else ()), *self.trick_effects)

    def card_points(self, p: Table, place: int) -> tuple[int, ...]:
        """Return what each seat has taken in this deal, by the count at index ``place`` of the order."""
        taken: list[list[Card]] = [[] for _ in range(self.seats)]
        for _, cards, winner in p.tricks:
            taken[winner] += cards
        count, trump = self.order.counts[place], p.trump
        return tuple([count.of(cards, trump) for cards in taken])

    # ------------------------------------------------------------------ the phases

    @cached_property
    def deal_phases(self) -> frozenset[str]:
        """The names of the phases in which a deal is being played."""
        return frozenset(phase.name for phase in self.phases)

    @cached_property
    def _following_phases(self) -> dict[str, Phase | None]:
        """The phase after each phase of a deal, None after the last."""
        following: tuple[Phase | None, ...] = (*self.phases[1:], None)
        return {phase.name: after for phase, after in zip(self.phases, following, strict=True)}

    def next_phase(self, t: Table, events: list[Event]) -> Table:
        """Enter the phase after that of ``t``; after the last one close the deal."""
        following = self._following_phases[t.phase]
        return self.series.close_deal(self, t, events) if following is None else following.enter(self, t, events)

    @cached_property
    def phase_checks(self) -> tuple[Check, ...]:
        """The checks of the phases, and of their actions, that can ever find a fault, in order."""
        checks: list[Check] = []
        for phase in self.phases:
            parts: tuple[Phase | Action, ...] = (phase,) if overrides(phase, "fault") else phase.actions
            checks += [part.fault for part in parts if overrides(part, "fault")]
        return tuple(checks)

    @cached_property
    def phase_checks_without_records(self) -> tuple[Check, ...]:
        """Those of them that can find a fault in a table on which no action has left anything."""
        return tuple(phase.fault for phase in self.phases if overrides(phase, "fault"))

    @cached_property
    def turn_up_phases(self) -> tuple[str, ...]:
        """The names of the phases in which a card is turned up for trumps."""
        return tuple(phase.name for phase in self.phases if phase.turns_up)

    @cached_property
    def names_trumps(self) -> bool:
        """Whether a seat names the trumps."""
        return any(phase.names_trumps for phase in self.phases)

    @cached_property
    def breaks_off_deals(self) -> bool:
        """Whether a move can end a deal before its last trick."""
        return any(action.breaks_off_deal for phase in self.phases for action in phase.actions)

    @cached_property
    def first_lead_phases(self) -> tuple[Phase, ...]:
        """The phases that may decide who leads to the first trick (`Phase.first_lead`)."""
        return tuple(phase for phase in self.phases if overrides(phase, "first_lead"))

    @cached_property
    def recorded_fields(self) -> frozenset[str]:
        """The fields of `Table` in which an action of this game is recorded."""
        phases = self.phases_by_name.values()
        return frozenset(action.recorded_in for phase in phases for action in phase.actions)


def is_deal_running(g: Rules, t: Table) -> bool:
    """Return whether a deal is being played."""
    return t.phase in g.deal_phases


def everybody(g: Rules, t: object) -> tuple[Seat, ...]:
    """Return every seat: all take part in the deal."""
    return g.seating.everybody


def overrides(part: object, method: str) -> bool:
    """Return whether the class of ``part`` has its own ``method`` in place of the one that all such parts have."""
    return sum(method in vars(kind) for kind in type(part).__mro__) > 1


class PlayTables(NamedTuple):
    """What playing a card looks up in a game, put together once.

    ``best`` is that of `Taking`. ``size`` is the number of cards of a full trick, 0 where it changes from deal to deal.
    ``draws_at_once`` says that nothing comes between a trick and the cards that everybody draws for it.
    """

    size: int
    play_events: tuple[dict[Card, Event], ...]
    orders: tuple[tuple[Seat, ...], ...]
    best: Callable[[Rules, Table, Hand], int]
    draws_at_once: bool
    draw_events: tuple[dict[Card, Event], ...]


Check: TypeAlias = Callable[[Rules, Table], Fault | None]
"""Returns why a phase or an action cannot have left a table so, given the game and the table."""


class Action(Legality[Rules, Table]):
    """One kind of move: its form, the moves of a seat, why they are refused, and what they change.

    ``reasons`` are those of its refusals, beyond phase and turn. ``recorded_in`` is a field of `Table` that keeps it.
    ``breaks_off_deal`` says that it can end a deal before the last trick.
    """

    spec: ClassVar[MoveSpec]
    reasons: ClassVar[tuple[Reason, ...]] = ()
    recorded_in: ClassVar[str] = ""
    breaks_off_deal: ClassVar[bool] = False

    def is_available(self, g: Rules, t: Table) -> bool:
        """Return whether it belongs to the present state of its phase; asked only of an action that defines it."""
        raise NotImplementedError(self.spec.verb)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return the moves that ``seat`` could physically make, legal or not."""
        return (plain_move(self.spec.verb),)

    def is_agreed(self, g: Rules) -> bool:
        """Return whether such a move can ever be legal with the options and the seats of the game."""
        return True

    def legal_moves(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return those of the `offers` that are not refused, if ``seat`` may make such a move now."""
        return [move for move in self.offers(g, t, seat) if not self.refusals(g, t, seat, move)]

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

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Return the table after ``move`` and append what happened to ``events``; does not check legality."""
        raise NotImplementedError(self.spec.verb)

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
        """Return the seat to move, `CHANCE` for a pack or a lot, None for nobody."""
        raise NotImplementedError(self.name)

    def first_lead(self, g: Rules, t: Table) -> Seat | None:
        """Return the seat that leads to the first trick, None where this phase does not decide it."""
        return None

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why this phase cannot be, or have been, as ``t`` records it; every seat in ``t`` exists."""
        return next(filter(None, [action.fault(g, t) for action in self.actions]), None)


class PackDeal(Action):
    """The action that takes a shuffled pack and deals it."""

    @property
    @abstractmethod
    def turns_up(self) -> bool:
        """Whether a card is turned up for trumps after the deal."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of cards in the largest hand."""

    @abstractmethod
    def deal_hands(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Return the table after the hands have been dealt from the top of the stock."""


class DealPhase(Phase, ABC):
    """The phase that waits for a pack; ``start`` deals it."""

    start: PackDeal

    @abstractmethod
    def dealers(self, g: Rules) -> tuple[Seat, ...]:
        """Return the seats that may deal."""

    @abstractmethod
    def next_dealer(self, g: Rules, dealer: Seat) -> Seat:
        """Return the dealer after ``dealer``."""


class TrickEffect:
    """Something that happens whenever a trick was taken, before anybody draws."""

    def apply(self, g: Rules, t: Table, trick: Trick, events: list[Event]) -> Table:
        """Return the table after it; ``trick`` is the last of ``t.tricks``."""
        return t

    def ends_deal(self, g: Rules, t: Table) -> bool:
        """Return whether the deal is over with the last trick, whatever is still in the hands."""
        return False


class Following(ABC):
    """A duty of the seats that follow to a trick, or of the seat that leads, with the reasons for its refusals.

    `allowed_cards` decides; a duty without reasons allows every card. As a duty of those who follow it needs a card in
    ``t.trick``.
    """

    reasons: tuple[Reason, ...]

    @abstractmethod
    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Return the cards of ``hand`` that may be played, in its order; further copies of a face may be left out."""

    @final
    def refusals(self, g: Rules, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Refuse ``card`` of ``hand`` unless it is allowed."""
        return () if card in self.allowed_cards(g, t, hand) else (self.refusal(g, t, hand, card),)

    def refusal(self, g: Rules, t: Table, hand: Hand, card: Card) -> Refusal:
        """Return the refusal of ``card`` of ``hand``, which is not allowed; by default it names the suit led."""
        allowed = self.allowed_cards(g, t, hand)
        return g.refuse(self.reasons[0], allowed_cards=allowed, offending_cards=(card,), word=g.cards.suit[t.trick[0]])


class Taking(ABC):
    """The rule that decides who takes a trick; ``has_trump_card`` says that the trump is a single card."""

    has_trump_card: ClassVar[bool] = False

    @abstractmethod
    def best(self, g: Rules, t: Table, cards: Hand) -> int:
        """Return the index of the card that takes ``cards``, which are in order of play and at least one."""


class DealScoring(ABC):
    """The score of a deal, and who wins it."""

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

    @abstractmethod
    def winner(self, g: Rules, t: Table, counted: CardCounts) -> int | None:
        """Return the side that wins the deal, None where nobody does."""


MAX_COUNT = 1_000_000  # the most deals or chips that a position may record; all sums of them still fit 32 bits


class MatchFormat(ABC):
    """How deals make a match: what is entered after a deal, when the match is finished, and who has won.

    ``end_phase`` is the name of the phase after the last deal.
    """

    end_phase: str

    @property
    def max_balance(self) -> int:
        """How much a seat can win or lose in a match at most."""
        return MAX_COUNT

    @property
    def is_endless(self) -> bool:
        """Whether the match goes on for as long as the players like."""
        return False

    def total_count(self, g: Rules) -> int:
        """Return the length of `MatchState.totals`: what is added up over the deals, by seat or by side."""
        return 0

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

    @abstractmethod
    def scores(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return the score of every seat."""

    @abstractmethod
    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        """Return the seats that have won a finished match; empty for a draw."""

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
