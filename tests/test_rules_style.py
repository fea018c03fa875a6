"""How the rules are written: cards, ranks, options, copies and names, read off the text and off the catalogue."""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.cards import Card
from chitarrella.core.game import AnyGame
from chitarrella.core.rulebook import COMMON
from tests.test_architecture import SOURCES, is_within, module, named, tree

GAMES = tuple(Catalogue())
RULES = [path for path in SOURCES if is_within(module(path), ("core", "tricks", "exchange", "games"))]
PARTS = [path for path in RULES if not is_within(module(path), ("core",))]
FILES = {path.stem: path for path in RULES if is_within(module(path), ("games",)) and path.stem != "__init__"}
every = {
    kind: pytest.mark.parametrize("path", paths, ids=named)
    for kind, paths in {"source": SOURCES, "rules": RULES, "parts": PARTS}.items()
}


def at(node: ast.expr | ast.arg) -> str:
    """The line and the text of a node."""
    return f"line {node.lineno}: {ast.unparse(node)}"


# ---------------------------------------------------------------------- raw and valid input

PARSERS = ("core.cards", "core.notation", "core.position_codec")
"""Where text becomes a card."""
CARD_NAMES = {text for game in GAMES for text, card in game.pack.faces.items() if card.suit}
"""The notation of every card that has a suit."""
CARD_WORDS = {
    *("card", "cards", "face", "faces", "hand", "called", "answer", "trionfo", "turn_up", "trump_card"),
    *("spare", "left_out"),
}
"""What a variable or field that holds cards is called."""


@every["source"]
def test_only_a_pack_makes_cards(path: Path) -> None:
    """A `Card` is constructed in `core.cards` and nowhere else: everybody else asks a pack."""
    if module(path) != "core.cards":
        calls = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
        made = [call for call in calls if ast.unparse(call.func).split(".")[-1] in ("Card", "CardsByName")]
        assert [] == [at(call) for call in [*made, *(c for c in calls if ast.unparse(c.func).startswith("Card."))]]


@every["rules"]
def test_a_card_is_no_text(path: Path) -> None:
    """Past the notation the rules ask a pack for a card, join no rank to a suit, and type no card as `str`."""
    if module(path) in PARSERS:
        return
    nodes = list(ast.walk(tree(path)))
    typed = [
        (name, node.annotation)
        for node in nodes
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation
        for name in [node.arg if isinstance(node, ast.arg) else ast.unparse(node.target)]
    ]
    typed += [(node.name, node.returns) for node in nodes if isinstance(node, ast.FunctionDef) and node.returns]
    raw = [at(kind) for name, kind in typed if name in CARD_WORDS and re.search(r"\bstr\b", ast.unparse(kind))]
    names = [at(node) for node in nodes if isinstance(node, ast.Constant) and node.value in CARD_NAMES]
    joined = [
        at(node)
        for node in nodes
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
        for side in (node.left, node.right)
        if re.fullmatch(r"([\w.]+\.)?(rank|suit|trump|choice)", ast.unparse(side))
    ]
    assert ([], [], []) == (raw, names, joined)


def test_what_a_game_leaves_out_are_cards() -> None:
    """The cards out of play are values, however many play and whatever is chosen."""
    for game in GAMES:
        for seating in game.seatings.values():
            assert {Card} >= {type(card) for card in seating(game).pack.left_out}


# ---------------------------------------------------------------------- the order of strength


RANKS = {card.rank for game in GAMES for card in game.pack.faces.values()}
"""The rank of every card."""
RANKS_NAMED = {
    "exchange.faces": "the faces that have a rule of their own, each under its name",
    "exchange.option_builders": "the faces that an agreement obliges to exchange, the same in both games",
    "tricks.phases.side_actions": "the ranks that can be signalled are in the specification of the move",
}
"""The building blocks in which ranks stand, each with the reason."""


@every["rules"]
def test_no_rank_is_compared_by_its_place(path: Path) -> None:
    """Which card beats which is asked of an `Order`: nothing else compares ranks, or places in a row, by size."""
    orders = [node for node in tree(path).body if isinstance(node, ast.ClassDef) and node.name.endswith("Order")]
    own = {id(node) for order in orders for node in ast.walk(order)}
    for node in [node for node in ast.walk(tree(path)) if isinstance(node, ast.Compare) and id(node) not in own]:
        for side in (node.left, *node.comparators):
            text, by_size = (
                ast.unparse(side),
                not isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn | ast.Is),
            )
            assert not (by_size and re.search(r"\.index\(|\branks?\b|rank_|\.places\[", text)), at(node)


@every["parts"]
def test_no_building_block_names_a_rank(path: Path) -> None:
    """Ranks are data of a game: a building block is given those that it treats in a way of their own."""
    if is_within(module(path), ("games",)):
        return
    types = [
        node for node in ast.walk(tree(path)) if isinstance(node, ast.Call) and ast.unparse(node.func) == "TypeVar"
    ]
    names = {id(leaf) for node in types for leaf in ast.walk(node)}
    found = [
        at(node)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and node.value in RANKS and id(node) not in names
    ]
    assert bool(found) == (module(path) in RANKS_NAMED), found


# ---------------------------------------------------------------------- options are spent before the first card


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


def test_flags_are_found() -> None:
    """A truth value and a word are found wherever they lie; a number, a card and another part are none."""
    assert [".0.a: False -> True"] == list(flags(({"a": False},), ({"a": True},), ()))
    assert [".a: 'off' -> 'all'"] == list(flags({"a": "off"}, {"a": "all"}, ("off", "all")))
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


# ---------------------------------------------------------------------- a variant is no copy

RUN, MOST = 5, 0.03
"""A copy is this many lines in a row that stand in two games; this share of all lines may be copies."""


def lines(path: Path) -> list[str]:
    """The lines of a file without indentation, and without imports, docstrings, comments and blank lines."""
    skipped: set[int] = set()
    for node in [node for node in ast.walk(tree(path)) if isinstance(node, ast.stmt)]:
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if text or isinstance(node, ast.Import | ast.ImportFrom):
            skipped |= set(range(node.lineno, (node.end_lineno or 0) + 1))
    rows = [row.strip() for row in path.read_text(encoding="utf-8").splitlines()]
    return [row for number, row in enumerate(rows, 1) if row and row[0] != "#" and number not in skipped]


def test_games_are_no_copies_of_each_other() -> None:
    """Less than 3 % of the lines of the games stand in runs of five or more that two games have in common."""
    rows = {name: lines(path) for name, path in FILES.items()}
    owners: dict[tuple[str, ...], set[str]] = defaultdict(set)
    runs = [(name, at, tuple(row[at : at + RUN])) for name, row in rows.items() for at in range(len(row) - RUN + 1)]
    for name, _, run in runs:
        owners[run].add(name)
    copied = {(name, at + step) for name, at, run in runs if len(owners[run]) > 1 for step in range(RUN)}
    assert len(copied) < MOST * sum(map(len, rows.values())), sorted(copied)


# ---------------------------------------------------------------------- every class has its clause


def games_in(name: str) -> tuple[AnyGame, ...]:
    """The editions in the file of a game."""
    games: tuple[AnyGame, ...] = importlib.import_module(f"chitarrella.games.{name}").GAMES
    return games


@pytest.mark.parametrize("name", FILES)
def test_a_class_of_a_game_names_its_clause(name: str) -> None:
    """The docstring of each class in the file of a game cites a clause, and all that it cites are of that game."""
    keys = {clause.key for game in games_in(name) for clause in game.clauses if clause not in COMMON}
    prefixes = "|".join({key.partition("-")[0] for key in keys})
    for node in [node for node in tree(FILES[name]).body if isinstance(node, ast.ClassDef)]:
        cited = re.findall(rf"\b(?:{prefixes})-\d+(?:\.\d+)?[a-z]?", ast.get_docstring(node) or "")
        assert cited, node.name
        assert set() == set(cited) - keys, node.name
