"""Zifuli of Brescia and Bergamo: Cöch for five, with an auction by calling a card; its other copy is the secret ally.

The rules rest on S000 and its enlarged German version S002; what they leave open is ruled, and the rulings are named in
the clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from dataclasses import replace as but
from typing import NamedTuple

from chitarrella.games.coech import COECH, MATTO_ABOVE_NULLA, NUMBERS, ranking
from chitarrella.option import BadChoice, numbers, words
from chitarrella.tricks.act import Act
from chitarrella.tricks.ally import PlayAndReveal, SecretAlly, ally, laid_by, soloist
from chitarrella.tricks.arrangement import running
from chitarrella.tricks.auction import CALL_NOT_LOWER, Auction, Bid, Talk, spoken
from chitarrella.tricks.choices import dealer_sits_here, first_dealer, phase_with, seat_each
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.play import Play
from chitarrella.tricks.reckoning import MOST, Counted
from chitarrella.tricks.solo import Solo, all_pass, solo_with
from chitarrella.tricks.soundness import Fault
from chitarrella.tricks.table import Table
from chitarrella.words import EVERYBODY, Clause, Clue, Event, Eyes, Fact, Form, Move, Reason, Refusal, Seat, public

BOTH = "S000, S002"

CLAUSES = (
    Clause("ZI-1", "Five play, each for himself from deal to deal; the next seat sits at the right hand.", BOTH),
    Clause("ZI-2", "The numbers I to X are one suit, the pictures the other; of each face there are two copies, which are alike.", BOTH),
    Clause("ZI-3", "Numbers rank from I up to X; pictures mask, bucket, zero, Matto, XI, XII, XIII, XIV, XV, lion, lowest first; in tricks and in the auction.", BOTH),
    Clause("ZI-4", "Half-points and units are those of Cöch, 38 and 82 in the pack; the Matto counts nothing wherever it ranks.", BOTH),
    Clause("ZI-5", "Each seat gets two packets of four cards, the dealer last; nothing is left over.", BOTH),
    Clause("ZI-6", "The next dealer is the seat after the dealer; after a deal that all passed the same one deals again where that is agreed; after the last deal the dealer stays named.", "S000; ruling ZI-R6"),
    Clause("ZI-7", "Eldest speaks first, then the others in the order of play, or against it where that is agreed, round after round.", "S002, S000; ruling ZI-R1"),
    Clause("ZI-8", "Who has passed does not speak again in this auction; the last call stands until a better one is made.", BOTH),
    Clause("ZI-9", "A call names a face of which the caller holds a copy: the first any face, each later one a lower face of the same suit than the last.", "S000, S002; rulings ZI-R3, ZI-R4, ZI-R10"),
    Clause("ZI-10", "Whoever is asked may pass, also the last when nobody has called.", "ruling ZI-R5"),
    Clause("ZI-11", "A face may be called with both copies in the hand, and nobody is told.", BOTH),
    Clause("ZI-12", "The word goes to the next seat that has not passed; who made the last call is not asked to better it.", "ruling ZI-R7"),
    Clause("ZI-13", "When a call stands and all others have passed, its maker is the caller.", BOTH),
    Clause("ZI-14", "A call of the lowest face of its suit ends the auction at once.", "ruling ZI-R9"),
    Clause("ZI-15", "If all pass, the cards are thrown in unseen.", "ruling ZI-R6"),
    Clause("ZI-16", "A seat that can call nothing still passes by itself, so that nobody learns of it.", "ruling ZI-R22"),
    Clause("ZI-17", "The called face stays as it was called.", BOTH),
    Clause("ZI-18", "Who holds the other copy of the called face is the caller's ally against three; a caller with both copies plays alone against four.", BOTH),
    Clause("ZI-19", "Nobody may say who is with whom, and no card may be played or not for it.", "S002"),
    Clause("ZI-20", "Eldest leads to the first of eight tricks; a suit that was led must be followed while the hand holds it, otherwise any card may be played.", "S000, S002; ruling ZI-R2"),
    Clause("ZI-21", "The sides are public from the card on that settles them: the ally's copy of the called face, or the second copy of a lone caller.", "S000, S002; rulings ZI-R12, ZI-R13"),
    Clause("ZI-22", "Match and phase are checked first, then the turn, then possession, then the suit of a call, its rank, or the suit to follow.", "ruling"),
    Clause("ZI-23", "Until then nobody sees, hears or may do anything that would tell the sides, but for what the own hand tells; points are shown seat by seat.", "S002; rulings ZI-R14, ZI-R18"),
    Clause("ZI-24", "The highest card of the suit led takes the trick, of two equal ones the first; its seat leads next, and the called face has no power of its own.", BOTH),
    Clause("ZI-25", "What caller and ally have taken counts together, and what the others have.", BOTH),
    Clause("ZI-26", "More half-points win; where they are level more units; where those are level too nobody wins.", "S000, S002; rulings ZI-R15, ZI-R16, ZI-R17"),
    Clause("ZI-27", "With an ally the caller wins two stakes, the ally one, each opponent loses one; alone he wins eight, each opponent loses two; if they lose, the signs are reversed.", BOTH),
    Clause("ZI-28", "The match is over after as many deals as agreed, those that all passed left out; balances add up, and the highest wins, shared where it is level, unless all are.", "ruling"),
)  # fmt: skip

CALL_OTHER_SUIT = Reason("call_other_suit", "The first call was of the {word}, and a call must be of the same suit.")

PICTURES = tuple(rank for rank in MATTO_ABOVE_NULLA if rank not in NUMBERS)
ALONE, AGAINST_FOUR, CALLER = 8, 2, 2
"""Stakes: what a lone caller wins of four opponents, what each of them pays, and what a caller with an ally wins."""
WIDEST = 2**31 - 1
"""No balance may ever need more than 32 bits."""


class Contract(NamedTuple):
    """The auction, and how many deals of the match were played out before the present one is."""

    talk: Talk = Talk()
    played: int = 0

    def called(self, t: Table) -> str:
        """Name the called face; while the auction goes on there is none."""
        return "" if t.phase == "auction" else self.talk.bid


def counting_on(own: Contract) -> Contract:
    """Forget the auction, and carry the number of deals into the next one."""
    return Contract(played=own.played)


@dataclass(frozen=True)
class CallCard(Act):
    """A seat calls a face of which it holds a copy."""

    form = Form(
        "call_card", "Call a card of the own hand, lower than the last call and of its suit.", frozenset(), (1, 1)
    )
    reasons = (CALL_OTHER_SUIT, CALL_NOT_LOWER)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterator[Move]:
        """Offer every face of the hand once."""
        return (Move("call_card", (card,)) for card in dict.fromkeys(t.hands[seat]))

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to a face that is not held, to the other suit, and to a face that is not lower."""
        lacking = self.possession(g, t, seat, move)
        card, last = move.cards[0], t.own.talk.bid
        if not last:
            return lacking
        suit = g.suit[g.pack.card(last)]
        if g.suit[card] != suit:
            return (*lacking, g.refuse(CALL_OTHER_SUIT, word=suit))
        if g.strength[card] >= g.strength[g.pack.card(last)]:
            return (*lacking, g.refuse(CALL_NOT_LOWER, word=card))
        return lacking

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Take the call."""
        tell.append(public("card_called", seat, move.cards))
        return spoken(g, t, Bid(seat, move.cards[0]), tell)


@dataclass(frozen=True)
class OpenSides(SecretAlly):
    """As soon as the sides are known, what each has taken is told; after the deal, what it was worth."""

    def together(self, g: TrickGame, t: Table, side: frozenset[Seat]) -> Iterable[Fact]:
        """Say beside each seat what its side has taken, count by count, and in the end what the seat is paid."""
        series = stakes(g)
        sides = series.sides(g, side)
        counted = g.reckoning.by_side(g, t, sides)
        for seat, of in enumerate(sides):
            for count, taken in zip(g.order.counts, counted[of], strict=True):
                yield Fact(f"side_{count.name}", taken, seat, EVERYBODY)
        if not running(g, t):
            worth = series.worth(g, t, ally(g, t).seat, series.made(g, t, side, counted))
            for seat, paid in enumerate(worth):
                yield Fact("payment", paid, seat, EVERYBODY)

    def clues(self, g: TrickGame, t: Table, eyes: Eyes) -> Iterator[Clue]:
        """Say that a seat holds what it called, until it has played it."""
        yield from super().clues(g, t, eyes)
        for bid in t.own.talk.said:
            if bid.word and bid.seat not in laid_by(g, t, bid.word):
                yield Clue(("hand",), bid.seat, frozenset({g.pack.card(bid.word)}), 1)

    def cards_fault(self, g: TrickGame, t: Table) -> Fault | None:
        """Check also that every seat held what it called."""
        if fault := super().cards_fault(g, t):
            return fault
        for bid in t.own.talk.said:
            held = t.hands and bid.word in t.hands[bid.seat]
            if bid.word and not held and bid.seat not in laid_by(g, t, bid.word):
                return "talk", "a seat calls a card that it holds"
        return None


@dataclass(frozen=True)
class Stakes(Solo):
    """Contracts for ``stake``, over so many ``deals``; the deals that were played out are counted."""

    stake: int = 1
    deals: int = 1
    over: str = "match_over"

    @property
    def most(self) -> int:
        """Say how much a seat can win or lose: in every deal alone."""
        return ALONE * self.stake * min(self.deals, MOST)

    def sides(self, g: TrickGame, side: frozenset[Seat]) -> tuple[int, ...]:
        """Count the caller's side together, side 0, and the others."""
        return tuple(int(seat not in side) for seat in range(g.seats))

    def made(self, g: TrickGame, t: Table, side: frozenset[Seat], counted: Counted) -> bool | None:
        """Tell whether the caller's side has more; None where both counts are level."""
        winner = g.reckoning.winner(g, t, counted)
        return None if winner is None else winner == 0

    def worth(self, g: TrickGame, t: Table, friend: Seat, made: bool | None) -> tuple[int, ...]:
        """Pay the stakes, or take them back."""
        alone = soloist(t)
        won = {friend: 1, alone: ALONE if alone == friend else CALLER}
        against = -AGAINST_FOUR if alone == friend else -1
        factor = 0 if made is None else self.stake if made else -self.stake
        return tuple(factor * won.get(seat, against) for seat in range(g.seats))

    def close(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Count the deal, and settle it."""
        return super().close(g, t._replace(own=t.own._replace(played=t.own.played + 1)), tell)

    def ended(self, g: TrickGame, t: Table) -> bool:
        """Tell whether enough deals were played out."""
        played: int = t.own.played
        return played >= self.deals

    def winners(self, g: TrickGame, t: Table) -> frozenset[Seat]:
        """Name the seats with the highest balance; nobody where all are level."""
        totals = t.standing.totals
        return frozenset(seat for seat, total in enumerate(totals) if total == max(totals) > 0)

    def fault(self, g: TrickGame, t: Table) -> Fault | None:
        """Object to a number of deals, or to balances, that no match of this length can have come to."""
        played, totals, open_ = t.own.played, t.standing.totals, running(g, t)
        at_least = int(bool(t.tricks) and not open_)
        if not at_least <= played <= t.standing.deal - open_:
            return "played", "it counts the deals that were played out before this one"
        over = t.phase == self.over
        if over != (played == self.deals) or played > self.deals or (over and not t.tricks):
            return "played", f"the match is over with the last card of {self.deals} deals"
        most = ALONE * self.stake * played
        if sum(totals) or any(abs(total) > most or total % self.stake for total in totals):
            return "totals", "balances are paid in stakes from seat to seat"
        return None


def stakes(game: TrickGame) -> Stakes:
    """Give the match for stakes that a game is played in."""
    if not isinstance(game.series, Stakes):
        raise TypeError(f"{game.key} is not played for stakes")
    return game.series


def stakes_fit(game: TrickGame) -> BadChoice | None:
    """Object to a stake so high that the balance of a whole match could not be told."""
    if stakes(game).most <= WIDEST:
        return None
    return BadChoice("options.stake", f"in so many deals a seat could win or lose more than {WIDEST}")


def five(game: TrickGame) -> TrickGame:
    """Seat five, each for himself."""
    return but(seat_each(game, 5), totals=5)


def bidding(backwards: bool) -> Callable[[TrickGame], TrickGame]:
    """Let the word go round with the order of play or against it."""
    return phase_with(Auction, backwards=backwards)


ZIFULI = but(
    ranking(MATTO_ABOVE_NULLA)(COECH),
    key="zifuli",
    title="Zifuli",
    place="Brescia and Bergamo",
    dealing=Dealing("deal", StartDeal((4, 4))),
    phases=(Auction((CallCard(),), (NUMBERS, PICTURES)), Play(card=PlayAndReveal())),
    series=Stakes(),
    layout=OpenSides(),
    own=Contract,
    renewed=counting_on,
    names_seats=False,
    seatings={5: five},
    options=(
        words(
            "bidding_direction",
            "Whether the word goes round in the order of play or against it; the play is anticlockwise all the same.",
            "S000: clockwise; S002: in turn; rulings ZI-R1, ZI-R24",
            {"anticlockwise": bidding(False), "clockwise": bidding(True)},
            "anticlockwise",
        ),
        all_pass("ruling ZI-R6"),
        numbers("stake", "What one stake is worth.", BOTH, lambda g, n: solo_with(stake=n)(g), 1, least=1),
        first_dealer(4, "ruling", lot=True),
        numbers(
            "match_deals",
            "How many deals make the match; those that all passed are not counted.",
            "ruling",
            lambda g, n: solo_with(deals=n)(g),
            1,
            least=1,
        ),
    ),
    conflicts=(dealer_sits_here, stakes_fit),
    own_clauses=CLAUSES,
    cites={
        "bad_dealer": "ZI-1",
        "not_your_turn": "ZI-22",
        "not_in_hand": "ZI-20",
        "call_card not_in_hand": "ZI-9",
        "call_other_suit": "ZI-9",
        "call_not_lower": "ZI-9",
        "must_follow_suit": "ZI-20",
    },
)

GAMES = (ZIFULI,)
