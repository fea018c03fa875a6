"""Cöch, or Cucco, of Lake Iseo: two suits of twenty cards, follow suit, half-points first and units on a tie.

The rules rest on S000 and its enlarged German version S002. With three or two players the missing ones are dummies,
played face up by their partners.
"""

from collections.abc import Callable
from dataclasses import replace as but

from chitarrella.cards import CUCCO
from chitarrella.option import words
from chitarrella.tricks.choices import crosswise, dealer_sits_here, first_dealer, match_deals, target_wins
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.following import FollowSuit
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.order import Count, Order
from chitarrella.tricks.play import Play
from chitarrella.tricks.reckoning import Series
from chitarrella.words import Clause, Seat

BOTH = "S000, S002"

CLAUSES = (
    Clause("CO-1", "There are always four seats; side 0 is seats 0 and 2, side 1 is seats 1 and 3.", BOTH),
    Clause("CO-2", "The next seat sits at the right hand; the partner sits opposite.", BOTH),
    Clause("CO-3", "With three players seat 2 is a dummy, with two players seats 2 and 3 are; the partner plays a dummy's cards.", BOTH),
    Clause("CO-4", "There are two suits of twenty cards, the numbers and the pictures.", BOTH),
    Clause("CO-5", "Numbers rank from I up to X; pictures Matto, mask, bucket, zero, XI, XII, XIII, XIV, XV, lion, lowest first; by agreement the Matto ranks above the zero.", BOTH),
    Clause("CO-6", "The lion is the highest picture, above the cuckoo XV.", BOTH),
    Clause("CO-7", "The two copies of a face are alike; only the order of play tells them apart.", BOTH),
    Clause("CO-8", "V to IX count one half-point, X, XI to XV and the lion two; units are counted from a table of their own.", BOTH),
    Clause("CO-9", "The pack holds 38 half-points and 82 units.", BOTH),
    Clause("CO-10", "The pack is handed in shuffled and cut; the cut is not a move.", "ruling CO-R9"),
    Clause("CO-11", "Each seat gets two packets of five cards, the dealer last.", BOTH),
    Clause("CO-12", "The next dealer is the seat after the dealer; by agreement dummies are passed over.", BOTH),
    Clause("CO-13", "All ten cards of a dummy lie face up as soon as the deal is complete.", BOTH),
    Clause("CO-14", "The seat after the dealer leads first, even as a dummy; after that the winner of the trick leads.", BOTH),
    Clause("CO-15", "A card is played by the seat whose turn it is, from its own hand, by the person who controls that seat.", BOTH),
    Clause("CO-16", "To a trick any card may be led.", BOTH),
    Clause("CO-17", "A suit that was led must be followed while the hand holds it; otherwise any card may be played.", BOTH),
    Clause("CO-18", "All ten tricks are played, forced cards too.", "ruling CO-R19"),
    Clause("CO-19", "There is no bidding, passing, conceding or claiming.", BOTH),
    Clause("CO-20", "Every broken clause is named: match and phase first, then the turn, then possession, then the suit; nothing changes.", "ruling"),
    Clause("CO-21", "Partners see nothing of each other's hands; only a dummy's lies open.", BOTH),
    Clause("CO-22", "Only a card of the suit led can take the trick.", BOTH),
    Clause("CO-23", "The highest card of the suit led takes the trick; of two equal ones the one played first.", BOTH),
    Clause("CO-24", "The side of the winner takes the four cards, the winner leads to the next trick, and no trick bears a bonus.", BOTH),
    Clause("CO-25", "The side with more half-points wins the deal.", BOTH),
    Clause("CO-26", "Where half-points are level, the side with more units wins.", BOTH),
    Clause("CO-27", "Where units are level too, the deal is a draw.", "S000"),
    Clause("CO-28", "A deal counts one for each seat of the winning side and one against each seat of the losing side; a person has the sum of the seats he plays.", BOTH),
    Clause("CO-29", "The match is one deal, or as many deals or won deals as agreed; with more deals won a side wins it.", "ruling CO-R17"),
)  # fmt: skip

NUMBERS = ("X", "IX", "VIII", "VII", "VI", "V", "IV", "III", "II", "I")
HIGH = ("LEO", "XV", "XIV", "XIII", "XII", "XI")
MATTO_LOWEST = (*NUMBERS, *HIGH, "NUL", "SEC", "MAS", "MAT")
MATTO_ABOVE_NULLA = (*NUMBERS, *HIGH, "MAT", "NUL", "SEC", "MAS")
SUITS = dict.fromkeys(NUMBERS, "numbers") | dict.fromkeys(MATTO_LOWEST[len(NUMBERS) :], "pictures")
HALF_POINTS = Count("half_points", dict.fromkeys(("V", "VI", "VII", "VIII", "IX"), 1) | dict.fromkeys(("X", *HIGH), 2))
UNITS = Count(
    "units",
    {"I": 1, "II": 2, "III": 3, "IV": 4, "VI": 1, "VII": 2, "VIII": 3, "IX": 4}
    | {"XI": 1, "XII": 2, "XIII": 3, "XIV": 4, "XV": 5, "LEO": 6},
)


def ranking(ranks: tuple[str, ...]) -> Callable[[TrickGame], TrickGame]:
    """Let the cards rank in this order."""
    return lambda game: but(game, order=but(game.order, ranks=ranks))


def dummies(*controllers: Seat) -> Callable[[TrickGame], TrickGame]:
    """Seat as many as there are different controllers; the other seats are dummies."""
    return lambda game: but(crosswise(game), controllers=controllers)


COECH = TrickGame(
    key="coech",
    title="Cöch",
    place="Lake Iseo, Bergamo and Brescia",
    sources=("S000", "S002"),
    pack=CUCCO,
    order=Order(MATTO_LOWEST, (HALF_POINTS, UNITS), SUITS),
    dealing=Dealing("deal", StartDeal((5, 5))),
    phases=(Play(),),
    series=Series(deals=1, lost=-1),
    following=FollowSuit(),
    first_dealer=None,
    names_seats=True,
    seatings={4: crosswise, 3: dummies(0, 1, 0, 3), 2: dummies(0, 1, 0, 1)},
    options=(
        words(
            "matto_rank",
            "Where the Matto ranks among the pictures.",
            BOTH,
            {"lowest": ranking(MATTO_LOWEST), "above_nulla": ranking(MATTO_ABOVE_NULLA)},
            "lowest",
        ),
        first_dealer(3, "ruling CO-R23", lot=True),
        words(
            "skip_dummy_dealer",
            "Whether a dummy is passed over when the deal goes round.",
            "ruling CO-R14",
            {
                "true": lambda game: but(game, dealing=but(game.dealing, passes_to_dummies=False)),
                "false": lambda game: game,
            },
            "false",
        ),
        match_deals("ruling CO-R17"),
        target_wins("ruling CO-R17"),
    ),
    conflicts=(dealer_sits_here,),
    own_clauses=CLAUSES,
    cites={"bad_dealer": "CO-12", "not_your_turn": "CO-15", "not_in_hand": "CO-15", "must_follow_suit": "CO-17"},
)

GAMES = (COECH,)
