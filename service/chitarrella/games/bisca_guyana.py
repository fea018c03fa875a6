"""Bisca of Guyana: trumps by cutting, follow or trump, and an Ace that takes the Seven wins at once.  Source: S004."""

from chitarrella import tricks
from chitarrella.core.cards import FRENCH_40, Pack
from chitarrella.core.options import Choices, GameEntry, bool_option, rule_book
from chitarrella.tricks.options import WITH_AN_END
from chitarrella.tricks.scoring import from_anybody, from_opponent

PAGE = "S004, Bisca"
WEB = "Wikipedia, Bisca (card game)"

POINTS = tricks.Count("card_points", {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2})
"""The card points of each rank that has any."""
ORDER = tricks.Order(("A", "7", "K", "J", "Q", "6", "5", "4", "3", "2"), (POINTS,))
"""The ranks, the highest first, and what they count."""
WORTHLESS_CARDS = tuple(FRENCH_40.face(rank, suit) for suit in FRENCH_40.suits for rank in ("2", "3", "4", "5", "6"))
"""The cards without card points."""

REMOVED_CARD = tricks.removed_card(
    "removed_card",
    "Which worthless card three players leave out.",
    "S004: a low card; ruling BG-R4",
    WORTHLESS_CARDS,
    FRENCH_40.face("2", "c"),
)
DEAL_PACKETS = tricks.deal_packets(WEB, {"1-1-1": (1, 1, 1), "3": (3,)})
TRUMP_BY = tricks.trump_by(PAGE)
SUDDEN_DEATH = bool_option(
    "sudden_death", "Whether an Ace that takes the Seven wins the deal at once.", PAGE, default=True
)
PARTNER_SEVEN = bool_option(
    "sudden_death_partner_seven", "Whether the partner's Seven counts for sudden death.", "ruling BG-R12"
).only_for(4)
TARGET_WINS = tricks.target_wins("ruling BG-R19", 3)
FIRST_DEALER = tricks.first_dealer(3, "drawn by the caller")


def table(
    agreed: Choices, pack: Pack, order: tricks.Order, duty: tricks.Following, sudden: tuple[tricks.SuddenDeath, ...]
) -> tricks.Rules:
    """Return the rules of a game that differs from this Bisca in its options and in these parts alone."""
    return tricks.Rules(
        agreed,
        seating=tricks.alone_or_partners(agreed.players),
        pack=pack.without(agreed[REMOVED_CARD]) if agreed.players == 3 else pack,
        order=order,
        dealing=tricks.Dealing("await_deal", tricks.StartDeal(agreed[DEAL_PACKETS], agreed[TRUMP_BY])),
        phases=(tricks.Cut(), tricks.Play()),
        series=tricks.Series(agreed[TARGET_WINS]),
        following=duty,
        deal_scoring=tricks.SuddenOrMost(),
        trick_effects=(*sudden, tricks.Draw()),
        first_dealer=agreed[FIRST_DEALER],
    )


def rules(agreed: Choices) -> tricks.Rules:
    sudden = tricks.SuddenDeath("A", "7", from_anybody if agreed[PARTNER_SEVEN] else from_opponent)
    return table(agreed, FRENCH_40, ORDER, tricks.FollowOrTrump(), (sudden,) if agreed[SUDDEN_DEATH] else ())


BISCA_GUYANA = GameEntry(
    key="bisca-guyana",
    title="Bisca (Guyana)",
    place="Guyana",
    description="A trick game with draws in which an Ace that takes the Seven of its suit wins the deal at once.",
    sources=("S004",),
    players=(2, 3, 4),
    options=(REMOVED_CARD, DEAL_PACKETS, TRUMP_BY, SUDDEN_DEATH, PARTNER_SEVEN, TARGET_WINS, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
    editions=WITH_AN_END,
)

GAMES = (BISCA_GUYANA, BISCA_GUYANA.former(target_wins="0"))
