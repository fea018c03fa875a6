"""Tests of platforms at service processes: the same deals in each of them, and a clock that outlives a restart."""

from __future__ import annotations

from datetime import timedelta

import pytest

from chitarrella.transports.inprocess import Service, channel
from chitarrella_client import Chitarrella, ErrorCode, errors
from chitarrella_client.sync.match import Match
from tests.server.process import StartService

MADRASSO = {"min_deals": 2, "target": 1}


def table_moves(match: Match) -> list[str]:
    """Play a match to its end by the first legal moves; gives the packs in its record."""
    while moves := match.legal_moves():
        match.as_seat(moves.seat).play(moves[0])
    return [line.partition("|")[0] for line in match.record().splitlines() if line.startswith("table ")]


def watched(match: Match) -> str:
    """Watch bots until they have played; gives the record without its proofs."""
    assert list(match.watch())
    return match.record().partition("\nshuffle ")[0]


def test_same_seed_gives_the_same_match_in_every_process(start_service: StartService) -> None:
    """Two service processes deal the same packs for one seed, their proofs hold, and their bots play alike."""
    packs, played = [], []
    for folder in ("a", "b"):
        service = start_service("--sandbox", folder=folder)
        with Chitarrella(service.grpc) as client:
            match = client.create_match("madrasso", options=MADRASSO, sandbox="everywhere")
            packs.append(table_moves(match))
            pack = client.game("madrasso").pack
            assert all(client.rules.verify_shuffle("madrasso", shuffle).fair for shuffle in match.shuffles())
            assert len(pack) == len(packs[-1][0].split()) - 2
            bots = {0: "random", 1: "greedy"}
            against = client.create_match("briscola", options={"rubber_games": 1}, bots=bots, sandbox="everywhere")
            played.append(watched(against))
        service.stop()
    assert packs[0] == packs[1]
    assert len(packs[0]) > 1
    assert played[0] == played[1]


def test_advanced_clock_outlives_a_restart(start_service: StartService) -> None:
    """The time of a test is in the store: after a restart it goes on where it stood, with or without ``--sandbox``."""
    service = start_service("--sandbox")
    with Chitarrella(service.grpc) as client:
        match = client.create_match("briscola", clock=(30, 60), sandbox="restart")
        (match_id, key), began = (match.id, match.key), match.get().deadline
        assert began is not None
        first = match.advance_clock(80, request_id="first")
        assert (False, began - timedelta(seconds=10)) == (first.timed_out, first.time)
    service.stop()
    service = start_service()
    with Chitarrella(service.grpc) as client:
        match = client.match(match_id, key)
        assert first == match.advance_clock(80, request_id="first")
        late = match.advance_clock(11)
        assert (True, began + timedelta(seconds=1)) == (late.timed_out, late.time)
        assert match.get().sandbox
        with pytest.raises(errors.NotPossibleNow) as off:
            client.create_match("briscola", sandbox="")
        assert (ErrorCode.SANDBOX_OFF, "sandbox") == (off.value.code, off.value.field)


def test_service_in_one_process_has_tests_where_it_is_asked_for() -> None:
    """Inside a process, too, tests are created only by a service that was made for them."""
    with Chitarrella(channel(Service(sandbox=True))) as client:
        assert client.create_match("briscola", sandbox="").get().sandbox
    with Chitarrella(channel()) as client, pytest.raises(errors.NotPossibleNow) as off:
        client.create_match("briscola", sandbox="")
    assert ErrorCode.SANDBOX_OFF == off.value.code
