"""`TrickGame`: a trick-taking game put together from parts; it implements `chitarrella.core.game.Game`.

A pack is dealt, the phases follow each other, and after the last one the series closes the deal: it waits for the next
deal or ends the match. What is particular about a game stands in its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from chitarrella.core.cards import Card, Hand
from chitarrella.core.game import MoveValue
from chitarrella.core.model import (
    ChanceRequest,
    Event,
    Fact,
    Inference,
    Move,
    Refusal,
    Seat,
    Viewer,
    Zone,
    ZoneSpec,
)
from chitarrella.core.notation import InvalidPosition, PositionCodec
from chitarrella.core.options import GameOptions
from chitarrella.tricks.base import ActionIndex, DealScoring, Following, Phase, Rules, Taking, TrickEffect
from chitarrella.tricks.dealing import DealerLot, Dealing, MatchOver, initial_table
from chitarrella.tricks.following import Free, Highest
from chitarrella.tricks.heuristic import move_values
from chitarrella.tricks.layout import CommonLayout, turns_up
from chitarrella.tricks.play import draw_cards
from chitarrella.tricks.scoring import MostCounted, SidePayments
from chitarrella.tricks.seating import PlayTables, everybody
from chitarrella.tricks.single_trick import SingleTrick
from chitarrella.tricks.table import LOT_PHASE, NoRecord, Table, codec_for


def reset_record(own: Any) -> Any:
    """Return an empty record: nothing of the game's own record is kept for the next deal."""
    return type(own)()


@dataclass(frozen=True, kw_only=True)
class TrickGame(ActionIndex, GameOptions):
    """A trick-taking game, as a value: `Rules` with the usual parts as defaults.

    ``between`` are phases that lie between two deals. ``payments`` are made after each trick, before ``trick_effects``.
    ``spare`` are the cards that three players leave out of the pack.
    """

    dealing: Dealing
    between: tuple[Phase, ...] = ()
    following: Following = Free()
    leading: Following = Free()
    drawing: Callable[[Rules, Table, list[Event]], Table] = draw_cards
    taking: Taking = Highest()
    deal_scoring: DealScoring = MostCounted()
    payments: SidePayments | None = None
    layout: CommonLayout = CommonLayout()
    own: type[Any] = NoRecord
    carry_over: Callable[[Any], Any] = reset_record
    dealt_in_seats: Callable[[Rules, Table], tuple[Seat, ...]] = everybody
    spare: Hand = ()

    # ------------------------------------------------------------------ computed once

    @cached_property
    def play_tables(self) -> PlayTables:
        """What every card that is played looks up."""
        return PlayTables(
            size=self.seats if self.everybody_plays else 0,
            play_events=self.play_events,
            orders=self.rotations,
            best=self.taking.best,
            draws_at_once=self.everybody_plays and self.drawing is draw_cards and not self.all_trick_effects,
            draw_events=self.draw_events,
        )

    @cached_property
    def all_trick_effects(self) -> tuple[TrickEffect, ...]:
        """Everything that is applied after a trick, in this order."""
        return (*((self.payments,) if self.payments else ()), *self.trick_effects)

    @cached_property
    def row_lengths(self) -> dict[str, int]:
        """The length of each row of numbers in `MatchState`, by field."""
        chips = self.seats if self.payments else 0
        return {"wins": len(set(self.sides)), "chips": chips, "totals": self.total_count}

    @cached_property
    def deal_phases(self) -> frozenset[str]:
        """The names of the phases in which a deal is being played."""
        return frozenset(phase.name for phase in self.phases)

    @cached_property
    def phases_by_name(self) -> dict[str, Phase]:
        """Every phase of the game, those between two deals included."""
        before: tuple[Phase, ...] = (self.dealing,) if self.first_dealer is not None else (DealerLot(), self.dealing)
        end = () if self.series.is_endless else (MatchOver(self.series.end_phase),)
        return {phase.name: phase for phase in (*before, *self.phases, *self.between, *end)}

    @property
    def phase_names(self) -> tuple[str, ...]:
        """The names of all phases."""
        return tuple(self.phases_by_name)

    @cached_property
    def names_seats(self) -> bool:
        """Whether a move may name the seat whose card is played: with some number of players there are dummies."""
        return any(seated(self).has_dummies for seated in self.seatings.values())

    @property
    def avoids_points(self) -> bool:
        """Whether points are to be avoided."""
        return self.deal_scoring.avoided

    @cached_property
    def trick_rules(self) -> SingleTrick:
        """The rules of a single trick."""
        return SingleTrick(self, turns_up(self) or self.names_trumps)

    @property
    def zone_specs(self) -> tuple[ZoneSpec, ...]:
        """The kinds of zones of this game."""
        return self.layout.zone_specs(self)

    @cached_property
    def _codec(self) -> PositionCodec[Table]:
        return codec_for(self.pack, cast(Hashable, self.own))

    # ------------------------------------------------------------------ chitarrella.core.game.Game

    def start(self) -> Table:
        """Return the position before the first card."""
        return self._start

    @cached_property
    def _start(self) -> Table:
        return initial_table(self)

    def phase(self, p: Table) -> str:
        """Return the name of the phase."""
        return p.phase

    def is_in_phase(self, p: Table, verb: str) -> bool:
        """Return whether moves with this verb belong to the phase, and to the state that the phase is in."""
        action = self._actions_in_phase[p.phase].get(verb)
        return action is not None and action.is_available(self, p)

    def is_finished(self, p: Table) -> bool:
        """Return whether the match is finished."""
        return p.phase == self.series.end_phase

    def turn(self, p: Table) -> Seat | None:
        """Return the seat to move, `CHANCE` for a pack or a lot, None when the match is finished."""
        return self.phases_by_name[p.phase].turn(self, p)

    def chance_request(self, p: Table) -> ChanceRequest:
        """Return the request for a pack, or for the lot that decides the first dealer."""
        if p.phase == LOT_PHASE:
            return ChanceRequest("draw_dealer", amounts=self.dealing.dealers(self))
        return ChanceRequest("start_deal", cards=self.pack.cards)

    def candidates(self, p: Table, actor: Seat) -> Iterable[Move]:
        """Return the moves that ``actor`` could physically make now, those of its dummy included; never a pack."""
        phase = self.phases_by_name[p.phase]
        turn = phase.turn(self, p)
        moves: list[Move] = []
        for seat in self.hands_of.get(actor, ()):
            for action in phase.actions if seat == turn else self._out_of_turn_actions[p.phase]:
                moves += action.offers(self, p, seat)
        return moves

    def legal_moves(self, p: Table, actor: Seat) -> Iterable[Move]:
        """Return the moves that ``actor`` may make now, those of its dummy included; never a pack."""
        phase, in_turn, out_of_turn = self._agreed_actions[p.phase]
        turn = phase.turn(self, p)
        if len(in_turn) == 1 and not out_of_turn and turn is not None:  # the usual phase
            return in_turn[0].legal_moves(self, p, turn) if self.controllers[turn] == actor else ()
        moves: list[Move] = []
        for seat in self.hands_of.get(actor, ()):
            for action in in_turn if seat == turn else out_of_turn:
                moves += action.legal_moves(self, p, seat)
        return moves

    def potential_moves(self, p: Table, actor: Seat) -> Iterable[Move]:
        """Return the moves that ``actor`` could physically make if it were its turn."""
        actions = self.phases_by_name[p.phase].actions if p.hands else ()
        return [move for seat in self.hands_of[actor] for action in actions for move in action.offers(self, p, seat)]

    def conditions(self, p: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Return the clauses that ``move`` breaks whosever turn it is."""
        return self._actions[move.verb].conditions(self, p, seat, move)

    def duty_refusals(self, p: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Return the refusals of ``card`` of ``hand`` by ``leading`` or ``following``, whichever applies."""
        return (self.following if p.trick else self.leading).refusals(self, p, hand, card)

    def refusals(self, p: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Return every clause that ``move`` would break if ``seat`` is to move."""
        return self._actions[move.verb].refusals(self, p, seat, move)

    def apply(self, p: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Return the position after ``move`` and append what happened to ``events``; does not check legality."""
        return self._actions[move.verb].apply(self, p, seat, move, events)

    def next_phase(self, t: Table, events: list[Event]) -> Table:
        """Enter the phase after that of ``t``; after the last one close the deal."""
        following = self._following_phases[t.phase]
        return self.series.close_deal(self, t, events) if following is None else following.enter(self, t, events)

    def zones(self, p: Table) -> Iterable[Zone]:
        """Return the zones of the table; before the first deal all cards lie in the pack."""
        return self.layout.zones(self, p)

    def facts(self, p: Table) -> Iterable[Fact]:
        """Return what is true of the table beside its cards."""
        return self.layout.facts(self, p)

    def inferences(self, p: Table, viewer: Viewer) -> Iterable[Inference]:
        """Return what ``viewer`` can conclude about cards that it does not see."""
        return self.layout.inferences(self, p, viewer)

    def redeal(self, p: Table, viewer: Viewer, zones: Sequence[Zone]) -> Table:
        """Return ``p`` with other hidden cards, those of ``zones``, and without the private facts of others."""
        return self.layout.forget_private(self, self.layout.redeal(self, p, zones), viewer)

    def move_values(self, p: Table, seat: Seat, moves: Sequence[Move]) -> Sequence[MoveValue]:
        """Return the heuristic value of each of ``moves``."""
        return move_values(self, p, seat, moves)

    def points(self, p: Table) -> tuple[int, ...]:
        """Return what each seat has taken in this deal, by the first count."""
        return self.deal_scoring.points(self, p)

    def card_points(self, p: Table, place: int) -> tuple[int, ...]:
        """Return what each seat has taken in this deal, by the count at index ``place`` of the order."""
        taken: list[list[Card]] = [[] for _ in range(self.seats)]
        for _, cards, winner in p.tricks:
            taken[winner] += cards
        count, trump = self.order.counts[place], p.trump
        return tuple([count.of(cards, trump) for cards in taken])

    def scores(self, p: Table) -> tuple[int, ...]:
        """Return the score of the match, seat by seat."""
        return self.series.scores(self, p)

    def outcome(self, p: Table) -> frozenset[Seat] | None:
        """Return the winners of the match, None while it lasts."""
        return self.series.winners(self, p) if self.is_finished(p) else None

    def encode(self, p: Table) -> str:
        """Return the position as one line of text."""
        return self._codec.encode(p)

    def decode(self, text: str) -> Table:
        """Parse a line; raises `InvalidPosition` for a malformed line and for an impossible position."""
        table = self._codec.decode(text)
        if fault := self.layout.fault(self, table):
            raise InvalidPosition(*fault)
        return table
