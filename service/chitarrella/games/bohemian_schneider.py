"""Bohemian Schneider: no trumps, and a card is beaten only by the next higher one, with three variations.

Source: S004; what it leaves open is from a web source or a ruling.
"""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as but

from chitarrella.cards import FRENCH_32, Hand
from chitarrella.games.briscola import BRISCOLA
from chitarrella.option import BadChoice, Option, words
from chitarrella.tricks.choices import first_dealer, seat_each
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.order import Count, Order
from chitarrella.tricks.play import Play
from chitarrella.tricks.table import Table
from chitarrella.tricks.taking import Taking
from chitarrella.tricks.tally import Pending, Tiers, kept
from chitarrella.words import Clause

PAGE = "S004, Bohemian Schneider"

CLAUSES = (
    Clause("SN-3.1", "Ace, King, Queen, Jack, Ten, 9, 8, 7 capture in this order, high to low.", PAGE),
    Clause("SN-3.2", "Cards count 11 for an Ace, 10 for a Ten, 4, 3, 2 for King, Queen, Jack: 120 in all; by the third variation each honour counts one: 20 in all.", PAGE),
    Clause("SN-3.3", "Each card has one next higher card of its suit: 8 for the 7, and so on to the Ace, which has none but, where that is agreed, the Seven.", PAGE),
    Clause("SN-4.1", "Each of the two seats gets two packets of three, the seat that does not deal first; the other twenty cards are the stock, and none is turned up.", PAGE),
    Clause("SN-4.2", "The deal alternates.", "web source"),
    Clause("SN-5.1", "The seat that did not deal leads first.", PAGE),
    Clause("SN-5.2", "Any card of one's own hand may be led, and any may follow, to the end.", PAGE),
    Clause("SN-5.3", "After each trick the winner draws a card, then the loser, while the stock lasts; the winner leads, and its last card goes to the loser of the tenth trick.", PAGE),
    Clause("SN-5.4", "Hands and drawn cards are private; tricks, the size of the stock and the tally are public.", PAGE),
    Clause("SN-5.5", "Every broken clause is named: match and phase first, then the turn, then possession; no other clause can be broken.", "ruling"),
    Clause("SN-6.1", "The second card wins only as the next higher card of the same suit; whatever else is played, the leader wins.", PAGE),
    Clause("SN-6.2", "By the second variation the next higher card of any suit captures.", PAGE),
    Clause("SN-6.3", "By the first variation an Ace that is led is captured by the Seven of its suit, or, where suits do not matter and that is agreed, of any suit.", "S004, variation 1; ruling SN-R4"),
    Clause("SN-6.4", "A Seven that is led falls to an Eight only.", "ruling SN-R5"),
    Clause("SN-7.1", "From 61 points the deal scores one game, from 91 two, for all 120 three; 60 each score nothing.", PAGE),
    Clause("SN-7.2", "From 11 honours the deal scores one game, from 16 two, for all 20 three; 10 each score nothing.", "S004, variation 3"),
    Clause("SN-7.3", "Games are tallied without end, or over an agreed even number of deals, scored or not: then the higher tally wins, and level tallies are a draw.", "web source; rulings SN-R13, SN-R22"),
)  # fmt: skip

RANKS = ("A", "K", "Q", "J", "T", "9", "8", "7")
POINTS = Count("card_points", {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2})
HONOURS = Count("honours", dict.fromkeys(("A", "K", "Q", "J", "T"), 1))
BY_POINTS = ((120, 3), (91, 2), (61, 1))
BY_HONOURS = ((20, 3), (16, 2), (11, 1))


@dataclass(frozen=True)
class NextHigher(Taking):
    """The second card wins as the next higher card; ``sevens`` says which Seven takes an Ace that was led."""

    any_suit: bool = False
    sevens: str = "off"

    def best(self, g: TrickGame, t: Table, cards: Hand) -> int:
        """Give the place of the winning card."""
        led, answer = cards[0], cards[-1]
        if led.rank == "A":
            captured = answer.rank == "7" and self.sevens != "off"
            return int(captured and (led.suit == answer.suit or self.sevens == "any_suit"))
        captured = g.strength[answer] == g.strength[led] + 1
        return int(captured and (self.any_suit or led.suit == answer.suit))


def taking(game: TrickGame) -> NextHigher:
    """Give the way cards are captured."""
    if not isinstance(game.taking, NextHigher):
        raise TypeError(game.key)
    return game.taking


def sevens(mode: str) -> Callable[[TrickGame], TrickGame]:
    """Say which Seven takes an Ace."""
    return lambda game: but(game, taking=but(taking(game), sevens=mode))


def any_suit(yes: bool) -> Callable[[TrickGame], TrickGame]:
    """Let suits matter, or not."""
    return lambda game: but(game, taking=but(taking(game), any_suit=yes))


def scored(count: Count, tiers: tuple[tuple[int, int], ...]) -> Callable[[TrickGame], TrickGame]:
    """Count the cards, and score the deal, in this way."""
    return lambda game: but(game, order=but(game.order, counts=(count,)), series=but(tally(game), tiers=tiers))


def tally(game: TrickGame) -> Tiers:
    """Give the way games are tallied."""
    if not isinstance(game.series, Tiers):
        raise TypeError(game.key)
    return game.series


def deals(game: TrickGame, value: str) -> TrickGame:
    """Play an even number of deals, so that each deals as often as the other."""
    if int(value) % 2:
        raise BadChoice("options.match_deals", f"{value} is odd; the seats deal in turn, so it must be even")
    return but(game, series=but(tally(game), deals=int(value)))


def sevens_without_suits(game: TrickGame) -> BadChoice | None:
    """Object to any Seven taking an Ace while suits matter."""
    if taking(game).sevens == "any_suit" and not taking(game).any_suit:
        return BadChoice("options.ace_by_seven", "any_suit needs any_suit_captures")
    return None


BOHEMIAN_SCHNEIDER = but(
    BRISCOLA,
    key="bohemian-schneider",
    title="Bohemian Schneider",
    place="Bohemia",
    pack=FRENCH_32,
    order=Order(RANKS, (POINTS,)),
    dealing=Dealing("await_deal", StartDeal((3, 3))),
    phases=(Play(),),
    series=Tiers(BY_POINTS),
    taking=NextHigher(),
    own=Pending,
    renewed=kept,
    spare="",
    seatings={2: lambda game: but(seat_each(game, 2), totals=2)},
    options=(
        words(
            "ace_by_seven",
            "Whether a Seven captures an Ace that was led, and which.",
            "S004, variation 1; ruling SN-R4",
            {mode: sevens(mode) for mode in ("off", "same_suit", "any_suit")},
            "off",
        ),
        words(
            "any_suit_captures",
            "Whether the next higher card captures whatever its suit.",
            "S004, variation 2",
            {"true": any_suit(True), "false": any_suit(False)},
            "false",
        ),
        words(
            "scoring",
            "Whether points are counted or honours.",
            "S004, variation 3",
            {"points": scored(POINTS, BY_POINTS), "honours": scored(HONOURS, BY_HONOURS)},
            "points",
        ),
        Option("match_deals", "How many deals make the match; 0 for no end.", "web source", "0", deals, least=0),
        first_dealer(1, "drawn by the caller"),
    ),
    conflicts=(sevens_without_suits,),
    own_clauses=CLAUSES,
    cites={"not_your_turn": "SN-5.3", "not_in_hand": "SN-5.2"},
)

GAMES = (BOHEMIAN_SCHNEIDER,)
