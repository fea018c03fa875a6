"""Bohemian Schneider: no trumps; only the next higher card captures; three variations.

Source: S004. A web source and rulings fill its gaps.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from chitarrella.core.cards import FRENCH_32, Card, Hand
from chitarrella.core.model import Clause
from chitarrella.core.options import InvalidOption, Option, bool_option, choice_option, require_part
from chitarrella.games.briscola import BRISCOLA
from chitarrella.tricks import option_builders as build
from chitarrella.tricks.base import Rules, Taking
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.game import TrickGame, keep_record
from chitarrella.tricks.match_formats import DoubledDeal, TieredMatch
from chitarrella.tricks.play import Play
from chitarrella.tricks.table import Table

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
    Clause("SN-5.4", "Hands and drawn cards are private; tricks, the size of the stock and the games won are public.", PAGE),
    Clause("SN-5.5", "Every broken clause is named: match and phase first, then the turn, then possession; no other clause can be broken.", "ruling"),
    Clause("SN-6.1", "The second card wins only as the next higher card of the same suit; whatever else is played, the leader wins.", PAGE),
    Clause("SN-6.2", "By the second variation the next higher card of any suit captures.", PAGE),
    Clause("SN-6.3", "By the first variation an Ace that is led is captured by the Seven of its suit, or, where suits do not matter and that is agreed, of any suit.", "S004, variation 1; ruling SN-R4"),
    Clause("SN-6.4", "A Seven that is led falls to an Eight only.", "ruling SN-R5"),
    Clause("SN-7.1", "From 61 points the deal scores one game, from 91 two, for all 120 three; 60 each score nothing.", PAGE),
    Clause("SN-7.2", "From 11 honours the deal scores one game, from 16 two, for all 20 three; 10 each score nothing.", "S004, variation 3"),
    Clause("SN-7.3", "Games are counted without end, or over an agreed even number of deals, scored or not: then who has won more games wins, and level is a draw.", "web source; rulings SN-R13, SN-R22"),
)  # fmt: skip

RANKS = ("A", "K", "Q", "J", "T", "9", "8", "7")
"""The ranks, the highest first."""
POINTS = Count("card_points", {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2})
"""The card points of each rank that has any."""
HONOURS = Count("honours", dict.fromkeys(("A", "K", "Q", "J", "T"), 1))
"""One for each of the five highest ranks."""
BY_POINTS = ((120, 3), (91, 2), (61, 1))
"""What a deal is worth: least card points and worth, the best first."""
BY_HONOURS = ((20, 3), (16, 2), (11, 1))
"""What a deal is worth by the other count: least honours and worth, the best first."""


Capture: TypeAlias = Callable[[Card, Card], bool]
"""Whether a card that was led may be captured by the answer, by their suits."""


def same_suit(led: Card, answer: Card) -> bool:
    """Return whether both are of one suit (SN-6.1)."""
    return led.suit == answer.suit


def any_suit(led: Card, answer: Card) -> bool:
    """Return True: suits do not matter (SN-6.2)."""
    return True


def never(led: Card, answer: Card) -> bool:
    """Return False: such a card is not captured."""
    return False


@dataclass(frozen=True)
class NextHigher(Taking):
    """The second card wins as the next higher card (SN-6.1 to SN-6.4).

    ``suits`` decides by suit whether a card captures the one that was led, ``sevens`` whether a Seven captures an Ace.
    """

    suits: Capture = same_suit
    sevens: Capture = never

    def best(self, g: Rules, t: Table, cards: Hand) -> int:
        led, answer = cards[0], cards[-1]
        if led.rank == "A":
            return int(answer.rank == "7" and self.sevens(led, answer))
        return int(g.cards.strength[answer] == g.cards.strength[led] + 1 and self.suits(led, answer))


def next_higher_of(game: TrickGame) -> NextHigher:
    """Return the way cards are captured; raises `TypeError` for another kind."""
    return require_part(game.key, game.taking, NextHigher)


def with_capture(**changes: Capture) -> Callable[[TrickGame], TrickGame]:
    """Change the fields of `NextHigher` that are given."""
    return lambda game: replace(game, taking=replace(next_higher_of(game), **changes))


def count_by(count: Count, tiers: tuple[tuple[int, int], ...]) -> Callable[[TrickGame], TrickGame]:
    """Set the count of the cards, and the tiers by which a deal is scored."""
    return lambda game: replace(
        game, order=replace(game.order, counts=(count,)), series=replace(tiered_match_of(game), tiers=tiers)
    )


def tiered_match_of(game: TrickGame) -> TieredMatch:
    """Return the match by tiers; raises `TypeError` for a game scored otherwise."""
    return require_part(game.key, game.series, TieredMatch)


def match_deals(game: TrickGame, value: str) -> TrickGame:
    """Set the number of deals; raises `InvalidOption` for an odd one, by which one seat would deal more often."""
    if int(value) % 2:
        raise InvalidOption("options.match_deals", f"{value} is odd; the seats deal in turn, so it must be even")
    return replace(game, series=replace(tiered_match_of(game), deals=int(value)))


def check_ace_by_seven(game: TrickGame) -> InvalidOption | None:
    """Conflict: a Seven of any suit captures an Ace, but suits matter otherwise."""
    taking = next_higher_of(game)
    if taking.sevens is any_suit and taking.suits is same_suit:
        return InvalidOption("options.ace_by_seven", "any_suit needs any_suit_captures")
    return None


BOHEMIAN_SCHNEIDER = replace(
    BRISCOLA,
    key="bohemian-schneider",
    title="Bohemian Schneider",
    place="Bohemia",
    description="A trick game for two in which only the next higher card of the same suit wins.",
    pack=FRENCH_32,
    order=Order(RANKS, (POINTS,)),
    dealing=Dealing("await_deal", StartDeal((3, 3))),
    phases=(Play(),),
    series=TieredMatch(BY_POINTS),
    taking=NextHigher(),
    own=DoubledDeal,
    carry_over=keep_record,
    spare=(),
    seatings={2: build.seat_with_totals(2)},
    options=(
        choice_option(
            "ace_by_seven",
            "Whether a Seven captures an Ace that was led, and which.",
            "S004, variation 1; ruling SN-R4",
            {
                "off": with_capture(sevens=never),
                "same_suit": with_capture(sevens=same_suit),
                "any_suit": with_capture(sevens=any_suit),
            },
        ),
        bool_option(
            "any_suit_captures",
            "Whether the next higher card captures whatever its suit.",
            "S004, variation 2",
            with_capture(suits=any_suit),
        ),
        choice_option(
            "scoring",
            "Whether points are counted or honours.",
            "S004, variation 3",
            {"points": count_by(POINTS, BY_POINTS), "honours": count_by(HONOURS, BY_HONOURS)},
        ),
        Option(
            "match_deals", "How many deals make the match; 0 for no end.", "web source", "0", match_deals, minimum=0
        ),
        build.first_dealer(1, "drawn by the caller"),
    ),
    conflicts=(check_ace_by_seven,),
    own_clauses=CLAUSES,
    citations={"not_in_hand": "SN-5.2"},
)

GAMES = (BOHEMIAN_SCHNEIDER,)
