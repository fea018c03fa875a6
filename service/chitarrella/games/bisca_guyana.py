"""Bisca of Guyana: trumps by cutting, follow or trump, and an Ace that takes the Seven wins at once.  Source: S004."""

from chitarrella.core.cards import FRENCH_40
from chitarrella.core.model import Clause
from chitarrella.core.options import Choices, GameEntry, bool_option
from chitarrella.tricks.card_values import Count, Order
from chitarrella.tricks.dealing import Cut, Dealing, StartDeal
from chitarrella.tricks.following import FollowOrTrump
from chitarrella.tricks.match_formats import Series
from chitarrella.tricks.options import deal_packets, first_dealer, removed_card, trump_by
from chitarrella.tricks.play import Play
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.scoring import SuddenDeath, SuddenOrMost, from_anybody, from_opponent
from chitarrella.tricks.seating import alone_or_partners

PAGE = "S004, Bisca"
WEB = "Wikipedia, Bisca (card game)"

CLAUSES = (
    Clause("BG-3.1", "Ace, 7, King, Jack, Queen, 6, 5, 4, 3, 2 rank in this order, worth 11, 10, 4, 3, 2 and nothing: 120 in all.", PAGE),
    Clause("BG-3.2", "Three players leave out one card that counts nothing.", PAGE),
    Clause("BG-4.1", "Each seat gets three cards, eldest first; the rest is the stock, face down.", PAGE),
    Clause("BG-4.2", "The seat before the dealer cuts the stock and shows the lowest card lifted: its suit is trumps, what was lifted goes underneath, and so the card is drawn last.", "S004, Bisca; ruling BG-R1"),
    Clause("BG-4.3", "Where agreed, the next card after the deal is turned up and put last instead, and nobody cuts.", WEB),
    Clause("BG-4.4", "The deal passes to the seat after the dealer.", WEB),
    Clause("BG-5.1", "The hands are dealt before the cut, and eldest leads to the first trick.", "ruling BG-R3, BG-R21"),
    Clause("BG-5.2", "The cutter lifts at least one card, and may lift the whole stock.", "ruling BG-R2"),
    Clause("BG-5.3", "A plain suit led must be followed or trumped by whoever holds it; a trump led, or a void, leaves every card free.", PAGE),
    Clause("BG-5.4", "After the trick every seat draws a card while the stock lasts, the winner first; the winner leads.", PAGE),
    Clause("BG-5.5", "An Ace that takes the Seven of its suit from an opponent wins the deal at once; by agreement it does not, or the partner's Seven counts too.", "S004, Bisca; ruling BG-R12"),
    Clause("BG-5.6", "When the stock is gone the last cards are played under the same rules.", PAGE),
    Clause("BG-5.7", "The trump card, the size of the stock and the tricks are public; hands, cards drawn and the order of the stock are not.", PAGE),
    Clause("BG-5.8", "Every broken clause is named: the phase first, then the turn, then possession, then what the card or the cut breaks.", "ruling"),
    Clause("BG-6.1", "The highest trump takes the trick, else the highest card of the suit led.", PAGE),
    Clause("BG-7.1", "Without sudden death most points win the deal; level at the top is a draw.", PAGE),
    Clause("BG-7.2", "Sudden death wins whatever the points; those of the tricks taken so far are told.", PAGE),
    Clause("BG-7.3", "Deals won and deals drawn are counted, without end and without a winner of the match.", "ruling BG-R19"),
)  # fmt: skip

POINTS = Count("card_points", {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2})
"""The card points of each rank that has any."""
ORDER = Order(("A", "7", "K", "J", "Q", "6", "5", "4", "3", "2"), (POINTS,))
"""The ranks, the highest first, and what they count."""
WORTHLESS_CARDS = tuple(FRENCH_40.face(rank, suit) for suit in FRENCH_40.suits for rank in ("2", "3", "4", "5", "6"))
"""The cards without card points."""

REMOVED_CARD = removed_card(
    "removed_card",
    "Which worthless card three players leave out.",
    "S004: a low card; ruling BG-R4",
    WORTHLESS_CARDS,
    FRENCH_40.face("2", "c"),
)
DEAL_PACKETS = deal_packets(WEB, {"1-1-1": (1, 1, 1), "3": (3,)})
TRUMP_BY = trump_by(PAGE)
SUDDEN_DEATH = bool_option(
    "sudden_death", "Whether an Ace that takes the Seven wins the deal at once.", PAGE, default=True
)
PARTNER_SEVEN = bool_option(
    "sudden_death_partner_seven", "Whether the partner's Seven counts for sudden death.", "ruling BG-R12"
).only_for(4)
FIRST_DEALER = first_dealer(3, "drawn by the caller")


def rules(agreed: Choices) -> Rules:
    sudden = SuddenDeath("A", "7", from_anybody if agreed[PARTNER_SEVEN] else from_opponent)
    return Rules(
        agreed,
        seating=alone_or_partners(agreed.players),
        pack=FRENCH_40.without(agreed[REMOVED_CARD]) if agreed.players == 3 else FRENCH_40,
        order=ORDER,
        dealing=Dealing("await_deal", StartDeal(agreed[DEAL_PACKETS], agreed[TRUMP_BY])),
        phases=(Cut(), Play()),
        series=Series(),
        following=FollowOrTrump(),
        deal_scoring=SuddenOrMost(),
        trick_effects=(sudden,) if agreed[SUDDEN_DEATH] else (),
        first_dealer=agreed[FIRST_DEALER],
    )


BISCA_GUYANA = GameEntry(
    key="bisca-guyana",
    title="Bisca (Guyana)",
    place="Guyana",
    description="A trick game with draws in which an Ace that takes the Seven of its suit wins the deal at once.",
    sources=("S004",),
    players=(2, 3, 4),
    options=(REMOVED_CARD, DEAL_PACKETS, TRUMP_BY, SUDDEN_DEATH, PARTNER_SEVEN, FIRST_DEALER),
    rules=rules,
    own_clauses=CLAUSES,
    citations={"cut_stock not_your_turn": "BG-4.2", "must_follow_or_trump": "BG-5.3", "cut_out_of_range": "BG-5.2"},
)

GAMES = (BISCA_GUYANA,)
