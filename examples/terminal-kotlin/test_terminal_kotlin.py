"""The table in a terminal, against a live service: two players at terminals of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from examples.programs import ROOT, Program, Service, build
from tests.servers import until

HERE = Path(__file__).resolve().parent
PROMPT = "Your move> "
ENDING = re.compile(r"(?m)^You have (won|lost)\.$")


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """Build the table as the page says, if something has changed; the client too, unless `make test-clients` has."""
    maven = ["mvn", "-q", "-B"]
    if not (ROOT / "clients/java/target/runner.args").exists():
        build(ROOT / "clients/java", [*maven, "-Dmaven.test.skip=true", "install"])
    made = HERE / "target/classes/TableKt.class"
    sources = [HERE / "pom.xml", HERE / "src/Table.kt", *ROOT.glob("clients/java/target/*.jar")]
    if not made.exists() or any(path.stat().st_mtime > made.stat().st_mtime for path in sources):
        build(HERE, [*maven, "compile"])


def table(start: Callable[..., Program], service: Service, *arguments: str, key: str = "") -> Program:
    """Start the table."""
    return start([str(HERE / "table"), *arguments], HERE, CHITARRELLA=service.grpc, CHITARRELLA_KEY=key)


def play_out(*players: Program) -> None:
    """Type the number of the first move at every prompt, until every player knows how the match ended."""
    answered = dict.fromkeys(players, 0)
    while True:
        until(
            lambda: all(map(ended, players)) or any(one.output.count(PROMPT) > answered[one] for one in players),
            "a player is asked or every match has ended",
        )
        if all(map(ended, players)):
            return
        for player in players:
            if player.output.count(PROMPT) > answered[player]:
                answered[player] += 1
                player.write("1")


def ended(player: Program) -> bool:
    """Whether a player has read how the match ended."""
    return ENDING.search(player.output) is not None


def test_two_players_at_two_terminals(start: Callable[..., Program], service: Service) -> None:
    """Two players play a match out, each with one key; what is no number of a move is asked again."""
    anna = table(start, service, "open")
    invitation = anna.wait_for(r"CHITARRELLA_KEY=(\w+) ./table join (\w+)\n")
    bruno = table(start, service, "join", invitation[2], key=invitation[1])
    bruno.wait_for(PROMPT)
    bruno.write("Ab")
    bruno.wait_for("Type a number from 1 to 3.")
    hand = re.findall(r"^Your cards: (.*)$", bruno.output, re.MULTILINE)[0].split("  ")
    assert 3 == len(hand)
    assert not any(card in anna.output for card in hand if card not in bruno.output.partition("Turned up")[2][:12])
    bruno.write("1")
    anna.wait_for(re.escape(f"The other player: {hand[0]}"))
    play_out(anna, bruno)
    assert [0, 0] == [anna.exit_status(), bruno.exit_status()]
    assert {"won", "lost"} == {anna.wait_for(ENDING.pattern)[1], bruno.wait_for(ENDING.pattern)[1]}


def test_errors_are_one_line(start: Callable[..., Program], service: Service) -> None:
    """A wrong key, no key and a wrong word end the table with a message and a status."""
    for arguments, key, status, text in (
        (("join", "0" * 20), "a-key", 1, "[no_such_match]"),
        (("bot", "1"), "", 2, "Usage: table bot"),
    ):
        program = table(start, service, *arguments, key=key)
        assert status == program.exit_status()
        assert text in program.output
        assert "\tat " not in program.output, "no stack trace"
