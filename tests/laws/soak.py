"""Hold a great many deals of every rule set against every law: ``python -m tests.laws.soak --deals 10000``.

A line a second says how far it is. A broken law ends the run with the rule set and the seed that show it; the same
arguments find it again.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

from chitarrella.catalogue import Agreement
from tests.kit import defaults, name, variants, walk
from tests.laws.book import LAWS, hold


def main() -> int:
    """Read the arguments and run; the exit status says whether every law held."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.soak", description=__doc__)
    parser.add_argument("--deals", type=int, default=10_000, help="deals for each rule set")
    parser.add_argument("--only", default="", help="rule sets whose name begins so: briscola-4, coech-2-matto_rank")
    parser.add_argument("--seed", type=int, default=0, help="another seed plays other deals")
    asked = parser.parse_args()
    chosen = [agreement for agreement in (*defaults(), *variants()) if name(agreement).startswith(asked.only)]
    broken = 0
    for number, agreement in enumerate(chosen, 1):
        broken += not soak(agreement, asked.deals, asked.seed, f"{number}/{len(chosen)} {name(agreement)}")
    print(f"{len(chosen)} rule sets, {asked.deals} deals each, {len(LAWS)} laws: {broken} broken")
    return 1 if broken or not chosen else 0


def soak(agreement: Agreement, deals: int, seed: int, title: str) -> bool:
    """Play ``deals`` deals of one rule set; tell whether every law held."""
    began = said = time.monotonic()
    for deal in range(1, deals + 1):
        number = Random(f"{seed} {deal}").getrandbits(64)
        played = walk(agreement, str(number), deals=1 + deal % 7 // 6, effort=1)
        for law in LAWS:
            try:
                hold(law, played)
            except Exception as error:  # whatever it is, it is said with the seed that shows it
                print(f"\n{title}: {law} is broken by seed {number}: {type(error).__name__} {error}", file=sys.stderr)
                return False
        if (now := time.monotonic()) - said > 1 or deal == deals:
            said = now
            end = "\n" if deal == deals else ""
            print(f"\r{title}: {deal} of {deals} deals, {deal / (now - began):.0f} a second ", end=end, flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
