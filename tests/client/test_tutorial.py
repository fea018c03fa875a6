"""The tutorial is true: two shells, one for each player, run its blocks in their order against a real service."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.server.process import Service

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "clients" / "TUTORIAL.md").read_text()
BLOCKS = re.findall(r"^```sh (\w+)\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)
DONE = "-- done --"


class Terminal:
    def __init__(self, folder: Path) -> None:
        self._shell = subprocess.Popen(
            ["bash"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def type(self, text: str) -> str:
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        self._shell.stdin.write(f"{text}\necho '{DONE}'\n")
        self._shell.stdin.flush()
        said = ""
        while not said.endswith(f"{DONE}\n"):
            line = self._shell.stdout.readline()
            assert line, f"the shell has ended after: {said}"
            said += line
        return said.removesuffix(f"{DONE}\n")

    def close(self) -> None:
        self._shell.kill()
        self._shell.communicate()


@pytest.fixture(scope="module")
def rest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    service = Service(tmp_path_factory.mktemp("tutorial"), "--log-level", "error", forked=True)
    yield service.rest.removeprefix("http://")
    service.clear_away()


@pytest.mark.timeout(600)
def test_two_players(rest: str, tmp_path: Path) -> None:
    """Each sees its own hand, learns why it may not, plays once what it sends twice, and both see the end proved."""
    said: dict[str, list[str]] = {"anna": [], "bruno": []}
    with ExitStack() as stack:
        terminals = {name: stack.enter_context(closing(Terminal(tmp_path))) for name in said}
        for name, text in BLOCKS:
            said[name].append(terminals[name].type(text.replace("127.0.0.1:8080", rest)))
    _, first_seed, anna_sees, too_early, _, end, proof = said["anna"]
    second_seed, bruno_sees, strangers, played, bruno_end = said["bruno"]
    assert ("[1]\n", "[]\n") == (first_seed, second_seed)
    assert re.search(r"^hand 0: \['\w+', '\w+', '\w+'\]\nhand 1: 3$", anna_sees, re.MULTILINE)
    assert re.search(r"^hand 0: 3\nhand 1: \['\w+', '\w+', '\w+'\]$", bruno_sees, re.MULTILINE)
    assert "no_such_match\nnot_your_seat\n" == strangers
    assert "It is not this seat's turn; the table waits for seat 1." in too_early
    assert re.fullmatch(r"True \[.*card_played.*\]\nTrue\n", played)
    assert re.fullmatch(r"winners: \[[01]?\]\n", bruno_end)
    assert bruno_end in end
    assert proof.startswith("game briscola\n")
    assert proof.endswith("same commitment: True\nfair: True\n")
