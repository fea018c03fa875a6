"""A store whose rows and logs are encrypted."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from chitarrella.matches.backup import BackupReader, Summary, backup_lines
from chitarrella.matches.model import CreateMatch
from chitarrella.matches.restore import restore
from chitarrella.matches.service import MatchService
from chitarrella.matches.store import Conflict, Duplicate, StoreError
from chitarrella.storage.backup_file import read_backup, write_backup
from chitarrella.storage.redis_backup import RedisBackup
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.row_cipher import KEY_BYTES, InvalidStoreKey, RowCipher, load_cipher
from tests.matches.playing import CATALOGUE, SHORT, check_consistency, go_on, play_out
from tests.storage.rows import DEAL, LONG, append, create_row, entries

OLD, NEW = bytes(range(KEY_BYTES)), bytes(range(1, KEY_BYTES + 1))


@pytest.fixture
def sealed(url: str) -> Iterator[RedisStore]:
    """An empty store with a key."""
    made = RedisStore(connect(url), cipher=RowCipher(NEW))
    yield made
    made.close()


def everything(store: RedisStore) -> str:
    """All that the server has, as one text."""
    client: Any = store.connection.client
    texts = []
    for key in client.scan_iter():
        kind = client.type(key)
        value = {
            "hash": lambda key=key: client.hgetall(key),
            "list": lambda key=key: client.lrange(key, 0, -1),
            "zset": lambda key=key: client.zrange(key, 0, -1),
            "string": lambda key=key: client.get(key),
        }[kind]()
        texts.append(f"{key} {value}")
    return "\n".join(texts)


def test_store_shows_no_card_no_seed_and_no_name(sealed: RedisStore) -> None:
    """A match is created and played out on an encrypted store, whose server has nothing of it in clear text."""
    service = MatchService(CATALOGUE, sealed)
    created = service.create(CreateMatch(SHORT, player_names=((0, "Ada Lovelace"),)))
    seed, hands = created.snapshot.metadata.seed, created.snapshot.row.position
    kept = everything(sealed)
    for secret in (seed, "Ada Lovelace", "briscola", "hands=", "start_deal", created.snapshot.row.log_digest):
        assert secret not in kept
    assert "hands=" in hands
    go_on(service, created.match)
    play_out(service, created.match)
    check_consistency(MatchService(CATALOGUE, sealed), created)
    assert "play_card" not in everything(sealed)


def test_writers_race_and_repeat_as_in_clear_text(sealed: RedisStore) -> None:
    """A stale writer gets the row that is there, and a repeated request its place in the log."""
    first = create_row(sealed)
    row = append(sealed, first, "move", "request")
    assert Conflict(row) == sealed.matches.append("match", first, entries(first, "other"), "another", LONG)
    assert Duplicate(1) == sealed.matches.append("match", row, entries(row, "move"), "request", LONG)
    assert (row, 1) == sealed.matches.load("match", "request")
    assert [row, None] == sealed.matches.load_many(["match", "none"])
    assert (["move"], [*DEAL, "move"]) == (sealed.matches.read_log("match", 1), sealed.matches.read_log("match"))


@pytest.mark.parametrize("before", [RowCipher(), RowCipher(OLD)], ids=["clear text", "an earlier key"])
def test_match_goes_on_under_a_new_key(url: str, before: RowCipher) -> None:
    """What was kept in clear text, or under a key that stands second now, is read and appended to as before."""
    old, new = RedisStore(connect(url), cipher=before), RedisStore(connect(url), cipher=RowCipher(NEW, OLD))
    first = create_row(old)
    assert (first, None) == new.matches.load("match")
    row = append(new, first, "move", "request")
    assert Conflict(row) == new.matches.append("match", first, entries(first, "late"), "another", LONG)
    row = append(new, row, "next", "next request")
    assert ([*DEAL, "move", "next"], (row, 1)) == (
        new.matches.read_log("match"),
        new.matches.load("match", "request"),
    )
    with pytest.raises(StoreError):
        old.matches.load("match")
    for store in (old, new):
        store.close()


def test_text_that_was_moved_or_changed_is_refused(sealed: RedisStore) -> None:
    """An encrypted text that stands at another match, at another field, or was changed, is an error of the store."""
    for match in ("match", "other"):
        create_row(sealed, match)
    client: Any = sealed.connection.client
    here, there = (sealed.connection.key(f"{{{match}}}") for match in ("match", "other"))
    position = client.hget(here, "position")
    for wrong in (
        client.hget(there, "position"),
        client.hget(here, "metadata"),
        f"{position[:-8]}AAAAAAA=",
        "sealed:x",
    ):
        client.hset(here, "position", wrong)
        with pytest.raises(StoreError):
            sealed.matches.load("match")
    client.hset(here, "position", position)
    assert sealed.matches.load("match")[0]


@pytest.mark.parametrize(("source", "target"), [((NEW,), ()), ((), (NEW,)), ((OLD,), (NEW,))])
def test_backup_is_independent_of_the_key(url: str, source: tuple[bytes, ...], target: tuple[bytes, ...]) -> None:
    """A backup of a store with one key, or none, is restored to a store with another, and its match goes on there."""
    stores = [
        RedisStore(connect(url), prefix, cipher=RowCipher(*keys)) for prefix, keys in (("a", source), ("b", target))
    ]
    service, restored = (MatchService(CATALOGUE, store) for store in stores)
    created = service.create(CreateMatch(SHORT))
    go_on(service, created.match, 5)
    file = BytesIO()
    write_backup(backup_lines(RedisBackup(stores[0].connection), "a", "now", Summary(), lambda _: None), file, [])

    def feed(reader: BackupReader) -> None:
        file.seek(0)
        read_backup(file, reader, [])

    restore(feed, RedisBackup(stores[1].connection), replace=False, progress=lambda _: None)
    assert check_consistency(service, created) == check_consistency(restored, created)
    assert go_on(restored, created.match).accepted
    for store in stores:
        store.close()


def test_service_with_another_key_is_refused(url: str) -> None:
    """A store remembers that it has a key: a service without it is refused, one whose file has it as well is not."""
    stores = [RedisStore(connect(url), cipher=RowCipher(*keys)) for keys in ((), (OLD,), (NEW,), (NEW, OLD))]
    without, old, new, both = stores
    for store in (without, old, old, both, new):  # in this order each is right
        store.check_key()
    for store in (without, old):
        with pytest.raises(ValueError, match="--store-key-file"):
            store.check_key()
    for store in stores:
        store.close()


@pytest.mark.parametrize("text", ["", "no number", "ab" * 32, f"{'ab' * 64}\nab"])
def test_invalid_key_file_is_refused_without_its_text(tmp_path: Path, text: str) -> None:
    """A file without a key, with something else, or with a key of another length is refused, and is not quoted."""
    (tmp_path / "key").write_text(text)
    with pytest.raises(InvalidStoreKey) as refused:
        load_cipher(tmp_path / "key")
    assert "ab" * 3 not in str(refused.value)


def test_key_file_has_the_key_that_encrypts_first(tmp_path: Path) -> None:
    """The first key of a file encrypts; texts under any of them are decrypted; no file encrypts nothing."""
    (tmp_path / "key").write_text(f"{NEW.hex()}\n{OLD.hex()}\n")
    both = load_cipher(tmp_path / "key")
    assert RowCipher(NEW).seal("match", "position", "text") == both.seal("match", "position", "text")
    assert "text" == both.open("match", "position", RowCipher(OLD).seal("match", "position", "text"))
    assert "text" == load_cipher(None).seal("match", "position", "text")
