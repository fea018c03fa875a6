"""What tables may agree upon: every option, its default, its values and what is refused (ALL-8)."""

from itertools import product, starmap
from operator import attrgetter
from typing import NamedTuple

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame
from chitarrella.core.options import InvalidOption
from tests.games.support.examples import DATA
from tests.games.support.table import any_match
from tests.vectors.playthroughs import changed_by_option, until_changed
from tests.walks import CATALOGUE, values, walk


class Said(NamedTuple):
    """An option as a specification gives it: its default, its words or its numbers (most None: without end)."""

    default: str
    words: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None


YES_NO = ("false", "true")
PLAYERS = {"briscola": [2, 3, 4], "briscolone": [2], "brusquembille": [2], "coech": [2, 3, 4]}
OPTIONS = {
    "briscola": {
        "removed_two": Said("2b", ("2b", "2c", "2d", "2s")),
        "deal_packets": Said("3", ("1-1-1", "3")),
        "signals": Said("truthful", ("after_first_trick", "free", "off", "truthful")),
        "show_final_hand": Said("true", YES_NO),
        "deuce_exchange": Said("false", YES_NO),
        "rubber_games": Said("3", (), 1, 99),
        "first_dealer": Said("0", (), 0, 3),
    },
    "briscolone": {
        "deal_packets": Said("5", ("1-1-1-1-1", "3-2", "5")),
        "rubber_games": Said("3", (), 1, 99),
        "first_dealer": Said("0", (), 0, 1),
    },
    "brusquembille": {
        "ace_payment": Said("2", (), 0, 99), "ten_payment": Said("1", (), 0, 99),
        "deal_packets": Said("3", ("1-1-1", "3")), "seven_exchange": Said("false", YES_NO),
        "rubber_games": Said("3", (), 1, 99), "first_dealer": Said("0", (), 0, 1),
    },
    "coech": {
        "matto_rank": Said("lowest", ("above_nulla", "lowest")),
        "first_dealer": Said("by_lot", ("by_lot",), 0, 3),
        "skip_dummy_dealer": Said("false", YES_NO),
        "cutter_robs": Said("false", YES_NO),
        "match_deals": Said("1", (), 1, None),
        "target_wins": Said("0", (), 0, None),
    },
}  # fmt: skip
"""The tables of options, as the specifications give them; those of other games are read from ``data/options.txt``."""

NONSENSE = ("", " ", "none", "null", "yes", "True", "TRUE", "on", "-1", "+1", "01", "1.0", "1e1", "٣", "3 ", "1" * 13)
"""What no option takes; ``null`` has a word of its own where it is a value."""

REFUSED = {
    "removed_two": ["3b", "2B", "b2", "2h", "2b 2c"], "deal_packets": ["2", "1-2", "2-1", "3-3", "4"],
    "signals": ["true", "false", "Truthful"], "matto_rank": ["highest", "above_sec"],
    "rubber_games": ["0", "100", "unlimited"], "ace_payment": ["100"], "ten_payment": ["100"],
    "match_deals": ["0", "unlimited"], "target_wins": ["off"], "first_dealer": ["4", "20"],
}  # fmt: skip


def read_options(text: str) -> tuple[list[int], dict[str, Said], dict[str, list[str]]]:
    """Read a table of options: the numbers of players, the options, and values that they refuse.

    A line is ``option | default | words | least most | refused``; the first is ``players | 2 3 4``, and a number
    without end is written ``unlimited``.
    """
    rows = [[part.strip() for part in line.split("|")] for line in text.splitlines() if line and line[0] != "#"]
    options, refused = {}, {}
    for option, default, allowed, ends, others in rows[1:]:
        least, most = (None if end == "unlimited" else int(end) for end in ends.split() or ["unlimited"] * 2)
        options[option] = Said(default, tuple(sorted(allowed.split())), least, most)
        refused[option] = others.split()
    return [int(number) for number in rows[0][1].split()], options, refused


HERE: dict[tuple[str, str], list[str]] = {}  # what single games refuse

for part in (DATA / "options.txt").read_text(encoding="utf-8").split("\n## ")[1:]:
    key, _, text = part.partition("\n")
    PLAYERS[key], OPTIONS[key], more = read_options(text)
    HERE.update({(key, name): others for name, others in more.items()})

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
    if (option, value) == ("ace_by_seven", "any_suit"):
        return False
    if game == "bohemian-schneider" and option == "match_deals":
        return int(value) % 2 == 0
    if option == "jan_threshold":
        return not value.isdecimal() or int(value) <= int(OPTIONS[game]["target"].default)
    if option == "life_cap":
        return not value.isdecimal() or int(value) >= 4
    return option != "first_dealer" or not value.isdecimal() or int(value) < (4 if game == "coech" else players)


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
    for value in [*NONSENSE, *REFUSED.get(option, []), *HERE.get((key, option), [])]:
        if not takes(said, value):
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
