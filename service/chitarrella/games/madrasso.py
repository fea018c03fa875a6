"""Madrasso of Venice: Briscola's cards with suit to be followed, ten deals of 130 points, and the claim of 777.

Source: S004; what the page leaves open is ruled, and the rulings are named in the clauses.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import replace as but

from chitarrella.cards import minus
from chitarrella.games.briscola import BRISCOLA
from chitarrella.option import Option, numbers, words
from chitarrella.tricks.act import Act
from chitarrella.tricks.arrangement import Layout, running
from chitarrella.tricks.beside import EXCHANGE_NOT_AVAILABLE, EXCHANGE_WRONG_CARD, ExchangeTurnUp
from chitarrella.tricks.choices import beside, crosswise, first_dealer, follow
from chitarrella.tricks.claiming import AfterLastTrick, Claim, Claims777, Venice, claims
from chitarrella.tricks.dealing import Dealing, StartDeal
from chitarrella.tricks.following import FollowElseTrump, FollowSuit
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.play import Play
from chitarrella.tricks.revoking import led_by, offence_fault, penalized, taken_back
from chitarrella.tricks.table import Exchange, Table
from chitarrella.words import EVERYBODY, Clause, Event, Fact, Move, Refusal, Seat, Zone, public

PAGE = "S004, Madrasso"
WEB = "gamerules.com, Madrasso"

CLAUSES = (
    Clause("MA-3.1", "Ace, Three, King, Horse, Jack, 7, 6, 5, 4, 2 rank in this order.", PAGE),
    Clause("MA-3.2", "They count 11, 10, 4, 3, 2 and nothing: 120 in all.", PAGE),
    Clause("MA-3.3", "The side that wins the tenth trick adds 10: a deal is worth 130.", PAGE),
    Clause("MA-3.4", "French cards serve as well: King, Queen and Jack for King, Horse and Jack, spades for swords, clubs for batons, hearts for cups.", f"{PAGE}; pagat.com"),
    Clause("MA-4.1", "Three cards to each, two to each, one face up before the dealer, three to the others and two to the dealer, two to each.", PAGE),
    Clause("MA-4.2", "So the faced card is the twenty-first of the pack and one of the ten that the dealer holds.", PAGE),
    Clause("MA-4.3", "The suit of the faced card is trumps; the card lies open in the dealer's hand until he plays it.", PAGE),
    Clause("MA-4.4", "The deal passes to the next seat, whatever happened.", WEB),
    Clause("MA-5.1", "Eldest leads to the first trick.", PAGE),
    Clause("MA-5.2", "In the first trick, before its card, a seat that is not the dealer may swap the Seven of trumps for the faced card.", PAGE),
    Clause("MA-5.3", "Suit must be followed; who cannot may play any card, or must trump where that is agreed.", f"{PAGE}; it.wikipedia.org for the trump"),
    Clause("MA-5.4", "Who has just won a trick may claim 777, before the next card, from the agreed deal on.", f"{PAGE}; ruling MA-R7"),
    Clause("MA-5.5", "After the tenth trick its winner claims, or declines to, where claims are allowed and nobody has taken all tricks.", "ruling MA-R11"),
    Clause("MA-5.6", "A right claim wins the game at once, a wrong one loses it; a deal that it breaks off is not entered.", f"{PAGE}; ruling MA-R27"),
    Clause("MA-5.7", "A side that takes all ten tricks of a deal wins the game, in any deal; 130 to nothing are entered.", f"{PAGE}; ruling MA-R20"),
    Clause("MA-5.8", "Where revokes are penalized, one ends the deal: 130 to the other side, nothing to the offenders, and nobody takes the trick.", f"{PAGE}; ruling MA-R15"),
    Clause("MA-5.8a", "A revoke is accepted without ever being listed as legal; seat, card and broken duty are told, and hands stay closed.", "ruling MA-R30"),
    Clause("MA-5.9", "The faced card, the exchange, tricks and totals are public; hands are not, and the running points are not told.", WEB),
    Clause("MA-5.10", "Every broken clause is named: match and phase first, then the turn, then possession, then what the move itself asks.", "ruling"),
    Clause("MA-6.1", "The highest trump takes the trick, else the highest card of the suit led; its winner leads to the next.", PAGE),
    Clause("MA-7.1", "The points of both sides are added up from deal to deal.", PAGE),
    Clause("MA-7.2", "After the least number of deals a side with the target wins; of two such sides the higher, level totals play on.", PAGE),
    Clause("MA-7.3", "Before that only a capotto or a claim ends the game.", PAGE),
    Clause("MA-7.6", "A game is won or lost; there are no stakes and there is no rubber.", PAGE),
)  # fmt: skip


@dataclass(frozen=True)
class FacedBeforeDealer(StartDeal):
    """The twenty-first card of the pack lies face up before the dealer and names the trumps."""

    def turned(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Show it; it stays in the dealer's hand."""
        card = t.hands[t.standing.dealer][5]
        tell.append(public("turned_up", t.standing.dealer, (card,), g.suit[card]))
        return t._replace(turn_up=card, trump=g.suit[card])


@dataclass(frozen=True)
class SwapWithDealer(ExchangeTurnUp):
    """The Seven of trumps goes before the dealer, and the faced card into the hand."""

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object after the first trick, to the dealer, and to any other card."""
        lacking = Act.possession(self, g, t, seat, move)
        if not self.offered or t.tricks or seat == t.standing.dealer:
            lacking = (*lacking, g.refuse(EXCHANGE_NOT_AVAILABLE))
        wanted = "7" + t.trump
        return (*lacking, *([] if move.cards[0] == wanted else [g.refuse(EXCHANGE_WRONG_CARD, word=wanted)]))

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Swap the two; everybody sees both."""
        card, faced, dealer = move.cards[0], t.turn_up, t.standing.dealer
        assert faced is not None, "a card lies before the dealer from the deal on"
        tell.append(public("turn_up_exchanged", seat, (card, faced)))
        hands = list(t.hands)
        hands[seat] = (*minus(hands[seat], card), faced)
        hands[dealer] = (*minus(hands[dealer], faced), card)
        return t._replace(hands=tuple(hands), turn_up=card, exchanged=(*t.exchanged, Exchange(seat, faced)))


@dataclass(frozen=True)
class OpenBeforeDealer(Layout):
    """The common layout, but for the faced card in the dealer's hand, and for deals that a revoke or a claim ends."""

    def points(self, g: TrickGame, t: Table) -> Iterator[Fact]:
        """Say nothing of tricks that do not count, after a revoke."""
        return super().points(g, t) if t.own.offence is None else iter(())

    def zones(self, g: TrickGame, t: Table) -> Iterator[Zone]:
        """Lay the faced card open for as long as it is held, apart from the rest of that hand."""
        card = t.turn_up
        for zone in super().zones(g, t._replace(turn_up=None, leader=led_by(g, t))):
            if card is not None and zone.name == "hand" and card in zone.cards:
                yield zone._replace(cards=minus(zone.cards, card))
                yield Zone("turn_up", zone.seat, (card,), EVERYBODY)
            else:
                yield zone

    def seats_fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Check the game's own record too."""
        if t.own.champion not in (None, 0, 1) or (t.own.champion is None) != (t.phase != g.series.over):
            return "champion", "a side has won when the game is over, and not before"
        return offence_fault(g, t) or super().seats_fault(g, t)

    def trump_fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Check that only the dealer holds the faced card."""
        if running(g, t) and any(t.turn_up in hand for seat, hand in enumerate(t.hands) if seat != t.standing.dealer):
            return "turn_up", "the faced card is the dealer's"
        return super().trump_fault(g, t)

    def shape_fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Check sizes as they were before a revoke; only that or a claim leaves cards unplayed."""
        if t.phase == g.dealing.name and t.own.offence is None and (any(t.hands) or t.trick):
            return "hands", "between deals all cards lie in the tricks, unless somebody revoked"
        return super().shape_fault(g, taken_back(g, t))


def first_claim(game: TrickGame, value: str) -> TrickGame:
    """Agree on the first deal in which one may claim; the word lets it follow the least number of deals."""
    return but(game, series=but(claims(game), claim_from=None if value == "after_min_deals" else int(value)))


SEVEN = (("7", ()),)
START = FacedBeforeDealer((3, 2, (0, 0, 0, 1), (3, 3, 3, 2), 2), turns_up=True)

MADRASSO = but(
    BRISCOLA,
    key="madrasso",
    title="Madrasso",
    place="Venice",
    sources=("S004", "gamerules.com"),
    dealing=Dealing("await_deal", START),
    phases=(Play((SwapWithDealer(SEVEN, offered=True), Claim())), AfterLastTrick()),
    series=Claims777(),
    following=FollowSuit(),
    layout=OpenBeforeDealer(broken_off=True, open_points=False),
    own=Venice,
    spare="",
    seatings={4: lambda game: but(crosswise(game), totals=2)},
    options=(
        numbers(
            "target",
            "How many points a side claims, or reaches.",
            PAGE,
            lambda game, n: but(game, series=but(claims(game), target=n)),
            777,
            1,
            1300,
        ),
        numbers(
            "min_deals",
            "How many deals are played at least.",
            PAGE,
            lambda game, n: but(game, series=but(claims(game), least_deals=n)),
            10,
            1,
            99,
        ),
        Option(
            "claim_from_deal",
            "From which deal on one may claim; by default the one after the least number.",
            "ruling MA-R7",
            "after_min_deals",
            first_claim,
            ("after_min_deals",),
            1,
            100,
        ),
        words(
            "must_trump_if_void",
            "Whether who cannot follow must trump.",
            "S004: no; it.wikipedia.org: yes",
            {"true": follow(FollowElseTrump()), "false": follow(FollowSuit())},
            "false",
        ),
        words(
            "seven_exchange",
            "Whether the Seven of trumps may be swapped for the faced card.",
            PAGE,
            {"true": beside(SwapWithDealer(SEVEN, offered=True)), "false": beside(SwapWithDealer(SEVEN))},
            "true",
        ),
        words(
            "revoke_mode",
            "Whether revokes are prevented, or penalized.",
            "ruling MA-R15",
            {"prevent": lambda game: game, "penalize": penalized},
            "prevent",
        ),
        first_dealer(3, "drawn by the caller"),
    ),
    own_clauses=CLAUSES,
    cites={
        "not_your_turn": "MA-5.10",
        "not_in_hand": "MA-5.3",
        "exchange_turn_up not_in_hand": "MA-5.2",
        "must_follow_suit": "MA-5.3",
        "must_trump": "MA-5.3",
        "exchange_not_available": "MA-5.2",
        "exchange_wrong_card": "MA-5.2",
        "claim_not_available": "MA-5.4",
    },
)

GAMES = (MADRASSO,)
