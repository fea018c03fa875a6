"""What the catalogue tells: the list of games, and each game with its rule book."""

import json

import pytest

from chitarrella.catalogue.registry import own_origin
from chitarrella.i18n.translator import LANGUAGES, translator_for
from tests.cli.run_command import CATALOGUE, invoke, process

KEYS = [game.key for game in CATALOGUE]


def test_games_are_listed() -> None:
    """The list has a line for every game, with its title, players, pack, source and edition."""
    lines = process("games", COLUMNS="200").stdout.splitlines()
    assert lines[0].split() == ["game", "title", "place", "players", "pack", "source", "edition"]
    assert len(lines) == 1 + len(KEYS)
    words = [line.split() for line in lines]
    assert ["briscola", "Briscola", "Italy", "2,", "3,", "4", "Italian", "S004", "1"] in words


def test_games_as_json() -> None:
    """For programs the list has the same games in the same order."""
    listed = json.loads(invoke("games", "--json").output)
    assert [game["key"] for game in listed] == KEYS
    (coech,) = (game for game in listed if game["key"] == "coech")
    assert coech == {
        "key": "coech", "title": "Cöch", "place": "Lake Iseo, Bergamo and Brescia", "players": [2, 3, 4],
        "default_players": 4, "pack": "Cucco", "sources": ["S000", "S002"], "edition": 1, **own_origin()._asdict(),
    }  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_explain_prints_the_whole_rule_book(key: str) -> None:
    """Explaining a game tells every clause, option, move and reason for a refusal, in this order."""
    game = CATALOGUE.game(key)
    output = " ".join(invoke("explain", key).output.split())
    place = 0
    for option in game.entry.options:
        place = output.index(f" {option.name} {option.default} ", place)
    for verb in game.move_specs:
        place = output.index(f" {verb} ", place)
    for reason in game.reasons:
        place = output.index(f" {reason.code} ", place)
    for clause in game.clauses:
        place = output.index(f" {clause.key} ", place)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_json_says_what_the_game_says(code: str, key: str) -> None:
    """For programs a game is told in the sentences of its language; codes, keys and notation are always the same."""
    game, translator = CATALOGUE.game(key), translator_for(code)
    output = json.loads(invoke("explain", key, "--json", "--language", code).output)
    assert output["clauses"] == [
        {"key": clause.key, "text": translator.clause(clause), "source": translator.source(clause.source)}
        for clause in game.clauses
    ]
    assert [reason["code"] for reason in output["reasons"]] == [reason.code for reason in CATALOGUE.reasons(key)]
    assert {reason["clause_key"] for reason in output["reasons"]} <= {clause.key for clause in game.clauses}
    assert [(option["default"], option["choices"], option["description"]) for option in output["options"]] == [
        (option.default, list(option.choices), translator.option(game, option)) for option in game.entry.options
    ]
    assert [(move["verb"], move["by_chance"], move["phases"], move["description"]) for move in output["moves"]] == [
        (spec.verb, spec.by_chance, sorted(spec.phases), translator.move_spec(game, spec))
        for spec in CATALOGUE.move_specs(key)
    ]


@pytest.mark.parametrize("code", LANGUAGES)
def test_headings_are_in_the_language(code: str) -> None:
    """For people the parts of a rule book have headings in the language, in their order."""
    printed = invoke("explain", "briscola", "--language", code).output
    headings = ("players", "cards", "options", "moves", "reasons", "rule book")
    places = [printed.index(f"\n{translator_for(code).cli_text(heading)}\n") for heading in headings]
    assert places == sorted(places)


SPEAKS = [
    ({}, (), "Rule book"),
    ({"LANG": "de_AT.UTF-8"}, (), "Regelbuch"),
    ({"LANG": "fr_FR.UTF-8"}, (), "Rule book"),
    ({"LANG": "it_IT", "LC_ALL": "C.UTF-8"}, (), "Rule book"),
    ({"LANG": "de_AT", "LC_MESSAGES": "it_CH"}, (), "Libro delle regole"),
    ({"LANG": "de_AT", "CHITARRELLA_LANGUAGE": "it"}, (), "Libro delle regole"),
    ({"CHITARRELLA_LANGUAGE": "it"}, ("--language", "en"), "Rule book"),
]
"""What surrounds the command, what is asked for, and a heading that is printed."""


@pytest.mark.parametrize(("environ", "asked", "heading"), SPEAKS)
def test_the_language_is_chosen(environ: dict[str, str], asked: tuple[str, ...], heading: str) -> None:
    """The option counts most, then CHITARRELLA_LANGUAGE, then the system's language where it is one of the three."""
    assert f"\n{heading}\n" in invoke("explain", "briscola", *asked, **environ).output


def test_ranking_and_worth() -> None:
    """Ace and Three lead the cards of Briscola, worth eleven and ten; the whole pack has 120 points."""
    (ranking,) = json.loads(invoke("explain", "briscola", "--json").output)["ranking"]
    assert ranking["ranks"] == ["A", "3", "R", "C", "F", "7", "6", "5", "4", "2"]
    assert ranking["counts"] == {"card_points": [11, 10, 4, 3, 2, 0, 0, 0, 0, 0]}


def test_two_suits_of_the_cucco_pack() -> None:
    """Cöch has two suits, which rank apart; in each face the pack has two cards, 38 half-points together."""
    output = json.loads(invoke("explain", "coech", "--json").output)
    assert [suit["suit"] for suit in output["ranking"]] == ["numbers", "pictures"]
    assert 38 == output["pack"]["copies"] * sum(sum(suit["counts"]["half_points"]) for suit in output["ranking"])


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("briscola", "3  each alone; 39 cards (without 2b)"),
        ("cucu", "2 to 20  each alone; 40 cards (default 8)"),
        ("briscola-chiamata", "5  each alone; 40 cards (default)"),
        ("elfern", "2  each alone; 32 cards\n"),
        ("coech", "2  seats 0 and 2 against 1 and 3; seat 2 is a dummy of 0; seat 3 is a dummy of 1; 40 cards"),
        ("briscola", "signal A|3|R|C|F "),
        ("briscola", "exchange_turn_up CARD "),
        ("cuccu-a-trionfo", "play_card CARD [numbers|pictures]"),
        ("cucu", "reenter [PERSON:AMOUNT ...]"),
    ],
)
def test_players_and_moves_are_explained(key: str, said: str) -> None:
    """What a number of players changes is said, the default where several may play, and a move as it is typed."""
    assert said in invoke("explain", key).output
