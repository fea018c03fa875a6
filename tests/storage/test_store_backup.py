"""Backups: a match goes on in another store where it was, whatever kind of server that is."""

import json
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from redis import RedisError

from chitarrella.matches.backup import InvalidBackup, NotRestored, Summary, backup_lines, restore
from chitarrella.matches.metadata import BotAssignment, Clock
from chitarrella.matches.model import CreatedMatch, CreateMatch
from chitarrella.matches.service import MatchFilter, MatchService
from chitarrella.storage import webhooks
from chitarrella.storage.archive import ArchiveQueue
from chitarrella.storage.backup import BackupStore
from chitarrella.storage.embedded_valkey import binary
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import MatchCopy, StoreError
from tests.matches.playing import CATALOGUE, LONG_MATCH, SHORT, choice, go_on
from tests.servers import Sentinels, Server, until
from tests.storage.rows import connected, create_row, killing
from tests.stores import SERVERS, OpenStore

pytestmark = pytest.mark.stores(*SERVERS)  # no backup is made on an event loop, or of a store in the process

PREFIX = "other [*?]"  # the prefix that matches are restored to, with characters that a pattern would read


def exported(store: RedisStore) -> bytes:
    return b"".join(backup_lines(BackupStore(store.connection), "chitarrella", "2026-11-24T00:00:00+00:00", Summary()))


def restored(data: bytes, store: RedisStore, *, replace: bool = False) -> Summary:
    return restore(BytesIO(data), BackupStore(store.connection), replace=replace)


@pytest.fixture
def target(open_store: OpenStore) -> RedisStore:
    return open_store(PREFIX)


@pytest.fixture
def service(source: RedisStore) -> MatchService:
    return MatchService(CATALOGUE, source)


def in_other(target: RedisStore) -> MatchService:
    return MatchService(CATALOGUE, target)


def played(service: MatchService, **request: Any) -> CreatedMatch:
    created = service.create(CreateMatch(LONG_MATCH, **request))
    go_on(service, created.match, 5)
    service.play(created.match, choice(service.repository.load(created.match))._replace(request_id="request"))
    return created


def test_backup_of_a_copy_is_the_same(service: MatchService, source: RedisStore, target: RedisStore) -> None:
    """A backup of the store that a backup was restored to has the same content, to the field, and the same secret."""
    for number in range(60):
        service.create(CreateMatch(SHORT, platform="acme" if number % 2 else "", external_id=f"{number % 5}"))
    played(service, platform="acme", clock=Clock(60_000, 5_000))
    before = exported(source)
    assert Summary("chitarrella", "2026-11-24T00:00:00+00:00", 61, 0) == restored(before, target)
    assert content(before) == content(exported(target))
    assert source.secret() == target.secret()


def content(data: bytes) -> dict[str, Any]:
    """The matches of a backup by their ids, without their times to live."""
    items = [json.loads(line) for line in data.splitlines()]
    matches = [item for item in items if item["kind"] == "match"]
    assert all(0 < item.pop("ttl_ms") <= 8 * 24 * 3600 * 1000 for item in matches)
    return {item["match"]: item for item in matches}


def test_remaining_time_to_live_is_kept(source: RedisStore, target: RedisStore, raw_client: Any) -> None:
    """A match lives on for as long as was left of its time; one without an end stays without one."""
    create_row(source, "short", expires=1000, header="{}")
    create_row(source, "endless", header="{}")
    client: Any = source.connection.client
    for key in ("", ":log", ":tokens"):
        client.persist(f"chitarrella:{{endless}}{key}")
    restored(exported(source), target)
    assert all(900_000 < raw_client.pttl(f"{PREFIX}:{{short}}{key}") <= 1_000_000 for key in ("", ":log", ":tokens"))
    assert [-1, -1, -1] == [raw_client.pttl(f"{PREFIX}:{{endless}}{key}") for key in ("", ":log", ":tokens")]


def test_lists_of_a_platform_are_kept(service: MatchService, source: RedisStore, target: RedisStore) -> None:
    """A platform finds its matches by list, label, external id and player name, and a deleted one in none of them."""
    seat = (0, "Anna")
    more: dict[str, Any] = {"external_id": "x", "labels": (("cup", "spring"),), "player_names": (seat,)}
    created = service.create(CreateMatch(SHORT, platform="acme", **more))
    restored(exported(source), target)
    lists = in_other(target).lists
    filters = (
        MatchFilter(), MatchFilter("x"), MatchFilter(labels=(("cup", "spring"),)), MatchFilter(player_name="Anna"),
    )  # fmt: skip
    assert [[created.match]] * 4 == [[match for match, _ in lists.page("acme", "", 10, one)[0]] for one in filters]
    in_other(target).delete(created.match)
    assert [[]] * 4 == [target.index.page("acme", "", 10, lists_term) for lists_term in terms(source, created.match)]


def terms(store: RedisStore, match: str) -> list[str]:
    copies = {copy.match: copy for copy in BackupStore(store.connection).matches()}
    return ["", *copies[match].terms]


def test_what_is_due_is_due_there(service: MatchService, source: RedisStore, target: RedisStore) -> None:
    """A clock runs out there when it would have here; a bot is due even if its due time was not set yet."""
    clock = service.create(CreateMatch(SHORT, clock=Clock(60_000)))
    bot = service.create(CreateMatch(SHORT, bots=(BotAssignment(0, "random"), BotAssignment(1, "random"))))
    calm = service.create(CreateMatch(SHORT))
    source.schedule.set(bot.match, None)
    ArchiveQueue(source.connection).add(calm.match, 5)
    due = {copy.match: copy.due for copy in BackupStore(source.connection).matches()}
    restored(exported(source), target)
    assert [bot.match] == target.schedule.claim(1, 1, 10)
    assert [calm.match] == ArchiveQueue(target.connection).claim(5, 1, 10)
    runs_out = due[clock.match]
    assert runs_out is not None
    assert due[calm.match] is None
    assert [bot.match] == target.schedule.claim(runs_out - 1, 1, 10)
    assert {bot.match, clock.match} == set(target.schedule.claim(runs_out, 1, 10))


HOOK = webhooks.Webhook("a" * 20, "acme", "https://x.example/", (b"s" * 32,), request_hash="hash")
CONFIGURED = webhooks.configured_webhook("acme", "https://y.example/", (b"t" * 32,))


def test_webhooks_and_their_queues_are_kept(source: RedisStore, target: RedisStore) -> None:
    """Webhooks, the records of their deliveries, and the deliveries that wait, also leased ones, are kept by name."""
    here, there = (webhooks.WebhookStore(store.connection) for store in (source, target))
    here.create(HOOK, 10)
    record = webhooks.DeliveryRecord(webhooks.delivery_id_of(2_000_000_000_000, 0, 1), "m.1", "t", "m", 1).attempted(
        webhooks.Attempt("", 200), 7, is_last=False
    )
    here.put(HOOK, record)
    outbox, other = webhooks.Outbox(source.connection), webhooks.Outbox(target.connection)
    outbox.enqueue([HOOK, CONFIGURED], "match", 0, 3)
    leased = outbox.take_new(HOOK, 100, 1)
    outbox.enqueue([HOOK], "match", 3, 4, "record")
    assert 2 == restored(exported(source), target).webhooks
    assert [HOOK] == there.all()
    assert there.version()
    assert [record] == there.page(HOOK, "", 10)
    queue = other.take_new(HOOK, 100, 1)
    assert leased == queue[:1]
    assert [(3, 4, "record")] == [(one.start, one.stop, one.record) for one in queue[1:]]
    assert [("match", 0, 3)] == [(one.match, one.start, one.stop) for one in other.take_new(CONFIGURED, 100, 1)]
    with pytest.raises(NotRestored, match="0 matches and 2 webhooks"):
        restored(exported(source), target)
    restored(exported(source), target, replace=True)
    assert leased == other.take_new(HOOK, 100, 1)[:1]


def test_existing_matches_are_not_replaced(service: MatchService, source: RedisStore, target: RedisStore) -> None:
    """A backup with a match that exists changes nothing; with ``replace`` the match is as in the backup."""
    created = played(service)
    old = exported(source)
    restored(old, target)
    go_on(in_other(target), created.match, 3)
    later = target.matches.load(created.match)
    service.create(CreateMatch(SHORT))
    with pytest.raises(NotRestored, match="1 matches"):
        restored(exported(source), target)
    assert later == target.matches.load(created.match)
    assert 1 == len(content(exported(target)))
    assert 1 == restored(old, target, replace=True).matches
    assert content(old) == content(exported(target))


def test_store_with_another_secret_is_refused(source: RedisStore, target: RedisStore) -> None:
    """A store whose secret is another one takes no backup, because its ids follow from it, unless it is replaced."""
    mine, _ = source.secret(), target.secret()
    with pytest.raises(NotRestored, match="secret"):
        restored(exported(source), target)
    restored(exported(source), target, replace=True)
    assert mine == target.secret()


def test_copy_is_whole_while_matches_are_played(service: MatchService, source: RedisStore, target: RedisStore) -> None:
    """A match that is played while the store is copied is copied as it was between two moves."""
    matches = [service.create(CreateMatch(LONG_MATCH)) for _ in range(5)]
    copies: list[MatchCopy] = []
    for copy in BackupStore(source.connection).matches():
        copies.append(copy)
        for created in matches:
            go_on(service, created.match)
    assert {created.match for created in matches} == {copy.match for copy in copies}
    for _ in range(5):
        restored(exported(source), target, replace=True)
        for created in matches:
            go_on(service, created.match)
            in_other(target).repository.check_log(created.match, target.matches.load(created.match)[0])


# ---------------------------------------------------------------------- backups that are no copies


def swapped(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:2], lines[3], lines[2], *lines[4:]])


DAMAGES: tuple[tuple[Callable[[bytes], bytes], str], ...] = (
    (lambda data: b"", "empty"),
    (lambda data: b"hello\n", "no backup"),
    (lambda data: b'{"kind": "match"}\n', "no backup"),
    (lambda data: b"\x00\xff\n", "no backup"),
    (lambda data: data[:-1], "cut"),
    (lambda data: data[: data.rindex(b'{"kind":"end"')], "cut"),
    (lambda data: data[: len(data) // 2], "cut"),
    (lambda data: data + data, "follows"),
    (lambda data: data.replace(b'"version":1', b'"version":2'), "version 2 of the format"),
    (lambda data: data.replace(b"start_deal", b"start_dead", 1), "changed"),
    (lambda data: data.replace(b'"matches":2', b'"matches":3'), "changed"),
    (lambda data: data.replace(b'"log"', b'"lag"', 1), "cannot be read"),
    (swapped, "changed"),
)
"""Changes of a backup, and what the refusal says."""


def test_cut_or_changed_backup_changes_nothing(source: RedisStore, url: str) -> None:
    """A backup that is cut, changed, or of another format is refused before anything of it is written."""
    for name in ("one", "two"):
        create_row(source, name, header="{}")
    data = exported(source)
    with connected(url) as other:
        for change, text in DAMAGES:
            with pytest.raises(InvalidBackup, match=text):
                restored(change(data), other, replace=True)
            assert [] == list(BackupStore(other.connection).matches())


def test_copy_during_a_failover_fails(tmp_path: Path) -> None:
    """A copy during which another server becomes master fails, because SCAN may have missed matches."""
    with killing(Sentinels(binary(), tmp_path)) as guarded, connected(guarded.url) as store:
        for number in range(600):
            create_row(store, f"match{number}", header="{}")
        backup = BackupStore(store.connection)
        assert 600 == len(list(backup.matches()))
        copies = backup.matches()
        next(copies)
        guarded.sentinels[0].ask("SENTINEL", "FAILOVER", guarded.NAME)
        until(lambda: role(guarded.replica) == "master" and role(guarded.master) == "slave", "they have changed places")
        with pytest.raises(StoreError):
            list(copies)


def role(server: Server) -> str:
    """Whether a server is a master or a replica; empty while it cuts its connections."""
    with suppress(RedisError):
        return str(server.ask("ROLE")[0])
    return ""
