"""Refusal cases: a position, who says what there, and every clause against it, as text that any engine can read.

They are chosen out of random play over all rule sets, and of the scenes of ``tests/games/data/refusals*.txt``: for
each number of players, phase and kind of move every set of clauses that was met, in the shortest positions. Where an
option changes the answer, both answers are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, validate_move
from chitarrella.core.model import CHANCE, Move, Refusal, Seat
from chitarrella.core.notation import CHANCE_NAME, parse_move
from tests.vectors.blocks import read_blocks, write_blocks
from tests.walks import CATALOGUE

FOLDER = Path(__file__).parent.parent / "vectors" / "refusals"
COMMAND = "python -m tests.refusals.write"
ALLOWED = "allowed"


class Asked(NamedTuple):
    """Who says what, and the answer, a line for each clause against it."""

    actor: Seat
    move: str
    answer: tuple[str, ...]


class Scene(NamedTuple):
    """A rule set, a position, and what is asked there."""

    rule_set: RuleSet
    position: str
    asked: tuple[Asked, ...]


# ---------------------------------------------------------------------- writing


def answer(game: AnyGame, p: Position, actor: Seat, move: Move) -> tuple[str, ...]:
    """Validate a move and write the answer down."""
    return tuple(map(_line, validate_move(game, p, actor, move))) or (ALLOWED,)


def _line(refusal: Refusal) -> str:
    """Write a broken clause with its particulars; what only has a price is no refusal."""
    parts = ["costs" if refusal.reason.penalty else "refused", refusal.code, refusal.clause.key]
    parts += [f"word={quote(refusal.word, safe='')}"] if refusal.word else []
    parts += [] if refusal.amount is None else [f"amount={refusal.amount}"]
    parts += [f"allowed_cards={','.join(refusal.allowed_cards)}"] if refusal.allowed_cards else []
    parts += [f"offending_cards={','.join(refusal.offending_cards)}"] if refusal.offending_cards else []
    return " ".join(parts)


def written(key: str, scenes: Iterable[Scene]) -> str:
    """Write the file of a game."""
    return write_blocks(key, "refusals", COMMAND, ((scene.rule_set, list(_lines(scene))) for scene in scenes))


def _lines(scene: Scene) -> Iterator[str]:
    if scene.position:
        yield f"position {scene.position}"
    for actor, move, said in scene.asked:
        yield f"ask {CHANCE_NAME if actor == CHANCE else actor} {move}"
        yield from said


# ---------------------------------------------------------------------- reading


def read_scenes(text: str) -> Iterator[Scene]:
    """Read a file, scene by scene."""
    for rule_set, rows in read_blocks(text):
        position = ""
        asked: list[Asked] = []
        for head, rest in rows:
            if head == "position":
                position = rest
            elif head == "ask":
                who, _, what = rest.partition(" ")
                asked.append(Asked(CHANCE if who == CHANCE_NAME else int(who), what, ()))
            else:
                asked[-1] = asked[-1]._replace(answer=(*asked[-1].answer, f"{head} {rest}".rstrip()))
        yield Scene(rule_set, position, tuple(asked))


def answers(scene: Scene) -> Iterator[tuple[Asked, tuple[str, ...]]]:
    """Validate again what was asked in a scene; gives what is written with what is answered now."""
    game = CATALOGUE.game_for(scene.rule_set)
    p = game.decode(scene.position) if scene.position else game.start()
    for asked in scene.asked:
        yield asked, answer(game, p, asked.actor, parse_move(game, asked.move))


def cited(line: str) -> tuple[str, str]:
    """The code and the clause of a line of an answer."""
    _, code, clause, *_ = line.split(" ")
    return code, clause


def citable(game: AnyGame) -> set[tuple[str, str]]:
    """Every code with every clause that a seated game may cite for it, also for the sake of a single kind of move."""
    found = set()
    for reason in game.reasons:
        keys = [reason.code, *(f"{verb} {reason.code}" for verb in game.move_specs)]
        found |= {(reason.code, game.reason_clauses[key].key) for key in keys if key in game.reason_clauses}
    return found
