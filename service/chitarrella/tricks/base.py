"""The interfaces of a trick-taking game: `Rules`, which every part may ask, and the kinds of parts themselves.

A part gets the game as its argument ``g: Rules``, which `TrickGame` implements; no part depends on `TrickGame`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeAlias, final

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import (
    MATCH_OVER,
    NOT_IN_HAND,
    NOT_YOUR_TURN,
    WRONG_PHASE,
    Event,
    Fact,
    Legality,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    RuleBook,
    Seat,
    plain_move,
)
from chitarrella.tricks.seating import CardTables, PhaseIndex, PlayTables, everybody
from chitarrella.tricks.table import Table, Trick

# The members of a trick-taking game that concern its table alone, whatever parts the game is made of


@dataclass(frozen=True, kw_only=True)
class TableRules(RuleBook, CardTables, ABC):
    """What a game answers about a table: how far its match has come, and what its cards are worth."""

    @property
    @abstractmethod
    def deal_phases(self) -> frozenset[str]:
        """The names of the phases in which a deal is being played."""

    @property
    @abstractmethod
    def recorded_fields(self) -> frozenset[str]:
        """The fields of `Table` in which an action of this game is recorded."""

    @property
    @abstractmethod
    def row_lengths(self) -> Mapping[str, int]:
        """The length of each row of numbers in `MatchState`, by field."""

    @abstractmethod
    def turn(self, p: Table) -> Seat | None:
        """Return the seat to move, `CHANCE` for a pack or a lot, None when the match is finished."""

    @abstractmethod
    def is_finished(self, p: Table) -> bool:
        """Return whether the match is finished."""

    @abstractmethod
    def next_phase(self, t: Table, events: list[Event]) -> Table:
        """Enter the phase after that of ``t``; after the last one close the deal."""

    @abstractmethod
    def duty_refusals(self, p: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Return the refusals of ``card`` of ``hand`` by ``leading`` or ``following``, whichever applies."""

    @abstractmethod
    def card_points(self, p: Table, place: int) -> tuple[int, ...]:
        """Return what each seat has taken in this deal, by the count at index ``place`` of the order."""


Fault: TypeAlias = tuple[str, str]
"""The field of a position that is impossible, and the reason."""
CardCounts: TypeAlias = tuple[tuple[int, ...], ...]
"""What each side has taken in a deal: one row per side, one number per count of the order."""


@dataclass(frozen=True, kw_only=True)
class Rules(TableRules, PhaseIndex, ABC):
    """The members of a game that its parts use.

    ``leading`` binds the seat that leads, ``following`` the others. ``drawing`` is called after a trick while there is
    a stock. ``carry_over`` maps a record of type ``own`` to that of the next deal. ``dealt_in_seats`` returns the seats
    of a deal, in order; ``total_count`` is the length of `MatchState.totals`. A ``first_dealer`` of None is drawn.
    """

    dealing: DealPhase
    phases: tuple[Phase, ...]
    series: Match
    following: Following
    leading: Following
    drawing: Callable[[Rules, Table, list[Event]], Table]
    taking: Taking
    deal_scoring: DealScoring
    trick_effects: tuple[TrickEffect, ...] = ()
    own: type[Any]
    carry_over: Callable[[Any], Any]
    dealt_in_seats: Callable[[Rules, Table], tuple[Seat, ...]]
    total_count: int = 0
    first_dealer: Seat | None = 0

    @cached_property
    def everybody_plays(self) -> bool:
        """Whether every seat takes part in each deal."""
        return self.dealt_in_seats is everybody

    @property
    @abstractmethod
    def play_tables(self) -> PlayTables:
        """What every card that is played looks up."""

    @property
    @abstractmethod
    def all_trick_effects(self) -> tuple[TrickEffect, ...]:
        """Everything that is applied after a trick, in this order."""

    @property
    @abstractmethod
    def phases_by_name(self) -> Mapping[str, Phase]:
        """Every phase of the game, those between two deals included."""


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
        """Return whether it belongs to the present state of its phase; most phases have one state."""
        return True

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

    `allowed_cards` decides. As a duty of those who follow it needs a card in ``t.trick``.
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
        return g.refuse(self.reasons[0], allowed_cards=allowed, offending_cards=(card,), word=g.suit[t.trick[0]])


class Taking(ABC):
    """The rule that decides who takes a trick; ``has_trump_card`` says that the trump is a single card."""

    has_trump_card: ClassVar[bool] = False

    @abstractmethod
    def best(self, g: Rules, t: Table, cards: Hand) -> int:
        """Return the index of the card that takes ``cards``, which are in order of play and at least one."""


class DealScoring(ABC):
    """The score of a deal, and who wins it."""

    avoided: ClassVar[bool] = False
    """Whether points are bad for the seat that takes them."""

    @abstractmethod
    def points(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return what each seat has taken in this deal, by the first count."""

    @abstractmethod
    def by_side(self, g: Rules, t: Table, sides: tuple[int, ...] = ()) -> CardCounts:
        """Return what each side has taken; ``sides`` are those of this deal where it has its own."""

    @abstractmethod
    def winner(self, g: Rules, t: Table, counted: CardCounts) -> int | None:
        """Return the side that wins the deal, None where nobody does."""


class Match(ABC):
    """How deals make a match: what is entered after a deal, when the match is finished, and who has won."""

    end_phase: str
    """The name of the phase after the last deal."""

    @property
    @abstractmethod
    def max_balance(self) -> int:
        """How much a seat can win or lose in a match at most."""

    @property
    @abstractmethod
    def is_endless(self) -> bool:
        """Whether the match goes on for as long as the players like."""

    @abstractmethod
    def initial_record(self, g: Rules) -> Any:
        """Return the game's own record before the first deal."""

    @abstractmethod
    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Enter the deal that was just played; wait for the next one or end the match."""

    @abstractmethod
    def void_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Throw in a deal that nobody wants to play, and wait for the next."""

    @abstractmethod
    def scores(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return the score of every seat."""

    @abstractmethod
    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        """Return the seats that have won a finished match; empty for a draw."""

    @abstractmethod
    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        """Return what is known of the match beside the score."""

    @abstractmethod
    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why no match can stand as ``t`` records it; every seat and row of ``t`` exists."""


# The actions of a game, looked up once


@dataclass(frozen=True, kw_only=True)
class ActionIndex(Rules):
    """The part of a game that finds its actions."""

    @property
    @abstractmethod
    def names_seats(self) -> bool:
        """Whether a move may name the seat whose card is played: with some number of players there are dummies."""

    @cached_property
    def _actions(self) -> dict[str, Action]:
        return {action.spec.verb: action for phase in self.phases_by_name.values() for action in phase.actions}

    @cached_property
    def recorded_fields(self) -> frozenset[str]:
        """The fields of `Table` in which an action of this game is recorded."""
        return frozenset(action.recorded_in for action in self._actions.values())

    @cached_property
    def _out_of_turn_actions(self) -> dict[str, tuple[Action, ...]]:
        return {
            name: tuple(action for action in phase.actions if action.spec.out_of_turn)
            for name, phase in self.phases_by_name.items()
        }

    @cached_property
    def _following_phases(self) -> dict[str, Phase | None]:
        """The phase after each phase of a deal, None after the last."""
        following: tuple[Phase | None, ...] = (*self.phases[1:], None)
        return {phase.name: after for phase, after in zip(self.phases, following, strict=True)}

    @cached_property
    def _agreed_actions(self) -> dict[str, tuple[Phase, tuple[Action, ...], tuple[Action, ...]]]:
        """Each phase by its name, with its actions that can be legal in turn, and those that can be out of turn."""
        agreed = {
            name: tuple(action for action in phase.actions if action.is_agreed(self))
            for name, phase in self.phases_by_name.items()
        }
        return {
            name: (self.phases_by_name[name], actions, tuple(action for action in actions if action.spec.out_of_turn))
            for name, actions in agreed.items()
        }

    @cached_property
    def _actions_in_phase(self) -> dict[str, dict[str, Action]]:
        """The actions of each phase by their verb."""
        return {
            name: {action.spec.verb: self._actions[action.spec.verb] for action in phase.actions}
            for name, phase in self.phases_by_name.items()
        }

    @cached_property
    def move_specs(self) -> dict[str, MoveSpec]:
        """Every kind of move of this game by its verb, with the phases that it belongs to."""
        phase_names: dict[str, set[str]] = {}
        for phase in self.phases_by_name.values():
            for action in phase.actions:
                phase_names.setdefault(action.spec.verb, set()).add(phase.name)
        return {
            verb: spec._replace(phases=frozenset(names), seat=spec.seat and self.names_seats)
            for verb, names in phase_names.items()
            for spec in (self._actions[verb].spec,)
        }

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Every reason for which a move of this game may be refused, ordered by code."""
        own = [reason for action in self._actions.values() for reason in action.reasons]
        ended = () if self.series.is_endless else (MATCH_OVER,)
        every = {*ended, WRONG_PHASE, NOT_YOUR_TURN, *own, *self.leading.reasons, *self.following.reasons}
        return tuple(sorted(every))


def is_deal_running(g: Rules, t: Table) -> bool:
    """Return whether a deal is being played."""
    return t.phase in g.deal_phases
