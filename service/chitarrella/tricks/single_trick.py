"""The rules of a single trick, asked without a position.

An unknown part of the table is tried with every value that it can have. Where the answers differ, the answer depends on
that part, and says so. The answers come from the same actions and parts that play whole deals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple, TypeAlias, TypeVar

from chitarrella.core.cards import Card, Hand
from chitarrella.core.game import NO_TRUMP_CARD, Answer, TrickState, Validation
from chitarrella.core.model import Move, Refusal, Seat
from chitarrella.tricks.dealing import initial_table
from chitarrella.tricks.layout import turns_up
from chitarrella.tricks.parts import Action, Phase, Rules
from chitarrella.tricks.table import MatchState, Table, Trick

T = TypeVar("T")
Values = tuple[Any, ...]  # values of unknown parts: one for each part, or all that one part can have
Examination: TypeAlias = Callable[[Rules, Table, Seat, Move], tuple[Refusal, ...]]
"""What is asked of a move: all its refusals, or its conditions alone."""


class _Case(NamedTuple):
    """One way in which the unknown parts may stand: their values, and the table."""

    values: Values
    table: Table


@dataclass(frozen=True)
class SingleTrick:
    """`chitarrella.core.game.TrickRules` of one game."""

    game: Rules

    @cached_property
    def has_trumps(self) -> bool:
        return turns_up(self.game) or self.game.names_trumps

    @property
    def suits(self) -> frozenset[str]:
        return self.game.cards.suits

    @property
    def has_trump_card(self) -> bool:
        return self.game.taking.has_trump_card

    @property
    def everybody_plays(self) -> bool:
        """Whether every seat takes part in each deal."""
        return self.game.everybody_plays

    @property
    def largest_hand(self) -> int:
        """The number of cards that a seat holds at most while cards are played to tricks."""
        return self.game.dealing.start.size

    @cached_property
    def largest_stock(self) -> int:
        """The number of cards that are left at most when the hands have been dealt: the deal itself says so."""
        game = self.game
        table = initial_table(game)._replace(hands=((),) * game.seats, stock=game.pack.cards)
        return len(game.dealing.start.deal_hands(game, table, []).stock)

    @property
    def suit_of(self) -> Mapping[Card, str]:
        return self.game.cards.suit

    @cached_property
    def _declarations(self) -> tuple[str, ...]:
        """The suits that the leader of the trump card may declare; none where nothing is declared."""
        specs = [action.spec for action in self._actions(()) if "declared" in self.game.own._fields]
        return tuple(choice for spec in specs for choice in spec.choices if choice)

    def _phase(self, trick: Hand) -> Phase:
        return next(phase for phase in self.game.phases if phase.card_actions(trick))

    def _actions(self, trick: Hand) -> tuple[Action, ...]:
        return self._phase(trick).card_actions(trick)

    def _action(self, trick: Hand, move: Move) -> Action:
        return next(action for action in self._actions(trick) if action.spec.verb == move.verb)

    def verbs(self, trick: Hand) -> tuple[str, ...]:
        return tuple(action.spec.verb for action in self._actions(trick))

    def plays(self, hand: Hand, state: TrickState, seat: Seat) -> Mapping[Move, Validation]:
        """Return the plays that a hand can make, each with its validation."""
        cases, actions = self._cases(state, hand, seat), self._actions(state.cards)
        moves = {
            move: action for case in cases for action in actions for move in action.offers(self.game, case.table, seat)
        }
        return {move: self._examined(state, cases, action.refusals, seat, move) for move, action in moves.items()}

    def validation(self, hand: Hand, state: TrickState, seat: Seat, move: Move) -> Validation:
        """Return the clauses that ``move`` breaks if ``seat`` is to play."""
        action = self._action(state.cards, move)
        return self._examined(state, self._cases(state, hand, seat), action.refusals, seat, move)

    def conditions(self, hand: Hand, state: TrickState, seat: Seat, move: Move) -> Validation:
        action = self._action(state.cards, move)
        return self._examined(state, self._cases(state, hand, seat), action.conditions, seat, move)

    def winning_index(self, state: TrickState) -> Answer[int]:
        best = self.game.taking.best
        return self._answer(state, {c.values: best(self.game, c.table, state.cards) for c in self._cases(state)})

    def count(self, cards: Hand, trump: str) -> tuple[tuple[str, int], ...]:
        """Return the sum over ``cards`` in each count of the game, by its name."""
        return self.game.cards.count(cards, trump)

    # ------------------------------------------------------------------ unknown parts

    def _unknown(self, state: TrickState) -> dict[str, Values]:
        """Return the unknown fields that this game uses, each with the values that it can have."""
        domains: dict[str, Values] = {}
        if state.trump is None and self.has_trumps:
            domains["trump"] = ("", *sorted(self.suits))
        if state.trump_card is None and self.has_trump_card:
            domains["trump_card"] = (NO_TRUMP_CARD, *self.game.pack.faces.values())
        if state.declared_suit is None and state.cards and self._declarations:
            domains["declared_suit"] = self._declarations
        if state.stock_size is None:
            domains["stock_size"] = (0, len(self.game.pack.cards))
        if state.tricks is None and (self.game.leading.reads_tricks or self.game.following.reads_tricks):
            domains["tricks"] = ((), ((),), (tuple(self.game.pack.faces.values()),))  # none, nothing told, every card
        return domains

    def _cases(self, state: TrickState, hand: Hand = (), seat: Seat = 0) -> list[_Case]:
        domains = self._unknown(state)
        return [
            _Case(values, self._table(state._replace(**dict(zip(domains, values, strict=True))), hand, seat))
            for values in product(*domains.values())
        ]

    def _table(self, state: TrickState, hand: Hand, seat: Seat) -> Table:
        game = self.game
        own = game.own()
        if self._declarations:
            own = own._replace(declared=state.declared_suit or "")
        return Table(
            self._phase(state.cards).name,
            MatchState(),
            hands=tuple(hand if one == seat else () for one in range(game.seats)),
            stock=game.pack.cards[: state.stock_size],
            turn_up=None if state.trump_card is NO_TRUMP_CARD else state.trump_card,
            trump=state.trump or "",
            trick=state.cards,
            tricks=tuple(Trick(0, cards, 0) for cards in state.tricks or ()),
            own=own,
        )

    def _examined(
        self, state: TrickState, cases: list[_Case], against: Examination, seat: Seat, move: Move
    ) -> Validation:
        return self._answer(state, {case.values: against(self.game, case.table, seat, move) for case in cases})

    def _answer(self, state: TrickState, found: Mapping[Values, T]) -> Answer[T]:
        """Return each value that was found, and the unknown fields whose value alone can change it."""
        values = tuple(dict.fromkeys(found.values()))
        if len(values) == 1:
            return Answer(values)
        return Answer(values, tuple(name for place, name in enumerate(self._unknown(state)) if _changes(found, place)))


def _changes(answers: Mapping[Values, object], place: int) -> bool:
    """Whether two answers differ whose values differ at ``place`` alone."""
    seen: dict[Values, object] = {}
    return any(
        seen.setdefault((*values[:place], *values[place + 1 :]), answer) != answer for values, answer in answers.items()
    )
