"""What a service writes down, and what it says when it has a fault: neither holds a card, a key or a move."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import jwt
import orjson
import pytest
from prometheus_client.parser import text_string_to_metric_families

from chitarrella.api.api_keys import digest_of, make_token_key
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import Position, play
from chitarrella.core.model import CHANCE
from chitarrella.storage.embedded_valkey import binary
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2
from chitarrella_client import Chitarrella
from tests.server.process import Service, fetched
from tests.servers import KEEPING, Server
from tests.transports.all_transports import RPCS
from tests.transports.paired_matches import create, keys_of, move_request
from tests.transports.probes import Moment, Role, questions, views, watches
from tests.transports.raw_transports import REQUEST_ID, STREAMS, UNARY, Answer, Asked, Line, written
from tests.walks import CATALOGUE, Walk, name, walk

TABLES = [*(RuleSet(game.key) for game in list(CATALOGUE)[::4]), RuleSet("briscola", 4)]
"""Games of every pack, and partners who may signal: what is written of a call is not up to the game."""
CODES = {known.code for known in PROBLEM_TYPES} | {"ok", "refused", "cancelled"}
GAMES = {game.key for game in CATALOGUE}
REASONS = {reason.code for game in CATALOGUE for reason in CATALOGUE.game_for(RuleSet(game.key)).reasons}
WORD = re.compile("[a-z_]+")
TRANSPORTS = {"grpc", "rest", "connect", "grpc-web"}
PATHS = {rpc.path for rpc in RPCS.values()} | {"none"}
FIELDS = {"transport", "rpc", "code", "duration_ms", "request_id", "level", "event", "timestamp"}
INSTANT = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


class Running(NamedTuple):
    """A service as a process of its own that logs all it can, its store, and somebody who calls it."""

    service: Service
    server: Server
    line: Line


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    """Start it."""
    server = Server(binary(), tmp_path / "store", *KEEPING)
    service = Service(
        tmp_path / "service", "--log-level", "debug", "--redis-url", server.url, "--heartbeat", "0.2", forked=True
    )
    line = Line(service.grpc, service.rest)
    yield Running(service, server, line)
    line.close()
    service.clear_away()
    server.kill()


class Played(NamedTuple):
    """A match in the middle of a deal, and where it stands."""

    walk: Walk
    opened: pb.CreateMatchResponse
    position: Position

    @property
    def roles(self) -> list[Role]:
        """The public and the first seat."""
        keys = keys_of(self.opened)
        return [Role(None), Role(0, keys[0])]

    def moment(self) -> Moment:
        """The present state, for the probes."""
        return Moment(self.opened.match_id, self.walk.game, self.position, 1, ["1.0"])


def begun(line: Line, rule_set: RuleSet, most: int, rng: Random) -> Played:
    """Play so many moves at a new match, each with the key of its seat, over any transport."""
    played = walk(rule_set, "log")
    answer = line.ask("grpc", Asked("CreateMatch", create(played)))
    opened = pb.CreateMatchResponse.FromString(answer.body)
    keys = {**keys_of(opened), CHANCE: opened.referee_key}
    p = played.game.start()
    for actor, move in played.moves[:most]:
        request = move_request(opened.match_id, actor, move, include_view=True)
        line.ask(rng.choice(UNARY), Asked("PlayMove", request, keys[actor]))
        p, _ = play(played.game, p, actor, move)
    snapshot = line.ask("grpc", Asked("GetMatch", pb.GetMatchRequest(match_id=opened.match_id), opened.referee_key))
    turn = pb.GetMatchResponse.FromString(snapshot.body).view.turn
    assert (0 if played.game.turn(p) == CHANCE else played.game.turn(p)) == turn, "the moves were not all made"
    return Played(played, opened, p)


# ---------------------------------------------------------------------- the log and the metrics


def test_log_and_metrics_hold_no_card(running: Running) -> None:
    """A line of the log or the metrics holds only transport, rpc, outcome, time and id, whatever is played."""
    rng = Random("log")
    for rule_set in TABLES:
        match = begun(running.line, rule_set, 30, rng)
        for role in match.roles:
            for asked in questions(role, match.moment(), rng, 1):
                running.line.ask("rest" if asked.headers else rng.choice(UNARY), asked)
        stray(running.service, match, rng)
    measured = fetched(f"{running.service.rest}/metrics")
    running.service.stop()
    lines = running.service.log().splitlines()
    assert len(lines) > 50 * len(TABLES)
    assert [] == [line for line in lines if not is_harmless(orjson.loads(line))]
    samples = [sample for family in text_string_to_metric_families(measured) for sample in family.samples]
    assert len(samples) > 100
    for sample in samples:
        labels = dict(sample.labels)
        float(labels.pop("le", "0"))
        assert sample.name.startswith("chitarrella_")
        assert labels.pop("transport", "rest") in TRANSPORTS
        assert labels.pop("rpc", "none") in PATHS
        is_refusal = sample.name.startswith("chitarrella_move_refusals")
        assert labels.pop("code", "ok") in (REASONS if is_refusal else CODES)
        assert labels.pop("game", "briscola") in GAMES
        assert WORD.fullmatch(labels.pop("command", "load"))
        assert {} == labels


def stray(service: Service, match: Played, rng: Random) -> None:
    """Send cards and keys where nobody views for them: into a path, a query, a header, a body that is none."""
    card, key = rng.choice(match.walk.game.pack.cards), match.opened.referee_key
    http = HTTPConnection(urlsplit(service.rest).netloc, timeout=10)
    path = f"/v1/matches/{match.opened.match_id}"
    shown = {"Authorization": f"Bearer {key}", "X-Request-Id": REQUEST_ID}
    for method, where, body, headers in (
        ("GET", f"/v1/{card}/{key}", None, {}),
        ("GET", f"{path}?{card}={key}", None, {}),
        ("GET", path, None, {"Authorization": f"Digest {key} {card}"}),
        ("PUT", f"{path}/moves?{card}", None, {}),
        ("POST", f"{path}/moves", f"{{{card} {key}", {"Content-Type": "application/json"}),
        ("POST", f"{path}/moves", f'{{"{card}": "{key}"}}', {"Content-Type": "application/json"}),
        ("POST", f"{path}/moves", f'{{"{card}": "{key}"}}', {"Content-Type": f"text/{card}"}),
        ("POST", f"{path}/moves", '{"move": {"verb": "x"}}', {"Content-Type": "application/json", "If-Match": card}),
    ):
        http.request(method, where, body, {**shown, **headers})
        assert http.getresponse().read()
    http.close()


def is_harmless(line: dict[str, Any]) -> bool:
    """Whether every field of a log line is of a kind that cannot hold a card."""
    known = line["transport"] in TRANSPORTS and line["rpc"] in PATHS and line["code"] in CODES
    fixed = (line["level"], line["event"], line["request_id"]) == ("info", "request", REQUEST_ID)
    of_time = isinstance(line["duration_ms"], float) and INSTANT.fullmatch(line["timestamp"]) is not None
    return known and fixed and of_time and FIELDS == set(line)


# ---------------------------------------------------------------------- faults


def a_card(match: Played) -> re.Pattern[str]:
    """Make the pattern of a card of the pack, as a word; of one letter alone, none."""
    cards = sorted({card for card in match.walk.game.pack.cards if len(card) > 1}, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(cards)})(?![\w-])")


def spoilt(match: Played, server: Server) -> Iterator[str]:
    """Spoil the match in the store in one way after the other, and give its name; each time it is put right again."""
    page = f"chitarrella:{{{match.opened.match_id}}}"
    moves = f"{page}:log"
    line, lines = server.ask("HGET", page, "position"), server.ask("LRANGE", moves, 0, -1)
    cards = a_card(match).findall(line)
    tag = server.ask("HGET", page, "digest")
    # A worker remembers a page by its tag and position, so whatever is spoilt is another page.
    for bad in (
        line.replace("phase=", "stage="),
        line.replace(cards[0], cards[-1], 1),
        line.replace(cards[0], "Zz"),
        line[:-3] + "?",
    ):
        server.ask("HSET", page, "position", bad)
        yield "position"
    server.ask("HSET", page, "position", line)
    last = next(place for place, one in reversed(list(enumerate(lines))) if not one.startswith("table"))
    for bad in (f"{lines[last].split()[0]} play_card Zz", lines[0], f"0 {lines[0]}", f"{lines[last]} {cards[0]}"):
        server.ask("LSET", moves, last, bad)
        yield "moves"
    server.ask("LSET", moves, last, lines[last])
    header = server.ask("HGET", page, "metadata")
    server.ask("HSET", page, "metadata", header[:-9])
    yield "header"
    server.ask("HSET", page, "metadata", header, "control", cards[0])
    yield "control"
    server.ask("HSET", page, "control", "")
    server.ask("RENAME", moves, f"{page}:elsewhere")
    server.ask("SET", moves, " ".join(cards))
    yield "kind"
    assert tag == server.ask("HGET", page, "digest")


@pytest.mark.parametrize("rule_set", [RuleSet("briscola"), RuleSet("coech")], ids=name)
def test_errors_hold_no_card(running: Running, rule_set: RuleSet) -> None:
    """Where what is kept of a match is spoilt, or the store is away, no answer and no line of the log names a card."""
    rng = Random("fault")
    match = begun(running.line, rule_set, 12, rng)
    pattern, asked_in_turn = a_card(match), asked_of(match, rng)
    for what in spoilt(match, running.server):
        answers = [answered(running.line, asked, rng) for asked in asked_in_turn]
        faults = [answer for answer in answers if is_fault(answer)]
        assert faults, what
        assert [] == [answer for answer in faults if pattern.search(written(answer))], what
    running.server.kill()
    away = running.line.ask(rng.choice(UNARY), next(views(match.roles[1], match.opened.match_id)))
    assert is_fault(away)
    assert not pattern.search(written(away))
    running.service.stop()
    log = INSTANT.sub("", running.service.log())
    assert "unexpected" in log
    assert "does not answer" in log
    assert [] == pattern.findall(log)
    assert not any(key and key in log for key in (*keys_of(match.opened).values(), match.opened.referee_key))


def asked_of(match: Played, rng: Random) -> list[Asked]:
    """Questions that make the service read what it keeps, of the public, a seat and the referee."""
    name, referee = match.opened.match_id, match.opened.referee_key
    asked = [Asked("GetRecord", pb.GetRecordRequest(match_id=name), referee)]
    for role in (*match.roles, Role(0, referee, 0)):
        move = table_pb2.Move(verb="play_card", cards=[rng.choice(match.walk.game.pack.cards)])
        validate = pb.MatchServiceValidateMoveRequest(match_id=name, seat=role.seat, move=move)
        asked += views(role, name)
        asked += [
            Asked("ListEvents", pb.ListEventsRequest(match_id=name, seat=role.seat), role.key),
            Asked("ListShuffles", pb.ListShufflesRequest(match_id=name), role.key),
            Asked("MatchServiceValidateMove", validate, role.key),
            Asked("PlayMove", pb.PlayMoveRequest(match_id=name, move=move, expected_revision=0), role.key),
            next(watches(role, match.moment(), rng, 0)),
        ]
    return asked


def answered(line: Line, asked: Asked, rng: Random) -> Answer:
    """Ask over some transport, and wait for the end of a stream: it comes soon where there is a fault."""
    if asked.rpc == "WatchMatch":
        return line.watch(rng.choice(STREAMS), asked)()
    return line.ask(rng.choice(UNARY), asked)


FAULTS = ("The service has a fault", "The store does not answer", "was stored by a release with other rules")


def is_fault(answer: Answer) -> bool:
    """Whether the answer is a fault of the service or its store."""
    text = written(answer)
    return any(sentence in text for sentence in FAULTS)


# ---------------------------------------------------------------------- secrecy tokens


API_KEY = "the-key-of-arcade"
ROTATION = "a-random-id-of-rotation"


def test_log_and_errors_hold_no_token_and_no_new_key(tmp_path: Path) -> None:
    """Whatever is done with valid and invalid tokens, nothing that the service writes holds one, or a replaced key."""
    private_key, line = make_token_key("arcade")
    (tmp_path / "api").write_text(f"arcade all {digest_of(API_KEY)}\n")
    (tmp_path / "tokens").write_text(f"{line}\n")
    flags = ("--api-keys-file", str(tmp_path / "api"), "--token-keys-file", str(tmp_path / "tokens"))
    service = Service(
        tmp_path / "s", "--log-level", "debug", "--heartbeat", "0.2", "--token-audience", "here", *flags, forked=True
    )
    try:
        with Chitarrella(service.grpc, api_key=API_KEY) as client:
            match = client.create_match("briscola").id
        answered, secrets = ask_everything(service, match, private_key)
        metrics = fetched(f"{service.rest}/metrics")
        service.stop()
    finally:
        service.clear_away()
    log = service.log()
    lines = [orjson.loads(entry) for entry in log.splitlines()]
    calls = [entry for entry in lines if entry.get("event") == "request" and entry["rpc"].endswith("Match")]
    assert {"ok", "token_expired", "bad_audience", "bad_token"} <= {entry["code"] for entry in calls}
    strange = [entry for entry in lines if entry["request_id"] == REQUEST_ID and not is_harmless(entry)]
    assert [] == strange
    assert len(answered) > 50
    for place in (log, service.output(), metrics, *answered):
        assert [] == [secret for secret in secrets if secret in place]


def ask_everything(service: Service, match: str, private_key: str) -> tuple[list[str], set[str]]:
    """Call with tokens of every kind, over every transport; gives the answers, and what none of them may hold."""
    jwk = json.loads(private_key)

    def sign(**other: object) -> str:
        claims = {"iss": "arcade", "aud": "here", "exp": time.time() + 60, "match_id": match, "seat": 1, **other}
        return jwt.encode(claims, jwt.PyJWK(jwk).key, "EdDSA", {"kid": jwk["kid"]})

    valid = sign()
    tokens = [
        valid,
        sign(exp=time.time() - 1),
        sign(aud="elsewhere"),
        sign(seat=17),
        sign(iss="somebody-else"),
        f"{valid[:-20]}{'A' * 20}",
        f"{valid}{'A' * 2048}",
        "eyJhbGciOiJub25lIn0.eyJzZWF0IjowfQ.c2lnbmF0dXJl",
    ]
    line, answered = Line(service.grpc, service.rest), list[str]()

    def ask(transport: str, rpc: str, key: str, **fields: Any) -> Answer:
        asked = Asked(rpc, RPCS[rpc].request(match_id=match, **fields), key, api_key=API_KEY)
        answer = line.ask(transport, asked)
        answered.append(written(answer))
        return answer

    for token in tokens:
        for transport in UNARY:
            ask(transport, "GetMatch", token)
            ask(transport, "PlayMove", token, move={"verb": "x"})
    watch = Asked("WatchMatch", pb.WatchMatchRequest(match_id=match), sign(exp=time.time() + 1), api_key=API_KEY)
    ends = [line.watch(transport, watch) for transport in STREAMS]
    answered += [written(end()) for end in ends]
    made = ask("grpc", "RotateKey", valid, request_id=ROTATION)
    answered.pop()  # this one has the new key
    new = pb.RotateKeyResponse.FromString(made.body).key
    assert 40 == len(new)
    for key in (new, f"{new[:-1]}x"):
        ask("grpc", "GetMatch", key)
    line.close()
    parts = [part for token in tokens for part in token.split(".") if len(part) > 8]
    http = HTTPConnection(urlsplit(service.rest).netloc, timeout=10)
    for token, scheme in product(tokens[:4], ("Digest ", "Bearer\t", "Bearer x ", "")):
        shown = {"Authorization": f"{scheme}{token}", "x-api-key": API_KEY, "X-Request-Id": REQUEST_ID}
        http.request("GET", f"/v1/matches/{match}", headers=shown)
        answered.append(http.getresponse().read().decode())
        http.request("GET", f"/v1/matches/{match}/moves?access_token={token}", headers={"X-Request-Id": REQUEST_ID})
        http.getresponse().read()
    http.close()
    return answered, {*tokens, *parts, new, ROTATION, jwk["d"], API_KEY}
