"""Rotation of keys: the new key opens what the old one opened, and the old one nothing, whatever else happens."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from chitarrella import errors
from chitarrella.core.model import CHANCE, Seat
from chitarrella.matches.history import Cursor, Update
from chitarrella.matches.metadata import Snapshot, digest, key_hashes, role_of_key
from chitarrella.matches.model import CreatedMatch, CreateMatch
from chitarrella.matches.service import MOST_TALK, MatchService
from chitarrella.matches.watching import WatchAccess, Watcher
from tests.matches.playing import PARTNERS, SHORT, choice, fails, go_on, log_of, operations, raised
from tests.matches.watchers import Reader, Worker

LONG_ID = "0123456789abcdef"
RACERS = 8


def role(snapshot: Snapshot, key: str) -> Seat | None:
    return role_of_key(snapshot.metadata, snapshot.control, key)


def rotate(service: MatchService, opened: CreatedMatch, seat: Seat, **how: str | bool) -> str:
    """Replace the key of a role, without looking at who asks."""
    return operations(service).rotate_key(opened.match, seat, lambda _: None, **how)[0]  # type: ignore[arg-type]  # by name


def test_new_key_opens_what_the_old_one_opened(service: MatchService, other: MatchService) -> None:
    """The new key is that of the role, at every worker; the old key is none any more, and other keys stay."""
    opened = service.create(CreateMatch(PARTNERS))
    keys = {**dict(opened.keys), CHANCE: opened.referee_key}
    for rotated in (2, CHANCE, 2):
        old, keys[rotated] = keys[rotated], rotate(service, opened, rotated)
        for worker in (service, other):
            snapshot = worker.repository.load(opened.match)
            assert keys == {one: key for key in keys.values() for one in (role(snapshot, key),)}
            assert None is role(snapshot, old)
    assert 40 == len(keys[2])
    assert set(keys[2]) <= set("0123456789abcdef")


def test_rotation_is_no_event_and_no_revision(worker_a: Worker) -> None:
    """Nobody is told of a rotation: no event, the same revision and cursor; the log has the hash and not the key."""
    opened = worker_a.service.create(CreateMatch(SHORT))
    before, reader = worker_a.service.repository.load(opened.match), Reader(worker_a.hub, opened.match)
    key = rotate(worker_a.service, opened, 0)
    after = worker_a.service.repository.load(opened.match)
    assert (before.row.revision, before.position) == (after.row.revision, after.position)
    assert before.row.length + 1 == after.row.length
    assert f"0 !rotate_key {digest(key)}" == log_of(worker_a.service, opened.match)[-1]
    assert key not in after.row.control
    go_on(worker_a.service, opened.match)
    assert [Cursor(1), Cursor(2)] == [update.cursor for update in reader.wait_for(2)]


def test_request_id_gives_one_key(service: MatchService, other: MatchService) -> None:
    """A request id gives one key, at any worker, also of an aborted match; one that was used otherwise is refused."""
    opened = service.create(CreateMatch(SHORT))
    move = choice(opened.snapshot)
    service.play(opened.match, move._replace(request_id="a move"))
    first = rotate(service, opened, move.actor, request_id="first")
    assert first == rotate(other, opened, move.actor, request_id="first")
    last = rotate(service, opened, move.actor, request_id="second")
    for used in ("a move", "first"):
        with fails(errors.AlreadyExists, "request_reused"):
            rotate(service, opened, move.actor, request_id=used)
    assert move.actor == role(service.repository.load(opened.match), last)
    with fails(errors.AlreadyExists, "request_reused"):
        service.play(opened.match, move._replace(request_id="second"))
    assert 4 == len({first, last, rotate(service, opened, 1 - move.actor), rotate(service, opened, 1 - move.actor)})
    service.abort(opened.match)
    with fails(errors.NotPossibleNow, "match_aborted"):
        rotate(service, opened, 0)
    assert last == rotate(other, opened, move.actor, request_id="second")


# ---------------------------------------------------------------------- a lost answer


def test_old_key_recovers_the_key_of_its_own_request(service: MatchService) -> None:
    """Who repeats its request with the key that it replaced gets the same key, until the next rotation."""
    opened = service.create(CreateMatch(SHORT))
    keys, old = operations(service), dict(opened.keys)[1]
    for number in range(2):
        request_id = f"{LONG_ID} {number}"
        new = rotate(service, opened, 1, request_id=request_id)
        snapshot = service.repository.load(opened.match)
        assert (1, new) == keys.recover_key(opened.match, snapshot, old, request_id)
        assert None is keys.recover_key(opened.match, snapshot, old, f"{LONG_ID} another")
        assert None is keys.recover_key(opened.match, snapshot, dict(opened.keys)[0], request_id)
        if number:
            assert None is keys.recover_key(opened.match, snapshot, dict(opened.keys)[1], request_id), "two keys ago"
        old = new


def test_old_key_recovers_nothing_by_a_short_id_or_of_the_referee(service: MatchService) -> None:
    """An id that could be guessed, and a rotation by the referee, give the holder of the old key nothing."""
    opened = service.create(CreateMatch(SHORT))
    keys, (first, second) = operations(service), (key for _, key in opened.keys)
    rotate(service, opened, 0, request_id=LONG_ID[:15])
    by_referee = rotate(service, opened, 1, request_id=LONG_ID, by_referee=True)
    snapshot = service.repository.load(opened.match)
    assert None is keys.recover_key(opened.match, snapshot, first, LONG_ID[:15])
    assert None is keys.recover_key(opened.match, snapshot, second, LONG_ID)
    assert by_referee == rotate(service, opened, 1, request_id=LONG_ID, by_referee=True)


# ---------------------------------------------------------------------- beside other changes


def test_rotations_of_a_seat_count_as_talk(service: MatchService) -> None:
    """A seat replaces its key so often until cards move, which makes no move current that is not; a referee always."""
    opened = service.create(CreateMatch(SHORT))
    go_on(service, opened.match)
    seen = service.repository.load(opened.match)
    for _ in range(MOST_TALK):
        rotate(service, opened, 0)
    with fails(errors.QuotaExceeded, "quota_exceeded"):
        rotate(service, opened, 0)
    rotate(service, opened, 0, by_referee=True)
    rotate(service, opened, 1)
    with fails(errors.Stale, "stale_revision"):
        service.play(opened.match, choice(seen)._replace(expected_revision=seen.row.revision - 1))
    go_on(service, opened.match)
    rotate(service, opened, 0)


def test_takeback_brings_no_old_key_back(service: MatchService) -> None:
    """A decision made before a rotation is taken back after it, and the key stays replaced."""
    opened = service.create(CreateMatch(SHORT))
    seat = choice(opened.snapshot).actor
    go_on(service, opened.match)
    operations(service).take_back(opened.match, seat)
    key = rotate(service, opened, seat)
    assert (seat,) == service.repository.load(opened.match).control.takeback_request, "the request is still open"
    taken_back, snapshot = operations(service).take_back(opened.match, 1 - seat)
    assert taken_back
    assert opened.snapshot.position == snapshot.position
    assert (seat, None) == (role(snapshot, key), role(snapshot, dict(opened.keys)[seat]))


def test_of_many_rotations_with_one_key_one_succeeds(service: MatchService, other: MatchService) -> None:
    """Of eight requests with one key, sent at once to two workers, one gets a new key and the others bad_key."""
    opened = service.create(CreateMatch(SHORT))
    key, start = dict(opened.keys)[0], Barrier(RACERS)

    def only_with_key(snapshot: Snapshot) -> None:
        if role(snapshot, key) != 0:
            raise errors.NotAuthenticated("bad_key", "closed")

    def race(number: int) -> str:
        start.wait()
        try:
            keys = operations((service, other)[number % 2])
            return keys.rotate_key(opened.match, 0, only_with_key, request_id=f"racer {number} {key}"[:64])[0]
        except errors.NotAuthenticated as error:
            return error.code

    with ThreadPoolExecutor(RACERS) as threads:
        for _ in range(10):
            answers = list(threads.map(race, range(RACERS)))
            (key,) = [answer for answer in answers if answer != "bad_key"]
            assert 0 == role(service.repository.load(opened.match), key)
    assert 11 == len(log_of(service, opened.match))


# ---------------------------------------------------------------------- watches


def access(snapshot: Snapshot, key: str) -> WatchAccess:
    return WatchAccess(digest(key), snapshot.row.length)


def test_watch_with_a_closed_key_ends(worker_a: Worker, worker_b: Worker) -> None:
    """Watches with the old key end at every worker, without another event; all others go on."""
    opened = worker_a.service.create(CreateMatch(SHORT))
    keys = dict(opened.keys)
    workers = (worker_a, worker_b)
    closed = [Reader(one.hub, opened.match, 0, access=access(opened.snapshot, keys[0])) for one in workers]
    stay = [Reader(one.hub, opened.match, 1, access=access(opened.snapshot, keys[1])) for one in workers]
    public = Reader(worker_b.hub, opened.match)
    new = rotate(worker_a.service, opened, 0)
    for reader in closed:
        raised(errors.NotAuthenticated, "bad_key", by=reader.ends())
        assert 1 == len(reader.updates)
    back = Reader(worker_b.hub, opened.match, 0, access=access(worker_a.service.repository.load(opened.match), new))
    go_on(worker_a.service, opened.match)
    for reader in (*stay, public, back):
        reader.wait_for(2)
        assert not reader.watch.is_finished


def test_watch_with_a_new_key_outlives_an_older_row(worker_a: Worker) -> None:
    """What an older row says does not end a watch: a hub that is behind does not know the new key yet."""
    opened = worker_a.service.create(CreateMatch(SHORT))
    rotate(worker_a.service, opened, 1)
    behind = worker_a.service.repository.load(opened.match)
    new = rotate(worker_a.service, opened, 0)
    ahead = access(worker_a.service.repository.load(opened.match), new)
    assert ahead.key_hash not in key_hashes(behind.metadata, behind.control).values()
    reader = Reader(worker_a.hub, opened.match, 0, access=ahead)
    worker_a.hub._matches[opened.match].finish_closed_keys(behind)
    assert not reader.watch.is_finished


def test_watch_opened_while_its_key_is_closed_ends_with_the_next_event(worker_a: Worker) -> None:
    """A key that was closed between the look at it and the watch gets no event that comes after."""
    opened = worker_a.service.create(CreateMatch(SHORT))
    before = access(opened.snapshot, dict(opened.keys)[0])
    first = Reader(worker_a.hub, opened.match)
    rotate(worker_a.service, opened, 0)
    late = Reader(worker_a.hub, opened.match, 0, access=before)
    go_on(worker_a.service, opened.match)
    raised(errors.NotAuthenticated, "bad_key", by=late.ends())
    first.wait_for(2)
    assert 1 == len(late.updates)


def test_no_update_is_queued_after_the_expiry() -> None:
    """What happens after a token has expired is not queued, even before the hub has ended the watch."""
    late = Watcher("match", 0, Cursor(), lambda: None, lambda _: None, WatchAccess(expires_at=time.time()))
    late.push([Update(Cursor(1), ())])
    assert [] == late.take()
    raised(errors.NotAuthenticated, "token_expired", by=late.error)
