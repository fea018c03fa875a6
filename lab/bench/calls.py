"""Calls under load, at the service and at the floors."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from time import perf_counter

from chitarrella import v1
from lab.bench.floors import SERVICE as FLOOR
from lab.bench.load import ACCEPTED, VALID, Call, LoadFailed, Way, drive, encode
from lab.bench.plans import MATCHES, RULES, Moves, open_at_service, plans, validations
from lab.bench.servers import BARE, EDGE, EVERY_SECOND, FLOORS, SERVICE, SEVERAL, Running, Servers, missing
from lab.bench.turns import Contender, Figures

IN_FLIGHT = 16
"""Enough to keep one worker busy."""
MARGIN = 3.0
"""Moves are prepared for this many times the rate before: the machine may become free. What is left is used later."""
FIRST_GUESS = 6_000
"""Calls a second, before the first measurement."""
WITH_EDGE = ", with the edge"
"""The end of the names of contenders at the service with its edge."""
BATCH, CACHED, LANES = 100, 1000, (1, 4, 16, 64)
BEARABLE = 0.7
"""The share of its highest rate at which a server still answers at once."""
ECHO, SCRIPT, PIPELINED = "grpc.aio, echo", "grpc.aio, echo + script", "grpc.aio, echo + script, pipelined"
BARE_GRPC, UVICORN, FLASK = "grpc.aio, bytes alone", "uvicorn, bytes alone", "Flask + script, waitress"


Source = Callable[[int, int], Sequence[Iterator[Call]]]
"""Prepares for a number of calls in a number of lanes, and returns the calls of each lane."""


def repeated(calls: Sequence[Call]) -> Source:
    """Calls that can be repeated, in turn for all lanes."""
    turn = cycle(calls)
    return lambda _, lanes: [turn] * lanes


def load(
    server: Running, way: Way, source: Source, *, lanes: int = IN_FLIGHT, items: int = 1, port: int = 0
) -> Callable[..., Figures]:
    """Return what makes calls for some seconds, as fast as the server answers or at a rate.

    So many calls are in flight; ``items`` questions are in each. The figures are items a second, microseconds of
    latency, and of CPU an item at the server and its store.
    """
    highest = 0.0

    def measure(seconds: float, rate: float = 0) -> Figures:
        nonlocal highest
        calls = source(int((rate or MARGIN * highest or FIRST_GUESS) * seconds), lanes)
        used, stored = server.cpu(), server.cpu(of_store=True)
        seen = drive(way, port or server.port(way), calls, seconds, rate=rate)
        cpu, store = server.cpu() - used, server.cpu(of_store=True) - stored
        highest, each = max(highest, seen.rate), 1e6 / len(seen.waits) / items
        figures = {"rate": seen.rate * items, "p50": seen.wait(0.5) * 1e6, "p99": seen.wait(0.99) * 1e6}
        return {**figures, "cpu": cpu * each, "store": store * each, "whole": (cpu + store) * each}

    return measure


def floors(servers: Servers) -> list[Contender]:
    """The floors, with the request and the answer of a move."""
    server = servers[FLOORS]
    key, move = next(open_at_service(servers[SERVICE], islice(plans("one"), 1))[0].requests())
    found = []
    floors = (ECHO, Way.GRPC, f"/{FLOOR}/Plain", "gRPC"), (BARE_GRPC, Way.GRPC, f"/{FLOOR}/Bytes", "gRPC")
    for name, way, path, port in (*floors, (UVICORN, Way.CONNECT, "/", "uvicorn")):
        source = repeated([encode(way, path, move, key, ACCEPTED[way])])
        found.append(Contender(name, load(server, way, source, port=server.ports[port])))
    flask = load(server, Way.REST, Moves(server, Way.REST, FLASK, "/script"), port=server.ports["flask"])
    return [*found, *scripts(servers), Contender(FLASK, flask)]


def scripts(servers: Servers) -> list[Contender]:
    """The floors of gRPC that keep a move."""
    server, paths = servers[FLOORS], {SCRIPT: f"/{FLOOR}/Script", PIPELINED: f"/{FLOOR}/Pipelined"}
    moves = {name: Moves(server, Way.GRPC, name, path) for name, path in paths.items()}
    return [Contender(name, load(server, Way.GRPC, source)) for name, source in moves.items()]


def columns(servers: Servers) -> list[tuple[Running, str]]:
    """The servers of ours, each with the end of the names of its contenders."""
    names = [(SERVICE, "")] + ([] if missing(EDGE) else [(EDGE, WITH_EDGE)])
    return [(servers[name], suffix) for name, suffix in names]


def play(server: Running, suffix: str, ways: Sequence[Way] = tuple(Way), lanes: int = IN_FLIGHT) -> list[Contender]:
    names = {way: f"PlayMove, {way.value}{suffix}" for way in ways}
    return [Contender(name, load(server, way, Moves(server, way, name), lanes=lanes)) for way, name in names.items()]


def everything(servers: Servers) -> list[Contender]:
    """One worker at its defaults, sixteen calls in flight. The floors are bare servers that answer the request of a
    move with an answer of the same length: at once, or after the script that keeps a move (in a thread over redis-py;
    pipelined: from the event loop, all that wait in one write). CPU is that of the processes of the server without the
    store. Connect is HTTP/1.1 with Protocol Buffers, REST with JSON. A batch has a hundred items.
    """
    asked = validations(deals=50)
    found = floors(servers)
    for server, suffix in columns(servers):
        opened = open_at_service(server, islice(plans("listed"), 20))
        mine = [(one.match, one.keys[one.plan.moves[0][0]]) for one in opened]
        calls = {}
        for way in Way:
            path = "/v1/rules:validateMove" if way is Way.REST else f"{RULES}ValidateMove"
            calls["ValidateMove", way] = [encode(way, path, one, "", VALID[way]) for one in asked]
        calls["CreateMatch", Way.GRPC] = [plan.create() for plan in islice(plans("created"), 40)]
        for name, message in (("GetMatch", v1.GetMatchRequest), ("ListMatchMoves", v1.ListMatchMovesRequest)):
            calls[name, Way.GRPC] = [
                encode(Way.GRPC, f"{MATCHES}{name}", message(match_id=match), key) for match, key in mine
            ]
        found += play(server, suffix)
        for (name, way), some in calls.items():
            found.append(Contender(f"{name}, {way.value}{suffix}", load(server, way, repeated(some))))
        batches = load(server, Way.GRPC, repeated(_batches(server, asked)), items=BATCH)
        found.append(Contender(f"Batch, an item{suffix}", batches))
    return found


def _batches(server: Running, asked: Sequence[v1.ValidateMoveRequest]) -> list[Call]:
    """Batches of the questions; each of them is answered correctly."""
    questions = [v1.Question(validate_move=one) for one in asked]
    batches = [v1.BatchRequest(questions=questions[at : at + BATCH]) for at in range(0, len(asked), BATCH)]
    calls = [encode(Way.GRPC, f"{RULES}Batch", batch) for batch in batches]
    for answer in drive(Way.GRPC, server.port(Way.GRPC), [iter(calls)], keep=True).answers:
        answers = v1.BatchResponse.FromString(answer).answers
        if any(one.validate_move.verdict != v1.VERDICT_ACCEPTED for one in answers):
            raise LoadFailed("a batch was not answered as it should be")
    return calls


def lanes(servers: Servers) -> list[Contender]:
    """PlayMove, each lane making its next call when the one before is answered; and what it costs if the store writes
    its file through every second, not before the answer.
    """
    found = [(server, suffix, number) for server, suffix in columns(servers) for number in LANES]
    found.append((servers[EVERY_SECOND], ", written every second", IN_FLIGHT))
    return [
        one._replace(name=f"{one.name}, {number} in flight")
        for server, suffix, number in found
        for one in play(server, suffix, (Way.GRPC, Way.CONNECT), number)
    ]


def half_load(servers: Servers) -> list[Contender]:
    """Calls that are due at even distances, at half of the highest rate of PlayMove, or at seven tenths of that of a
    floor if it bears less. A wait counts from when the call was due.
    """
    ours = [one for server, suffix in columns(servers) for one in play(server, suffix, (Way.GRPC,))]
    found = [*ours, *scripts(servers)]
    shares = [0.5 if one in ours else BEARABLE for one in found]
    rate = min(share * one.measure(0.5)["rate"] for one, share in zip(found, shares, strict=True))
    return [one._replace(measure=partial(one.measure, rate=rate)) for one in found]


def _start(servers: Servers, name: str, call: Call, _: float) -> Figures:
    begun = perf_counter()
    server = servers.start(name)
    drive(Way.GRPC, server.port(Way.GRPC), [iter([call])])
    memory, figures = server.memory(), {"seconds": perf_counter() - begun, "memory": server.memory() / 2**20}
    if name == SERVICE:
        open_at_service(server, islice(plans("cached"), CACHED))
        figures["match"] = (server.memory() - memory) / CACHED / 1024
    server.stop()
    return figures


def starts(servers: Servers) -> list[Contender]:
    """From the command to the first answer, with a new store of its own; memory of the process then, and of each match
    that a worker caches. The bare server is grpc.aio with a handler that answers any call.
    """
    paths = {SERVICE: f"{RULES}ValidateMove", EDGE: f"{RULES}ValidateMove", SEVERAL: f"{RULES}ValidateMove"}
    paths[BARE] = f"/{FLOOR}/Bytes"
    calls = {name: encode(Way.GRPC, path, validations(deals=1)[0]) for name, path in paths.items() if not missing(name)}
    return [Contender(name, partial(_start, servers, name, call)) for name, call in calls.items()]
