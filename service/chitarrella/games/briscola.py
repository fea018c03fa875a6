"""Briscola: a turned-up trump, no duty to follow suit, 120 points in the pack.

Source: S004. Rulings fill its gaps; the clauses name them.
"""

from chitarrella import tricks
from chitarrella.core.cards import ITALIAN
from chitarrella.core.options import Choices, GameEntry, bool_option, choice_option, rule_book

PAGE = "S004, Briscola"
WEB = "boardgamearena.com, Piccola enciclopedia di giuochi"

POINTS = tricks.Count("card_points", {"A": 11, "3": 10, "R": 4, "C": 3, "F": 2})
"""The card points of each rank that has any."""
ORDER = tricks.Order(("A", "3", "R", "C", "F", "7", "6", "5", "4", "2"), (POINTS,))
"""The ranks, the highest first, and what they count."""
DEUCE = (("2", ()),)
"""The low trump that may be exchanged, for any turn-up."""
TWOS = tuple(ITALIAN.face("2", suit) for suit in ITALIAN.suits)
"""The Twos, of which three players leave out one."""

REMOVED_TWO = tricks.removed_card(
    "removed_two", "Which Two three players leave out.", "S004: one of the Twos; ruling BR-R1", TWOS, TWOS[0]
)
DEAL_PACKETS = tricks.deal_packets("S004 is silent; ruling BR-R2", {"3": (3,), "1-1-1": (1, 1, 1)})
SIGNALS = choice_option(
    "signals",
    "Whether four players may signal trumps to their partners, and whether only those they hold.",
    f"S004; {WEB}; ruling BR-R11",
    {
        "off": tricks.SignalTrump(tricks.never),
        "truthful": tricks.SignalTrump(),
        "after_first_trick": tricks.SignalTrump(tricks.after_first_trick),
        "free": tricks.SignalTrump(ranks=tricks.any_rank),
    },
    "truthful",
).only_for(4)
SHOW_FINAL_HAND = bool_option(
    "show_final_hand",
    "Whether four players may show their last three cards to their partners.",
    "S004",
    default=True,
).only_for(4)
DEUCE_EXCHANGE = bool_option(
    "deuce_exchange", "Whether the Two of trumps may be swapped for the turn-up in the first trick.", "a web source"
)
RUBBER_GAMES = tricks.rubber_games("S004: the best of five")
FIRST_DEALER = tricks.first_dealer(3, "ruling BR-R3")


def table(agreed: Choices, exchange: tricks.ExchangeTurnUp, duty: tricks.Following) -> tricks.Rules:
    """Return the rules of a game that differs from Briscola in its options, its ``exchange`` and its ``duty`` alone."""
    show = tricks.ShowHand() if agreed[SHOW_FINAL_HAND] else tricks.ShowHand(tricks.never)
    return tricks.Rules(
        agreed,
        seating=tricks.alone_or_partners(agreed.players),
        pack=ITALIAN.without(agreed[REMOVED_TWO]) if agreed.players == 3 else ITALIAN,
        order=ORDER,
        dealing=tricks.Dealing("await_deal", tricks.StartDeal(agreed[DEAL_PACKETS], tricks.turn_up_next)),
        phases=(tricks.Play((agreed[SIGNALS], show, exchange)),),
        series=tricks.Series(agreed[RUBBER_GAMES], end_phase="rubber_over"),
        following=duty,
        first_dealer=agreed[FIRST_DEALER],
    )


def rules(agreed: Choices) -> tricks.Rules:
    moment = tricks.first_trick if agreed[DEUCE_EXCHANGE] else tricks.never
    return table(agreed, tricks.ExchangeTurnUp(DEUCE, moment), tricks.Following())


BRISCOLA = GameEntry(
    key="briscola",
    place="Italy",
    description="The Italian trick game with trumps: nobody need follow suit, and most card points win.",
    sources=("S004",),
    players=(2, 3, 4),
    options=(REMOVED_TWO, DEAL_PACKETS, SIGNALS, SHOW_FINAL_HAND, DEUCE_EXCHANGE, RUBBER_GAMES, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (BRISCOLA,)
