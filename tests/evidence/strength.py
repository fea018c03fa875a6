"""The strength of the bots: a result of ``chitarrella strength`` is kept where the page of proofs plots it.

.venv/bin/chitarrella strength --bots greedy,random --deals 1000 --seed 18 --json > build/strength.json
.venv/bin/python -m tests.evidence.strength build/strength.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

KEPT: Final = Path(__file__).parents[2] / "service/chitarrella/transports/rest/strength.json"
"""The result that the page shows."""


def kept(result: dict[str, Any]) -> str:
    """What is kept of a result, as JSON: the command that repeats it, and a line for each pair of bots at a game."""
    bots = ",".join(result["pairs"][0]["bots"])
    deals, seed = result["pairs"][0]["deals"], result["seed"]
    command = f".venv/bin/chitarrella strength --bots {bots} --deals {deals} --seed {seed} --json"
    lines = ",\n  ".join(json.dumps(pair) for pair in result["pairs"])
    return f'{{\n "command": {json.dumps(command)},\n "pairs": [\n  {lines}\n ]\n}}\n'


if __name__ == "__main__":
    KEPT.write_text(kept(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))), encoding="utf-8")
