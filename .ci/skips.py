"""Fail on a skipped test that is not named, with its reason, in a list: `skips.py REPORT.xml SKIPS.txt`.

A line of the list is `module.Class.test[parameters] -- reason`; `*` stands for anything.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree


def main(report: str, known: str) -> int:
    """Print each skipped test that no line of the list names; the exit status says whether there was one."""
    patterns = [pattern(line) for line in Path(known).read_text().splitlines() if line.strip() and line[0] != "#"]
    tests = list(ElementTree.parse(report).iter("testcase"))
    skips = [(name(test), test.find("skipped")) for test in tests]
    skipped = {test: mark.get("message", "") for test, mark in skips if mark is not None}
    unknown = {test: why for test, why in skipped.items() if not any(p.fullmatch(test) for p in patterns)}
    for test, why in sorted(unknown.items()):
        print(f"skipped, and not in {known}: {test} ({why})", file=sys.stderr)
    print(f"{len(tests)} tests, {len(skipped)} skipped, {len(unknown)} of them without a known reason")
    return 1 if unknown else 0


def name(test: ElementTree.Element) -> str:
    """The name of a test; of a module that was skipped whole, the name of the module."""
    return ".".join(part for part in (test.get("classname"), test.get("name")) if part)


def pattern(line: str) -> re.Pattern[str]:
    """What a line of the list matches."""
    wanted, dashes, reason = line.partition(" -- ")
    if not dashes or not reason.strip():
        sys.exit(f"a skip without a reason: {line}")
    return re.compile(".*".join(re.escape(part) for part in wanted.strip().split("*")))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
