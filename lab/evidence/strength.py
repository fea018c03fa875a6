"""``make strength``: let the bots play each other, and keep the results where the page of proofs plots them.

Each deal is written to ``build/strength`` when it is played, so that a run that was stopped goes on where it was.
Remove that folder after a change of rules or bots.
"""

import argparse
import json
import subprocess
from pathlib import Path
from typing import Any, Final, NamedTuple

from chitarrella.transports.rest.website.website import RESULT

ROOT: Final = Path(__file__).parents[2]
BUILD: Final = ROOT / "build" / "strength"


class Run(NamedTuple):
    """Two bots that play each other at every game: the options of ``chitarrella strength``, and how many deals."""

    bots: str
    options: tuple[str, ...]
    deals: int

    def command(self, deals: int) -> list[str]:
        program = [".venv/bin/chitarrella", "strength", "--bots", self.bots, *self.options]
        return [*program, "--deals", str(deals), "--json"]


RUNS: Final = (
    Run("greedy,random", ("--seed", "18"), 1000),
    # So many playouts take a tenth of a second; unlike the time they give the same result on any machine.
    Run("search,greedy", ("--playouts", "200", "--seed", "17"), 400),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make strength", description=__doc__)
    parser.add_argument("--deals", type=int, help="so many deals of each pair at most; all take hours")
    asked = parser.parse_args()
    if asked.deals is not None and asked.deals < 1:
        parser.error("at least one deal is needed")
    BUILD.mkdir(parents=True, exist_ok=True)
    results = []
    for run in RUNS:
        command = run.command(min(run.deals, asked.deals or run.deals))
        file = BUILD / f"{run.bots.replace(',', '-')}.jsonl"
        print(" ".join(command), flush=True)
        done = subprocess.run([*command, "--results", file], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        results.append(kept(command, json.loads(done.stdout)))
    RESULT.write_text("[" + ",\n".join(results) + "]\n", encoding="utf-8")


def kept(command: list[str], result: dict[str, Any]) -> str:
    """What the page shows, as JSON: bots, command, and of each game the figures as mean and half of the interval."""
    pairs = result["pairs"]
    rows = [
        {name: pair[name] for name in ("game", "players", "deals")}
        | {name: [pair[name]["mean"], pair[name]["within"] or 0] for name in ("ahead", "points")}
        for pair in pairs
    ]
    head = json.dumps({"bots": pairs[0]["bots"], "command": " ".join(command)})
    lines = ",\n  ".join(json.dumps(row, separators=(",", ":")) for row in rows)
    return f'{head[:-1]}, "pairs": [\n  {lines}\n]}}'


if __name__ == "__main__":
    main()
