"""Moves that the store has lost after they were answered: nobody plays on without knowing."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.core.game import legal_moves
from chitarrella.core.model import CHANCE, EVERYBODY, Move
from chitarrella.matches import metadata
from chitarrella.matches.chance import awaiting_seeds_from
from chitarrella.matches.history import Cursor
from chitarrella.matches.metadata import Snapshot
from chitarrella.matches.model import SHARED_PACKS, CreatedMatch, CreateMatch, MoveRequest, Sandbox
from chitarrella.matches.repository import follows
from chitarrella.matches.service import MatchService
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import NewEntries, StoreError
from tests.fault_proxy import Fault, FaultProxy
from tests.matches import playing
from tests.matches.playing import LONG_MATCH, SHORT, ConnectedService, check_consistency, choice, go_on, log_of, on_turn
from tests.matches.watchers import Reader, Worker, expected_updates
from tests.servers import Server

KEYS = ("", ":log", ":tokens")


class Backup:
    """What the store has of a match at one moment, as a server would have it that loses what came after."""

    def __init__(self, store: RedisStore, match: str) -> None:
        self._client: Any = store.connection.client
        self._names = [f"{store.connection.key(f'{{{match}}}')}{suffix}" for suffix in KEYS]
        self._row = self._client.hgetall(self._names[0])
        self._lists = {name: self._client.lrange(name, 0, -1) for name in self._names[1:]}

    def restore(self) -> None:
        """Put it back: the store has lost everything since."""
        with self._client.pipeline() as together:  # a hub that still reads finds all or nothing
            together.delete(*self._names)
            together.hset(self._names[0], mapping=self._row)
            for name, entries in self._lists.items():
                if entries:
                    together.rpush(name, *entries)
            together.execute()


def after_loss(service: MatchService, store: RedisStore, before: int = 2, lost: int = 3) -> CreatedMatch:
    opened = service.create(CreateMatch(LONG_MATCH))
    go_on(service, opened.match, before)
    backup = Backup(store, opened.match)
    go_on(service, opened.match, lost)
    backup.restore()
    return opened


def test_each_seat_is_refused_once(service: MatchService, other: MatchService, store: RedisStore) -> None:
    """The first move of each seat behind a loss is refused, at any worker, and whenever that request is repeated."""
    opened = after_loss(service, store)
    for revision in ("7", "8"):
        request = choice(service.repository.load(opened.match))._replace(request_id="request")
        for worker in (service, other, service):  # the answer may have been lost on the way
            with playing.fails(errors.MovesLost, "moves_lost") as wrong:
                worker.play(opened.match, request)
            assert revision == wrong.value.details["revision"]
        assert other.play(opened.match, request._replace(request_id="another")).accepted
    go_on(service, opened.match, 4)
    assert 7 + 6 == service.repository.load(opened.match).row.revision


def test_loss_is_an_event_behind_every_revision_that_was_lost(service: MatchService, store: RedisStore) -> None:
    """Whoever reads the match finds the loss as an event; who expects its revision, not a lost one, may play."""
    opened = after_loss(service, store)
    snapshot = service.repository.load(opened.match)
    assert (7, 7) == (snapshot.row.revision, snapshot.control.lost_at)
    last = expected_updates(service, opened.match, None)[-1]
    assert (Cursor(7), metadata.LOSS_EVENT, 7) == (last.cursor, last.events[0].kind, last.events[0].amount)
    assert last.events[0].known_to is EVERYBODY
    assert snapshot == service.repository.load(opened.match)
    for expected in (3, 4, 5, 6):
        with pytest.raises(errors.Stale):
            service.play(opened.match, choice(snapshot)._replace(expected_revision=expected))
    assert service.play(opened.match, choice(snapshot)._replace(expected_revision=7)).accepted


def test_worker_that_has_not_seen_the_moves_knows_by_what_a_caller_names(
    service: MatchService, other: MatchService, store: RedisStore
) -> None:
    """A worker that has not seen the lost moves knows of no loss: who names a lost revision is ahead of the match."""
    opened = after_loss(service, store)
    request = choice(other.repository.load(opened.match))
    with pytest.raises(errors.Stale) as wrong:
        other.play(opened.match, request._replace(expected_revision=6))
    assert ("stale_revision", "expected_revision") == (wrong.value.code, wrong.value.field)
    assert other.play(opened.match, request).accepted
    assert not other.repository.load(opened.match).control.lost_at


def test_worker_that_has_seen_less_hides_no_loss(service: MatchService, other: MatchService, store: RedisStore) -> None:
    """Where another worker has played on behind the loss, the one that knows of it finds out by the log."""
    opened = after_loss(service, store, lost=1)
    here = other.repository.load(opened.match)
    another = legal_moves(here.game, here.position, on_turn(here))[-1]  # than the one that was lost
    assert choice(here).move != another
    other.play(opened.match, MoveRequest(on_turn(here), another))
    go_on(other, opened.match, 11)  # more than the row tells of
    snapshot = service.repository.load(opened.match)
    assert snapshot.row.revision == snapshot.control.lost_at == 3 + 12 + 1
    for worker in (other, service):
        with pytest.raises(errors.MovesLost):
            worker.play(opened.match, choice(worker.repository.load(opened.match)))
        go_on(worker, opened.match)
    assert {0, 1} == dict(other.repository.load(opened.match).control.reported).keys()


def test_no_call_misses_a_loss_that_is_being_recorded(
    service: MatchService, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until a loss is recorded a worker keeps what it has seen: no other call takes the match for a shorter one."""
    opened, known = after_loss(service, store), service.repository
    record, seen = known.on_loss, list[int]()

    def watched(match: str, *found: Any) -> Snapshot:
        seen.append(known.cached(match).row.revision)
        return record(match, *found)

    monkeypatch.setattr(known, "on_loss", watched)
    assert 7 == known.load(opened.match).control.lost_at
    assert ([6], 7) == (seen, known.cached(opened.match).row.revision)


def test_two_workers_that_know_it_record_it_once(service: MatchService, other: MatchService, store: RedisStore) -> None:
    """Of two workers that have seen the lost moves one records the loss; the other finds that recorded."""
    opened = service.create(CreateMatch(LONG_MATCH))
    backup = Backup(store, opened.match)
    go_on(service, opened.match, 3)
    other.repository.load(opened.match)
    backup.restore()
    assert service.repository.load(opened.match).row == other.repository.load(opened.match).row
    assert 1 == sum("!moves_lost" in entry for entry in log_of(other, opened.match))


def test_other_calls_are_refused_once_too(service: MatchService, store: RedisStore) -> None:
    """A takeback, and a pack of the referee, are refused once as well; bots are not."""
    opened = after_loss(service, store, before=1)
    done = playing.operations(service)
    actor = 1 - on_turn(service.repository.load(opened.match))
    with pytest.raises(errors.MovesLost):
        done.take_back(opened.match, actor)
    done_now, snapshot = done.take_back(opened.match, actor)
    assert (False, (actor,)) == (done_now, snapshot.control.takeback_request)
    done.take_back(opened.match, actor, decline=True)
    done.assign_bot(opened.match, metadata.BotAssignment(1 - actor, "random"))
    assert done.run_due(opened.match)
    assert any(metadata.ASSIGN_BOT in entry for entry in log_of(service, opened.match))
    packs = service.create(CreateMatch(SHORT, pack_source="referee"))
    backup = Backup(store, packs.match)
    request = MoveRequest(CHANCE, Move("start_deal", tuple(packs.snapshot.game.pack.cards)))
    assert service.play(packs.match, request).accepted
    backup.restore()
    with pytest.raises(errors.MovesLost):
        service.play(packs.match, request)
    assert service.play(packs.match, request).accepted


def test_watchers_of_lost_moves_get_an_error_and_then_the_event(worker_a: Worker, store: RedisStore) -> None:
    """A watch that has shown lost moves ends with the code, and no other; at its cursor it begins with the event."""
    service = worker_a.service
    opened, other = service.create(CreateMatch(LONG_MATCH)), service.create(CreateMatch(LONG_MATCH))
    backup = Backup(store, opened.match)
    reader, undisturbed = Reader(worker_a.hub, opened.match), Reader(worker_a.hub, other.match)
    go_on(service, opened.match, 2)
    reader.wait_for(3)
    backup.restore()
    store.connection.client.spublish(store.connection.key(f"{{{opened.match}}}"), "1")
    playing.raised(errors.MovesLost, "moves_lost", by=reader.ends())
    again = Reader(worker_a.hub, opened.match, after=reader.updates[-1].cursor)
    assert [metadata.LOSS_EVENT] == [event.kind for event in again.wait_for(1)[0].events]
    go_on(service, other.match)
    undisturbed.wait_for(2)


def test_watchers_of_a_store_that_goes_back_while_it_is_read(
    worker_a: Worker, other: MatchService, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the row was read before a loss and the log behind it, a watch ends with the code, not as internal."""
    opened = worker_a.service.create(CreateMatch(LONG_MATCH))
    backup = Backup(store, opened.match)
    reader = Reader(worker_a.hub, opened.match)
    go_on(worker_a.service, opened.match, 2)
    reader.wait_for(3)
    repository = worker_a.service.repository
    load = repository.load

    def load_before_loss(match: str) -> Snapshot:
        snapshot = load(match)
        if snapshot.row.revision > len(reader.updates):
            monkeypatch.setattr(repository, "load", load)
            backup.restore()
        return snapshot

    monkeypatch.setattr(repository, "load", load_before_loss)
    go_on(other, opened.match)
    playing.raised(errors.MovesLost, "moves_lost", by=reader.ends())


def test_loss_is_found_again_where_it_could_not_be_recorded(
    service: MatchService, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the store takes no entry just then, the call fails, and the next one finds the loss."""
    opened = after_loss(service, store)

    def refuse(*_: object) -> None:
        raise StoreError("away")

    with monkeypatch.context() as patched:
        patched.setattr(store.matches, "append", refuse)
        with pytest.raises(errors.StoreUnavailable):
            service.repository.load(opened.match)
    assert 7 == service.repository.load(opened.match).control.lost_at


def test_lost_end_is_a_loss_a_new_match_is_none(service: MatchService, other: MatchService, store: RedisStore) -> None:
    """A match whose end was lost goes on, and says so; one that expired and was created again is a new one."""
    ended = service.create(CreateMatch(SHORT))
    backup = Backup(store, ended.match)
    service.abort(ended.match)
    backup.restore()
    assert 2 == service.repository.load(ended.match).control.lost_at
    opened = service.create(CreateMatch(SHORT, request_id="request"))
    go_on(service, opened.match, 3)
    playing.expire(store, opened.match)
    other.create(CreateMatch(SHORT, request_id="request"))
    assert 0 == service.repository.load(opened.match).control.lost_at


def test_a_row_has_the_last_eight_it_follows(service: MatchService) -> None:
    """A row names the digests of the eight rows before it, and of no other."""
    rows = [service.create(CreateMatch(SHORT)).snapshot.row]
    for number in range(12):
        rows.append(rows[-1].extended(NewEntries((f"entry {number}",), "", number)))
    assert [False] * 4 + [True] * 9 == [follows(rows[-1], row) for row in rows]
    assert not follows(rows[3], rows[4])


# ---------------------------------------------------------------------- lost replies


BEFORE, AFTER = False, True
"""When the connection breaks: before the append, or in the middle of its reply."""


@pytest.fixture
def behind(proxy: FaultProxy) -> Iterator[ConnectedService]:
    made = playing.connect_service(proxy.url)
    yield made
    made.store.close()


@pytest.fixture
def direct(server: Server) -> Iterator[ConnectedService]:
    made = playing.connect_service(server.url)
    yield made
    made.store.close()


def broken(proxy: FaultProxy, when: bool, effect: Callable[[int], None] = lambda port: None) -> Fault:
    fault = Fault(when, effect)
    proxy.arm(fault)
    return fault


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
    assert request.move.cards == first.events[0].cards
    playing.same_answer(first, service.play(opened.match, request))
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
    playing.same_answer(first, again)
    assert 2 == len(check_consistency(direct.service, opened))


def test_lost_replies_of_control_actions_change_no_answer(behind: ConnectedService, proxy: FaultProxy) -> None:
    """A takeback, a seed, an advance of the clock and the move of a bot are answered as always after a lost reply."""
    service = behind.service
    table, match = playing.operations(service), service.create(CreateMatch(LONG_MATCH)).match
    mover = on_turn(service.repository.load(match))
    go_on(service, match)
    proxy.lose_reply_to(metadata.REQUEST_TAKEBACK.encode())
    assert not table.take_back(match, mover, request_id="ask")[0]
    proxy.lose_reply_to(metadata.TAKE_BACK.encode())
    assert table.take_back(match, 1 - mover, request_id="agree")[0]
    shared = service.create(CreateMatch(LONG_MATCH, pack_source=SHARED_PACKS)).match
    proxy.lose_reply_to(metadata.CONTRIBUTE_SEED.encode())
    seed = metadata.ControlAction(0, metadata.CONTRIBUTE_SEED, "mine")
    assert (1,) == awaiting_seeds_from(table.contribute_seed(shared, seed, "seed"))
    proxy.lose_reply_to(b"play_card")
    bots = (metadata.BotAssignment(0, "greedy"), metadata.BotAssignment(1, "greedy"))
    assert table.run_due(service.create(CreateMatch(LONG_MATCH, bots=bots)).match)
    test = service.create(CreateMatch(LONG_MATCH, clock=metadata.Clock(30_000, 60_000), sandbox=Sandbox("test"))).match
    for number, request_id in enumerate(("", "request"), 1):
        proxy.lose_reply_to(b"!advance_clock")
        timed_out, snapshot = table.advance_clock(test, 91, request_id)
        assert (True, 91_000 * number) == (timed_out, snapshot.control.advanced_ms)
    assert 2 == log_of(service, test).count("table !advance_clock 91")
    assert 6 == proxy.lost
