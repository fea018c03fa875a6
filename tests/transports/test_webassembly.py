"""The rules without a server, as a page runs them. The scenarios of the clients compare each answer."""

import json
import os
import subprocess
import sys
from base64 import b64decode

import pytest
from google.rpc.error_details_pb2 import ErrorInfo

from chitarrella.transports.webassembly import LocalRules
from chitarrella.v1.position_pb2 import Position
from chitarrella.v1.questions_pb2 import GetViewRequest, StartGameRequest, StartGameResponse
from chitarrella.v1.table_pb2 import RuleSet

BRISCOLA = RuleSet(game_id="briscola", players=2)


@pytest.fixture(scope="module")
def rules() -> LocalRules:
    return LocalRules("en")


def test_a_page_needs_only_pure_python() -> None:
    """A game is started with the pure runtime of Protocol Buffers, and no other library is imported."""
    request = StartGameRequest(rule_set=BRISCOLA).SerializeToString()
    code = (
        f"import sys; sys.path += {sys.path[1:]!r}\n"
        "from chitarrella.transports.webassembly import LocalRules\n"
        "from google.protobuf.internal.api_implementation import Type\n"
        f"status, body = LocalRules('it').answer('StartGame', {request!r})\n"
        "others = {name.partition('.')[0] for name, one in sys.modules.items() if getattr(one, '__file__', None)}\n"
        "print(status, Type(), *sorted(others - sys.stdlib_module_names))"
    )
    pure = {**os.environ, "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"}
    command = [sys.executable, "-S", "-c", code]  # without the hooks of installed packages
    done = subprocess.run(command, env=pure, capture_output=True, text=True, check=True)
    assert ["200", "python", "chitarrella", "google"] == done.stdout.split()


def test_the_answer_is_the_message_of_the_contract(rules: LocalRules) -> None:
    """The first position of a game comes back as bytes."""
    status, body = rules.answer("StartGame", StartGameRequest(rule_set=BRISCOLA).SerializeToString())
    assert (200, BRISCOLA) == (status, StartGameResponse.FromString(body).position.rule_set)


@pytest.mark.parametrize(
    ("request_bytes", "reason", "field"),
    [
        (GetViewRequest(position=Position(rule_set=BRISCOLA, text="?")), "bad_position", "position.text"),
        (GetViewRequest(position=Position(rule_set=BRISCOLA)), "bad_position", "position.text"),
        (b"\xff", "bad_request", ""),
    ],
    ids=["position", "empty position", "bytes"],
)
def test_an_error_is_one_of_connect(
    rules: LocalRules, request_bytes: GetViewRequest | bytes, reason: str, field: str
) -> None:
    """What is invalid, out of bounds, or no message, is refused with the status and details of the service."""
    body = request_bytes if isinstance(request_bytes, bytes) else request_bytes.SerializeToString()
    status, answer = rules.answer("GetView", body)
    error = json.loads(answer)
    assert (400, "invalid_argument") == (status, error["code"])
    first = error["details"][0]
    info = ErrorInfo.FromString(b64decode(first["value"] + "=="))
    assert ("google.rpc.ErrorInfo", reason, field) == (first["type"], info.reason, info.metadata["field"])
