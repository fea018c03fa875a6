"""Draws, checked by the client itself and by the service, with both faces."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from chitarrella_client import Chitarrella, Draw, ErrorCode, errors, fairness
from tests.client.playing import play_out


def test_draws_are_checked_here(client: Chitarrella) -> None:
    """Every pack and every lot of a match is proved without asking the service, and it says the same."""
    match = client.create_match("coech", players=2, options={"first_dealer": "by_lot"})
    play_out(match, Random(1))
    pack = client.game("coech").pack
    draws = list(match.draws())
    assert ["draw_dealer", "start_deal"] == [draw.verb for draw in draws][:2]
    for draw in draws:
        assert fairness.is_fair(draw, pack)
        assert client.rules.verify_draw("coech", draw)
    lot, deal = draws[:2]
    for spoilt in (
        replace(deal, nonce="00" * 32),
        replace(deal, number=7),
        replace(deal, cards=deal.cards[::-1]),
        replace(lot, amount=next(other for other in lot.lots if other != lot.amount)),
    ):
        assert not fairness.is_fair(spoilt, pack)
        assert not client.rules.verify_draw("coech", spoilt)
    assert not fairness.is_fair(Draw(1, 1, "start_deal", commitment=deal.commitment), pack)


def test_shared_pack_follows_from_the_seeds(client: Chitarrella) -> None:
    """A shared pack waits for a word of every seat, and the draw follows from them."""
    match = client.create_match("briscola", players=2, packs="shared", options={"rubber_games": 1})
    promised = match.look().next_commitment
    assert (0, 1) == match.look().words_awaited
    assert (1,) == match.as_seat(0).contribute("mio").words_awaited
    assert () == match.as_seat(1).contribute("tuo").words_awaited
    with pytest.raises(errors.NotPossibleNow) as late:
        match.as_seat(1).contribute("more")
    assert ErrorCode.NO_DRAW_AWAITED == late.value.code
    play_out(match, Random(2))
    (draw,) = match.draws()
    assert (promised, ["mio", "tuo"]) == (draw.commitment, [word.word for word in draw.words])
    assert fairness.is_fair(draw, client.game("briscola").pack)


def test_referee_may_deal_without_missing_seeds(client: Chitarrella) -> None:
    """The referee may have the pack dealt without the words that are missing."""
    match = client.create_match("briscola", players=2, packs="shared")
    assert () == match.deal_now().words_awaited
    assert match.moves().moves
