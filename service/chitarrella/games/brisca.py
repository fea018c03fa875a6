"""Brisca, the Briscola of Spain: suit may have to be followed, Seven and Two may be exchanged.  Source: S004."""

from chitarrella.core.cards import ITALIAN
from chitarrella.core.options import Choices, GameEntry, choice_option, rule_book
from chitarrella.games.briscola import (
    FIRST_DEALER,
    ORDER,
    REMOVED_TWO,
    RUBBER_GAMES,
    SHOW_FINAL_HAND,
    SIGNALS,
    partners_actions,
)
from chitarrella.tricks.dealing import Dealing, StartDeal, turn_up_next
from chitarrella.tricks.following import FollowElseTrump, FollowSuit
from chitarrella.tricks.match_formats import Series
from chitarrella.tricks.options import deal_packets
from chitarrella.tricks.parts import Following
from chitarrella.tricks.play import Play
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.seating import alone_or_partners
from chitarrella.tricks.side_actions import ExchangeTurnUp, after_winning, never

WEB = "juegoacartas.com, naipes-casino.com.ar, acanomas.com"

SEVEN_OR_TWO = (("7", ("A", "3", "R", "C", "F")), ("2", ("7", "6", "5", "4")))
"""Low trumps that may be exchanged, each with the turn-ups that it is good for."""

FOLLOW = choice_option(
    "follow",
    "Whether suit must be followed, and who cannot must trump.",
    "S004 has both; ruling BS-R1",
    {"free": Following(), "follow": FollowSuit(), "follow_or_trump": FollowElseTrump()},
)
EXCHANGE = choice_option(
    "exchange",
    "Whether Seven and Two of trumps may be swapped for the turn-up.",
    WEB,
    {"none": never, "seven_two": after_winning},
)
DEAL_PACKETS = deal_packets(WEB, {"1-1-1": (1, 1, 1), "3": (3,)})


def rules(agreed: Choices) -> Rules:
    return Rules(
        agreed,
        seating=alone_or_partners(agreed.players),
        pack=ITALIAN.without(agreed[REMOVED_TWO]) if agreed.players == 3 else ITALIAN,
        order=ORDER,
        dealing=Dealing("await_deal", StartDeal(agreed[DEAL_PACKETS], turn_up_next)),
        phases=(Play((*partners_actions(agreed), ExchangeTurnUp(SEVEN_OR_TWO, agreed[EXCHANGE]))),),
        series=Series(agreed[RUBBER_GAMES], end_phase="rubber_over"),
        following=agreed[FOLLOW],
        first_dealer=agreed[FIRST_DEALER],
    )


BRISCA = GameEntry(
    key="brisca",
    title="Brisca",
    place="Spain",
    description="The Spanish trick game with draws and trumps, for two to four players; most card points win.",
    sources=("S004",),
    players=(2, 3, 4),
    options=(FOLLOW, EXCHANGE, DEAL_PACKETS, REMOVED_TWO, SIGNALS, SHOW_FINAL_HAND, RUBBER_GAMES, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (BRISCA,)
