"""Deals that show something: chosen from random play, each for what neither the playthrough of its rule set nor an
earlier one of these has in it.

What a deal shows are the acts and answers in it, what happened, the phases it went through, how the match ended, and
whether the option that was agreed changed anything. Dice made these deals, so they are not made again by a test, only
played again. They begin at a position between two deals, where they do not begin with the match.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from chitarrella.catalogue import Agreement
from chitarrella.game import AnyGame, Position, Refused, by_default, play
from chitarrella.record import Record, read_record
from chitarrella.sheet import BadPosition
from chitarrella.words import CHANCE, Event, Move, Seat
from tests.kit import CATALOGUE, Step, name, shuffled, walk
from tests.playthroughs.script import FOLDER, written

SIGN, BLANK = "--", "+"
"""What stands in the name of a file between the rule set and what is shown, and there for a blank."""
OPTION = "option"
"""What a deal shows that goes otherwise than without the option."""
WALKS, DEALS = 6, 30
"""Random matches of a rule set to choose from, and their deals; of those of one card each there are many more."""
SILENT_DEALS = 3
"""Deals of the match in which nobody says more than has to be said."""
MOST = 3
"""Deals chosen for a rule set."""


class Deal(NamedTuple):
    """A deal of a random match: where it began, what was done, and what it shows."""

    position: Position
    steps: tuple[Step, ...]
    shows: frozenset[str]


def chosen(agreement: Agreement) -> dict[str, str]:
    """Choose the deals of a rule set that show most, and give their files by name."""
    game: AnyGame = CATALOGUE.seat(agreement)
    known = shown_already(game, agreement)
    matches = [*(walk(agreement, f"shown {seed}", DEALS).steps for seed in range(WALKS)), silent(agreement)]
    offered = [deal for steps in matches for deal in deals(agreement, game, steps)]
    found: dict[str, str] = {}
    while offered and len(found) < MOST:
        best = max(offered, key=lambda deal: (len(deal.shows - known), -len(deal.steps)))
        fresh = sorted(best.shows - known)
        if not fresh:
            break
        found[f"{name(agreement)}{SIGN}{fresh[0].replace(' ', BLANK)}.txt"] = text(game, agreement, best, fresh)
        known |= best.shows
    return found


def shown_already(game: AnyGame, agreement: Agreement) -> set[str]:
    """What the playthrough of the rule set shows; where an option has none, that of the game without it."""
    path = FOLDER / f"{name(agreement)}.txt"
    changed = path.exists() and bool(agreement.options)
    if not path.exists():
        path = FOLDER / f"{name(agreement._replace(options=()))}.txt"
    record = read_record(CATALOGUE, path.read_text(encoding="utf-8"))
    played: AnyGame = CATALOGUE.seat(record.agreement)
    return set(features(played, replayed(played, played.start(), record.moves))) | ({OPTION} if changed else set())


def silent(agreement: Agreement) -> tuple[Step, ...]:
    """A few deals in which nobody says more than has to be said: each does what is done for who is out of time."""
    game, rng, packs = CATALOGUE.seat(agreement), Random(name(agreement)), 0
    p: Position = game.start()
    steps: list[Step] = []
    while (turn := game.turn(p)) is not None:
        if turn == CHANCE:
            actor, move = CHANCE, shuffled(game, p, rng)
            packs += bool(move.cards)
        else:
            actor = game.controller(turn)
            move = by_default(game, p, actor)
        if packs > SILENT_DEALS:
            break
        steps += replayed(game, p, ((actor, move),))
        p = steps[-1].after
    return tuple(steps)


def deals(agreement: Agreement, game: AnyGame, played: tuple[Step, ...]) -> Iterator[Deal]:
    """Take a match apart into its deals."""
    begin = 0
    for at, step in enumerate((*played, None)):
        new = step is not None and step.actor == CHANCE and bool(step.move.cards)
        if at > begin and (step is None or (new and at > first_pack(played, begin))):
            steps = played[begin:at]
            shows = set(features(game, steps))
            if agreement.options and changed_by_option(agreement, steps):
                shows.add(OPTION)
            yield Deal(steps[0].before, steps, frozenset(shows))
            begin = at


def first_pack(steps: tuple[Step, ...], begin: int) -> int:
    """Where the pack of the deal that begins there is handed in; lots may be drawn before."""
    return next((at for at in range(begin, len(steps)) if steps[at].move.cards and steps[at].actor == CHANCE), begin)


def features(game: AnyGame, steps: tuple[Step, ...]) -> Iterator[str]:
    """Name what is shown; words of one sign or two are suits and ranks, which show nothing."""
    for step in steps:
        yield step.move.verb
        yield game.phase(step.after)
        yield from (f"{step.move.verb} {step.move.word}" for _ in range(len(step.move.word) > 2))
        for event in step.events:
            yield event.kind
            yield from (f"{event.kind} {event.word}" for _ in range(len(event.word) > 2))
    last = steps[-1].after
    taken, winners = game.points(last), game.outcome(last)
    if any(taken):
        yield from ("nothing taken" for _ in range(0 in taken))
        yield from ("all alike" for _ in range(len(set(taken)) == 1))
    if winners is not None:
        yield " ".join(["winners", *map(str, sorted(winners))]) if winners else "match drawn"


def replayed(game: AnyGame, p: Position, moves: tuple[tuple[Seat, Move], ...]) -> tuple[Step, ...]:
    """Play moves again."""
    steps = []
    for actor, move in moves:
        after, events = play(game, p, actor, move)
        steps.append(Step(p, actor, move, events, after))
        p = after
    return tuple(steps)


def changed_by_option(agreement: Agreement, steps: tuple[Step, ...]) -> bool:
    """Tell whether the same moves are refused, or come to something else, without the option."""
    usual: AnyGame = CATALOGUE.seat(agreement._replace(options=()))
    game: AnyGame = CATALOGUE.seat(agreement)
    told: list[tuple[Event, ...]] = []
    try:
        p = usual.read(game.write(steps[0].before))
    except BadPosition:
        return False
    try:
        for step in steps:
            p, events = play(usual, p, step.actor, step.move)
            told.append(events)
    except (Refused, KeyError):  # a move that the game does not have without the option
        return True
    return told != [step.events for step in steps]


def text(game: AnyGame, agreement: Agreement, deal: Deal, fresh: list[str]) -> str:
    """Write a deal as a record that says what it shows."""
    position = "" if deal.position == game.start() else game.write(deal.position)
    record = Record(CATALOGUE.settle(agreement), position, tuple((step.actor, step.move) for step in deal.steps))
    return written(f"| {game.title}, a deal that shows: {', '.join(fresh)}.", game, record)


def says(path_name: str) -> str:
    """What a file says by its name that it shows."""
    return path_name.removesuffix(".txt").partition(SIGN)[2].replace(BLANK, " ")
