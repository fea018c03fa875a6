"""Cöch, or Cucco, of Lake Iseo: two suits of twenty cards, follow suit, half-points first and units on a tie.

Sources: S000 and its enlarged German version S002. With three or two players the missing ones are dummies, played face
up by their partners.
"""

from dataclasses import dataclass

from chitarrella import tricks
from chitarrella.core.cards import CUCCO, put
from chitarrella.core.model import Event
from chitarrella.core.options import Choices, GameEntry, bool_option, choice_option, rule_book
from chitarrella.tricks import robbing
from chitarrella.tricks.dealing import every_seat, no_dummy

BOTH_SOURCES = "S000, S002"
WEB = "cavallore.it"

NUMBERS = ("X", "IX", "VIII", "VII", "VI", "V", "IV", "III", "II", "I")
"""The number cards, the highest first."""
HIGH_PICTURES = ("LEO", "XV", "XIV", "XIII", "XII", "XI")
"""The pictures that count, the highest first."""
MATTO_LOWEST = (*NUMBERS, *HIGH_PICTURES, "NUL", "SEC", "MAS", "MAT")
"""All ranks, the highest first, if the MAT is the lowest."""
MATTO_ABOVE_NULLA = (*NUMBERS, *HIGH_PICTURES, "MAT", "NUL", "SEC", "MAS")
"""All ranks, the highest first, if the MAT beats the NUL."""
SUITS = dict.fromkeys(NUMBERS, "numbers") | dict.fromkeys(MATTO_LOWEST[len(NUMBERS) :], "pictures")
"""The suit of each rank: numbers or pictures."""
ROBBABLE = frozenset({"X", "XIV", "XV"})
"""The cards that may be robbed."""
HALF_POINTS = tricks.Count(
    "half_points", dict.fromkeys(("V", "VI", "VII", "VIII", "IX"), 1) | dict.fromkeys(("X", *HIGH_PICTURES), 2)
)
"""Half points of each rank that has any."""
UNITS = tricks.Count(
    "units",
    {"I": 1, "II": 2, "III": 3, "IV": 4, "VI": 1, "VII": 2, "VIII": 3, "IX": 4}
    | {"XI": 1, "XII": 2, "XIII": 3, "XIV": 4, "XV": 5, "LEO": 6},
)
"""Units of each rank that has any."""


@dataclass(frozen=True)
class DealAndPlay(tricks.Play):
    """The play of tricks, after the hands are dealt; what the cutter robbed is part of his hand (CO-31)."""

    def enter(self, g: tricks.Rules, t: tricks.Table, events: list[Event]) -> tricks.Table:
        """Deal the rest of the pack; the cutter, who is third in the deal, gets so many fewer."""
        cutter = robbing.robber_seat(g, t.match_state.dealer, robbing.CUTTER)
        robbed = t.own.robbers[robbing.CUTTER].robbed
        t = tricks.StartDeal((5, (5, 5, 5 - len(robbed), 5))).deal_hands(g, t, events)
        t = robbing.replace_robber(t, robbing.CUTTER, robbing.Robber(robbed))
        return super().enter(g, t._replace(hands=put(t.hands, cutter, (*t.hands[cutter], *robbed))), events)


SEATINGS = {4: tricks.partnerships(), 3: tricks.partnerships(0, 1, 0, 3), 2: tricks.partnerships(0, 1, 0, 1)}
"""The seats by number of players; those of missing players are dummies, which their partners play."""

MATTO_RANK = choice_option(
    "matto_rank",
    "Where the Matto ranks among the pictures.",
    BOTH_SOURCES,
    {"lowest": MATTO_LOWEST, "above_nulla": MATTO_ABOVE_NULLA},
)
FIRST_DEALER = tricks.first_dealer(3, "ruling CO-R23", lot=True)
SKIP_DUMMY_DEALER = bool_option(
    "skip_dummy_dealer", "Whether a dummy is passed over when the deal goes round.", "ruling CO-R14"
).only_for(2, 3)
CUTTER_ROBS = bool_option("cutter_robs", "Whether the cutter of four may rob before the deal.", WEB).only_for(4)
MATCH_DEALS = tricks.match_deals("ruling CO-R17")
TARGET_WINS = tricks.target_wins("ruling CO-R17")


def rules(agreed: Choices) -> tricks.Rules:
    robs = agreed.players == 4 and agreed[CUTTER_ROBS]
    start, play = robbing.StartRobbing((5, 5)) if robs else tricks.StartDeal((5, 5)), tricks.PlayForDummy()
    phases: tuple[tricks.Phase, ...] = (tricks.Play(play_action=play),)
    if robs:
        phases = (robbing.RobBeforeDeal(ROBBABLE), DealAndPlay(play_action=play))
    return tricks.Rules(
        agreed,
        seating=SEATINGS[agreed.players],
        pack=CUCCO,
        order=tricks.Order(agreed[MATTO_RANK], (HALF_POINTS, UNITS), SUITS),
        dealing=tricks.Dealing("deal", start, no_dummy if agreed[SKIP_DUMMY_DEALER] else every_seat),
        phases=phases,
        series=tricks.Series(agreed[TARGET_WINS], agreed[MATCH_DEALS], lost_deal_score=-1),
        following=tricks.FollowSuit(),
        trick_effects=(),
        layout=robbing.RobbingLayout((robbing.ROBBED,)) if robs else tricks.CommonLayout(),
        own=robbing.Robbery if robs else tricks.NoRecord,
        first_dealer=agreed[FIRST_DEALER],
    )


COECH = GameEntry(
    key="coech",
    title="Cöch",
    place="Lake Iseo, Bergamo and Brescia",
    description="A trick game of two sides with the pack of Cucco; most half-points win the deal.",
    sources=("S000", "S002"),
    players=(4, 3, 2),
    options=(MATTO_RANK, FIRST_DEALER, SKIP_DUMMY_DEALER, CUTTER_ROBS, MATCH_DEALS, TARGET_WINS),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (COECH,)
