"""How the rules are written, read off the text and off the catalogue.

Cards, ranks, copies and names; options are read before the first card; and a game is named in its own file alone.
"""

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.cards import Card
from chitarrella.core.options import COMMON, GameEntry
from tests.test_architecture import PACKAGE, ROOT, SOURCES, is_within, module, named, tree

GAMES = tuple(Catalogue())
RULES = [path for path in SOURCES if is_within(module(path), ("core", "tricks", "exchange", "games"))]
PARTS = [path for path in RULES if not is_within(module(path), ("core",))]
FILES = {path.stem: path for path in RULES if is_within(module(path), ("games",)) and path.stem != "__init__"}
pytestmark = pytest.mark.unmeasured


def at(node: ast.expr | ast.arg) -> str:
    return f"line {node.lineno}: {ast.unparse(node)}"


PARSERS = ("core.cards", "core.notation")  # where text becomes a card
BEHIND_THE_WIRE = ("core", "tricks", "exchange", "games", "questions", "bots", "catalogue", "matches")
"""Where a card is a value; the layers before it read the texts of requests, and write those of answers."""
CARD_NAMES = {text for game in GAMES for text, card in game.pack.faces.items() if card.suit}
"""The notation of every card that has a suit."""
CARD_WORDS = {
    *("card", "cards", "face", "faces", "hand", "called", "answer", "trionfo", "turn_up", "trump_card"),
    *("spare", "left_out", "hands", "winning_card", "trick", "stock", "table"),
}
"""What a variable or field that holds cards is called."""


def offences(paths: Iterable[Path], find: Callable[[Path], Iterable[str]]) -> dict[str, list[str]]:
    return {named(path): found for path in paths if (found := list(find(path)))}


def test_only_a_pack_makes_cards() -> None:
    """A `Card` is constructed in `core.cards` and nowhere else: everybody else asks a pack."""
    made = re.compile(r"(?!pb\.)(?:\w+\.)*(?:Card|CardsByName)|Card\.\w+")

    def cards_made(path: Path) -> Iterator[str]:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and made.fullmatch(ast.unparse(node.func)):
                yield at(node)

    assert {} == offences([path for path in SOURCES if module(path) != "core.cards"], cards_made)


def cards_as_texts(path: Path) -> Iterator[str]:
    """Find cards that are typed as `str` or written as their notation, and ranks that are joined to suits."""
    for node in ast.walk(tree(path)):
        typed: ast.expr | None = None
        name = ""
        if isinstance(node, ast.arg):
            typed, name = node.annotation, node.arg
        elif isinstance(node, ast.AnnAssign):
            typed, name = node.annotation, ast.unparse(node.target)
        elif isinstance(node, ast.FunctionDef):
            typed, name = node.returns, node.name
        if typed and name in CARD_WORDS and re.search(r"\bstr\b", ast.unparse(typed)):
            yield at(typed)
        if isinstance(node, ast.Constant) and node.value in CARD_NAMES:
            yield at(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            sides = map(ast.unparse, (node.left, node.right))
            if any(re.fullmatch(r"([\w.]+\.)?(rank|suit|trump|choice)", side) for side in sides):
                yield at(node)
        if isinstance(node, ast.JoinedStr) and re.search(r"\brank\}\{.*suit\}", ast.unparse(node)):
            yield at(node)


def test_a_card_is_no_text() -> None:
    """Past the notation and the wire a pack is asked for a card; no rank is joined to a suit, no card typed `str`."""
    behind = [path for path in SOURCES if is_within(module(path), BEHIND_THE_WIRE)]
    assert {} == offences([path for path in behind if module(path) not in PARSERS], cards_as_texts)


def test_what_a_game_leaves_out_are_cards() -> None:
    """The cards out of play are values, however many play and whatever is chosen."""
    for game in GAMES:
        for players in game.entry.players:
            assert {Card} >= {type(card) for card in game.entry.configure(players, {}).pack.left_out}


RANKS = {card.rank for game in GAMES for card in game.pack.faces.values()}  # the rank of every card
RANKS_NAMED = {
    "exchange.parts": "the faces that have a rule of their own, each under its name",
    "tricks.side_actions": "the ranks that can be signalled are in the specification of the move",
}
"""The building blocks in which ranks stand, each with the reason."""


def test_no_rank_is_compared_by_its_place() -> None:
    """An `Order` says which card beats which, a `Taking` in a trick: nothing else compares ranks or picks by them."""
    by_size = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)

    def compared(path: Path) -> Iterator[str]:
        picked = re.compile(r"(max|min|sorted)\(.*(key=.*(rank|order)|strength)")
        ordering = re.compile("(Order|Taking|Strengths|^places)$")
        orders = [node for node in tree(path).body if ordering.search(getattr(node, "name", ""))]
        own = {id(node) for order in orders for node in ast.walk(order)}
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and id(node) not in own and picked.match(ast.unparse(node)):
                yield at(node)
            if isinstance(node, ast.Compare) and id(node) not in own and isinstance(node.ops[0], by_size):
                sides = " ".join(map(ast.unparse, (node.left, *node.comparators)))
                if re.search(r"\.index\(|\b(rank|strength)s?\b|rank_|\.places\[", sides):
                    yield at(node)

    assert {} == offences(RULES, compared)


def test_no_building_block_names_a_rank() -> None:
    """Ranks are data of a game: a building block is given those that it treats in a way of their own."""
    found = set()
    for path in PARTS:
        if not is_within(module(path), ("games",)):
            calls = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
            types = [node for node in calls if ast.unparse(node.func) == "TypeVar"]
            names = {id(leaf) for node in types for leaf in ast.walk(node)}
            constants = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Constant)]
            if any(node.value in RANKS and id(node) not in names for node in constants):
                found.add(module(path))
    assert RANKS_NAMED.keys() == found


RUN, MOST = 5, 0.03  # a copy is this many lines in a row that stand in two games; this share of all lines may be copies


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


def games_in(name: str) -> tuple[GameEntry, ...]:
    games: tuple[GameEntry, ...] = importlib.import_module(f"chitarrella.games.{name}").GAMES
    return games


@pytest.mark.parametrize("name", FILES)
def test_a_class_of_a_game_names_its_clause(name: str) -> None:
    """The docstring of each class in the file of a game cites a clause, and all that it cites are of that game."""
    keys = {clause.key for game in games_in(name) for clause in game.clauses if clause not in COMMON.clauses}
    prefixes = "|".join({key.partition("-")[0] for key in keys})
    for node in [node for node in tree(FILES[name]).body if isinstance(node, ast.ClassDef)]:
        cited = re.findall(rf"\b(?:{prefixes})-\d+(?:\.\d+)?[a-z]?", ast.get_docstring(node) or "")
        assert cited, node.name
        assert set() == set(cited) - keys, node.name


def test_no_word_and_no_option_is_asked_in_play() -> None:
    """No part compares a field of its own with a word, or reads the choices of a table."""

    def asked(path: Path) -> Iterator[str]:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Compare):
                sides = (node.left, *node.comparators)
                leaves = [leaf for side in sides for leaf in ast.walk(side) if isinstance(leaf, ast.Constant)]
                own = any(re.fullmatch(r"self\.\w+", ast.unparse(side)) for side in sides)
                if own and any(isinstance(leaf.value, str) for leaf in leaves):
                    yield at(node)
            if isinstance(node, ast.FunctionDef):
                for leaf in ast.walk(node):
                    if isinstance(leaf, ast.Attribute) and (leaf.attr == "options" or ast.unparse(leaf) == "g.agreed"):
                        yield at(leaf)

    assert {} == offences(PARTS, asked)


def test_no_part_is_given_true_or_false() -> None:
    """A variant is a part: no part and no rules have a boolean field, which a game could set and play would ask."""

    def flags(path: Path) -> Iterator[str]:
        classes = [node for node in ast.walk(tree(path)) if isinstance(node, ast.ClassDef)]
        for one in [one for one in classes if any("dataclass" in ast.unparse(by) for by in one.decorator_list)]:
            fields = [node for node in one.body if isinstance(node, ast.AnnAssign)]
            yield from (at(node.target) for node in fields if re.match(r"bool\b", ast.unparse(node.annotation)))

    assert {} == offences(PARTS, flags)


SCRIPTS = ROOT / "clients" / "typescript" / "web"  # the sources of the scripts that the service serves
KINDS = (".py", ".lua", ".json", ".html", ".md", ".proto", ".txt", ".js", ".ts")
WEBSITE = PACKAGE / "transports" / "rest" / "website"
PLAYED = PACKAGE / "i18n" / "game_events.json"
NOT_READ = (PACKAGE / "v1", PLAYED, WEBSITE / "speed.json", WEBSITE / "strength.json", SCRIPTS / "tests")
"""What is generated from the contract, what was played or measured game by game, and tests."""
TEXTS = {
    re.sub(r"^(service|proto)/chitarrella/", "", named(path)): path
    for folder in (PACKAGE, ROOT / "proto" / "chitarrella", SCRIPTS)
    for path in folder.rglob("*.*")
    if path.suffix in KINDS and not any(path.is_relative_to(folder) for folder in NOT_READ)
}
"""Every text of the service, of its scripts and of the contract, but for translations."""
WORDS = re.compile(
    r"\b(di|senza|una) briscola\b|\bbriscola: |announce_trump: \"Briscola\""
    r"|\b(a|no) scopa\b|\"(asso_pigliatutto|deal)\.scopa\""
)
"""The Italian words for trumps and for a sweep, as pages, sentences and options use them; they also name games."""


def own_and_parents(name: str) -> set[str]:
    """The file of a game and, for a variant, those that it imports."""
    wanted = re.findall(r"from chitarrella\.games\.(\w+) import", FILES[name].read_text(encoding="utf-8"))
    return {name}.union(*map(own_and_parents, wanted))


def test_no_game_is_named_outside_its_own_file() -> None:
    """No key and no title of a game stands in the text of another file, but those of its parent in a variant."""
    words_of = {
        file: {
            re.escape(word) for game in games_in(file) for word in (game.key, game.key.replace("-", "_"), game.title)
        }
        for file in FILES
    }
    found = set()
    for name, path in TEXTS.items():
        known = own_and_parents(path.stem) if path.with_suffix(".py") in FILES.values() else set()
        words = set().union(*(words_of[file] for file in FILES.keys() - known))
        text = WORDS.sub("", path.read_text(encoding="utf-8"))
        if re.search(rf"(?<!\w)(?:{'|'.join(sorted(words))})(?!\w)", text, re.IGNORECASE):
            found.add(name)
    assert set() == found


PREFIXES = {clause.key.partition("-")[0] for game in GAMES for clause in game.clauses if clause not in COMMON.clauses}
"""What stands before the hyphen in the keys of clauses that belong to a game."""


def test_no_clause_of_a_game_is_cited_outside_its_own_file() -> None:
    """No key of a game's clause stands in the text of a building block: several games may be made of it."""
    clause = re.compile(rf"\b(?:{'|'.join(PREFIXES)})-[A-Z]?\d+")
    others = [path for path in TEXTS.values() if path.with_suffix(".py") not in FILES.values()]
    assert {} == offences(others, lambda path: clause.findall(path.read_text(encoding="utf-8")))
