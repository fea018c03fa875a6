"""The parts of the whole set of vectors, and their digests: digests.txt, a line for each rule set.

A part is what one kind of vectors has of one rule set. It is made anew from the rules whenever it is wanted; what is
kept is its digest, so that a change is noticed and named by game, rule set and kind.

The file of a game holds playthroughs, refusals and invalid positions, chosen by what they cover: a deal of every number
of players up to six and of the most, played by the fixed rule, and a random one for each option that changes something
which the fixed rule does not come to; of the refusals as few as cite every code with every clause; of the invalid ones
as few as have every field of the game at fault, and with the files of the games before it every kind of fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from chitarrella.catalogue.record import Record, parse_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella_testing.perft_files import read_cases
from tests.vectors import counts, playthroughs, positions
from tests.vectors.playthroughs import MARK, OPTION, SIGN
from tests.vectors.positions import Asked, InvalidLine, events, of_game
from tests.walks import CATALOGUE, name

FILE: Final = Path(__file__).with_name("digests.txt")
HEAD: Final = """\
# The digests of the whole set of vectors, which `make vectors` writes to build/vectors; see README.md.
# A line a rule set: its name, the edition of its game, whether it was released, and for each kind how many vectors
# there are (of counts: the counts, and the deals) and how the SHA-256 of their text begins.
"""
DIGITS: Final = 16
RELEASED, NEW = "released", "new"
GUARDED: Final = ("match", "deals")
"""The kinds that a released rule set may change only with a new edition: matches are replayed by them."""
EVERY_PACK, RULES = ":every_pack", ":rules"
"""How the names end of lines that are of no rule set: counts over every pack, and the chapters of rules.md."""
EVENTS: Final = ("events", 1)
"""The line of the last chapter, which is of no game."""


class Part(NamedTuple):
    """What a kind of vectors has of a rule set: its amounts, of which the first is the number, and its text."""

    amounts: tuple[int, ...]
    text: str

    @property
    def digest(self) -> str:
        """The amounts, and how the digest of the text begins."""
        amounts = "/".join(map(str, self.amounts))
        return f"{amounts}:{sha256(self.text.encode()).hexdigest()[:DIGITS]}"


class Line(NamedTuple):
    """A line of the file: a name, the edition, whether it was released, and the digest of each kind."""

    name: str
    edition: int
    released: bool
    digests: Mapping[str, str]

    @property
    def key(self) -> tuple[str, int]:
        """What the line is of."""
        return self.name, self.edition

    @property
    def game(self) -> str:
        """The key of the game, the longest that the name begins with; empty for the events."""
        stem = self.name.partition(":")[0]
        return max((game.key for game in CATALOGUE if f"{stem}-".startswith(f"{game.key}-")), key=len, default="")


# ---------------------------------------------------------------------- parts


def _match(rule_set: RuleSet) -> Part:
    written = playthroughs.playthrough(rule_set)
    return _played({} if written is None else {name(rule_set): written})


def _played(texts: dict[str, str]) -> Part:
    return Part((len(texts),), "\n".join(f"{playthroughs.MARK}{title}\n{text}" for title, text in texts.items()))


def counted(game: str, text: str) -> Part:
    """A section of counts: how many there are, and of how many stride deals."""
    cases = read_cases(f"game {game}\nedition {CATALOGUE.game(game).edition}\n{text}")
    deals = {one.case.strides for one in cases if one.case.strides}
    return Part((sum(one.figures for one in cases), len(deals)), text)


def _listed(find: Callable[[RuleSet], list[Any]], write: Callable[[Any], str]) -> Callable[[RuleSet], Part]:
    """Make a part of what is found of a rule set, as a list."""

    def made(rule_set: RuleSet) -> Part:
        found = find(rule_set)
        return Part((len(found),), write(found))

    return made


KINDS: Final[dict[str, Callable[[RuleSet], Part]]] = {
    "match": _match,
    "deals": lambda rule_set: _played(playthroughs.chosen(rule_set)),
    "first": lambda rule_set: counted(rule_set.game, counts.section(rule_set, 1)),
    "counts": lambda rule_set: counted(rule_set.game, counts.section(rule_set)),
    "refusals": _listed(positions.refusals_of, positions.write_refusals),
    "invalid": _listed(positions.invalid_of, positions.write_invalid),
    "views": _listed(positions.views_of, positions.write_views),
}
"""What is made of every rule set. ``first`` is the beginning of ``counts``: the first deal alone, for a quick check."""


@cache
def rule_sets() -> dict[str, RuleSet]:
    """Every rule set by its name."""
    return {name(rule_set): rule_set for rule_set in playthroughs.rule_sets()}


def names(games: Collection[str]) -> Iterator[tuple[str, int]]:
    """Name everything that has a line, with its edition: rule sets of the games, what is beside them, old editions."""
    for game in (CATALOGUE.game(key) for key in games):
        yield f"{game.key}{RULES}", game.edition
        yield from ((title, game.edition) for title, rule_set in rule_sets().items() if rule_set.game == game.key)
        every = [title for title, case in counts.EVERY_PACK.items() if case.rule_set.game == game.key]
        yield from ((f"{title}{EVERY_PACK}", game.edition) for title in every)
    if len(games) == len(list(CATALOGUE)):
        yield EVENTS


def parts(what: tuple[str, int], kinds: Collection[str] = tuple(KINDS)) -> dict[str, Part]:
    """Make the parts of what has a line; of a former edition the match alone."""
    title, edition = what
    if what == EVENTS:
        text = "\n".join(events()) + "\n"
        return {"rules": Part((text.count("\n"),), text)}
    if title.endswith(RULES):
        game = CATALOGUE.game(title.removesuffix(RULES))
        text = "\n".join(of_game(game)) + "\n"
        return {"rules": Part((text.count("\n"),), text)}
    if title.endswith(EVERY_PACK):
        case = title.removesuffix(EVERY_PACK)
        return {"counts": counted(counts.EVERY_PACK[case].rule_set.game, counts.every_pack(case))}
    rule_set = rule_sets()[title]
    if edition != CATALOGUE.game(rule_set.game).edition:
        return {"match": _match(rule_set._replace(edition=edition))}
    return {kind: make(rule_set) for kind, make in KINDS.items() if kind in kinds}


# ---------------------------------------------------------------------- file


def read(path: Path = FILE) -> dict[tuple[str, int], Line]:
    """Read the file; empty if there is none."""
    rows = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    lines = [_parse(row) for row in rows if row and not row.startswith("#")]
    return {line.key: line for line in lines}


@cache
def kept() -> dict[tuple[str, int], Line]:
    """The lines of the file, read once."""
    return read()


def _parse(row: str) -> Line:
    title, edition, released, *digests = row.split(" ")
    assert released in (RELEASED, NEW), row
    found = dict(digest.split("=") for digest in digests)
    return Line(title, int(edition), released == RELEASED, found)


def write(lines: Iterable[Line], path: Path = FILE) -> None:
    """Write the file."""
    rows = [
        " ".join([
            line.name, str(line.edition), RELEASED if line.released else NEW,
            *(f"{kind}={digest}" for kind, digest in line.digests.items()),
        ])
        for line in sorted(lines, key=lambda line: (line.game, ":" in line.name, line.name, line.edition))
    ]  # fmt: skip
    path.write_text(HEAD + "".join(f"{row}\n" for row in rows), encoding="utf-8")


def totals(lines: Iterable[Line]) -> dict[str, tuple[int, ...]]:
    """Add up the amounts of each kind."""
    found: dict[str, tuple[int, ...]] = {}
    for line in lines:
        for kind, digest in line.digests.items():
            amounts = tuple(map(int, digest.partition(":")[0].split("/")))
            found[kind] = tuple(map(sum, zip(found.get(kind, (0,) * len(amounts)), amounts, strict=True)))
    return found


def amounts() -> dict[str, tuple[int, ...]]:
    """How many vectors of each kind there are; of the counts and their deals also the published ones."""
    found = totals(kept().values())
    cases = counts.kept().values()
    figures, deals = found["counts"]
    return found | {"counts": (figures + sum(one.figures for one in cases), deals + len(cases))}


# ---------------------------------------------------------------------- comparing


def differences(known: Line | None, made: Mapping[str, Part], what: tuple[str, int]) -> list[str]:
    """List which of some parts are not what their line says."""
    if known is None:
        return [f"{what[0]}, edition {what[1]}: has no line in {FILE.name}"]
    return [
        f"{known.name}, {kind}: {part.digest} instead of {known.digests.get(kind, 'nothing')}"
        for kind, part in made.items()
        if known.digests.get(kind) != part.digest
    ]


def advice(games: Iterable[str]) -> str:
    """Explain how to see what has changed."""
    chosen = " ".join(sorted(set(games)))
    return (
        f'To see the difference, run `make vectors ARGS="{chosen}"` here and in a checkout of the commit that wrote '
        f"the digests (git log -1 -- tests/vectors/{FILE.name}), and compare both build/vectors by `diff -r`. If the "
        f'change is meant, raise the edition of the game, and run `make vectors ARGS="--keep {chosen}"`.'
    )


def merged(
    known: Mapping[tuple[str, int], Line], found: Iterable[Line], *, afresh: bool
) -> tuple[list[Line], list[str]]:
    """Put new lines in the place of old ones; gives all lines, and which may not be changed, and why.

    What was released stays as it is while the edition of its game does; so do former editions, with the match alone.
    ``afresh`` says that the rules are the same, and only other random deals are played.
    """
    lines, refused = dict(known), list[str]()
    for line in found:
        old = known.get(line.key)
        guarded = GUARDED[:1] if afresh else GUARDED
        changed = [kind for kind in guarded if old and kind in old.digests and old.digests[kind] != line.digests[kind]]
        if old and old.released and changed:
            refused.append(f"{line.name} plays otherwise than it was released; raise the edition from {line.edition}")
        else:
            lines[line.key] = line._replace(released=bool(old and old.released))
        for key, former in known.items():
            if key[0] == line.name and key[1] < line.edition:
                lines[key] = former._replace(digests={"match": former.digests["match"]})
    return list(lines.values()), refused


FOLDER: Final = Path(__file__).parent
COMMAND: Final = "make vectors ARGS=--keep"
BREAK: Final = " / "
"""What stands in a line of these files between what are lines of a record."""
MOST_SHOWN: Final = 6
"""Up to so many players every number has a deal, and the greatest number."""
REFUSALS, INVALID = "# Refusals", "# Invalid positions"
"""The lines that part the file."""

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


def file_text(key: str, file: GameFile) -> str:
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
def game_file(key: str) -> GameFile:
    """The file of a game, read; empty if there is none."""
    path = path_of(key)
    return read_file(key, path.read_text(encoding="utf-8")) if path.exists() else GameFile({}, [], [])


def read_file(key: str, text: str) -> GameFile:
    """Read what `file_text` has written."""
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
    old = game_file(key)
    invalid = [again for one in old.invalid if (again := positions.fault(one.rule_set, one.line))]
    invalid += [one for rule_set in rule_sets for one in positions.invalid_of(rule_set)]
    asked = [again for one in old.refusals for again in _still(one)]
    asked += [one for one in positions.staged_refusals() if one.rule_set.game == key]
    asked += [one for rule_set in rule_sets for one in positions.refusals_of(rule_set)]
    before = {one.kind[1] for game in _before(key) for one in game_file(game).invalid}
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
