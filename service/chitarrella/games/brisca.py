"""Brisca, the Briscola of Spain: suit may have to be followed, Seven and Two may be exchanged.  Source: S004."""

from chitarrella import tricks
from chitarrella.core.options import Choices, GameEntry, choice_option, rule_book
from chitarrella.games.briscola import FIRST_DEALER, REMOVED_TWO, RUBBER_GAMES, SHOW_FINAL_HAND, SIGNALS, table

WEB = "juegoacartas.com, naipes-casino.com.ar, acanomas.com"

SEVEN_OR_TWO = (("7", ("A", "3", "R", "C", "F")), ("2", ("7", "6", "5", "4")))
"""Low trumps that may be exchanged, each with the turn-ups that it is good for."""

FOLLOW = choice_option(
    "follow",
    "Whether suit must be followed, and who cannot must trump.",
    "S004 has both; ruling BS-R1",
    {"free": tricks.Following(), "follow": tricks.FollowSuit(), "follow_or_trump": tricks.FOLLOW_ELSE_TRUMP},
)
EXCHANGE = choice_option(
    "exchange",
    "Whether Seven and Two of trumps may be swapped for the turn-up.",
    WEB,
    {"none": tricks.never, "seven_two": tricks.after_winning},
)
DEAL_PACKETS = tricks.deal_packets(WEB, {"1-1-1": (1, 1, 1), "3": (3,)})


def rules(agreed: Choices) -> tricks.Rules:
    return table(agreed, tricks.ExchangeTurnUp(SEVEN_OR_TWO, agreed[EXCHANGE]), agreed[FOLLOW])


BRISCA = GameEntry(
    key="brisca",
    place="Spain",
    description="The Spanish trick game with draws and trumps, for two to four players; most card points win.",
    sources=("S004",),
    players=(2, 3, 4),
    options=(FOLLOW, EXCHANGE, DEAL_PACKETS, REMOVED_TWO, SIGNALS, SHOW_FINAL_HAND, RUBBER_GAMES, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (BRISCA,)
