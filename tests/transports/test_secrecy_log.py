"""What a service writes down, and what it says when it has a fault: neither holds a card, a key or a move."""

import json
import re
import time
from collections.abc import Iterator
from contextlib import closing
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

from chitarrella import v1
from chitarrella.api.api_keys import digest_of, make_token_key
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import Position, play
from chitarrella.core.model import CHANCE
from chitarrella.storage.embedded_valkey import binary
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import Appended, NewEntries
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from chitarrella.transports.rest.views import routes
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
PLAYER = "Filomena"
WORD = re.compile("[a-z_]+")
TRANSPORTS = {"grpc", "rest", "connect", "grpc-web"}
PATHS = {rpc.path for rpc in RPCS.values()} | {"none"}
ROUTES = {route.path for route in routes()} | {""}
FIELDS = {"transport", "rpc", "code", "duration_ms", "request_id", "level", "event", "timestamp", "status"}
INSTANT = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


class Running(NamedTuple):
    """A service as a process of its own that logs all it can, its store, and somebody who calls it."""

    service: Service
    server: Server
    line: Line


API_KEY, (TOKEN_KEY, TOKEN_LINE) = "the-key-of-arcade", make_token_key("arcade")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    server = Server(binary(), tmp_path / "store", *KEEPING)
    (tmp_path / "api").write_text(f"arcade all {digest_of(API_KEY)}\n")
    (tmp_path / "tokens").write_text(f"{TOKEN_LINE}\n")
    flags = ["--redis-url", server.url, "--heartbeat", "0.2", "--log-level", "debug"]
    flags += ["--api-keys-file", str(tmp_path / "api"), "--token-keys-file", str(tmp_path / "tokens")]
    service = Service(tmp_path / "service", *flags, forked=True)
    line = Line(service.grpc, service.rest, API_KEY)
    yield Running(service, server, line)
    line.close()
    service.clear_away()
    server.kill()


class Played(NamedTuple):
    walk: Walk
    opened: v1.CreatedMatch
    position: Position

    @property
    def roles(self) -> list[Role]:
        keys = keys_of(self.opened)
        return [Role(None), Role(0, keys[0])]

    def moment(self) -> Moment:
        """The present state, for the probes."""
        return Moment(self.opened.match.match_id, self.walk.game, self.position, 1, ["1.0"])


def begun(line: Line, rule_set: RuleSet, most: int, rng: Random) -> Played:
    """Play so many moves at a new match, each with the key of its seat, over any transport."""
    played = walk(rule_set, "log")
    named = create(played)
    named.player_names.add(seat=0, name=PLAYER)
    answer = line.ask("grpc", Asked("CreateMatch", named))
    opened = v1.CreatedMatch.FromString(answer.body)
    keys = {**keys_of(opened), CHANCE: opened.referee_key}
    p = played.game.start()
    for actor, move in played.moves[:most]:
        request = move_request(opened.match.match_id, actor, move, include_view=True)
        line.ask(rng.choice(UNARY), Asked("PlayMove", request, keys[actor]))
        p, _ = play(played.game, p, actor, move)
    asked = Asked("GetMatch", v1.GetMatchRequest(match_id=opened.match.match_id), opened.referee_key)
    snapshot = line.ask("grpc", asked)
    turn = v1.Match.FromString(snapshot.body).view.turn
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
    tokens = tokens_of(match.opened.match.match_id)
    for token, transport in product(tokens, UNARY):
        ask = v1.GetMatchRequest(match_id=match.opened.match.match_id)
        answer = written(running.line.ask(transport, Asked("GetMatch", ask, token)))
        assert not [part for part in token.split(".") if part in answer and len(part) > 8]
    measured = fetched(f"{running.service.rest}/metrics")
    running.service.stop()
    lines = running.service.log().splitlines()
    assert len(lines) > 50 * len(TABLES)
    assert [] == [line for line in lines if not is_harmless(orjson.loads(line))]
    assert not [secret for secret in (PLAYER, API_KEY, *tokens) if secret in measured + running.service.log()]
    assert {"ok", "token_expired", "bad_audience", "bad_token"} <= {orjson.loads(line)["code"] for line in lines}
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


def tokens_of(match: str) -> list[str]:
    """A token, and some that are refused, each for another reason."""
    jwk, now = json.loads(TOKEN_KEY), time.time()
    claims: dict[str, Any] = {"iss": "arcade", "aud": "chitarrella", "exp": now + 60, "match_id": match, "seat": 0}
    wrong: list[dict[str, Any]] = [{}, {"exp": now - 1}, {"aud": "elsewhere"}, {"seat": 17}, {"iss": "somebody-else"}]
    signed = [jwt.encode({**claims, **one}, jwt.PyJWK(jwk).key, "EdDSA", {"kid": jwk["kid"]}) for one in wrong]
    return [*signed, f"{signed[0][:-20]}{'A' * 20}", f"{signed[0]}{'A' * 2048}"]


def stray(service: Service, match: Played, rng: Random) -> None:
    """Send cards and keys where nobody views for them: into a path, a query, a header, a body that is none."""
    card, key = rng.choice(match.walk.game.pack.cards), match.opened.referee_key
    http = HTTPConnection(urlsplit(service.rest).netloc, timeout=10)
    path = f"/v1/matches/{match.opened.match.match_id}"
    shown = {"Authorization": f"Bearer {key}", "X-Request-Id": REQUEST_ID, "X-API-Key": API_KEY}
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
    sparse = line.get("path", "") in ROUTES and line.get("platform", "") in {"", "arcade"}
    status = re.fullmatch("[A-Z_]+|[1-5][0-9][0-9]", line["status"]) is not None
    return known and fixed and of_time and sparse and status and FIELDS == set(line) - {"path", "platform"}


# ---------------------------------------------------------------------- faults


def a_card(match: Played) -> re.Pattern[str]:
    """Make the pattern of a card of the pack, as a word; of one letter alone, none."""
    cards = sorted({card for card in match.walk.game.pack.cards if len(card) > 1}, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(cards)})(?![\w-])")


def spoilt(match: Played, server: Server) -> Iterator[str]:
    """Spoil the match in the store in one way after the other, and give its name; each time it is put right again."""
    page = f"chitarrella:{{{match.opened.match.match_id}}}"
    moves = f"{page}:log"
    line, lines = server.ask("HGET", page, "position"), server.ask("LRANGE", moves, 0, -1)
    cards = a_card(match).findall(line)
    tag = server.ask("HGET", page, "digest")
    header = server.ask("HGET", page, "metadata")
    spoilt_cards = (line.replace(cards[0], cards[-1], 1), line.replace(cards[0], "Zz"))
    # A worker remembers a page by its tag and position, so whatever is spoilt is another page.
    for field, right, wrong in (
        ("position", line, (line.replace("phase=", "stage="), *spoilt_cards, line[:-3] + "?")),
        ("metadata", header, (header[:-9],)),
        ("control", "", (cards[0],)),
    ):
        for bad in wrong:
            server.ask("HSET", page, field, bad)
            yield field
        server.ask("HSET", page, field, right)
    last = next(place for place, one in reversed(list(enumerate(lines))) if not one.startswith("table"))
    for bad in (f"{lines[last].split()[0]} play_card Zz", lines[0], f"0 {lines[0]}", f"{lines[last]} {cards[0]}"):
        server.ask("LSET", moves, last, bad)
        yield "moves"
    server.ask("LSET", moves, last, lines[last])
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
    away = running.line.ask(rng.choice(UNARY), next(views(match.roles[1], match.opened.match.match_id)))
    assert is_fault(away)
    assert not pattern.search(written(away))
    running.service.stop()
    log = INSTANT.sub("", running.service.log())
    assert "unexpected" in log
    assert "does not answer" in log
    assert [] == pattern.findall(log)
    assert not any(key and key in log for key in (*keys_of(match.opened).values(), match.opened.referee_key))


def test_unreadable_move_ends_watches_without_its_card(running: Running) -> None:
    """Where a move in the store breaks the rules, those who watch are told of a fault, and not which card it was."""
    match = begun(running.line, RuleSet("briscola"), 12, Random("watch"))
    name, cards = match.opened.match.match_id, a_card(match)
    asked = [Asked("WatchMatch", v1.WatchMatchRequest(match_id=name), role.key) for role in match.roles]
    ends = [running.line.watch(transport, one) for one in asked for transport in STREAMS]
    held = next(zone.cards[0] for zone in match.walk.game.zones(match.position) if zone.name == "stock")
    with closing(RedisStore(connect(running.server.url))) as store:
        page, _ = store.matches.load(name)
        entry = f"{match.walk.game.turn(match.position)} play_card {held}"
        entries = NewEntries((entry,), page.position, page.revision + 1)
        assert isinstance(store.matches.append(name, page, entries, "", 600), Appended)
    for end in ends:
        answer = end()
        assert is_fault(answer)
        assert held not in cards.findall(written(answer))
    running.service.stop()
    assert "a match cannot be replayed: IllegalMove" in running.service.log()
    assert [] == cards.findall(INSTANT.sub("", running.service.log()))


def asked_of(match: Played, rng: Random) -> list[Asked]:
    """Questions that make the service read what it keeps, of the public, a seat and the referee."""
    name, referee = match.opened.match.match_id, match.opened.referee_key
    asked = [Asked("GetRecord", v1.GetRecordRequest(match_id=name), referee)]
    for role in (*match.roles, Role(0, referee, 0)):
        move = v1.Move(verb="play_card", cards=[rng.choice(match.walk.game.pack.cards)])
        validate = v1.ValidateMatchMoveRequest(match_id=name, seat=role.seat, move=move)
        asked += views(role, name)
        asked += [
            Asked("ListEvents", v1.ListEventsRequest(match_id=name, seat=role.seat), role.key),
            Asked("ListShuffles", v1.ListShufflesRequest(match_id=name), role.key),
            Asked("ValidateMatchMove", validate, role.key),
            Asked("PlayMove", v1.PlayMoveRequest(match_id=name, move=move, expected_revision=0), role.key),
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
    text = written(answer)
    return any(sentence in text for sentence in FAULTS)
