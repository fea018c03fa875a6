"""What deploy/workers.md promises of two releases on one store, against the tests that try it."""

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "deploy" / "workers.md"


def test_every_promise_is_tested_and_every_test_promised() -> None:
    """The tests that the section on upgrades names are all that there are of rolling upgrades."""
    section = PAGE.read_text().partition("\n## Upgrades\n")[2].partition("\n## ")[0]
    trees = [ast.parse(path.read_text()) for path in HERE.glob("test_rolling_*.py")]
    tests = {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert {name for name in tests if name.startswith("test_")} == set(re.findall(r"`(test_\w+)`", section)) != set()
