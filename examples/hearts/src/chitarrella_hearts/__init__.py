"""Hearts: four play alone, pass three cards before the play, and avoid the hearts and the Queen of spades."""

from collections.abc import Sequence
from dataclasses import dataclass

from chitarrella import tricks
from chitarrella.core.cards import FRENCH_52, Hand
from chitarrella.core.model import Reason
from chitarrella.core.options import Choices, GameEntry, bool_option, choice_option, number_option, parse_rule_book

BOOK = parse_rule_book("""
[pagat.com, Hearts]
HRT-1.1 Four play, each alone.
HRT-2.1 Ace, King, Queen, Jack, 10 to 2 rank in this order; there are no trumps.
HRT-2.2 Each heart counts a point, and the Queen of spades 13.
HRT-3.1 Each seat is dealt thirteen cards.
HRT-3.2 Before the play all seats choose three cards at the same time, face down, and pass them on as agreed.
HRT-4.1 (must_open) Who holds the Two of clubs leads it to the first trick; then the winner of the last one leads.
HRT-4.2 (must_follow_suit) The suit led must be followed; who has none of it may play any card.
HRT-4.3 (no_points_yet) To the first trick nobody plays a heart or the Queen of spades who can play another card.
HRT-4.4 (hearts_not_broken) Hearts are led once a heart was played, or by who has nothing else.
HRT-5.1 Who takes all 26 points has shot the moon: the others get 26 each in its place, or it takes 26 off.
HRT-6.1 When a seat has the agreed number of points, the lowest total wins; level totals play on.
""")
PAGE = "pagat.com, Hearts"
TWO_OF_CLUBS, ALL_POINTS = FRENCH_52.card("2c"), 26
POINTS = tricks.Count("points", {"Qs": 13, "h": 1})

MUST_OPEN = Reason("must_open", "The first trick is opened with {allowed_cards}.", duty=True)
NO_POINTS_YET = Reason("no_points_yet", "No points are played to the first trick: {allowed_cards}.", duty=True)
HEARTS_NOT_BROKEN = Reason("hearts_not_broken", "No heart was played yet to lead one: {allowed_cards}.", duty=True)


@dataclass(frozen=True)
class Open(tricks.Following):
    """The holder of the Two of clubs opens with it (HRT-4.1)."""

    reasons = (MUST_OPEN,)
    reads_tricks = True

    def allowed_cards(self, g: tricks.Rules, t: tricks.Table, hand: Hand) -> Hand:
        return tuple(card for card in hand if card == TWO_OF_CLUBS and not t.tricks) or hand


@dataclass(frozen=True)
class KeepHearts(tricks.Following):
    """Hearts are not led before one was played (HRT-4.4)."""

    reasons = (HEARTS_NOT_BROKEN,)
    reads_tricks = True

    def allowed_cards(self, g: tricks.Rules, t: tricks.Table, hand: Hand) -> Hand:
        if any(card.suit == "h" for trick in t.tricks for card in trick.cards):
            return hand
        return tuple(card for card in hand if card.suit != "h") or hand


@dataclass(frozen=True)
class NoPointsAtFirst(tricks.Following):
    """No points are played to the first trick (HRT-4.3)."""

    reasons = (NO_POINTS_YET,)
    reads_tricks = True

    def allowed_cards(self, g: tricks.Rules, t: tricks.Table, hand: Hand) -> Hand:
        return tuple(card for card in hand if t.tricks or not POINTS.of((card,))) or hand


PASSING = choice_option(
    "passing",
    "To whom three cards are passed: left, right, across and to nobody in turn, always left, or never.",
    PAGE,
    {"in_turn": (1, 3, 2, 0), "left": (1,), "never": (0,)},
)
MOON = choice_option("moon", "What shooting the moon does.", PAGE, {"others_add": True, "takes_off": False})
FIRST_TRICK = bool_option("points_in_first_trick", "Whether points may be played to the first trick.", PAGE)
TARGET = number_option("target", "With how many points of a seat the match ends.", PAGE, 100, 1, 500).of_length()
DEALER = tricks.first_dealer(3, "ruling")


def rules(agreed: Choices) -> tricks.Rules:
    steps = agreed[PASSING]
    passing = tricks.PassCards(3, lambda deal: steps[(deal - 1) % len(steps)])

    def score(deal: tricks.Deal) -> Sequence[int]:
        if ALL_POINTS not in deal.points:
            return deal.points
        return [ALL_POINTS * agreed[MOON] - points for points in deal.points]

    return tricks.Rules(
        agreed,
        seating=tricks.alone(4),
        pack=FRENCH_52,
        order=tricks.Order(tuple("AKQJT98765432"), (POINTS,)),
        dealing=tricks.Dealing("deal", tricks.StartDeal((13,))),
        phases=(passing, tricks.HolderLeads(card=TWO_OF_CLUBS)),
        leading=tricks.Duties((Open(), KeepHearts())),
        following=tricks.Duties((tricks.FollowSuit(), *(() if agreed[FIRST_TRICK] else (NoPointsAtFirst(),)))),
        series=tricks.LowestWins(score, agreed[TARGET]),
        layout=tricks.PassingLayout(passing=passing),
        own=tricks.Passing,
        first_dealer=agreed[DEALER],
    )


HEARTS = GameEntry(
    key="hearts",
    place="North America",
    players=(4,),
    options=(PASSING, MOON, FIRST_TRICK, TARGET, DEALER),
    rules=rules,
    book=BOOK,
)
GAMES = (HEARTS,)
FACT_NAMES = {"passed": "passed card"}
