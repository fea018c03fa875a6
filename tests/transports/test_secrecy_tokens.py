"""No log line, metric or error of a service holds a token, a part of one, or a key that RotateKey gave."""

from __future__ import annotations

import json
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import jwt
import orjson

from chitarrella.api.api_keys import digest_of
from chitarrella.api.tokens import make_token_key
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2
from chitarrella_client import Chitarrella
from tests.server.process import Service, fetched
from tests.transports.raw_transports import REQUEST_ID, STREAMS, UNARY, Asked, Line
from tests.transports.test_secrecy_log import is_harmless, written

API_KEY = "the-key-of-arcade"
ROTATION = "a-random-id-of-rotation"


def parts(token: str) -> set[str]:
    """A token, what it is made of, and what its claims say beside the match."""
    return {token, *(part for part in token.split(".") if len(part) > 8)}


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
    for token in tokens:
        for transport in UNARY:
            for asked in (
                Asked("GetMatch", pb.GetMatchRequest(match_id=match), token, api_key=API_KEY),
                Asked(
                    "PlayMove",
                    pb.PlayMoveRequest(match_id=match, move=table_pb2.Move(verb="x")),
                    token,
                    api_key=API_KEY,
                ),
            ):
                answered.append(written(line.ask(transport, asked)))
    watch = Asked("WatchMatch", pb.WatchMatchRequest(match_id=match), sign(exp=time.time() + 1), api_key=API_KEY)
    ends = [line.watch(transport, watch) for transport in STREAMS]
    answered += [written(end()) for end in ends]
    rotate = pb.RotateKeyRequest(match_id=match, request_id=ROTATION)
    new = pb.RotateKeyResponse.FromString(line.ask("grpc", Asked("RotateKey", rotate, valid, api_key=API_KEY)).body).key
    assert 40 == len(new)
    for key in (new, f"{new[:-1]}x"):
        answered.append(
            written(line.ask("grpc", Asked("GetMatch", pb.GetMatchRequest(match_id=match), key, api_key=API_KEY)))
        )
    line.close()
    answered += stray(service, match, tokens)
    return answered, {*(part for token in tokens for part in parts(token)), new, ROTATION, jwk["d"], API_KEY}


def stray(service: Service, match: str, tokens: list[str]) -> list[str]:
    """Send tokens where nobody looks for them; gives the answers, without what the caller itself wrote in the path."""
    http = HTTPConnection(urlsplit(service.rest).netloc, timeout=10)
    answered = []
    for token in tokens[:4]:
        for scheme in ("Digest ", "Bearer\t", "Bearer x ", ""):
            headers = {"Authorization": f"{scheme}{token}", "x-api-key": API_KEY, "X-Request-Id": REQUEST_ID}
            http.request("GET", f"/v1/matches/{match}", headers=headers)
            answered.append(http.getresponse().read().decode())
        http.request("GET", f"/v1/matches/{match}/moves?access_token={token}", headers={"X-Request-Id": REQUEST_ID})
        http.getresponse().read()
    http.close()
    return answered
