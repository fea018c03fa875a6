"""Madrasso of Venice: Briscola's cards with suit to be followed, ten deals of 130 points, and the claim of 777.

Source: S004. Rulings fill its gaps; the clauses name them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from chitarrella import tricks
from chitarrella.core.cards import ITALIAN, Card, Hand, minus
from chitarrella.core.model import Event, Fact, Move, Reason, Refusal, Seat, Zone, public_event
from chitarrella.core.options import Choices, GameEntry, Option, bool_option, choice_option, number_option, rule_book
from chitarrella.games.briscola import ORDER
from chitarrella.tricks.following import offence_fault, trick_leader, undo_revoke
from chitarrella.tricks.side_actions import EXCHANGE_NOT_AVAILABLE, EXCHANGE_WRONG_CARD
from chitarrella.tricks.table import TurnUpExchange

PAGE = "S004, Madrasso"


def first_trick_but_dealer(g: tricks.Rules, t: tricks.Table, seat: Seat) -> bool:
    """Return whether ``seat`` is still to play to the first trick, and not the dealer (MA-5.2)."""
    return seat != t.match_state.dealer and tricks.first_trick(g, t, seat)


@dataclass(frozen=True)
class SwapWithDealer(tricks.ExchangeTurnUp):
    """Exchange the Seven of trumps for the faced card before the dealer (MA-5.2)."""

    def conditions(self, g: tricks.Rules, t: tricks.Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse it after the first trick, to the dealer, and for any other card."""
        refusals = self.possession(g, t, seat, move)
        if not self.is_due(g, t, seat):
            refusals = (*refusals, g.refuse(EXCHANGE_NOT_AVAILABLE))
        seven = g.pack.face("7", t.trump)
        return (*refusals, *([] if move.cards[0] == seven else [g.refuse(EXCHANGE_WRONG_CARD, word=seven)]))

    def apply(self, g: tricks.Rules, t: tricks.Table, seat: Seat, move: Move, events: list[Event]) -> tricks.Table:
        card, faced, dealer = move.cards[0], t.turn_up, t.match_state.dealer
        assert faced is not None, "a card lies before the dealer from the deal on"
        events.append(public_event("turn_up_exchanged", seat, (card, faced)))
        hands = list(t.hands)
        hands[seat] = (*minus(hands[seat], card), faced)
        hands[dealer] = (*minus(hands[dealer], faced), card)
        return t._replace(hands=tuple(hands), turn_up=card, exchanged=(*t.exchanged, TurnUpExchange(seat, faced)))


FACED_CARD_WAITS = Reason("faced_card_waits", "{word} waits until three tricks, or a trump, were played.", duty=True)
WAITING_TRICKS = 3
"""The number of tricks for which the faced card waits, where it does."""


@dataclass(frozen=True)
class Waiting(tricks.Following):
    """The same ``duty``, but the faced card waits before the dealer, apart from the hand (MA-5.11)."""

    duty: tricks.Following

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:  # type: ignore[override]  # computed once
        """The reasons of the duty, and that the faced card waits."""
        return (*self.duty.reasons, FACED_CARD_WAITS)

    def allowed_cards(self, g: tricks.Rules, t: tricks.Table, hand: Hand) -> Hand:
        return self.duty.allowed_cards(g, t, self.playable(g, t, hand))

    def refusals(self, g: tricks.Rules, t: tricks.Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Refuse the faced card that waits, and what the duty refuses."""
        if card in (playable := self.playable(g, t, hand)):
            return self.duty.refusals(g, t, playable, card)
        allowed = self.allowed_cards(g, t, hand)
        waits = g.refuse(FACED_CARD_WAITS, allowed_cards=allowed, offending_cards=(card,), word=card)
        return (waits, *self.duty.refusals(g, t, hand, card))

    def playable(self, g: tricks.Rules, t: tricks.Table, hand: Hand) -> Hand:
        """Return ``hand`` without the faced card, while that waits."""
        if t.turn_up not in hand or len(t.tricks) >= WAITING_TRICKS:
            return hand
        played = (*t.trick, *(card for trick in t.tricks for card in trick.cards))
        return hand if g.cards.of_suit(played, t.trump) else minus(hand, t.turn_up)


@dataclass(frozen=True)
class RevokedDeals(tricks.CommonLayout):
    """The common layout, for deals that a revoke (MA-5.8) or a claim may end."""

    def points(self, g: tricks.Rules, t: tricks.Table) -> Iterator[Fact]:
        """Yield the points of each side; none after a revoke, whose tricks do not count."""
        return super().points(g, t) if t.own.offence is None else iter(())

    def zones(self, g: tricks.Rules, t: tricks.Table) -> Iterator[Zone]:
        """Yield the zones, in which who led to the trick of a revoke follows from the seat that revoked."""
        return super().zones(g, t._replace(leader=trick_leader(g, t)))

    def seats_fault(self, g: tricks.Rules, t: tricks.Table) -> tuple[str, str] | None:
        """Check the winner and the record of a revoke too."""
        if t.own.champion not in (None, 0, 1) or (t.own.champion is None) != (t.phase != g.series.end_phase):
            return "champion", "a side has won when the game is over, and not before"
        return offence_fault(g, t) or super().seats_fault(g, t)

    def shape_fault(self, g: tricks.Rules, t: tricks.Table) -> tuple[str, str] | None:
        """Check the sizes as they were before a revoke. Only a revoke or a claim leaves cards unplayed."""
        if t.phase == g.dealing.name and t.own.offence is None and (any(t.hands) or t.trick):
            return "hands", "between deals all cards lie in the tricks, unless somebody revoked"
        return super().shape_fault(g, undo_revoke(g, t))


SEVEN = (("7", ()),)
"""The low trump that may be exchanged, for any turn-up."""

TARGET = number_option("target", "How many points a side claims, or reaches.", PAGE, 777, 1, 1300).of_length()
MIN_DEALS = number_option("min_deals", "How many deals are played at least.", PAGE, 10, 1, 99).of_length()
CLAIM_FROM_DEAL: Option[int | None] = number_option(
    "claim_from_deal",
    "From which deal on one may claim; by default the one after the least number.",
    "ruling MA-R7",
    "after_min_deals",
    1,
    100,
    {"after_min_deals": None},
)
MUST_TRUMP_IF_VOID = bool_option(
    "must_trump_if_void", "Whether who cannot follow must trump.", "S004: no; it.wikipedia.org: yes"
)
SEVEN_EXCHANGE = bool_option(
    "seven_exchange", "Whether the Seven of trumps may be swapped for the faced card.", PAGE, default=True
)
REVOKE_MODE = choice_option(
    "revoke_mode",
    "Whether revokes are prevented, or penalized.",
    "ruling MA-R15",
    {"prevent": False, "penalize": True},
)
DEAL_PACKETS = tricks.deal_packets(
    "S004; it.wikipedia.org",
    {"3-2-1-3-2": (3, 2, (0, 0, 0, 1), (3, 3, 3, 2), 2), "5-1-5": (5, (0, 0, 0, 1), (5, 5, 5, 4))},
)
FACED_CARD = bool_option(
    "faced_card_waits",
    "Whether the faced card waits for three tricks, or a trump, before it may be played.",
    "S004: no; it.wikipedia.org: yes",
)
FIRST_DEALER = tricks.first_dealer(3, "drawn by the caller")


def rules(agreed: Choices) -> tricks.Rules:
    match = tricks.ClaimMatch(agreed[TARGET], agreed[MIN_DEALS], agreed[CLAIM_FROM_DEAL])
    swap = SwapWithDealer(SEVEN, first_trick_but_dealer if agreed[SEVEN_EXCHANGE] else tricks.never)
    leading = tricks.Following()
    following: tricks.Following = tricks.FOLLOW_ELSE_TRUMP if agreed[MUST_TRUMP_IF_VOID] else tricks.FollowSuit()
    if agreed[REVOKE_MODE]:
        following = tricks.PenalizedFollowing(following)
    if agreed[FACED_CARD]:
        leading, following = Waiting(leading), Waiting(following)
    play_action = tricks.PlayOrRevoke() if agreed[REVOKE_MODE] else tricks.PlayCard()
    return tricks.Rules(
        agreed,
        seating=tricks.partnerships(),
        pack=ITALIAN,
        order=ORDER,
        dealing=tricks.Dealing("await_deal", tricks.StartDeal(agreed[DEAL_PACKETS], tricks.turn_up_of_dealer(5))),
        phases=(tricks.Play((swap, tricks.Claim(match)), play_action=play_action), tricks.AfterLastTrick(match)),
        series=match,
        leading=leading,
        following=following,
        layout=RevokedDeals(shows_points=tricks.after_deal, open_cards=tricks.turn_up_in_hand),
        own=tricks.ClaimState,
        first_dealer=agreed[FIRST_DEALER],
    )


MADRASSO = GameEntry(
    key="madrasso",
    place="Venice",
    description="The Venetian trick game of two pairs: suit is followed, and the last trick counts ten.",
    sources=("S004", "gamerules.com"),
    players=(4,),
    options=(
        TARGET,
        MIN_DEALS,
        CLAIM_FROM_DEAL,
        MUST_TRUMP_IF_VOID,
        SEVEN_EXCHANGE,
        REVOKE_MODE,
        DEAL_PACKETS,
        FACED_CARD,
        FIRST_DEALER,
    ),
    rules=rules,
    book=rule_book(__file__),
)

GAMES = (MADRASSO,)
