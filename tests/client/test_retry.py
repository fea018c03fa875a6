"""When a call is repeated and a watch goes on, without a service."""

from __future__ import annotations

import grpc
import pytest

from chitarrella_client import Unavailable, errors
from chitarrella_client.requests import new_request_id
from chitarrella_client.responses import MatchState
from chitarrella_client.retry import BACKOFF, RetryPolicy, Subscription
from chitarrella_client.types import RuleSet, View, Waiting
from tests.client.test_errors import Failed, info


def state_at(cursor: str, waiting: Waiting) -> MatchState:
    """The state of a match with a cursor."""
    return MatchState("m", RuleSet("briscola"), 1, View(waiting=waiting), cursor=cursor)


def test_pauses_grow_up_to_a_bound() -> None:
    """Pauses grow, never beyond the longest but for a fifth, and no two callers wait alike."""
    pauses = [BACKOFF.delay(failures) for failures in (1, 2, 3, 50)]
    assert pauses == sorted(pauses)
    assert 0.16 <= pauses[0] <= 0.24
    assert 2.4 <= pauses[-1] <= 3.6
    assert 1 < len({BACKOFF.delay(1) for _ in range(5)})


@pytest.mark.parametrize(
    ("failed", "repeated"),
    [
        (Failed(grpc.StatusCode.UNAVAILABLE), True),
        (Failed(grpc.StatusCode.DEADLINE_EXCEEDED), True),
        (Failed(grpc.StatusCode.CANCELLED), True),
        (Failed(grpc.StatusCode.UNAVAILABLE, info("store_down")), True),
        (Failed(grpc.StatusCode.NOT_FOUND, info("no_such_match")), False),
        (Failed(grpc.StatusCode.ABORTED, info("stale_revision")), False),
        (Failed(grpc.StatusCode.RESOURCE_EXHAUSTED, info("too_many")), False),
        (Failed(grpc.StatusCode.INTERNAL, info("internal")), False),
        (Failed(grpc.StatusCode.UNAUTHENTICATED, info("bad_key")), False),
    ],
    ids=lambda case: str(case.code().name) if isinstance(case, Failed) else "",
)
def test_what_is_repeated(failed: Failed, repeated: bool) -> None:
    """A call is repeated where it may not have been answered, so often as is allowed, and else never."""
    policy = RetryPolicy(2, "id")
    if repeated:
        assert 0 < policy.next_delay(failed) < policy.next_delay(failed) + 1
    with pytest.raises(errors.ChitarrellaError) as given_up:
        policy.next_delay(failed)
    assert "id" == given_up.value.request_id


def test_request_ids() -> None:
    """Every writing call has an id of its own, of the length that the service takes."""
    ids = {new_request_id() for _ in range(100)}
    assert 100 == len(ids)
    assert {36} == set(map(len, ids))


def test_watch_ends_when_everything_was_received() -> None:
    """A watch is finished when the match is and all of it was received; if not, it goes on."""
    subscription = Subscription("5.0", None)
    assert 0 < subscription.stream_ended(state_at("5.0", Waiting.SEAT))
    assert not subscription.finished
    assert 0.0 == subscription.stream_ended(state_at("6.0", Waiting.NOBODY))
    assert not subscription.finished
    subscription.cursor = "6.0"
    assert 0.0 == subscription.stream_ended(state_at("6.0", Waiting.NOBODY))
    assert subscription.finished


def test_watch_ends_though_cursors_differ() -> None:
    """A match that was finished before a stream began needs no further stream, whatever the cursor."""
    subscription = Subscription("", None)
    subscription.stream_ended(state_at("6.0", Waiting.NOBODY))
    subscription.stream_ended(state_at("6.0", Waiting.NOBODY))
    assert subscription.finished


@pytest.mark.parametrize(
    ("failed", "passing"),
    [
        (Failed(grpc.StatusCode.UNAVAILABLE), True),
        (Failed(grpc.StatusCode.INTERNAL), True),
        (Failed(grpc.StatusCode.CANCELLED), True),
        (Failed(grpc.StatusCode.RESOURCE_EXHAUSTED, info("too_slow")), True),
        (Failed(grpc.StatusCode.UNAVAILABLE, info("store_down")), True),
        (Failed(grpc.StatusCode.INTERNAL, info("internal")), False),
        (Failed(grpc.StatusCode.UNIMPLEMENTED), False),
        (Failed(grpc.StatusCode.NOT_FOUND, info("no_such_match")), False),
    ],
    ids=lambda case: str(case.code().name) if isinstance(case, Failed) else "",
)
def test_what_a_watch_survives(failed: Failed, passing: bool) -> None:
    """A watch survives what may be different on another connection, and nothing else."""
    subscription = Subscription("", None)
    if passing:
        assert 0 < subscription.reconnect_delay(failed)
    else:
        with pytest.raises(errors.ChitarrellaError):
            subscription.reconnect_delay(failed)


def test_patience_restarts_with_every_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the time since the last answer of the service counts against the patience."""
    now = [100.0]
    monkeypatch.setattr("chitarrella_client.retry.time.monotonic", lambda: now[0])
    subscription = Subscription("", 10.0)
    failed = Failed(grpc.StatusCode.UNAVAILABLE)
    for now[0] in (100.0, 105.0):
        subscription.reconnect_delay(failed)
    subscription.message_received()
    for now[0] in (111.0, 115.0):
        subscription.reconnect_delay(failed)
    now[0] = 121.0
    with pytest.raises(Unavailable):
        subscription.reconnect_delay(failed)
