"""Hundredogen: a race to 101 points, one card at a time, with a turned-up trump.

Source: S004, which describes it by how it differs from another game. Parts taken over from there were partly
reconstructed; their clauses say so.
"""

from chitarrella import tricks
from chitarrella.core.cards import FRENCH_36
from chitarrella.core.options import (
    Choices,
    GameEntry,
    InvalidOption,
    Option,
    bool_option,
    choice_option,
    number_option,
    rule_book,
)
from chitarrella.tricks.following import JackOrder, JackPoints, Jacks
from chitarrella.tricks.match_formats import GAME_OVER, StartDealOrGame, TargetReached
from chitarrella.tricks.options import WITH_AN_END

PAGE = "S004, Hundredogen"

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
# Between bots a match to two has about 190 moves; those of other games have 140 to 170.
MATCH_GAMES = tricks.match_games("ruling HA-R34", 2)
FIRST_DEALER = tricks.first_dealer(1, "drawn by the caller")


def race_to(target: int, jan: int | None, to_win: int) -> tricks.Race:
    """Return the race to a target; ``jan`` is by default 30, or the target where that is less."""
    if jan is not None and jan > target:
        raise InvalidOption("options.jan_threshold", "it cannot be above the target")
    return tricks.Race(target, min(30, target) if jan is None else jan, to_win)


def rules(agreed: Choices) -> tricks.Rules:
    start = StartDealOrGame((3,), tricks.turn_up_next)
    order = JACKS_ON_TOP if agreed[JACKS_TOP] else tricks.Order(RANKS, (tricks.Count("card_points", CARD_POINTS),))
    return tricks.Rules(
        agreed,
        seating=tricks.alone(2),
        pack=FRENCH_36,
        order=order,
        dealing=tricks.Dealing("await_deal", start),
        phases=(tricks.Play(),),
        between=(tricks.Dealing(GAME_OVER, start),),
        series=race_to(agreed[TARGET], agreed[JAN_THRESHOLD], agreed[MATCH_GAMES]),
        trick_effects=(*((TargetReached(agreed[TARGET]),) if agreed[TARGET_CHECK] else ()), tricks.Draw()),
        layout=tricks.CommonLayout(shows_points=tricks.always if agreed[TARGET_CHECK] else tricks.after_deal),
        own=tricks.RaceScore,
        carry_over=tricks.keep_record,
        first_dealer=agreed[FIRST_DEALER],
    )


HUNDREDOGEN = GameEntry(
    key="hundredogen",
    place="Scandinavia",
    description="A Scandinavian trick game for two with draws and trumps, in which the last trick counts ten.",
    sources=("S004",),
    players=(2,),
    options=(JACKS_TOP, TARGET, JAN_THRESHOLD, TARGET_CHECK, MATCH_GAMES, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
    editions=WITH_AN_END,
)

GAMES = (HUNDREDOGEN, HUNDREDOGEN.former(match_games="0"))
