"""Tressette: no trumps, suit is followed, points in thirds; with declarations, without, or to be lost (a perdere).

Source: S005. Rulings fill its gaps; the clauses name them.
"""

from chitarrella import tricks
from chitarrella.core.cards import ITALIAN
from chitarrella.core.options import Choices, GameEntry, choice_option, number_option, rule_book

THIRDS = tricks.Count("thirds", {"A": 3, "3": 1, "2": 1, "R": 1, "C": 1, "F": 1})
"""What the cards count, in thirds of a point."""
FOURS = tuple(ITALIAN.face("4", suit) for suit in ITALIAN.suits)
"""The Fours, of which three players leave out one."""
DEAL_WORTH = 11
"""The points of a deal, the one for the last trick included."""


def last_trick(deal: tricks.Deal) -> int:
    """Return what the last trick counts (TS-5.2)."""
    return DEAL_WORTH - sum(thirds // 3 for thirds in deal.points)


def score(deal: tricks.Deal) -> list[int]:
    """Return what each side gets, to which the last trick makes up eleven points (TS-5.2, TS-6.1)."""
    points = [thirds // 3 for thirds in deal.points]
    points[deal.last] += last_trick(deal)
    for seat, cards in deal.own.declarations:
        points[deal.side_of[seat]] += len(cards)
    return points


def score_lost(deal: tricks.Deal) -> list[int]:
    """Return the points that each seat has to lose; who has all of them gives them to the others (TS-6.3)."""
    points = score(deal)
    return [DEAL_WORTH - won for won in points] if DEAL_WORTH in points else points


FORM = choice_option(
    "form",
    "Whether combinations of the hand are declared (buongioco), or not, or points are to be lost (a perdere).",
    "S005, Tressette; Treccani; pagat.com, cavallore.it",
    {
        "buongioco": (tricks.alone_or_partners, tricks.first_trick, tricks.Scored, score),
        "plain": (tricks.alone_or_partners, tricks.never, tricks.Scored, score),
        "a_perdere": (tricks.alone, tricks.never, tricks.LowestWins, score_lost),
    },
)
TARGET = number_option("target", "How many points end the match.", "Treccani", 21, 1, 1000).of_length()
REMOVED_FOUR = tricks.removed_card(
    "removed_four", "Which Four three players leave out.", "viniciocoletti.it", FOURS, FOURS[0]
)
FIRST_DEALER = tricks.first_dealer(3, "drawn by the caller")


def rules(agreed: Choices) -> tricks.Rules:
    (seating, moment, series, scored), three = agreed[FORM], agreed.players == 3
    return tricks.Rules(
        agreed,
        seating=seating(agreed.players),
        pack=ITALIAN.without(agreed[REMOVED_FOUR]) if three else ITALIAN,
        order=tricks.Order(("3", "2", "A", "R", "C", "F", "7", "6", "5", "4"), (THIRDS,)),
        dealing=tricks.Dealing("await_deal", tricks.StartDeal((5, 5, 3) if three else (5, 5))),
        phases=(tricks.Play((tricks.Declare(("A", "2", "3"), moment),)),),
        following=tricks.FollowSuit(),
        trick_effects=(tricks.DrawInTheOpen(),) if agreed.players == 2 else (),
        layout=tricks.ShownCards(),
        series=series(scored, agreed[TARGET], last_trick),
        own=tricks.Shown,
        first_dealer=agreed[FIRST_DEALER],
    )


TRESSETTE = GameEntry(
    key="tressette",
    place="Italy",
    description="The Italian trick game without trumps, in which points are counted in thirds.",
    sources=("S005",),
    players=(4, 2, 3),
    options=(FORM, TARGET, REMOVED_FOUR, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (TRESSETTE,)
