"""Make the whole set of vectors, compare it with its digests, and write it: ``make vectors``.

Without an argument the whole set goes to build/vectors, with an archive of it for a release; with keys of games theirs
alone. ``--check`` writes nothing; with ``--every 12`` it makes a twelfth, and at each commit another one. ``--keep``
writes the digests and the files of the games that are kept instead.
"""

import argparse
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final, TypeAlias

from rich.console import Console
from rich.progress import track

from chitarrella_testing.perft_files import check, write_heading
from clients.release.archive import write as write_archive
from tests.vectors import counts, digests
from tests.vectors.digests import RULES, Key, Line, Part
from tests.vectors.game_files import choose, file_text
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
    "match": "playthroughs/{}.txt", "deals": "playthroughs/{}.txt", "counts": "perft/{}.perft",
    "refusals": "refusals/{}.txt", "invalid": "invalid_positions/{}.txt", "views": "views/{}.txt",
}  # fmt: skip
"""The file of a game for each kind of vectors."""

Made: TypeAlias = dict[Key, dict[str, Part]]  # the parts of what has a line


def main() -> int:
    """Read the arguments and run; the exit status is 0 if all is as the digests say, or could be kept."""
    asked = arguments().parse_args()
    if asked.released:
        lines = [line._replace(released=True) for line in digests.kept().values()]
        digests.write(lines)
        print(f"{len(lines)} lines of {digests.FILE.name} are released")
        return 0
    games = [CATALOGUE.game(key).key for key in asked.games] or [game.key for game in CATALOGUE]
    made = make(wanted(games)[commits() % asked.every :: asked.every])
    for kind, amounts in digests.totals(lines_of(made)).items():
        print(f"{kind:<9} {' / '.join(f'{amount:,}' for amount in amounts)}")
    if asked.keep:
        return keep(lines_of(made), games, afresh=asked.afresh)
    differing = [(line.game, said) for line in lines_of(made) for said in digests.differences(made[line.key], line.key)]
    wrong = [*(said for _, said in differing), *published()]
    if not asked.check:
        write(made, games, asked.archive)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    if wrong:
        known = games if len(games) < len(list(CATALOGUE)) else filter(None, (game for game, _ in differing))
        print(digests.advice(known))
    print(f"{len(made)} lines of digests: {len(wrong) or 'no'} differences")
    return 1 if wrong else 0


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.vectors.write", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these games, by their keys")
    parser.add_argument("--check", action="store_true", help="only compare with the digests")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="with --check: of N rule sets one")
    parser.add_argument("--keep", action="store_true", help="write the digests, and the files of games that are kept")
    parser.add_argument(
        "--afresh", action="store_true", help="with --keep: other random deals are played, rules are the same"
    )
    parser.add_argument("--released", action="store_true", help="only mark all digests as released")
    parser.add_argument("--archive", type=Path, default=ARCHIVE, help="where the archive of all games goes")
    return parser


def wanted(games: list[str]) -> list[Key]:
    """List what is made of some games: all of the present editions, the matches of former ones."""
    former = [key for key, line in digests.kept().items() if line.game in games and line.is_former]
    return list(dict.fromkeys([*digests.names(games), *former]))


def commits() -> int:
    """How many commits there are, which decides where a sample begins; 0 outside a repository."""
    command = ["git", "rev-list", "--count", "HEAD"]
    counted = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return int(counted.stdout or 0)


def make(what: list[Key]) -> Made:
    """Make the parts of several lines on all processors, in order, with a progress bar."""
    with ProcessPoolExecutor() as pool:
        found = pool.map(digests.parts, what, chunksize=2)
        return dict(zip(what, track(found, "rule sets", len(what), console=Console(stderr=True)), strict=True))


def lines_of(made: Made) -> list[Line]:
    return [Line(*key, False, {kind: part.digest for kind, part in parts.items()}) for key, parts in made.items()]


def published() -> list[str]:
    """What is not counted as others have published it."""
    return [f"{title}: {said}" for title, written in counts.kept().items() for said in check(CATALOGUE, written)]


def keep(found: list[Line], games: list[str], *, afresh: bool) -> int:
    """Write digests and files of games; return 1 if something may not be written."""
    lines, refused = digests.merged(digests.kept(), found, afresh=afresh)
    digests.write(lines)
    counts.PUBLISHED_FILE.write_text(counts.published(), encoding="utf-8")
    for game in games:
        (FOLDER / f"{game}.txt").write_text(file_text(game, choose(game)), encoding="utf-8")
    print(f"{len(lines)} lines of digests, {len(games)} files of games", *refused, sep="\n")
    return 1 if refused else 0


def write(made: Made, games: list[str], archive: Path) -> None:
    """Write the whole set of some games; of all games also ``rules.md`` and the archive."""
    whole = len(games) == len(list(CATALOGUE))
    if whole:
        shutil.rmtree(WHOLE, ignore_errors=True)
    files: dict[tuple[str, str], list[str]] = {}
    for line in lines_of(made):
        if line.name.endswith(RULES) or line.is_former:
            continue
        for kind, part in made[line.key].items():
            if kind in FOLDERS and part.text:
                files.setdefault((line.game, FOLDERS[kind].format(line.game)), []).append(part.text)
    written = Counter[str]()
    for (game, file), texts in files.items():
        path = WHOLE / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([heading(game, file), *texts]), encoding="utf-8")
        written[path.parent.name] += path.stat().st_size
    for folder, size in written.items():
        print(f"{WHOLE.relative_to(ROOT) / folder}: {len(games)} files, {size / 1_000_000:.1f} MB")
    if whole:
        (WHOLE / "rules.md").write_text(rules(), encoding="utf-8")
        paths = sorted(path for path in WHOLE.rglob("*") if path.is_file())
        added = {path: f"tests/vectors/{path.relative_to(WHOLE).as_posix()}" for path in paths}
        write_archive(ROOT, archive, list(READABLE), added)
        print(f"{archive}: {archive.stat().st_size / 1_000_000:.1f} MB")


def heading(game: str, file: str) -> str:
    """How the file of a game begins."""
    kind = file.partition("/")[0]
    title = f"{CATALOGUE.entry(game).title}: {kind}. Written by make vectors; how to read it: ../README.md"
    return f"| {title}\n" if kind == "playthroughs" else write_heading(CATALOGUE, game, title)


if __name__ == "__main__":
    sys.exit(main())
