"""Cöch, or Cucco, of Lake Iseo: two suits of twenty cards, follow suit, half-points first and units on a tie.

Sources: S000 and its enlarged German version S002. With three or two players the missing ones are dummies, played face
up by their partners.
"""

from dataclasses import dataclass

from chitarrella.core.cards import CUCCO, put
from chitarrella.core.model import Clause, Event
from chitarrella.core.options import Choices, GameEntry, bool_option, choice_option
from chitarrella.tricks import robbing
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.dealing import Dealing, StartDeal, every_seat, no_dummy
from chitarrella.tricks.following import FollowSuit
from chitarrella.tricks.layout import CommonLayout, RobbingLayout
from chitarrella.tricks.match_formats import Series
from chitarrella.tricks.options import first_dealer, match_deals, target_wins
from chitarrella.tricks.play import Play
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.seating import partnerships
from chitarrella.tricks.table import NoRecord, Table

BOTH_SOURCES = "S000, S002"
WEB = "cavallore.it"

CLAUSES = (
    Clause("CO-1", "There are always four seats; side 0 is seats 0 and 2, side 1 is seats 1 and 3.", BOTH_SOURCES),
    Clause("CO-2", "The next seat sits at the right hand; the partner sits opposite.", BOTH_SOURCES),
    Clause("CO-3", "With three players seat 2 is a dummy, with two players seats 2 and 3 are; the partner plays a dummy's cards.", BOTH_SOURCES),
    Clause("CO-4", "There are two suits of twenty cards, the numbers and the pictures.", BOTH_SOURCES),
    Clause("CO-5", "Numbers rank from I up to X; pictures Matto, mask, bucket, zero, XI, XII, XIII, XIV, XV, lion, lowest first; by agreement the Matto ranks above the zero.", BOTH_SOURCES),
    Clause("CO-6", "The lion is the highest picture, above the cuckoo XV.", BOTH_SOURCES),
    Clause("CO-7", "The two copies of a face are alike; only the order of play tells them apart.", BOTH_SOURCES),
    Clause("CO-8", "V to IX count one half-point, X, XI to XV and the lion two; units are counted from a table of their own.", BOTH_SOURCES),
    Clause("CO-9", "The pack holds 38 half-points and 82 units.", BOTH_SOURCES),
    Clause("CO-10", "The pack is handed in shuffled and cut; the cut is not a move.", "ruling CO-R9"),
    Clause("CO-11", "Each seat gets two packets of five cards, the dealer last.", BOTH_SOURCES),
    Clause("CO-12", "The first dealer is agreed or drawn from the four seats, the next one is the seat after the dealer; by agreement dummies are passed over.", "S000, S002; ruling CO-R23"),
    Clause("CO-13", "All ten cards of a dummy lie face up as soon as the deal is complete.", BOTH_SOURCES),
    Clause("CO-14", "The seat after the dealer leads first, even as a dummy; after that the winner of the trick leads.", BOTH_SOURCES),
    Clause("CO-15", "A card is played by the seat whose turn it is, from its own hand, by the person who controls that seat.", BOTH_SOURCES),
    Clause("CO-16", "To a trick any card may be led.", BOTH_SOURCES),
    Clause("CO-17", "A suit that was led must be followed while the hand holds it; otherwise any card may be played.", BOTH_SOURCES),
    Clause("CO-18", "All ten tricks are played, forced cards too.", "ruling CO-R19"),
    Clause("CO-19", "There is no bidding, passing, conceding or claiming.", BOTH_SOURCES),
    Clause("CO-20", "Every broken clause is named: match and phase first, then the turn, then possession, then the suit; nothing changes.", "ruling"),
    Clause("CO-21", "Partners see nothing of each other's hands; only a dummy's lies open.", BOTH_SOURCES),
    Clause("CO-22", "Only a card of the suit led can take the trick.", BOTH_SOURCES),
    Clause("CO-23", "The highest card of the suit led takes the trick; of two equal ones the one played first.", BOTH_SOURCES),
    Clause("CO-24", "The side of the winner takes the four cards, the winner leads to the next trick, and no trick bears a bonus.", BOTH_SOURCES),
    Clause("CO-25", "The side with more half-points wins the deal.", BOTH_SOURCES),
    Clause("CO-26", "Where half-points are level, the side with more units wins.", BOTH_SOURCES),
    Clause("CO-27", "Where units are level too, the deal is a draw.", "S000"),
    Clause("CO-28", "A deal counts one for each seat of the winning side and one against each seat of the losing side; a person has the sum of the seats he plays.", BOTH_SOURCES),
    Clause("CO-29", "The match is one deal, or as many deals or won deals as agreed; with more deals won a side wins it.", "ruling CO-R17"),
    Clause("CO-30", "By agreement the cutter of four, at the dealer's left, may look at the bottom card of the pack before the deal; it may be robbed if it is X, XIV or XV, and then the next, three at most; nobody else sees them.", f"{WEB}; S002, a trionfo"),
    Clause("CO-31", "What the cutter has robbed is part of his ten cards; so many fewer are dealt to him.", WEB),
)  # fmt: skip

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
HALF_POINTS = Count(
    "half_points", dict.fromkeys(("V", "VI", "VII", "VIII", "IX"), 1) | dict.fromkeys(("X", *HIGH_PICTURES), 2)
)
"""Half points of each rank that has any."""
UNITS = Count(
    "units",
    {"I": 1, "II": 2, "III": 3, "IV": 4, "VI": 1, "VII": 2, "VIII": 3, "IX": 4}
    | {"XI": 1, "XII": 2, "XIII": 3, "XIV": 4, "XV": 5, "LEO": 6},
)
"""Units of each rank that has any."""


@dataclass(frozen=True)
class DealAndPlay(Play):
    """The play of tricks, after the hands are dealt; what the cutter robbed is part of his hand (CO-31)."""

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Deal the rest of the pack; the cutter, who is third in the deal, gets so many fewer."""
        cutter = robbing.robber_seat(g, t.match_state.dealer, robbing.CUTTER)
        robbed = t.own.robbers[robbing.CUTTER].robbed
        t = StartDeal((5, (5, 5, 5 - len(robbed), 5))).deal_hands(g, t, events)
        t = robbing.replace_robber(t, robbing.CUTTER, robbing.Robber(robbed))
        return super().enter(g, t._replace(hands=put(t.hands, cutter, (*t.hands[cutter], *robbed))), events)


SEATINGS = {4: partnerships(), 3: partnerships(0, 1, 0, 3), 2: partnerships(0, 1, 0, 1)}
"""The seats by number of players; those of missing players are dummies, which their partners play."""

MATTO_RANK = choice_option(
    "matto_rank",
    "Where the Matto ranks among the pictures.",
    BOTH_SOURCES,
    {"lowest": MATTO_LOWEST, "above_nulla": MATTO_ABOVE_NULLA},
)
FIRST_DEALER = first_dealer(3, "ruling CO-R23", lot=True)
SKIP_DUMMY_DEALER = bool_option(
    "skip_dummy_dealer", "Whether a dummy is passed over when the deal goes round.", "ruling CO-R14"
).only_for(2, 3)
CUTTER_ROBS = bool_option("cutter_robs", "Whether the cutter of four may rob before the deal.", WEB).only_for(4)
MATCH_DEALS = match_deals("ruling CO-R17")
TARGET_WINS = target_wins("ruling CO-R17")


def rules(agreed: Choices) -> Rules:
    robs = agreed.players == 4 and agreed[CUTTER_ROBS]
    start = robbing.StartRobbing((5, 5)) if robs else StartDeal((5, 5))
    return Rules(
        agreed,
        seating=SEATINGS[agreed.players],
        names_seats=True,
        pack=CUCCO,
        order=Order(agreed[MATTO_RANK], (HALF_POINTS, UNITS), SUITS),
        dealing=Dealing("deal", start, no_dummy if agreed[SKIP_DUMMY_DEALER] else every_seat),
        phases=(robbing.RobBeforeDeal(ROBBABLE), DealAndPlay()) if robs else (Play(),),
        series=Series(agreed[TARGET_WINS], agreed[MATCH_DEALS], lost_deal_score=-1),
        following=FollowSuit(),
        layout=RobbingLayout() if robs else CommonLayout(),
        own=robbing.Robbery if robs else NoRecord,
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
    own_clauses=CLAUSES,
    citations={
        **{f"rob_{verb} not_your_turn": "ALL-10" for verb in ("look", "pass", "take", "leave")},
        "bad_dealer": "CO-12",
        "not_your_turn": "CO-15",
        "not_in_hand": "CO-15",
        "must_follow_suit": "CO-17",
        "not_robbable": "CO-30",
    },
)

GAMES = (COECH,)
