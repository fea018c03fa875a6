"""Fail on a skipped test that is not named here with its reason: `skips.py REPORT.xml`."""

from __future__ import annotations

import re
import sys
from xml.etree import ElementTree

# Tests that may be skipped, as `module.Class.test[parameters]` where `*` stands for anything, and why.
KNOWN = {
    "tests.upgrade.test_rolling_*": "a shallow clone lacks the release before; the hosted workflow fetches all",
    "tests.storage.test_server_check.*": "without Debian's redis-server: the servers of the wheels have no TLS",
    "tests.*[redis-7]": "without Debian's redis-server: Valkey 9 and Redis 8 run the same tests there",
    "tests.cards.test_drawings.test_cards_are_distinct*": "without Chromium, which .ci/packages.txt names",
    "tests.deploy.test_manifests.*": "without Go, which builds kustomize; make check runs the same validation",
    "tests.web.*": "without Node.js and Chromium; make check proves the served scripts fresh",
}


def main(report: str) -> int:
    """Print each skipped test that is not known; the exit status says whether there was one."""
    patterns = [re.compile(".*".join(map(re.escape, known.split("*")))) for known in KNOWN]
    tests = list(ElementTree.parse(report).iter("testcase"))
    skips = [(name(test), test.find("skipped")) for test in tests]
    skipped = {test: mark.get("message", "") for test, mark in skips if mark is not None}
    unknown = {test: why for test, why in skipped.items() if not any(p.fullmatch(test) for p in patterns)}
    for test, why in sorted(unknown.items()):
        print(f"skipped, and not in {__file__}: {test} ({why})", file=sys.stderr)
    print(f"{len(tests)} tests, {len(skipped)} skipped, {len(unknown)} of them without a known reason")
    return 1 if unknown else 0


def name(test: ElementTree.Element) -> str:
    """The name of a test; of a module that was skipped whole, the name of the module."""
    return ".".join(part for part in (test.get("classname"), test.get("name")) if part)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
