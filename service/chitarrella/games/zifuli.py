"""Zifuli of Brescia and Bergamo: Cöch for five with an auction by calling a card; its other copy is the secret ally.

Sources: S000 and its enlarged German version S002. Rulings fill their gaps; the clauses name them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from chitarrella import tricks
from chitarrella.core.cards import CUCCO, Card
from chitarrella.core.model import (
    EVERYBODY,
    Event,
    Fact,
    Inference,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    Viewer,
    held_card,
    public_event,
)
from chitarrella.core.options import Choices, GameEntry, choice_option, number_option, rule_book
from chitarrella.games.coech import HALF_POINTS, MATTO_ABOVE_NULLA, NUMBERS, SUITS, UNITS
from chitarrella.tricks import auction
from chitarrella.tricks.layout import SecretAllyLayout
from chitarrella.tricks.parts import CardCounts, Fault, is_deal_running
from chitarrella.tricks.play import seats_that_played

BOTH_SOURCES = "S000, S002"

CALL_OTHER_SUIT = Reason("call_other_suit", "The first call was of the {word}, and a call must be of the same suit.")

PICTURES = CUCCO.hand(rank for rank in MATTO_ABOVE_NULLA if rank not in NUMBERS)
"""The pictures, the highest first."""
ALONE_WINS, ALONE_COSTS, SOLOIST_WINS = 8, 2, 2
"""In stakes: what a soloist without an ally wins of four, what each of these pays, and what one with an ally wins."""
MAX_STAKE = MAX_DEALS = 10_000
"""The greatest stake and the greatest number of deals: a balance fits into 32 bits, whatever happens in a match."""


class ZifuliRecord(NamedTuple):
    """The auction, and the number of deals of the match that were played out before this one (ZI-13, ZI-28)."""

    talk: auction.Bidding = auction.Bidding()
    played: int = 0

    def called(self, g: tricks.Rules, t: tricks.Table) -> Card | None:
        """Return the called face; None during the auction, and where nobody has called."""
        return bid if isinstance(bid := self.talk.bid, Card) and t.phase != "auction" else None


def carry_played(own: ZifuliRecord) -> ZifuliRecord:
    """Keep the number of deals for the next deal, and drop the auction."""
    return ZifuliRecord(played=own.played)


@dataclass(frozen=True)
class CallCard(tricks.Action):
    """Call a face of which the seat holds a copy (ZI-9)."""

    spec = MoveSpec(
        "call_card", "Call a card of the own hand, lower than the last call and of its suit.", frozenset(), (1, 1)
    )
    reasons = (CALL_OTHER_SUIT, auction.CALL_NOT_LOWER)

    def offers(self, g: tricks.Rules, t: tricks.Table, seat: Seat) -> Iterator[Move]:
        return (Move("call_card", (card,)) for card in dict.fromkeys(t.hands[seat]))

    def conditions(self, g: tricks.Rules, t: tricks.Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a face not held, of another suit than the first call, or not lower than the last."""
        refusals = self.possession(g, t, seat, move)
        card, last = move.cards[0], t.own.talk.bid
        if not last:
            return refusals
        suit = g.cards.suit[last]
        if g.cards.suit[card] != suit:
            return (*refusals, g.refuse(CALL_OTHER_SUIT, word=suit))
        if not g.order.is_lower(card.rank, last.rank):
            return (*refusals, g.refuse(auction.CALL_NOT_LOWER, word=card))
        return refusals

    def apply(self, g: tricks.Rules, t: tricks.Table, seat: Seat, move: Move, events: list[Event]) -> tricks.Table:
        events.append(public_event("card_called", seat, move.cards))
        return auction.record_bid(g, t, auction.Bid(seat, move.cards[0]), events)


@dataclass(frozen=True, kw_only=True)
class OpenSides(SecretAllyLayout):
    """The counts of each side are public once the sides are known (ZI-21, ZI-23), after the deal also the payments."""

    match: StakesMatch

    def side_facts(self, g: tricks.Rules, t: tricks.Table, side: frozenset[Seat]) -> Iterable[Fact]:
        """Yield beside each seat what its side has taken, by count; after the deal also what the seat is paid."""
        match = self.match
        sides = match.counting_sides(g, side)
        counted = g.deal_scoring.by_side(g, t, sides)
        for seat, number in enumerate(sides):
            for count, taken in zip(g.order.counts, counted[number], strict=True):
                yield Fact(f"side_{count.name}", taken, seat, EVERYBODY)
        if not is_deal_running(g, t):
            worth = match.deal_scores(g, t, auction.ally(g, t).seat, match.is_made(g, t, side, counted))
            for seat, paid in enumerate(worth):
                yield Fact("payment", paid, seat, EVERYBODY)

    def inferences(self, g: tricks.Rules, t: tricks.Table, viewer: Viewer) -> Iterator[Inference]:
        """A seat holds what it called until it has played it."""
        yield from super().inferences(g, t, viewer)
        for seat, card in t.own.talk.bids:
            if card and seat not in seats_that_played(g, t, card):
                yield held_card(seat, card)

    def cards_fault(self, g: tricks.Rules, t: tricks.Table) -> Fault | None:
        """Check also that every seat held what it called."""
        if fault := super().cards_fault(g, t):
            return fault
        for seat, card in t.own.talk.bids:
            held = t.hands and card in t.hands[seat]
            if card and not held and seat not in seats_that_played(g, t, card):
                return "talk", "a seat calls a card that it holds"
        return None


@dataclass(frozen=True)
class StakesMatch(tricks.SoloContract):
    """Contracts for ``stake`` over a number of ``deals``; only those played out count (ZI-26 to ZI-28)."""

    stake: int
    deals: int

    @property
    def max_balance(self) -> int:
        """The most that a seat can win or lose: alone in every deal."""
        return ALONE_WINS * self.stake * self.deals

    def counting_sides(self, g: tricks.Rules, side: frozenset[Seat]) -> tuple[int, ...]:
        """Return the side of each seat for counting: 0 for the soloist's, 1 for the others."""
        return tuple(int(seat not in side) for seat in range(g.seats))

    def is_made(self, g: tricks.Rules, t: tricks.Table, side: frozenset[Seat], counted: CardCounts) -> bool | None:
        """Whether the soloist's side has more; None where both counts are level."""
        winner = g.deal_scoring.winner(g, t, counted)
        return None if winner is None else winner == 0

    def deal_scores(self, g: tricks.Rules, t: tricks.Table, ally: Seat, made: bool | None) -> tuple[int, ...]:
        """Return what each seat is paid; negative for a loss."""
        alone = auction.soloist(t)
        won = {ally: 1, alone: ALONE_WINS if alone == ally else SOLOIST_WINS}
        against = -ALONE_COSTS if alone == ally else -1
        factor = 0 if made is None else self.stake if made else -self.stake
        return tuple(factor * won.get(seat, against) for seat in range(g.seats))

    def close_deal(self, g: tricks.Rules, t: tricks.Table, events: list[Event]) -> tricks.Table:
        """Count the deal as played out, and score it."""
        return super().close_deal(g, t._replace(own=t.own._replace(played=t.own.played + 1)), events)

    def is_last_deal(self, g: tricks.Rules, t: tricks.Table) -> bool:
        """Whether the agreed number of deals was played out."""
        played: int = t.own.played
        return played >= self.deals

    def winners(self, g: tricks.Rules, t: tricks.Table) -> frozenset[Seat]:
        """Return the seats with the highest balance; none where all are level."""
        totals = t.match_state.totals
        return frozenset(seat for seat, total in enumerate(totals) if total == max(totals) > 0)

    def fault(self, g: tricks.Rules, t: tricks.Table) -> Fault | None:
        played, totals, open_ = t.own.played, t.match_state.totals, is_deal_running(g, t)
        at_least = int(bool(t.tricks) and not open_)
        if not at_least <= played <= t.match_state.deal - open_:
            return "played", "it counts the deals that were played out before this one"
        over = t.phase == self.end_phase
        if over != (played == self.deals) or played > self.deals or (over and not t.tricks):
            return "played", f"the match is over with the last card of {self.deals} deals"
        most = ALONE_WINS * self.stake * played
        if sum(totals) or any(abs(total) > most or total % self.stake for total in totals):
            return "totals", "balances are paid in stakes from seat to seat"
        return None


BIDDING_DIRECTION = choice_option(
    "bidding_direction",
    "Whether the word goes round in the order of play or against it; the play is anticlockwise all the same.",
    "S000: clockwise; S002: in turn; rulings ZI-R1, ZI-R24",
    {"anticlockwise": tuple, "clockwise": reversed},
)
ALL_PASS = tricks.all_pass("ruling ZI-R6")
STAKE = number_option("stake", "What one stake is worth.", BOTH_SOURCES, 1, 1, MAX_STAKE)
FIRST_DEALER = tricks.first_dealer(4, "ruling", lot=True)
MATCH_DEALS = number_option(
    "match_deals",
    "How many deals make the match; those that all passed are not counted.",
    "ruling",
    1,
    1,
    MAX_DEALS,
).of_length()


def rules(agreed: Choices) -> tricks.Rules:
    match = StakesMatch(agreed[ALL_PASS], agreed[STAKE], agreed[MATCH_DEALS])
    bidding = auction.Auction((CallCard(),), (CUCCO.hand(NUMBERS), PICTURES), direction=agreed[BIDDING_DIRECTION])
    return tricks.Rules(
        agreed,
        seating=tricks.alone(5),
        pack=CUCCO,
        order=tricks.Order(MATTO_ABOVE_NULLA, (HALF_POINTS, UNITS), SUITS),
        dealing=tricks.Dealing("deal", tricks.StartDeal((4, 4))),
        phases=(bidding, auction.PLAY_AND_REVEAL),
        series=match,
        following=tricks.FollowSuit(),
        layout=OpenSides(match=match),
        own=ZifuliRecord,
        carry_over=carry_played,
        first_dealer=agreed[FIRST_DEALER],
    )


ZIFULI = GameEntry(
    key="zifuli",
    place="Brescia and Bergamo",
    description="A trick game for five with the pack of Cucco: the caller names a card, whose holder is the ally.",
    sources=("S000", "S002"),
    players=(5,),
    options=(BIDDING_DIRECTION, ALL_PASS, STAKE, FIRST_DEALER, MATCH_DEALS),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (ZIFULI,)
