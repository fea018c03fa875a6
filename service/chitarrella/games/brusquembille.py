"""Brusquembille: Briscola with tens for threes, and chips paid for every ace and ten in a trick.  Source: S004."""

from chitarrella.core.cards import FRENCH_32
from chitarrella.core.options import Choices, GameEntry, bool_option, number_option, rule_book
from chitarrella.games.briscola import DEAL_PACKETS, RUBBER_GAMES
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.dealing import Dealing, StartDeal, turn_up_next
from chitarrella.tricks.match_formats import Series
from chitarrella.tricks.options import first_dealer
from chitarrella.tricks.play import Play
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.scoring import SidePayments
from chitarrella.tricks.seating import alone
from chitarrella.tricks.side_actions import ExchangeTurnUp, any_trick, never

SEVEN = (("7", ()),)
"""The low trump that may be exchanged, for any turn-up."""
LEXICON = "Pierer's Lexicon, 1857"
TREVOUX = "Dictionnaire de Trévoux, 1771"

ORDER = Order(
    ("A", "T", "K", "Q", "J", "9", "8", "7"), (Count("card_points", {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}),)
)
"""The ranks, the highest first, and what they count."""

ACE_PAYMENT = number_option("ace_payment", "Chips paid for an ace.", LEXICON, 2, 0, 99)
TEN_PAYMENT = number_option("ten_payment", "Chips paid for a ten.", LEXICON, 1, 0, 99)
SEVEN_EXCHANGE = bool_option("seven_exchange", "Whether the Seven of trumps may be swapped for the turn-up.", TREVOUX)
FIRST_DEALER = first_dealer(1, "drawn by the caller")


def rules(agreed: Choices) -> Rules:
    return Rules(
        agreed,
        seating=alone(2),
        pack=FRENCH_32,
        order=ORDER,
        dealing=Dealing("await_deal", StartDeal(agreed[DEAL_PACKETS], turn_up_next)),
        phases=(Play((ExchangeTurnUp(SEVEN, any_trick if agreed[SEVEN_EXCHANGE] else never),)),),
        series=Series(agreed[RUBBER_GAMES], end_phase="rubber_over"),
        payments=SidePayments((("A", agreed[ACE_PAYMENT]), ("T", agreed[TEN_PAYMENT]))),
        first_dealer=agreed[FIRST_DEALER],
    )


BRUSQUEMBILLE = GameEntry(
    key="brusquembille",
    title="Brusquembille",
    place="France",
    description="A French trick game for two with draws and trumps, in which aces and tens are paid in chips.",
    sources=("S004",),
    players=(2,),
    options=(ACE_PAYMENT, TEN_PAYMENT, DEAL_PACKETS, SEVEN_EXCHANGE, RUBBER_GAMES, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (BRUSQUEMBILLE,)
