"""The table of measurements: what is compared with what, how long, and which ratios are reported."""

from lab.bench import calls
from lab.bench.boardgame import killed, one_table, tables
from lab.bench.calls import FLASK, PIPELINED, SCRIPT, UVICORN, WITH_EDGE, everything, half_load, lanes, starts
from lab.bench.kept import growth, million, sizes
from lab.bench.play import BRIDGE, CHESS, EXCHANGE, HEARTS, TRICKS, engines
from lab.bench.servers import BARE, FLAT_FILE, FLOORS, MEMORY, SERVICE
from lab.bench.turns import Measurement, Ratio
from lab.bench.watching import beside_watchers, fan_out

CPU = {"cpu": "CPU, us", "store": "CPU of the store, us"}
WHOLE = {"cpu": "CPU, us", "whole": "CPU with the store, us"}
LATENCY = {"p50": "p50, us", "p99": "p99, us"}
KEPT = {"move": "a move, us", "script": "script, us"}
GRPC_PLAY, CONNECT_PLAY, REST_PLAY = "PlayMove, gRPC", "PlayMove, Connect", "PlayMove, REST"

TABLE = (
    Measurement(
        "rules", "Random play", engines, {"moves": "moves a second", "bare": "without dealing, a second"},
        [
            Ratio(TRICKS, "moves", BRIDGE, 4, at_least=True),
            Ratio(TRICKS, "moves", CHESS, at_least=True),
            Ratio(TRICKS, "moves", HEARTS, at_least=True),
            Ratio(EXCHANGE, "moves", BRIDGE, at_least=True),
        ],
        seconds=0.15, warm_up=0.03,
    ),
    Measurement(
        "calls", "Calls", everything, {**CPU, "rate": "a second", **LATENCY},
        [
            Ratio(GRPC_PLAY, "cpu", SCRIPT, 0.85),
            Ratio(GRPC_PLAY, "cpu", PIPELINED, 1.7),
            Ratio(CONNECT_PLAY, "cpu", SCRIPT, 0.5),
            Ratio(CONNECT_PLAY, "cpu", UVICORN),
            Ratio(REST_PLAY, "cpu", FLASK, 0.85),
            Ratio("ValidateMove, gRPC", "cpu", calls.ECHO, 1.3),
            Ratio("ValidateMove, gRPC", "cpu", calls.BARE_GRPC),
            Ratio("ValidateMove, Connect", "cpu", calls.ECHO, 0.8),
            Ratio("ValidateMove, Connect", "cpu", UVICORN),
            Ratio("ValidateMove, REST", "cpu", UVICORN),
            *(Ratio(f"{call}, gRPC", "cpu", calls.ECHO) for call in ("CreateMatch", "GetMatch", "ListMatchMoves")),
            Ratio("Batch, an item", "cpu", "ValidateMove, gRPC"),
            *(Ratio(call + WITH_EDGE, "cpu", call) for call in (GRPC_PLAY, CONNECT_PLAY, REST_PLAY)),
            *(Ratio(call + WITH_EDGE, "cpu", call) for call in ("ValidateMove, gRPC", "ValidateMove, Connect")),
        ],
        rounds=7,
    ),
    Measurement("lanes", "Calls in flight", lanes, {**CPU, "rate": "a second", **LATENCY}, rounds=3),
    Measurement(
        "half", "Half load", half_load, {**CPU, **LATENCY},
        [Ratio(GRPC_PLAY, "p99", SCRIPT, 1.5), Ratio(GRPC_PLAY, "p99", PIPELINED)],
        rounds=15,
    ),
    Measurement(
        "boardgame", "A move beside boardgame.io", tables, WHOLE,
        [Ratio(CONNECT_PLAY, "whole", FLAT_FILE, 0.2), Ratio(CONNECT_PLAY, "whole", MEMORY, 0.45)],
        seconds=1, warm_up=1,
    ),
    Measurement(
        "table", "One table beside boardgame.io", one_table, {**LATENCY, **WHOLE},
        [Ratio(CONNECT_PLAY, "p50", FLAT_FILE), Ratio(CONNECT_PLAY, "p50", MEMORY)],
        seconds=1, warm_up=1,
    ),
    Measurement("killed", "Killed", killed, {"moves": "acknowledged", "lost": "lost"}, rounds=3, seconds=2, warm_up=0),
    Measurement(
        "watch", "Watchers", fan_out, {"last": "last informed, ms", "cpu": "CPU, us", "memory": "memory, KiB"},
        [
            Ratio(SERVICE, "last", FLOORS, 1.5),
            Ratio(SERVICE, "cpu", FLOORS, 1.5),
            Ratio(SERVICE, "memory", FLOORS, 1.3),
        ],
        rounds=11,
    ),
    Measurement(
        "beside", "Players beside watchers", beside_watchers, LATENCY,
        [
            Ratio(f"{name}, watched", figure, name, goal)
            for name in (REST_PLAY, CONNECT_PLAY, GRPC_PLAY)
            for figure, goal in (("p50", None), ("p99", 2.0))
        ],
        seconds=1.5,
    ),
    Measurement(
        "sizes", "A match in the store", sizes,
        {"row": "row", "log": "log", "tokens": "request ids", "all": "together", "file": "file"},
        rounds=1, warm_up=0,
    ),
    Measurement(
        "growth", "Growth", growth, KEPT,
        [
            Ratio("a kept move, at move 1,000", "move", "a kept move, at move 10", 1.2),
            Ratio("a kept move, beside 100,000 matches", "move", "a kept move, beside 1,000 matches", 1.2),
        ],
        rounds=25,
    ),
    Measurement(
        "start", "Start", starts,
        {"seconds": "seconds", "memory": "memory, MiB", "match": "a cached match, KiB"},
        [Ratio(SERVICE, "seconds", BARE, 5)],
        rounds=3, warm_up=0,
    ),
    Measurement(
        "million", "A million matches", million, KEPT,
        [
            Ratio("a kept move, beside 1,000,000 matches", "move", "a kept move, beside 1,000 matches", 1.3),
            Ratio("the same, file rewritten", "move", "a kept move, beside 1,000 matches"),
        ],
        rounds=40, is_ordinary=False,
    ),
)  # fmt: skip
"""In the order of a run; the last one is measured if it is asked for."""
