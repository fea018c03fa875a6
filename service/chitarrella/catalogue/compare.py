"""Comparison of two games, or of two rule sets of one game: pack, players, options, moves, clauses.

Two clauses are the same if their texts are, whatever their numbers. Different clauses are paired if they stand behind
the same reason code, or if they have the same number; the others stand alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from chitarrella.core.game import AnyGame
from chitarrella.core.model import Clause, MoveSpec


class Difference(NamedTuple):
    """A difference of the kind ``about``; ``name`` is the option, verb or code. A side that lacks it is empty."""

    about: str
    name: str = ""
    first: str = ""
    second: str = ""
    first_clause: Clause | None = None
    second_clause: Clause | None = None


class ComparedGame(NamedTuple):
    """A configured game, with the number of players and the options that were chosen."""

    game: AnyGame
    players: int
    options: Mapping[str, str]

    def choice(self, name: str) -> str:
        """Return the value of an option, empty if the game has none of that name."""
        defaults = {option.name: option.default for option in self.game.options}
        return self.options.get(name, defaults.get(name, "")) if name in defaults else ""


def compare(first: ComparedGame, second: ComparedGame) -> tuple[Difference, ...]:
    """Return all differences: pack and players, options, moves, clauses."""
    return (
        *_pack_and_players(first, second),
        *_options(first, second),
        *_moves(first, second),
        *_clauses(first, second),
    )


def count_same_clauses(first: ComparedGame, second: ComparedGame) -> int:
    """Return the number of clauses with the same text in both."""
    return len({clause.text for clause in first.game.clauses} & {clause.text for clause in second.game.clauses})


def _pack_and_players(first: ComparedGame, second: ComparedGame) -> Iterator[Difference]:
    pack, other = (f"{table.game.pack.name}, {len(table.game.pack.cards)} cards" for table in (first, second))
    if pack != other:
        yield Difference("pack", "", pack, other)
    if first.players != second.players:
        yield Difference("players", "", str(first.players), str(second.players))


def _options(first: ComparedGame, second: ComparedGame) -> Iterator[Difference]:
    names = [option.name for table in (first, second) for option in table.game.options]
    for name in dict.fromkeys(names):
        choices = first.choice(name), second.choice(name)
        if choices[0] != choices[1]:
            yield Difference("option", name, choices[0], choices[1])


def _moves(first: ComparedGame, second: ComparedGame) -> Iterator[Difference]:
    ours, theirs = first.game.move_specs, second.game.move_specs
    for verb in dict.fromkeys((*ours, *theirs)):
        says = _spec(ours.get(verb)), _spec(theirs.get(verb))
        if says[0] != says[1]:
            yield Difference("move", verb, says[0], says[1])


def _spec(spec: MoveSpec | None) -> str:
    """Return the description of a move with its choices."""
    if spec is None:
        return ""
    words = ", ".join(word or "none" for word in spec.choices)
    return f"{spec.description} ({words})" if words else spec.description


def _clauses(first: ComparedGame, second: ComparedGame) -> Iterator[Difference]:
    """Yield pairs behind the same reason code, then pairs of the same number, then the other clauses."""
    left, right = _own_clauses(first, second), _own_clauses(second, first)
    paired: set[Clause] = set()
    ours, theirs = first.game.reason_clauses, second.game.reason_clauses
    pairs = [("reason", code, ours[code], theirs[code]) for code in ours if code in theirs]
    pairs += [("clause", "", clause, other) for clause in left for other in right if clause.key == other.key]
    for about, name, clause, other in pairs:
        if clause in left and other in right and not {clause, other} & paired:
            paired |= {clause, other}
            yield Difference(about, name, clause.text, other.text, clause, other)
    yield from (Difference("clause", "", clause.text, "", clause) for clause in left if clause not in paired)
    yield from (Difference("clause", "", "", other.text, None, other) for other in right if other not in paired)


def _own_clauses(table: ComparedGame, other: ComparedGame) -> list[Clause]:
    """Return the clauses whose text the other game does not have."""
    texts = {clause.text for clause in other.game.clauses}
    return [clause for clause in table.game.clauses if clause.text not in texts]
