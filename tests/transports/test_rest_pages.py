"""The pages beside the contract, what machines ask about the service, and what the log says of a call."""

import json
import re
from html import unescape
from urllib.parse import parse_qs, urljoin

import pytest

import chitarrella_cards as cards
from chitarrella.catalogue.registry import RuleSet
from chitarrella.games.scopa import VALUES
from chitarrella.i18n.narration import TEXTS
from chitarrella.i18n.translator import LANGUAGES, translate_proof, translator_for
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from chitarrella.transports.rest.website import website
from chitarrella.transports.rest.website.rulebook import worked_example
from chitarrella.transports.rest.website.website import GUIDES
from tests.games.support.examples import stated
from tests.transports.all_transports import Transport
from tests.transports.rest_client import Rest, Table, failed, logged_calls
from tests.walks import CATALOGUE

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"


PLAIN = {"Accept-Encoding": "identity"}


@pytest.mark.parametrize(("path", "said"), [("/healthz", "alive"), ("/readyz", "ready")])
def test_health_probes_are_answered_uncached(curl: Rest, path: str, said: str) -> None:
    """The probes of an orchestrator are answered, and never from a cache."""
    answer = curl.get(path)
    assert (200, {"status": said}, "no-store") == (answer.status_code, answer.json(), answer.headers["Cache-Control"])


def test_docs_lead_to_the_page_of_the_contract(curl: Rest) -> None:
    """A program that comes without a path, or a reader, finds the page of the contract, which asks nobody else."""
    assert ["/docs/", "/docs/api/"] == [curl.get(path).headers["Location"] for path in ("/docs", "/docs/")]
    page = curl.get("/docs/api/").text
    assert '"validatorUrl": null' in page
    assert '"url": "/openapi.json"' in page


def test_error_page_lists_every_code(curl: Rest) -> None:
    """Each code has its anchor, a meaning and a remedy in the reader's language, and so has each reason of a game."""
    page = curl.get("/docs/errors").text
    titles, remedies = TEXTS["error"], TEXTS["remedy"]
    assert titles.keys() == remedies.keys() == {known.code for known in PROBLEM_TYPES}
    assert all(f'id="{code}"' in page for code in titles)
    for game in CATALOGUE:
        assert all(f'id="reason-{reason.code}"' in page for reason in CATALOGUE.game_for(RuleSet(game.key)).reasons)
    for language in LANGUAGES:
        page, text = curl.get("/docs/errors", headers={"Accept-Language": language}).text, translator_for(language).text
        for kind, texts in (("error", titles), ("remedy", remedies)):
            assert all(text(f"{kind} {code}", english) in unescape(page) for code, english in texts.items())
        assert text("page refusals", "Refusals") in page
        problem = curl.get("/v1/games/poker", headers={"Accept-Language": language}).json()
        assert text("error unknown_game", titles["unknown_game"]) == problem["title"]


def test_refusal_links_to_its_clause(curl: Rest) -> None:
    """A refusal names the place of its clause, says itself in the language asked for, and has the same codes in all."""
    known = {"ruleSet": {"gameId": "coech"}, "trick": {"cards": ["III"]}, "hands": [{"cards": ["VI", "XIV"]}]}
    asked = {"partialPosition": known}
    said = {}
    for language in LANGUAGES:
        answer = curl.post("/v1/rules:explainHand", asked, headers={"Accept-Language": language}).json()
        (refusal,) = next(card["refusals"] for card in answer["moves"] if card["refusals"])
        said[language] = refusal["message"], refusal["clause"]["text"]
        assert ("must_follow_suit", "CO-17", "/docs/rules/coech#CO-17") == (
            refusal["code"], refusal["clause"]["key"], refusal["pagePath"],
        )  # fmt: skip
        assert 200 == curl.get(refusal["pagePath"].partition("#")[0]).status_code
    assert 6 == len({text for texts in said.values() for text in texts})


SAID = {
    "en": "LEO is not in the hand.",
    "it": "LEO non è tra le carte in mano.",
    "de": "LEO ist nicht unter den Handkarten.",
}


def test_illegal_record_is_explained_in_any_language(curl: Rest) -> None:
    """A record with an illegal move is refused with its number and the sentence of the rules, in any language."""
    game = CATALOGUE.game_for(RuleSet("coech", 4, (("first_dealer", "3"),)))
    moves = f"table start_deal {' '.join(game.pack.cards)}\n0 play_card LEO\n"
    record = f"game coech\nplayers 4\noption first_dealer 3\n\n{moves}"
    for language in LANGUAGES:
        answer = curl.post("/v1/matches:import", {"record": record}, headers={"Accept-Language": language})
        failed(answer, 400, "bad_record", "record")
        assert f"move 2: {SAID[language]}" == answer.json()["detail"]


def test_page_of_proofs_has_every_command_and_result(curl: Rest) -> None:
    """The page has every figure with its command, the strength of the bots, and each goal of the last benchmark."""
    raw, translator = curl.get("/docs/proofs").text, translator_for("it")
    page, italian = unescape(raw), unescape(curl.get("/docs/proofs?language=it").text)
    for figure in json.loads(website.FIGURES.read_text()):
        assert figure["command"] in page
        for part in (figure["what"], figure["figure"], *website.LIST_JOINT.split(figure["says"])):
            assert part in page
        assert translate_proof(translator, figure["what"]) in italian
    results = json.loads(website.RESULT.read_text(encoding="utf-8"))
    for result in results:
        assert sorted(game.key for game in CATALOGUE) == sorted(pair["game"] for pair in result["pairs"])
        assert f"<code>{result['command']}</code>" in raw
    pairs = [pair for result in results for pair in result["pairs"]]
    assert len(pairs) == raw.count('<svg class="interval"')
    assert all(f"{100 * pair['ahead'][0]:.1f}&nbsp;% ±" in raw for pair in pairs)
    speed = json.loads(website.SPEED.read_text(encoding="utf-8"))
    assert f"{speed['date']}, commit {speed['commit']}" in page
    for goal in speed["goals"]:
        assert f"<td>{goal['what']}</td><td>{goal['median']:.3g}x</td><td>{goal['goal']}</td>" in page


def test_guides_are_pages(curl: Rest) -> None:
    """Each guide is an English article in a page of the reader's language, without comments, and Markdown."""
    for name in GUIDES:
        page, markdown = curl.get(f"/docs/{name}?language=it").text, curl.get(f"/docs/{name}.md")
        assert '<html lang="it">' in page
        assert '<article lang="en">' in page
        assert "<!--" not in page
        assert ("text/markdown; charset=utf-8", "# ") == (markdown.headers["Content-Type"], markdown.text[:2])


def test_unknown_language_gives_english(curl: Rest) -> None:
    """A language that is preferred and cannot be had gives English; a game that there is not gives an error."""
    assert '<html lang="en">' in curl.get("/docs/rules/coech", headers={"Accept-Language": "fr, ;;q=x"}).text
    failed(curl.get("/docs/rules/poker"), 404, "unknown_game", "game_id")


@pytest.mark.parametrize("path", ["/nowhere", "/docs/nowhere", "/docs/rules/poker", "/v1/nowhere", "/%3Cscript%3E"])
def test_people_get_a_page_where_nothing_is(curl: Rest, path: str) -> None:
    """A browser at an unknown path shows a page with status 404, whose links lead to the documentation."""
    answer = curl.get(path, headers={"Accept": BROWSER, "X-Request-Id": "r-404"})
    assert (404, "text/html; charset=utf-8") == (answer.status_code, answer.headers["Content-Type"])
    assert ("no-store", "Accept, Accept-Encoding") == (answer.headers["Cache-Control"], answer.headers["Vary"])
    links = re.findall(r'href="([^"]+)"', answer.text)
    assert "/docs/" in links
    for link in links:
        assert 200 == curl.get(link, headers={"Accept": BROWSER}, follow_redirects=True).status_code, link
    assert "r-404" in answer.text
    assert "<script>" not in answer.text


def test_programs_get_a_problem_where_nothing_is(curl: Rest) -> None:
    """Whoever does not prefer HTML, or calls an rpc, gets a problem, and another error is one everywhere."""
    image, half = "image/png", "text/html;q=0.5"
    for accept in ("*/*", "", "application/json", f"{half},application/json", f"{half},*/*", image, ";;"):
        answer = curl.get("/nowhere", headers={"Accept": accept})
        failed(answer, 404, "no_such_route")
        assert "Accept, Accept-Encoding" == answer.headers["Vary"]
    failed(curl.get("/v1/games/nothing", headers={"Accept": BROWSER}), 404, "unknown_game", "game_id")
    failed(curl.post("/healthz", headers={"Accept": BROWSER}), 405, "wrong_method")


def test_calls_are_logged_and_probes_are_not(rest: str) -> None:
    """Each call leaves one line with its rpc and outcome; a probe leaves none."""
    with logged_calls() as lines:
        for path in ("/healthz", "/readyz", "/metrics", "/openapi.json", "/nowhere"):
            Rest(rest).get(path)
        table = Table(rest)
        seat, move = table.not_held()
        table.seats[seat].post(f"{table.path}/moves", {"move": move}, headers={"X-Request-Id": "r-17"})
    (refused,) = (line for line in lines if line["request_id"] == "r-17")
    assert ("/chitarrella.v1.MatchService/PlayMove", "refused") == (refused["rpc"], refused["code"])
    assert ["no_such_route"] == [line["code"] for line in lines if line["rpc"] == "none"]
    assert all(line["transport"] == "rest" and line["duration_ms"] > 0 for line in lines)


# ---------------------------------------------------------------------- play page


PAGES = {"/play/": "/client.js", "/ask/": "", "/records/": "/record.js", "/duel/": "/record.js"}
"""The pages, each with the script of the element that it shows."""


@pytest.mark.parametrize("page", PAGES)
def test_page_loads_from_the_service_alone(curl: Rest, page: str) -> None:
    """The page has no script and no style of its own text, and its policy allows those of the service only."""
    answer = curl.get(page)
    rules = dict(rule.split(" ", 1) for rule in answer.headers["Content-Security-Policy"].split("; "))
    assert ("'none'", "'self'", "'self'") == (rules["default-src"], rules["script-src"], rules["style-src"])
    assert "no-referrer" == answer.headers["Referrer-Policy"]
    assert [] == re.findall(r"<style|style=|<script(?![^>]* src=)|\son\w+=", answer.text)
    loaded = r'<(?:script [^>]*src|link rel="(?:stylesheet|icon)"[^>]* href)="([^"]+)"'
    paths = [urljoin(page, path) for path in re.findall(loaded, answer.text)]
    common = {"/cards/cucco/back.svg", "/style.css", *filter(None, [PAGES[page]])}
    assert {f"{page}page.css", f"{page}page.js"} | common == set(paths)
    assert {200} == {curl.get(path).status_code for path in paths}
    redirect = curl.get(f"{page.rstrip('/')}?language=it")
    assert redirect.headers["Location"].endswith(f"{page}?language=it")


@pytest.mark.parametrize("path", ["/client.js", "/record.js", *(f"{page}page.js" for page in PAGES)])
def test_scripts_import_one_that_is_kept(curl: Rest, path: str) -> None:
    """Each script imports the shared one alone, at an address that has its digest and may be kept for a year."""
    (address,) = set(re.findall(r'\bfrom ?"([^"]+)"', curl.get(path).text))
    shared = curl.get(urljoin(path, address))
    assert "public, max-age=31536000" == shared.headers["Cache-Control"]
    assert "*" == shared.headers["Access-Control-Allow-Origin"]
    assert "public, max-age=300" == curl.get("/shared.js?0123456789abcdef").headers["Cache-Control"]
    if path.endswith("/page.js"):
        page = curl.get(urljoin(path, "."))
        assert f'<link rel="modulepreload" href="{urljoin(path, address)}">' in page.text


def test_scripts_evaluate_no_text_and_call_no_other_host(curl: Rest) -> None:
    """The scripts make no code and no markup out of text, and name no host but in the name of SVG."""
    for path in ("/client.js", "/record.js", "/shared.js", *(f"{page}page.js" for page in PAGES)):
        script = curl.get(path).text.replace('"http://www.w3.org/2000/svg"', "")
        assert [] == re.findall(r"\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write|https?://", script)
        # properties that a script sets are no style attribute, and the policy of the pages allows them
        assert [] == re.findall(r'setAttribute\("style"|\.cssText|\.style\s*=', script)


# ---------------------------------------------------------------------- card pictures


SVG, SCRIPT, TEXT = "image/svg+xml", "text/javascript; charset=utf-8", "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    ("path", "kind", "seconds", "said"),
    [
        ("/cards/italian/Ab.svg", SVG, 86400, str(cards.card("Ab"))),
        ("/cards/french/As.svg", SVG, 86400, str(cards.card("As", pack="french"))),
        ("/cards/cucco/MAT.svg", SVG, 86400, str(cards.card("MAT"))),
        ("/cards/french/back.svg", SVG, 86400, str(cards.back("french"))),
        ("/cards/cucco.svg", SVG, 86400, str(cards.sprite("cucco"))),
        ("/client.js", SCRIPT, 300, 'customElements.define("chitarrella-table"'),
        ("/records/cucu.txt", TEXT, 300, "game cucu\n"),
        ("/v1/games/briscola", "application/json", 300, '"gameId":"briscola"'),
    ],
)
def test_files_are_kept_and_have_a_strong_tag(curl: Rest, path: str, kind: str, seconds: int, said: str) -> None:
    """What is the same for all may be kept for a while by pages of every origin, and its tag gives 304."""
    answer = curl.get(path, headers=PLAIN)
    assert (200, kind, True) == (answer.status_code, answer.headers["Content-Type"], said in answer.text)
    assert f"public, max-age={seconds}" == answer.headers["Cache-Control"]
    assert "*" == answer.headers["Access-Control-Allow-Origin"]
    tag = answer.headers["ETag"]
    assert tag.startswith('"')
    again = curl.get(path, headers={**PLAIN, "If-None-Match": tag})
    assert (304, b"", tag) == (again.status_code, again.content, again.headers["ETag"])


def test_other_pictures_are_problems_and_packs_are_compressed(curl: Rest) -> None:
    """A pack is sent compressed to a fifth of its length or less; what is not drawn is a path at which nothing is."""
    answer = curl.get("/cards/italian.svg", headers={"Accept-Encoding": "gzip"})
    assert "gzip" == answer.headers["Content-Encoding"]
    assert int(answer.headers["Content-Length"]) < len(answer.content) / 5
    for path in ("tarot/Ab.svg", "tarot/back.svg", "tarot.svg", "italian/Zz.svg", "french/Ab.svg", "italian/ab.svg"):
        failed(curl.get(f"/cards/{path}"), 404, "no_such_route")
    for path in ("italian/.svg", "italian/Ab", ""):
        failed(curl.get(f"/cards/{path}"), 404, "no_such_route")


def test_catalogue_leads_to_the_pictures(transport: Transport, curl: Rest) -> None:
    """The picture of every card of a game is where the catalogue says."""
    for key in ("brisca", "elfern", "cucu"):
        game = transport("GetGame", game_id=key)
        for card in game.cards:
            assert f"/{card.code}.svg" in card.picture_path
            assert 200 == curl.get(card.picture_path).status_code


# ---------------------------------------------------------------------- worked examples


GAMES = [game.key for game in CATALOGUE]


def test_examples_stand_in_the_rule_books(curl: Rest) -> None:
    """Every page tells a trick in the language of the reader, and names the clause that a refused card breaks."""
    examples = {game: example for game in GAMES if (example := worked_example(CATALOGUE, game))}
    assert examples.keys() == set(GAMES)
    refusing = {game for game, example in examples.items() if example.refused}
    assert stated("page").keys() == refusing
    for game, example in examples.items():
        for language in LANGUAGES:
            translator, page = translator_for(language), curl.get(f"/docs/rules/{game}?language={language}").text
            assert not re.search(r"\b(?:seat|posto|platz) \d", page.partition('id="options"')[0], re.IGNORECASE)
            sentences = unescape(page).partition('class="events"')[2].partition("</ul>")[0]
            assert all(sentence in sentences for sentence in example.sentences(translator))
            for refusal in example.refused.refusals if example.refused else ():
                assert translator.reason(refusal, example.game.pack) in unescape(page)


TRICK_GAMES = [game for game in GAMES if CATALOGUE.game(game).trick_rules]
FIGURE = re.compile(r'<figure class="turn">(.*?)<figcaption>(.*?)</figcaption>', re.DOTALL)


@pytest.mark.parametrize("game", TRICK_GAMES)
def test_book_shows_a_trick_as_the_rules_decide_it(curl: Rest, game: str) -> None:
    """Its cards in order of play, the seat that takes it, and what it counts are as `ResolveTrick` says."""
    example, rules = worked_example(CATALOGUE, game), CATALOGUE.game(game).trick_rules
    assert example
    assert example.turn
    assert rules
    named = {"trump": "trump"} if rules.has_trumps else {"trumpCard": "turn_up"} if rules.has_trump_card else {}
    known = {field: example.turn.facts[fact] for field, fact in named.items()}
    for language in LANGUAGES:
        translator, page = translator_for(language), unescape(curl.get(f"/docs/rules/{game}?language={language}").text)
        found = FIGURE.search(page)
        assert found
        plays = re.findall(r"<li( class=\"named\")?><div>(.*?)</div><span>(.*?)</span></li>", found[1])
        laid = [(mark, name, card) for mark, cards, name in plays for card in re.findall(r"/(\w+)\.svg", cards)]
        rule_set = {"gameId": game, "players": example.players}
        question = {"ruleSet": rule_set, "cards": [card for *_, card in laid], **known}
        answer = curl.post("/v1/rules:resolveTrick", question).json()
        mark, name, _ = laid[answer["winningIndex"]]
        assert {name} == {seat for mark, seat, _ in laid if mark}
        assert mark
        assert all(f": {score['value']}." in found[2] for score in answer["scores"])
        assert f" {name.split()[-1]} " in found[2]
        assert example.turn.caption(translator) == found[2]
        assert len(laid) == len(re.findall(r'alt="[^"]+"', found[1]))


def test_books_without_tricks_show_a_turn_and_nothing_moves_where_that_is_not_wanted(curl: Rest) -> None:
    """What is captured lies beside the card that captures it; all animation is for who has not asked for less of it."""
    example = worked_example(CATALOGUE, "scopa")
    assert example
    assert example.turn
    table, captor = example.turn.plays
    assert sum(VALUES[card.rank] for card in table.cards) == VALUES[captor.cards[0].rank]
    style = curl.get("/style.css").text
    moving = re.sub(r"@media \(prefers-reduced-motion: no-preference\) \{.*?^\}", "", style, flags=re.M | re.S)
    assert "animation" in style
    assert "animation" not in moving


@pytest.mark.parametrize("game", TRICK_GAMES)
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
