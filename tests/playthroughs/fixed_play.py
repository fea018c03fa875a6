"""Playthroughs: matches played by a fixed rule, without any dice, and written down as records with comments.

Deal after deal the packs are the stride packs of `chitarrella.testing.steady_play`, and the moves its `steady_choice`.
Every game and number of players has one, for the whole match. An option has one where it changes anything: the first
deal that it changes, from the position in which that deal begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from chitarrella.catalogue.record import Record, format_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, play, replay
from chitarrella.core.model import CHANCE, Event, Move, Seat
from chitarrella.exchange.game import ExchangeGame
from chitarrella.testing.steady_play import steady_chance, steady_choice
from tests.walks import BOUND, CATALOGUE, defaults, name, variants

FOLDER = Path(__file__).parent.parent / "vectors" / "playthroughs"
MANIFEST = FOLDER / "manifest.txt"
RELEASED = FOLDER.parent / "released.txt"
"""The manifest of the last release, which `make released` writes."""
COMMAND = "make vectors"

MARK = "=== "
"""How the line begins that gives the name of a playthrough, above its text."""

DEALS, SHORT_DEALS = 9, 60
"""A match that is not over by then is broken off; deals of one card each are short."""


class Made(NamedTuple):
    """A move that was made, and what came of it."""

    actor: Seat
    move: Move
    events: tuple[Event, ...]


class Deal(NamedTuple):
    """A deal that was played: the position in which it began, and the moves."""

    begins: Position
    moves: tuple[Made, ...]


def rule_sets() -> list[RuleSet]:
    """Every rule set that may have a playthrough."""
    return [*defaults(), *variants()]


def playthrough(rule_set: RuleSet) -> str | None:
    """Play and write the match of a rule set, or the deal that its option changes; None where it changes nothing."""
    game, played = CATALOGUE.game_for(rule_set), until_changed(rule_set)
    if not played:
        return None
    if rule_set.options:
        head = f"| {game.title}, deal {len(played)}, played by a fixed rule without dice: those before go as usual."
        return written(head, game, _record(rule_set, game, played[-1:]))
    head = f"| {game.title}, deals 1 to {len(played)}, played by a fixed rule without dice."
    return written(head, game, _record(rule_set, game, played))


def until_changed(rule_set: RuleSet) -> tuple[Deal, ...]:
    """The deals of a match, up to the first one that an option changes; none where it changes nothing."""
    if not rule_set.options:
        return whole_match(rule_set)
    usual = whole_match(rule_set._replace(options=()))
    played: list[Deal] = []
    for number, deal in enumerate(deals(rule_set)):
        played.append(deal)
        if number >= len(usual) or deal.moves != usual[number].moves:
            return tuple(played)
    return ()


def _record(rule_set: RuleSet, game: AnyGame, played: tuple[Deal, ...]) -> Record:
    begins = played[0].begins
    position = "" if begins == game.start() else game.encode(begins)
    moves = tuple((made.actor, made.move) for deal in played for made in deal.moves)
    return Record(CATALOGUE.normalize(rule_set), position, moves)


@lru_cache(maxsize=32)
def whole_match(rule_set: RuleSet) -> tuple[Deal, ...]:
    """All deals of a match."""
    return tuple(deals(rule_set))


def deals(rule_set: RuleSet) -> Iterator[Deal]:
    """Play a match and give what was done, deal by deal."""
    game = CATALOGUE.game_for(rule_set)
    p = game.start()
    for number in range(SHORT_DEALS if isinstance(game, ExchangeGame) else DEALS):
        begins, made = p, list[Made]()
        decided = 0
        while (turn := game.turn(p)) is not None and not (turn == CHANCE and decided):
            chance = turn == CHANCE
            actor, move = (CHANCE, steady_chance(game, p, number)) if chance else steady_choice(game, p, decided)
            p, events = play(game, p, actor, move)
            made.append(Made(actor, move, events))
            decided += not chance
            assert decided < BOUND, f"{name(rule_set)}: the deal does not end"
        yield Deal(begins, tuple(made))
        if game.turn(p) is None:
            return


def written(head: str, game: AnyGame, record: Record) -> str:
    """Write a record between a headline and how it ends; what stands after a | is for the reader."""
    lines = [head, *format_record(CATALOGUE, record).splitlines(), *closing(game, record)]
    return "\n".join(" ".join(line.split()) for line in lines) + "\n"


def closing(game: AnyGame, record: Record) -> list[str]:
    """The scores and the outcome at the end, as lines."""
    p = replay(game, record.moves, game.decode(record.position) if record.position else None)
    winners = game.outcome(p)
    end = "broken off" if winners is None else " ".join(["winners", *map(str, sorted(winners))]) if winners else "drawn"
    return [f"| scores {' '.join(map(str, game.scores(p)))}", f"| {end}"]


# ---------------------------------------------------------------------- files


def entry(title: str, written: str) -> str:
    """The line of the manifest for a playthrough: how its digest begins, the edition it was played by, its name."""
    return f"{sha256(written.encode()).hexdigest()[:16]} {heading(written, 'edition')} {title}"


def heading(text: str, word: str) -> str:
    """What a playthrough says in a heading: its game, its edition."""
    return next(line.split(" ", 1)[1] for line in text.splitlines() if line.startswith(f"{word} "))


def manifest(path: Path = MANIFEST) -> dict[str, str]:
    """A manifest as it is kept: the line of each playthrough."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {line.split()[2]: line for line in lines}


@lru_cache(maxsize=1)
def kept() -> dict[str, str]:
    """The text of every playthrough of the present editions, by its name."""
    return {title: text for game in CATALOGUE for title, text in read_file(FOLDER / f"{game.key}.txt").items()}


def read_file(path: Path) -> dict[str, str]:
    """Divide the file of a game into its playthroughs; nothing where there is no file."""
    _, *parts = (f"\n{path.read_text(encoding='utf-8')}" if path.exists() else "").split(f"\n{MARK}")
    divided = [part.partition("\n") for part in parts]
    return {title: f"{text.rstrip()}\n" for title, _, text in divided}


def file_of(key: str, texts: dict[str, str]) -> str:
    """Put the playthroughs of a game into one text, each under its name."""
    head = f"| {CATALOGUE.game(key).title}: golden playthroughs. Written by {COMMAND}; how to read it: ../README.md\n"
    return "\n".join([head, *(f"{MARK}{title}\n{text}" for title, text in sorted(texts.items()))])
