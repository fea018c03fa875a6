"""Bisca of Brazil: nine cards each; plain leads are free, a trump led must be followed and headed.  Source: S004."""

from chitarrella import tricks
from chitarrella.core.cards import FRENCH_52
from chitarrella.core.options import Choices, GameEntry, choice_option, rule_book
from chitarrella.games.bisca_guyana import FIRST_DEALER, TARGET_WINS, table
from chitarrella.tricks.following import HeadTheTrumpLed
from chitarrella.tricks.options import WITH_AN_END

WEB = "as in Guyana; ruling BB-R11"

POINTS = tricks.Count("card_points", {"A": 11, "T": 10, "K": 4, "J": 3, "Q": 2})
"""The card points of each rank that has any."""
WORTHLESS_RANKS = ("9", "8", "7", "6", "5", "4", "3", "2")
"""The ranks without card points, the highest first."""
ORDER = tricks.Order(("A", "T", "K", "J", "Q", *WORTHLESS_RANKS), (POINTS,))
"""The ranks, the highest first, and what they count."""
WORTHLESS_CARDS = tuple(FRENCH_52.face(rank, suit) for suit in FRENCH_52.suits for rank in WORTHLESS_RANKS)
"""The cards without card points."""

REMOVED_CARD = tricks.removed_card(
    "removed_card",
    "Which worthless card three players leave out.",
    "ruling BB-R2",
    WORTHLESS_CARDS,
    FRENCH_52.face("2", "c"),
)
DEAL_PACKETS = tricks.deal_packets("ruling BB-R10", {"3-3-3": (3, 3, 3), "9": (9,), "1x9": (1,) * 9})
TRUMP_BY = tricks.trump_by(WEB)
SUDDEN_DEATH = choice_option(
    "sudden_death",
    "Whether an Ace that takes the Ten, or the Seven, wins the deal at once.",
    "ruling BB-R3",
    {"none": (), "ace_takes_ten": (tricks.SuddenDeath("A", "T"),), "ace_takes_seven": (tricks.SuddenDeath("A", "7"),)},
)


def rules(agreed: Choices) -> tricks.Rules:
    return table(agreed, FRENCH_52, ORDER, HeadTheTrumpLed(), agreed[SUDDEN_DEATH])


BISCA_BRAZIL = GameEntry(
    key="bisca-brazil",
    title="Bisca (Brazil)",
    place="Brazil",
    description="A trick game of draws with nine cards each, for two to four players; most card points win.",
    sources=("S004",),
    players=(4, 2, 3),
    options=(REMOVED_CARD, DEAL_PACKETS, TRUMP_BY, SUDDEN_DEATH, TARGET_WINS, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
    editions=WITH_AN_END,
)

GAMES = (BISCA_BRAZIL, BISCA_BRAZIL.former(target_wins="0"))
