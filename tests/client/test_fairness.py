"""Shuffles, verified by the client itself and by the service, with both clients."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from chitarrella_client import Chitarrella, ErrorCode, Shuffle, errors, fairness
from tests.client.playing import play_out


def test_shuffles_are_verified_by_the_client(client: Chitarrella) -> None:
    """Every pack and every lot of a match is verified without the service, and the service says the same."""
    match = client.create_match("coech", players=2, options={"first_dealer": "by_lot"})
    play_out(match, Random(1))
    pack = client.game("coech").pack
    shuffles = list(match.shuffles())
    assert ["draw_dealer", "start_deal"] == [shuffle.verb for shuffle in shuffles][:2]
    for shuffle in shuffles:
        assert fairness.is_fair(shuffle, pack)
        assert client.rules.verify_shuffle("coech", shuffle)
    lot, deal = shuffles[:2]
    for spoilt in (
        replace(deal, nonce="00" * 32),
        replace(deal, number=7),
        replace(deal, cards=deal.cards[::-1]),
        replace(lot, amount=next(other for other in lot.lots if other != lot.amount)),
    ):
        assert not fairness.is_fair(spoilt, pack)
        assert not client.rules.verify_shuffle("coech", spoilt)
    assert not fairness.is_fair(Shuffle(1, 1, "start_deal", commitment=deal.commitment), pack)


def test_shared_pack_follows_from_the_seeds(client: Chitarrella) -> None:
    """A shared pack waits for a seed of every seat, and the shuffle follows from them."""
    match = client.create_match("briscola", players=2, pack_source="shared", options={"rubber_games": 1})
    commitment = match.get().next_commitment
    assert (0, 1) == match.get().awaiting_seeds_from
    assert (1,) == match.as_seat(0).contribute_seed("mio").awaiting_seeds_from
    assert () == match.as_seat(1).contribute_seed("tuo").awaiting_seeds_from
    with pytest.raises(errors.NotPossibleNow) as late:
        match.as_seat(1).contribute_seed("more")
    assert ErrorCode.NO_SHUFFLE_PENDING == late.value.code
    play_out(match, Random(2))
    (shuffle,) = match.shuffles()
    assert (commitment, ["mio", "tuo"]) == (shuffle.commitment, [one.seed for one in shuffle.client_seeds])
    assert fairness.is_fair(shuffle, client.game("briscola").pack)


def test_referee_may_shuffle_without_missing_seeds(client: Chitarrella) -> None:
    """The referee may have the pack shuffled without the seeds that are missing."""
    match = client.create_match("briscola", players=2, pack_source="shared")
    assert () == match.shuffle_now().awaiting_seeds_from
    assert match.legal_moves().moves
