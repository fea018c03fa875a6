"""What tables may agree upon: every option, its default, its values and what is refused (ALL-8)."""

from itertools import product, starmap
from operator import attrgetter
from typing import NamedTuple

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame
from chitarrella.core.options import InvalidOption
from tests.games.support.examples import GAMES, section
from tests.games.support.table import any_match
from tests.vectors.playthroughs import changed_by_option, until_changed
from tests.walks import CATALOGUE, values, walk


class Said(NamedTuple):
    """An option as a specification gives it: its default, its words or its numbers (most None: without end)."""

    default: str
    words: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None


NONSENSE = (
    "", " ", "none", "null", "yes", "True", "TRUE", "on", "-1", "+1", "01", "1.0", "1e1", "٣", "3 ", "2b 2c", "1" * 13,
)  # fmt: skip
"""What no option takes; ``null`` has a word of its own where it is a value."""

PLAYERS: dict[str, list[int]] = {}
OPTIONS: dict[str, dict[str, Said]] = {}
REFUSED: dict[tuple[str, str], list[str]] = {}  # what an option refuses, also where it is so only with these defaults


def read_options(key: str) -> None:
    """Read the options of a game: the numbers of players, the options, and values that they refuse.

    A line is ``option | default | words | least most | refused``; the first is ``players | 2 3 4``, and a number
    without end is written ``unlimited``.
    """
    (_, players), *rows = [[part.strip() for part in line.split("|")] for line in section(key, "options")]
    PLAYERS[key], OPTIONS[key] = [int(number) for number in players.split()], {}
    for option, default, words, ends, refused in rows:
        least, most = (None if end == "unlimited" else int(end) for end in ends.split() or ["unlimited"] * 2)
        OPTIONS[key][option] = Said(default, tuple(sorted(words.split())), least, most)
        REFUSED[key, option] = refused.split()


for key in GAMES:
    read_options(key)

EVERY = [
    (game, players, option)
    for game, options in OPTIONS.items()
    for players in PLAYERS[game]
    for option in options
]  # fmt: skip


def allowed(said: Said) -> list[str]:
    """Every word, and of the numbers both ends and some between."""
    if said.least is None:
        return list(said.words)
    most = 12_345 if said.most is None else said.most
    return [*said.words, *(str(number) for number in {said.least, said.least + 1, most // 2, most})]


def takes(said: Said, value: str) -> bool:
    """Whether an option has this word, or this number written without frills."""
    number = int(value) if value.isdecimal() else -1
    between = said.least is not None and said.least <= number <= (number if said.most is None else said.most)
    return value in said.words or (between and str(number) == value)


def fits(game: str, players: int, option: str, value: str) -> bool:
    """Whether a value goes with the defaults of the others, and a first dealer has a seat; Cöch always has four."""
    if option == "first_dealer" and value.isdecimal():
        return int(value) < (4 if game == "coech" else players)
    return value not in REFUSED[game, option]


@pytest.mark.clause("ALL-8")
@pytest.mark.parametrize("key", OPTIONS)
def test_the_options_are_those_of_the_specification(key: str) -> None:
    """Names, defaults and allowed values of the catalogue are those of the specification, players too."""
    game = CATALOGUE.game(key)
    offered = {o.name: Said(o.default, tuple(sorted(o.choices)), o.minimum, o.maximum) for o in game.entry.options}
    assert OPTIONS[key] == offered
    assert PLAYERS[key] == sorted(game.entry.players)
    assert all(option.description and option.source for option in game.entry.options)


@pytest.mark.clause("ALL-8")
@pytest.mark.parametrize(("key", "players", "option"), EVERY)
def test_every_allowed_value_makes_a_match(key: str, players: int, option: str) -> None:
    """Every allowed value is accepted with every number of players, also where it can have no effect (BR-R25)."""
    for value in allowed(OPTIONS[key][option]):
        if fits(key, players, option, value):
            match = any_match(key, players, **{option: value})
            match.play_out()
            assert 1 == match.p.match_state.deal
        else:
            with pytest.raises(InvalidOption) as refused:
                any_match(key, players, **{option: value})
            assert f"options.{option}" == refused.value.field


@pytest.mark.clause("ALL-8")
@pytest.mark.parametrize(("key", "players", "option"), EVERY)
def test_every_other_value_is_refused(key: str, players: int, option: str) -> None:
    """A value that is not allowed refuses the match, also where it could have no effect."""
    said = OPTIONS[key][option]
    for value in [*(word for word in NONSENSE if not takes(said, word)), *REFUSED[key, option]]:
        with pytest.raises(InvalidOption) as refused:
            any_match(key, players, **{option: value})
        assert f"options.{option}" == refused.value.field


@pytest.mark.clause("ALL-8")
@pytest.mark.parametrize("key", OPTIONS)
def test_an_option_left_out_has_its_default(key: str) -> None:
    """A game whose options are all set to their defaults is played like one whose options are left out."""
    for players in PLAYERS[key]:
        silent, spoken = (
            any_match(key, players, **options)
            for options in ({}, {name: said.default for name, said in OPTIONS[key].items()})
        )
        for match in (silent, spoken):
            match.play_out()
            match.play_out()
        assert silent.p == spoken.p
        assert silent.events == spoken.events


@pytest.mark.clause("ALL-8")
@pytest.mark.parametrize("key", OPTIONS)
def test_unknown_options_and_tables_are_refused(key: str) -> None:
    """An option of another game, or a number of players the game is not made for, refuses the match."""
    others = {name for options in OPTIONS.values() for name in options} - set(OPTIONS[key])
    for name in (*others, "players", "Signals", ""):
        with pytest.raises(InvalidOption) as refused:
            any_match(key, PLAYERS[key][0], **{name: "3"})
        assert f"options.{name}" == refused.value.field
    for players in {1, 2, 3, 4, 5, 20} - set(PLAYERS[key]):
        with pytest.raises(InvalidOption) as refused:
            any_match(key, players)
        assert "players" == refused.value.field


@pytest.mark.unmeasured
@pytest.mark.parametrize("game", list(CATALOGUE), ids=attrgetter("key"))
def test_options_change_something_where_they_say(game: AnyGame) -> None:
    """An option for certain numbers of players changes a deal with each of them, and none with any other number."""
    for option, players in product(game.entry.options, sorted(game.entry.players)):
        if option.players:
            offered = [RuleSet(game.key, players, ((option.name, value),)) for value in values(option)]
            played = ((each, walk(each, f"changed {seed}", 2).steps) for seed in range(20) for each in offered)
            changes = any(until_changed(each) for each in offered) or any(starmap(changed_by_option, played))
            # a dummy is passed over in the second deal, and a match has one unless more are agreed
            assert (players in option.players) == changes or option.name == "skip_dummy_dealer", (option.name, players)
            assert players in option.players or not changes
