"""The readable file of a game: playthroughs, refusals and invalid positions, chosen by what they cover.

It has a deal of the fewest players and of the most, played by the fixed rule, and a random one for each option that
changes something which the fixed rule does not come to; of the refusals as few as cite every code with every clause; of
the invalid positions as few as have what those of `COMPARED` lack: fields at fault, and with the files of the games
before it kinds of fault. What holds no text is one kind, whatever its bytes.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import takewhile
from typing import Any, Final, NamedTuple

from chitarrella.catalogue.record import parse_record
from chitarrella.catalogue.registry import RuleSet
from tests.vectors import positions
from tests.vectors.playthroughs import MARK, OPTION, SIGN, Steps, chosen, playthrough, replayed, rule_sets
from tests.vectors.positions import FOLDER, Vector, again, kind_of_fault, read_vectors, write_vectors
from tests.walks import CATALOGUE, defaults, name

COMMAND: Final = "make vectors ARGS=--keep"
BREAK: Final = " / "  # what stands in a line of these files between what are lines of a record
REFUSALS, INVALID = "# Refusals", "# Invalid positions"
"""The lines that part the file."""
COMPARED: Final = defaults()[::2]
"""The rule sets of which `test_vectors` makes all invalid positions anew, and compares their digest."""


class GameFile(NamedTuple):
    """What the file of a game holds: playthroughs by name, as they stand there, and the rest."""

    playthroughs: dict[str, str]
    refusals: list[Vector]
    invalid: list[Vector]


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
            *(f"{MARK}{title}\n{text}" for title, text in file.playthroughs.items()),
            f"{REFUSALS}\n\n{write_vectors(file.refusals)}\n{INVALID}\n\n{write_vectors(file.invalid)}",
        ]
    )


def game_file(key: str) -> GameFile:
    """Read the file of a game; empty if there is none."""
    path = FOLDER / f"{key}.txt"
    played, _, rest = (path.read_text(encoding="utf-8") if path.exists() else "").partition(f"\n{REFUSALS}\n")
    refusals, _, invalid = rest.partition(f"\n{INVALID}\n")
    titles = [part.partition("\n") for part in played.split(f"\n{MARK}")[1:]]
    played_texts = {title: f"{text.rstrip()}\n" for title, _, text in titles}
    return GameFile(played_texts, list(read_vectors(key, refusals)), list(read_vectors(key, invalid)))


# ---------------------------------------------------------------------- choice


def choose(key: str) -> GameFile:
    """Choose what the file of a game holds; from random play, the scenes of its tests, and what it holds already."""
    own = [rule_set for rule_set in rule_sets() if rule_set.game == key]
    old = game_file(key)
    asked = [*_still(old.refusals), *(one for one in positions.staged_refusals() if one.rule_set.game == key)]
    asked += [one for rule_set in own for one in positions.refusals_of(rule_set)]
    invalid = [*_still(old.invalid), *(one for rule_set in own for one in positions.invalid_of(rule_set))]
    earlier = takewhile(lambda game: game.key != key, CATALOGUE)
    before = _compared().union(*(_faults(one) for game in earlier for one in game_file(game.key).invalid))
    faults = cover(invalid, lambda one: _faults(one) - before)
    return GameFile(dict(_playthroughs(own)), cover(asked, positions.all_cited), faults)


def _faults(one: Vector) -> set[Any]:
    """The field of the game, and the kind of fault; Python says of bytes that are no text which they are and where."""
    field, wrong = kind_of_fault(one)
    return {(one.rule_set.game, field), wrong.partition(" codec can't decode ")[1] or wrong}


@cache
def _compared() -> set[Any]:
    return set().union(*(_faults(one) for rule_set in COMPARED for one in positions.invalid_of(rule_set)))


def _still(found: list[Vector]) -> Iterator[Vector]:
    """What was asked with the answer of today, if its position is one still."""
    for one in found:
        try:
            today = again(one)
        except ValueError:
            continue
        yield from [today] if today else []


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


def is_shown(rule_set: RuleSet) -> bool:
    """Whether a deal of a rule set is kept whatever it shows."""
    players = CATALOGUE.entry(rule_set.game).players
    return not rule_set.options and rule_set.players in (min(players), max(players))


def _playthroughs(own: list[RuleSet]) -> Iterator[tuple[str, str]]:
    """A deal of the fewest players, one of the most, and for each option that no match shows the shortest that does."""
    yield from ((name(rule_set), compact(playthrough(rule_set, 1) or "")) for rule_set in own if is_shown(rule_set))
    shortest: dict[str, tuple[str, str]] = {}
    for rule_set in (one for one in own if one.options):
        ((option, _),) = rule_set.options
        text = playthrough(rule_set)
        for title, long in ({name(rule_set): text} if text else chosen(rule_set)).items():
            if SIGN in title and OPTION not in re.split(r"[:,.] ?", long.partition("\n")[0].replace(" ", "")):
                continue
            new = title, compact(long)
            old = shortest.setdefault(option, new)
            shortest[option] = min(old, new, key=lambda one: (SIGN in one[0], one[1].count("\n"), len(one[1])))
    yield from (one for one in shortest.values() if SIGN in one[0])
