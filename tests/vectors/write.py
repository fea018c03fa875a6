"""Make the whole set of vectors, compare it with its digests, and write it: ``make vectors``.

Without an argument the whole set goes to build/vectors, with an archive of it for a release; with keys of games theirs
alone. ``--check`` writes nothing. ``--keep`` writes the digests and the files of the games that are kept instead.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from chitarrella_testing.perft_files import check, write_heading
from clients.release.archive import write as write_archive
from tests.vectors import counts, digests, plain
from tests.vectors.digests import RULES, Line, Part
from tests.vectors.positions import FOLDER, rules
from tests.walks import CATALOGUE

ROOT: Final = FOLDER.parents[1]
WHOLE: Final = ROOT / "build" / "vectors"
ARCHIVE: Final = ROOT / "build" / "chitarrella-vectors.tar.gz"
READABLE: Final = (
    "LICENSE",
    "docs/notation.md",
    *(f"tests/vectors/{name}" for name in ("README.md", "*.txt", "*.perft", "plain.py")),
)
"""What stands in the archive beside the whole set: of the programs the plain one alone."""
FOLDERS: Final = {
    "match": "playthroughs/{}.txt",
    "deals": "playthroughs/{}.txt",
    "counts": "perft/{}.perft",
    "refusals": "refusals/{}.txt",
    "invalid": "invalid_positions/{}.txt",
    "views": "views/{}.txt",
}
"""The file of a game for each kind of vectors."""


class Made(NamedTuple):
    """What was made: the line of the digests, and the parts."""

    line: Line
    parts: dict[str, Part]


def main() -> int:
    """Read the arguments and run; the exit status is 0 if all is as the digests say, or could be kept."""
    asked = arguments().parse_args()
    if asked.released:
        lines = [line._replace(released=True) for line in digests.read().values()]
        digests.write(lines)
        print(f"{len(lines)} lines of {digests.FILE.name} are released")
        return 0
    games = [CATALOGUE.game(key).key for key in asked.games] or [game.key for game in CATALOGUE]
    made = list(make(wanted(games), asked.jobs))
    for kind, amounts in digests.totals(one.line for one in made).items():
        print(f"{kind:<9} {' / '.join(f'{amount:,}' for amount in amounts)}")
    if asked.keep:
        return keep(made, games, afresh=asked.afresh)
    wrong = [said for one in made for said in compared(one)] + [*published(), *plain_differences(made)]
    if not asked.check:
        write(made, games, asked.archive)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    if wrong:
        print(digests.advice(games if len(games) < len(list(CATALOGUE)) else changed(made)))
    print(f"{len(made)} lines of digests: {len(wrong) or 'no'} differences")
    return 1 if wrong else 0


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.vectors.write", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these games, by their keys")
    parser.add_argument("--check", action="store_true", help="only compare with the digests")
    parser.add_argument("--keep", action="store_true", help="write the digests, and the files of games that are kept")
    parser.add_argument(
        "--afresh", action="store_true", help="with --keep: other random deals are played, rules are the same"
    )
    parser.add_argument("--released", action="store_true", help="only mark all digests as released")
    parser.add_argument("--archive", type=Path, default=ARCHIVE, help="where the archive of all games goes")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at once; all processors")
    return parser


def wanted(games: list[str]) -> list[tuple[str, int]]:
    """List what is made of some games: all of the present editions, the matches of former ones."""
    former = [key for key, line in digests.kept().items() if line.game in games and is_former(key)]
    return list(dict.fromkeys([*digests.names(games), *former]))


def make(what: list[tuple[str, int]], jobs: int) -> Iterator[Made]:
    """Make the parts of several lines in order, with a progress bar."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar, ProcessPoolExecutor(jobs) as pool:
        task = bar.add_task("rule sets", total=len(what))
        for (title, edition), parts in zip(what, pool.map(digests.parts, what, chunksize=2), strict=True):
            bar.advance(task)
            yield Made(Line(title, edition, False, {kind: part.digest for kind, part in parts.items()}), parts)


def is_former(key: tuple[str, int]) -> bool:
    """Whether a line is of a former edition of a rule set that there still is."""
    title, edition = key
    rule_set = digests.rule_sets().get(title)
    return rule_set is not None and edition < CATALOGUE.game(rule_set.game).edition


def compared(one: Made) -> list[str]:
    """What of a line is not as it is kept."""
    return digests.differences(digests.kept().get(one.line.key), one.parts, one.line.key)


def published() -> list[str]:
    """What is not counted as others have published it."""
    return [f"{title}: {said}" for title, written in counts.kept().items() for said in check(CATALOGUE, written)]


def plain_differences(made: list[Made]) -> list[str]:
    """What the plain program counts otherwise: Briscola and Briscolone for two."""
    wrong = []
    for one in made:
        rule_set = digests.rule_sets().get(one.line.name)
        if rule_set and plain.knows(rule_set.game, rule_set.players, dict(rule_set.options)):
            text = f"{write_heading(CATALOGUE, rule_set.game, '')}\n{one.parts['counts'].text}"
            for section in plain.read(text):
                wrong += [
                    f"{one.line.name}: plain.py counts {case.steps} otherwise"
                    for case in section.cases
                    if list(plain.counted(section.said, case)) != case.counts
                ]
    return wrong


def changed(made: list[Made]) -> list[str]:
    """The games that differ from their digests."""
    return [one.line.game for one in made if one.line.game and compared(one)]


def keep(made: list[Made], games: list[str], *, afresh: bool) -> int:
    """Write digests and files of games; return 1 if something may not be written."""
    lines, refused = digests.merged(digests.read(), (one.line for one in made), afresh=afresh)
    digests.write(lines)
    counts.PUBLISHED_FILE.write_text(counts.published(), encoding="utf-8")
    for game in games:
        digests.path_of(game).write_text(digests.file_text(game, digests.choose(game)), encoding="utf-8")
        digests.game_file.cache_clear()
    print(f"{len(lines)} lines of digests, {len(games)} files of games", *refused, sep="\n")
    return 1 if refused else 0


def write(made: list[Made], games: list[str], archive: Path) -> None:
    """Write the whole set of some games; of all games also ``rules.md`` and the archive."""
    whole = len(games) == len(list(CATALOGUE))
    if whole:
        shutil.rmtree(WHOLE, ignore_errors=True)
    written: dict[str, int] = {}
    for game in games:
        files: dict[str, list[str]] = {}
        for one in (one for one in made if one.line.game == game and not one.line.name.endswith(RULES)):
            for kind, part in one.parts.items():
                if kind in FOLDERS and part.text and one.line.edition == CATALOGUE.game(game).edition:
                    files.setdefault(FOLDERS[kind].format(game), []).append(part.text)
        for file, texts in files.items():
            path = WHOLE / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join([heading(game, file), *texts]), encoding="utf-8")
            written[path.parent.name] = written.get(path.parent.name, 0) + path.stat().st_size
    for folder, size in written.items():
        print(f"{WHOLE.relative_to(ROOT) / folder}: {len(games)} files, {size / 1_000_000:.1f} MB")
    if whole:
        (WHOLE / "rules.md").write_text(rules(), encoding="utf-8")
        added = {path: f"tests/vectors/{path.relative_to(WHOLE).as_posix()}" for path in files_in(WHOLE)}
        write_archive(ROOT, archive, list(READABLE), added)
        print(f"{archive}: {archive.stat().st_size / 1_000_000:.1f} MB")


def files_in(folder: Path) -> list[Path]:
    """All files below a folder."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def heading(game: str, file: str) -> str:
    """How the file of a game begins."""
    title = (
        f"{CATALOGUE.game(game).title}: {file.partition('/')[0]}. Written by make vectors; how to read it: ../README.md"
    )
    return f"| {title}\n" if file.startswith("playthroughs") else write_heading(CATALOGUE, game, title)


if __name__ == "__main__":
    sys.exit(main())
