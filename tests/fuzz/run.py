"""Look for bytes that nobody foresaw: ``make fuzz ARGS="--minutes 5"``.

atheris leads the search: it sees which branches of our code an input comes through, and goes on from those that came
through a new one. It begins with honest inputs and the kept corpus; what came through new branches is added to that,
and the shortest of it stay. An input that breaks a target is left in build/fuzz, and the corpus as it was.
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
from contextlib import ExitStack
from hashlib import sha1
from importlib import import_module
from pathlib import Path
from typing import Any

import structlog

from tests.fuzz.corpus import keep, kept

PLAIN = ("position", "move", "record", "cursor", "api_keys", "webhooks", "language")
SERVED = ("message", "body")
BUILD = Path("build") / "fuzz"
LONGEST = 2_000
"""Bytes of an input: the searched room grows with every one of them."""


def main() -> int:
    """Read the arguments and fuzz one target after the other; the exit status says whether all held."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__, allow_abbrev=False)
    parser.add_argument("targets", nargs="*", help=f"only these: {', '.join((*PLAIN, *SERVED))}")
    parser.add_argument("--minutes", type=float, default=5, help="for all targets together")
    parser.add_argument("--seed", type=int, default=1, help="another seed searches elsewhere")
    parser.add_argument("--inside", metavar="TARGET", help=argparse.SUPPRESS)
    asked, rest = parser.parse_known_args()
    if asked.inside:
        return inside(asked.inside, [*rest, *asked.targets])
    targets = asked.targets or [*PLAIN, *SERVED]
    broken = [each for each in targets if not fuzz(each, round(60 * asked.minutes / len(targets)), asked.seed)]
    print(f"{len(targets)} targets fuzzed, broken: {', '.join(broken) or 'none'}")
    return 1 if broken else 0


def fuzz(target: str, seconds: int, seed: int) -> bool:
    """Fuzz one target; tells whether it held."""
    found, honest = BUILD / target, BUILD / f"{target}.seeds"
    from tests.fuzz.seeds import seeds  # it plays a deal of every game

    for folder, inputs in ((found, kept(target)), (honest, seeds(target))):
        folder.mkdir(parents=True, exist_ok=True)
        for data in inputs:
            (folder / sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)
    held = _atheris(target, f"-max_total_time={max(seconds, 1)}", f"-seed={seed}", str(found), str(honest))
    if held:
        print(f"{target}: {keep(target, [path.read_bytes() for path in found.iterdir()])} inputs kept", flush=True)
    return held


def _atheris(target: str, *options: str) -> bool:
    """Run atheris in a process of its own, which it ends as it likes."""
    command = [sys.executable, "-m", "tests.fuzz.run", "--inside", target]
    flags = [
        f"-max_len={LONGEST}",
        "-timeout=60",
        "-reduce_inputs=1",
        f"-artifact_prefix={BUILD}/{target}-",
        "-print_final_stats=1",
    ]
    with (BUILD / f"{target}.log").open("w", encoding="utf-8") as log:
        done = subprocess.run([*command, *flags, *options], stderr=log, check=False)
    if done.returncode:
        print((BUILD / f"{target}.log").read_text(encoding="utf-8", errors="replace")[-3000:], file=sys.stderr)
    return done.returncode == 0


def inside(target: str, options: list[str]) -> int:
    """Fuzz a target in this process, which does not log what it refuses."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    atheris: Any = import_module("atheris")
    with ExitStack() as stack:
        with atheris.instrument_imports(include=["chitarrella"], enable_loader_override=False):
            targets = import_module("tests.fuzz.targets")
            service = import_module("tests.fuzz.service") if target in SERVED else None
        tried = stack.enter_context(service.service())[target] if service else targets.PLAIN[target]
        atheris.Setup([sys.argv[0], *options], lambda data: targets.in_time(tried, data))
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
