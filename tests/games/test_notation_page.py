"""``docs/notation.md`` lists exactly the fields of every position, with their defaults; its examples are read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import pytest

from chitarrella.catalogue.record import parse_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame
from chitarrella.core.notation import InvalidPosition, PositionCodec, value_codec
from chitarrella.exchange import round as round_state
from chitarrella.exchange.round import Round
from chitarrella.tricks import table as trick_state
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import NoRecord, Table
from tests.walks import CATALOGUE

pytestmark = pytest.mark.unmeasured
PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")


class Row(NamedTuple):
    """A field on the page: the games that have it, none for all of the family; its default as it is written."""

    games: frozenset[str]
    default: str


def rows(begin: str, end: str) -> dict[str, Row]:
    """The table of fields between two texts of the page."""
    part = PAGE[PAGE.index(begin) : PAGE.index(end)]
    found: dict[str, Row] = {}
    for line in part.splitlines():
        if cells := re.findall(r" (.*?) (?=\|)", line.replace(r"\|", "/")) if line.startswith("| `") else []:
            field, *games, _, default = cells
            assert field.strip("`") not in found, f"{field} stands twice"
            found[field.strip("`")] = Row(frozenset(re.findall(r"`([\w-]+)`", " ".join(games))), default.strip("`"))
    return found


TRICKS = rows("### Trick-taking games", "Of some games only")
OWN = rows("<!-- own fields -->", "<!-- end of own fields -->")
EXCHANGE = rows("### Exchange games", "## Records")


def fields(game: AnyGame) -> dict[str, str]:
    """The fields of a position of this game, with their defaults as they are written."""
    if isinstance(game, TrickGame):
        parts: tuple[type[Any], ...] = (Table, trick_state.MatchState, game.own)
    else:
        parts = (Round, round_state.MatchState)
    found: dict[str, str] = {}
    for part in parts:
        for name, hint in get_type_hints(part).items():
            if name not in ("match_state", "own"):  # their fields stand beside the others
                is_required = name not in part._field_defaults
                value = part._field_defaults.get(name)
                found[name] = "required" if is_required else value_codec(hint, game.pack).encode(value)
    assert set(found) == decoded(game)
    return found


def decoded(game: AnyGame) -> set[str]:
    """The names of the fields that the codec of this game writes, or refuses a wrong value of."""
    names = {*TRICKS, *OWN, *EXCHANGE}
    return {name for name in names if "no such field" not in fault(game, name)}


def fault(game: AnyGame, name: str) -> str:
    """What the codec says of a line with this field alone, which is never a position."""
    with pytest.raises(InvalidPosition) as refused:
        game.decode(f"{name}=?")
    return refused.value.message


@pytest.mark.parametrize("game", list(CATALOGUE), ids=lambda game: str(game.key))
def test_every_field_stands_on_the_page(game: AnyGame) -> None:
    """The page has exactly the fields of the game, with the defaults of its codec."""
    family = TRICKS if isinstance(game, TrickGame) else EXCHANGE
    own = {name: row for name, row in OWN.items() if game.key in row.games}
    assert {name: row.default for name, row in {**family, **own}.items()} == fields(game)


def test_the_fields_of_a_game_are_those_of_its_own_record() -> None:
    """Each field of some games names all games that have it."""
    expected: dict[str, set[str]] = {}
    for game in CATALOGUE:
        if isinstance(game, TrickGame) and game.own is not NoRecord:
            for name in get_type_hints(game.own):
                expected.setdefault(name, set()).add(game.key)
    assert {name: set(row.games) for name, row in OWN.items()} == expected


def test_the_example_of_a_position_is_read() -> None:
    """The line on the page is one that the codec reads, and writes again as it stands there."""
    line = re.search(r"^```text\n(phase=.*)\n```$", PAGE, re.MULTILINE)
    assert line is not None
    codec: PositionCodec[Table] = PositionCodec(Table, CATALOGUE.game("briscola").pack, own=NoRecord)
    assert codec.encode(codec.decode(line[1])) == line[1]


def test_the_example_of_a_record_is_read() -> None:
    """The lines on the page are a record, with its dots filled in."""
    text = re.search(r"^```text\n(game .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert text is not None
    record = parse_record(CATALOGUE, text[1].replace(" ...  ", "  "))
    assert record.rule_set == RuleSet("briscola", 2, (("rubber_games", "1"),), 1)
    assert [seat for seat, _ in record.moves[1:]] == [1, 0]
    assert record.proofs[0].client_seeds == ((0, "tarallo"), (1, "confetto"))


def test_every_card_is_described() -> None:
    """Each pack of the catalogue has a row, and each of its ranks and suits stands in the table."""
    table = PAGE[PAGE.index("## Cards") : PAGE.index("**Canonical order**")]
    for pack in {game.pack for game in CATALOGUE}:
        assert pack.name.split()[0] in table
        assert str(len(pack.cards)) in table
        for suit in pack.suits:
            assert not suit or f"`{suit}`" in table


REQUIRED_ROWS = set(re.findall(r"`(\w+)`", PAGE.partition("Those are")[2].partition(".")[0]))
"""The rows that the page says a position must have."""


@pytest.mark.parametrize("game", list(CATALOGUE), ids=lambda game: str(game.key))
def test_rows_by_seat_cannot_be_left_out(game: AnyGame) -> None:
    """A position without one of the rows with a number for each seat or side is refused at that row."""
    seated = CATALOGUE.game_for(CATALOGUE.normalize(RuleSet(game.key)))
    line = seated.encode(seated.start()).split(" ")
    names = [field.partition("=")[0] for field in line]
    rows_here = [name for name in names if name in REQUIRED_ROWS]
    assert rows_here
    for name in rows_here:
        with pytest.raises(InvalidPosition) as refused:
            seated.decode(" ".join(field for field in line if not field.startswith(f"{name}=")))
        assert name == refused.value.field
