"""Checkpoints: a log replayed from one says what the whole log says, and few entries are replayed."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any, cast
from unittest.mock import Mock

import pytest

from chitarrella import errors, v1
from chitarrella.api.caller import Caller
from chitarrella.api.matches import MatchServicer
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves
from chitarrella.core.model import CHANCE, REFEREE, Viewer
from chitarrella.matches import history
from chitarrella.matches.history import (
    MIN_SPACING,
    RECENT,
    SHARE,
    Checkpoint,
    Cursor,
    HistoryStep,
    MatchHistory,
    Update,
    ViewerFeed,
)
from chitarrella.matches.metadata import SHUFFLE_NOW, ControlAction, ControlState, decode_metadata
from chitarrella.matches.model import CreatedMatch, CreateMatch, MoveRequest
from chitarrella.matches.service import MatchService
from chitarrella.matches.watching import WatchHub
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import NewEntries
from tests.matches.playing import LONG_MATCH, PARTNERS, choice, fails, go_on, operations, same_answer
from tests.matches.test_lost_moves import Backup

LONG = RuleSet("briscola", 2, (("rubber_games", "21"),))


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """A counter of the moves that are replayed."""
    counting = Mock(side_effect=history.play_at_match)
    monkeypatch.setattr(history, "play_at_match", counting)
    return counting


def events(service: MatchService, opened: CreatedMatch, cursor: str = "", page_size: int = 10) -> v1.ListEventsResponse:
    """One page of events as the referee sees them, from a worker that nobody watches."""
    asked = v1.ListEventsRequest(match_id=opened.match, page_token=cursor, page_size=page_size)
    return MatchServicer(service, cast(WatchHub, None)).ListEvents(asked, Caller(opened.referee_key))


def play_at_random(service: MatchService, match: str, rng: Random, count: int, takebacks: float) -> None:
    """Play, signal, take back, and deal without waiting for seeds."""
    for _ in range(count):
        snapshot = service.repository.load(match)
        if snapshot.game.is_finished(snapshot.position):
            return
        seat = snapshot.game.turn(snapshot.position)
        if seat is None:
            operations(service).contribute_seed(match, ControlAction(CHANCE, SHUFFLE_NOW))
            continue
        moves = [(seat, move) for move in legal_moves(snapshot.game, snapshot.position, seat)]
        if rng.random() < 0.2:
            moves = [
                (other, move)
                for other in range(snapshot.game.seats)
                for move in legal_moves(snapshot.game, snapshot.position, other)
                if move.verb == "signal"
            ] or moves
        service.play(match, MoveRequest(*rng.choice(moves)))
        if rng.random() < takebacks:
            with suppress(errors.NotPossibleNow):  # it has shown a card
                operations(service).take_back(match, CHANCE)


def state(replayed: MatchHistory) -> tuple[Any, ...]:
    return replayed.length, replayed.revision, replayed.position, replayed.control


@pytest.mark.parametrize("with_takebacks", [True, False])
def test_replay_from_a_checkpoint_is_the_whole_replay(
    service: MatchService, monkeypatch: pytest.MonkeyPatch, *, with_takebacks: bool
) -> None:
    """From every place on the state, and what each viewer may see, is what the whole log gives."""
    monkeypatch.setattr(history, "MIN_SPACING", 3)
    opened = service.create(CreateMatch(PARTNERS._replace(options=(("signals", "free"), ("rubber_games", "3")))))
    play_at_random(service, opened.match, Random("checkpoints"), 100, takebacks=0.1 * with_takebacks)
    snapshot = service.repository.load(opened.match)
    whole = service.repository.replay(opened.match, snapshot, lambda _: False)
    feeds = {viewer: whole.feed(viewer, Cursor()) for viewer in (None, REFEREE, 0, 1)}
    expected = [(step, *_seen(feeds, step), state(whole.history)) for step in whole.steps()]
    starts = set()
    for length in range(snapshot.row.length + 1):
        shorter = partial(lambda limit, one: one.length <= limit, length)
        replay = service.repository.replay(opened.match, snapshot, shorter)
        starts.add(replay.start)
        assert replay.start <= length
        again = {viewer: replay.feed(viewer, Cursor()) for viewer in feeds}
        found = [(step, *_seen(again, step), state(replay.history)) for step in replay.steps()]
        assert expected[replay.start :] == found
    assert len(starts) > (2 if with_takebacks else 20)


def _seen(feeds: dict[Viewer, ViewerFeed], step: HistoryStep) -> list[Update | None]:
    return [feed.next_update(step) for feed in feeds.values()]


def test_pages_of_events_replay_little(service: MatchService, plays: Mock) -> None:
    """A repeated request, and the pages of the events, are those of the whole log; each is replayed from near by."""
    opened = service.create(CreateMatch(LONG))
    go_on(service, opened.match, 4 * MIN_SPACING)
    request = choice(service.repository.load(opened.match))._replace(request_id="one of sixteen characters")
    first = service.play(opened.match, request)
    plays.reset_mock()
    same_answer(first, service.play(opened.match, request))
    assert plays.call_count < RECENT
    everything = events(service, opened, page_size=1000).updates
    plays.reset_mock()
    found: list[Any] = []
    cursor, pages = "", 0
    while cursor or not pages:
        page = events(service, opened, cursor)
        found += page.updates
        cursor, pages = page.next_page_token, pages + 1
    assert list(everything) == found
    assert pages > 10
    assert plays.call_count < pages * (MIN_SPACING + 11)
    plays.reset_mock()
    events(service, opened, found[-1].cursor)
    assert plays.call_count < RECENT


def test_checkpoints_of_lost_entries_are_unused(service: MatchService, store: RedisStore, other: MatchService) -> None:
    """Where the store has lost a part of the log, and it went on otherwise, the events are those of the log now."""
    opened = service.create(CreateMatch(LONG))
    go_on(service, opened.match, 3)
    backup = Backup(store, opened.match)
    go_on(service, opened.match, 4 * MIN_SPACING)
    before = service.repository.checkpoints.of(opened.match)
    assert before
    backup.restore()
    rng = Random("another way")
    for _ in range(4 * MIN_SPACING):
        other.play(opened.match, choice(other.repository.load(opened.match), rng))
    for reader in (service, other):
        cursor = str(Cursor(before[0].revision))
        reader.repository.load(opened.match)  # notes the loss where it has not been noted
        whole, entries = reader.repository.history(opened.match)
        expected = [step.revision for step in whole.replay(entries) if step.revision > before[0].revision]
        found = events(reader, opened, cursor, 1000).updates
        assert [f"{revision}.0" for revision in expected] == [one.cursor for one in found]
        assert events(other, opened, cursor, 1000) == events(service, opened, cursor, 1000)
    kept = service.repository.checkpoints.of(opened.match)
    assert not {one.log_digest for one in before} & {one.log_digest for one in kept}


def test_checkpoints_are_few_and_bounded() -> None:
    """A long match has checkpoints by the logarithm of its length, and all matches together not more than the limit."""
    kept = history.Checkpoints()
    for length in range(1, 20_000):
        kept.add("m", Checkpoint(length, length, "", None, ControlState(), is_closed=length % 10 == 0, turn_since=0))
    found = [one.length for one in reversed(kept.of("m"))]
    assert SHARE < len(found) < 1000
    gaps = [(after - before, after) for before, after in pairwise([0, *found])]
    assert all(gap <= max(MIN_SPACING, after // SHARE) + 1 for gap, after in gaps)
    for number in range(history.MAX_CHECKPOINTS):
        kept.add(str(number), Checkpoint(MIN_SPACING, 1, "", None, ControlState(), is_closed=True, turn_since=0))
    assert 0 == len(kept.of("m"))


# ---------------------------------------------------------------------- newer release


def test_unknown_state_is_refused_where_it_is_read(service: MatchService, store: RedisStore) -> None:
    """An unknown field of the control state is refused by every call, an unknown log entry when that is replayed."""
    for control in ("", '{"later":1}', '{"bots":[{"seat":0,"bot":"greedy","later":1}]}'):
        match = service.create(CreateMatch(LONG_MATCH)).match
        snapshot = service.repository.load(match)
        new = NewEntries(("0 !later",), snapshot.row.position, snapshot.row.revision + 1, control)
        store.matches.append(match, snapshot.row, new, "", 1000)
        if not control:
            go_on(service, match, 2)
        before = store.matches.load(match)
        calls: list[Callable[[], object]] = [partial(service.repository.load, match)]
        calls.append(partial(service.play, match, choice(snapshot)))
        for call in calls if control else [partial(service.repository.format_record, match)]:
            with fails(errors.NotPossibleNow, "edition_not_supported"):
                call()
        assert before == store.matches.load(match)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (decode_metadata, '{"rule_set":{"options":[]},"clock":{},"seats":[],"key_hashes":[],"later":1}'),
        (decode_metadata, '{"rule_set":{"options":[]},"clock":{"later":1},"seats":[],"key_hashes":[]}'),
    ],
)
def test_unknown_part_is_refused(read: Any, text: str) -> None:
    """An unknown field or kind is refused with the code of unknown editions."""
    with fails(errors.NotPossibleNow, "edition_not_supported"):
        read(text)
