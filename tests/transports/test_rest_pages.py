"""The pages beside the contract, what machines ask about the service, and what the log says of a call."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urljoin

import pytest
from structlog.testing import capture_logs

import chitarrella_cards as cards
from chitarrella.catalogue.registry import RuleSet
from chitarrella.i18n.error_texts import REMEDIES, TITLES
from chitarrella.i18n.proof_texts import translate_proof
from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from chitarrella.transports.rest.website import website
from chitarrella.transports.rest.website.rulebook import worked_example
from chitarrella.transports.rest.website.website import GUIDES
from chitarrella.v1 import catalogue_pb2
from tests.servers import until
from tests.transports.all_transports import Transport
from tests.transports.rest_client import Rest, Table, events, failed
from tests.walks import CATALOGUE

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"


@pytest.fixture
def curl(rest: str) -> Rest:
    """A caller without a key."""
    return Rest(rest)


@pytest.mark.parametrize(("path", "said"), [("/healthz", "alive"), ("/readyz", "ready")])
def test_health_probes_are_answered_uncached(curl: Rest, path: str, said: str) -> None:
    """The probes of an orchestrator are answered, and never from a cache."""
    answer = curl.get(path)
    assert (200, {"status": said}, "no-store") == (answer.status_code, answer.json(), answer.headers["Cache-Control"])


def test_docs_page_is_self_contained(curl: Rest) -> None:
    """The page of the contract loads everything from the service itself."""
    assert "/docs/api/" == curl.get("/docs/").headers["Location"]
    page = curl.get("/docs/api/").text
    for path in re.findall(r'(?:href|src)="([^"#]+)"', page):
        assert path.startswith("/"), path
        assert 200 == curl.get(path, headers={"Accept": BROWSER}).status_code, path
    assert '"validatorUrl": null' in page
    assert '"url": "/openapi.json"' in page


@pytest.mark.parametrize(("path", "to"), [("/", "/docs/"), ("/docs", "/docs/")])
def test_root_redirects_to_the_docs(curl: Rest, path: str, to: str) -> None:
    """A program that comes without a path finds the page of the contract."""
    assert curl.get(path).headers["Location"].endswith(to)


def test_error_page_lists_every_code(curl: Rest) -> None:
    """The link in a problem leads to its code, and the reasons of every game are listed below."""
    page = curl.get("/docs/errors").text
    for known in PROBLEM_TYPES:
        assert f'id="{known.code}"' in page
    for game in curl.get("/v1/games").json()["games"]:
        for reason in curl.get(f"/v1/games/{game['gameId']}").json()["reasons"]:
            assert f'id="reason-{reason["code"]}"' in page


def test_rule_book_pages_have_every_clause(curl: Rest) -> None:
    """Every game has its rule book as a page, in each language, with every clause and reason under its anchor."""
    for summary in curl.get("/v1/games").json()["games"]:
        for language in LANGUAGES:
            page = curl.get(f"/docs/rules/{summary['gameId']}?language={language}").text
            game = curl.get(f"/v1/games/{summary['gameId']}", headers={"Accept-Language": language}).json()
            assert f'<html lang="{language}">' in page
            for clause in game["clauses"]:
                assert f'id="{clause["key"]}"' in page
                assert clause["text"] in unescape(page)
            assert all(f'id="{reason["code"]}"' in page for reason in game["reasons"])
            assert all(f"<code>{move['notation']}</code>" in unescape(page) for move in game["moves"])
            assert all(word in page for option in game["options"] for word in option["choices"])
    assert "cut (si alza il tallone)" in curl.get("/docs/rules/bisca-brazil.md?language=it").text
    index = curl.get("/docs/rules/", headers={"Accept-Language": "de-AT,it;q=0.4"}).text
    assert all(f'href="{summary["gameId"]}?language=de"' in index for summary in curl.get("/v1/games").json()["games"])


def test_refusal_links_to_its_clause(curl: Rest) -> None:
    """A refusal names the place of its clause, says itself in the language asked for, and has the same codes in all."""
    asked = {"ruleSet": {"gameId": "coech"}, "trick": ["III"], "hand": ["VI", "XIV"]}
    said = {}
    for language in LANGUAGES:
        answer = curl.post("/v1/rules:listPlayableCards", asked, headers={"Accept-Language": language}).json()
        (refusal,) = next(card["refusals"] for card in answer["moves"] if card["refusals"])
        said[language] = refusal["message"], refusal["clause"]["text"]
        assert ("must_follow_suit", "CO-17", "/docs/rules/coech#CO-17") == (
            refusal["code"], refusal["clause"]["key"], refusal["page"],
        )  # fmt: skip
        assert 200 == curl.get(refusal["page"].partition("#")[0]).status_code
    assert 6 == len({text for texts in said.values() for text in texts})


SAID = {"en": "LEO is not in the hand.", "it": "LEO non è nella mano.", "de": "LEO ist nicht in der Hand."}


@pytest.mark.parametrize("language", LANGUAGES)
def test_illegal_record_is_explained_in_any_language(curl: Rest, language: str) -> None:
    """A record with an illegal move is refused with its number and the sentence of the rules, in any language."""
    game = CATALOGUE.game_for(RuleSet("coech", 4, (("first_dealer", "3"),)))
    moves = f"table start_deal {' '.join(game.pack.cards)}\n0 play_card LEO\n"
    record = f"game coech\nplayers 4\noption first_dealer 3\n\n{moves}"
    answer = curl.post("/v1/matches:import", {"record": record}, headers={"Accept-Language": language})
    failed(answer, 400, "bad_record", "record")
    assert f"move 2: {SAID[language]}" == answer.json()["detail"]


def test_evidence_page_has_every_command(curl: Rest) -> None:
    """The page of proofs has every figure with the command that prints it."""
    page = unescape(curl.get("/docs/proofs").text)
    italian, translator = unescape(curl.get("/docs/proofs?language=it").text), translator_for("it")
    for figure in json.loads(website.FIGURES.read_text()):
        assert all(figure[part] in page for part in ("what", "figure", "command"))
        assert all(translate_proof(translator, figure[part]) in italian for part in ("what", "figure"))
        for shown, note in ((page, figure["says"]), (italian, translate_proof(translator, figure["says"]))):
            assert all(part in shown for part in website.LIST_JOINT.split(note))


def test_the_page_of_proofs_plots_the_strength_of_the_bots(curl: Rest) -> None:
    """Every game has a row with its interval for each two bots, which is that of the kept result of the command."""
    page = curl.get("/docs/proofs").text
    results = json.loads(website.RESULT.read_text(encoding="utf-8"))
    for result in results:
        assert sorted(game.key for game in CATALOGUE) == sorted(pair["game"] for pair in result["pairs"])
        assert f"<code>{result['command']}</code>" in page
    pairs = [pair for result in results for pair in result["pairs"]]
    assert len(pairs) == page.count('<svg class="interval"')
    for pair in pairs:
        assert f"{100 * pair['ahead']['mean']:.1f}&nbsp;% ±" in page


def test_the_page_of_proofs_shows_every_goal_of_the_benchmark(curl: Rest) -> None:
    """Each goal of the last benchmark that was kept has a row with what was measured."""
    page, speed = unescape(curl.get("/docs/proofs").text), json.loads(website.SPEED.read_text(encoding="utf-8"))
    assert f"{speed['date']}, commit {speed['commit']}" in page
    for goal in speed["goals"]:
        assert f"<td>{goal['what']}</td><td>{goal['seen']}</td><td>{goal['goal']}</td>" in page


def test_every_error_says_what_to_do(curl: Rest) -> None:
    """The page of the errors has a meaning and a remedy for each code, and refusals, in the language of the reader."""
    assert TITLES.keys() == REMEDIES.keys()
    for language in LANGUAGES:
        page = unescape(curl.get("/docs/errors", headers={"Accept-Language": language}).text)
        text = translator_for(language).text
        assert all(text(f"error {code}", english) in page for code, english in TITLES.items())
        assert all(text(f"remedy {code}", english) in page for code, english in REMEDIES.items())
        assert text("page refusals", "Refusals") in page


def test_guides_are_pages(curl: Rest) -> None:
    """Each guide is a page, with an anchor for each section and no link that leads nowhere, and Markdown."""
    anchors = {name: set(re.findall(r' id="([^"]+)"', curl.get(f"/docs/{name}").text)) for name in GUIDES}
    for name in GUIDES:
        page = curl.get(f"/docs/{name}?language=it").text
        assert '<html lang="it">' in page
        assert '<article lang="en">' in page
        assert "<!--" not in page
        for path, _, anchor in (link.partition("#") for link in re.findall(r'href="(/docs/[^"]*|#[^"]+)"', page)):
            guide = path.removeprefix("/docs/") or name
            assert not anchor or anchor in anchors[guide], (name, path, anchor)
        markdown = curl.get(f"/docs/{name}.md")
        assert ("text/markdown; charset=utf-8", "# ") == (markdown.headers["Content-Type"], markdown.text[:2])
    assert "a-table-in-a-page" in anchors["showing-a-table"]


def test_unknown_language_is_an_error_by_name_only(curl: Rest) -> None:
    """What is preferred and cannot be had gives English; what is asked for by name gives an error."""
    assert '<html lang="en">' in curl.get("/docs/rules/coech", headers={"Accept-Language": "fr, ;;q=x"}).text
    failed(curl.get("/docs/rules/coech?language=fr"), 400, "bad_request", "language")
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


@pytest.mark.parametrize(
    "accept",
    ["*/*", "", "application/json", "text/html;q=0.5,application/json", "text/html;q=0.5,*/*", "image/png", ";;"],
)
def test_programs_get_a_problem_where_nothing_is(curl: Rest, accept: str) -> None:
    """Whoever does not prefer HTML gets a problem at an unknown path."""
    answer = curl.get("/nowhere", headers={"Accept": accept})
    failed(answer, 404, "no_such_route")
    assert "Accept, Accept-Encoding" == answer.headers["Vary"]


def test_calls_answer_browsers_with_problems(curl: Rest) -> None:
    """Where there is an rpc, what it does not find is a problem, and another error is one everywhere."""
    failed(curl.get("/v1/games/nothing", headers={"Accept": BROWSER}), 404, "unknown_game", "game_id")
    failed(curl.post("/healthz", headers={"Accept": BROWSER}), 405, "wrong_method")


@pytest.mark.parametrize("path", ["/openapi.json", "/asyncapi.json", "/docs/errors", "/docs/rules/coech"])
def test_unchanged_page_is_304(curl: Rest, path: str) -> None:
    """A page that has not changed is not sent again."""
    first = curl.get(path)
    assert (200, 304) == (
        first.status_code,
        curl.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code,
    )


def test_metrics_count_calls_and_watchers(rest: str) -> None:
    """Calls are counted by transport, rpc and reason code, and watchers as they come; no label is a key or a match."""
    table = Table(rest)
    failed(table.seats[0].post(f"{table.path}:abort"), 403, "referee_only")
    with table.public.stream(f"{table.path}:watch") as response:
        stream = events(response)  # closes the response when it is dropped
        next(stream)
        text = table.public.get("/metrics").text
    called = (
        'chitarrella_requests_total{code="referee_only",rpc="/chitarrella.v1.MatchService/AbortMatch",transport="rest"}'
    )
    assert called in text
    assert 1 <= float(re.findall(r"^chitarrella_watchers (\S+)", text, re.MULTILINE)[0])
    for secret in (*table.keys, table.opened["matchId"]):
        assert secret not in text


def test_probes_are_not_logged(curl: Rest) -> None:
    """The probes of an orchestrator leave nothing in the log, an unknown path does."""
    with capture_logs() as lines:
        for path in ("/healthz", "/readyz", "/metrics", "/openapi.json", "/nowhere"):
            curl.get(path)
        until(lambda: of_no_rpc(lines), "the call is noted down")
    assert ["no_such_route"] == of_no_rpc(lines)


def of_no_rpc(lines: list[Any]) -> list[str]:
    """The codes of calls that were no rpc; a watch of an earlier test may end late, and is one."""
    return [line["code"] for line in lines if line["rpc"] == "none"]


def test_call_log_holds_no_secret(rest: str) -> None:
    """Each call leaves one line with its rpc, its outcome and its time; keys, cards and bodies are in none."""
    with capture_logs() as lines:
        table = Table(rest)
        table.play()
        seat, move = table.not_held()
        table.seats[seat].post(f"{table.path}/moves", {"move": move}, headers={"X-Request-Id": "r-17"})
        with table.public.stream(f"{table.path}:watch") as response:
            next(events(response))
        until(lambda: any(line["rpc"].endswith("WatchMatch") for line in lines), "the stream is noted down")
    answer = {line["request_id"]: line for line in lines}
    assert ("/chitarrella.v1.MatchService/PlayMove", "refused") == (answer["r-17"]["rpc"], answer["r-17"]["code"])
    assert all(line["transport"] == "rest" and line["duration_ms"] > 0 for line in lines)
    text = json.dumps(lines)
    for secret in (*table.keys, table.opened["matchId"], move["cards"][0], "play_card"):
        assert secret not in text


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


def test_script_has_a_strong_tag(curl: Rest) -> None:
    """The script is a module in UTF-8 for pages of every origin; who has it is told that it has not changed."""
    plain = {"Accept-Encoding": "identity"}
    answer = curl.get("/client.js", headers=plain)
    assert ("text/javascript; charset=utf-8", "*") == (
        answer.headers["Content-Type"],
        answer.headers["Access-Control-Allow-Origin"],
    )
    tag = answer.headers["ETag"]
    assert re.fullmatch(r'"[0-9a-f]+"', tag)
    assert 304 == curl.get("/client.js", headers={**plain, "If-None-Match": tag}).status_code
    assert 'customElements.define("chitarrella-table"' in answer.text


@pytest.mark.parametrize("path", ["/client.js", "/record.js", *(f"{page}page.js" for page in PAGES)])
def test_scripts_import_one_that_is_kept(curl: Rest, path: str) -> None:
    """Each script imports the shared one alone, at an address that has its digest and may be kept for a year."""
    (address,) = set(re.findall(r'\bfrom ?"([^"]+)"', curl.get(path).text))
    shared = curl.get(urljoin(path, address))
    assert ("public, max-age=31536000", "*") == (
        shared.headers["Cache-Control"],
        shared.headers["Access-Control-Allow-Origin"],
    )
    assert "public, max-age=300" == curl.get("/shared.js?0123456789abcdef").headers["Cache-Control"]
    if path.endswith("/page.js"):
        page = curl.get(urljoin(path, "."))
        assert f'<link rel="modulepreload" href="{urljoin(path, address)}">' in page.text


def test_scripts_evaluate_no_text_and_call_no_other_host(curl: Rest) -> None:
    """The scripts make no code and no markup out of text, and name no host but in the name of SVG."""
    for path in ("/client.js", "/record.js", "/shared.js", *(f"{page}page.js" for page in PAGES)):
        script = curl.get(path).text.replace('"http://www.w3.org/2000/svg"', "")
        assert [] == re.findall(r"\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write|https?://", script)
        assert [] == re.findall(r'setAttribute\("style"|\.style\.', script)


def test_example_of_a_record_is_text(curl: Rest) -> None:
    """A record of each game can be loaded by pages of every origin."""
    answer = curl.get("/records/cucu.txt")
    assert ("text/plain; charset=utf-8", "*") == (
        answer.headers["Content-Type"],
        answer.headers["Access-Control-Allow-Origin"],
    )
    assert answer.text.startswith("game cucu\n")


# ---------------------------------------------------------------------- card pictures


PLAIN = {"Accept-Encoding": "identity"}


@pytest.mark.parametrize(
    ("path", "drawing"),
    [
        ("/cards/italian/Ab.svg", cards.card("Ab")),
        ("/cards/french/As.svg", cards.card("As", pack="french")),
        ("/cards/cucco/MAT.svg", cards.card("MAT")),
        ("/cards/french/back.svg", cards.back("french")),
        ("/cards/cucco.svg", cards.sprite("cucco")),
    ],
)
def test_pictures_are_served_and_kept(curl: Rest, path: str, drawing: cards.Drawing) -> None:
    """A card, a back and a pack are SVG documents with a strong entity tag, which callers may keep for a day."""
    answer = curl.get(path, headers=PLAIN)
    assert (200, "image/svg+xml", str(drawing)) == (*(answer.status_code, answer.headers["Content-Type"], answer.text),)
    assert "public, max-age=86400" == answer.headers["Cache-Control"]
    tag = answer.headers["ETag"]
    assert tag.startswith('"')
    again = curl.get(path, headers={**PLAIN, "If-None-Match": tag})
    assert (304, b"", tag) == (again.status_code, again.content, again.headers["ETag"])


def test_pictures_are_compressed(curl: Rest) -> None:
    """A pack is sent compressed to a caller that accepts it, at a fifth of its length or less."""
    answer = curl.get("/cards/italian.svg", headers={"Accept-Encoding": "gzip"})
    assert "gzip" == answer.headers["Content-Encoding"]
    assert int(answer.headers["Content-Length"]) < len(answer.content) / 5


@pytest.mark.parametrize(
    "path",
    [
        *("/cards/tarot/Ab.svg", "/cards/tarot/back.svg", "/cards/tarot.svg", "/cards/italian/Zz.svg"),
        *("/cards/french/Ab.svg", "/cards/italian/ab.svg", "/cards/italian/.svg", "/cards/italian/Ab", "/cards/"),
    ],
)
def test_unknown_picture_is_a_problem(curl: Rest, path: str) -> None:
    """A pack or card that is not drawn is answered like every path at which nothing is."""
    failed(curl.get(path), 404, "no_such_route")


def test_catalogue_leads_to_the_pictures(transport: Transport, curl: Rest) -> None:
    """The picture of every card of a game is where the catalogue says."""
    for key in ("brisca", "elfern", "cucu"):
        game = transport("GetGame", catalogue_pb2.GetGameRequest(game_id=key))
        for card in game.cards:
            assert f"/{card.code}.svg" in card.picture_url
            assert 200 == curl.get(card.picture_url).status_code


# ---------------------------------------------------------------------- worked examples


GAMES = [game.key for game in CATALOGUE]


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
