"""Perft files: cases as text, each with its counts.

A file names the game, then its rule sets one after the other, each with its cases::

    game KEY
    edition 1

    players 2
    option first_dealer 1

    case with twelve cards
    pack stride 7 first 12
    depth all
    level 0 1 0 0 -

A case gives all counts of every level, and those of each first decision. Instead of a pack it may have ``chance
weighted``: then its counts are those of all packs together, and after ``among`` stand the faces that are in play. A
rule set without ``case`` is a single case without a name.

`write_heading` and `write_section` write such files, `write_case` one with a single case, `read_cases` reads one, and
`check` counts again and says what differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella_testing.perft import COUNTS, LEGEND, Case, InvalidCase, counts, figures

GAME, PLAYERS, CASE = "game", "players", "case"
"""How the lines begin that open a file, a rule set, and a case."""


class Written(NamedTuple):
    """A case as it stands in a file: its name, what it counts, its counts line by line."""

    name: str
    case: Case
    lines: tuple[str, ...]

    @property
    def figures(self) -> int:
        """The number of its counts: of every number, and every digest, that is counted again."""
        return sum(map(figures, self.lines))


class Entry(NamedTuple):
    """A case to be written into a file with others."""

    case: Case
    name: str
    note: str = ""


def write_case(catalogue: Catalogue, case: Case, note: str = "") -> str:
    """Count a case and put it into text, after a ``note`` on what it is."""
    head = [*_note(note), LEGEND, *_agreed(catalogue, case), *_laid(case)]
    return "\n".join([*head, "", *counts(catalogue, case)]) + "\n"


def write_heading(catalogue: Catalogue, game: str, note: str) -> str:
    """Write the lines with which the file of a game begins."""
    edition = catalogue.game(game).edition
    return "\n".join([*_note(note), f"{GAME} {game}", f"edition {edition}"]) + "\n"


def write_section(catalogue: Catalogue, rule_set: RuleSet, entries: Iterable[Entry]) -> str:
    """Count the cases of a rule set and write them."""
    blocks = ["\n".join([f"{PLAYERS} {rule_set.players}", *_options(rule_set)])]
    for case, name, note in entries:
        if case.rule_set != rule_set:
            raise InvalidCase("the cases of a section are of one rule set")
        lines = [*_note(note), f"{CASE} {name}", *_laid(case), *counts(catalogue, case)]
        blocks.append("\n".join(["", *lines]))
    return "\n".join(blocks) + "\n"


def _note(text: str) -> list[str]:
    return [f"# {line}" for line in text.splitlines()]


def _agreed(catalogue: Catalogue, case: Case) -> list[str]:
    rule_set = catalogue.normalize(case.rule_set)
    lines = [f"{GAME} {rule_set.game}", f"{PLAYERS} {rule_set.players}", f"edition {rule_set.edition}"]
    return lines + _options(rule_set)


def _options(rule_set: RuleSet) -> list[str]:
    return [f"option {name} {value}" for name, value in rule_set.options]


def _laid(case: Case) -> list[str]:
    """The lines of where the count begins and how far it goes."""
    lines = [f"position {case.position}"] * bool(case.position)
    steps = " ".join(map(str, case.strides))
    lines += [f"pack stride {steps}" + f" first {case.first}" * bool(case.first)] * bool(steps)
    lines += [f"played {case.played}"] * bool(case.played)
    lines += [f"without {' '.join(case.without)}"] * bool(case.without)
    lines += [" ".join(["chance weighted", *(("among", *case.among) if case.among else ())])] * case.weighted
    return [*lines, f"depth {'all' if case.depth is None else case.depth}"]


def read_cases(text: str) -> list[Written]:
    """Read all cases of a text with the counts that it gives; raises `InvalidCase`."""
    found: list[Written] = []
    game: list[str] = []
    for opening, *lines in _blocks(text):
        if opening == GAME:
            game = lines
        else:
            found += _section([*game, *lines])
    return found or [_written("", game)]


def read_case(text: str) -> Case:
    """Read the case of a text that holds a single one, without its counts; raises `InvalidCase`."""
    (written, *others) = read_cases(text)
    if others:
        raise InvalidCase("there are several cases")
    return written.case


def _blocks(text: str) -> Iterator[list[str]]:
    """Divide a text at the lines that name a game or a number of players: which of both it is, and the lines."""
    block = [GAME]
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if (head := line.partition(" ")[0]) in (GAME, PLAYERS):
            yield block
            block = [head]
        if line and not line.startswith("#"):
            block.append(line)
    yield block


def _section(lines: list[str]) -> Iterator[Written]:
    """Read the cases of a rule set; the lines before the first case apply to all of them."""
    begins = [at for at, line in enumerate(lines) if line.partition(" ")[0] == CASE]
    if not begins:
        yield _written("", lines)
        return
    common = lines[: begins[0]]
    if any(line.partition(" ")[0] in COUNTS for line in common):
        raise InvalidCase("there are counts before the first case")
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        yield _written(lines[begin].partition(" ")[2], [*common, *lines[begin + 1 : end]])


def _written(name: str, lines: list[str]) -> Written:
    said: dict[str, str] = {}
    options: list[tuple[str, str]] = []
    for line in lines:
        head, _, rest = line.partition(" ")
        if head == "option":
            option, _, value = rest.partition(" ")
            options.append((option, value))
        elif head not in COUNTS:
            said[head] = rest
    try:
        case = _case(said, options)
    except (KeyError, ValueError) as error:
        raise InvalidCase(f"a heading is missing or wrong: {error}") from None
    if said:
        raise InvalidCase(f"there is no heading {next(iter(said))!r}")
    return Written(name, case, tuple(line for line in lines if line.split(" ", 1)[0] in COUNTS))


def _case(said: dict[str, str], options: list[tuple[str, str]]) -> Case:
    strides, first = _pack(said.pop("pack", ""))
    weighted, among = _chance(said.pop("chance", ""))
    if strides and weighted:
        raise ValueError("a pack, or every pack")
    depth = said.pop("depth", "all")
    return Case(
        RuleSet(said.pop("game"), int(said.pop("players")), tuple(sorted(options)), int(said.pop("edition"))),
        said.pop("position", ""),
        strides,
        first,
        int(said.pop("played", "0")),
        None if depth == "all" else int(depth),
        tuple(said.pop("without", "").split()),
        weighted,
        among,
    )


def _pack(text: str) -> tuple[tuple[int, ...], int]:
    """Read ``stride 7 9 11`` or ``stride 7 first 12``."""
    if not text:
        return (), 0
    steps, _, first = text.partition(" first ")
    word, *numbers = steps.split()
    if word != "stride" or not numbers or (" first" in text and not first):
        raise ValueError(text)
    return tuple(map(int, numbers)), int(first or "0")


def _chance(text: str) -> tuple[bool, tuple[str, ...]]:
    """Read ``weighted among II NUL XIII``."""
    words = text.split()
    if words[:1] not in ([], ["weighted"]) or words[1:2] not in ([], ["among"]) or len(words) == 2:
        raise ValueError(text)
    return bool(words), tuple(words[2:])


def check(catalogue: Catalogue, written: Written) -> list[str]:
    """Count a case again and say where its counts differ; nothing where they are right."""
    counted = Counter(" ".join(line.split()) for line in counts(catalogue, written.case))
    said = Counter(written.lines)
    missing = [f"written but not counted: {line}" for line in said - counted]
    return missing + [f"counted but not written: {line}" for line in counted - said]
