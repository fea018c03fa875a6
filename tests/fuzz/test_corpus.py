"""The corpus is replayed: no input that fuzzing found breaks a parser or a transport."""

from collections.abc import Iterator

import pytest

from lab.fuzz.run import CORPUS, PLAIN, SERVED, corpus, kept
from lab.fuzz.service import seeds, service
from lab.fuzz.targets import PLAIN as READERS
from lab.fuzz.targets import Target, in_time


@pytest.fixture(scope="module")
def transports() -> Iterator[dict[str, Target]]:
    with service() as targets:
        yield targets


def test_every_target_has_its_corpus() -> None:
    """Every target has its inputs, there are none of another target, and all together are small."""
    assert tuple(READERS) == PLAIN
    assert sorted((*PLAIN, *SERVED)) == sorted(corpus())
    assert CORPUS.stat().st_size < 60_000


@pytest.mark.parametrize("target", PLAIN)
def test_parser_withstands_its_corpus(target: str) -> None:
    """A parser writes each input of its corpus back unchanged, or refuses it with a documented error, in time."""
    inputs = [*seeds(target), *kept(target)]
    assert inputs
    for data in inputs:
        in_time(READERS[target], data)


@pytest.mark.parametrize("target", SERVED)
def test_transport_withstands_its_corpus(target: str, transports: dict[str, Target]) -> None:
    """A transport answers each input of its corpus, or refuses it as an error of the caller, in time."""
    assert sorted(transports) == sorted(SERVED)
    for data in (*seeds(target), *kept(target)):
        in_time(transports[target], data)
