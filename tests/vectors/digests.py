"""The parts of the whole set of vectors, and their digests: digests.txt.xz, a line for each rule set.

A part is what one kind of vectors has of one rule set. It is made anew from the rules whenever it is wanted; what is
kept is its digest, so that a change is noticed and named by game, rule set and kind.
"""

import lzma
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from chitarrella.catalogue.registry import RuleSet
from chitarrella_testing.perft_files import read_cases
from tests.vectors import counts, playthroughs, positions
from tests.vectors.positions import Vector
from tests.walks import CATALOGUE, name

FILE: Final = Path(__file__).with_name("digests.txt.xz")
HEAD: Final = """\
# The digests of the whole set of vectors, which `make vectors` writes to build/vectors; see README.md.
# A line a rule set: its name, the edition of its game, whether it was released, and for each kind how many vectors
# there are (of counts: the counts, and the deals) and how the SHA-256 of their text begins. The kinds, if no others are
# named: match, deals, counts, refusals, invalid, views.
"""
DIGITS: Final = 4
RELEASED, NEW = "released", "new"
GUARDED: Final = ("match", "deals")
"""The kinds that a released rule set may change only with a new edition: matches are replayed by them."""
EVERY_PACK, RULES = ":every_pack", ":rules"
"""How the names end of lines that are of no rule set: counts over every pack, and the chapters of rules.md."""
EVENTS: Final = ("events", 1)  # the line of the last chapter, which is of no game

Key: TypeAlias = tuple[str, int]  # what a line is of: a name and the edition


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
    def key(self) -> Key:
        return self[:2]

    @property
    def game(self) -> str:
        """The key of the game, the longest that the name begins with; empty for the events."""
        stem = self.name.partition(":")[0]
        return max((game.key for game in CATALOGUE if f"{stem}-".startswith(f"{game.key}-")), key=len, default="")

    @property
    def is_former(self) -> bool:
        """Whether the line is of a former edition of a rule set that there still is."""
        return self.name in rule_sets() and self.edition < CATALOGUE.game(self.game).edition


# ---------------------------------------------------------------------- parts


def _played(texts: Mapping[str, str | None]) -> Part:
    found = [f"{playthroughs.MARK}{title}\n{text}" for title, text in texts.items() if text is not None]
    return Part((len(found),), "\n".join(found))


def _counted(game: str, text: str) -> Part:
    """A section of counts: how many there are, and of how many stride deals."""
    cases = read_cases(f"game {game}\nedition {CATALOGUE.game(game).edition}\n{text}")
    deals = {one.case.strides for one in cases if one.case.strides}
    return Part((sum(one.figures for one in cases), len(deals)), text)


def _listed(found: Collection[Vector]) -> Part:
    return Part((len(found),), positions.write_vectors(found))


def _lines(lines: Iterable[str]) -> dict[str, Part]:
    text = "\n".join(lines) + "\n"
    return {"rules": Part((text.count("\n"),), text)}


KINDS: Final[dict[str, Callable[[RuleSet], Part]]] = {
    "match": lambda rule_set: _played({name(rule_set): playthroughs.playthrough(rule_set)}),
    "deals": lambda rule_set: _played(playthroughs.chosen(rule_set)),
    "counts": lambda rule_set: _counted(rule_set.game, counts.section(rule_set)),
    "refusals": lambda rule_set: _listed(positions.refusals_of(rule_set)),
    "invalid": lambda rule_set: _listed(positions.invalid_of(rule_set)),
    "views": lambda rule_set: _listed(positions.views_of(rule_set)),
}
"""What is made of every rule set."""


@cache
def rule_sets() -> dict[str, RuleSet]:
    return {name(rule_set): rule_set for rule_set in playthroughs.rule_sets()}


def names(games: Collection[str]) -> Iterator[Key]:
    """Name everything of the present editions that has a line: rule sets of the games, and what is beside them."""
    for game in (CATALOGUE.game(key) for key in games):
        yield f"{game.key}{RULES}", game.edition
        yield from ((title, game.edition) for title, rule_set in rule_sets().items() if rule_set.game == game.key)
        every = [title for title, case in counts.EVERY_PACK.items() if case.rule_set.game == game.key]
        yield from ((f"{title}{EVERY_PACK}", game.edition) for title in every)
    if len(games) == len(list(CATALOGUE)):
        yield EVENTS


def parts(what: Key, kinds: Collection[str] = tuple(KINDS)) -> dict[str, Part]:
    """Make the parts of what has a line; of a former edition the match alone."""
    title, edition = what
    if what == EVENTS:
        return _lines(positions.events())
    if title.endswith(RULES):
        return _lines(positions.of_game(CATALOGUE.game(title.removesuffix(RULES))))
    if title.endswith(EVERY_PACK):
        case = title.removesuffix(EVERY_PACK)
        return {"counts": _counted(counts.EVERY_PACK[case].rule_set.game, counts.every_pack(case))}
    rule_set = rule_sets()[title]
    if edition != CATALOGUE.game(rule_set.game).edition:
        return {"match": KINDS["match"](rule_set._replace(edition=edition))}
    return {kind: make(rule_set) for kind, make in KINDS.items() if kind in kinds}


# ---------------------------------------------------------------------- file


@cache
def kept() -> dict[Key, Line]:
    """The lines of the file; none if there is no file."""
    rows = lzma.decompress(FILE.read_bytes()).decode().splitlines() if FILE.exists() else []
    found = {}
    for title, edition, released, *digests in (row.split(" ") for row in rows if row and not row.startswith("#")):
        assert released in (RELEASED, NEW), title
        named = [digest.split("=") for digest in digests] if "=" in digests[0] else zip(KINDS, digests, strict=True)
        line = Line(title, int(edition), released == RELEASED, dict(named))
        found[line.key] = line
    return found


def write(lines: Iterable[Line]) -> None:
    FILE.write_bytes(lzma.compress(text_of(lines).encode()))


def text_of(lines: Iterable[Line]) -> str:
    rows = [
        " ".join([
            line.name, str(line.edition), RELEASED if line.released else NEW,
            *(digest if [*line.digests] == [*KINDS] else f"{kind}={digest}" for kind, digest in line.digests.items()),
        ])
        for line in sorted(lines, key=lambda line: (line.game, ":" in line.name, *line.key))
    ]  # fmt: skip
    return HEAD + "".join(f"{row}\n" for row in rows)


def totals(lines: Iterable[Line]) -> dict[str, tuple[int, ...]]:
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


def differences(made: Mapping[str, Part], what: Key) -> list[str]:
    """List which of some parts are not what their line says."""
    if what not in kept():
        return [f"{what[0]}, edition {what[1]}: has no line in {FILE.name}"]
    known = kept()[what].digests
    other = {kind: part for kind, part in made.items() if known.get(kind) != part.digest}
    return [f"{what[0]}, {kind}: {part.digest} instead of {known.get(kind, 'nothing')}" for kind, part in other.items()]


def advice(games: Iterable[str]) -> str:
    """Explain how to see what has changed."""
    chosen = " ".join(sorted(set(games)))
    return (
        f'To see the difference, run `make vectors ARGS="{chosen}"` here and in a checkout of the commit that wrote '
        f"the digests (git log -1 -- tests/vectors/{FILE.name}), and compare both build/vectors by `diff -r`. If the "
        f'change is meant, raise the edition of the game, and run `make vectors ARGS="--keep {chosen}"`.'
    )


def merged(known: Mapping[Key, Line], found: Iterable[Line], *, afresh: bool) -> tuple[list[Line], list[str]]:
    """Put new lines in the place of old ones; gives all lines, and which may not be changed, and why.

    What was released stays as it is while the edition of its game does; so do former editions, with the match alone.
    ``afresh`` says that the rules are the same, and only other random deals are played.
    """
    lines, refused = dict(known), list[str]()
    for line in found:
        old = known.get(line.key)
        guarded = GUARDED[:1] if afresh else GUARDED
        both = old.digests.keys() & line.digests.keys() if old else ()
        changed = [kind for kind in guarded if old and kind in both and old.digests[kind] != line.digests[kind]]
        if old and old.released and changed:
            refused.append(f"{line.name} plays otherwise than it was released; raise the edition from {line.edition}")
        else:
            lines[line.key] = line._replace(released=bool(old and old.released))
        for key, former in known.items():
            if key[0] == line.name and key[1] < line.edition:
                del lines[key]
                if "match" in former.digests:
                    lines[key] = former._replace(digests={"match": former.digests["match"]})
    return list(lines.values()), refused
