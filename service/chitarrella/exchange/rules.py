"""`Rules`: the rules of an exchange game at one table, put together from parts; they implement `core.game.Game`.

Seats are drawn, the pack is supplied, each seat decides in turn, the cards are compared, and seats without tokens are
settled. A move belongs to the phases of its specification, and its action leads to the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from chitarrella.core.cards import Hand, Pack, RankOrder, minus
from chitarrella.core.game import MoveValue
from chitarrella.core.model import (
    CHANCE,
    MATCH_OVER,
    NOT_YOUR_TURN,
    WRONG_PHASE,
    CardSpec,
    ChanceRequest,
    Event,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    SuitRanking,
    ZoneSpec,
)
from chitarrella.core.notation import InvalidPosition
from chitarrella.core.options import AgreedRules, InvalidOption
from chitarrella.exchange import layout
from chitarrella.exchange.bargains import OfferTerms
from chitarrella.exchange.deal import AskedLater, DrawSeats, StartDeal, reentry_cost
from chitarrella.exchange.parts import FOOL, Action, Comparison, Step
from chitarrella.exchange.round import MatchState, Phases, Round, codec_for

HALF = 50  # the percentage of the pool that is fair


@dataclass(frozen=True, kw_only=True)
class Rules(AgreedRules):
    """The rules of an exchange game, as a value.

    - ``order``: the ranks of the faces that have one.
    - ``effects``: what a special face does when it is dealt to the target of an exchange.
    - ``actions``: every kind of move of the seats. ``opening``: what a deal begins with.
    - ``protectors``: faces whose owner loses no token to other cards.
    - ``duty``: faces that must be exchanged while a pool split is agreed.
    - ``tokens``: tokens of a seat at the start. ``stake``: money it pays for them, in the smallest unit.
    - ``last_token``: what becomes of who loses the last token in the middle of a deal.
    - ``max_pool``: pool up to which seats may buy new tokens, 0 for never; ``max_helpers``: how many others may help.
    - ``loss_steps``, ``reentry_steps``: how often each earlier lost last token, or re-entry, doubles the price.
    - ``drawn_from``: copies of each face by which seats are drawn, 0 where seats are given.
    - ``single_fool_from``: number of players from which one fool is left out, 0 for never.
    """

    family: ClassVar[str] = "exchange"
    avoids_points: ClassVar[bool] = False  # they are the tokens
    trick_rules: ClassVar[None] = None
    pack: Pack
    order: RankOrder
    effects: Mapping[str, Step]
    actions: tuple[Action, ...]
    opening: Step
    comparison: Comparison
    last_token: AskedLater
    max_pool: int
    max_helpers: int
    loss_steps: int = 0
    reentry_steps: int = 0
    duty: tuple[str, ...]
    tokens: int
    stake: int
    drawn_from: int
    first_dealer: Seat
    protectors: tuple[str, ...] = ()
    single_fool_from: int = 0
    offer_terms: OfferTerms = OfferTerms()

    def __post_init__(self) -> None:
        """Raise `InvalidOption` for a first dealer who has no seat, or is named although seats are drawn."""
        if self.first_dealer >= self.seats:
            raise InvalidOption("options.first_dealer", f"seats are numbered from 0 to {self.seats - 1}")
        if self.drawn_from and self.first_dealer:
            text = "where seats are drawn the highest card deals first, as seat 0"
            raise InvalidOption("options.first_dealer", text)

    @cached_property
    def _actions(self) -> dict[str, Action]:
        by_chance = (DrawSeats(), StartDeal()) if self.drawn_from else (StartDeal(),)
        return {action.spec.verb: action for action in (*by_chance, *self.actions)}

    @cached_property
    def phases(self) -> dict[str, tuple[Action, ...]]:
        """The actions of each phase, by its name."""
        actions = self._actions.values()
        names = sorted(set(Phases.OVER).union(*(action.spec.phases for action in actions)))
        return {name: tuple(action for action in actions if name in action.spec.phases) for name in names}

    @cached_property
    def move_specs(self) -> dict[str, MoveSpec]:
        return {verb: action.spec for verb, action in self._actions.items()}

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        own = [reason for action in self._actions.values() for reason in action.reasons]
        return tuple(sorted({MATCH_OVER, WRONG_PHASE, NOT_YOUR_TURN, *own}))

    @cached_property
    def seats(self) -> int:
        """The number of seats: one for each player."""
        return self.agreed.players

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat: its own."""
        return tuple(range(self.seats))

    @cached_property
    def seat_names(self) -> tuple[str, ...]:
        """The numbers of the seats, as persons are named in shares."""
        return tuple(map(str, self.sides))

    @property
    def phase_names(self) -> tuple[str, ...]:
        return tuple(self.phases)

    @property
    def ranking(self) -> tuple[SuitRanking, ...]:
        """The ranks that have a value, the highest first; there are no suits and no counts."""
        return (SuitRanking("", self.order.ranks, {}),)

    @property
    def card_specs(self) -> tuple[CardSpec, ...]:
        """Each different card in canonical order, ranked as in the comparison; a fool has no place, and none counts."""
        return tuple(
            CardSpec(card, "", self.order.strength(card.rank), None, number)
            for card, number in self.pack.copies_of.items()
        )

    @property
    def zone_specs(self) -> tuple[ZoneSpec, ...]:
        return layout.zone_specs(self)

    zones, facts, redeal = layout.zones, layout.facts, layout.redeal

    def start(self) -> Round:
        """Return the position before the first deal: stakes paid, every seat a virgin with all its tokens."""
        match_state = MatchState(
            dealer=self.first_dealer,
            tokens=(self.tokens,) * self.seats,
            virgins=self.sides,
            pool=self.stake * self.seats,
            net=tuple((name, -self.stake) for name in self.seat_names),
        )
        return Round(Phases.AWAIT_SEATS if self.drawn_from else Phases.NEW_DEAL, match_state)

    def is_in_phase(self, p: Round, verb: str) -> bool:
        return p.phase in self.move_specs[verb].phases

    def is_finished(self, p: Round) -> bool:
        """Whether the game is over. In the phase ``game_over`` the next table may still be named."""
        return p.phase in Phases.OVER

    def turn(self, p: Round) -> Seat | None:
        phase = p.phase
        if phase in Phases.OVER:
            return None
        return CHANCE if phase in Phases.SUPPLY else p.at

    def chance_request(self, p: Round) -> ChanceRequest:
        if p.phase == Phases.AWAIT_SEATS:
            return ChanceRequest("draw_seats", cards=tuple(self.pack.faces.values()) * self.drawn_from)
        cards = self.pack.cards
        for card in self.left_out(len(p.in_game())):
            cards = minus(cards, card)
        return ChanceRequest("start_deal", cards=cards)

    def left_out(self, players: int) -> Hand:
        """Return the cards out of play with this number of players: one fool, or none."""
        return (self.pack.card(FOOL),) if 0 < self.single_fool_from <= players else ()

    def partner(self, seat: Seat) -> None:
        return

    def candidates(self, p: Round, actor: Seat) -> Iterable[Move]:
        """Return the candidate moves of ``actor``; none out of turn."""
        return self.potential_moves(p, actor) if actor == self.turn(p) else []

    def legal_moves(self, p: Round, actor: Seat) -> list[Move]:
        actions = self.phases[p.phase] if actor == self.turn(p) else ()
        return [move for action in actions for move in action.legal_moves(self, p, actor)]

    def potential_moves(self, p: Round, actor: Seat) -> Iterable[Move]:
        """Return the candidates, also for a seat that holds a card and waits for its turn."""
        if actor != self.turn(p) and (self.is_finished(p) or not p.held or p.held[actor] is None):
            return []
        return [move for action in self.phases[p.phase] for move in action.offers(self, p, actor)]

    def conditions(self, p: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        return self._actions[move.verb].conditions(self, p, seat, move)

    def refusals(self, p: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        return self._actions[move.verb].refusals(self, p, seat, move)

    def apply(self, p: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        return self._actions[move.verb].apply(self, p, seat, move, events)

    def move_values(self, p: Round, seat: Seat, moves: Sequence[Move]) -> Sequence[MoveValue]:
        """Return the value of each of ``moves``: by its verb, then the less money it costs now the better.

        A card of the lower half is passed on, and so is a fool, which has no rank; what is fair is paid and accepted.
        """
        held = p.held[seat] if p.held else None
        is_high = held and held.card.rank in self.order.ranks[: (len(self.order.ranks) + 1) // 2]
        low, high = ("exchange", "draw", "ask_guarantee", "make_offer"), ("keep", "stay_at_inn", "no_offer")
        fair = "accept_agreement" if dict(p.proposal).get(str(seat), 0) >= HALF else "decline_agreement"
        cost = reentry_cost(self, p) if p.phase in Phases.PAY else 0
        money = "reenter" if (cost or 0) * 2 <= p.match_state.pool else "decline_reentry"
        verbs = (*(high if is_high else low), "agree_to_pay", "accept_offer", fair, money, "propose_agreement")
        ranks = {verb: float(-place) for place, verb in enumerate(verbs)}
        return [(ranks.get(move.verb, float(-len(verbs))), -(move.amount or 0)) for move in moves]

    def points(self, p: Round) -> tuple[int, ...]:
        """Return the tokens of each seat; a deal has no other count."""
        return p.match_state.tokens

    def scores(self, p: Round) -> tuple[int, ...]:
        return p.match_state.tokens

    def outcome(self, p: Round) -> frozenset[Seat] | None:
        """Return the winner: the last seat with tokens. None before the game is over."""
        return frozenset(p.in_game()) if self.is_finished(p) else None

    def encode(self, p: Round) -> str:
        return codec_for(self.pack).encode(p)

    def decode(self, text: str) -> Round:
        found = codec_for(self.pack).decode(text)
        for wrong in layout.faults(self, found):
            raise InvalidPosition(*wrong)
        return found
