"""The commands ``export``, ``import`` and ``backup-key``, on stores that run and on one that does not."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from chitarrella.matches.model import CreatedMatch, CreateMatch
from chitarrella.matches.service import MatchService
from chitarrella.storage.embedded_valkey import EmbeddedValkey, binary
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.row_cipher import load_cipher
from tests.cli.run_command import invoke, process
from tests.matches.playing import CATALOGUE, LONG_MATCH, connect_service, go_on
from tests.servers import KEEPING, Server


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    """An embedded store that runs."""
    made = EmbeddedValkey(tmp_path / "data")
    yield made
    made.stop()


@pytest.fixture
def created(embedded: EmbeddedValkey) -> CreatedMatch:
    """A match of the embedded store."""
    worker = connect_service(embedded.url)
    created = worker.service.create(CreateMatch(LONG_MATCH))
    go_on(worker.service, created.match, 3)
    worker.store.close()
    return created


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Server]:
    """Another server, which is empty."""
    server = Server(binary(), tmp_path / "other", *KEEPING)
    yield server
    server.kill()


def key_files(folder: Path) -> tuple[Path, Path]:
    """The files of a new key pair, the secret one first."""
    secret, public = invoke("backup-key").output.splitlines()
    files = folder / "backup.key", folder / "backup.pub"
    for file, key in zip(files, (secret, public), strict=True):
        file.write_text(f"{key}\n")
    return files


def last_line(result: Result) -> str:
    """The last line of a command that has failed."""
    assert result.exit_code == 1
    return result.output.strip().splitlines()[-1]


def test_store_that_nobody_has_served_is_not_backed_up(
    tmp_path: Path, embedded: EmbeddedValkey, created: CreatedMatch
) -> None:
    """A data folder that is not there, and a prefix that nobody uses, give an error and no file; nothing is made."""
    output, missing = tmp_path / "matches.backup", tmp_path / "missing"
    failed = invoke("export", "--output", str(output), "--data", str(missing))
    assert f"there is no data folder {missing}" in last_line(failed)
    failed = invoke("export", "--output", str(output), "--redis-url", embedded.url, "--prefix", "chitarela")
    assert "no service has served this store under the prefix 'chitarela'" in last_line(failed)
    assert not output.exists()
    assert not missing.exists()


def test_encrypted_backup_of_a_store_in_use(
    tmp_path: Path, embedded: EmbeddedValkey, created: CreatedMatch, other: Server
) -> None:
    """A store in use is exported encrypted to a file of its owner, and imported with the secret key alone."""
    secret, public = key_files(tmp_path)
    file = tmp_path / "matches.backup"
    exported = invoke("export", "--data", str(embedded.folder), "-o", str(file), "--key-file", str(public))
    assert "1 matches and 0 webhooks exported\n" == exported.output
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert created.match.encode() not in file.read_bytes()
    into = ("import", str(file), "--redis-url", other.url)
    assert "Error: the backup is encrypted: a key is needed" == last_line(invoke(*into))
    wrong = key_files(tmp_path / "data")[0]
    assert "no matching keys found" in last_line(invoke(*into, "--key-file", str(wrong)))
    with_key = (*into, "--key-file", str(secret))
    assert invoke(*with_key).output.startswith("1 matches and 0 webhooks of 20")
    assert "the store has 1 matches and 0 webhooks" in last_line(invoke(*with_key))
    assert "--replace" in last_line(invoke(*with_key))
    assert 0 == invoke(*with_key, "--replace").exit_code
    worker = connect_service(other.url)
    assert 4 == worker.service.repository.load(created.match).row.revision
    worker.store.close()


def test_store_that_does_not_run_is_exported_and_imported(
    tmp_path: Path, created: CreatedMatch, embedded: EmbeddedValkey
) -> None:
    """The folder of a store whose service is stopped is exported to the output, and imported from the input."""
    embedded.stop()
    exported = process("export", "--data", str(embedded.folder))
    assert 0 == exported.returncode, exported.stderr
    assert created.match in exported.stdout
    imported = process("import", "--data", str(tmp_path / "new"), "-", stdin=exported.stdout)
    assert 0 == imported.returncode, imported.stderr
    again = process("export", "--data", str(tmp_path / "new"))
    assert created.match in again.stdout
    cut = process("import", "--data", str(tmp_path / "third"), "-", stdin=exported.stdout[:-1])
    assert (1, "Error: the backup is cut: its last line is missing\n") == (cut.returncode, cut.stderr)


def test_failed_export_leaves_no_file(tmp_path: Path, embedded: EmbeddedValkey) -> None:
    """An export that fails leaves no file; one that would overwrite a file does not begin."""
    file = tmp_path / "matches.backup"
    assert "StoreError" not in last_line(invoke("export", "--redis-url", f"unix://{tmp_path}/none", "-o", str(file)))
    assert [] == list(tmp_path.glob("matches*"))
    file.write_text("mine")
    assert "exists already" in last_line(invoke("export", "--data", str(embedded.folder), "-o", str(file)))
    assert "mine" == file.read_text()


def test_file_without_a_key_is_refused(tmp_path: Path) -> None:
    """A key file without a key is refused before the store is opened."""
    file = tmp_path / "none"
    file.write_text("hello")
    for command in (("export",), ("import", str(file))):
        assert "holds a line that is no" in last_line(
            invoke(*command, "--key-file", str(file), "--data", str(tmp_path))
        )
    assert [file] == list(tmp_path.iterdir())


def test_store_with_a_key_is_backed_up_with_it(tmp_path: Path, other: Server) -> None:
    """A store that is encrypted is exported with its key, and restored to one in clear text; without it, it fails."""
    key = tmp_path / "store.key"
    key.write_text("ab" * 64)
    store = RedisStore(connect(other.url), cipher=load_cipher(key))
    service = MatchService(CATALOGUE, store)
    created = service.create(CreateMatch(LONG_MATCH))
    go_on(service, created.match, 3)
    log = service.repository.read_log(created.match)
    store.close()
    files = [str(tmp_path / name) for name in ("without", "with")]
    hint = "name the file of the key that the service has by --store-key-file"
    assert hint in last_line(invoke("export", "--redis-url", other.url, "--output", files[0]))
    (wrong := tmp_path / "wrong.key").write_text("cd" * 64)
    failed = invoke("export", "--redis-url", other.url, "--output", files[0], "--store-key-file", str(wrong))
    assert hint in last_line(failed)
    assert not Path(files[0]).exists()
    done = invoke("export", "--redis-url", other.url, "--output", files[1], "--store-key-file", str(key))
    assert 0 == done.exit_code, done.output
    done = invoke("import", "--redis-url", other.url, "--prefix", "clear", files[1])
    assert 0 == done.exit_code, done.output
    clear = RedisStore(connect(other.url), "clear")
    assert log == MatchService(CATALOGUE, clear).repository.read_log(created.match)
    clear.close()
