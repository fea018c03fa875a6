"""The contract as OpenAPI: valid, whole, true in its examples, and kept under a storm of odd requests."""

import json
import re
import subprocess
import sys
from functools import reduce
from operator import getitem
from pathlib import Path
from random import Random
from typing import Any

import protovalidate
import pytest
from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from chitarrella.api.request_size import is_map
from chitarrella.i18n.narration import EVENT_KINDS
from chitarrella.transports.rest.api_documents.documents import EXAMPLES, WELL_KNOWN, Schemas
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from chitarrella.transports.rest.views import routes
from tests.transports.all_transports import RPCS
from tests.transports.conftest import opened, wire_service
from tests.transports.random_messages import randomize, rules_of, ways
from tests.transports.rest_client import Event, Rest, Table, events, failed, one_deal

Document = dict[str, Any]
STATUSES = {str(known.status.http) for known in PROBLEM_TYPES}


@pytest.fixture
def openapi(rest: str) -> Document:
    found: Document = Rest(rest).get("/openapi.json").json()
    return found


def test_events_by_kind(openapi: Document, rest: str) -> None:
    """Every kind of event has an object, of fields that events have; the events of a deal have theirs alone filled."""
    schemas = openapi["components"]["schemas"]
    kinds = {one["title"]: one for one in schemas["EventByKind"]["oneOf"]}
    assert list(EVENT_KINDS) == list(kinds)
    assert Rest(rest).get("/asyncapi.json").json()["components"]["schemas"]["EventByKind"] == schemas["EventByKind"]
    for kind, one in kinds.items():
        assert {"const": kind} == one["properties"]["kind"]
        assert one["properties"].keys() <= schemas["Event"]["properties"].keys()


@pytest.fixture
def of_operator(rest: str) -> Document:
    found: Document = Rest(rest).get("/openapi-admin.json").json()
    return found


def test_documents_are_valid_and_whole(openapi: Document, of_operator: Document) -> None:
    """They are OpenAPI 3.1 by its own schema; together they have every rpc, and the operator's calls by themselves."""
    assert ["AdminService"] == [tag["name"] for tag in of_operator["tags"]]
    operations: Document = {}
    for document in (openapi, of_operator):
        assert "3.1.0" == document["openapi"]
        assert [] == list(OpenAPIV31SpecValidator(document).iter_errors())
        operations |= {one["operationId"]: one for item in document["paths"].values() for one in item.values()}
    assert RPCS.keys() == operations.keys()
    for route in routes():
        assert route.method.lower() in {**openapi["paths"], **of_operator["paths"]}[route.path]
    for operation in operations.values():
        assert operation["summary"], operation["operationId"]
        assert len(operation["description"]) >= len(operation["summary"])


def test_keys_are_asked_for_where_they_are_needed(openapi: Document) -> None:
    """A move needs the key of its seat, a list the key of a platform, a question none."""
    paths = openapi["paths"]
    assert [{"key": []}, {"platform": [], "key": []}] == paths["/v1/matches/{match_id}/moves"]["post"]["security"]
    assert [{"platform": []}] == paths["/v1/matches"]["get"]["security"] == paths["/v1/webhooks"]["get"]["security"]
    assert {} in paths["/v1/rules:validateMove"]["post"]["security"]
    assert {} in paths["/v1/matches/{match_id}"]["get"]["security"]
    answers = paths["/v1/matches/{match_id}:takeBack"]["post"]["responses"]
    assert "`cards_were_seen`" in answers["409"]["description"]


def test_every_error_code_is_in_the_schemas(openapi: Document) -> None:
    """Every reason code is in the schema of a problem, and beside every status that it comes with."""
    code = openapi["components"]["schemas"]["Problem"]["properties"]["code"]
    assert {known.code for known in PROBLEM_TYPES} == set(code["enum"])
    lines = dict(re.findall(r"^- (\d+): (.+)$", code["description"], re.MULTILINE))
    for known in PROBLEM_TYPES:
        assert f"`{known.code}`" in lines[str(known.status.http)].split(", ")


def test_responses_refer_to_one_problem_and_have_the_headers_of_rates(openapi: Document) -> None:
    """Every operation refers to the one response of errors; it and every success say what is left of the rate."""
    components = openapi["components"]
    assert ["Problem"] == list(components["responses"])
    answers = [components["responses"]["Problem"]]
    for item in openapi["paths"].values():
        for operation in item.values():
            responses = operation["responses"]
            assert {"$ref": "#/components/responses/Problem"} == responses["default"]
            assert {"default", "200", "201", "204", "304", "422", *STATUSES} >= responses.keys()
            answers += [answer for answer in responses.values() if "$ref" not in answer]
    assert len(answers) > len(openapi["paths"])
    for answer in answers:
        assert {"RateLimit", "RateLimit-Policy", "X-Request-Id"} <= answer["headers"].keys()
    assert {"RateLimit", "RateLimit-Policy"} <= components["headers"].keys()


def test_null_is_documented_where_it_is_accepted(openapi: Document, rest: str) -> None:
    """Null stands for an optional field left out, and for no required one, in the document and in the service."""
    schemas = openapi["components"]["schemas"]
    rule_set = schemas["RuleSet"]["properties"]
    assert ["integer", "null"] == rule_set["players"]["type"]
    assert ["object", "null"] == rule_set["options"]["type"]
    assert "string" == rule_set["gameId"]["type"]
    assert {"type": "null"} in schemas["CreateMatchRequest"]["properties"]["clock"]["anyOf"]
    assert "null" not in json.dumps(schemas["Match"])
    nulls = {"gameId": "briscola", "players": None, "options": None, "edition": None}
    assert 201 == Rest(rest).post("/v1/matches", {"ruleSet": nulls, "clock": None}).status_code
    failed(Rest(rest).post("/v1/matches", {"ruleSet": {"gameId": None}}), 400, "bad_request", "rule_set.game_id")
    failed(Rest(rest).post("/v1/matches", {"ruleSet": None}), 400, "bad_request", "rule_set")


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_answered_as_shown(openapi: Document, of_operator: Document, rest: str, name: str) -> None:
    """What an example asks is well formed, and where anybody may ask it, has just the answer that stands beside it."""
    route = next(route for route in routes() if route.rpc.name == name)
    operation = {**openapi["paths"], **of_operator["paths"]}[route.path][route.method.lower()]
    asked = operation["requestBody"]["content"]["application/json"]["example"]
    assert EXAMPLES[name] == asked
    if route.rpc.stateless:
        answer = Rest(rest).post(route.path, asked)
        assert operation["responses"]["200"]["content"]["application/json"]["example"] == answer.json()
    else:
        table = Table(rest)
        asked.pop("expectedRevision", None)
        path = re.sub(r"\{\w+\}", "x", route.path.replace("{match_id}", table.match_id))
        answer = table.seats[table.turn()[0]](route.method, path, json=asked)
        assert str(answer.status_code) in operation["responses"], answer.text
        assert 400 != answer.status_code, answer.text


# ---------------------------------------------------------------------- random messages


ROUNDS = 12
REQUESTS = [rpc.method.input_type for rpc in RPCS.values()]
INNER = [way[-1].message_type for request in REQUESTS for way in ways(request) if not is_map(way[-1])]
KINDS = {kind.name: kind for kind in (*REQUESTS, *filter(None, INNER)) if kind.full_name not in WELL_KNOWN}
NOT_IN_SCHEMAS = {"message.oneof", "duration.gte", "duration.lte", "duration.gte_lte"}
"""Rules that no schema can say."""


@pytest.mark.parametrize("name", KINDS)
def test_schemas_have_the_bounds_of_the_contract(name: str) -> None:
    """Random messages fit their schema where the contract allows them alone, but for fields that exclude each other."""
    schemas, validator = Schemas(REQUESTS), protovalidate.Validator()
    schema = {**schemas.reference(KINDS[name]), "components": {"schemas": schemas.found}}
    fits = OAS31Validator(schema).is_valid
    assert schemas.found[name]["additionalProperties"] is False
    needed = {field.json_name for field in KINDS[name].fields if rules_of(field).required}
    assert needed <= set(schemas.found[name].get("required", ()))
    for number in range(ROUNDS):
        message: Any = GetMessageClass(KINDS[name])()
        randomize(message, Random(f"{name} {number}"))
        written = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
        if "\\n" in json.dumps(written):
            continue  # a pattern of Python's may end before the end of a line
        faults = {one.proto.rule_id for one in validator.collect_violations(message)}
        assert fits(written) == (faults <= NOT_IN_SCHEMAS), faults


# ---------------------------------------------------------------------- a storm of odd requests

ALL_BUT = "positive_data_acceptance,negative_data_rejection"
"""Left out of the checks: no schema can say which moves are legal, or all that proto3 JSON takes."""

STORMS = {
    "questions": ("coverage,fuzzing", ["--exclude-tag=MatchService", "--exclude-operation-id=Batch"]),
    "batches": ("fuzzing", ["--include-operation-id=Batch"]),
    "a match": (
        "coverage,fuzzing",
        ["--include-tag=MatchService", "--exclude-operation-id=WatchMatch", "--exclude-operation-id=AbortMatch"],
    ),
}
"""What is asked in each storm, and how."""


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", STORMS)
def test_random_requests_get_documented_answers(rest: str, tmp_path: Path, name: str) -> None:
    """Whatever is sent, the service has no fault, and every answer is one that the contract foresees."""
    # The schema of a problem demands a reason code. Only with the referee's key and the id of a match in every path do
    # requests about matches reach the rules.
    table = Table(rest)
    phases, which = STORMS[name]
    settings = f'[parameters]\nmatch_id = "{table.match_id}"\n' if name == "a match" else ""
    (tmp_path / "settings.toml").write_text(settings)
    excluded = ALL_BUT
    if name == "a match":
        which = [*which, f"--header=Authorization: Bearer {table.opened['refereeKey']}"]
        # they take the key away: what the public may see is still answered, and two names of a request are found first
        excluded += ",ignored_auth,missing_required_header"
    command = [Path(sys.executable).parent / "schemathesis", "--config-file=settings.toml", "run"]
    options = [f"{rest}/openapi.json", f"--phases={phases}", "--max-examples=5", "--seed=1", "--checks=all"]
    line = [*map(str, command), *options, f"--exclude-checks={excluded}", *which]
    ran = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=570)
    assert 0 == ran.returncode, ran.stdout[-6000:]


# ---------------------------------------------------------------------- asyncapi


@pytest.fixture
def document(rest: str) -> Document:
    found: Document = Rest(rest).get("/asyncapi.json").json()
    return found


def test_document_has_the_structure_of_asyncapi_3(document: Document, openapi: Document) -> None:
    """Its root has the fields of AsyncAPI 3, every reference leads somewhere, and operations send what there is."""
    assert "](/asyncapi.json)" in openapi["info"]["description"]
    assert "3.0.0" == document["asyncapi"]
    assert {"title", "version"} <= document["info"].keys()
    assert {"info", "channels", "operations", "components", "asyncapi", "defaultContentType"} == document.keys()
    found = set(re.findall(r'"\$ref": "(.*?)"', json.dumps(document)))
    assert all(reduce(getitem, reference.removeprefix("#/").split("/"), document) for reference in found)
    for part in ("schemas", "messages"):
        named = document["components"][part].keys() - {"EventByKind"}  # for who makes types of events
        assert {f"#/components/{part}/{name}" for name in named} <= found
    sent = set()
    for operation in document["operations"].values():
        assert "send" == operation["action"]
        for message in operation["messages"]:
            assert message["$ref"].startswith(f"{operation['channel']['$ref']}/messages/")
            sent.add(message["$ref"].rpartition("/")[2])
    assert document["components"]["messages"].keys() == sent
    for message in document["components"]["messages"].values():
        assert message["summary"]
        for schema in (message["headers"], message["payload"]):
            OAS31Validator.check_schema(schema)


def test_the_channel_is_the_route_of_the_stream(document: Document, rest: str) -> None:
    """The address, the parameters and the query are those that the service has."""
    (route,) = (route for route in routes() if route.rpc.method.name == "WatchMatch")
    channel, operation = document["channels"]["matchEvents"], document["operations"]["matchEvents"]
    assert (route.path, set(route.variables)) == (channel["address"], channel["parameters"].keys())
    binding = operation["bindings"]["http"]
    assert route.method == binding["method"]
    assert {"cursor", "seat"} == binding["query"]["properties"].keys()
    described = dict.fromkeys(binding["query"]["properties"], "1")
    failed(Rest(rest).get("/v1/matches/nobody:watch", params=described), 404, "no_such_match", "match_id")
    failed(Rest(rest).get("/v1/matches/nobody:watch", params={"other": "1"}), 400, "bad_request", "other")


def fitting(document: Document, event: Event) -> set[str]:
    head = {"event": event.name, **({"id": event.id} if event.id else {})}
    names = [reference["$ref"].rpartition("/")[2] for reference in document["operations"]["matchEvents"]["messages"]]
    messages = {name: document["components"]["messages"][name] for name in names}
    return {
        name
        for name, message in messages.items()
        if all(
            OAS31Validator({**schema, "components": document["components"]}).is_valid(part)
            for schema, part in ((message["headers"], head), (message["payload"], event.data))
        )
    }


def test_events_of_a_stream_are_as_described(document: Document, valkey: Any) -> None:
    """Each event of a whole match, to the public and to a seat, and a cut, fit the message of their name alone."""
    wired = wire_service(valkey.url, "cut")
    with opened(wired) as url:
        table = one_deal(url)
        while table.referee.get(f"{table.path}/legalMoves").json()["moves"]:
            assert 200 == table.play().status_code
        received = []
        for reader in (table.public, table.seats[0]):
            with reader.stream(f"{table.path}:watch") as response:
                received += [event for event in events(response) if event.name]
        cut = Table(url)
        with cut.public.stream(f"{cut.path}:watch") as response:
            incoming = events(response)
            next(incoming)
            wired.hub.close()
            received.append(list(incoming)[-1]._replace(id=""))
    wired.store.close()
    assert {"move", "end", "error"} == {event.name for event in received}
    for event in received:
        assert {event.name} == fitting(document, event), event
