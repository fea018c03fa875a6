"""Playthroughs: matches played by a fixed rule, and single deals of random play, as records with comments.

By the fixed rule the packs are the stride packs of `chitarrella_testing.steady_play`, deal after deal, and the moves
its `steady_choice`. Every game and number of players has such a match. An option has one if it changes anything: the
first deal that it changes, from the position in which that deal begins.

The deals of random play are chosen for what neither the match of their rule set nor an earlier one of them shows: acts
and answers, events, phases, how the match ended, and whether the option changed anything. They begin at a position
between two deals, if they do not begin with the match.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, pairwise
from random import Random
from typing import TypeAlias

from chitarrella.catalogue.record import Record, format_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, IllegalMove, Position, default_move, play
from chitarrella.core.model import CHANCE, Move, Seat
from chitarrella.core.notation import InvalidPosition
from chitarrella.exchange.rules import Rules
from chitarrella_testing.expectations import steady_chance, steady_choice
from tests.walks import BOUND, CATALOGUE, Step, defaults, name, shuffled, variants, walk

MARK = "=== "  # how the line begins that gives the name of a playthrough, above its text
DEALS, SHORT_DEALS = 9, 60  # a match that is not over by then is broken off; deals of one card each are short
SIGN, BLANK = "--", "+"
"""What stands in the name of a random deal between the rule set and what is shown, and there for a blank."""
OPTION = "option"  # what a deal shows that goes otherwise than without the option
WALKS, WALK_DEALS = 6, 30
"""Random matches of a rule set to choose from, and their deals; of those of one card each there are many more."""
SILENT_DEALS = 3  # deals of the match in which nobody says more than has to be said
MOST = 3  # random deals chosen for a rule set

Steps: TypeAlias = tuple[Step, ...]


def rule_sets() -> list[RuleSet]:
    """Every rule set: all games with all numbers of players, and with one option that is not the usual one."""
    return [*defaults(), *variants()]


def step_of(game: AnyGame, p: Position, actor: Seat, move: Move) -> Step:
    after, events = play(game, p, actor, move)
    return Step(p, actor, move, events, after)


def replayed(game: AnyGame, p: Position, moves: Iterable[tuple[Seat, Move]]) -> Steps:
    steps: list[Step] = []
    for actor, move in moves:
        steps.append(step_of(game, steps[-1].after if steps else p, actor, move))
    return tuple(steps)


def written(head: str, rule_set: RuleSet, steps: Steps) -> str:
    """Write moves as a record between a headline and how it ends; what stands after a | is for the reader."""
    game: AnyGame = CATALOGUE.game_for(rule_set)
    begins, p = steps[0].before, steps[-1].after
    position = "" if begins == game.start() else game.encode(begins)
    record = Record(CATALOGUE.normalize(rule_set), position, tuple((step.actor, step.move) for step in steps))
    scores = f"| scores {' '.join(map(str, game.scores(p)))}"
    lines = [head, *format_record(CATALOGUE, record).splitlines(), scores, f"| {end(game, p, 'drawn') or 'broken off'}"]
    return "\n".join(" ".join(line.split()) for line in lines) + "\n"


def end(game: AnyGame, p: Position, drawn: str) -> str:
    """Name the winners of a match; empty if it goes on."""
    winners = game.outcome(p)
    return "" if winners is None else " ".join(["winners", *map(str, sorted(winners))]) if winners else drawn


# ---------------------------------------------------------------------- by the fixed rule


def playthrough(rule_set: RuleSet, most: int | None = None) -> str | None:
    """Write the match of a rule set, or the deal that its option changes; None if it changes nothing.

    ``most`` is the number of deals after which a match is broken off.
    """
    played = until_changed(rule_set)
    if not played:
        return None
    shown = played[-1:] if rule_set.options else played[:most]
    which = f"deal {len(played)}" if rule_set.options else f"deals 1 to {len(shown)}"
    note = ": those before go as usual" if rule_set.options else ""
    head = f"| {CATALOGUE.entry(rule_set.game).title}, {which}, played by a fixed rule without dice{note}."
    return written(head, rule_set, tuple(chain.from_iterable(shown)))


def until_changed(rule_set: RuleSet) -> tuple[Steps, ...]:
    """The deals of a match, up to the first one that an option changes; none if it changes nothing."""
    if not rule_set.options:
        return whole_match(rule_set)
    usual = whole_match(rule_set._replace(options=()))
    played: list[Steps] = []
    for number, deal in enumerate(deals(rule_set)):
        played.append(deal)
        if number >= len(usual) or [step[1:4] for step in deal] != [step[1:4] for step in usual[number]]:
            return tuple(played)
    return ()


@lru_cache(maxsize=32)
def whole_match(rule_set: RuleSet) -> tuple[Steps, ...]:
    return tuple(deals(rule_set))


def deals(rule_set: RuleSet) -> Iterator[Steps]:
    """Play a match and give what was done, deal by deal."""
    game = CATALOGUE.game_for(rule_set)
    p = game.start()
    for number in range(SHORT_DEALS if isinstance(game, Rules) else DEALS):
        steps: list[Step] = []
        decided = 0
        while (turn := game.turn(p)) is not None and not (turn == CHANCE and decided):
            chance = turn == CHANCE
            actor, move = (CHANCE, steady_chance(game, p, number)) if chance else steady_choice(game, p, decided)
            steps.append(step_of(game, p, actor, move))
            p = steps[-1].after
            decided += not chance
            assert decided < BOUND, f"{name(rule_set)}: the deal does not end"
        yield tuple(steps)
        if game.turn(p) is None:
            return


# ---------------------------------------------------------------------- at random


def chosen(rule_set: RuleSet) -> dict[str, str]:
    """Choose the deals of a rule set that show most, and give them by name."""
    game: AnyGame = CATALOGUE.game_for(rule_set)
    known = shown_already(rule_set)
    matches = [*(walk(rule_set, f"shown {seed}", WALK_DEALS).steps for seed in range(WALKS)), silent(rule_set)]
    offered = [(deal, shown_by(rule_set, game, deal)) for steps in matches for deal in taken_apart(steps)]
    found: dict[str, str] = {}
    while offered and len(found) < MOST:
        best, shows = max(offered, key=lambda one: (len(one[1] - known), -len(one[0])))
        fresh = sorted(shows - known)
        if not fresh:
            break
        head = f"| {game.entry.title}, a deal that shows: {', '.join(fresh)}."
        found[f"{name(rule_set)}{SIGN}{fresh[0].replace(' ', BLANK)}"] = written(head, rule_set, best)
        known |= shows
    return found


def shown_already(rule_set: RuleSet) -> set[str]:
    """What the playthrough of the rule set shows; where an option has none, that of the game without it."""
    played = until_changed(rule_set)
    usual = rule_set if played else rule_set._replace(options=())
    steps = tuple(chain.from_iterable(played or until_changed(usual)))
    return {*features(CATALOGUE.game_for(usual), steps), *([OPTION] if played and rule_set.options else [])}


def silent(rule_set: RuleSet) -> Steps:
    """A few deals in which nobody says more than has to be said: each does what is done for who is out of time."""
    game, rng, packs = CATALOGUE.game_for(rule_set), Random(name(rule_set)), 0
    p: Position = game.start()
    steps: list[Step] = []
    while (turn := game.turn(p)) is not None:
        actor = CHANCE if turn == CHANCE else game.controller(turn)
        move = shuffled(game, p, rng) if turn == CHANCE else default_move(game, p, actor)
        packs += turn == CHANCE and bool(move.cards)
        if packs > SILENT_DEALS:
            break
        steps.append(step_of(game, p, actor, move))
        p = steps[-1].after
    return tuple(steps)


def taken_apart(played: Steps) -> Iterator[Steps]:
    """Take a match apart into its deals: each begins with its pack, the first with the lots that are drawn before."""
    packs = [at for at, step in enumerate(played) if step.actor == CHANCE and step.move.cards]
    yield from (played[begin:end] for begin, end in pairwise([0, *packs[1:], len(played)]) if begin < end)


def shown_by(rule_set: RuleSet, game: AnyGame, steps: Steps) -> frozenset[str]:
    option = [OPTION] if rule_set.options and changed_by_option(rule_set, steps) else []
    return frozenset([*features(game, steps), *option])


def features(game: AnyGame, steps: Steps) -> Iterator[str]:
    """Name what is shown; words of one sign or two are suits and ranks, which show nothing."""
    for step in steps:
        yield from (step.move.verb, game.phase(step.after))
        said = [(step.move.verb, step.move.choice), *((event.kind, event.word) for event in step.events)]
        yield from (f"{kind} {word}" for kind, word in said if len(word) > 2)
        yield from (event.kind for event in step.events)
    last = steps[-1].after
    taken = game.points(last)
    if any(taken) and 0 in taken:
        yield "nothing taken"
    if any(taken) and len(set(taken)) == 1:
        yield "all alike"
    if how := end(game, last, "match drawn"):
        yield how


def changed_by_option(rule_set: RuleSet, steps: Steps) -> bool:
    """Whether the same moves are refused, or have other events, without the option."""
    usual: AnyGame = CATALOGUE.game_for(rule_set._replace(options=()))
    game: AnyGame = CATALOGUE.game_for(rule_set)
    try:
        p = usual.decode(game.encode(steps[0].before))
    except InvalidPosition:
        return False
    try:
        again = replayed(usual, p, (step[1:3] for step in steps))
    except (IllegalMove, KeyError):  # a move that the game does not have without the option
        return True
    return [step.events for step in again] != [step.events for step in steps]
