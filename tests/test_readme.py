"""The README is true: its blocks are run, in their order, against a service that was started as it says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chitarrella.catalogue import Catalogue
from chitarrella.commands.common import spans

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
WHERE = re.compile(r"gRPC +(\S+)\nREST +http://(\S+)")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Run the README's first command on free ports; gives the addresses that it prints."""
    data = tmp_path_factory.mktemp("readme") / "data"
    around = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # we may be in a make
    ports = {"CHITARRELLA_GRPC_ADDRESS": "127.0.0.1:0", "CHITARRELLA_REST_ADDRESS": "127.0.0.1:0"}
    command = [*BLOCKS[0][1].split(), f"DATA={data}", f"PYTHON={sys.executable}", "ARGS="]
    running = subprocess.Popen(
        command, cwd=ROOT, env={**around, **ports}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        start_new_session=True,
    )  # fmt: skip
    assert running.stdout is not None
    said = ""
    while not (found := WHERE.search(said)):
        line = running.stdout.readline()
        assert line, f"the service said no more than: {said}"
        said += line
    yield found[1], found[2]
    os.killpg(running.pid, 15)
    running.stdout.close()
    running.wait(20)


def run(kind: str, text: str, told: tuple[str, str], folder: Path) -> str:
    """Run a block with the addresses of the service put in; gives what it prints."""
    grpc, rest = told
    text = text.replace("127.0.0.1:50051", grpc).replace("127.0.0.1:8080", rest)
    text = text.replace(".venv/bin/", f"{Path(sys.executable).parent}/")
    command = ["bash", "-euo", "pipefail", "-c", text] if kind == "sh" else [sys.executable, "-c", text]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=250, check=False)
    assert (0, "") == (done.returncode, done.stderr), text
    return done.stdout


@pytest.mark.timeout(300)
def test_every_block_is_run(told: tuple[str, str], tmp_path: Path) -> None:
    """Each block runs without a complaint, and what the README says of its output is so."""
    outputs = [
        json.loads(text) if kind == "json" else run(kind, text, told, tmp_path)
        for kind, text in BLOCKS
        if not text.startswith("make")
    ]
    trick, promised, deal, playable, client, fair, bot, inside, library, commands = outputs
    assert promised == json.loads(trick)
    assert 40 <= len(deal.splitlines())
    assert re.fullmatch(r"winners: \[[01]\] of briscola", deal.splitlines()[-1])
    assert "must_follow_suit" in playable
    assert "CO-17" in client
    assert "card_played" in client
    assert "True\n" == fair
    assert bot.startswith("Outcome(winners=(")
    assert re.fullmatch(r"\d \w+\n", inside)
    assert "['LEO is not in the hand.']\n" == library
    assert "CO-17" in commands


def test_the_commands_of_the_day_are_targets() -> None:
    """Every ``make`` that the README names is there."""
    for target in sorted(set(re.findall(r"make (\w+)", README))):
        subprocess.run(["make", "-n", target], cwd=ROOT, check=True, capture_output=True)


def test_the_table_of_games_is_the_catalogue() -> None:
    """The README lists each game with its numbers of players, of many in a row the first and the last."""
    rows = re.findall(r"^\| `([\w-]+)` \|[^|]*\| ([\d, to]+) \|", README, re.MULTILINE)
    assert rows == [(game.key, spans(sorted(game.seatings))) for game in Catalogue()]
