"""Where the mutants find what was measured, and where they leave what became of them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
TIMES = ROOT / "build" / "coverage" / "times.json"
"""How long each test took when coverage was measured."""
LINES = ROOT / "build" / "coverage" / "lines.sqlite"
"""Which test came through which line then; pyproject.toml names it to coverage."""
RESULTS = ROOT / "build" / "mutants.jsonl"
"""What became of each mutant so far."""
SURVIVORS = Path(__file__).parent / "survivors.txt"
"""The mutants that no test can kill, each with the reason."""
