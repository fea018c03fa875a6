"""Only an earlier call makes a request a repeated one: a service that retries a lost reply by itself does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from chitarrella import errors
from chitarrella.matches.chance import awaiting_seeds_from
from chitarrella.matches.control import CONTRIBUTE_SEED, REQUEST_TAKEBACK, TAKE_BACK, BotAssignment, ControlAction
from chitarrella.matches.model import SHARED_PACKS, CreateMatch
from tests.fault_proxy import Fault, FaultProxy
from tests.matches.playing import (
    LONG_MATCH,
    ConnectedService,
    check_consistency,
    choice,
    connect_service,
    go_on,
    on_turn,
    operations,
    same_answer,
)
from tests.servers import Proxy, Server

BEFORE, AFTER = False, True
"""When the connection breaks: before the append, or in the middle of its reply."""


@pytest.fixture
def proxy(server: Server) -> Iterator[FaultProxy]:
    """A proxy before the store that can lose the reply to a move."""
    made = FaultProxy(server)
    yield made
    made.close()


@pytest.fixture
def behind(proxy: FaultProxy) -> Iterator[ConnectedService]:
    """A worker that reaches the store through the proxy."""
    made = connect_service(proxy.url)
    yield made
    made.store.close()


@pytest.fixture
def direct(server: Server) -> Iterator[ConnectedService]:
    """Another worker, whose connection never breaks."""
    made = connect_service(server.url)
    yield made
    made.store.close()


def broken(proxy: FaultProxy, when: bool, effect: Callable[[int], None] = lambda port: None) -> Fault:
    """Break the connection at the next move."""
    fault = Fault(when, effect)
    proxy.arm(fault)
    return fault


@pytest.mark.parametrize("when", [BEFORE, AFTER])
def test_own_retry_is_no_repeated_request(behind: ConnectedService, proxy: FaultProxy, when: bool) -> None:
    """A first call is answered as one, wherever its connection to the store broke; only the next call is repeated."""
    service = behind.service
    opened = service.create(CreateMatch(LONG_MATCH))
    request = choice(opened.snapshot)._replace(expected_revision=1, request_id="request")
    fault = broken(proxy, when)
    first = service.play(opened.match, request)
    assert fault.fired.is_set()
    assert (True, False, 2) == (first.accepted, first.repeated, first.revision)
    same_answer(first, service.play(opened.match, request))
    assert 2 == len(check_consistency(service, opened))


def test_own_retry_behind_a_faster_writer_is_no_repeated_request(
    behind: ConnectedService, direct: ConnectedService, proxy: FaultProxy
) -> None:
    """A first call is answered as one, also where others have moved on before its retry."""
    service = behind.service
    opened = service.create(CreateMatch(LONG_MATCH))
    request = choice(opened.snapshot)._replace(request_id="request")

    def overtake(_: int) -> None:
        go_on(direct.service, opened.match, 3)

    broken(proxy, AFTER, overtake)
    first = service.play(opened.match, request)
    assert (True, False, 2) == (first.accepted, first.repeated, first.revision)
    assert request.move.cards == first.updates[0].events[0].cards
    same_answer(first, service.play(opened.match, request))
    assert 5 == len(check_consistency(service, opened))


def test_earlier_call_elsewhere_is_not_taken_for_an_own_retry(
    behind: ConnectedService, direct: ConnectedService, proxy: FaultProxy
) -> None:
    """A call that another worker has carried out is repeated here, though this worker has to retry as well."""
    opened = behind.service.create(CreateMatch(LONG_MATCH))
    request = choice(opened.snapshot)._replace(request_id="request")
    first = direct.service.play(opened.match, request)
    fault = broken(proxy, BEFORE)
    again = behind.service.play(opened.match, request, opened.snapshot)
    assert fault.fired.is_set()
    same_answer(first, again)
    assert 2 == len(check_consistency(direct.service, opened))


def test_call_that_got_no_answer_makes_the_next_a_repeated_one(
    behind: ConnectedService, direct: ConnectedService, proxy: FaultProxy
) -> None:
    """Where a worker appended and was cut off before it could answer, the same call at another worker is repeated."""
    opened = behind.service.create(CreateMatch(LONG_MATCH))
    request = choice(opened.snapshot)._replace(request_id="request")

    def again(_: int) -> None:
        broken(proxy, AFTER, again)

    broken(proxy, AFTER, again)
    with pytest.raises(errors.StoreUnavailable):
        behind.service.play(opened.match, request)
    played = direct.service.play(opened.match, request)
    assert (True, True, 2) == (played.accepted, played.repeated, played.revision)
    assert 2 == len(check_consistency(direct.service, opened))


def test_lost_replies_of_control_actions_change_no_answer(server: Server) -> None:
    """A takeback, a seed, a timeout and the move of a bot are answered as always where the reply was lost."""
    proxy = Proxy(server)
    worker = connect_service(proxy.url)
    table, match = operations(worker.service), worker.service.create(CreateMatch(LONG_MATCH)).match
    mover = on_turn(worker.service.repository.load(match))
    go_on(worker.service, match)
    proxy.lose_reply_to(REQUEST_TAKEBACK.encode())
    assert not table.take_back(match, mover, request_id="ask")[0]
    proxy.lose_reply_to(TAKE_BACK.encode())
    assert table.take_back(match, 1 - mover, request_id="agree")[0]
    shared = worker.service.create(CreateMatch(LONG_MATCH, pack_source=SHARED_PACKS)).match
    proxy.lose_reply_to(CONTRIBUTE_SEED.encode())
    seed = ControlAction(0, CONTRIBUTE_SEED, "mine")
    assert (1,) == awaiting_seeds_from(table.contribute_seed(shared, seed, "seed"))
    proxy.lose_reply_to(b"play_card")
    played = worker.service.create(
        CreateMatch(LONG_MATCH, bots=(BotAssignment(0, "greedy"), BotAssignment(1, "greedy")))
    ).match
    assert table.run_due(played)
    assert 4 == proxy.lost
    worker.store.close()
    proxy.close()
