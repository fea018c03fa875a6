"""Harjan: three cards or more are led at once, and every one of them must be beaten.

Source: S004, whose page begins in the middle of this game. It holds values, leads, winning and scoring. Pack, deal and
trumps were reconstructed from the Norwegian four-handed game (nisja.info) and from Réunion (English Wikipedia).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from chitarrella import tricks
from chitarrella.core.cards import FRENCH_52, Card, Hand
from chitarrella.core.model import NOT_IN_HAND, Event, Move, MoveSpec, Reason, Refusal, Seat, public_event
from chitarrella.core.options import Choices, GameEntry, choice_option, rule_book
from chitarrella.games.hundredogen import (
    CARD_POINTS,
    FIRST_DEALER,
    JACKS,
    JAN_THRESHOLD,
    TARGET_CHECK,
    race_to,
    target,
)
from chitarrella.tricks.following import AllBeaten, JackOrder, JackPoints
from chitarrella.tricks.match_formats import GAME_OVER, StartDealOrGame, TargetReached
from chitarrella.tricks.options import WITH_AN_END
from chitarrella.tricks.play import Follow, Lead, remove_cards

MUST_LEAD_THREE_OR_MORE = Reason(
    "must_lead_three_or_more",
    "The hand holds three cards of one suit: three or more of one suit must be led.",
    duty=True,
)
MUST_LEAD_PAIR_AND_THIRD = Reason(
    "must_lead_pair_and_third", "No suit has three cards: a pair and one card of another suit must be led.", duty=True
)
MUST_LEAD_THREE = Reason("must_lead_three", "All cards are of different suits: three of them must be led.", duty=True)
MUST_LEAD_ALL = Reason("must_lead_all", "So few cards are left that all of them must be led.", duty=True)


class Leads(NamedTuple):
    """The sets that may be led from a hand (HA-5.2), in the order of the pack, and the reason against any other."""

    sets: tuple[Hand, ...]
    otherwise: Reason


@lru_cache(maxsize=256)
def legal_leads(held: Hand, trump: str) -> Leads:
    """Return the legal leads of a hand, each set in the order of the pack (HA-5.2)."""
    hand = FRENCH_52.in_order(held)
    groups: dict[str, list[Card]] = {}
    for card in hand:
        groups.setdefault(JACKS.effective_suit(card, trump), []).append(card)
    largest = max(map(len, groups.values()), default=0)
    if largest >= 3:
        return Leads(tuple(in_one_suit(groups.values())), MUST_LEAD_THREE_OR_MORE)
    if len(hand) >= 3 and largest == 2:
        return Leads(tuple(pair_and_third(hand, groups.values())), MUST_LEAD_PAIR_AND_THIRD)
    if len(hand) >= 3:
        return Leads(tuple(combinations(hand, 3)), MUST_LEAD_THREE)
    return Leads((hand,), MUST_LEAD_ALL)


def in_one_suit(groups: Iterable[list[Card]]) -> Iterator[Hand]:
    """Yield every set of three or more cards of one group, in the order of the hand."""
    for group in groups:
        for size in range(3, len(group) + 1):
            yield from combinations(group, size)


def pair_and_third(hand: Hand, groups: Iterable[list[Card]]) -> Iterator[Hand]:
    """Yield every pair with one card of another group, in the order of the hand."""
    for pair in groups:
        if len(pair) == 2:
            for third in hand:
                if third not in pair:
                    yield tuple(card for card in hand if card in pair or card is third)


@dataclass(frozen=True)
class LeadCards(tricks.Action):
    """Lead several cards at once (HA-5.2)."""

    spec = MoveSpec("lead_cards", "Lead several cards at once.", frozenset(), (0, 52))
    reasons = (NOT_IN_HAND, MUST_LEAD_THREE_OR_MORE, MUST_LEAD_PAIR_AND_THIRD, MUST_LEAD_THREE, MUST_LEAD_ALL)

    def offers(self, g: tricks.Rules, t: tricks.Table, seat: Seat) -> Iterable[Move]:
        """Return only the legal sets: a hand has too many subsets to try each."""
        return [Move("lead_cards", cards) for cards in legal_leads(t.hands[seat], t.trump).sets if cards]

    def legal_moves(self, g: tricks.Rules, t: tricks.Table, seat: Seat) -> Iterable[Move]:
        return self.offers(g, t, seat)

    def duties(self, g: tricks.Rules, t: tricks.Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a set of held cards that is no legal lead."""
        if self.possession(g, t, seat, move):
            return ()
        legal = legal_leads(t.hands[seat], t.trump)
        if move.cards in legal.sets or g.pack.in_order(move.cards) in legal.sets:
            return ()
        return (g.refuse(legal.otherwise, offending_cards=move.cards),)

    def apply(self, g: tricks.Rules, t: tricks.Table, seat: Seat, move: Move, events: list[Event]) -> tricks.Table:
        events.append(public_event("cards_led", seat, move.cards))
        return g.next_phase(t.with_play(remove_cards(t.hands, seat, move.cards), move.cards), events)


@dataclass(frozen=True)
class TurnUpBetweenPackets(StartDealOrGame):
    """Two packets of three, the trump turned up between them (HA-4.2)."""

    def split_packets(self, order: tuple[Seat, ...], cards: Hand) -> tuple[dict[Seat, Hand], Hand]:
        """Split the pack; the card turned up early is moved to where the ordinary deal turns it up."""
        turned = 3 * len(order)
        hands, rest = super().split_packets(order, cards[:turned] + cards[turned + 1 :])
        return hands, (cards[turned], *rest)


ORDER = JackOrder(
    ("A", "T", "K", "Q", "J", "9", "8", "7", "6", "5", "4", "3", "2"),
    (JackPoints("card_points", CARD_POINTS, JACKS),),
    jacks=JACKS,
)
"""The ranks, the highest first; above them the two Jacks of the trump colour."""

TARGET = target(121)
MATCH_GAMES = tricks.match_games("ruling HA-R34", 3)
TURN_UP = choice_option(
    "turn_up",
    "Whether the trump is turned up after the deal, or after the first packets.",
    "ruling HA-R5; nisja.info",
    {
        "after_deal": StartDealOrGame((3, 3), tricks.turn_up_next),
        "after_first_round": TurnUpBetweenPackets((3, 3), tricks.turn_up_next),
    },
)


def rules(agreed: Choices) -> tricks.Rules:
    return tricks.Rules(
        agreed,
        seating=tricks.alone(2),
        pack=FRENCH_52,
        order=ORDER,
        dealing=tricks.Dealing("await_deal", agreed[TURN_UP]),
        phases=(Lead(LeadCards()), Follow()),
        between=(tricks.Dealing(GAME_OVER, agreed[TURN_UP]),),
        series=race_to(agreed[TARGET], agreed[JAN_THRESHOLD], agreed[MATCH_GAMES]),
        taking=AllBeaten(),
        trick_effects=(*((TargetReached(agreed[TARGET]),) if agreed[TARGET_CHECK] else ()), tricks.Draw()),
        layout=tricks.MultiCardLayout(shows_points=tricks.always if agreed[TARGET_CHECK] else tricks.after_deal),
        own=tricks.RaceScore,
        carry_over=tricks.keep_record,
        first_dealer=agreed[FIRST_DEALER],
    )


HARJAN = GameEntry(
    key="harjan",
    place="Norway",
    description="A Norwegian game for two in which several cards are led at once and must all be beaten.",
    sources=("S004", "nisja.info", "English Wikipedia, Réunion"),
    players=(2,),
    options=(TARGET, JAN_THRESHOLD, TARGET_CHECK, TURN_UP, MATCH_GAMES, FIRST_DEALER),
    rules=rules,
    book=rule_book(__file__),
    editions=WITH_AN_END,
)

GAMES = (HARJAN, HARJAN.former(match_games="0"))
