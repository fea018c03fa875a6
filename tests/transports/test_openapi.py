"""The contract as OpenAPI: valid, whole, true in its examples, and kept under a storm of odd requests."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from chitarrella.api.dispatcher import rpcs
from chitarrella.transports.rest.api_documents.request_examples import EXAMPLES
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from chitarrella.transports.rest.routes import routes
from tests.transports.relaxed_openapi import widened
from tests.transports.rest_client import Rest, Table, failed

Document = dict[str, Any]


@pytest.fixture
def document(rest: str) -> Document:
    """The document, as the service gives it."""
    found: Document = Rest(rest).get("/openapi.json").json()
    return found


def test_document_is_valid_openapi(document: Document) -> None:
    """It is OpenAPI 3.1, by the schema of OpenAPI itself."""
    assert "3.1.0" == document["openapi"]
    assert [] == list(OpenAPIV31SpecValidator(document).iter_errors())


def test_every_rpc_is_described(document: Document) -> None:
    """Every rpc stands in the document with the words of the contract, under the path that is served."""
    operations = {one["operationId"]: one for item in document["paths"].values() for one in item.values()}
    assert {rpc.name for rpc in rpcs()} == operations.keys()
    for route in routes():
        assert route.method.lower() in document["paths"][route.path]
    for operation in operations.values():
        assert operation["summary"], operation["operationId"]
        assert len(operation["description"]) >= len(operation["summary"])


def test_every_field_is_described(document: Document) -> None:
    """The comment of every message and every field of the contract is in the document."""
    for name, schema in document["components"]["schemas"].items():
        assert schema.get("description"), name
        for field, one in schema.get("properties", {}).items():
            assert one.get("description"), f"{name}.{field}"


def test_field_constraints_are_in_the_schemas(document: Document) -> None:
    """Bounds, patterns and what is required are in the schemas, as the contract has them."""
    schemas = document["components"]["schemas"]
    rule_set, position, question = (schemas[name] for name in ("RuleSet", "Position", "Question"))
    assert (["gameId"], False) == (rule_set["required"], rule_set["additionalProperties"])
    assert ("^[a-z0-9@_-]+$", 40) == tuple(rule_set["properties"]["gameId"][key] for key in ("pattern", "maxLength"))
    assert (0, 20) == tuple(rule_set["properties"]["players"][key] for key in ("minimum", "maximum"))
    assert 40 == rule_set["properties"]["options"]["propertyNames"]["maxLength"]
    assert ["ruleSet", "text"] == position["required"]
    assert [["listLegalMoves"], ["explainHand"]] == [one["required"] for one in question["allOf"][0]["oneOf"]][:2]
    assert ["move"] == document["paths"]["/v1/matches/{match_id}:validateMove"]["post"]["requestBody"]["content"][
        "application/json"
    ]["schema"]["required"]


def test_every_error_code_is_in_the_schemas(document: Document) -> None:
    """Every reason code is in the schema of a problem, and beside every status that it comes with."""
    code = document["components"]["schemas"]["Problem"]["properties"]["code"]
    assert {known.code for known in PROBLEM_TYPES} == set(code["enum"])
    lines = dict(re.findall(r"^- (\d+): (.+)$", code["description"], re.MULTILINE))
    for known in PROBLEM_TYPES:
        assert f"`{known.code}`" in lines[str(known.status.http)].split(", ")


def test_errors_are_described_once(document: Document) -> None:
    """Every operation refers to the one response of errors; beside it stands only what is special to the operation."""
    assert ["Problem"] == list(document["components"]["responses"])
    for item in document["paths"].values():
        for operation in item.values():
            responses = operation["responses"]
            assert {"$ref": "#/components/responses/Problem"} == responses["default"]
            assert {"default", "200", "201", "204", "304", "412", "422"} >= responses.keys()


def test_every_response_of_an_rpc_has_the_headers_of_rates(document: Document) -> None:
    """Every success and every error says what is left of the rate."""
    problem = document["components"]["responses"]["Problem"]
    answers = [
        answer
        for operations in document["paths"].values()
        for operation in operations.values()
        for answer in operation["responses"].values()
    ]
    own = [answer for answer in answers if "$ref" not in answer]
    assert own
    for answer in (problem, *own):
        assert {"RateLimit", "RateLimit-Policy", "X-Request-Id"} <= answer["headers"].keys()
    assert {"RateLimit", "RateLimit-Policy"} <= document["components"]["headers"].keys()


def test_null_is_documented_where_it_is_accepted(document: Document, rest: str) -> None:
    """Null stands for an optional field left out, and for no required one, in the document and in the service."""
    schemas = document["components"]["schemas"]
    rule_set = schemas["RuleSet"]["properties"]
    assert ["integer", "null"] == rule_set["players"]["type"]
    assert ["object", "null"] == rule_set["options"]["type"]
    assert "string" == rule_set["gameId"]["type"]
    assert {"type": "null"} in schemas["CreateMatchRequest"]["properties"]["clock"]["anyOf"]
    assert "null" not in json.dumps(schemas["GetMatchResponse"])
    nulls = {"gameId": "briscola", "players": None, "options": None, "edition": None}
    assert 201 == Rest(rest).post("/v1/matches", {"ruleSet": nulls, "clock": None}).status_code
    failed(Rest(rest).post("/v1/matches", {"ruleSet": {"gameId": None}}), 400, "bad_request", "rule_set.game_id")
    failed(Rest(rest).post("/v1/matches", {"ruleSet": None}), 400, "bad_request", "rule_set")


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_answered_as_shown(document: Document, rest: str, name: str) -> None:
    """What an example asks is answered, and where anybody may ask it, with just the answer that stands beside it."""
    route = next(route for route in routes() if route.rpc.name == name)
    operation = document["paths"][route.path][route.method.lower()]
    asked = operation["requestBody"]["content"]["application/json"]["example"]
    assert EXAMPLES[name] == asked
    if route.rpc.stateless:
        answer = Rest(rest).post(route.path, asked)
        assert operation["responses"]["200"]["content"]["application/json"]["example"] == answer.json()
    else:
        table = Table(rest)
        asked.pop("expectedRevision", None)
        answer = table.seats[table.turn()[0]].post(route.path.replace("{match_id}", table.opened["matchId"]), asked)
        assert answer.status_code in {200, 201, 422}, answer.text


# ---------------------------------------------------------------------- a storm of odd requests

ALL_BUT = "positive_data_acceptance"
"""Left out of the checks, because no schema can say which moves are legal, or which games there are."""

STORMS = {
    "all rpcs": ("coverage,fuzzing", ["--exclude-operation-id=WatchMatch", "--exclude-operation-id=Batch"]),
    "batches": ("fuzzing", ["--include-operation-id=Batch"]),
    "a match": (
        "coverage,fuzzing",
        ["--include-tag=MatchService", "--exclude-operation-id=WatchMatch", "--exclude-operation-id=AbortMatch"],
    ),
}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", STORMS)
def test_random_requests_get_documented_answers(document: Document, rest: str, tmp_path: Path, name: str) -> None:
    """Whatever is sent, the service has no fault, and every answer is one that the contract foresees."""
    # The schema of a problem demands a reason code. Only requests with the referee's key and the id of a match in
    # every path reach the rules; the others are refused before.
    table = Table(rest)
    phases, which = STORMS[name]
    (tmp_path / "contract.json").write_text(json.dumps(widened(document)))
    settings = f'[parameters]\nmatch_id = "{table.opened["matchId"]}"\n' if name == "a match" else ""
    (tmp_path / "settings.toml").write_text(settings)
    excluded = ALL_BUT
    if name == "a match":
        which = [*which, f"--header=Authorization: Bearer {table.opened['refereeKey']}"]
        excluded += ",ignored_auth"  # it takes the key away, and what the public may see is still answered
    command = [Path(sys.executable).parent / "schemathesis", "--config-file=settings.toml", "run", "contract.json"]
    options = [f"--url={rest}", f"--phases={phases}", "--max-examples=10", "--seed=1", "--checks=all"]
    ran = subprocess.run(
        [*map(str, command), *options, f"--exclude-checks={excluded}", *which],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=570,
    )
    assert 0 == ran.returncode, ran.stdout[-6000:]
