"""Briscola Chiamata: an auction by rank; the soloist names trumps; the holder of the called card is his secret ally.

Source: S004, with its Variant A. Rulings fill its gaps; the clauses name them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from chitarrella import tricks
from chitarrella.core.cards import ITALIAN, Card
from chitarrella.core.model import (
    ANY_AMOUNT,
    EVERYBODY,
    Event,
    Fact,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    public_event,
)
from chitarrella.core.options import Choices, GameEntry, bool_option, choice_option, number_option, rule_book
from chitarrella.games.briscola import ORDER
from chitarrella.tricks import auction
from chitarrella.tricks.layout import SecretAllyLayout
from chitarrella.tricks.parts import CardCounts

PAGE = "S004, Briscola Chiamata"

RAISE_NOT_AVAILABLE = Reason("raise_not_available", "Points cannot be bid now.")
RAISE_NOT_ON_RAISES = Reason("raise_not_on_ladder", "{amount} is not among the points that can be bid.")
RAISE_NOT_HIGHER = Reason("raise_not_higher", "{amount} is not more than what was bid last.")

RANKS = ORDER.ranks
"""The ranks that can be bid, the highest first."""
RAISES, RAISES_BY_ONE = range(66, 117, 5), range(62, 121)
"""The points that can be bid after the lowest rank: in fives, and by agreement one by one."""
LOWEST_RANK, MAJORITY = RANKS[-1], 61
"""The last rank that can be called, and the points that win a deal for which none were bid."""
MAX_DEAL_SCORE = 8
"""The highest score of a deal: alone against all, every trick won."""


class ChiamataRecord(NamedTuple):
    """The auction, and the contract it was won with (BC-5.4, BC-5.7). Points are bid on top of the lowest rank."""

    talk: auction.Bidding = auction.Bidding()

    @property
    def rank(self) -> str:
        """The rank called; empty before the first bid."""
        return LOWEST_RANK if isinstance(bid := self.talk.bid, int) else bid

    @property
    def points(self) -> int:
        """The points bid; 0 where only a rank was bid."""
        return bid if isinstance(bid := self.talk.bid, int) else 0

    @property
    def required(self) -> int:
        """The points that soloist and ally need."""
        return self.points or MAJORITY

    def called(self, g: tricks.Rules, t: tricks.Table) -> Card | None:
        """Return the called card, None before trumps are named."""
        return g.pack.face(self.rank, t.trump) if t.trump else None


@dataclass(frozen=True)
class BidRank(tricks.Action):
    """Bid a rank (BC-5.2)."""

    spec = MoveSpec("bid_rank", "Bid a rank lower than the last.", frozenset(), choices=RANKS)
    reasons = (auction.CALL_NOT_LOWER,)

    def offers(self, g: tricks.Rules, t: tricks.Table, seat: Seat) -> Iterator[Move]:
        return (Move("bid_rank", choice=rank) for rank in RANKS)

    def conditions(self, g: tricks.Rules, t: tricks.Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a rank that is not lower than the last, and any rank after points were bid."""
        if not t.own.rank or g.order.is_lower(move.choice, t.own.rank):
            return ()
        return (g.refuse(auction.CALL_NOT_LOWER, word=move.choice),)

    def apply(self, g: tricks.Rules, t: tricks.Table, seat: Seat, move: Move, events: list[Event]) -> tricks.Table:
        events.append(public_event("rank_bid", seat, word=move.choice))
        return auction.record_bid(g, t, auction.Bid(seat, move.choice), events)


@dataclass(frozen=True)
class BidPoints(tricks.Action):
    """Bid one of ``raises`` over the lowest rank, where there are any (BC-5.4)."""

    raises: range

    spec = MoveSpec("bid_points", "Bid points, after the Two was bid.", frozenset(), amounts=ANY_AMOUNT)
    reasons = (RAISE_NOT_AVAILABLE, RAISE_NOT_ON_RAISES, RAISE_NOT_HIGHER)

    def offers(self, g: tricks.Rules, t: tricks.Table, seat: Seat) -> Iterator[Move]:
        return (Move("bid_points", amount=points) for points in self.raises)

    def conditions(self, g: tricks.Rules, t: tricks.Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse points before the lowest rank was bid, numbers that are not allowed, and no more than the last bid."""
        if t.own.rank != LOWEST_RANK or not self.raises:
            return (g.refuse(RAISE_NOT_AVAILABLE),)
        refusals: tuple[Refusal, ...] = ()
        if move.amount not in self.raises:
            refusals = (g.refuse(RAISE_NOT_ON_RAISES, amount=move.amount),)
        if (move.amount or 0) <= t.own.points:
            refusals = (*refusals, g.refuse(RAISE_NOT_HIGHER, amount=move.amount))
        return refusals

    def apply(self, g: tricks.Rules, t: tricks.Table, seat: Seat, move: Move, events: list[Event]) -> tricks.Table:
        events.append(public_event("points_bid", seat, amount=move.amount))
        return auction.record_bid(g, t, auction.Bid(seat, move.amount or 0), events)


AS_FIVE, ADDING_UP = {5: (2, 4), 4: (2, 4)}, {5: (2, 4), 4: (1, 3)}
"""What a soloist wins with an ally, and alone, by number of players: as with five, or so that a deal adds up to 0."""


@dataclass(frozen=True)
class Chiamata(tricks.SoloContract):
    """Contracts of 61 points or those bid, until one seat leads with at least ``target`` (BC-7.1 to BC-7.7).

    ``stakes`` are what the soloist wins with an ally and alone, by number of players; an ally wins 1, and each opponent
    loses 1. A defeat without a trick counts ``lost_sweep_factor`` times.
    """

    target: int
    stakes: Mapping[int, tuple[int, int]]
    lost_sweep_factor: int
    end_phase = "game_over"

    def is_made(self, g: tricks.Rules, t: tricks.Table, side: frozenset[Seat], counted: CardCounts) -> bool:
        """Whether the soloist's side has the points it needs."""
        return sum(counted[seat][0] for seat in side) >= int(t.own.required)

    def deal_scores(self, g: tricks.Rules, t: tricks.Table, ally: Seat, made: bool | None) -> tuple[int, ...]:
        """Return the score of each seat; a lost contract reverses it, and a sweep may double it."""
        alone = auction.soloist(t)
        takers = {trick.winner for trick in t.tricks}
        if made:
            factor = 2 if takers <= {alone, ally} else 1
        else:
            factor = -1 if takers & {alone, ally} else -self.lost_sweep_factor
        won = {ally: 1, alone: self.stakes[g.seats][alone == ally]}
        return tuple(factor * won.get(seat, -1) for seat in range(g.seats))

    def is_last_deal(self, g: tricks.Rules, t: tricks.Table) -> bool:
        """Whether one seat alone leads and has reached the target."""
        totals = t.match_state.totals
        return max(totals) >= self.target and totals.count(max(totals)) == 1

    def fault(self, g: tricks.Rules, t: tricks.Table) -> tuple[str, str] | None:
        totals, most = t.match_state.totals, MAX_DEAL_SCORE * (t.match_state.deal - (t.phase in g.deal_phases))
        adds_up = self.stakes[g.seats] == (g.seats - 3, g.seats - 1)
        if max(map(abs, totals)) > most or (adds_up and sum(totals) != 0):
            return "totals", "no deals score so much, or they score nothing together"
        if self.is_last_deal(g, t) != (t.phase == self.end_phase):
            return "phase", f"{self.end_phase} is the phase after the deal that decides the match, and no other"
        return None

    def facts(self, g: tricks.Rules, t: tricks.Table) -> tuple[Fact, ...]:
        """Return the points that the soloist needs, once trumps are named."""
        return (Fact("required", t.own.required, auction.soloist(t), EVERYBODY),) if t.trump else ()


VARIANT_A = choice_option(
    "variant_a",
    "Whether points may be bid over the Two.",
    f"{PAGE}; timendum/carte",
    {"true": RAISES, "by_one": RAISES_BY_ONE, "false": range(0)},
    "false",
)
ALL_PASS = tricks.all_pass("ruling BC-R7")
PASS_IS_FINAL = bool_option(
    "pass_is_final",
    "Whether a seat that has passed is not asked again.",
    "web source, ruling BC-R4",
    default=True,
)
FIRST_LEAD = choice_option(
    "first_lead",
    "Who leads to the first trick.",
    "S004: eldest; a web source: the soloist",
    {"eldest": auction.Announce(), "soloist": auction.AnnounceAndLead()},
)
DOUBLE_ON_SWEEP = bool_option(
    "double_on_defenders_sweep", "Whether a defeat without a single trick counts double.", "ruling BC-R18"
)
SCORES_OF_FOUR = choice_option(
    "four_player_scores",
    "Whether four players score the same figures as five, or figures that add up to nothing.",
    "ruling BC-R19",
    {"literal": AS_FIVE, "zero_sum": ADDING_UP},
).only_for(4)
GAME_TARGET = number_option("game_target", "How many points win the game.", PAGE, 11, 1, 99).of_length()
FIRST_DEALER = tricks.first_dealer(4, "drawn by the caller")


def rules(agreed: Choices) -> tricks.Rules:
    raises = agreed[VARIANT_A]
    bidding = auction.Auction(
        (BidRank(), BidPoints(raises)),
        ((*RANKS, *raises),),
        floor=LOWEST_RANK,
        after_bid=auction.stay_out if agreed[PASS_IS_FINAL] else auction.speak_again,
    )
    return tricks.Rules(
        agreed,
        seating=tricks.alone(agreed.players),
        pack=ITALIAN,
        order=ORDER,
        dealing=tricks.Dealing("await_deal", tricks.StartDeal((4, 4) if agreed.players == 5 else (4, 2, 4))),
        phases=(bidding, agreed[FIRST_LEAD], auction.PLAY_AND_REVEAL),
        series=Chiamata(
            agreed[ALL_PASS], agreed[GAME_TARGET], agreed[SCORES_OF_FOUR], 2 if agreed[DOUBLE_ON_SWEEP] else 1
        ),
        layout=SecretAllyLayout(),
        own=ChiamataRecord,
        first_dealer=agreed[FIRST_DEALER],
    )


BRISCOLA_CHIAMATA = GameEntry(
    key="briscola-chiamata",
    place="Italy",
    description="Briscola with bids: the highest bidder calls a card, whose holder is the secret partner.",
    sources=("S004",),
    players=(5, 4),
    options=(
        VARIANT_A,
        ALL_PASS,
        PASS_IS_FINAL,
        FIRST_LEAD,
        DOUBLE_ON_SWEEP,
        SCORES_OF_FOUR,
        GAME_TARGET,
        FIRST_DEALER,
    ),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (BRISCOLA_CHIAMATA,)
