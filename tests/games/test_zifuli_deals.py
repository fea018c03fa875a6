"""Zifuli: complete deals from the first card to the payments (ZI-E17, ZI-E18, ZI-E22)."""

from __future__ import annotations

import re

import pytest

from chitarrella.core.model import Seat
from tests.games.support.examples import Block
from tests.games.support.table import Match, reveals
from tests.games.support.zifuli_tables import (
    RESULTS,
    complete_deals,
    knows,
    paid,
    payments,
    result,
    talk,
    zifuli,
)

PLAYED = re.compile(r"(.*) -> (\d) \(half-points (\d+), units (\d+)\)")
REVEAL = re.compile(r"trick (\d), card (\d) \(seat (\d) plays (\w+)\)")


@pytest.mark.clause("ZI-5", "ZI-13", "ZI-18", "ZI-20", "ZI-21", "ZI-24", "ZI-25", "ZI-26", "ZI-27")
@pytest.mark.parametrize("block", [pytest.param(block, id=block.name) for block in complete_deals()])
def test_complete_deal(block: Block) -> None:
    """ZI-E17, E18, E22: hands, auction, every trick, the card that tells the sides, both counts, and the payments."""
    said = block.words()
    options = {option: said[option] for option in ("bidding_direction", "stake") if option in said}
    match = zifuli(int(said["dealer"]), match_deals="2", **options)
    match.deal(match.game.pack.hand(said["pack"].split()))
    assert [said[f"hand {place}"] for place in range(5)] == [" ".join(hand) for hand in match.p.hands]
    talk(match, said["auction"])
    found = REVEAL.fullmatch(said["partnership public from"])
    assert found
    for number in range(1, 9):
        _play_trick(match, said[f"trick {number}"], int(found[2]) if number == int(found[1]) else 0)
    caller, partner = said["caller"].split()[0].strip(","), said["caller"].rpartition(" partner: ")[2]
    seats = {int(caller), int(caller) if partner.startswith("none") else int(partner)}
    assert seats == {2} if "alone" in partner else seats == {int(caller), int(found[3])}
    _check_result(match, said, seats)


def _play_trick(match: Match, words: str, events_text: int) -> None:
    """Play a trick, in which the card of that number (0: none) tells the sides, and check what it says of it."""
    found = PLAYED.fullmatch(words)
    assert found
    for number, card in enumerate(found[1].split(", "), 1):
        before = reveals(match)
        assert int(card.split()[0]) == match.game.turn(match.p)
        match.play(card)
        assert (number == events_text) == (before != reveals(match))
        assert bool(reveals(match)) == bool(knows(match, None)[0])
    trick = match.p.tricks[-1]
    worth = {"half_points": int(found[3]), "units": int(found[4])}
    assert (int(found[2]), worth) == (trick.winner, dict(match.game.count(trick.cards)))


def _check_result(match: Match, said: dict[str, str], side: set[Seat]) -> None:
    """Check the end of a complete deal against what was said of it."""
    counted = {event.word: dict(event.shares) for event in match.last if event.kind == "deal_counted"}
    stages = [re.findall(r"(?:side|opponents) (\d+)", said[f"stage {stage}"]) for stage in (1, 2)]
    for count, stage in zip(("half_points", "units"), stages, strict=True):
        shares = {str(place): int(stage[place not in side]) for place in range(5)} if stage else None
        assert shares == counted.get(count)
    assert RESULTS[said["result"]] == result(match)
    won = {event.seat for event in match.last if event.kind == "deal_won"}
    assert won == (side if RESULTS[said["result"]] else set(range(5)) - side)
    assert payments(said["payments"]) == paid(match) == match.game.scores(match.p)
    assert ("deal", (int(said["dealer"]) + 1) % 5) == (match.p.phase, match.p.match_state.dealer)
