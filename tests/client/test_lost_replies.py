"""Calls that get lost on their way: repeated by themselves, and carried out once."""

from __future__ import annotations

import socket
import threading
import time
from random import Random

import pytest

from chitarrella_client import Chitarrella, Match, TimedOut, Unavailable, errors
from tests.client.conftest import Opens
from tests.client.playing import step
from tests.client.proxy import DATA, HEADERS, Proxy


def turn(match: Match) -> Match:
    """The match, accessed as the seat to move."""
    seat = match.legal_moves().seat
    assert seat is not None
    return match.as_seat(seat)


@pytest.mark.parametrize("frame", [HEADERS, DATA], ids=["before the answer", "inside the answer"])
def test_move_with_lost_answer_is_played_once(opens_through: Opens, proxy: Proxy, frame: int) -> None:
    """A move whose answer is lost is played exactly once, and the caller is told what came of it."""
    match = opens_through().create_match("briscola")
    seat = turn(match)
    moves = seat.legal_moves()
    before = list(match.events())
    proxy.lose_answers(1, frame)
    played = seat.play(moves[0])
    assert (1, True, True) == (proxy.lost, played.accepted, played.repeated_request)
    after = list(match.events())
    assert before == after[: len(before)]
    assert 1 == len(after) - len(before)
    assert moves.revision + 1 == played.revision == match.get().revision


def test_create_with_lost_answer_returns_its_keys(opens_through: Opens, proxy: Proxy) -> None:
    """A match whose opening is lost on the way back has its keys all the same."""
    client = opens_through()
    list(client.games())
    proxy.lose_answers(2)
    match = client.create_match("briscola", players=2)
    assert 2 == proxy.lost
    assert {0, 1} == set(match.keys)
    assert step(match, Random(1)) is not None


def test_seed_with_lost_answer_counts_once(opens_through: Opens, proxy: Proxy) -> None:
    """A seed for a lot whose answer is lost does not count for the pack, which is shuffled next."""
    options = {"first_dealer": "by_lot"}
    match = opens_through().create_match("coech", players=2, options=options, pack_source="shared")
    match.as_seat(0).contribute_seed("mio")
    proxy.lose_answers(1)
    assert (0, 1) == match.as_seat(1).contribute_seed("tuo").awaiting_seeds_from
    assert 1 == proxy.lost
    proxy.lose_answers(1)
    assert () == match.shuffle_now().awaiting_seeds_from
    assert match.legal_moves().moves


def test_exhausted_retries_raise_with_the_request_id(opens_through: Opens, proxy: Proxy) -> None:
    """When no try gets through, the error has the request id, and under it the call can be made later."""
    client = opens_through(retries=1)
    match = client.create_match("briscola")
    seat = turn(match)
    moves = seat.legal_moves()
    proxy.lose_answers(2)
    with pytest.raises(Unavailable) as lost:
        seat.play(moves[0])
    assert (False, 2) == (lost.value.from_service, proxy.lost)
    later = seat.play(moves[0], request_id=lost.value.request_id)
    assert (True, True) == (later.accepted, later.repeated_request)
    assert moves.revision + 1 == match.get().revision


def test_late_answer_is_retried_and_played_once(opens_through: Opens, proxy: Proxy) -> None:
    """A move that is not answered in time is repeated, and played once."""
    match = opens_through(timeout=0.5).create_match("briscola")
    seat = turn(match)
    moves = seat.legal_moves()
    proxy.hold()
    threading.Timer(0.9, proxy.release).start()
    played = seat.play(moves[0])
    assert (True, True) == (played.accepted, played.repeated_request)
    assert moves.revision + 1 == match.get().revision


def test_silent_service_is_given_up(opens_through: Opens, proxy: Proxy) -> None:
    """A service that never answers is given up after the tries that were allowed."""
    client = opens_through(timeout=0.1, retries=1)
    proxy.hold()
    began = time.monotonic()
    with pytest.raises(TimedOut):
        list(client.games())
    assert 0.2 <= time.monotonic() - began < 5


def test_unreachable_service_is_unavailable(opens: Opens) -> None:
    """Where nobody listens, the error says that the service is unavailable."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(Unavailable) as away:
        opens(address, retries=1).game("briscola")
    assert ("unavailable", False) == (away.value.code, away.value.from_service)
    with pytest.raises(Unavailable):
        next(iter(opens(address).match("0" * 20).watch(give_up=0.3)))


def test_call_survives_a_short_outage(opens_through: Opens, proxy: Proxy) -> None:
    """A call survives a service that is away for a second."""
    client = opens_through()
    match = client.create_match("briscola")
    seat = turn(match)
    move = seat.legal_moves()[0]
    proxy.refuse()
    threading.Timer(1.0, proxy.refuse, [False]).start()
    assert seat.play(move).accepted


def test_service_errors_are_not_retried(client: Chitarrella) -> None:
    """What the service itself has refused is not asked again."""
    began = time.monotonic()
    with pytest.raises(errors.NoSuchMatch):
        client.match("0" * 20).get()
    assert time.monotonic() - began < 2
