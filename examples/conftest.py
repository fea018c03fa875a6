"""Fixtures of the tests of the examples: a live service, and programs that end with their test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from examples.programs import Program, Service
from tests.servers import OF_TESTS


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A live service on free ports, with a store of its own."""
    folder = tmp_path_factory.mktemp("service")
    ports = ["--grpc", "127.0.0.1:0", "--rest", "127.0.0.1:0"]
    command = [sys.executable, "-m", "chitarrella", "serve", *ports, "--data", str(folder / "data")]
    program = Program(command, folder, folder / "log", OF_TESTS)
    found = program.wait_for(r"gRPC +(\S+)\nREST +(\S+)")
    yield Service(found[1], found[2])
    program.stop()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Program]]:
    """Start a program as `Program` does; it is stopped when the test ends."""
    programs: list[Program] = []

    def starting(command: list[str], folder: Path, **environment: str) -> Program:
        programs.append(Program(command, folder, tmp_path / f"output{len(programs)}", environment))
        return programs[-1]

    yield starting
    for program in programs:
        program.stop()
