"""Brusquembille: Briscola with tens for threes, and chips paid for every ace and ten in a trick.  Source: S004."""

from chitarrella import tricks
from chitarrella.core.cards import FRENCH_32
from chitarrella.core.options import Choices, GameEntry, bool_option, number_option, rule_book
from chitarrella.games.briscola import DEAL_PACKETS, RUBBER_GAMES
from chitarrella.tricks.side_actions import any_trick, never

SEVEN = (("7", ()),)
"""The low trump that may be exchanged, for any turn-up."""
LEXICON = "Pierer's Lexicon, 1857"
TREVOUX = "Dictionnaire de Trévoux, 1771"

ORDER = tricks.Order(
    ("A", "T", "K", "Q", "J", "9", "8", "7"), (tricks.Count("card_points", {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}),)
)
"""The ranks, the highest first, and what they count."""

ACE_PAYMENT = number_option("ace_payment", "Chips paid for an ace.", LEXICON, 2, 0, 99)
TEN_PAYMENT = number_option("ten_payment", "Chips paid for a ten.", LEXICON, 1, 0, 99)
SEVEN_EXCHANGE = bool_option("seven_exchange", "Whether the Seven of trumps may be swapped for the turn-up.", TREVOUX)
FIRST_DEALER = tricks.first_dealer(1, "drawn by the caller")


def rules(agreed: Choices) -> tricks.Rules:
    return tricks.Rules(
        agreed,
        seating=tricks.alone(2),
        pack=FRENCH_32,
        order=ORDER,
        dealing=tricks.Dealing("await_deal", tricks.StartDeal(agreed[DEAL_PACKETS], tricks.turn_up_next)),
        phases=(tricks.Play((tricks.ExchangeTurnUp(SEVEN, any_trick if agreed[SEVEN_EXCHANGE] else never),)),),
        series=tricks.Series(agreed[RUBBER_GAMES], end_phase="rubber_over"),
        payments=tricks.SidePayments((("A", agreed[ACE_PAYMENT]), ("T", agreed[TEN_PAYMENT]))),
        first_dealer=agreed[FIRST_DEALER],
    )


BRUSQUEMBILLE = GameEntry(
    key="brusquembille",
    place="France",
    description="A French trick game for two with draws and trumps, in which aces and tens are paid in chips.",
    sources=("S004",),
    players=(2,),
    options=(ACE_PAYMENT, TEN_PAYMENT, DEAL_PACKETS, SEVEN_EXCHANGE, RUBBER_GAMES, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (BRUSQUEMBILLE,)
