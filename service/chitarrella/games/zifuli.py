"""Zifuli of Brescia and Bergamo: Cöch for five with an auction by calling a card; its other copy is the secret ally.

Sources: S000 and its enlarged German version S002. Rulings fill their gaps; the clauses name them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from chitarrella.core.cards import CUCCO, Card
from chitarrella.core.model import (
    EVERYBODY,
    Clause,
    Event,
    Fact,
    Inference,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    Viewer,
    public_event,
)
from chitarrella.core.options import Choices, GameEntry, choice_option, number_option
from chitarrella.games.coech import HALF_POINTS, MATTO_ABOVE_NULLA, NUMBERS, SUITS, UNITS
from chitarrella.tricks import auction
from chitarrella.tricks.card_values import Order
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.following import FollowSuit
from chitarrella.tricks.layout import SecretAllyLayout
from chitarrella.tricks.match_formats import SoloContract
from chitarrella.tricks.options import all_pass, first_dealer
from chitarrella.tricks.parts import Action, CardCounts, Fault, is_deal_running
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.seating import alone
from chitarrella.tricks.table import Table

BOTH_SOURCES = "S000, S002"

CLAUSES = (
    Clause("ZI-1", "Five play, each for himself from deal to deal; the next seat sits at the right hand.", BOTH_SOURCES),
    Clause("ZI-2", "The numbers I to X are one suit, the pictures the other; of each face there are two copies, which are alike.", BOTH_SOURCES),
    Clause("ZI-3", "Numbers rank from I up to X; pictures mask, bucket, zero, Matto, XI, XII, XIII, XIV, XV, lion, lowest first; in tricks and in the auction.", BOTH_SOURCES),
    Clause("ZI-4", "Half-points and units are those of Cöch, 38 and 82 in the pack; the Matto counts nothing wherever it ranks.", BOTH_SOURCES),
    Clause("ZI-5", "Each seat gets two packets of four cards, the dealer last; nothing is left over.", BOTH_SOURCES),
    Clause("ZI-6", "The first dealer is agreed or drawn from the five seats, the next one is the seat after the dealer; after a deal that all passed the same one deals again where that is agreed; after the last deal the dealer stays named.", "S000; ruling ZI-R6"),
    Clause("ZI-7", "Eldest speaks first, then the others in the order of play, or against it where that is agreed, round after round.", "S002, S000; ruling ZI-R1"),
    Clause("ZI-8", "Who has passed does not speak again in this auction; the last call stands until a better one is made.", BOTH_SOURCES),
    Clause("ZI-9", "A call names a face of which the caller holds a copy: the first any face, each later one a lower face of the same suit than the last.", "S000, S002; rulings ZI-R3, ZI-R4, ZI-R10"),
    Clause("ZI-10", "Whoever is asked may pass, also the last when nobody has called.", "ruling ZI-R5"),
    Clause("ZI-11", "A face may be called with both copies in the hand, and nobody is told.", BOTH_SOURCES),
    Clause("ZI-12", "The word goes to the next seat that has not passed; who made the last call is not asked to better it.", "ruling ZI-R7"),
    Clause("ZI-13", "When a call stands and all others have passed, its maker is the caller.", BOTH_SOURCES),
    Clause("ZI-14", "A call of the lowest face of its suit ends the auction at once.", "ruling ZI-R9"),
    Clause("ZI-15", "If all pass, the cards are thrown in unseen.", "ruling ZI-R6"),
    Clause("ZI-16", "A seat that can call nothing still passes by itself, so that nobody learns of it.", "ruling ZI-R22"),
    Clause("ZI-17", "The called face stays as it was called.", BOTH_SOURCES),
    Clause("ZI-18", "Who holds the other copy of the called face is the caller's ally against three; a caller with both copies plays alone against four.", BOTH_SOURCES),
    Clause("ZI-19", "Nobody may say who is with whom, and no card may be played or not for it.", "S002"),
    Clause("ZI-20", "Eldest leads to the first of eight tricks; a suit that was led must be followed while the hand holds it, otherwise any card may be played.", "S000, S002; ruling ZI-R2"),
    Clause("ZI-21", "The sides are public from the card on that settles them: the ally's copy of the called face, or the second copy of a lone caller.", "S000, S002; rulings ZI-R12, ZI-R13"),
    Clause("ZI-22", "Match and phase are checked first, then the turn, then possession, then the suit of a call, its rank, or the suit to follow.", "ruling"),
    Clause("ZI-23", "Until then nobody sees, hears or may do anything that would tell the sides, but for what the own hand tells; points are shown seat by seat.", "S002; rulings ZI-R14, ZI-R18"),
    Clause("ZI-24", "The highest card of the suit led takes the trick, of two equal ones the first; its seat leads next, and the called face has no power of its own.", BOTH_SOURCES),
    Clause("ZI-25", "What caller and ally have taken counts together, and what the others have.", BOTH_SOURCES),
    Clause("ZI-26", "More half-points win; where they are level more units; where those are level too nobody wins.", "S000, S002; rulings ZI-R15, ZI-R16, ZI-R17"),
    Clause("ZI-27", "With an ally the caller wins two stakes, the ally one, each opponent loses one; alone he wins eight, each opponent loses two; if they lose, the signs are reversed.", BOTH_SOURCES),
    Clause("ZI-28", "The match is finished after as many deals as agreed, those that all passed left out; balances add up, and the highest wins, shared where it is level, unless all are.", "ruling"),
)  # fmt: skip

CALL_OTHER_SUIT = Reason("call_other_suit", "The first call was of the {word}, and a call must be of the same suit.")

PICTURES = tuple(rank for rank in MATTO_ABOVE_NULLA if rank not in NUMBERS)
"""The pictures, the highest first."""
LONE_CALLER_WINS, LONE_CALLER_COSTS, CALLER_WINS = 8, 2, 2
"""In stakes: what a lone caller wins of four, what each of these pays, and what a caller with an ally wins."""
MAX_STAKE = MAX_DEALS = 10_000
"""The greatest stake and the greatest number of deals: a balance fits into 32 bits, whatever happens in a match."""


class ZifuliRecord(NamedTuple):
    """The auction, and the number of deals of the match that were played out before this one (ZI-13, ZI-28)."""

    talk: auction.Bidding = auction.Bidding()
    played: int = 0

    def called(self, g: Rules, t: Table) -> Card | None:
        """Return the called face; None during the auction, and where nobody has called."""
        bid = self.talk.bid
        return g.pack.card(bid) if bid and t.phase != "auction" else None


def carry_played(own: ZifuliRecord) -> ZifuliRecord:
    """Keep the number of deals for the next deal, and drop the auction."""
    return ZifuliRecord(played=own.played)


@dataclass(frozen=True)
class CallCard(Action):
    """Call a face of which the seat holds a copy (ZI-9)."""

    spec = MoveSpec(
        "call_card", "Call a card of the own hand, lower than the last call and of its suit.", frozenset(), (1, 1)
    )
    reasons = (CALL_OTHER_SUIT, auction.CALL_NOT_LOWER)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterator[Move]:
        return (Move("call_card", (card,)) for card in dict.fromkeys(t.hands[seat]))

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a face not held, of another suit than the first call, or not lower than the last."""
        refusals = self.possession(g, t, seat, move)
        card, last = move.cards[0], t.own.talk.bid
        if not last:
            return refusals
        suit = g.cards.suit[g.pack.card(last)]
        if g.cards.suit[card] != suit:
            return (*refusals, g.refuse(CALL_OTHER_SUIT, word=suit))
        if g.cards.strength[card] >= g.cards.strength[g.pack.card(last)]:
            return (*refusals, g.refuse(auction.CALL_NOT_LOWER, word=card))
        return refusals

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        events.append(public_event("card_called", seat, move.cards))
        return auction.record_bid(g, t, auction.Bid(seat, move.cards[0]), events)


def calls(g: Rules, t: Table) -> Iterator[tuple[Seat, Card]]:
    """Yield every call of the auction: the seat and the face."""
    return ((bid.seat, g.pack.card(bid.word)) for bid in t.own.talk.bids if bid.word)


@dataclass(frozen=True, kw_only=True)
class OpenSides(SecretAllyLayout):
    """The counts of each side are public once the sides are known (ZI-21, ZI-23), after the deal also the payments."""

    match: StakesMatch

    def side_facts(self, g: Rules, t: Table, side: frozenset[Seat]) -> Iterable[Fact]:
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

    def inferences(self, g: Rules, t: Table, viewer: Viewer) -> Iterator[Inference]:
        """A seat holds what it called until it has played it."""
        yield from super().inferences(g, t, viewer)
        for seat, card in calls(g, t):
            if seat not in auction.seats_that_played(g, t, card):
                yield Inference(("hand",), seat, frozenset({card}), 1)

    def cards_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check also that every seat held what it called."""
        if fault := super().cards_fault(g, t):
            return fault
        for seat, card in calls(g, t):
            held = t.hands and card in t.hands[seat]
            if not held and seat not in auction.seats_that_played(g, t, card):
                return "talk", "a seat calls a card that it holds"
        return None


@dataclass(frozen=True)
class StakesMatch(SoloContract):
    """Contracts for ``stake`` over a number of ``deals``; only those played out count (ZI-26 to ZI-28)."""

    stake: int
    deals: int
    end_phase: str = "match_over"

    @property
    def max_balance(self) -> int:
        """The most that a seat can win or lose: alone in every deal."""
        return LONE_CALLER_WINS * self.stake * self.deals

    def counting_sides(self, g: Rules, side: frozenset[Seat]) -> tuple[int, ...]:
        """Return the side of each seat for counting: 0 for the caller's, 1 for the others."""
        return tuple(int(seat not in side) for seat in range(g.seats))

    def is_made(self, g: Rules, t: Table, side: frozenset[Seat], counted: CardCounts) -> bool | None:
        """Whether the caller's side has more; None where both counts are level."""
        winner = g.deal_scoring.winner(g, t, counted)
        return None if winner is None else winner == 0

    def deal_scores(self, g: Rules, t: Table, friend: Seat, made: bool | None) -> tuple[int, ...]:
        """Return what each seat is paid; negative for a loss."""
        alone = auction.soloist(t)
        won = {friend: 1, alone: LONE_CALLER_WINS if alone == friend else CALLER_WINS}
        against = -LONE_CALLER_COSTS if alone == friend else -1
        factor = 0 if made is None else self.stake if made else -self.stake
        return tuple(factor * won.get(seat, against) for seat in range(g.seats))

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Count the deal as played out, and score it."""
        return super().close_deal(g, t._replace(own=t.own._replace(played=t.own.played + 1)), events)

    def is_last_deal(self, g: Rules, t: Table) -> bool:
        """Whether the agreed number of deals was played out."""
        played: int = t.own.played
        return played >= self.deals

    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        """Return the seats with the highest balance; none where all are level."""
        totals = t.match_state.totals
        return frozenset(seat for seat, total in enumerate(totals) if total == max(totals) > 0)

    def fault(self, g: Rules, t: Table) -> Fault | None:
        played, totals, open_ = t.own.played, t.match_state.totals, is_deal_running(g, t)
        at_least = int(bool(t.tricks) and not open_)
        if not at_least <= played <= t.match_state.deal - open_:
            return "played", "it counts the deals that were played out before this one"
        over = t.phase == self.end_phase
        if over != (played == self.deals) or played > self.deals or (over and not t.tricks):
            return "played", f"the match is over with the last card of {self.deals} deals"
        most = LONE_CALLER_WINS * self.stake * played
        if sum(totals) or any(abs(total) > most or total % self.stake for total in totals):
            return "totals", "balances are paid in stakes from seat to seat"
        return None


BIDDING_DIRECTION = choice_option(
    "bidding_direction",
    "Whether the word goes round in the order of play or against it; the play is anticlockwise all the same.",
    "S000: clockwise; S002: in turn; rulings ZI-R1, ZI-R24",
    {"anticlockwise": tuple, "clockwise": reversed},
)
ALL_PASS = all_pass("ruling ZI-R6")
STAKE = number_option("stake", "What one stake is worth.", BOTH_SOURCES, 1, 1, MAX_STAKE)
FIRST_DEALER = first_dealer(4, "ruling", lot=True)
MATCH_DEALS = number_option(
    "match_deals",
    "How many deals make the match; those that all passed are not counted.",
    "ruling",
    1,
    1,
    MAX_DEALS,
)


def rules(agreed: Choices) -> Rules:
    match = StakesMatch(agreed[ALL_PASS], agreed[STAKE], agreed[MATCH_DEALS])
    bidding = auction.Auction((CallCard(),), (NUMBERS, PICTURES), direction=agreed[BIDDING_DIRECTION])
    return Rules(
        agreed,
        seating=alone(5),
        pack=CUCCO,
        order=Order(MATTO_ABOVE_NULLA, (HALF_POINTS, UNITS), SUITS),
        dealing=Dealing("deal", StartDeal((4, 4))),
        phases=(bidding, auction.PLAY_AND_REVEAL),
        series=match,
        following=FollowSuit(),
        layout=OpenSides(match=match),
        own=ZifuliRecord,
        carry_over=carry_played,
        first_dealer=agreed[FIRST_DEALER],
    )


ZIFULI = GameEntry(
    key="zifuli",
    title="Zifuli",
    place="Brescia and Bergamo",
    description="A trick game for five with the pack of Cucco: the caller names a card, whose holder is the ally.",
    sources=("S000", "S002"),
    players=(5,),
    options=(BIDDING_DIRECTION, ALL_PASS, STAKE, FIRST_DEALER, MATCH_DEALS),
    rules=rules,
    own_clauses=CLAUSES,
    citations={
        "bad_dealer": "ZI-6",
        "call_card not_in_hand": "ZI-9",
        "call_other_suit": "ZI-9",
        "call_not_lower": "ZI-9",
        "must_follow_suit": "ZI-20",
    },
)

GAMES = (ZIFULI,)
