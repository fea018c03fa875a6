"""The files of mutation testing: what was measured before, and the results."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
TIMES = ROOT / "build" / "coverage" / "times.json"
"""The duration of each test when coverage was measured."""
LINES = ROOT / "build" / "coverage" / "lines.sqlite"
"""The tests that execute each line; pyproject.toml names the file to coverage."""
RESULTS = ROOT / "build" / "mutants.jsonl"
"""The result of each mutant so far."""
SURVIVORS = Path(__file__).parent / "survivors.txt"
"""The equivalent mutants, which no test can kill, each with the reason."""
