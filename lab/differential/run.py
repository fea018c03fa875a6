"""Play the random deals of digests.txt.bz2 again, and compare all that is observable with what another engine did.

``python -m lab.differential.run``: all deals; ``--sample 5``: five of the thousands; ``--part 2/4``: the second of
four parts. A difference is printed with the arguments that print its transcript: compare it with that of the other
engine. ``--write`` adds what is missing to the file; it can be stopped and resumed.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice

from rich.console import Console
from rich.progress import track

from lab.differential.digests import FILE, HUNDREDS, Thousand, plan, read, write

DEALS = 1_000_000  # deals of the file
KEPT_EVERY = 5  # the file is written after so many thousands


def main() -> int:
    """Read the arguments and run; return the exit status, 0 if nothing differs."""
    asked = options()
    known = read()
    if asked.transcript:
        number, hundred = asked.transcript.split(".")
        print(*known[int(number)].transcript(int(hundred)), sep="\n")
        return 0
    if asked.write:
        return write_missing(known, asked.deals // 1000, asked.jobs)
    chosen = choose(known, asked.part, asked.sample, asked.only)
    differing = 0
    for place, thousand in zip(chosen, played([known[at] for at in chosen], asked.hundreds, asked.jobs), strict=True):
        for said in differences(place, known[place], thousand):
            print(said, file=sys.stderr)
            differing += 1
    print(f"{len(chosen) * asked.hundreds * 100:,} deals of {len(known) * 1000:,}: {differing} differences")
    return 1 if differing or not chosen else 0


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.differential.run", description=__doc__)
    parser.add_argument("--part", default="1/1", help="only every Nth thousand, beginning with the Ith: I/N")
    parser.add_argument("--sample", type=int, metavar="N", help="only N of the thousands, which lie far apart")
    parser.add_argument("--only", default="", metavar="NAME", help="rule sets whose name begins so: briscola-4")
    parser.add_argument("--hundreds", type=int, default=HUNDREDS, metavar="N", help="of each thousand the first N00")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at once; all processors")
    parser.add_argument("--transcript", metavar="N.H", help="print what happens in hundred H of thousand N, from 0")
    parser.add_argument("--write", action="store_true", help="play what the file lacks, and write it with this engine")
    parser.add_argument("--deals", type=int, default=DEALS, help="with --write: deals of the whole file")
    return parser.parse_args(arguments)


def choose(known: list[Thousand], part: str, sample: int | None, only: str) -> list[int]:
    """Return the indexes of the thousands to play: those of the part with this name, then a sample of them."""
    first, step = map(int, part.split("/"))
    chosen = [at for at in range(first - 1, len(known), step) if known[at].rule_set.startswith(only)]
    if sample is None or sample >= len(chosen):
        return chosen
    return [chosen[place * len(chosen) // sample] for place in range(sample)]


def differences(number: int, expected: Thousand, found: Thousand) -> Iterator[str]:
    """Yield what differs in thousand ``number``, hundred by hundred."""
    if not expected.is_current:
        yield f"{expected.rule_set}: the rules have another edition than {expected.edition}; write the digests again"
        return
    for hundred in expected.differing(found):
        yield f"{expected.rule_set}: --transcript {number}.{hundred} prints deals that go otherwise"


def played(thousands: list[Thousand], hundreds: int, jobs: int) -> Iterator[Thousand]:
    """Play the first hundreds of each of ``thousands`` and yield them in order, with a progress bar."""
    with ProcessPoolExecutor(jobs) as pool:
        found = pool.map(partial(Thousand.played, hundreds=hundreds), thousands)
        yield from track(found, "thousands", len(thousands), console=Console(stderr=True))


def write_missing(known: list[Thousand], number: int, jobs: int) -> int:
    """Play the planned thousands that the file lacks, or has of another edition, and write it; return 0."""
    planned = plan(number)
    have = {thousand.plan: thousand for thousand in known}
    missing = iter(played([one for one in planned if one not in have], HUNDREDS, jobs))
    while some := list(islice(missing, KEPT_EVERY)):
        have.update((thousand.plan, thousand) for thousand in some)
        write([have[one] for one in planned if one in have])
    print(f"{FILE.name}: {sum(one in have for one in planned) * 1000:,} deals")
    return 0


if __name__ == "__main__":
    sys.exit(main())
