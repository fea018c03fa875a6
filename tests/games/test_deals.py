"""Complete deals of the Briscola family, from the first card to the count, as the specifications tell them."""

from __future__ import annotations

import re

import pytest

from chitarrella.core.model import REFEREE
from tests.games.support.complete_deals import play_round
from tests.games.support.examples import Deal, deals
from tests.games.support.table import Match, events_of, facts, seat

DEALS = [pytest.param(deal, id=deal.name) for deal in deals()]


def begun(deal: Deal) -> Match:
    """Deal the cards of an example."""
    match = Match(seat(deal.game, len(deal.hands), first_dealer=str(deal.dealer)))
    match.deal(match.game.pack.hand(deal.pack.split()))
    return match


def played(deal: Deal) -> Match:
    """Play an example to its end."""
    match = begun(deal)
    for round_ in deal.rounds:
        match.play(", ".join(f"{seat} {card}" for seat, card in round_.plays))
    return match


def numbers(deal: Deal, words: str) -> dict[str, int]:
    """Read ``words s0 57, s1 63`` out of the last lines of an example; a side is named by its letter."""
    (line,) = [line for line in deal.ending if words in line]
    part = line.partition(words)[2].partition("; net")[0]
    return {who: int(count) for who, count in re.findall(r"(s\d|[AB]) ([+-]?\d+)", part)}


@pytest.mark.clause("ALL-1", "ALL-2", "BR-4.1", "BR-4.2", "BN-4.1", "BN-4.2", "BQ-4.1")
@pytest.mark.parametrize("deal", DEALS)
def test_the_pack_gives_hands_turn_up_and_stock(deal: Deal) -> None:
    """The first cards are dealt from eldest round, the next may be turned up and goes last into the stock."""
    match = begun(deal)
    assert [(place, tuple(hand.split())) for place, hand in deal.hands.items()] == [
        (event.seat, event.cards) for event in events_of(match, "dealt")
    ]
    assert list(deal.hands.values()) == [" ".join(match.p.hands[place]) for place in deal.hands]
    assert (deal.trump, deal.turn_up or None) == (match.p.trump, match.p.turn_up)
    assert deal.stock == " ".join(match.p.stock)
    assert (deal.dealer + 1) % match.game.seats == match.game.turn(match.p)


@pytest.mark.clause("BR-5.1", "BR-5.3", "BR-6.1", "BN-5.1", "BN-5.3", "BN-6.1", "BQ-5.1", "BQ-5.3", "BQ-6.1", "BQ-7.2")
@pytest.mark.parametrize("deal", DEALS)
def test_each_trick_is_taken_paid_and_drawn_after(deal: Deal) -> None:
    """Trick by trick: who plays, who takes what worth, which chips are paid, and who draws which card when."""
    match = begun(deal)
    for round_ in deal.rounds:
        event_count = len(match.events)
        play_round(match, round_)
        events = match.events[event_count:]
        assert list(round_.draws) == [(e.seat, e.cards[0]) for e in events if e.kind == "card_drawn"]
        assert round_.chips == sum(e.amount or 0 for e in events if e.kind == "chips_paid")


@pytest.mark.clause("BR-7.1", "BR-7.2", "BN-7.1", "BQ-7.1")
@pytest.mark.parametrize("deal", DEALS)
def test_the_cards_taken_are_counted_and_the_deal_is_entered(deal: Deal) -> None:
    """After the last trick the points are what the example says, and whoever has most of them has won the game."""
    match = played(deal)
    points = numbers(deal, "card-points: ")
    assert [points[f"s{place}"] for place in range(match.game.seats)] == list(match.game.points(match.p))
    sides = [points["A"], points["B"]] if "A" in points else [points["s0"], points["s1"]]
    assert sides == [count[0] for count in match.game.deal_scoring.by_side(match.game, match.p)]
    assert tuple(int(side == max(sides)) for side in sides) == match.p.match_state.wins
    assert ("await_deal", (deal.dealer + 1) % match.game.seats) == (match.p.phase, match.p.match_state.dealer)


@pytest.mark.clause("BQ-7.2", "BQ-7.3", "BQ-5.5")
@pytest.mark.parametrize("deal", [deal for deal in DEALS if "BQ" in str(deal.id)])
def test_the_chips_balance(deal: Deal) -> None:
    """What each seat was paid, and what it is up or down in the end, is what the example says."""
    match = played(deal)
    received = {"s0": 0, "s1": 0}
    for event in events_of(match, "chips_paid"):
        received[f"s{event.other}"] += event.amount or 0
    assert numbers(deal, "received: ") == received
    net = {who: int(chips) for who, chips in re.findall(r"(s\d) ([+-]\d+)", deal.ending[-1].partition("net")[2])}
    assert net == {f"s{place}": chips for place, chips in facts(match.view(REFEREE), "chips").items()}
