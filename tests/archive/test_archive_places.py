"""Where records are archived: folders and buckets."""

from __future__ import annotations

from pathlib import Path

import pytest

from chitarrella.matches.archive import DELAY_MS, LEASE_MS
from chitarrella.matches.model import CreateMatch
from chitarrella.storage.archive import ArchiveError, open_archive, parse_archive
from chitarrella.storage.redis_store import RedisStore
from tests.archive.s3_server import S3Server
from tests.archive.test_archive import Office, name_of
from tests.matches.playing import SHORT, play_out


def test_folder_holds_whole_records(tmp_path: Path) -> None:
    """A folder gets a file for each record, replaced by a later one of its name, and nothing else."""
    archive = open_archive(f"file://{tmp_path}/a%20b")
    for text in ("first\n", "second\n"):
        archive.put("2026/11/24/match.txt", text)
    files = [path for path in (tmp_path / "a b").rglob("*") if path.is_file()]
    assert ["second\n"] == [file.read_text() for file in files]
    (tmp_path / "a b" / "2027").write_text("")
    with pytest.raises(ArchiveError, match=r"NotADirectoryError|FileExistsError"):
        archive.put("2027/match.txt", "text")


@pytest.mark.usefixtures("s3_environment")
def test_bucket_holds_records(s3: S3Server, store: RedisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket gets an object for each record below the prefix, also after the server was away."""
    office = Office(store, open_archive("s3://records/of/cards"), monkeypatch)
    created = [office.service.create(CreateMatch(SHORT)) for _ in range(3)]
    for one in created:
        play_out(office.service, one.match)
    s3.kill()
    assert 3 == office.later(DELAY_MS)
    assert {} == s3.records()
    s3.start()
    assert 3 == office.later(LEASE_MS)
    expected = {name_of(office.service, one.match): one.match for one in created}
    texts = {name: office.service.repository.format_record(match) for name, match in expected.items()}
    assert {f"of/cards/{name}": office.signer.sign(text) for name, text in texts.items()} == s3.records()
    assert 0 == office.queued()


@pytest.mark.usefixtures("s3_environment")
def test_refused_key_is_an_error_without_names(s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket that refuses the key is an error whose text has neither the object nor the key."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
    with pytest.raises(ArchiveError) as wrong:
        open_archive("s3://records").put("2026/match.txt", "text")
    assert "match" not in str(wrong.value)
    assert s3.access_key not in str(wrong.value)
    assert {} == s3.records()


@pytest.mark.parametrize(
    "url",
    ["", "records", "/records", "file://host/folder", "file:///", "s3://", "s3://A", "s3://key:word@bucket/x",
     "s3://bucket/x?region=y", "https://bucket/x"],
)  # fmt: skip
def test_invalid_url_is_refused(url: str) -> None:
    """A URL that is neither a folder nor a bucket is refused."""
    with pytest.raises(ValueError, match="the URL of an archive"):
        parse_archive(url)
