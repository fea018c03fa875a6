"""The lobby, against a live service: what it answers, and whose keys it hands out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from chitarrella_client import Chitarrella
from examples.programs import ROOT, Program, Service, build
from tests.servers import free_port

HERE = Path(__file__).resolve().parent
CLIENT = ROOT / "clients/typescript"


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """Install and build the lobby as the page says, where something has changed, and check the format."""
    build(ROOT, ["make", "clients/node_modules"])
    installed = HERE / "node_modules/.package-lock.json"
    sources = [HERE / "package.json", CLIENT / "package.json", *CLIENT.glob("src/*.ts")]
    if not installed.exists() or any(path.stat().st_mtime > installed.stat().st_mtime for path in sources):
        build(CLIENT, ["npm", "run", "--silent", "build"])
        build(HERE, ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"])
    npm = CLIENT.parent
    biome = [str(npm / "node_modules/.bin/biome"), "check", "--error-on-warnings", f"--config-path={npm}"]
    build(HERE, [*biome, "lobby.ts", "package.json", "tsconfig.json"], ["npm", "run", "--silent", "build"])


class Person:
    """Somebody who calls the lobby, and all that was answered."""

    def __init__(self, lobby: str, name: str) -> None:
        """Register."""
        self._http = httpx.Client(base_url=lobby, timeout=60)
        self.answers = ""
        token = self.call("POST", "/people", 201, name=name)["token"]
        self._http.headers["authorization"] = f"Bearer {token}"

    def call(self, method: str, path: str, status: int = 200, **body: Any) -> Any:
        """Call the lobby; the answer must have the status."""
        response = self._http.request(method, path, json=body if method == "POST" else None)
        self.answers += response.text
        assert status == response.status_code, response.text
        return response.json()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()


@pytest.fixture
def people(service: Service, start: Callable[..., Program]) -> Iterator[list[Person]]:
    """Anna, Bruno and Carla at a lobby."""
    lobby = run(start, service.rest)
    found = [Person(lobby, name) for name in ("Anna", "Bruno", "Carla")]
    yield found
    for person in found:
        person.close()


def run(start: Callable[..., Program], service: str) -> str:
    """Start the lobby; gives its URL."""
    return start(["node", "build/lobby.js"], HERE, CHITARRELLA=service, PORT="0").wait_for(r"Lobby (\S+)\n")[1]


def test_two_people_meet_and_play(service: Service, people: list[Person]) -> None:
    """Each of two people plays with the key of the own seat, and nobody is ever sent the key of another."""
    anna, bruno, carla = people
    path = f"/tables/{anna.call('POST', '/tables', 201)['id']}"
    assert "waiting" == anna.call("GET", f"{path}/seat", 409)["code"]
    assert ["Anna", "Bruno"] == bruno.call("POST", f"{path}/seats")["people"]
    assert "table_full" == carla.call("POST", f"{path}/seats", 409)["code"]
    assert "not_seated" == carla.call("GET", f"{path}/seat", 403)["code"]
    seats = [person.call("GET", f"{path}/seat") for person in (anna, bruno)]
    assert [(0, service.rest), (1, service.rest)] == [(one["seat"], one["service"]) for one in seats]
    assert seats[0] == anna.call("GET", f"{path}/seat"), "the same match, however often it is asked for"
    with Chitarrella(service.grpc) as client:
        matches = [client.match(one["matchId"], one["key"]) for one in seats]
        assert ["Anna", "Bruno"] == [one.player_name for one in matches[0].get().seats]
        assert [0, 1] == [match.get().viewer for match in matches]
        while (turn := matches[0].get().view.turn) is not None:
            matches[turn].play(matches[turn].legal_moves()[0])
        outcome = matches[0].get().view.outcome
    assert outcome
    assert [["Anna", "Bruno"][seat] for seat in outcome.winners] == carla.call("GET", path)["winners"]
    keys = [one["key"] for one in seats]
    held = {"Anna": anna, "Bruno": bruno, "Carla": carla}
    assert [[True, False], [False, True], [False, False]] == [
        [key in person.answers for key in keys] for person in held.values()
    ]


def test_errors_have_a_code(people: list[Person]) -> None:
    """What a caller does wrong is answered with a status, a code and a message."""
    anna = people[0]
    assert "bad_name" == anna.call("POST", "/people", 400, name="<b>")["code"]
    assert "name_taken" == anna.call("POST", "/people", 409, name="Bruno")["code"]
    assert "bad_players" == anna.call("POST", "/tables", 400, players=5)["code"]
    assert "no_such_table" == anna.call("GET", "/tables/1", 404)["code"]
    anna._http.headers["authorization"] = "Bearer nobody"
    assert "not_registered" == anna.call("POST", "/tables", 401)["code"]
    broken = anna._http.post("/tables", content="{", headers={"content-type": "application/json"})
    assert (400, "bad_request") == (broken.status_code, broken.json()["code"])


def test_a_service_that_is_away_is_reported(start: Callable[..., Program]) -> None:
    """Without the service people still meet, and the answer about the match has the status 503 and a code."""
    lobby = run(start, f"http://127.0.0.1:{free_port()}")
    anna, bruno = Person(lobby, "Anna"), Person(lobby, "Bruno")
    path = f"/tables/{anna.call('POST', '/tables', 201)['id']}"
    bruno.call("POST", f"{path}/seats")
    assert "unavailable" == bruno.call("GET", f"{path}/seat", 503)["code"]
    anna.close()
    bruno.close()
