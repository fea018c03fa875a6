"""Elfern: eleven of twenty honours; free play while there is a stock, strict duties in the last six tricks.

Source: S004, whose page breaks off inside this game; the rest is recovered from the next page of the same book.
"""

from dataclasses import dataclass

from chitarrella.core.cards import FRENCH_32, Card, Hand
from chitarrella.core.model import Clause, Refusal
from chitarrella.core.options import Choices, GameEntry, bool_option, choice_option
from chitarrella.games.bohemian_schneider import HONOURS, RANKS
from chitarrella.tricks import following
from chitarrella.tricks.card_values import Order
from chitarrella.tricks.dealing import Dealing, StartDeal, turn_up_next, turn_up_none
from chitarrella.tricks.match_formats import DoubledDeal, TieredMatch, alternate, loser_deals
from chitarrella.tricks.options import deal_packets, first_dealer
from chitarrella.tricks.parts import Following
from chitarrella.tricks.play import Play
from chitarrella.tricks.rules import Rules, keep_record
from chitarrella.tricks.seating import alone
from chitarrella.tricks.table import Table

PAGE = "S004, Elfern"
NEXT_PAGE = "recovered: the next page of the book of S004"

CLAUSES = (
    Clause("EL-3.1", "Ace, King, Queen, Jack, Ten, 9, 8, 7 rank in this order.", PAGE),
    Clause("EL-3.2", "Ace, King, Queen, Jack and Ten are honours, one point each: twenty in all.", PAGE),
    Clause("EL-4.1", "Each of the two seats gets six cards in packets of two, or of three where that is agreed, eldest first; the other twenty are the stock, face down.", "S004, Elfern; packets: web source, ruling EL-R1"),
    Clause("EL-4.2", "By the trump variant the next card is turned up for trumps and lies last in the stock.", NEXT_PAGE),
    Clause("EL-4.3", "The deal alternates, or, where that is agreed, the loser deals next, and after a stand-off the other seat.", "ruling EL-R2; a web source"),
    Clause("EL-5.1", "Eldest leads to the first trick.", PAGE),
    Clause("EL-5.2", "Any card may be led, and while there is a stock any may follow; then suit must be followed, in the variant else a trump played, and the lead beaten in its suit where that is agreed.", NEXT_PAGE),
    Clause("EL-5.3", "While there is a stock the winner draws a card, then the loser, who gets the last one after the tenth trick; the winner leads.", "recovered: the next page of the book of S004; ruling EL-R3"),
    Clause("EL-5.4", "Hands and drawn cards are private; tricks, the stock's size, turn-up, games won and a pending doubling are public.", NEXT_PAGE),
    Clause("EL-5.5", "Every broken clause is named: phase first, then the turn, then possession, then what the last six tricks ask: to follow, to trump, to head.", "ruling"),
    Clause("EL-6.1", "The second card wins as a higher card of the suit led, in the variant also as a trump on a plain lead.", NEXT_PAGE),
    Clause("EL-7.1", "From 11 honours the deal wins a single game, from 15 a double, for all 20 a treble; 10 each win nothing.", NEXT_PAGE),
    Clause("EL-7.2", "Where agreed, a stand-off doubles the next deal that is won; further ones do not double again.", "Pierer's Lexicon, 1857; ruling EL-R10"),
    Clause("EL-7.3", "Games are counted, and stand-offs apart from them, without end.", "ruling"),
)  # fmt: skip


@dataclass(frozen=True)
class StrictAtTheEnd(Following):
    """No duty while there is a stock; then ``duty`` (EL-5.2)."""

    duty: Following = following.FollowElseTrump()

    reasons = (following.MUST_FOLLOW_SUIT, following.MUST_TRUMP, following.MUST_HEAD_TRICK)

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Allow the whole hand while there is a stock."""
        return hand if t.stock else self.duty.allowed_cards(g, t, hand)

    def refusal(self, g: Rules, t: Table, hand: Hand, card: Card) -> Refusal:
        return self.duty.refusal(g, t, hand, card)


@dataclass(frozen=True)
class HeadElseTrump(following.FollowAndHead):
    """Follow suit and head the trick, else trump (EL-5.2, where heading is agreed)."""

    reasons = (following.MUST_FOLLOW_SUIT, following.MUST_TRUMP, following.MUST_HEAD_TRICK)

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Allow only trumps to a hand that has none of the suit led."""
        if g.cards.of_suit(hand, g.cards.suit[t.trick[0]]):
            return super().allowed_cards(g, t, hand)
        return g.cards.of_suit(hand, t.trump) or hand

    def refusal(self, g: Rules, t: Table, hand: Hand, card: Card) -> Refusal:
        """Refuse also a plain card where a trump is due."""
        if g.cards.of_suit(hand, g.cards.suit[t.trick[0]]):
            return super().refusal(g, t, hand, card)
        return following.FollowElseTrump().refusal(g, t, hand, card)


TRUMP_VARIANT = bool_option("trump_variant", "Whether a card is turned up for trumps.", NEXT_PAGE)
HEAD_IN_ENDGAME = bool_option(
    "head_in_endgame",
    "Whether the trick must be headed when the stock is gone.",
    "Meyers Konversations-Lexikon, 1905",
)
STAND_OFF = choice_option(
    "stand_off",
    "Whether a stand-off doubles the next deal that is won.",
    "Pierer's Lexicon, 1857",
    {"none": 1, "double_next": 2},
)
DEAL_PACKETS = deal_packets("ruling EL-R1", {"2-2-2": (2, 2, 2), "3-3": (3, 3)})
NEXT_DEALER = choice_option(
    "next_dealer", "Who deals the next deal.", "ruling EL-R2", {"alternate": alternate, "loser": loser_deals}
)
FIRST_DEALER = first_dealer(1, "drawn by the caller")


def rules(agreed: Choices) -> Rules:
    turn_up = turn_up_next if agreed[TRUMP_VARIANT] else turn_up_none
    return Rules(
        agreed,
        seating=alone(2),
        pack=FRENCH_32,
        order=Order(RANKS, (HONOURS,)),
        dealing=Dealing("await_deal", StartDeal(agreed[DEAL_PACKETS], turn_up)),
        phases=(Play(),),
        series=TieredMatch(
            ((20, 3), (15, 2), (11, 1)), stand_off_factor=agreed[STAND_OFF], pass_deal=agreed[NEXT_DEALER]
        ),
        following=StrictAtTheEnd(HeadElseTrump()) if agreed[HEAD_IN_ENDGAME] else StrictAtTheEnd(),
        own=DoubledDeal,
        carry_over=keep_record,
        first_dealer=agreed[FIRST_DEALER],
    )


ELFERN = GameEntry(
    key="elfern",
    title="Elfern",
    place="Germany and Austria",
    description="A trick game for two with draws, in which honours alone count and eleven of them win.",
    sources=("S004",),
    players=(2,),
    options=(TRUMP_VARIANT, HEAD_IN_ENDGAME, STAND_OFF, DEAL_PACKETS, NEXT_DEALER, FIRST_DEALER),
    rules=rules,
    own_clauses=CLAUSES,
    citations={"must_follow_suit": "EL-5.2", "must_trump": "EL-5.2", "must_head_trick": "EL-5.2"},
)

GAMES = (ELFERN,)
