"""Brisca, the Briscola of Spain: suit may have to be followed, Seven and Two may be exchanged.  Source: S004."""

from chitarrella.core.cards import ITALIAN
from chitarrella.core.model import Clause
from chitarrella.core.options import Choices, GameEntry, choice_option
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

PAGE = "S004, Brisca"
WEB = "juegoacartas.com, naipes-casino.com.ar, acanomas.com"

CLAUSES = (
    Clause("BS-3.1", "As, Tres, Rey, Caballo, Sota, 7, 6, 5, 4, 2 rank in this order, worth 11, 10, 4, 3, 2 and nothing: 120 in all.", PAGE),
    Clause("BS-4.1", "Each seat gets three cards, eldest first; the next card is turned up for trumps and lies face up as the last of the stock.", PAGE),
    Clause("BS-4.2", "The deal passes to the seat after the dealer.", "as Briscola"),
    Clause("BS-5.1", "Eldest leads to the first trick.", "as Briscola"),
    Clause("BS-5.2", "Any card may be led and any may answer; where agreed, the suit led must be followed, and who has none of it must trump, or need not.", PAGE),
    Clause("BS-5.3", "After each trick every seat draws a card while the stock lasts, the winner first; the winner leads.", WEB),
    Clause("BS-5.4", "Where agreed, the seat that has just won a trick may, before it leads, swap the Seven of trumps for an Ace, Three or court card turned up, or the Two for a 7, 6, 5 or 4, as long as the turn-up is in the stock.", WEB),
    Clause("BS-5.5", "What is public is so as in Briscola; both cards of an exchange are seen by everybody.", "as Briscola"),
    Clause("BS-5.6", "Where agreed, each of four players may signal a high trump to the partner, by agreement not in the first trick, once for each rank in a deal, truthfully only one it holds, and when the stock is gone show the last three cards, once, before playing one.", "S004, Briscola (Brisca)"),
    Clause("BS-5.7", "Every broken clause is named: match and phase first, then the turn, then possession, then what the move itself asks.", "ruling"),
    Clause("BS-6.1", "The highest trump takes the trick, else the highest card of the suit led.", PAGE),
    Clause("BS-7.1", "All tricks are played; most points win, level at the top is a stand-off; the first to the agreed games wins the rubber.", "as Briscola"),
)  # fmt: skip

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
    own_clauses=CLAUSES,
    citations={
        "must_follow_suit": "BS-5.2",
        "must_trump": "BS-5.2",
        "signal not_in_hand": "BS-5.6",
        "exchange_not_available": "BS-5.4",
        "exchange_wrong_card": "BS-5.4",
        "signal_not_available": "BS-5.6",
        "signal_repeated": "BS-5.6",
        "show_not_available": "BS-5.6",
        "show_repeated": "BS-5.6",
    },
)

GAMES = (BRISCA,)
