"""The file of a game that is kept: playthroughs, refusals and invalid positions, chosen by what they cover.

There is a deal of every number of players up to six and of the most, played by the fixed rule, and a random one for
each option that changes something which the fixed rule does not come to; of the refusals as few as cite every code with
every clause; of the invalid positions as few as have every field of the game at fault, and with the files of the games
before it every kind of fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from chitarrella.catalogue.record import Record, parse_record
from chitarrella.catalogue.registry import RuleSet
from tests.vectors import playthroughs, positions
from tests.vectors.playthroughs import MARK, OPTION, SIGN
from tests.vectors.positions import Asked, InvalidLine
from tests.walks import CATALOGUE, name

FOLDER: Final = Path(__file__).parent
COMMAND: Final = "make vectors ARGS=--keep"
BREAK: Final = " / "
"""What stands in a line of these files between what are lines of a record."""
REFUSALS, INVALID = "# Refusals", "# Invalid positions"
"""The lines that part the file."""

MOST_SHOWN: Final = 6
"""Up to so many players every number has a deal, and the greatest number."""

T = TypeVar("T", bound=tuple[Any, ...] | str)


class GameFile(NamedTuple):
    """What the file of a game holds: playthroughs by name, as they stand there, and the rest."""

    playthroughs: dict[str, str]
    refusals: list[Asked]
    invalid: list[InvalidLine]


def path_of(key: str) -> Path:
    """The file of a game."""
    return FOLDER / f"{key}.txt"


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


def expanded(text: str) -> str:
    """The record, with a line for each move."""
    return text.replace(BREAK, "\n")


def record_of(text: str) -> Record:
    """Read a playthrough as it stands in the file of a game."""
    return parse_record(CATALOGUE, expanded(text))


def replayed(text: str) -> str:
    """Play the moves of a playthrough again, and write it as it stands in the file of a game."""
    record = record_of(text)
    return compact(playthroughs.written(text.partition("\n")[0], CATALOGUE.game_for(record.rule_set), record))


def written(key: str, file: GameFile) -> str:
    """Write the file of a game."""
    game = CATALOGUE.game(key)
    refusals, invalid = positions.write_refusals(file.refusals), positions.write_invalid(file.invalid)
    return "\n".join(
        [
            f"# {game.title}, edition {game.edition}. Written by `{COMMAND}`; how to read it: README.md\n",
            *(f"{MARK}{title}\n{text}" for title, text in file.playthroughs.items()),
            f"{REFUSALS}\n\n{refusals}\n{INVALID}\n\n{invalid}",
        ]
    )


@cache
def kept(key: str) -> GameFile:
    """The file of a game, read; empty if there is none."""
    path = path_of(key)
    return read(key, path.read_text(encoding="utf-8")) if path.exists() else GameFile({}, [], [])


def read(key: str, text: str) -> GameFile:
    """Read what `written` has written."""
    played, _, rest = text.partition(f"\n{REFUSALS}\n")
    refusals, _, invalid = rest.partition(f"\n{INVALID}\n")
    titles = [part.partition("\n") for part in played.split(f"\n{MARK}")[1:]]
    return GameFile(
        {title: f"{text.rstrip()}\n" for title, _, text in titles},
        list(positions.read_refusals(key, refusals)),
        list(positions.read_invalid(key, invalid)),
    )


# ---------------------------------------------------------------------- choice


def choose(key: str) -> GameFile:
    """Choose what the file of a game holds; from random play, the scenes of its tests, and what it holds already."""
    rule_sets = [rule_set for rule_set in playthroughs.rule_sets() if rule_set.game == key]
    old = kept(key)
    invalid = [again for one in old.invalid if (again := positions.fault(one.rule_set, one.line))]
    invalid += [one for rule_set in rule_sets for one in positions.invalid_of(rule_set)]
    asked = [again for one in old.refusals for again in _still(one)]
    asked += [one for one in positions.staged_refusals() if one.rule_set.game == key]
    asked += [one for rule_set in rule_sets for one in positions.refusals_of(rule_set)]
    before = {one.kind[1] for game in _before(key) for one in kept(game).invalid}
    return GameFile(
        dict(_playthroughs(rule_sets)),
        cover(asked, positions.all_cited, lambda one: (len(one.rule_set.options), len(one.position), one)),
        cover(
            invalid,
            lambda one: {("field", one.kind[0]), *({one.kind[1]} - before)},
            lambda one: (len(one.rule_set.options), len(one.line), one),
        ),
    )


def _before(key: str) -> Iterator[str]:
    """The games that come before one in the catalogue."""
    for game in CATALOGUE:
        if game.key == key:
            return
        yield game.key


def _still(asked: Asked) -> Iterator[Asked]:
    """What was asked with the answer of today, if its position is one still."""
    try:
        yield positions.asked_again(asked)
    except ValueError:
        return


def cover(offered: Iterable[T], shows: Callable[[T], set[Any]], size: Callable[[T], Any]) -> list[T]:
    """Choose a few of many that show what all of them show: each time the one that shows most, of equals the least."""
    left = {one: shows(one) for one in sorted(set(offered), key=size)}
    missing = set().union(*left.values())
    found = []
    while missing:
        best = max(left, key=lambda one: len(left[one] & missing))
        found.append(best)
        missing -= left.pop(best)
    return sorted(found)


def is_shown(rule_set: RuleSet) -> bool:
    """Whether a deal of a rule set is kept whatever it shows."""
    most = max(CATALOGUE.game(rule_set.game).seatings)
    return not rule_set.options and (rule_set.players <= MOST_SHOWN or rule_set.players == most)


def _playthroughs(rule_sets: list[RuleSet]) -> Iterator[tuple[str, str]]:
    """The first deal of every number of players, and the shortest deal by which an option shows that no match has."""
    shortest: dict[str, tuple[str, str]] = {}
    for rule_set in rule_sets:
        if is_shown(rule_set):
            text = playthroughs.playthrough(rule_set, 1)
            assert text
            yield name(rule_set), compact(text)
    for rule_set in (one for one in rule_sets if one.options):
        ((option, _),) = rule_set.options
        text = playthroughs.playthrough(rule_set)
        found = {name(rule_set): text} if text else playthroughs.chosen(rule_set)
        for title, long in found.items():
            if SIGN in title and OPTION not in re.split(r"[:,.] ?", long.partition("\n")[0].replace(" ", "")):
                continue
            new = title, compact(long)
            old = shortest.setdefault(option, new)
            shortest[option] = min(old, new, key=lambda one: (SIGN in one[0], one[1].count("\n"), len(one[1])))
    yield from (one for one in shortest.values() if SIGN in one[0])
