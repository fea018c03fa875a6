"""The commands ``export`` and ``import``, on stores that run and on one that does not."""

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from chitarrella.matches.model import CreatedMatch, CreateMatch
from chitarrella.storage.embedded_valkey import EmbeddedValkey, binary
from tests.cli.run_command import invoke, process
from tests.matches.playing import LONG_MATCH, connect_service, go_on
from tests.servers import KEEPING, Server


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    made = EmbeddedValkey(tmp_path / "data")
    yield made
    made.stop()


@pytest.fixture
def created(embedded: EmbeddedValkey) -> CreatedMatch:
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


def last_line(result: Result) -> str:
    assert result.exit_code == 1
    return result.output.strip().splitlines()[-1]


def test_store_that_nobody_served_is_refused(tmp_path: Path, embedded: EmbeddedValkey, created: CreatedMatch) -> None:
    """A data folder that is not there, and a prefix that nobody uses, give an error and no file; nothing is made."""
    output, missing = tmp_path / "matches.backup", tmp_path / "missing"
    failed = invoke("export", "--output", str(output), "--data", str(missing))
    assert f"there is no data folder {missing}" in last_line(failed)
    failed = invoke("export", "--output", str(output), "--redis-url", embedded.url, "--prefix", "chitarela")
    assert "no service has served this store under the prefix 'chitarela'" in last_line(failed)
    assert not output.exists()
    assert not missing.exists()


def test_backup_of_a_used_store(tmp_path: Path, embedded: EmbeddedValkey, created: CreatedMatch, other: Server) -> None:
    """A store in use is exported to a file of its owner, and imported once, unless it is to be replaced."""
    file = tmp_path / "matches.backup"
    exported = invoke("export", "--data", str(embedded.folder), "-o", str(file))
    assert "1 matches and 0 webhooks exported\n" == exported.output
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    into = ("import", str(file), "--redis-url", other.url)
    assert invoke(*into).output.startswith("1 matches and 0 webhooks of 20")
    assert "the store has 1 matches and 0 webhooks" in last_line(invoke(*into))
    assert "--replace" in last_line(invoke(*into))
    assert 0 == invoke(*into, "--replace").exit_code
    worker = connect_service(other.url)
    assert 4 == worker.service.repository.load(created.match).row.revision
    worker.store.close()


def test_stopped_store_is_exported_imported(tmp_path: Path, created: CreatedMatch, embedded: EmbeddedValkey) -> None:
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
