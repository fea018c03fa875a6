"""The kept corpus is replayed: no input that fuzzing has kept breaks a parser or a transport."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.corpus import FOLDER, escaped, keep, kept
from tests.fuzz.run import PLAIN, SERVED
from tests.fuzz.seeds import seeds
from tests.fuzz.service import service
from tests.fuzz.targets import PLAIN as READERS
from tests.fuzz.targets import Target, in_time


@pytest.fixture(scope="module")
def transports() -> Iterator[dict[str, Target]]:
    """A service to send to."""
    with service() as targets:
        yield targets


def test_every_target_has_its_corpus() -> None:
    """There is a file of every target, none is of another, and all together are small."""
    assert tuple(READERS) == PLAIN
    assert sorted((*PLAIN, *SERVED)) == sorted(path.stem for path in FOLDER.iterdir())
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 300_000


@pytest.mark.parametrize("target", PLAIN)
def test_a_reader_holds_against_its_corpus(target: str) -> None:
    """Whatever is kept for a reader is read and written back the same, or named as what is wrong with it, in time."""
    inputs = [*seeds(target), *kept(target)]
    assert len(inputs) > 10 or target in ("cursor", "language", "api_keys", "webhooks")
    for data in inputs:
        in_time(READERS[target], data)


@pytest.mark.parametrize("target", SERVED)
def test_transport_withstands_its_corpus(target: str, transports: dict[str, Target]) -> None:
    """Each input kept for the transports is answered, or refused as the caller's error, in time."""
    assert sorted(transports) == sorted(SERVED)
    for data in (*seeds(target), *kept(target)):
        in_time(transports[target], data)


def test_the_corpus_reads_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any bytes stand on one line of the corpus and are the same when they are read; what has no room is left out."""
    monkeypatch.setattr("tests.fuzz.corpus.FOLDER", tmp_path)
    every = bytes(range(256))
    assert "\n" not in escaped(every)
    assert keep("any", [every, b"", b"\\\n"]) == 3
    assert kept("any") == [b"", b"\\\n", every]
    assert keep("any", [bytes(40_000), b"a"]) == 1
