"""The table and the page ``/play/`` in a real browser, at a real service.

What a stranger does there is in ``clients/typescript/web/tests``, which these tests build and run.
"""

import json
import os
import re
import subprocess
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import pytest

from chitarrella.catalogue.registry import Catalogue
from tests.example_packages import GAMES
from tests.vectors.write import commits
from tests.web.conftest import BUSY_SECONDS, KEY, MOVED_ON, PACKAGE, Play

pytestmark = pytest.mark.timeout(BUSY_SECONDS)

FRESH = 4.0
"""The picture of the README is less than this from the table of today: the mean difference of a pixel, of 255."""


def test_served_scripts_are_those_of_the_sources(node: str) -> None:
    """What is built from the sources is what is committed."""
    done = subprocess.run(
        [node, "scripts/web.mjs", "--check"], cwd=PACKAGE, capture_output=True, text=True, check=False
    )
    assert (0, "") == (done.returncode, done.stderr)


def test_stranger_plays_a_whole_match(play: Play) -> None:
    """Who knows labels only creates a match of Briscola with a bot and plays it to its end, half of it by keyboard."""
    found = play("briscola")
    assert 0 == found["lostFocus"]
    played = sum(line.startswith("You play ") for line in found["log"])
    deals = 1 + sum("is a stand-off" in line for line in found["log"])  # the cards are shuffled by chance
    assert 20 * deals == played <= found["pressed"]
    assert re.search("wins? the match", found["log"][-1])
    assert KEY.fullmatch(parse_qs(urlsplit(found["address"]).fragment)["key"][0])
    assert re.fullmatch(r"Hint: .+: (.+)\. -?\d+ points on average until your next turn: .*", found["hint"])
    assert found["hinted"].partition(",")[0] in found["hint"]


def test_first_page_begins_a_match_in_place(play: Play) -> None:
    """One press is enough; on a phone, whose screen a table fills, it leads to the page of the table."""
    assert {"paths": ["/", "/play/"], "own": 2} == play("firstPage")


def test_card_is_played_though_the_table_is_drawn_anew_while_it_is_pressed(play: Play) -> None:
    """The table waits with its new drawing until a pressed card is let go."""
    found = play("longPress", "")
    assert [found["pressed"]] == found["trick"]


def test_press_before_the_turn_plays_no_card(play: Play) -> None:
    """Where the turn comes between press and release, no card is played on a trick that its player has not seen."""
    found = play("earlyPress", "")
    assert (0, 1) == (found["before"], len(found["lead"]))


def test_all_who_decide_at_the_same_time_are_on_turn(play: Play) -> None:
    """Who passes cards at the same time as others is on turn until it has chosen, as table and title say."""
    found = play("passing")
    assert 4 == len(found["turns"])
    assert "Your turn: Pass on: 3 cards" == found["turn"]
    assert "Play - Chitarrella" == found["title"]


def test_two_phones_play_by_an_invitation(play: Play) -> None:
    """A link of a nameless host, kept over a reload, seats a guest, whose language it leaves; a move is taken back."""
    found = play("invite")
    (own,) = found["own"]
    assert ("de", True) == (found["language"], bool(re.match(r"Briscola score 0 . 0 ", own)))
    assert ["Play - Chitarrella", "● Your turn"] == sorted(found["titles"])
    cards = [{name.partition(",")[0] for name in found[who] if " of " in name} for who in ("mine", "theirs")]
    assert [3, 3] == [len(hand) for hand in cards]
    assert set() == cards[0] & cards[1]
    assert 200 < found["size"]["width"] == found["size"]["height"]
    assert re.fullmatch(r"1:00|0:[0-5]\d", found["clock"])  # of a minute; how much is left depends on the machine


def test_request_is_copied_as_a_program(play: Play, service: str) -> None:
    """The curl line of the last move repeats its answer and plays nothing again; the list shows no key."""
    found = play("requests", "409")
    programs, key = found["programs"], found["key"]
    assert all(key in program for program in programs.values())
    assert (False, True) == (key in found["shown"], "Bearer KEY" in found["shown"])
    match = f"{service}/v1/matches/{found['matchId']}"
    with urlopen(match) as answer:
        before = json.load(answer)["revision"]
    commands = {
        "curl": ["sh", "-c", programs["curl"]],
        "Python": ["python3", "-c", programs["Python"]],
        "TypeScript": ["node", "--input-type=module", "-e", programs["TypeScript"]],
    }
    for language, command in commands.items():
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        assert re.search(r"\"?repeatedRequest\"?: ?true", done.stdout), (language, done)
    with urlopen(match) as answer:
        assert before == json.load(answer)["revision"]
    assert programs["Go"].startswith("package main")


def test_all_views_stand_side_by_side(play: Play) -> None:
    """Each seat shows its own cards alone, the public none, the referee all; a copy of the match can be opened."""
    found = play("views")
    assert {"Public": [0, 0], "Player 1": [0, 3], "Player 2": [0, 3], "Referee": [3, 3]} == found["found"]
    assert found["copy"] != found["matchId"]
    assert KEY.fullmatch(found["key"])
    assert found["wide"] <= found["width"]


def test_question_is_answered_and_shared(play: Play) -> None:
    """A trick and a hand are laid out by tapping; the address asks the same in another language."""
    found = play("ask")
    assert (1, True) == (found["legal"], found["wide"] <= 0)
    assert {"game": ["madrasso"], "trump": ["d"], "trick": ["3c"], "hand": ["Ac,2s"], "taken": ["Ad"]}.items() <= (
        parse_qs(urlsplit(found["address"]).query).items()
    )
    assert "ace of cups: can be played" in found["english"]
    assert "3 of cups leads so far" in found["english"]
    assert found["german"] != found["english"]
    assert re.findall(r"MA-\d+", found["english"]) == re.findall(r"MA-\d+", found["german"]) != []


def test_illegal_card_shows_its_clause(play: Play, service: str) -> None:
    """A card that does not follow suit shows the clause in the reader's language; the cards that do are marked."""
    found = play("madrasso")
    url, _, clause = found["href"].partition("#")
    assert f"{service}/docs/rules/madrasso?language=it" == url
    with urlopen(Request(url)) as answer:
        page = answer.read().decode()
    (text,) = re.findall(rf'<li id="{re.escape(clause)}">.*?<p>(.*?) <small>', page)
    assert text in found["text"]
    assert text in found["onCard"]["described"]
    assert "✗" == found["onCard"]["shown"]
    assert 10 == len(found["names"])
    legal = [name.partition(",")[0] for name in found["names"] if name not in found["illegal"]]
    assert found["legal"] == len(legal) == len(found["shadows"]) > 0
    assert all(name in found["text"] for name in legal)
    assert all(shadow != "none" for shadow in found["shadows"])
    assert all(mark.endswith("✓") for mark in found["marks"])
    assert 0 == found["left"]
    assert [0, 0, 0] == found["covered"]
    assert found["picture"] < FRESH, "cp clients/typescript/build/web/table.webp docs/table.webp"


def test_match_without_end_is_finished(play: Play) -> None:
    """Who plays against bots alone ends a match as it stands, and may play another one."""
    assert 1 == play("finish", MOVED_ON)


def test_spectator_sees_no_hand_and_comes_back(play: Play) -> None:
    """Without a key nothing can be pressed; the log begins at the deal, and tells each move once, in the menu too."""
    found = play("spectator", "")
    assert (0, 2) == (found["buttons"], found["cuts"])
    assert found["hidden"] >= 3
    assert "33 + 1" == found["stock"]  # with the turn-up, as the fact has it
    assert "Deal 1: Player 1 deals." == found["log"][0]
    assert [found["menu"]] == found["log"][-1:] == [line for line in found["log"] if " plays " in line]


def test_card_without_a_picture_is_text(play: Play) -> None:
    """A card is a picture; where the picture fails to load it is rank and suit, and its name stays the same."""
    cards = play("pictures", "404")
    missing = [card for card in cards if "batons" in card["name"]]
    others = [card for card in cards if card not in missing]
    assert len(missing) > 0 < len(others)
    assert all(("span", True) == (card["element"], "batons" in card["text"]) for card in missing)
    assert all(("img", "") == (card["element"], card["text"]) for card in others)


def test_table_shows_what_was_said_and_agreed(play: Play) -> None:
    """Declared cards lie at their seat; who knows both allies sees their sum; an exchange names its partner."""
    found = play("plates")
    assert 3 == found["declared"]
    assert ["You + Player 1: 0 / 61"] == [chip for chip in found["ally"] if "/" in chip]
    assert [] == [chip for chip in found["watcher"] if "/" in chip]
    assert ["pool: 800 (Stake: 100)"] == found["pool"]
    assert ["Keep", "Exchange with: Player 3"] == found["buttons"]
    assert found["order"].startswith("cuckoo, hunter, horse, cat, inn, X, ")


def test_page_proves_that_a_deal_was_fair(play: Play) -> None:
    """The commitment stands there before the shuffle, then seeds and proof; a pack in another order does not hold."""
    found = play("fairDeal")
    assert found["commitment"] in found["text"]
    assert "seen by this page before the shuffle" in found["text"]
    assert "not seen" not in found["text"]
    assert "added by this page" in found["text"]
    assert "tarallo" in found["text"]
    assert "✓ The proof holds" in found["text"]
    assert "✗" not in found["text"]
    assert found["forged"]["it"].startswith("✗ La prova non regge")
    assert found["forged"]["de"].startswith("✗ Der Beweis stimmt nicht")
    assert [] == [url for url in play.urls if "verifyShuffle" in url]


def test_earlier_revisions_are_shown_without_a_copy(play: Play) -> None:
    """A click and the arrow keys show what a seat saw after each event; a copy is made on demand alone."""
    found = play("history")
    beginning, deal, first, trick, taken, back = found["events"]
    assert "Beginning" == beginning
    assert "is turned up" in deal
    assert re.match(r"Player \d plays the \w+ of \w+\.$", first)
    assert "takes the trick" in trick
    assert taken.endswith("(taken back later)")
    assert re.fullmatch(r"The last decision of Player \d is taken back\.", back)
    assert ["hand 0", "hand 3", "trick 0"] == sorted(found["dealt"]["zones"])
    assert "trick 1" in found["played"]["zones"]
    assert ["hand 0", "hand 3", "trick 0"] == sorted(found["after"]["zones"])
    assert "hand 3" not in found["beginning"]["zones"]
    assert 0 == found["dealt"]["buttons"]
    assert (0, 1, 3) == (found["before"], found["copies"], found["copied"])


def test_clock_runs_out(play: Play) -> None:
    """A button moves the time of a test to its deadline, and has the deadline of another match enforced."""
    found = play("clock")
    assert {"test", "real"} == set(found)
    assert all(re.fullmatch(r"The time of (you|Player \d) is over\.", line) for line in found.values())


# ---------------------------------------------------------------------- games


MOST_SHIFT = 0.05  # of the layout, in a whole match
WINDOWS = "phone", "landscape", "tablet", "desktop"
KEYS = sorted([*GAMES, *(game.key for game in Catalogue())])
WHOLE = [f"games {size}" for size in os.environ.get("WINDOWS", "").lower().split()]
"""All games in a window take minutes: WINDOWS="phone landscape tablet desktop"."""
SAMPLE = [f"games {size} {KEYS[(commits() + 5 * place) % len(KEYS)]}" for place, size in enumerate(WINDOWS)]
"""One game in each window, at each commit another one."""


@pytest.mark.timeout(3 * BUSY_SECONDS)
@pytest.mark.parametrize(
    "scenario",
    ["games phone briscola cucu madrasso", *(pytest.param(one, marks=pytest.mark.slow) for one in SAMPLE), *WHOLE],
)
def test_games_are_played_on_one_screen(play: Play, scenario: str) -> None:
    """Hand, trick and moves never leave the window; each deal has a summary; a played card is seen for a time."""
    found = play(scenario, MOVED_ON)
    assert (scenario.split()[2:] or KEYS) == sorted(found)
    problems = {game: report["problems"] for game, report in found.items() if report["problems"]}
    assert not problems, problems
    assert all(report["lines"] >= report["moves"] > 0 for report in found.values())
    assert [] == [game for game, report in found.items() if not report["isReplayed"]]
    assert {} == {game: report for game, report in found.items() if report["summaries"] != report["deals"]}
    assert [] == [game for game, report in found.items() if report["shift"] >= MOST_SHIFT]


def test_keyboard_alone_plays_a_deal(play: Play) -> None:
    """Tab, arrow keys and Enter choose and play a deal, which is announced; cards move at once with reduced motion."""
    found = play("keyboard", MOVED_ON)
    assert "none" == found["style"]
    assert 20 <= found["presses"] <= found["lines"]
    assert found["tabs"] < 20 * found["presses"]


def test_games_of_packages_are_played_to_their_end(play: Play) -> None:
    """A stranger finds each game and plays it against a bot to its end; the log has the sentences of the package."""
    found = play("packageGames", MOVED_ON)
    assert GAMES.keys() == found.keys()
    for played in found.values():
        assert played["clauses"]
        assert 10 <= played["moves"]
        assert not any(re.search(r"Seat \d|^\w+: [a-z]", line) for line in played["log"]), played["log"]
        assert re.search("wins? the match", played["log"][-1])
