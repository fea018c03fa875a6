"""Briscola Chiamata: an auction by rank, the soloist names trumps, and who holds the called card is his secret ally.

Source: S004, with its Variant A; what the page leaves open is ruled, and the rulings are named in the clauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import replace as but
from typing import NamedTuple

from chitarrella.games.briscola import BRISCOLA
from chitarrella.option import numbers, words
from chitarrella.tricks.act import Act
from chitarrella.tricks.ally import SecretAlly, soloist
from chitarrella.tricks.announcing import Announce
from chitarrella.tricks.auction import CALL_NOT_LOWER, Auction, Bid, Talk, spoken
from chitarrella.tricks.choices import dealer_sits_here, first_dealer, phase_with, seat_each
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.play import Play
from chitarrella.tricks.reckoning import Counted
from chitarrella.tricks.solo import Solo, all_pass, solo_with
from chitarrella.tricks.table import Table
from chitarrella.words import ANY_NUMBER, EVERYBODY, Clause, Event, Fact, Form, Move, Reason, Refusal, Seat, public

PAGE = "S004, Briscola Chiamata"

CLAUSES = (
    Clause("BC-3.1", "Cards rank and count as in Briscola: 120 points in the pack.", PAGE),
    Clause("BC-3.2", "A bid names a rank; the lower the rank, the stronger the bid: from the Ace, the weakest, down to the Two.", PAGE),
    Clause("BC-3.3", "French cards serve as well: clubs, hearts, diamonds, spades and Queens for batons, cups, coins, swords and Horses.", "web source"),
    Clause("BC-4.1", "Five players get two packets of four cards, four players packets of four, two and four; nothing is left over.", PAGE),
    Clause("BC-4.2", "The deal passes to the next seat; after a deal without a bid the same dealer deals again where that is agreed.", "ruling BC-R7"),
    Clause("BC-5.1", "Eldest speaks first in the auction.", "ruling BC-R1"),
    Clause("BC-5.2", "The first bid may be any rank, each later one is strictly lower than the last; ranks may be skipped.", PAGE),
    Clause("BC-5.3", "A seat may pass at its turn, and is not asked again; who made the last bid is asked only when overcalled.", "web sources"),
    Clause("BC-5.4", "By Variant A, after a bid of the Two, points may be bid: 66, 71 and so on up to 116, each bid above the last.", "S004, Variant A; rulings BC-R8, BC-R9"),
    Clause("BC-5.5", "The auction ends when all others have passed, or when no bid could be better; without any bid the deal is void, keeps its number and scores nothing.", "S004; web source; ruling BC-R27"),
    Clause("BC-5.6", "Where a pass is not for good, the auction ends when all others pass one after the other.", "ruling BC-R4"),
    Clause("BC-5.7", "The soloist names the trump suit, any suit; with the called rank it makes the called card.", PAGE),
    Clause("BC-5.8", "Who holds the called card is the soloist's ally, secretly until it is played; the soloist may hold it himself and is alone.", PAGE),
    Clause("BC-5.9", "Eldest leads to the first trick, or the soloist where that is agreed, and then who took the last; any card may be played at any time.", PAGE),
    Clause("BC-5.10", "Bids, soloist, trumps, called card and tricks are public; hands are not, nor before it is played who holds the called card.", PAGE),
    Clause("BC-5.11", "Match and phase are checked first, then the turn, then possession, then what the bid itself asks; of points that cannot be bid no more is asked.", "ruling"),
    Clause("BC-6.1", "The highest trump takes the trick, else the highest card of the suit led.", PAGE),
    Clause("BC-7.1", "Soloist and ally win with 61 points together, or with the points bid; 60 are not enough.", PAGE),
    Clause("BC-7.2", "With an ally the soloist wins 2, the ally 1, each opponent loses 1; alone he wins 4 and each opponent loses 1.", PAGE),
    Clause("BC-7.3", "If they lose, all signs are reversed.", PAGE),
    Clause("BC-7.4", "If they win every trick the amounts are doubled; where agreed, so is a defeat without a trick.", "S004; ruling BC-R18"),
    Clause("BC-7.5", "A bid of points does not change the amounts.", "ruling BC-R22"),
    Clause("BC-7.6", "Where agreed, four players score so that a deal adds up to nothing: 1 each with an ally, 3 against 1 each alone.", "ruling BC-R19"),
    Clause("BC-7.7", "The strictly highest total that has reached the target after a deal wins the game; totals may be negative.", "S004; ruling BC-R23"),
)  # fmt: skip

RAISE_NOT_AVAILABLE = Reason("raise_not_available", "Points cannot be bid now.")
RAISE_NOT_ON_RAISES = Reason("raise_not_on_ladder", "{amount} is not one of 66, 71 and so on up to 116.")
RAISE_NOT_HIGHER = Reason("raise_not_higher", "{amount} is not more than what was bid last.")

RANKS = BRISCOLA.order.ranks
RAISES = range(66, 117, 5)
ENOUGH = 61
LOWEST = RANKS[-1]
MOST_SCORED = 8
"""What a deal is worth at most: alone against all, every trick won."""
BY_RANK = (RANKS,)
BY_POINTS = ((*RANKS, *map(str, RAISES)),)


class Contract(NamedTuple):
    """The auction, and what it was won with; points are bid on top of the lowest rank."""

    talk: Talk = Talk()

    @property
    def rank(self) -> str:
        """The rank called; empty before the first bid."""
        return LOWEST if self.points else self.talk.bid

    @property
    def points(self) -> int:
        """The points bid, 0 where it was only a rank."""
        return 0 if self.talk.bid in ("", *RANKS) else int(self.talk.bid)

    @property
    def required(self) -> int:
        """The points that soloist and ally need."""
        return self.points or ENOUGH

    def called(self, t: Table) -> str:
        """Name the called card; there is none before trumps are named."""
        return self.rank + t.trump if t.trump else ""


@dataclass(frozen=True)
class BidRank(Act):
    """A seat bids a rank."""

    form = Form("bid_rank", "Bid a rank lower than the last.", frozenset(), words=RANKS)
    reasons = (CALL_NOT_LOWER,)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterator[Move]:
        """Offer every rank."""
        return (Move("bid_rank", word=rank) for rank in RANKS)

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to a rank that is not lower, and to any after points were bid."""
        last = t.own.rank
        if not last or RANKS.index(move.word) > RANKS.index(last):
            return ()
        return (g.refuse(CALL_NOT_LOWER, word=move.word),)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Take the bid."""
        tell.append(public("rank_bid", seat, word=move.word))
        return spoken(g, t, Bid(seat, move.word), tell)


@dataclass(frozen=True)
class BidPoints(Act):
    """A seat bids points over the lowest rank."""

    offered: bool = False

    form = Form("bid_points", "Bid points, after the Two was bid.", frozenset(), amounts=ANY_NUMBER)
    reasons = (RAISE_NOT_AVAILABLE, RAISE_NOT_ON_RAISES, RAISE_NOT_HIGHER)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterator[Move]:
        """Offer the whole ladder where points may be bid at all."""
        return (Move("bid_points", amount=points) for points in RAISES if self.offered)

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object before the lowest rank was bid, off the ladder, and to no more than the last."""
        if not self.offered or t.own.rank != LOWEST:
            return (g.refuse(RAISE_NOT_AVAILABLE),)
        refusals: tuple[Refusal, ...] = ()
        if move.amount not in RAISES:
            refusals = (g.refuse(RAISE_NOT_ON_RAISES, amount=move.amount),)
        if (move.amount or 0) <= t.own.points:
            refusals = (*refusals, g.refuse(RAISE_NOT_HIGHER, amount=move.amount))
        return refusals

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Take the bid."""
        tell.append(public("points_bid", seat, amount=move.amount))
        return spoken(g, t, Bid(seat, str(move.amount)), tell)


@dataclass(frozen=True)
class Chiamata(Solo):
    """Contracts to make 61 points or those bid, scored until somebody leads with at least ``target``."""

    target: int = 11
    over: str = "game_over"
    double_on_sweep: bool = False
    zero_sum: bool = False

    def made(self, g: TrickGame, t: Table, side: frozenset[Seat], counted: Counted) -> bool:
        """Tell whether the side has the points it needs."""
        return sum(counted[seat][0] for seat in side) >= int(t.own.required)

    def worth(self, g: TrickGame, t: Table, friend: Seat, made: bool | None) -> tuple[int, ...]:
        """Reverse the score of a contract that was lost; every trick on one side may double it."""
        alone = soloist(t)
        takers = {trick.winner for trick in t.tricks}
        swept = takers <= {alone, friend} if made else self.double_on_sweep and not takers & {alone, friend}
        factor = (1 if made else -1) * (2 if swept else 1)
        won = {friend: 1, alone: 4 if alone == friend else 2}
        if self.zero_sum and g.seats == 4:
            won = {friend: 1, alone: 3 if alone == friend else 1}
        return tuple(factor * won.get(seat, -1) for seat in range(g.seats))

    def ended(self, g: TrickGame, t: Table) -> bool:
        """Tell whether one seat leads, with the target reached."""
        totals = t.standing.totals
        return max(totals) >= self.target and totals.count(max(totals)) == 1

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Object to totals that so many deals cannot have left, and to a match that goes on when it is won."""
        totals, most = t.standing.totals, MOST_SCORED * (t.standing.deal - (t.phase in g.running))
        adds_up = self.zero_sum or g.seats == 5
        if max(map(abs, totals)) > most or (adds_up and sum(totals) != 0):
            return "totals", "no deals score so much, or they score nothing together"
        if self.ended(g, t) != (t.phase == self.over):
            return "phase", f"{self.over} is the phase after the deal that decides the match, and no other"
        return None

    def facts(self, g: TrickGame, t: Table) -> tuple[Fact, ...]:
        """Say how many points the soloist needs."""
        return (Fact("required", t.own.required, soloist(t), EVERYBODY),) if t.trump else ()


def five(game: TrickGame) -> TrickGame:
    """Seat five: eight cards each."""
    return but(seat_each(game, 5), totals=5)


def four(game: TrickGame) -> TrickGame:
    """Seat four: ten cards each."""
    return but(seat_each(game, 4), totals=4, dealing=Dealing("await_deal", StartDeal((4, 2, 4))))


BRISCOLA_CHIAMATA = but(
    BRISCOLA,
    key="briscola-chiamata",
    title="Briscola Chiamata",
    dealing=Dealing("await_deal", StartDeal((4, 4))),
    phases=(Auction((BidRank(), BidPoints()), BY_RANK, floor=LOWEST), Announce(), Play()),
    series=Chiamata(),
    layout=SecretAlly(named_trumps=True),
    own=Contract,
    spare="",
    seatings={5: five, 4: four},
    options=(
        words(
            "variant_a",
            "Whether points may be bid over the Two.",
            PAGE,
            {
                "true": phase_with(Auction, bids=(BidRank(), BidPoints(offered=True)), ladders=BY_POINTS, floor=LOWEST),
                "false": phase_with(Auction, bids=(BidRank(), BidPoints()), ladders=BY_RANK, floor=LOWEST),
            },
            "false",
        ),
        all_pass("ruling BC-R7"),
        words(
            "pass_is_final",
            "Whether a seat that has passed is not asked again.",
            "web source, ruling BC-R4",
            {"true": phase_with(Auction, final=True), "false": phase_with(Auction, final=False)},
            "true",
        ),
        words(
            "first_lead",
            "Who leads to the first trick.",
            "S004: eldest; a web source: the soloist",
            {"eldest": phase_with(Announce, soloist_leads=False), "soloist": phase_with(Announce, soloist_leads=True)},
            "eldest",
        ),
        words(
            "double_on_defenders_sweep",
            "Whether a defeat without a single trick counts double.",
            "ruling BC-R18",
            {"true": solo_with(double_on_sweep=True), "false": solo_with(double_on_sweep=False)},
            "false",
        ),
        words(
            "four_player_scores",
            "Whether four players score the same figures as five, or figures that add up to nothing.",
            "ruling BC-R19",
            {"literal": solo_with(zero_sum=False), "zero_sum": solo_with(zero_sum=True)},
            "literal",
        ),
        numbers(
            "game_target",
            "How many points win the game.",
            PAGE,
            lambda g, n: solo_with(target=n)(g),
            11,
            least=1,
            most=99,
        ),
        first_dealer(4, "drawn by the caller"),
    ),
    conflicts=(dealer_sits_here,),
    own_clauses=CLAUSES,
    cites={
        "not_your_turn": "BC-5.11",
        "not_in_hand": "BC-5.9",
        "call_not_lower": "BC-5.2",
        "raise_not_available": "BC-5.4",
        "raise_not_on_ladder": "BC-5.4",
        "raise_not_higher": "BC-5.4",
    },
)

GAMES = (BRISCOLA_CHIAMATA,)
