"""How the rules are written: cards, ranks, options, copies and names, read off the text and off the catalogue."""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from pathlib import Path

import pytest

from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.cards import Card
from chitarrella.core.game import AnyGame
from chitarrella.core.model import COMMON
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

PARSERS = ("core.cards", "core.notation", "core.notation")
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
    "exchange.base": "the faces that have a rule of their own, each under its name",
    "exchange.option_builders": "the faces that an agreement obliges to exchange, the same in both games",
    "tricks.side_actions": "the ranks that can be signalled are in the specification of the move",
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
