"""Hundredogen: a race to 101 points, one card at a time, with a turned-up trump.

Source: S004, which says how it differs from Harjan. Parts taken over from there were partly reconstructed (see
`harjan`); their clauses say so.
"""

from chitarrella.core.cards import FRENCH_36
from chitarrella.core.model import Clause
from chitarrella.core.options import (
    Choices,
    GameEntry,
    InvalidOption,
    Option,
    bool_option,
    choice_option,
    number_option,
)
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.dealing import Dealing, turn_up_next
from chitarrella.tricks.following import JackOrder, JackPoints, Jacks, JacksOnTop
from chitarrella.tricks.layout import CommonLayout, after_deal, always
from chitarrella.tricks.match_formats import GAME_OVER, Race, RaceScore, StartDealOrGame, TargetReached
from chitarrella.tricks.options import first_dealer
from chitarrella.tricks.parts import Taking
from chitarrella.tricks.play import Play
from chitarrella.tricks.rules import Rules, keep_record
from chitarrella.tricks.seating import alone

PAGE = "S004, Hundredogen"
FROM_HARJAN = "reconstructed from Harjan"

CLAUSES = (
    Clause("HU-3.1", "There are 36 cards; Ace, Ten, King, Queen, Jack, 9, 8, 7, 6 rank in this order.", PAGE),
    Clause("HU-3.2", "Cards count 11, 10, 4, 3, 2 and nothing, 120 in all; with ten for the last trick a deal holds 130.", "S004, Hundredogen and Harjan; rulings HU-R1, HU-R2"),
    Clause("HU-3.3", "Where agreed, the trump Jack and the other Jack of its colour, a trump too, are the highest trumps and count 12 each: a deal holds 150.", PAGE),
    Clause("HU-4.1", "Each of the two seats gets three cards in one packet, eldest first.", "S004, Hundredogen; ruling HU-R6"),
    Clause("HU-4.2", "The next card is turned up: its suit is trumps, and it lies last in the stock of thirty.", FROM_HARJAN),
    Clause("HU-4.3", "The deal alternates, from game to game as well.", FROM_HARJAN),
    Clause("HU-5.1", "Eldest leads to the first trick; a pack after a game is over opens the next one.", FROM_HARJAN),
    Clause("HU-5.2", "Any one card of one's own hand may be led, and any may follow.", PAGE),
    Clause("HU-5.3", "After the trick the winner draws a card, then the loser, who gets the turn-up after the fifteenth; the winner leads.", FROM_HARJAN),
    Clause("HU-5.4", "There are eighteen tricks; the last three are played without drawing.", FROM_HARJAN),
    Clause("HU-5.5", "Turn-up, size of the stock, tricks, totals and games are public; points are told when the deal is over, or with each trick where that can end the game.", FROM_HARJAN),
    Clause("HU-5.6", "Every broken clause is named: phase first, then the turn, then possession; no other clause can be broken.", "ruling"),
    Clause("HU-6.1", "The second card wins as a higher card of the suit led, or as a trump on a plain lead; else the leader wins.", FROM_HARJAN),
    Clause("HU-7.1", "After each deal its points, with ten for the last trick, are added to the totals of the game.", "S004, Harjan"),
    Clause("HU-7.2", "The higher of totals that have reached the target wins the game, and level ones play on: three where the loser has no trick in the game, two where his total is below the threshold, else one.", "S004, Harjan; rulings HA-R21 to HA-R24"),
    Clause("HU-7.3", "Without other agreements a game that is won in its first deal counts two at least.", "follows from HU-3.2 and HU-7.2"),
    Clause("HU-7.4", "After a game its totals stay in view until the next pack opens a new one from nothing; games are counted without end. Where the target is looked at after each trick, its winner wins the game at once when he has reached it, and nobody draws.", "S004, Harjan; ruling HA-R20"),
)  # fmt: skip

CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
"""The card points of each rank that has any."""
RANKS = ("A", "T", "K", "Q", "J", "9", "8", "7", "6")
"""The ranks from the strongest to the weakest."""
JACKS = Jacks("J", {"c": "s", "s": "c", "d": "h", "h": "d"})
"""The Jacks, and the two black and the two red suits."""
JACKS_ON_TOP = JackOrder(RANKS, (JackPoints("card_points", CARD_POINTS, JACKS),), jacks=JACKS)
"""The order in which the two Jacks of the trump colour are the highest trumps."""


def target(points: int) -> Option[int]:
    """Build the option how many points win a game, by default ``points``."""
    return number_option("target", "How many points win a game.", PAGE, points, 1, 1000)


JACKS_TOP = bool_option("jacks_top", "Whether the two Jacks of the trump colour are the highest trumps.", PAGE)
TARGET = target(101)
JAN_THRESHOLD: Option[int | None] = number_option(
    "jan_threshold",
    "Below how many points the loser loses two; by default 30, or the target where that is less.",
    "S004; ruling HA-R33",
    "default",
    0,
    1000,
    {"default": None},
)
TARGET_CHECK = choice_option(
    "target_check",
    "Whether the target is looked at after each deal, or after each trick.",
    "ruling HA-R20",
    {"end_of_deal": False, "immediate": True},
)
FIRST_DEALER = first_dealer(1, "drawn by the caller")


def race_to(target: int, jan: int | None) -> Race:
    """Return the race to a target; ``jan`` is by default 30, or the target where that is less."""
    if jan is not None and jan > target:
        raise InvalidOption("options.jan_threshold", "it cannot be above the target")
    return Race(target, min(30, target) if jan is None else jan)


def rules(agreed: Choices) -> Rules:
    start = StartDealOrGame((3,), turn_up_next)
    order = JACKS_ON_TOP if agreed[JACKS_TOP] else Order(RANKS, (Count("card_points", CARD_POINTS),))
    return Rules(
        agreed,
        seating=alone(2),
        pack=FRENCH_36,
        order=order,
        dealing=Dealing("await_deal", start),
        phases=(Play(),),
        between=(Dealing(GAME_OVER, start),),
        series=race_to(agreed[TARGET], agreed[JAN_THRESHOLD]),
        taking=JacksOnTop(JACKS_ON_TOP) if agreed[JACKS_TOP] else Taking(),
        trick_effects=(TargetReached(agreed[TARGET]),) if agreed[TARGET_CHECK] else (),
        layout=CommonLayout(shows_points=always if agreed[TARGET_CHECK] else after_deal),
        own=RaceScore,
        carry_over=keep_record,
        first_dealer=agreed[FIRST_DEALER],
    )


HUNDREDOGEN = GameEntry(
    key="hundredogen",
    title="Hundredogen",
    place="Scandinavia",
    description="A Scandinavian trick game for two with draws and trumps, in which the last trick counts ten.",
    sources=("S004",),
    players=(2,),
    options=(JACKS_TOP, TARGET, JAN_THRESHOLD, TARGET_CHECK, FIRST_DEALER),
    rules=rules,
    own_clauses=CLAUSES,
    citations={"not_in_hand": "HU-5.2"},
)

GAMES = (HUNDREDOGEN,)
