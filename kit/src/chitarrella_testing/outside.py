"""Positions from outside: what no play leads to is refused, and all else can be played on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random
from typing import Final, TypeAlias

from chitarrella.core.game import AnyGame, Position, actors, legal_moves, play, validate_move
from chitarrella.core.model import CHANCE, REFEREE, Money
from chitarrella.core.notation import InvalidPosition
from chitarrella.core.visibility import view_for
from chitarrella_testing.expectations import Generators, next_games
from chitarrella_testing.walks import BOUND, Walk, choose, universe

WIDEST = 2**31  # numbers are sent in 32 bits
WIDEST_MONEY = 2**63 - 1  # money is sent in 64 bits
ASKED_SEATS = 5
"""The number of seats, drawn for each position, that look at it and send moves."""
TRIES: Final = 20  # so many values of a field that no play leaves are tried before it counts as unchecked
ODD: Final = ("-1", "99", "1000000000000")  # numbers that no game has for a seat or an amount


def check_positions(walk: Walk, rng: Random) -> None:
    """A corrupted position is refused or can be played to its end, and every number and card in it is checked."""
    game = walk.game
    lines = list(dict.fromkeys(game.encode(p) for p in walk.positions))
    for _ in range(min(walk.effort, 2)):
        changes = [(rng.choice(sorted(EDITS)), rng.getrandbits(16), rng.getrandbits(16)) for _ in range(2)]
        check_line(game, corrupt(rng.choice(lines), changes, rng.choice(lines)), walk.expected.share_moves, far=True)
    accepted, refused = defaultdict[str, list[str]](list), set[str]()
    for name, line in odd_values(game, lines, rng):
        try:
            game.decode(line)
            accepted[name].append(line)
        except InvalidPosition:
            refused.add(name)
    for name in accepted.keys() - refused:
        odd = accepted[name]
        assert len(odd) < TRIES, f"nothing checks {name}: of {len(odd)} odd values none was refused, such as {odd[0]}"


def odd_values(game: AnyGame, lines: list[str], rng: Random) -> Iterator[tuple[str, str]]:
    """Lines with another card or an odd number in a field; the name of the field, and the line."""
    faces = sorted(map(str, game.pack.faces))
    for line in rng.sample(lines, min(len(lines), 2 * TRIES)):
        for name, value in re.findall(r"(\w+)=(\S+)", line):
            tokens = [one for one in re.finditer(r"-?\w+", value) if one[0] in faces or one[0].isdecimal()]
            for token in rng.sample(tokens, min(len(tokens), 2)):
                new = rng.choice(faces if token[0] in faces else ODD)
                if new != token[0]:
                    odd = f"{value[: token.start()]}{new}{value[token.end() :]}"
                    yield name, line.replace(f"{name}={value}", f"{name}={odd}")


def check_line(game: AnyGame, line: str, generators: Generators, *, far: bool) -> None:
    """Decode a line that may be invalid; if it is a position, call every function on it, and with ``far`` play on."""
    try:
        p = game.decode(line)
    except InvalidPosition:
        return
    assert p == game.decode(game.encode(p)), f"{line} does not read back"
    ask(game, p, Random(line))
    if far:
        play_out(game, p, generators, Random(line))


def play_out(game: AnyGame, p: Position, generators: Generators, rng: Random) -> None:
    """Play from ``p`` until a deal that began after it is over; call every function now and then."""
    packs = moves = 0
    while moves < BOUND:
        turn = game.turn(p)
        over = turn is None or (turn == CHANCE and packs)
        if over or moves % 9 == 1:
            ask(game, p, rng)
        if over:
            for move in next_games(generators, game, p, rng):
                after, _ = play(game, p, CHANCE, move)
                ask(game, after, rng)
            return
        packs += turn == CHANCE
        moves += 1
        actor, move = choose(game, p, rng, generators)
        p, _ = play(game, p, actor, move)
    raise AssertionError("the deal does not end")


def ask(game: AnyGame, p: Position, rng: Random) -> None:
    """Call every function on a position."""
    assert game.phase(p)
    assert hash(p) == hash(game.decode(game.encode(p)))
    seats = rng.sample(range(game.seats), min(game.seats, ASKED_SEATS))
    for viewer in (None, REFEREE, *seats):
        view_for(game, p, viewer)
    actors(game, p)
    said = list(universe(game, rng, 10))
    for actor in (CHANCE, *seats):
        for move in (*legal_moves(game, p, actor), *game.candidates(p, actor), *said):
            validate_move(game, p, actor, move)
    assert game.seats == len(game.points(p)) == len(game.scores(p))
    values = [fact.value for fact in game.facts(p)]
    numbers = [*game.points(p), *game.scores(p), *(value for value in values if not isinstance(value, Money))]
    assert all(-WIDEST <= number < WIDEST for number in numbers if isinstance(number, int))
    money = [amount for value in values if isinstance(value, tuple) for _, amount in value]
    money += [value for value in values if isinstance(value, Money)]
    assert all(abs(amount) <= WIDEST_MONEY for amount in money)
    game.outcome(p)


# Corrupts lines of notation by small random edits
Edit: TypeAlias = tuple[str, int, int]  # the kind of edit, and two numbers that choose the place and the replacement

SIGNS = "0123456789-~.,/;|=%@ :abcdRF\n\x00é²٣"
NUMBERS = ("-1", "0", "1", "2", "3", "4", "7", "99", "-99999", "9999999999999999", "007", "-0", "", "~", ".", "-")


def corrupt(line: str, changes: list[Edit], other: str = "") -> str:
    """Edit ``line``; some edits take parts of ``other``, a valid line of the same kind."""
    for what, where, which in changes:
        line = EDITS[what](line, other, where, which)
    return line


def _cut(line: str, other: str, where: int, which: int) -> str:
    at = where % (len(line) + 1)
    return line[:at] + line[at + 1 + which % 3 :]


def _insert(line: str, other: str, where: int, which: int) -> str:
    at = where % (len(line) + 1)
    return line[:at] + SIGNS[which % len(SIGNS)] + line[at:]


def _drop_word(line: str, other: str, where: int, which: int) -> str:
    words = line.split(" ")
    del words[where % len(words)]
    return " ".join(words)


def _borrow_word(line: str, other: str, where: int, which: int) -> str:
    words, others = line.split(" "), other.split(" ")
    words[where % len(words)] = others[which % len(others)]
    return " ".join(words)


def _add_word(line: str, other: str, where: int, which: int) -> str:
    others = other.split(" ")
    return f"{line} {others[which % len(others)]}"


def _change_value(line: str, other: str, where: int, which: int) -> str:
    return _replace_token(line, r"(?<==)[^ ]*", where, NUMBERS[which % len(NUMBERS)])


def _change_number(line: str, other: str, where: int, which: int) -> str:
    return _replace_token(line, r"-?\d+\b", where, NUMBERS[which % len(NUMBERS)])


def _change_token(line: str, other: str, where: int, which: int) -> str:
    """Replace one word, card or number by another of the line."""
    tokens = re.findall(r"[\w.~-]+", line) or ["x"]
    return _replace_token(line, r"[\w.~-]+", where, tokens[which % len(tokens)])


def _swap_tokens(line: str, other: str, where: int, which: int) -> str:
    spans = [found.span() for found in re.finditer(r"[\w~.-]+", line)]
    if not spans:
        return line
    (a, b), (c, d) = sorted((spans[where % len(spans)], spans[which % len(spans)]))
    return line if a == c else line[:a] + line[c:d] + line[b:c] + line[a:b] + line[d:]


def _move_token(line: str, other: str, where: int, which: int) -> str:
    """Move a card or number behind another one."""
    spans = [found.span() for found in re.finditer(r",?[\w~.-]+(?=[,/; ]|$)", line)]
    if not spans:
        return line
    a, b = spans[where % len(spans)]
    token, rest = line[a:b].lstrip(","), line[:a] + line[b:]
    ends = [found.end() for found in re.finditer(r"[\w~-](?=[,/; ]|$)", rest)] or [0]
    at = ends[which % len(ends)]
    return f"{rest[:at]},{token}{rest[at:]}"


def _replace_token(line: str, pattern: str, where: int, text: str) -> str:
    spans = [found.span() for found in re.finditer(pattern, line)]
    if not spans:
        return line
    a, b = spans[where % len(spans)]
    return line[:a] + text + line[b:]


EDITS: dict[str, Callable[[str, str, int, int], str]] = {
    "add word": _add_word,
    "borrow word": _borrow_word,
    "change number": _change_number,
    "change token": _change_token,
    "change value": _change_value,
    "cut": _cut,
    "drop word": _drop_word,
    "insert": _insert,
    "move token": _move_token,
    "swap tokens": _swap_tokens,
}
