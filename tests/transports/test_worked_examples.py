"""The worked example of each rule book: it is what the rules say, and the page of questions asks the same."""

from __future__ import annotations

from html import unescape
from urllib.parse import parse_qs

import pytest

from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella.transports.rest.website.worked_example import worked_example
from tests.transports.rest_client import Rest
from tests.walks import CATALOGUE

GAMES = [game.key for game in CATALOGUE]


@pytest.fixture
def curl(rest: str) -> Rest:
    """A caller without a key."""
    return Rest(rest)


def test_most_examples_show_a_refused_card() -> None:
    """Every game has an example, and every game where suits are followed from the start refuses a card in it."""
    refused = {game for game in GAMES if (example := worked_example(CATALOGUE, game)) and example.refused}
    assert {"bisca-brazil", "bisca-guyana", "coech", "coteccio", "cuccu-a-trionfo", "madrasso", "zifuli"} == refused
    assert all(worked_example(CATALOGUE, game) for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_example_stands_in_the_rule_book(curl: Rest, game: str) -> None:
    """The page tells the trick in the language of the reader, and names the clause that a refused card breaks."""
    example = worked_example(CATALOGUE, game)
    assert example is not None
    for language in LANGUAGES:
        translator = translator_for(language)
        page = unescape(curl.get(f"/docs/rules/{game}?language={language}").text)
        sentences = page.partition('class="events"')[2].partition("</ul>")[0]
        assert all(sentence in sentences for sentence in example.sentences(translator))
        for refusal in example.refused.refusals if example.refused else ():
            assert translator.reason(refusal, example.game.pack) in page


@pytest.mark.parametrize("game", [game for game in GAMES if CATALOGUE.game(game).trick_rules])
def test_example_opens_on_the_page_of_questions(curl: Rest, game: str) -> None:
    """The question in the link is answered, and refuses the card that the example says is refused."""
    example = worked_example(CATALOGUE, game)
    assert example is not None
    question = {name: value[0] for name, value in parse_qs(example.query(), keep_blank_values=True).items()}
    assert f"&{example.query()}" in unescape(curl.get(f"/docs/rules/{game}").text)
    position = {
        "ruleSet": {"gameId": question["game"], "players": int(question["players"])},
        "hands": [{"seat": 0, "cards": question["hand"].split(",")}],
        "trick": {"cards": question["trick"].split(",")},
        "stockSize": int(question["stock"]),
        **({"trump": question["trump"]} if "trump" in question else {}),
        **({"trumpCard": question["trump_card"]} if "trump_card" in question else {}),
    }
    moves = curl.post("/v1/rules:explainHand", {"partialPosition": position}).json()["moves"]
    refused = {move["move"]["cards"][0]: move["refusals"] for move in moves if move["refusals"]}
    for refusal in example.refused.refusals if example.refused else ():
        assert example.refused
        assert refusal.clause.key in [one["clause"]["key"] for one in refused[example.refused.card]]
