"""Bots and agents from outside that play each other, and what is said of their strength."""

import json
import re
import shlex
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from chitarrella_lab.agents import FunctionAgent, Referee, agent_starter
from chitarrella_lab.duplicate_match import play_deal, play_duplicate
from tests.cli.run_command import CATALOGUE, invoke, process
from tests.lab import sample_agents


def measured(*args: str) -> Any:
    return json.loads(invoke("strength", *args, "--json").output)


def test_all_games_are_measured() -> None:
    """Where no game is named every one of the catalogue is played, with the number of players it is best for."""
    found = measured("--bots", "greedy,random", "-n", "2", "--seed", "1")["pairs"]
    assert [game.key for game in CATALOGUE] == [row["game"] for row in found]
    assert {("greedy", "random")} == {tuple(row["bots"]) for row in found}


def test_every_pair_is_measured() -> None:
    """Three bots make three pairs, each of which plays the deals that were asked for."""
    found = measured("elfern", "-n", "3", "--seed", "1", "--playouts", "6")
    assert [["search", "greedy"], ["search", "random"], ["greedy", "random"]] == [row["bots"] for row in found["pairs"]]
    assert all((row["deals"], row["players"], row["options"]) == (3, 2, {}) for row in found["pairs"])
    assert (1, None, 6) == (found["seed"], found["think"], found["playouts"])
    assert found == measured("elfern", "-n", "3", "--seed", "1", "--playouts", "6")


def test_greedy_is_ahead_of_random() -> None:
    """At Briscola a greedy player is ahead of a random one, by more than the interval, in deals and points."""
    (row,) = measured("briscola", "--bots", "greedy,random", "-n", "100", "--seed", "2")["pairs"]
    assert row["ahead"]["mean"] - row["ahead"]["within"] > 0.5
    assert row["score"]["mean"] > row["score"]["within"]
    assert row["points"]["mean"] > row["points"]["within"] > 0


def test_the_other_way_round() -> None:
    """Named the other way round the same bots have the same margin with the sign reversed."""
    (here,) = measured("coech", "--bots", "greedy,random", "-n", "10", "--seed", "3", "-p", "2")["pairs"]
    (there,) = measured("coech", "--bots", "random,greedy", "-n", "10", "--seed", "3", "-p", "2")["pairs"]
    assert here["points"]["mean"] == -there["points"]["mean"]
    assert here["ahead"]["mean"] == pytest.approx(1 - there["ahead"]["mean"])


def test_for_people() -> None:
    """For people what was found is a table: a row for each pair."""
    done = process("strength", "briscola", "--bots", "greedy,random", "-n", "5", "--seed", "1")
    assert (0, "") == (done.returncode, done.stderr)
    first, heading, row = done.stdout.splitlines()
    assert first == "5 deals, each played twice; 100 ms a move for the search bot, seed 1"
    assert ["game", "players", "bots", "deals", "ahead", "score", "points"] == heading.split()
    assert row.startswith("briscola  2        greedy - random")
    assert row.count(" ± ") == 3


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("briscolla",), "there is no game 'briscolla'. Did you mean briscola "),
        (("--bots", "greedy,greedy"), "two different bots are wanted to play each other."),
        (("--bots", "greedy,clever"), "there is no bot 'clever'. Bots: easy, normal, strong, random, greedy, search."),
        (("briscola", "-p", "9"), "players: 9 cannot play briscola; players: 2, 3, 4"),
        (("briscola", "--agent", "greedy=cat"), "should be NAME=AGENT, with a name of its own."),
        (("briscola", "--agent", "mine=python:tests.lab.sample_agents:none"), "is no function"),
        (("briscola", "--results", "/"), "is a directory"),
    ],
)
def test_what_cannot_be_measured(args: tuple[str, ...], says: str) -> None:
    """A game, a bot, an agent or a number that there is not ends with status 2 and says what there is."""
    result = invoke("strength", *args)
    assert result.exit_code == 2
    assert says in " ".join(result.output.split())


# ---------------------------------------------------------------------- agents from outside

MODULE = "python:tests.lab.sample_agents"
ANSWERS = "import json, sys\nfor line in sys.stdin: print(json.loads(line)['legal_moves'][0], flush=True)"


@pytest.fixture(autouse=True)
def nothing_asked() -> None:
    sample_agents.asked.clear()


def at_briscola(*args: str) -> Any:
    """Run ``strength`` at Briscola, and return the one pair that it has played."""
    (row,) = measured("briscola", "--seed", "1", *args)["pairs"]
    return row


def program(source: str) -> str:
    return shlex.join([sys.executable, "-c", source])


def test_every_kind_of_agent_plays_the_same() -> None:
    """A function, a program and a server that make the same moves have the same margins in the same deals."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"move": request["legal_moves"][0]}).encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever).start()
        kinds = (f"{MODULE}:first_legal", program(ANSWERS), f"http://127.0.0.1:{server.server_port}/")
        rows = [at_briscola("--bots", "random", "-n", "2", "--agent", f"mine={kind}") for kind in kinds]
        server.shutdown()
    assert rows[0] == rows[1] == rows[2]
    row = rows[0]
    assert (["mine", "random"], 2) == (row["bots"], row["deals"])
    assert [[0, 0]] * 2 == [row["refused"], row["forfeits"]]


def test_agent_sees_its_own_hand() -> None:
    """Over a deal no question to one seat names a card that the other holds unseen."""
    game, asked = CATALOGUE.game("briscola"), sample_agents.asked
    play_deal(game, [Referee(lambda: FunctionAgent(sample_agents.first_legal), 1) for _ in range(2)], "secrecy")
    hands: dict[int, set[str]] = {0: set(), 1: set()}
    words: dict[int, set[str]] = {0: set(), 1: set()}
    seen: set[str] = set()
    for request in asked:
        seat, zones = request["seat"], request["view"]["zones"]
        words[seat] |= set(re.findall(r"\w+", json.dumps(request)))
        hands[seat] = {card for one in zones if (one["name"], one["seat"]) == ("hand", seat) for card in one["cards"]}
        seen |= {card for zone in zones if zone["name"] in ("trick", "turn_up") for card in zone["cards"]}
        played = {card for one in request["events"] for card in one.get("cards", ()) if one["kind"] == "card_played"}
        seen |= played
        assert hands[seat] <= words[seat]
        assert set() == words[seat] & (hands[1 - seat] - seen)
    assert 40 == len(asked)


def test_refused_move_is_answered_and_counted() -> None:
    """After a move against the rules the same question comes again with code, clause and sentence."""
    row = at_briscola("--bots", "greedy", "-n", "1", "--agent", f"mine={MODULE}:stubborn", "--refusals", "4")
    assert ([8, 0], [2, 0]) == (row["refused"], row["forfeits"])
    assert 0.0 == row["ahead"]["mean"]
    assert row["points"]["mean"] <= 0
    assert [4, 3, 2, 1, 4, 3, 2, 1] == [request["refusals_left"] for request in sample_agents.asked]
    first, *others = sample_agents.asked[:4]
    assert [] == first["refusals"]
    for request in others:
        assert first["view"] == request["view"]
        assert {"code", "clause", "message"} == request["refusals"][0].keys()
    clauses = {refusal["code"]: refusal["clause"] for one in sample_agents.asked for refusal in one["refusals"]}
    assert {"malformed_move": "", "not_in_hand": "BR-5.2"} == clauses


def test_giving_up_never_pays() -> None:
    """An agent that is ahead and then forfeits the deal is behind, and has no margin for it."""
    game = CATALOGUE.game("briscola")
    strong = Referee(lambda: FunctionAgent(sample_agents.wins_and_gives_up), 2)
    weak = Referee(lambda: FunctionAgent(sample_agents.first_legal), 2)
    for number in range(6):
        margin = play_duplicate(game, (strong, weak), f"giving up {number}")
        assert (2, 0) == margin.forfeits
        assert (4, 0) == margin.refused
        assert 0.0 == margin.ahead
        assert margin.score <= 0
        assert margin.points <= 0


@pytest.mark.parametrize(
    ("agent", "says"),
    [
        (f"{MODULE}:breaks", "the function raised ZeroDivisionError: the agent has an error"),
        (program("import sys; sys.stdin.readline()"), "the program has ended"),
        (program("import sys; sys.stdin.readline(); print('{}')"), 'the answer is no JSON object with a "move"'),
        (program("import sys; sys.stdin.read()"), "no answer within 0.01 seconds"),
        ("no-such-program-here", "no-such-program-here cannot be started"),
        ("http://127.0.0.1:1/", "no answer: "),
    ],
)
def test_agent_that_fails_forfeits(agent: str, says: str) -> None:
    """An agent that gives no answer has made no move: it forfeits as if that had been refused."""
    messages: list[str] = []

    class Recording(Referee):
        def _ask(self, *args: Any) -> Any:
            move, refusals = super()._ask(*args)
            messages.extend(refusal["message"] for refusal in refusals)
            return move, refusals

    timeout = 0.01 if says.startswith("no answer within") else 60
    referee = Recording(agent_starter(agent, timeout), 1)
    players = referee, referee.__class__(agent_starter(agent, timeout), 1)
    margin = play_duplicate(CATALOGUE.game("briscola"), players, "x")
    assert ((2, 2), (2, 2), 0.5) == (margin.refused, margin.forfeits, margin.ahead)
    assert all(one.startswith(says) for one in messages)
    assert 4 == len(messages)


def test_results_are_kept(tmp_path: Path) -> None:
    """A run goes on where it was stopped, plays nothing twice, and is the same as one that was not stopped."""
    file = tmp_path / "results.jsonl"
    args = ("--bots", "greedy", "--agent", f"mine={MODULE}:first_legal")
    whole = at_briscola(*args, "-n", "3")
    questions = len(sample_agents.asked)
    at_briscola(*args, "-n", "2", "--results", str(file))
    with file.open("a") as cut_off:
        cut_off.write('{"game": "bris')
    sample_agents.asked.clear()
    assert whole == at_briscola(*args, "-n", "3", "--results", str(file))
    assert 0 < len(sample_agents.asked) < questions
    sample_agents.asked.clear()
    assert whole == at_briscola(*args, "-n", "3", "--results", str(file))
    assert [] == sample_agents.asked
    done = invoke("strength", "briscola", *args, "--results", str(file), "--seed", "2")
    assert 2 == done.exit_code
    assert "has results of other settings" in done.output
