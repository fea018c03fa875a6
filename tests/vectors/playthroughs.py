"""Playthroughs: matches played by a fixed rule, and single deals of random play, as records with comments.

By the fixed rule the packs are the stride packs of `chitarrella_testing.steady_play`, deal after deal, and the moves
its `steady_choice`. Every game and number of players has such a match. An option has one if it changes anything: the
first deal that it changes, from the position in which that deal begins.

The deals of random play are chosen for what neither the match of their rule set nor an earlier one of them shows: acts
and answers, events, phases, how the match ended, and whether the option changed anything. They begin at a position
between two deals, if they do not begin with the match.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import NamedTuple

from chitarrella.catalogue.record import Record, format_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, IllegalMove, Position, default_move, play, replay
from chitarrella.core.model import CHANCE, Event, Move, Seat
from chitarrella.core.notation import InvalidPosition
from chitarrella.exchange.game import ExchangeGame
from chitarrella_testing.expectations import steady_chance, steady_choice
from tests.walks import BOUND, CATALOGUE, Step, defaults, name, shuffled, variants, walk

MARK = "=== "
"""How the line begins that gives the name of a playthrough, above its text."""
DEALS, SHORT_DEALS = 9, 60
"""A match that is not over by then is broken off; deals of one card each are short."""
SIGN, BLANK = "--", "+"
"""What stands in the name of a random deal between the rule set and what is shown, and there for a blank."""
OPTION = "option"
"""What a deal shows that goes otherwise than without the option."""
WALKS, WALK_DEALS = 6, 30
"""Random matches of a rule set to choose from, and their deals; of those of one card each there are many more."""
SILENT_DEALS = 3
"""Deals of the match in which nobody says more than has to be said."""
MOST = 3
"""Random deals chosen for a rule set."""


class Made(NamedTuple):
    """A move that was made, and what came of it."""

    actor: Seat
    move: Move
    events: tuple[Event, ...]


class Deal(NamedTuple):
    """A deal by the fixed rule: the position in which it began, and the moves."""

    begins: Position
    moves: tuple[Made, ...]


class RandomDeal(NamedTuple):
    """A deal of a random match: where it began, what was done, and what it shows."""

    position: Position
    steps: tuple[Step, ...]
    shows: frozenset[str]


def rule_sets() -> list[RuleSet]:
    """Every rule set: all games with all numbers of players, and with one option that is not the usual one."""
    return [*defaults(), *variants()]


# ---------------------------------------------------------------------- by the fixed rule


def playthrough(rule_set: RuleSet, most: int | None = None) -> str | None:
    """Write the match of a rule set, or the deal that its option changes; None if it changes nothing.

    ``most`` is the number of deals after which a match is broken off.
    """
    game, played = CATALOGUE.game_for(rule_set), until_changed(rule_set)
    if not played:
        return None
    if rule_set.options:
        head = f"| {game.title}, deal {len(played)}, played by a fixed rule without dice: those before go as usual."
        return written(head, game, _record(rule_set, game, played[-1:]))
    played = played[:most]
    head = f"| {game.title}, deals 1 to {len(played)}, played by a fixed rule without dice."
    return written(head, game, _record(rule_set, game, played))


def until_changed(rule_set: RuleSet) -> tuple[Deal, ...]:
    """The deals of a match, up to the first one that an option changes; none if it changes nothing."""
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


# ---------------------------------------------------------------------- at random


def chosen(rule_set: RuleSet) -> dict[str, str]:
    """Choose the deals of a rule set that show most, and give them by name."""
    game: AnyGame = CATALOGUE.game_for(rule_set)
    known = shown_already(rule_set)
    matches = [*(walk(rule_set, f"shown {seed}", WALK_DEALS).steps for seed in range(WALKS)), silent(rule_set)]
    offered = [deal for steps in matches for deal in taken_apart(rule_set, game, steps)]
    found: dict[str, str] = {}
    while offered and len(found) < MOST:
        best = max(offered, key=lambda deal: (len(deal.shows - known), -len(deal.steps)))
        fresh = sorted(best.shows - known)
        if not fresh:
            break
        found[f"{name(rule_set)}{SIGN}{fresh[0].replace(' ', BLANK)}"] = text(game, rule_set, best, fresh)
        known |= best.shows
    return found


def shown_already(rule_set: RuleSet) -> set[str]:
    """What the playthrough of the rule set shows; where an option has none, that of the game without it."""
    played = until_changed(rule_set)
    changed = bool(played and rule_set.options)
    usual = rule_set if played else rule_set._replace(options=())
    game: AnyGame = CATALOGUE.game_for(usual)
    moves = tuple((made.actor, made.move) for deal in until_changed(usual) for made in deal.moves)
    return set(features(game, replayed(game, game.start(), moves))) | ({OPTION} if changed else set())


def silent(rule_set: RuleSet) -> tuple[Step, ...]:
    """A few deals in which nobody says more than has to be said: each does what is done for who is out of time."""
    game, rng, packs = CATALOGUE.game_for(rule_set), Random(name(rule_set)), 0
    p: Position = game.start()
    steps: list[Step] = []
    while (turn := game.turn(p)) is not None:
        if turn == CHANCE:
            actor, move = CHANCE, shuffled(game, p, rng)
            packs += bool(move.cards)
        else:
            actor = game.controller(turn)
            move = default_move(game, p, actor)
        if packs > SILENT_DEALS:
            break
        steps += replayed(game, p, ((actor, move),))
        p = steps[-1].after
    return tuple(steps)


def taken_apart(rule_set: RuleSet, game: AnyGame, played: tuple[Step, ...]) -> Iterator[RandomDeal]:
    """Take a match apart into its deals."""
    begin = 0
    for at, step in enumerate((*played, None)):
        new = step is not None and step.actor == CHANCE and bool(step.move.cards)
        if at > begin and (step is None or (new and at > first_pack(played, begin))):
            steps = played[begin:at]
            shows = set(features(game, steps))
            if rule_set.options and changed_by_option(rule_set, steps):
                shows.add(OPTION)
            yield RandomDeal(steps[0].before, steps, frozenset(shows))
            begin = at


def first_pack(steps: tuple[Step, ...], begin: int) -> int:
    """Where the pack of the deal that begins there is supplied; lots may be drawn before."""
    return next((at for at in range(begin, len(steps)) if steps[at].move.cards and steps[at].actor == CHANCE), begin)


def features(game: AnyGame, steps: tuple[Step, ...]) -> Iterator[str]:
    """Name what is shown; words of one sign or two are suits and ranks, which show nothing."""
    for step in steps:
        yield step.move.verb
        yield game.phase(step.after)
        yield from (f"{step.move.verb} {step.move.choice}" for _ in range(len(step.move.choice) > 2))
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


def changed_by_option(rule_set: RuleSet, steps: tuple[Step, ...]) -> bool:
    """Whether the same moves are refused, or have other events, without the option."""
    usual: AnyGame = CATALOGUE.game_for(rule_set._replace(options=()))
    game: AnyGame = CATALOGUE.game_for(rule_set)
    replayed: list[tuple[Event, ...]] = []
    try:
        p = usual.decode(game.encode(steps[0].before))
    except InvalidPosition:
        return False
    try:
        for step in steps:
            p, events = play(usual, p, step.actor, step.move)
            replayed.append(events)
    except (IllegalMove, KeyError):  # a move that the game does not have without the option
        return True
    return replayed != [step.events for step in steps]


def text(game: AnyGame, rule_set: RuleSet, deal: RandomDeal, fresh: list[str]) -> str:
    """Write a deal as a record that says what it shows."""
    position = "" if deal.position == game.start() else game.encode(deal.position)
    record = Record(CATALOGUE.normalize(rule_set), position, tuple((step.actor, step.move) for step in deal.steps))
    return written(f"| {game.title}, a deal that shows: {', '.join(fresh)}.", game, record)


def says(title: str) -> str:
    """What a deal says by its name that it shows."""
    return title.partition(SIGN)[2].replace(BLANK, " ")
