"""`Rules`: the rules of an exchange game at one table, put together from parts; they implement `core.game.Game`.

A part decides what is particular to a game. This class holds the order of a deal: seats are drawn, the pack is
supplied, each seat decides in turn, the cards are compared, seats without tokens are settled, and the next pack is
requested.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from chitarrella.core.cards import Hand, Pack, minus, places
from chitarrella.core.game import MoveValue
from chitarrella.core.model import (
    CHANCE,
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
    public_event,
)
from chitarrella.core.model import MATCH_OVER as NO_MORE_MOVES
from chitarrella.core.notation import InvalidPosition, PositionCodec
from chitarrella.core.options import AgreedRules, InvalidOption
from chitarrella.exchange.checks import find_fault
from chitarrella.exchange.ending import GAME_OVER, MATCH_OVER, finish
from chitarrella.exchange.heuristic import move_values
from chitarrella.exchange.layout import facts, redealt, zone_specs, zones
from chitarrella.exchange.parts import FOOL, Action, Comparison, Effect, Penalty, PoolSplit
from chitarrella.exchange.reentry import settle_losers
from chitarrella.exchange.reentry_terms import ReentryTerms
from chitarrella.exchange.round import MatchState, Round, codec_for, in_game, live_seats
from chitarrella.exchange.showdown import compare_cards
from chitarrella.exchange.turns import AWAIT_SEATS, NEW_DEAL, DrawSeats, StartDeal


@dataclass(frozen=True, kw_only=True)
class Rules(AgreedRules):
    """The rules of an exchange game, as a value.

    - ``values``: the rank of each face that has one, higher is better.
    - ``effects``: what a special face does when it is dealt to the target of an exchange.
    - ``actions``: every kind of move of the seats.
    - ``protectors``: faces whose owner loses no token to other cards.
    - ``duty``: faces that must be exchanged while a pool split is agreed.
    - ``tokens``: tokens of a seat at the start. ``stake``: money it pays for them, in the smallest unit.
    - ``drawn_from``: copies of each face by which seats are drawn, 0 where seats are given.
    - ``single_fool_from``: number of players from which one fool is left out, 0 for never.
    """

    family: ClassVar[str] = "exchange"
    pack: Pack
    values: Mapping[str, int]
    effects: Mapping[str, Effect]
    actions: tuple[Action, ...]
    comparison: Comparison
    penalty: Penalty
    reentry: ReentryTerms
    pool_split: PoolSplit
    duty: tuple[str, ...]
    tokens: int
    stake: int
    drawn_from: int
    first_dealer: Seat
    protectors: tuple[str, ...] = ()
    single_fool_from: int = 0

    def __post_init__(self) -> None:
        """Raise `InvalidOption` for a first dealer who has no seat, or is named although seats are drawn."""
        if self.first_dealer >= self.seats:
            raise InvalidOption("options.first_dealer", f"seats are numbered from 0 to {self.seats - 1}")
        if self.drawn_from and self.first_dealer:
            text = "where seats are drawn the highest card deals first, as seat 0"
            raise InvalidOption("options.first_dealer", text)

    # ------------------------------------------------------------------ computed once

    @cached_property
    def _actions_by_verb(self) -> dict[str, Action]:
        chance_actions = (*((DrawSeats(),) if self.drawn_from else ()), StartDeal())
        return {action.spec.verb: action for action in (*chance_actions, *self.actions)}

    @cached_property
    def _actions_by_phase(self) -> dict[str, tuple[Action, ...]]:
        phases = {phase for action in self._actions_by_verb.values() for phase in action.spec.phases}
        return {
            phase: tuple(action for action in self._actions_by_verb.values() if phase in action.spec.phases)
            for phase in phases
        }

    @cached_property
    def _listed_actions(self) -> dict[str, tuple[tuple[Action, bool], ...]]:
        """The actions by phase, each with whether all of its candidates are legal."""
        return {
            phase: tuple((action, action.refuses_nothing()) for action in actions)
            for phase, actions in self._actions_by_phase.items()
        }

    @cached_property
    def move_specs(self) -> dict[str, MoveSpec]:
        return {verb: action.spec for verb, action in self._actions_by_verb.items()}

    @cached_property
    def phases(self) -> frozenset[str]:
        return frozenset((*self._actions_by_phase, GAME_OVER, MATCH_OVER))

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        own = [reason for action in self._actions_by_verb.values() for reason in action.reasons]
        return tuple(sorted({NO_MORE_MOVES, WRONG_PHASE, NOT_YOUR_TURN, *own}))

    @cached_property
    def seats(self) -> int:
        """The number of seats: one for each player."""
        return self.agreed.players

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat: its own."""
        return tuple(range(self.seats))

    @property
    def phase_names(self) -> tuple[str, ...]:
        return tuple(sorted(self.phases))

    @property
    def avoids_points(self) -> bool:
        """Whether points are to be avoided: no, they are the tokens."""
        return False

    @property
    def trick_rules(self) -> None:
        return

    @property
    def ranking(self) -> tuple[SuitRanking, ...]:
        """The ranks that have a value, the highest first; there are no suits and no counts."""
        return (SuitRanking("", tuple(sorted(self.values, key=lambda rank: -self.values[rank])), {}),)

    @property
    def card_specs(self) -> tuple[CardSpec, ...]:
        """Each different card in canonical order, ranked as in the comparison; a fool has no place, and none counts."""
        place = places(self.values.values())
        return tuple(
            CardSpec(card, "", place[self.values[card.rank]] if card.rank in self.values else 0, None, number)
            for card, number in self.pack.copies_of.items()
        )

    @property
    def zone_specs(self) -> tuple[ZoneSpec, ...]:
        return zone_specs(self)

    @cached_property
    def _codec(self) -> PositionCodec[Round]:
        return codec_for(self.pack)

    # ------------------------------------------------------------------ the protocol of games

    def start(self) -> Round:
        """Return the position before the first deal: stakes paid, every seat a virgin with all its tokens."""
        return self._start

    @cached_property
    def _start(self) -> Round:
        everybody = range(self.seats)
        match_state = MatchState(
            dealer=self.first_dealer,
            tokens=(self.tokens,) * self.seats,
            virgins=tuple(everybody),
            pool=self.stake * self.seats,
            net=tuple((str(seat), -self.stake) for seat in everybody),
        )
        return Round(AWAIT_SEATS if self.drawn_from else NEW_DEAL, match_state)

    def phase(self, p: Round) -> str:
        return p.phase

    def is_in_phase(self, p: Round, verb: str) -> bool:
        return p.phase in self.move_specs[verb].phases

    def is_finished(self, p: Round) -> bool:
        """Whether the game is over. In the phase ``game_over`` the next table may still be named."""
        return p.phase in (GAME_OVER, MATCH_OVER)

    def turn(self, p: Round) -> Seat | None:
        phase = p.phase
        if phase in (GAME_OVER, MATCH_OVER):
            return None
        return CHANCE if phase in (AWAIT_SEATS, NEW_DEAL) else p.at

    def chance_request(self, p: Round) -> ChanceRequest:
        if p.phase == AWAIT_SEATS:
            return ChanceRequest("draw_seats", cards=tuple(self.pack.faces.values()) * self.drawn_from)
        return ChanceRequest("start_deal", cards=self.cards_for(len(in_game(p))))

    def cards_for(self, players: int) -> Hand:
        """Return the cards of a deal with this number of players, in canonical order."""
        return self._pack_without_fool if self.left_out(players) else self.pack.cards

    @cached_property
    def _pack_without_fool(self) -> Hand:
        return minus(self.pack.cards, self.pack.card(FOOL))

    def left_out(self, players: int) -> Hand:
        """Return the cards out of play with this number of players: one fool, or none."""
        return (self.pack.card(FOOL),) if 0 < self.single_fool_from <= players else ()

    def partner(self, seat: Seat) -> None:
        return

    def controller(self, seat: Seat) -> Seat:
        """Return the seat whose person moves for ``seat``: always itself."""
        return seat

    def candidates(self, p: Round, actor: Seat) -> Iterable[Move]:
        """Return the candidate moves of ``actor``; none out of turn."""
        return self.potential_moves(p, actor) if actor == self.turn(p) else []

    def legal_moves(self, p: Round, actor: Seat) -> list[Move]:
        if actor != self.turn(p):
            return []
        moves: list[Move] = []
        for action, refuses_nothing in self._listed_actions.get(p.phase, ()):
            moves += action.offers(self, p, actor) if refuses_nothing else action.legal_moves(self, p, actor)
        return moves

    def potential_moves(self, p: Round, actor: Seat) -> Iterable[Move]:
        """Return the candidates, also for a seat that holds a card and waits for its turn."""
        if actor != self.turn(p) and (self.is_finished(p) or not p.held or p.held[actor] is None):
            return []
        return [move for action in self._actions_by_phase.get(p.phase, ()) for move in action.offers(self, p, actor)]

    def conditions(self, p: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        return self._actions_by_verb[move.verb].conditions(self, p, seat, move)

    def refusals(self, p: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        return self._actions_by_verb[move.verb].refusals(self, p, seat, move)

    def apply(self, p: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        action = self._actions_by_verb[move.verb]
        if action.is_spoken:
            events.append(public_event("said", seat, word=move.verb))
        return action.apply(self, p, seat, move, events)

    def showdown(self, r: Round, events: list[Event]) -> Round:
        """Compare the cards, then settle the seats that have no token left."""
        compared_seats = live_seats(r)
        r = compare_cards(self, r.with_turn(r.phase, 0).with_exchange((), r.asker, r.target), events)
        tokens = r.match_state.tokens
        out = tuple(
            [
                seat
                for seat in r.order
                if not tokens[seat] and self.penalty.settles_after_comparison(seat in compared_seats)
            ]
        )
        return settle_losers(self, r if r.pending == out else r._replace(pending=out), events)

    def finish(self, r: Round, events: list[Event]) -> Round:
        """End the deal: request the next pack, or end the game."""
        return finish(self, r, events)

    def zones(self, p: Round) -> Iterable[Zone]:
        return zones(self, p)

    def facts(self, p: Round) -> Iterable[Fact]:
        return facts(self, p)

    def inferences(self, p: Round, viewer: Viewer) -> Iterable[Inference]:
        """Return no inference: public play says nothing about hidden cards that the view does not show."""
        return ()

    def redeal(self, p: Round, viewer: Viewer, zones: Sequence[Zone]) -> Round:
        return redealt(p, zones)  # everything beside the cards is public

    def move_values(self, p: Round, seat: Seat, moves: Sequence[Move]) -> Sequence[MoveValue]:
        return move_values(self, p, seat, moves)

    def points(self, p: Round) -> tuple[int, ...]:
        """Return the tokens of each seat; a deal has no other count."""
        return p.match_state.tokens

    def scores(self, p: Round) -> tuple[int, ...]:
        return p.match_state.tokens

    def outcome(self, p: Round) -> frozenset[Seat] | None:
        """Return the winner: the last seat with tokens. None before the game is over."""
        return frozenset(in_game(p)) if self.is_finished(p) else None

    def encode(self, p: Round) -> str:
        return self._codec.encode(p)

    def decode(self, text: str) -> Round:
        found = self._codec.decode(text)
        if wrong := find_fault(self, found):
            raise InvalidPosition(*wrong)
        return found
