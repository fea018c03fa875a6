"""The weight of the tree, as one table: `make weight`.

Lines, modules and files of what git tracks; the share that machines wrote (`linguist-generated` in .gitattributes); and
through how many files one PlayMove passes. A budget stands beside each figure that has one; with ``--check`` the status
is 1 if a figure is beyond it.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SERVICE = "service/chitarrella/"
RULES = tuple(f"{SERVICE}{folder}/" for folder in ("core", "tricks", "exchange", "games"))


def git(*arguments: str, given: str = "") -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, input=given, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def lines(paths: list[str]) -> int:
    """Count the lines of text files; a file with a NUL byte has none."""
    texts = ((ROOT / path).read_bytes() for path in paths)
    return sum(text.count(b"\n") for text in texts if b"\0" not in text)


def import_lines(path: str) -> int:
    nodes = ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
    found = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in found)


class Passage:
    """The files of the service that calls and returns pass through, without the adapter of the store."""

    def __init__(self) -> None:
        self._prefix = str(ROOT / SERVICE)
        self.path: list[str] = []

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Follow a call or a return: the profile function of `sys.setprofile`."""
        current = frame if event == "call" else frame.f_back if event == "return" else None
        if current is None:
            return
        file = current.f_code.co_filename.removeprefix(self._prefix)
        if file == current.f_code.co_filename or file.startswith(("/storage/", "/v1/")):
            return
        if not self.path or self.path[-1] != file:
            self.path.append(file)


def play_move() -> Passage:
    """Trace one PlayMove from the dispatcher on: a card of Briscola for two, the second match of a warm service."""
    from chitarrella import v1
    from chitarrella.api.caller import caller_from_headers
    from chitarrella.transports.inprocess import Service

    service, passage = Service(), Passage()

    def call(rpc: str, request: Any, **headers: str) -> Any:
        caller = caller_from_headers(headers, "weight")
        return service.dispatcher.call(f"/chitarrella.v1.MatchService/{rpc}", request, caller)

    def first_card(*, traced: bool) -> None:
        match = call("CreateMatch", v1.CreateMatchRequest(rule_set=v1.RuleSet(game_id="briscola", players=2)))
        asked = v1.ListMatchMovesRequest(match_id=match.match.match_id)
        keys = {given.seat: f"Bearer {given.key}" for given in match.seat_keys}
        hands = {seat: call("ListMatchMoves", asked, authorization=key).moves for seat, key in keys.items()}
        seat = next(seat for seat, moves in hands.items() if moves)
        request = v1.PlayMoveRequest(match_id=match.match.match_id, seat=seat, move=hands[seat][0])
        sys.setprofile(passage if traced else None)
        try:
            call("PlayMove", request, authorization=keys[seat])
        finally:
            sys.setprofile(None)

    try:
        first_card(traced=False)
        first_card(traced=True)
    finally:
        service.close()
    return passage


def figures() -> Iterator[tuple[str, float, float | None]]:
    tracked = [path for path in git("ls-files") if (ROOT / path).is_file()]
    marked = git("check-attr", "--stdin", "linguist-generated", given="\n".join(tracked))
    generated = {row.split(": ")[0] for row in marked if row.endswith((": set", ": true"))}
    python = [path for path in tracked if path.endswith(".py")]
    service = [path for path in python if path.startswith(SERVICE) and path not in generated]
    sizes = [lines([path]) for path in service]
    rules = lines([path for path in service if path.startswith(RULES)])
    beside = [path for path in python if path.startswith(("tests/", "lab/"))]
    every, written = lines(tracked), lines(sorted(generated))
    yield "service: lines of Python", sum(sizes), 34_000
    yield "service: modules", len(service), 180
    yield "service: lines of the median module", median(sizes), None
    yield "service: share of import lines, %", 100 * sum(map(import_lines, service)) / sum(sizes), 8
    yield "rules: lines (core, tricks, exchange, games)", rules, None
    yield "service lines for each line of the rules", sum(sizes) / rules, None
    yield "tests and lab: lines of Python", lines(beside), 48_000
    yield "tracked files", len(tracked), 1_000
    yield "tracked megabytes", sum((ROOT / path).stat().st_size for path in tracked) / 1_000_000, 8
    yield "lines of all tracked files", every, None
    yield "written by machines, % of lines", 100 * written / every, 8
    passage = play_move()
    if not passage.path:
        raise SystemExit("no file of this tree was passed: another one is installed (make install)")
    yield "PlayMove: files", len(set(passage.path)), 20
    yield "PlayMove: changes of file", len(passage.path) - 1, 90


def main() -> int:
    kept = True
    print(f"{'figure':46} {'value':>9} {'budget':>9}")
    for name, value, budget in figures():
        over = budget is not None and value > budget
        kept = kept and not over
        shown, limit = (f"{number:,.1f}".removesuffix(".0") for number in (value, budget or 0))
        print(f"{name:46} {shown:>9} {limit if budget else '':>9}{'  over' if over else ''}")
    return 0 if kept or "--check" not in sys.argv else 1


if __name__ == "__main__":
    sys.exit(main())
