"""Options are spent before the first card: games differ in parts, numbers and cards, and no flag is left to ask."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from chitarrella.core.game import AnyGame
from tests.test_architecture import tree
from tests.test_rules_style import GAMES, PARTS, at, every

KNOWN_FLAGS = {
    "avoided": "a bot asks whether points are good or bad",
    "breaks_off_deal": "the check of a position asks whether a deal can end early",
    "has_trump_card": "the rules of a single trick ask for what is known, before there is a position",
    "is_spoken": "a `said` event precedes those of the action",
    "looking": "two actions of a robber are told apart, one before the look and one after it",
    "names_trumps": "the check of a position asks where trumps can come from",
    "reveals": "a card that cannot reveal the ally asks nothing",
    "turns_up": "the zones of a game are listed without a position",
}
"""The truth values that classes of parts have in common: what each is asked for."""


def class_flags(kind: type) -> dict[str, bool]:
    """The truth values of a class, and of those that it is derived from."""
    values = {name: getattr(kind, name) for name in dir(kind) if not name.startswith("_")}
    return {name: value for name, value in values.items() if isinstance(value, bool) and name not in KNOWN_FLAGS}


def flags(before: object, after: object, words: tuple[str, ...], where: str = "") -> Iterator[str]:
    """Find what differs between two games and has to be asked in play: a truth value, or the word of an option."""
    if type(before) is type(after) and before != after:
        if is_dataclass(before):
            names = [field.name for field in fields(before)]
            pairs = [(name, getattr(before, name), getattr(after, name)) for name in names if name != "name"]
        elif isinstance(before, Mapping) and isinstance(after, Mapping):
            pairs = [(key, before.get(key), after.get(key)) for key in {**before, **after}]
        elif isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
            pairs = [(str(place), *pair) for place, pair in enumerate(zip(before, after, strict=True))]
        else:
            pairs = []
        for name, one, other in pairs:
            yield from flags(one, other, words, f"{where}.{name}")
    elif type(before) is not type(after):
        ours, theirs = class_flags(type(before)), class_flags(type(after))
        differing = [name for name in ours.keys() & theirs.keys() if ours[name] != theirs[name]]
        yield from (f"{where}.{name}: {ours[name]} -> {theirs[name]}" for name in sorted(differing))
    if before != after and (isinstance(after, bool) or (type(after) is str and after in words)):
        yield f"{where}: {before!r} -> {after!r}"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_an_option_leaves_no_flag(game: AnyGame) -> None:
    """What an option or a seating changes are parts, functions, numbers and cards; none leaves a flag to be asked."""
    found = []
    for option in game.options:
        for value in (*option.choices, *map(str, {option.minimum, option.maximum} - {None})):
            try:
                found += [
                    f"{option.name}={value} {flag}" for flag in flags(game, option.apply(game, value), option.choices)
                ]
            except ValueError:  # a number in range that the edit refuses
                assert option.choices == ()
    found += [f"{n} players {flag}" for n, seating in game.seatings.items() for flag in flags(game, seating(game), ())]
    assert [] == found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_variant_leaves_no_flag(game: AnyGame) -> None:
    """No game of a family differs from another one of it by a flag, whichever of them it was derived from."""
    found = [
        f"from {other.key} {flag}" for other in GAMES if type(other) is type(game) for flag in flags(other, game, ())
    ]
    assert [] == found


class Plain:
    """A part with a truth value that no clause asks for."""

    flag = False


class Flagged(Plain):
    """Another part in its place."""

    flag = True


def test_flags_of_parts_are_known() -> None:
    """The truth values in the bodies of classes are the known ones, each with its reason."""
    found = {
        ast.unparse(target)
        for path in PARTS
        for kind in ast.walk(tree(path))
        if isinstance(kind, ast.ClassDef)
        for node in kind.body
        if isinstance(node, ast.Assign)
        or (isinstance(node, ast.AnnAssign) and "ClassVar" in ast.unparse(node.annotation))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool)
    }
    assert found == KNOWN_FLAGS.keys()


def test_flags_are_found() -> None:
    """A truth value and a word are found wherever they lie; a number, a card and another part are none."""
    assert [".0.a: False -> True"] == list(flags(({"a": False},), ({"a": True},), ()))
    assert [".a: 'off' -> 'all'"] == list(flags({"a": "off"}, {"a": "all"}, ("off", "all")))
    assert [".0.flag: False -> True"] == list(flags((Plain(),), (Flagged(),), ()))
    assert [] == list(flags({"a": 1, "b": None, "c": len}, {"a": 2, "b": GAMES[0].pack.cards[0], "c": max}, ("max",)))


@every["parts"]
def test_no_word_and_no_option_is_asked_in_play(path: Path) -> None:
    """No part compares a field of its own with a word, and no function reads the options of a game."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            own = any(re.fullmatch(r"self\.\w+", ast.unparse(side)) for side in sides)
            words = any(
                isinstance(leaf, ast.Constant) and isinstance(leaf.value, str)
                for side in sides
                for leaf in ast.walk(side)
            )
            assert not (own and words), at(node)
        if isinstance(node, ast.FunctionDef):
            read = [
                leaf
                for leaf in ast.walk(node)
                if isinstance(leaf, ast.Attribute) and leaf.attr in ("options", "chosen")
            ]
            assert [] == [at(leaf) for leaf in read]
