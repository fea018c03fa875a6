"""Fuzz the parsers: ``make fuzz ARGS="--minutes 5"``.

atheris measures which branches an input covers, and mutates those that covered a new one. It begins with valid inputs
and the corpus; inputs that cover new branches are added to the corpus, of which the shortest stay. An input that breaks
a target is left in build/fuzz, and the corpus unchanged.
"""

import argparse
import json
import logging
import lzma
import subprocess
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from hashlib import sha1
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).with_name("corpus.json.xz")  # the inputs of each target, escaped
SIZE = 17_000  # characters kept of a target: the shortest inputs first, as everybody reads and replays them


def corpus() -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(lzma.decompress(CORPUS.read_bytes()))
    return found


def kept(target: str) -> list[bytes]:
    return [line.encode("ascii").decode("unicode_escape").encode("latin-1") for line in corpus().get(target, [])]


def keep(target: str, inputs: Iterable[bytes]) -> int:
    """Replace the inputs of a target; return how many fit."""
    escaped = {data.decode("latin-1").encode("unicode_escape").decode("ascii") for data in inputs}
    lines = sorted(escaped, key=lambda line: (len(line), line))
    sizes = accumulate(len(line) + 1 for line in lines)
    fitting = [line for line, size in zip(lines, sizes, strict=True) if size <= SIZE]
    CORPUS.write_bytes(lzma.compress(json.dumps(corpus() | {target: fitting}).encode("ascii")))
    return len(fitting)


PLAIN = ("position", "move", "record", "cursor", "api_keys", "webhooks", "language")
SERVED = ("message", "body")
BUILD = Path("build") / "fuzz"
LONGEST = 2_000  # the longest input in bytes; the search space grows with every byte


def main() -> int:
    """Read the arguments and fuzz one target after the other; return the exit status, 0 if all held."""
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
    found, valid = BUILD / target, BUILD / f"{target}.seeds"
    from lab.fuzz.service import seeds  # it plays a deal of every game

    for folder, inputs in ((found, kept(target)), (valid, seeds(target))):
        folder.mkdir(parents=True, exist_ok=True)
        for data in inputs:
            (folder / sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)
    flags = (
        *(f"-max_total_time={max(seconds, 1)}", f"-seed={seed}", f"-max_len={LONGEST}", "-timeout=60"),
        *("-reduce_inputs=1", f"-artifact_prefix={BUILD}/{target}-", "-print_final_stats=1", str(found), str(valid)),
    )
    command = [sys.executable, "-m", "lab.fuzz.run", "--inside", target, *flags]  # atheris ends its process by itself
    said = BUILD / f"{target}.log"
    with said.open("w", encoding="utf-8") as log:
        held = subprocess.run(command, stderr=log, check=False).returncode == 0
    if held:
        print(f"{target}: {keep(target, [path.read_bytes() for path in found.iterdir()])} inputs kept", flush=True)
    else:
        print(said.read_text(encoding="utf-8", errors="replace")[-3000:], file=sys.stderr)
    return held


def inside(target: str, options: list[str]) -> int:
    """Fuzz a target in this process, without a log."""
    logging.getLogger("chitarrella").setLevel(logging.CRITICAL)
    atheris: Any = import_module("atheris")
    with atheris.instrument_imports(include=["chitarrella"], enable_loader_override=False):
        targets = import_module("lab.fuzz.targets")
        service = import_module("lab.fuzz.service").service if target in SERVED else lambda: nullcontext(targets.PLAIN)
    with service() as known:
        tried = known[target]
        atheris.Setup([sys.argv[0], *options], lambda data: targets.in_time(tried, data))
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
