"""The readable file of a game: the first deal of the fewest players, played by the fixed rule, and refusals.

Of the refusals it has as few as cite every code with every clause. `make vectors` writes whatever else there is.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from chitarrella.catalogue.record import parse_record
from chitarrella.catalogue.registry import RuleSet
from tests.vectors import positions
from tests.vectors.playthroughs import MARK, Steps, playthrough, replayed, rule_sets
from tests.vectors.positions import FOLDER, Vector, again, read_vectors, write_vectors
from tests.walks import CATALOGUE, defaults, name

COMMAND: Final = "make vectors ARGS=--keep"
BREAK: Final = " / "  # what stands in a line of these files between what are lines of a record
REFUSALS = "# Refusals"  # the line that parts the file


class GameFile(NamedTuple):
    """What the file of a game holds: the rule set and the text of a playthrough, as it stands there, and refusals."""

    title: str
    playthrough: str
    refusals: list[Vector]


# ---------------------------------------------------------------------- form


def compact(text: str) -> str:
    """Put the lines of a record together: the headings, each trick up to what came of it, and the end."""
    lines: list[str] = []
    last = ""
    for line in filter(None, text.splitlines()):
        head, rest = line.split(" ", 1)
        if head == "|":
            kind = "end" if rest.startswith(("scores ", "winners ", "drawn", "broken off")) else "note"
        else:
            kind = "move" if head == "table" or head.isdecimal() else "position" if head == "position" else "heading"
        if lines and kind == last:
            lines[-1] += f"{BREAK}{line}"
        else:
            lines.append(line)
        last = "" if kind == "move" and ("|" in line or head == "table") else kind
    return "\n".join(lines) + "\n"


def played_again(text: str) -> tuple[RuleSet, Steps]:
    """Play the moves of a playthrough, as it stands in the file, again."""
    record = parse_record(CATALOGUE, text.replace(BREAK, "\n"))
    game = CATALOGUE.game_for(record.rule_set)
    begins = game.decode(record.position) if record.position else game.start()
    return record.rule_set, replayed(game, begins, record.moves)


def file_text(key: str, file: GameFile) -> str:
    game = CATALOGUE.game(key)
    return "\n".join(
        [
            f"# {game.entry.title}, edition {game.edition}. Written by `{COMMAND}`; how to read it: README.md\n",
            f"{MARK}{file.title}\n{file.playthrough}",
            f"{REFUSALS}\n\n{write_vectors(file.refusals)}",
        ]
    )


def game_file(key: str) -> GameFile:
    """Read the file of a game; empty if there is none."""
    path = FOLDER / f"{key}.txt"
    played, _, refusals = (path.read_text(encoding="utf-8") if path.exists() else "").partition(f"\n{REFUSALS}\n")
    title, _, text = played.partition(f"\n{MARK}")[2].partition("\n")
    return GameFile(title, f"{text.rstrip()}\n", list(read_vectors(key, refusals)))


# ---------------------------------------------------------------------- choice


def choose(key: str) -> GameFile:
    """Choose what the file of a game holds; from random play, the scenes of its tests, and what it holds already."""
    asked = [
        *_still(game_file(key).refusals),
        *(one for one in positions.staged_refusals() if one.rule_set.game == key),
    ]
    asked += [one for rule_set in rule_sets() if rule_set.game == key for one in positions.refusals_of(rule_set)]
    return GameFile(*shown(key), cover(asked, positions.all_cited))


def shown(key: str) -> tuple[str, str]:
    """Return the name and the first deal of the rule set of the fewest players."""
    usual = min((one for one in defaults() if one.game == key), key=lambda one: one.players)
    return name(usual), compact(playthrough(usual, 1) or "")


def _still(found: list[Vector]) -> Iterator[Vector]:
    """What was asked with the answer of today, if its position is one still."""
    for one in found:
        with suppress(ValueError):
            yield again(one)


def cover(offered: Iterable[Vector], shows: Callable[[Vector], set[Any]]) -> list[Vector]:
    """Choose a few of many that show what all of them show: each time the one that is shortest for what it adds."""
    left = {one: (shows(one), len(write_vectors([one]))) for one in sorted(set(offered))}
    missing = set().union(*(shown for shown, _ in left.values()))
    found = []
    while missing:
        adding = {one: size / len(shown & missing) for one, (shown, size) in left.items() if shown & missing}
        found.append(min(adding, key=adding.__getitem__))
        missing -= left[found[-1]][0]
    return sorted(found)
