"""Validating and playing moves: revisions, workers that remember, and how matches end."""

from dataclasses import replace
from typing import Any

import pytest

from chitarrella import errors, v1
from chitarrella.api.caller import Caller
from chitarrella.api.matches import MatchServicer
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.model import REFEREE, Edition, Move, Viewer
from chitarrella.games.briscola import BRISCOLA
from chitarrella.games.briscolone import BRISCOLONE
from chitarrella.matches.clock import ttl_seconds
from chitarrella.matches.metadata import Clock
from chitarrella.matches.model import CreatedMatch, CreateMatch, MoveRequest
from chitarrella.matches.scheduler import LEASE_MS, Scheduler
from chitarrella.matches.service import MatchService
from chitarrella.matches.watching import WatchHub
from chitarrella.storage.redis_store import RedisStore
from tests.matches import playing
from tests.matches.playing import SHORT, catalogue_of, check_consistency, choice, fails, go_on, same_answer, unheld

# ---------------------------------------------------------------------- moving


def test_illegal_move_is_an_answer_without_effect(service: MatchService) -> None:
    """A refusal names the clause, changes nothing, and its request id stays free."""
    opened = service.create(CreateMatch(SHORT))
    wrong = unheld(opened.snapshot)._replace(request_id="request")
    for _ in range(2):
        played = service.play(opened.match, wrong)
        assert (False, ["not_in_hand"], 1, (), False) == (
            played.accepted, [refusal.code for refusal in played.refusals], played.revision, played.events,
            played.repeated,
        )  # fmt: skip
    assert opened.snapshot.row == service.repository.load(opened.match).row
    request = choice(opened.snapshot)._replace(expected_revision=1, request_id="request")
    played = service.play(opened.match, request)
    assert (True, (), 2, False) == (played.accepted, played.refusals, played.revision, played.repeated)
    assert request.move.cards == played.events[0].cards
    assert played.snapshot.row == service.repository.load(opened.match).row


@pytest.mark.parametrize(
    ("is_new", "expected", "code"),
    [
        *((False, None, ""), (False, 0, "stale_revision"), (False, 1, "stale_revision"), (False, 3, "stale_revision")),
        *((True, 2, ""), (True, 1, "stale_revision"), (True, 4_000_000_000, "stale_revision")),
    ],
)
def test_move_is_checked_again_where_another_writer_was_faster(
    service: MatchService, other: MatchService, is_new: bool, expected: int | None, code: str
) -> None:
    """Where another was faster, a move is checked at the table as it is now, and so is the expected revision."""
    opened = service.create(CreateMatch(SHORT))
    first = choice(opened.snapshot)
    assert other.play(opened.match, first, opened.snapshot).accepted
    request = choice(other.repository.load(opened.match)) if is_new else first
    request = request._replace(expected_revision=expected)
    if code:
        with fails(errors.Stale, code) as wrong:
            service.play(opened.match, request, opened.snapshot)
        assert {"revision": "2", "still_legal": str(is_new).lower()} == wrong.value.details
    else:
        assert is_new == service.play(opened.match, request, opened.snapshot).accepted
    assert 2 + (is_new and not code) == len(check_consistency(service, opened))


# ---------------------------------------------------------------------- endings


def test_aborted_match_refuses_moves(service: MatchService, other: MatchService) -> None:
    """An aborted match can be read and aborted again, but not played; an old request is still answered."""
    opened = service.create(CreateMatch(SHORT))
    request = choice(opened.snapshot)._replace(request_id="request")
    first = service.play(opened.match, request)
    other.repository.load(opened.match)
    aborted = service.abort(opened.match).row
    assert first.snapshot.row._replace(aborted=True, updated_at=aborted.updated_at) == aborted
    assert aborted == service.abort(opened.match).row
    for asked in (service, other):
        with fails(errors.NotPossibleNow, "match_aborted"):
            asked.play(opened.match, choice(asked.repository.load(opened.match)))
        same_answer(first, asked.play(opened.match, request))
    assert 2 == len(check_consistency(other, opened))


@pytest.mark.parametrize("is_last", [True, False], ids=["last card", "resignation"])
def test_match_that_ends_while_it_is_aborted_stays_finished(
    service: MatchService, other: MatchService, monkeypatch: pytest.MonkeyPatch, is_last: bool
) -> None:
    """A match that ends between the reading and the writing of an abort is not aborted, but finished."""
    opened = service.create(CreateMatch(SHORT))
    go_on(service, opened.match, 39)
    abort = service.store.matches.abort

    def late(match: str, *rest: Any, **named: Any) -> Any:
        if is_last:
            go_on(other, match)
        else:
            playing.operations(other).resign(match, 0)
        return abort(match, *rest, **named)

    monkeypatch.setattr(service.store.matches, "abort", late)
    assert "finished" == service.abort(opened.match).state == other.repository.load(opened.match).state


def every_call_fails(service: MatchService, opened: CreatedMatch, kind: Any, code: str) -> None:
    """Check that all that can be asked about a match raises the same error, whose text names no card."""
    match = opened.match
    for ask in (
        lambda: service.repository.load(match),
        lambda: service.repository.cached(match),
        lambda: service.play(match, choice(opened.snapshot)),
        lambda: service.play(match, unheld(opened.snapshot)),
        lambda: service.abort(match),
        lambda: service.repository.format_record(match),
        lambda: service.repository.history(match),
    ):
        with fails(kind, code) as wrong:
            ask()
        assert "Ab" not in str(wrong.value)


def test_unknown_match_is_an_error_everywhere(service: MatchService, other: MatchService) -> None:
    """Every call about a match that does not exist, or has expired in spite of the cache, returns the same error."""
    opened = service.create(CreateMatch(SHORT))
    every_call_fails(service, opened._replace(match="none"), errors.NotFound, "no_such_match")
    playing.expire(service.store, opened.match)
    for request in (choice(opened.snapshot), unheld(opened.snapshot)):
        with fails(errors.NotFound, "no_such_match"):
            service.play(opened.match, request)
    every_call_fails(other, opened, errors.NotFound, "no_such_match")


TOMORROW = replace(BRISCOLA, editions=(Edition(2, "Another game."),))


def test_match_keeps_its_edition(service: MatchService, store: RedisStore) -> None:
    """A match is played to its end in the edition that it began with; new matches get the latest."""
    opened = service.create(CreateMatch(SHORT))
    later = (*BRISCOLA.editions, *TOMORROW.editions)
    catalogue = catalogue_of(replace(BRISCOLA, editions=later, title="New"), BRISCOLA)
    worker_b = MatchService(catalogue, store)
    go_on(worker_b, opened.match, 40)
    snapshot = worker_b.repository.load(opened.match)
    assert (1, BRISCOLA.title) == (snapshot.metadata.rule_set.edition, snapshot.game.entry.title)
    assert "edition 1\n" in worker_b.repository.format_record(opened.match)
    created = worker_b.create(CreateMatch(SHORT)).snapshot
    assert (2, "New") == (created.metadata.rule_set.edition, catalogue.entry("briscola").title)
    assert [True, True, False] == [catalogue.has_edition("briscola", number) for number in (1, 2, 3)]


def test_match_that_this_release_does_not_know_is_kept(service: MatchService, store: RedisStore) -> None:
    """A match of another edition, of a game that is not installed, or with an unreadable position is left as it is."""
    later, absent = MatchService(catalogue_of(TOMORROW), store), MatchService(catalogue_of(BRISCOLONE), store)
    opened = later.create(CreateMatch(SHORT))
    assert 2 == opened.snapshot.metadata.rule_set.edition
    before = store.matches.load(opened.match)
    every_call_fails(service, opened, errors.NotPossibleNow, "edition_not_supported")
    every_call_fails(absent, opened, errors.NotPossibleNow, "game_not_installed")
    with pytest.raises(errors.NotPossibleNow, match="briscola"):
        absent.repository.load(opened.match)
    assert before == store.matches.load(opened.match)
    go_on(later, opened.match, 2)
    unread = service.create(CreateMatch(SHORT)).match
    client = store.connection.client
    assert 0 == client.hset(f"chitarrella:{{{unread}}}", "position", "phase=play dealer=0 hands=Ab,Ab/Ab")
    with fails(errors.NotPossibleNow, "edition_not_supported") as wrong:
        MatchService(playing.CATALOGUE, store).repository.load(unread)
    assert "Ab" not in str(wrong.value)


def test_due_matches_of_unknown_games_are_left_to_other_workers(store: RedisStore, clock_ms: list[int]) -> None:
    """A worker leaves due matches of games or editions that it does not know to others, and can delete them."""
    later, before = MatchService(catalogue_of(TOMORROW), store), MatchService(catalogue_of(BRISCOLONE), store)
    opened = later.create(CreateMatch(SHORT, clock=Clock(1_000, 0), platform="acme"))
    known = before.create(CreateMatch(RuleSet("briscolone", 2), clock=Clock(1_000, 0), platform="acme"))
    assert [known.match] == [match for match, _ in before.lists.page("acme", "", 10)[0]]
    clock_ms[0] += 2_000
    assert 1 == Scheduler(playing.operations(before), store).run_once()  # the other match does not hold this one up
    revisions = [later.repository.load(opened.match).row.revision, before.repository.load(known.match).row.revision]
    assert [1, 3] == revisions
    clock_ms[0] += LEASE_MS
    assert 1 == Scheduler(playing.operations(later), store).run_once()
    assert 3 == later.repository.load(opened.match).row.revision
    before.delete(opened.match)
    for worker in (before, later):  # one that remembers the match asks the store, too
        with fails(errors.NotFound, "no_such_match"):
            worker.delete(opened.match)


# ---------------------------------------------------------------------- request ids


@pytest.mark.parametrize(("before", "events"), [(0, 1), (39, 8)])
def test_repeated_request_has_its_answer(service: MatchService, other: MatchService, before: int, events: int) -> None:
    """A repeated request gets the first answer, also one that ended a deal, however far the match has come since."""
    opened = service.create(CreateMatch(playing.LONG_MATCH))
    for _ in range(before):
        go_on(service, opened.match)
    request = choice(service.repository.load(opened.match))._replace(expected_revision=before + 1, request_id="request")
    first = service.play(opened.match, request)
    assert events == len(first.events)
    for later in (0, 1, 4, 34, 45):
        for _ in range(later):
            go_on(service, opened.match)
        log = playing.log_of(service, opened.match)
        for asked in (service, other):
            same_answer(first, asked.play(opened.match, request))
            same_answer(first, asked.play(opened.match, request._replace(expected_revision=None)))
    assert log == check_consistency(service, opened)


def test_request_ids_are_per_match_and_seat(service: MatchService) -> None:
    """Two matches and two seats may use the same ids, and learn nothing of each other; without one a move is new."""
    for _ in range(2):
        opened = service.create(CreateMatch(playing.PARTNERS))
        assert service.play(
            opened.match, MoveRequest(3, playing.parse(opened.snapshot, "signal A"), None, "1")
        ).accepted
        for _ in range(4):
            played = service.play(opened.match, choice(service.repository.load(opened.match))._replace(request_id="2"))
            assert (True, False) == (played.accepted, played.repeated)
        assert 6 == len(check_consistency(service, opened))
    request = choice(service.repository.load(opened.match))
    assert service.play(opened.match, request).accepted
    again = service.play(opened.match, request)
    assert (False, False) == (again.accepted, again.repeated)


# ---------------------------------------------------------------------- what partners tell each other


@pytest.fixture
def signals(service: MatchService) -> CreatedMatch:
    """A table of four who may signal, three cards played."""
    opened = service.create(CreateMatch(playing.PARTNERS))
    go_on(service, opened.match, 3)
    return opened


def test_signal_leaves_the_expected_revision(service: MatchService, other: MatchService, signals: CreatedMatch) -> None:
    """An expected revision stays valid after a signal that its caller cannot see, on any worker."""
    other.repository.load(signals.match)
    for seat in (0, 1, 2, 3):
        for rank in ("A", "3"):
            service.play(signals.match, MoveRequest(seat, Move("signal", choice=rank), 4, f"{seat} {rank}"))
    request = choice(other.repository.load(signals.match))._replace(expected_revision=4)
    played = other.play(signals.match, request)
    assert (True, 5) == (played.accepted, played.revision)
    again = service.play(signals.match, MoveRequest(2, Move("signal", choice="A"), 4, "2 A"))
    kinds = [event.kind for event in again.events]
    assert (True, True, 4, ["signalled"]) == (again.accepted, again.repeated, again.revision, kinds)
    assert 13 == len(check_consistency(service, signals))


def test_revisions_are_numbered_per_viewer(service: MatchService, signals: CreatedMatch) -> None:
    """Two signals of one side and one of the other: each viewer's updates are numbered without a gap."""
    api, match = MatchServicer(service, WatchHub(service.repository, service.store.subscriptions)), signals.match
    for seat, rank in ((2, "A"), (1, "A"), (0, "3")):
        service.play(match, MoveRequest(seat, Move("signal", choice=rank)))
    keys: dict[Viewer, str] = {**dict(signals.keys), REFEREE: signals.referee_key, None: ""}
    cursors = {viewer: api.GetMatch(v1.GetMatchRequest(match_id=match), Caller(keys[viewer])).cursor for viewer in keys}
    assert {None: "4.0", 0: "4.2", 1: "4.1", 2: "4.2", 3: "4.1", REFEREE: "4.3"} == cursors
    go_on(service, match)
    for viewer, cursor in cursors.items():
        listed = api.ListEvents(v1.ListEventsRequest(match_id=match, page_token=cursor), Caller(keys[viewer]))
        assert (["5.0"], "") == ([update.cursor for update in listed.updates], listed.next_page_token)


def test_worker_that_has_not_seen_a_change_of_details_keeps_it(service: MatchService, other: MatchService) -> None:
    """What a platform changes is not undone by a move of a worker that knows the match as it was."""
    match = service.create(CreateMatch(SHORT, external_id="before")).match
    other.repository.load(match)
    changed = service.update(match, lambda details: details._replace(external_id="after", ttl_seconds=90_000))
    snapshot = other.repository.cached(match)
    assert "before" == snapshot.metadata.external_id
    played = other.play(match, choice(snapshot), snapshot)
    assert played.accepted
    assert changed.metadata == played.snapshot.metadata == service.repository.load(match).metadata
    assert 90_000 == ttl_seconds(played.snapshot)
