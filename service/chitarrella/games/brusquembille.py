"""Brusquembille: Briscola with tens for threes, and chips paid for every ace and ten in a trick.  Source: S004."""

from chitarrella.core.cards import FRENCH_32
from chitarrella.core.model import Clause
from chitarrella.core.options import Choices, GameEntry, bool_option, number_option
from chitarrella.games.briscola import DEAL_PACKETS, PAGE, RUBBER_GAMES
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

CLAUSES = (
    Clause("BQ-3.1", "Ace, Ten, King, Queen, Jack, 9, 8, 7 rank in this order, worth 11, 10, 4, 3, 2 and nothing: 120 in all.", PAGE),
    Clause("BQ-3.2", "The four aces and the four tens are the brusquembilles.", PAGE),
    Clause("BQ-4.1", "Each of the two seats gets three cards, eldest first; the next is turned up for trumps and lies last in the stock.", PAGE),
    Clause("BQ-4.2", "The deal alternates.", "as Briscola"),
    Clause("BQ-5.1", "Eldest leads to the first trick.", "as Briscola"),
    Clause("BQ-5.2", "Any card of one's own hand may be played, always.", "as Briscola"),
    Clause("BQ-5.3", "After each trick chips are paid, winner and loser draw a card while the stock lasts, and the winner leads.", PAGE),
    Clause("BQ-5.4", "By agreement, who holds the Seven of trumps may swap it for the turn-up at its own turn, while that is in the stock.", TREVOUX),
    Clause("BQ-5.5", "The balance of chips is public, like all that is public in Briscola.", "as Briscola"),
    Clause("BQ-5.6", "Every broken clause is named: match and phase first, then the turn, then possession, then what the exchange itself asks.", "ruling"),
    Clause("BQ-6.1", "The second card wins as a higher card of the suit led, or as a trump on a plain lead.", "as Briscola"),
    Clause("BQ-7.1", "More than 60 points win the game, 60 each are a stand-off; the first to the agreed games wins the rubber.", "as Briscola"),
    Clause("BQ-7.2", "For every brusquembille in a trick, whoever played it, the loser of the trick pays its winner the agreed chips.", LEXICON),
    Clause("BQ-7.3", "Chips are a balance of their own, kept through the whole rubber; they decide nothing else.", "ruling BQ-R6"),
)  # fmt: skip

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
    own_clauses=CLAUSES,
    citations={
        "exchange_turn_up not_your_turn": "BQ-5.4",
        "not_in_hand": "BQ-5.2",
        "exchange_turn_up not_in_hand": "BQ-5.4",
        "exchange_not_available": "BQ-5.4",
        "exchange_wrong_card": "BQ-5.4",
    },
)

GAMES = (BRUSQUEMBILLE,)
