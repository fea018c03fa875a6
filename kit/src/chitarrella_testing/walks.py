"""Reproducible random play of any game: what the laws are held against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import Any, NamedTuple, TypeVar

from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.cards import Hand
from chitarrella.core.game import AnyGame, Position, legal_moves, play, validate_move
from chitarrella.core.model import CHANCE, Event, Move, MoveSpec, Seat
from chitarrella.core.notation import make_move
from chitarrella.core.options import InvalidOption, Option
from chitarrella_testing.expectations import (
    NOTHING_MORE,
    Expectations,
    Generators,
    any_share_move,
    legal_share_moves,
    next_games,
)

MANY = 4  # games with more numbers of players test their options only with the fewest, a middle number and the most


class RuleSets:
    """The rule sets of a catalogue, or of some of its games."""

    def __init__(self, catalogue: Catalogue, *keys: str) -> None:
        self.catalogue = catalogue
        self.games = tuple(game for game in catalogue if game.key in (keys or (game.key,)))

    def defaults(self) -> list[RuleSet]:
        """Every game with every number of players and default options."""
        return [RuleSet(game.key, players) for game in self.games for players in sorted(game.entry.players)]

    def variants(self) -> list[RuleSet]:
        """The same with one option that is not the default, where game and players allow it."""
        found = []
        for game in self.games:
            for players, option in product(tables(game), game.entry.options):
                single = [RuleSet(game.key, players, ((option.name, value),)) for value in values(option)]
                found += [offer for rule_set in single if (offer := self.nearest(rule_set))]
        return found

    def combined_variants(self) -> list[RuleSet]:
        """The options of `variants` in few rule sets: each value at least once, with as many others as go with it.

        The least numbers stand together: a match for one point is over before the others matter.
        """
        combined: list[RuleSet] = []
        for single in self.variants():
            for place, each in enumerate(combined):
                if self.is_least(each) == self.is_least(single) and (together := self.together(each, single)):
                    combined[place] = together
                    break
            else:
                combined.append(single)
        return combined

    def pairs(self) -> list[RuleSet]:
        """Every two options of `variants` that go together, no number at its least."""
        singles = [single for single in self.variants() if not self.is_least(single)]
        found = (self.together(one, two) for one, two in combinations(singles, 2))
        return [rule_set for rule_set in found if rule_set]

    def together(self, one: RuleSet, two: RuleSet) -> RuleSet | None:
        """Both rule sets in one; None if they are of two tables, or two values of an option, or are not offered."""
        rule_set = one._replace(options=tuple(sorted((*one.options, *two.options))))
        is_possible = one[:2] == two[:2] and len(dict(rule_set.options)) == len(rule_set.options)
        return rule_set if is_possible and self.offered(rule_set) else None

    def is_least(self, rule_set: RuleSet) -> bool:
        """Whether one of the options is a number at its least."""
        chosen = dict(rule_set.options)
        for option in self.catalogue.entry(rule_set.game).options:
            numbers = [word for word in (str(option.minimum), *option.choices) if word.isdecimal()]
            if numbers and chosen.get(option.name) == min(numbers, key=int):
                return True
        return False

    def nearest(self, rule_set: RuleSet) -> RuleSet | None:
        """The rule set, or if its number is not offered the one with the next number; None if neither is."""
        ((option, value),) = rule_set.options
        following = [rule_set._replace(options=((option, str(int(value) + 1)),))] if value.isdecimal() else []
        return next((each for each in (rule_set, *following) if self.offered(each)), None)

    def offered(self, rule_set: RuleSet) -> bool:
        """Whether the catalogue configures the rule set; two choices may exclude each other."""
        try:
            self.catalogue.game_for(rule_set)
        except InvalidOption:
            return False
        return True

    def ends(self, rule_set: RuleSet) -> bool:
        """Whether a match comes to an end; if wins are only counted it goes on without limit (ALL-7).

        Tests of whole matches stop after some deals if there is no end.
        """
        return any(reason.code == "match_over" for reason in self.catalogue.game_for(rule_set).reasons)


def tables(game: AnyGame) -> list[int]:
    """The numbers of players of a game; of many only the fewest, a middle number and the most."""
    every = sorted(game.entry.players)
    return every if len(every) <= MANY else [every[0], every[len(every) // 2], every[-1]]


def values(option: Option[Any]) -> list[str]:
    """The values of an option without the default: of many choices three, of numbers the least and a middle one."""
    found = list(option.choices)
    if len(found) > 2 * MANY:
        found = [found[1], found[len(found) // 2], found[-1]]
    if option.minimum is not None:
        middle = option.minimum + 3 if option.maximum is None else (option.minimum + option.maximum) // 2
        found += [str(option.minimum), str(middle)]
    return [value for value in dict.fromkeys(found) if value != option.default]


def name(rule_set: RuleSet) -> str:
    """The name of a rule set, for tests and files: ``KEY-4-signals=off``."""
    choices = [f"{option}={value}" for option, value in rule_set.options]
    return "-".join([rule_set.game, str(rule_set.players), *choices])


T = TypeVar("T")

BOUND = 2_000  # more moves than any deal has, with twenty players and moves out of turn (ALL-9)


class Step(NamedTuple):
    """One move of a walk: the position before, the seat, the move, its events, and the position after."""

    before: Position
    actor: Seat
    move: Move
    events: tuple[Event, ...]
    after: Position


SHORT = 20  # the number of deals of one card each that count as one deal; so matches of such deals come to their end


class Walk(NamedTuple):
    """Some deals of a match, played at random; ``effort`` is how many of its positions the costly laws check."""

    rule_set: RuleSet
    game: AnyGame
    seed: str
    steps: tuple[Step, ...]
    effort: int
    catalogue: Catalogue
    expected: Expectations = NOTHING_MORE

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position, the first and the last included."""
        first = self.steps[0].before if self.steps else self.game.start()
        return (first, *(step.after for step in self.steps))

    @property
    def moves(self) -> tuple[tuple[Seat, Move], ...]:
        """The moves with their seats."""
        return tuple((step.actor, step.move) for step in self.steps)

    @property
    def deals(self) -> int:
        """Number of packs dealt."""
        return sum(step.actor == CHANCE and bool(step.move.cards) for step in self.steps)

    def part(self, rng: Random, most: int) -> Walk:
        """At most ``most`` consecutive moves, chosen at random."""
        first = rng.randrange(max(len(self.steps) - most, 0) + 1)
        return self._replace(steps=self.steps[first : first + most])

    @property
    def partial(self) -> bool:
        """Whether the laws check only a small part, because there are many walks."""
        return self.effort == 1

    def some(self, things: Sequence[T], rng: Random) -> Sequence[T]:
        """All of ``things``, or one of them in a partial walk."""
        return [rng.choice(things)] if self.partial else things

    def sample(self, rng: Random) -> list[int]:
        """Choose positions by number: the first, the last, and some between; or a single one."""
        number = len(self.steps) + 1
        ends = set() if self.partial else {0, number - 1}
        return sorted(ends | set(rng.sample(range(number), min(number, self.effort))))


def walk(
    catalogue: Catalogue,
    rule_set: RuleSet,
    seed: str,
    deals: int = 1,
    effort: int = 6,
    expected: Expectations = NOTHING_MORE,
) -> Walk:
    """Play at random until ``deals`` deals are over, or the match and what follows it; the seed decides everything.

    Of deals of one card each `SHORT` count as one.
    """
    game: AnyGame = catalogue.game_for(rule_set)
    rng = Random(f"{name(rule_set)} {seed}")
    p, steps, length, played, since = game.start(), list[Step](), 0, 0, 0
    while (turn := game.turn(p)) is not None:
        request = game.chance_request(p) if turn == CHANCE else None
        if request and request.cards:
            played += length
            if played >= deals * SHORT:
                break
            since, length = 0, 1
        actor, move = choose(game, p, rng, expected.share_moves)
        after, events = play(game, p, actor, move)
        steps.append(Step(p, actor, move, events, after))
        p, since = after, since + 1
        length = SHORT if length == 1 and has_long_hand(game, p) else length
        assert since < BOUND, f"{name(rule_set)}, seed {seed}: the deal does not end"
    if (opening := next_games(expected.share_moves, game, p, rng)) and rng.random() < 0.5:
        move = rng.choice(opening)
        after, events = play(game, p, CHANCE, move)
        steps.append(Step(p, CHANCE, move, events, after))
    return Walk(rule_set, game, seed, tuple(steps), effort, catalogue, expected)


def has_long_hand(game: AnyGame, p: Position) -> bool:
    """Whether a seat holds more than one card."""
    return any(zone.name == "hand" and len(zone.cards) > 1 for zone in game.zones(p))


def choose(game: AnyGame, p: Position, rng: Random, generators: Generators) -> tuple[Seat, Move]:
    """Choose a seat and a move at random: mostly the seat to move, now and then another one out of turn.

    Of a move with shares the list has the plainest only; ``generators`` have others.
    """
    turn = game.turn(p)
    assert turn is not None
    if turn == CHANCE:
        return CHANCE, shuffled(game, p, rng)
    actor = game.controller(turn)
    if rng.random() < 0.15:
        others = [(seat, move) for seat in range(game.seats) if seat != actor for move in legal_moves(game, p, seat)]
        if others:
            return rng.choice(others)
    move = rng.choice(accepted(game, p, actor))
    if game.move_specs[move.verb].shares:
        return actor, rng.choice(legal_share_moves(generators, game, p, actor, move.verb, rng))
    return actor, move


def accepted(game: AnyGame, p: Position, actor: Seat) -> list[Move]:
    """Every candidate that would be accepted, also with a penalty."""
    candidates = game.candidates(p, actor)
    return [move for move in candidates if all(no.reason.penalty for no in validate_move(game, p, actor, move))]


def shuffled(game: AnyGame, p: Position, rng: Random) -> Move:
    """The move of chance: the pack in random order, or one of the lots."""
    request = game.chance_request(p)
    if request.cards:
        return make_move(game, request.verb, rng.sample(request.cards, len(request.cards)))
    return make_move(game, request.verb, amount=rng.choice(request.amounts))


def universe(game: AnyGame, rng: Random, most: int = 300) -> Iterator[Move]:
    """All moves that a seat could send in this game, whatever the position; long lists are sampled."""
    for spec in game.move_specs.values():
        if spec.by_chance:
            continue
        if spec.shares:
            amounts = [None] if spec.amounts is None else [0, *some(spec.amounts, 3, rng)]
            yield from (any_share_move(spec.verb, game.seats, rng.choice(amounts), rng) for _ in range(12))
            continue
        seats = [None, *range(game.seats)] if spec.seat else [None]
        amounts = [None] if spec.amounts is None else some(spec.amounts, 12, rng)
        every = list(product(_hands(game, spec, rng), spec.choices or ("",), amounts, seats))
        for cards, word, amount, seat in some(every, most, rng):
            yield make_move(game, spec.verb, cards, word, amount, seat)


def _hands(game: AnyGame, spec: MoveSpec, rng: Random) -> list[Hand]:
    """The cards a move can name: every face, or some sets of faces."""
    least, most = spec.cards
    faces = list(game.pack.faces.values())
    if most == 0:
        return [()]
    if most == 1:
        return [(face,) for face in faces]
    sizes = [rng.randint(least, min(most, len(faces))) for _ in range(20)]
    return [tuple(rng.sample(faces, size)) for size in sizes]


def some(things: Sequence[T], most: int, rng: Random) -> list[T]:
    """All of ``things``, or a sample if there are more than ``most``."""
    return list(things) if len(things) <= most else rng.sample(things, most)
