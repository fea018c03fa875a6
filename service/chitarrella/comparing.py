"""Telling two games apart, or two agreements on one game: what they are played with, and clause by clause.

Two clauses are the same when they say the same, whatever their numbers. Of those that are not, two stand side by side
where a refusal with the same code rests on them, or where they have the same number; the others stand alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from chitarrella.game import AnyGame
from chitarrella.words import Clause, Form


class Difference(NamedTuple):
    """Something that is not the same in both; what one of them lacks is empty there."""

    about: str
    name: str = ""
    first: str = ""
    second: str = ""
    first_clause: Clause | None = None
    second_clause: Clause | None = None


class Table(NamedTuple):
    """A game that is seated, for so many players, and what was chosen of its options."""

    game: AnyGame
    players: int
    chosen: Mapping[str, str]

    def choice(self, name: str) -> str:
        """Say what is agreed on an option, empty where there is none of that name."""
        defaults = {option.name: option.default for option in self.game.options}
        return self.chosen.get(name, defaults.get(name, "")) if name in defaults else ""


def differences(first: Table, second: Table) -> tuple[Difference, ...]:
    """List what differs, the plainest first."""
    return (*_plain(first, second), *_options(first, second), *_moves(first, second), *_clauses(first, second))


def alike(first: Table, second: Table) -> int:
    """Count the clauses that say the same in both."""
    return len({clause.says for clause in first.game.clauses} & {clause.says for clause in second.game.clauses})


def _plain(first: Table, second: Table) -> Iterator[Difference]:
    pack, other = (f"{table.game.pack.name}, {len(table.game.pack.cards)} cards" for table in (first, second))
    if pack != other:
        yield Difference("pack", "", pack, other)
    if first.players != second.players:
        yield Difference("players", "", str(first.players), str(second.players))


def _options(first: Table, second: Table) -> Iterator[Difference]:
    names = [option.name for table in (first, second) for option in table.game.options]
    for name in dict.fromkeys(names):
        choices = first.choice(name), second.choice(name)
        if choices[0] != choices[1]:
            yield Difference("option", name, choices[0], choices[1])


def _moves(first: Table, second: Table) -> Iterator[Difference]:
    ours, theirs = first.game.forms, second.game.forms
    for verb in dict.fromkeys((*ours, *theirs)):
        says = _form(ours.get(verb)), _form(theirs.get(verb))
        if says[0] != says[1]:
            yield Difference("move", verb, says[0], says[1])


def _form(form: Form | None) -> str:
    """Say what a move means, and the words it takes."""
    if form is None:
        return ""
    words = ", ".join(word or "none" for word in form.words)
    return f"{form.means} ({words})" if words else form.means


def _clauses(first: Table, second: Table) -> Iterator[Difference]:
    """Pair the clauses that refusals rest on, then those of the same number, then give the rest."""
    left, right = _own(first, second), _own(second, first)
    paired: set[Clause] = set()
    ours, theirs = first.game.grounds, second.game.grounds
    pairs = [("reason", code, ours[code], theirs[code]) for code in ours if code in theirs]
    pairs += [("clause", "", clause, other) for clause in left for other in right if clause.key == other.key]
    for about, name, clause, other in pairs:
        if clause in left and other in right and not {clause, other} & paired:
            paired |= {clause, other}
            yield Difference(about, name, clause.says, other.says, clause, other)
    yield from (Difference("clause", "", clause.says, "", clause) for clause in left if clause not in paired)
    yield from (Difference("clause", "", "", other.says, None, other) for other in right if other not in paired)


def _own(table: Table, other: Table) -> list[Clause]:
    """List the clauses that say what none of the other says."""
    said = {clause.says for clause in other.game.clauses}
    return [clause for clause in table.game.clauses if clause.says not in said]
