"""Briscola: a turned-up trump, no duty to follow suit, 120 points in the pack.

Source: S004. Rulings fill its gaps; the clauses name them.
"""

from chitarrella.core.cards import ITALIAN
from chitarrella.core.model import Clause
from chitarrella.core.options import Choices, GameEntry, bool_option, choice_option
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.dealing import Dealing, StartDeal, turn_up_next
from chitarrella.tricks.match_formats import Series
from chitarrella.tricks.options import deal_packets, first_dealer, removed_card, rubber_games
from chitarrella.tricks.parts import Action
from chitarrella.tricks.play import Play
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.seating import alone_or_partners
from chitarrella.tricks.side_actions import (
    ExchangeTurnUp,
    ShowHand,
    SignalTrump,
    after_first_trick,
    any_trick,
    first_trick,
    never,
)

PAGE = "S004, Briscola"
WEB = "boardgamearena.com, Piccola enciclopedia di giuochi"

CLAUSES = (
    Clause("BR-3.1", "Ace, Three, King, Horse, Jack, 7, 6, 5, 4, 2 rank in this order, worth 11, 10, 4, 3, 2 and nothing.", PAGE),
    Clause("BR-3.2", "Three players leave out one Two; the other 39 cards still hold 120 points.", PAGE),
    Clause("BR-3.3", "Spanish cards serve as well: As, Tres, Rey, Caballo and Sota are Ace, Three, King, Horse and Jack.", PAGE),
    Clause("BR-4.1", "Each seat gets three cards, eldest first.", PAGE),
    Clause("BR-4.2", "The next card is turned up, names the trump suit, and lies face up as the last card of the stock.", PAGE),
    Clause("BR-4.3", "The deal passes to the seat after the dealer.", "ruling BR-R3"),
    Clause("BR-5.1", "Eldest leads to the first trick.", PAGE),
    Clause("BR-5.2", "Any card of one's own hand may be played, always.", PAGE),
    Clause("BR-5.3", "When all have played, the winner takes the trick; every seat draws a card, the winner first; the winner leads.", PAGE),
    Clause("BR-5.4", "One of four players may signal a high trump where that is agreed, by agreement not in the first trick, once for each rank in a deal, also out of turn; truthfully only one it holds; the signs at a table are Ace lips pressed tight, Three mouth twisted, King eyes raised, Horse tip of the tongue, Jack a shoulder raised.", f"{PAGE}; {WEB}"),
    Clause("BR-5.5", "A signal reaches the partner alone; opponents do not even learn that there was one.", PAGE),
    Clause("BR-5.6", "When the stock is gone, each of four players may, where that is agreed, let the partner see the last three cards, once, before playing one.", PAGE),
    Clause("BR-5.7", "By agreement, who holds the Two of trumps may swap it for the turn-up at its own turn in the first trick.", "web source, ruling BR-R21"),
    Clause("BR-5.8", "Turn-up, size of the stock, tricks and games won are public; hands, drawn cards and signals are not.", PAGE),
    Clause("BR-5.9", "Signals and showing are moves like the others: on turn they stand beside the cards, out of turn by themselves.", "ruling"),
    Clause("BR-5.10", "Every broken clause is named: match and phase first, then the turn, then possession, then what the move itself asks.", "ruling"),
    Clause("BR-6.1", "The highest trump takes the trick, else the highest card of the suit led.", PAGE),
    Clause("BR-7.1", "All tricks are played, even after a side has passed 60 points.", PAGE),
    Clause("BR-7.2", "Who has more points than every other side wins the game; level at the top is a stand-off.", PAGE),
    Clause("BR-7.3", "Of three players the highest wins even below 61.", PAGE),
    Clause("BR-7.4", "The first to the agreed number of games wins the rubber; stand-offs count for nobody.", PAGE),
)  # fmt: skip

POINTS = Count("card_points", {"A": 11, "3": 10, "R": 4, "C": 3, "F": 2})
"""The card points of each rank that has any."""
ORDER = Order(("A", "3", "R", "C", "F", "7", "6", "5", "4", "2"), (POINTS,))
"""The ranks, the highest first, and what they count."""
DEUCE = (("2", ()),)
"""The low trump that may be exchanged, for any turn-up."""
TWOS = tuple(ITALIAN.face("2", suit) for suit in ITALIAN.suits)
"""The Twos, of which three players leave out one."""

REMOVED_TWO = removed_card(
    "removed_two", "Which Two three players leave out.", "S004: one of the Twos; ruling BR-R1", TWOS, TWOS[0]
)
DEAL_PACKETS = deal_packets("S004 is silent; ruling BR-R2", {"3": (3,), "1-1-1": (1, 1, 1)})
SIGNALS = choice_option(
    "signals",
    "Whether four players may signal trumps to their partners, and whether only those they hold.",
    f"S004; {WEB}; ruling BR-R11",
    {
        "off": SignalTrump(never),
        "truthful": SignalTrump(),
        "after_first_trick": SignalTrump(after_first_trick),
        "free": SignalTrump(any_trick, truthful=False),
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
RUBBER_GAMES = rubber_games("S004: the best of five")
FIRST_DEALER = first_dealer(3, "ruling BR-R3")


def partners_actions(agreed: Choices) -> tuple[Action, ...]:
    """Return what partners may tell each other."""
    return agreed[SIGNALS], ShowHand(agreed[SHOW_FINAL_HAND])


def rules(agreed: Choices) -> Rules:
    exchange = ExchangeTurnUp(DEUCE, first_trick if agreed[DEUCE_EXCHANGE] else never)
    return Rules(
        agreed,
        seating=alone_or_partners(agreed.players),
        pack=ITALIAN.without(agreed[REMOVED_TWO]) if agreed.players == 3 else ITALIAN,
        order=ORDER,
        dealing=Dealing("await_deal", StartDeal(agreed[DEAL_PACKETS], turn_up_next)),
        phases=(Play((*partners_actions(agreed), exchange)),),
        series=Series(agreed[RUBBER_GAMES], end_phase="rubber_over"),
        first_dealer=agreed[FIRST_DEALER],
    )


BRISCOLA = GameEntry(
    key="briscola",
    title="Briscola",
    place="Italy",
    description="The Italian trick game with trumps: nobody need follow suit, and most card points win.",
    sources=("S004",),
    players=(2, 3, 4),
    options=(REMOVED_TWO, DEAL_PACKETS, SIGNALS, SHOW_FINAL_HAND, DEUCE_EXCHANGE, RUBBER_GAMES, FIRST_DEALER),
    rules=rules,
    own_clauses=CLAUSES,
    citations={
        "exchange_turn_up not_your_turn": "BR-5.7",
        "not_in_hand": "BR-5.2",
        "exchange_turn_up not_in_hand": "BR-5.7",
        "signal not_in_hand": "BR-5.4",
        "exchange_not_available": "BR-5.7",
        "exchange_wrong_card": "BR-5.7",
        "signal_not_available": "BR-5.4",
        "signal_repeated": "BR-5.4",
        "show_not_available": "BR-5.6",
        "show_repeated": "BR-5.6",
    },
)

GAMES = (BRISCOLA,)
