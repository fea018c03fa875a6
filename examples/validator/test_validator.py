"""The validator, against a live service: the game is kept by the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from chitarrella_client import Chitarrella
from examples.programs import Program, Service, build
from tests.servers import free_port

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """Check the format, and build the validator as the page says."""
    build(
        HERE, ["sh", "-c", "! gofmt -d . | grep ."], ["go", "vet", "."], ["go", "build", "-o", "build/validator", "."]
    )


@pytest.fixture
def validator(service: Service, start: Callable[..., Program]) -> Iterator[httpx.Client]:
    """A validator that runs."""
    with run(start, service.grpc) as http:
        yield http


def run(start: Callable[..., Program], service: str) -> httpx.Client:
    """Start the validator; gives what calls it."""
    program = start([str(HERE / "build/validator")], HERE, CHITARRELLA=service, PORT="0")
    return httpx.Client(base_url=program.wait_for(r"Validator (\S+)\n")[1], timeout=60)


def ask(validator: httpx.Client, status: int = 200, **question: Any) -> Any:
    """Ask a question; the answer must have the status."""
    response = validator.post("/validate", json=question)
    assert status == response.status_code, response.text
    return response.json()


def test_a_game_is_played_that_the_caller_keeps(service: Service, validator: httpx.Client) -> None:
    """The caller keeps the position: a legal move gives the next one, a move out of turn is refused with its clause."""
    with Chitarrella(service.grpc) as client:
        begin = client.rules.start_game("briscola", players=2)
        assert begin.chance_request
        pack = begin.chance_request.cards
    game: dict[str, Any] = {"game": "briscola", "players": 2, "options": dict(begin.position.rule_set.options)}
    dealt = ask(validator, **game, position=begin.position.text, verb="start_deal", cards=pack)
    assert {"legal": True, "refusals": []} == {name: dealt[name] for name in ("legal", "refusals")}
    move: dict[str, Any] = {"position": dealt["position"], "verb": "play_card", "cards": [pack[0]]}
    answers = [ask(validator, **game, **move, seat=seat) for seat in (0, 1)]
    assert [False, True] == sorted(answer["legal"] for answer in answers)
    (refused,) = (answer for answer in answers if not answer["legal"])
    assert "not_your_turn" in {refusal["code"] for refusal in refused["refusals"]}
    assert all(refusal["clause"] and refusal["message"] for refusal in refused["refusals"])
    assert "position" not in refused


def test_a_hand_and_a_trick_are_enough(validator: httpx.Client) -> None:
    """The caller sends a hand, the trick and the trump suit, or learns what is missing."""
    known: dict[str, Any] = {"game": "bisca-brazil", "hand": ["7h", "Kh", "2c"], "trick": ["Qh"], "verb": "play_card"}
    assert ask(validator, **known, trump="h", cards=["Kh"])["legal"]
    refused = ask(validator, **known, trump="h", cards=["2c"])
    assert (False, ["Kh"]) == (refused["legal"], refused["refusals"][0]["allowed"])
    assert ["trump"] == ask(validator, **known, cards=["2c"])["depends_on"]


def test_errors_have_a_code_and_a_field(validator: httpx.Client, start: Callable[..., Program]) -> None:
    """A wrong question has the status 400 and the field at fault; a service that is away has 503."""
    assert "bad_request" == ask(validator, 400, gone=1)["code"]
    assert "unknown_game" == ask(validator, 400, game="snap", hand=["Ab"], verb="play_card", cards=["Ab"])["code"]
    wrong = ask(validator, 400, game="briscola", position="nonsense", seat=0, verb="play_card", cards=["Ab"])
    assert ("bad_position", "position.text") == (wrong["code"], wrong["field"])
    question: dict[str, Any] = {"game": "briscola", "hand": ["Ab"], "verb": "play_card", "cards": ["Ab"]}
    with run(start, f"127.0.0.1:{free_port()}") as away:
        assert "unavailable" == ask(away, 503, **question)["code"]
