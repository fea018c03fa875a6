"""Playthroughs: matches played by a fixed rule, without any dice, and written down as records with comments.

Deal after deal the packs are the stride packs of `tests.kit.strides`; the moves follow `tests.kit.steady_choice`. Every
game and number of players has one, for the whole match. An option has one where it changes anything, up to the end of
the first deal that it changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from chitarrella.catalogue import Agreement
from chitarrella.exchange.game import ExchangeGame
from chitarrella.game import AnyGame, play, replay
from chitarrella.record import Record, write_record
from chitarrella.words import CHANCE, Event, Move, Seat
from tests.kit import BOUND, CATALOGUE, defaults, name, steady_chance, steady_choice, variants

FOLDER = Path(__file__).parent.parent / "vectors" / "records"
MANIFEST = FOLDER / "manifest.txt"
COMMAND = "python -m tests.playthroughs.write"

DEALS, SHORT_DEALS = 9, 60
"""A match that is not over by then is broken off; deals of one card each are short."""


class Made(NamedTuple):
    """A move that was made, and what came of it."""

    actor: Seat
    move: Move
    events: tuple[Event, ...]


def agreements() -> list[Agreement]:
    """Every rule set that may have a playthrough."""
    return [*defaults(), *variants()]


def playthrough(agreement: Agreement) -> str | None:
    """Play and write the match of a rule set; None where its option changes nothing."""
    if not agreement.options:
        return text(agreement, whole_match(agreement))
    usual = whole_match(agreement._replace(options=()))
    played: list[tuple[Made, ...]] = []
    for number, deal in enumerate(deals(agreement)):
        played.append(deal)
        if number >= len(usual) or deal != usual[number]:
            return text(agreement, tuple(played))
    return None


@lru_cache(maxsize=32)
def whole_match(agreement: Agreement) -> tuple[tuple[Made, ...], ...]:
    """All deals of a match."""
    return tuple(deals(agreement))


def deals(agreement: Agreement) -> Iterator[tuple[Made, ...]]:
    """Play a match and give what was done, deal by deal."""
    game = CATALOGUE.seat(agreement)
    p = game.start()
    for number in range(SHORT_DEALS if isinstance(game, ExchangeGame) else DEALS):
        deal: list[Made] = []
        decided = 0
        while (turn := game.turn(p)) is not None and not (turn == CHANCE and decided):
            chance = turn == CHANCE
            actor, move = (CHANCE, steady_chance(game, p, number)) if chance else steady_choice(game, p, decided)
            p, events = play(game, p, actor, move)
            deal.append(Made(actor, move, events))
            decided += not chance
            assert decided < BOUND, f"{name(agreement)}: the deal does not end"
        yield tuple(deal)
        if game.turn(p) is None:
            return


def text(agreement: Agreement, played: tuple[tuple[Made, ...], ...]) -> str:
    """Write a playthrough as a record; what stands after a | is for the reader."""
    game = CATALOGUE.seat(agreement)
    moves = tuple((made.actor, made.move) for deal in played for made in deal)
    head = f"| {game.title}, deals 1 to {len(played)}, played by a fixed rule without dice. Written by {COMMAND}."
    return written(head, game, Record(CATALOGUE.settle(agreement), "", moves))


def written(head: str, game: AnyGame, record: Record) -> str:
    """Write a record between a headline and how it ends."""
    return "\n".join([head, write_record(CATALOGUE, record), *closing(game, record)]) + "\n"


def closing(game: AnyGame, record: Record) -> list[str]:
    """Say how the match stands at the end."""
    p = replay(game, record.moves, game.read(record.position) if record.position else None)
    winners = game.outcome(p)
    end = "broken off" if winners is None else " ".join(["winners", *map(str, sorted(winners))]) if winners else "drawn"
    return [f"| scores {' '.join(map(str, game.scores(p)))}", f"| {end}"]


def entry(file: str, written: str) -> str:
    """The line of the manifest for a file: its digest, the edition it was played by, its name."""
    edition = next(line.split()[1] for line in written.splitlines() if line.startswith("edition "))
    return f"{sha256(written.encode()).hexdigest()} {edition} {file}"


def manifest() -> dict[str, str]:
    """The manifest as it is kept: the line of each file."""
    lines = MANIFEST.read_text(encoding="utf-8").splitlines() if MANIFEST.exists() else []
    return {line.split()[2]: line for line in lines}
