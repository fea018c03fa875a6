"""`Rules`: the rules of a trick-taking game at one table, put together from parts; they implement `core.game.Game`.

A pack is dealt, the phases follow each other, and after the last one the series closes the deal: it waits for the next
deal or ends the match. What is particular about a game stands in its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, cast

from chitarrella.core.cards import Card, Pack
from chitarrella.core.game import MoveValue
from chitarrella.core.model import (
    EVERYBODY,
    MATCH_OVER,
    NOT_YOUR_TURN,
    WRONG_PHASE,
    CardSpec,
    ChanceRequest,
    Event,
    Fact,
    Inference,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    SuitRanking,
    Viewer,
    Zone,
    ZoneSpec,
)
from chitarrella.core.notation import InvalidPosition, PositionCodec
from chitarrella.core.options import AgreedRules, InvalidOption
from chitarrella.tricks.card_values import Order
from chitarrella.tricks.dealing import DealerLot, Dealing, MatchOver, initial_table
from chitarrella.tricks.heuristic import move_values
from chitarrella.tricks.layout import CommonLayout
from chitarrella.tricks.parts import (
    Action,
    Check,
    DealScoring,
    Following,
    MatchFormat,
    Phase,
    Taking,
    TrickEffect,
    everybody,
    overrides,
)
from chitarrella.tricks.play import Draw, Play
from chitarrella.tricks.scoring import SidePayments
from chitarrella.tricks.seating import CardIndex, Seating, card_events, card_index
from chitarrella.tricks.single_trick import SingleTrick
from chitarrella.tricks.table import LOT_PHASE, NoRecord, Table, codec_for


def reset_record(own: Any) -> Any:
    """Return an empty record: nothing of the game's own record is kept for the next deal."""
    return type(own)()


def keep_record(own: Any) -> Any:
    """Return the game's own record as it is: it goes on into the next deal."""
    return own


@dataclass(frozen=True, kw_only=True)
class Rules(AgreedRules):
    """The rules of a trick-taking game, as a value: its parts, and what follows from them, looked up once.

    ``leading`` binds the seat that leads, ``following`` the others. ``payments`` are made after each trick, before
    ``trick_effects``, of which the last may be that everybody draws. ``between`` are phases between two deals.
    ``carry_over`` maps a record of type ``own`` to that of the next deal. ``dealt_in_seats`` returns the seats of a
    deal, in order. A ``first_dealer`` of None is drawn.
    """

    family: ClassVar[str] = "tricks"
    seating: Seating
    pack: Pack
    order: Order
    dealing: Dealing
    phases: tuple[Phase, ...] = (Play(),)
    between: tuple[Phase, ...] = ()
    series: MatchFormat
    following: Following = Following()
    leading: Following = Following()
    taking: Taking = Taking()
    deal_scoring: DealScoring = DealScoring()
    payments: SidePayments | None = None
    trick_effects: tuple[TrickEffect, ...] = (Draw(),)
    layout: CommonLayout = CommonLayout()
    own: type[Any] = NoRecord
    carry_over: Callable[[Any], Any] = reset_record
    dealt_in_seats: Callable[[Rules, Table], tuple[Seat, ...]] = everybody
    first_dealer: Seat | None = 0

    def __post_init__(self) -> None:
        """Raise `InvalidOption` for a first dealer who has no seat, or never deals."""
        dealers = self.dealing.dealers(self)
        if self.first_dealer is not None and self.first_dealer not in dealers:
            offers = ", ".join(map(str, dealers))
            text = f"seat {self.first_dealer} does not deal here; seats that do: {offers}"
            raise InvalidOption("options.first_dealer", text)

    # ------------------------------------------------------------------ seats and cards

    @cached_property
    def sides(self) -> tuple[int, ...]:
        return self.seating.sides

    @cached_property
    def controllers(self) -> tuple[Seat, ...]:
        """The seat whose person moves the cards of each seat: its own, but for a dummy its partner's."""
        return self.seating.controllers

    @cached_property
    def cards(self) -> CardIndex:
        """The cards as this game sees them."""
        return card_index(self.pack, self.order)

    @cached_property
    def seats(self) -> int:
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
    def play_events(self) -> tuple[dict[Card, Event], ...]:
        """The event of each card that is played, seat by seat."""
        return card_events("card_played", self.pack, (EVERYBODY,) * self.seats)

    @cached_property
    def draw_events(self) -> tuple[dict[Card, Event], ...]:
        """The event of each card that is drawn unseen by others, seat by seat."""
        return card_events("card_drawn", self.pack, tuple(map(self.seating.watchers, self.seating.everybody)))

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

    @cached_property
    def draws(self) -> bool:
        """Whether every seat draws after a trick."""
        return Draw() in self.trick_effects

    @cached_property
    def draws_at_once(self) -> bool:
        """Whether nothing comes between a trick and the cards that everybody draws for it."""
        return self.everybody_plays and self.all_trick_effects == (Draw(),)

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
        parts: list[Phase | Action] = []
        for phase in self.phases_by_name.values():
            parts += (phase, *phase.actions)
        return tuple(part.fault for part in parts if overrides(part, "fault"))

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
    def recorded_fields(self) -> frozenset[str]:
        """The fields of `Table` in which an action of this game is recorded."""
        phases = self.phases_by_name.values()
        return frozenset(action.recorded_in for phase in phases for action in phase.actions)

    # ------------------------------------------------------------------ computed once

    @cached_property
    def phases_by_name(self) -> dict[str, Phase]:
        """Every phase of the game, those between two deals included."""
        before: tuple[Phase, ...] = (self.dealing,) if self.first_dealer is not None else (DealerLot(), self.dealing)
        end = () if self.series.is_endless else (MatchOver(self.series.end_phase),)
        return {phase.name: phase for phase in (*before, *self.phases, *self.between, *end)}

    @property
    def phase_names(self) -> tuple[str, ...]:
        return tuple(self.phases_by_name)

    @property
    def lower_score_wins(self) -> bool:
        return self.series.lower_score_wins

    @property
    def avoids_points(self) -> bool:
        return self.deal_scoring.avoided or self.series.lower_score_wins

    @cached_property
    def trick_rules(self) -> SingleTrick:
        return SingleTrick(self)

    @property
    def zone_specs(self) -> tuple[ZoneSpec, ...]:
        return self.layout.zone_specs(self)

    @cached_property
    def _codec(self) -> PositionCodec[Table]:
        return codec_for(self.pack, cast(Hashable, self.own))

    @cached_property
    def _actions(self) -> dict[str, Action]:
        return {action.spec.verb: action for phase in self.phases_by_name.values() for action in phase.actions}

    @cached_property
    def _agreed_actions(self) -> dict[str, tuple[Phase, tuple[Action, ...], tuple[Action, ...]]]:
        """Each phase by its name, with its actions that can be legal in turn, and those that can be out of turn."""
        found = {}
        for name, phase in self.phases_by_name.items():
            actions = tuple(action for action in phase.actions if action.is_agreed(self))
            found[name] = phase, actions, tuple(action for action in actions if action.spec.out_of_turn)
        return found

    @cached_property
    def _actions_in_phase(self) -> dict[str, dict[str, Literal[True] | Callable[[Rules, Table], bool]]]:
        """By phase and verb: True, or what says if the move belongs to the state of the phase."""
        return {
            name: {
                action.spec.verb: action.is_available if overrides(action, "is_available") else True
                for action in phase.actions
            }
            for name, phase in self.phases_by_name.items()
        }

    @cached_property
    def move_specs(self) -> dict[str, MoveSpec]:
        phase_names: dict[str, set[str]] = {}
        for phase in self.phases_by_name.values():
            for action in phase.actions:
                phase_names.setdefault(action.spec.verb, set()).add(phase.name)
        return {
            verb: spec._replace(phases=frozenset(names))
            for verb, names in phase_names.items()
            for spec in (self._actions[verb].spec,)
        }

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        own = [reason for action in self._actions.values() for reason in action.reasons]
        ended = () if self.series.is_endless else (MATCH_OVER,)
        every = {*ended, WRONG_PHASE, NOT_YOUR_TURN, *own, *self.leading.reasons, *self.following.reasons}
        return tuple(sorted(every))

    # ------------------------------------------------------------------ chitarrella.core.game.Game

    @property
    def ranking(self) -> tuple[SuitRanking, ...]:
        return self.cards.ranking

    @property
    def card_specs(self) -> tuple[CardSpec, ...]:
        return self.cards.specs

    def controller(self, seat: Seat) -> Seat:
        return self.controllers[seat]

    def partner(self, seat: Seat) -> Seat | None:
        return self.seating.partner(seat)

    def start(self) -> Table:
        return self._start

    @cached_property
    def _start(self) -> Table:
        return initial_table(self)

    def is_in_phase(self, p: Table, verb: str) -> bool:
        known = self._actions_in_phase[p.phase].get(verb)
        return known is True or (known is not None and known(self, p))

    def is_finished(self, p: Table) -> bool:
        return p.phase == self.series.end_phase

    def turn(self, p: Table) -> Seat | None:
        return self.phases_by_name[p.phase].turn(self, p)

    def turns(self, p: Table) -> tuple[Seat, ...]:
        return self.phases_by_name[p.phase].turns(self, p)

    def chance_request(self, p: Table) -> ChanceRequest:
        if p.phase == LOT_PHASE:
            return ChanceRequest("draw_dealer", amounts=self.dealing.dealers(self))
        return ChanceRequest("start_deal", cards=self.pack.cards)

    def candidates(self, p: Table, actor: Seat) -> Iterable[Move]:
        phase = self.phases_by_name[p.phase]
        turns = phase.turns(self, p)
        return [
            move
            for seat in self.seating.hands_of.get(actor, ())
            for action in phase.actions
            if seat in turns or action.spec.out_of_turn
            for move in action.offers(self, p, seat)
        ]

    def legal_moves(self, p: Table, actor: Seat) -> Iterable[Move]:
        phase, in_turn, out_of_turn = self._agreed_actions[p.phase]
        turns = phase.turns(self, p)
        if len(in_turn) == 1 == len(turns) and not out_of_turn:  # the usual phase
            return in_turn[0].legal_moves(self, p, turns[0]) if self.controllers[turns[0]] == actor else ()
        moves: list[Move] = []
        for seat in self.seating.hands_of.get(actor, ()):
            for action in in_turn if seat in turns else out_of_turn:
                moves += action.legal_moves(self, p, seat)
        return moves

    def potential_moves(self, p: Table, actor: Seat) -> Iterable[Move]:
        actions = self.phases_by_name[p.phase].actions if p.hands else ()
        return [
            move for seat in self.seating.hands_of[actor] for action in actions for move in action.offers(self, p, seat)
        ]

    def conditions(self, p: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        return self._actions[move.verb].conditions(self, p, seat, move)

    def refusals(self, p: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        action = self._actions[move.verb]
        return action.conditions(self, p, seat, move) + action.duties(self, p, seat, move)

    def apply(self, p: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        return self._actions[move.verb].apply(self, p, seat, move, events)

    def zones(self, p: Table) -> Iterable[Zone]:
        return self.layout.zones(self, p)

    def facts(self, p: Table) -> Iterable[Fact]:
        return self.layout.facts(self, p)

    def inferences(self, p: Table, viewer: Viewer) -> Iterable[Inference]:
        return self.layout.inferences(self, p, viewer)

    def redeal(self, p: Table, viewer: Viewer, zones: Sequence[Zone]) -> Table:
        return self.layout.forget_private(self, self.layout.redeal(self, p, zones), viewer)

    def move_values(self, p: Table, seat: Seat, moves: Sequence[Move]) -> Sequence[MoveValue]:
        return move_values(self, p, seat, moves)

    def points(self, p: Table) -> tuple[int, ...]:
        return self.deal_scoring.points(self, p)

    def scores(self, p: Table) -> tuple[int, ...]:
        return self.series.scores(self, p)

    def outcome(self, p: Table) -> frozenset[Seat] | None:
        return self.series.winners(self, p) if self.is_finished(p) else None

    def encode(self, p: Table) -> str:
        return self._codec.encode(p)

    def decode(self, text: str) -> Table:
        table = self._codec.decode(text)
        if fault := self.layout.fault(self, table):
            raise InvalidPosition(*fault)
        return table
