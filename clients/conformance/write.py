"""Write the scenarios: `python -m clients.conformance.write`.

The steps are defined here, or taken from a match record of `tests/`. The expected results are those of the Python
client with a live service. They go to build/scenarios; git keeps their digests, and a scenario that has another one is
named. `--keep` writes the digests instead, so that a change shows in the diff.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from chitarrella.catalogue.record import Record, parse_record
from chitarrella.catalogue.registry import Catalogue, RuleSet, open_catalogue
from chitarrella.core.game import legal_moves, play, replay
from chitarrella.core.model import CHANCE, Move
from chitarrella_client import Chitarrella
from chitarrella_testing.checks import playthrough
from clients.conformance.environment import Environment, running
from clients.conformance.runner import Runner, platform_of
from tests.example_packages import GAMES, install_examples
from tests.vectors.playthroughs import playthrough as fixed_playthrough
from tests.walks import defaults, name

Step = dict[str, Any]
Scenario = tuple[str, str, list[Step]]

DIGESTS = Path(__file__).parent / "digests.txt"
SCENARIOS = Path(__file__).parents[2] / "build" / "scenarios"
CONNECT: Step = {"op": "connect_platform"}
CLOSED_PORT = "http://127.0.0.1:9/messages"
"""A URL that nobody answers, so that no scenario needs a network."""
TOKEN_OF_NOBODY = (
    "eyJhbGciOiJFZERTQSIsImtpZCI6Im5vYm9keSJ9."
    "eyJpc3MiOiJub2JvZHkiLCJhdWQiOiJjaGl0YXJyZWxsYSIsIm1hdGNoX2lkIjoibSIsInNlYXQiOjB9."
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
)
"""A token whose header has the id of an unknown key, "nobody"."""


def platform_scenarios(create: Step, pack: Step, moves: list[Step]) -> Iterator[Scenario]:
    """Yield the scenarios; ``create`` makes a match of Cöch for two, ``pack`` and ``moves`` are its first moves."""
    yield "29-chained-questions", "A question of a batch has the position of an earlier answer.", chained(pack, moves)
    yield "30-known-cards", "What a front end knows: cards by name, a hand and a trick.", known_cards()
    yield "31-platform", "A platform finds and reads its matches by what it has attached to them.", labels(create, pack)
    yield "32-watch-platform", "One stream for all matches of a platform.", watched(create, pack, moves)
    yield "33-rotated-keys", "A replaced key is closed at once.", rotated_keys(create, pack)
    yield "34-sandbox", "A test has the deals of its seed, and a clock that it moves.", sandbox(create)
    yield "35-webhooks", "A platform manages its webhooks, and sees what was delivered.", webhooks()
    yield "36-managed", "What players, referee and platform do with a match besides its moves.", managed(create)


def chained(pack: Step, moves: list[Step]) -> list[Step]:
    """Play moves in a position: in one call, and one after the other within a batch."""
    rule_set = {"game_id": "coech", "players": 2, "options": {"first_dealer": "0", "match_deals": "1"}}
    game = Catalogue().game_for(RuleSet("coech", 2, (("first_dealer", "0"), ("match_deals", "1"))))
    position = {"rule_set": rule_set, "position": game.encode(game.start())}
    made = [{"seat": None if one["who"] == "referee" else one["who"], "move": one["move"]} for one in (pack, *moves)]
    wrong = [*made[:2], {"seat": 0, "move": {"verb": "play_card", "cards": ["LEO"]}}]
    return [
        {"op": "apply_moves", **position, "moves": made},
        {"op": "apply_moves", **position, "moves": wrong},
        {
            "op": "batch",
            "questions": [
                {"op": "start_game", "rule_set": rule_set},
                {"op": "apply_moves", "position_of": 0, "moves": made[:1]},
                {"op": "list_legal_moves", "position_of": 1},
                {"op": "apply_moves", "position_of": 1, "moves": made[1:3]},
                {"op": "list_legal_moves", "position_of": 3, "seat": 0},
                {"op": "list_legal_moves", "rule_set": rule_set, "position": "nonsense"},
                {"op": "list_legal_moves", "position_of": 5},
            ],
        },
    ]


def known_cards() -> list[Step]:
    """Ask about cards, and about a hand with what is known of the table."""
    bisca, hand = {"rule_set": {"game_id": "bisca-brazil"}}, {"0": ["7h", "Kh", "2c"]}
    moves = {"op": "list_known_moves", **bisca}
    return [
        {"op": "describe_cards", "game_id": "briscola", "cards": ["Ab", "3c", "Rd", "2s"]},
        {"op": "describe_cards", "game_id": "coech", "cards": ["XV", "MAT"]},
        {**moves, "known": {"hands": hand, "trick": ["Qh"], "trump": "h", "stock_size": 0}},
        {**moves, "known": {"hands": hand, "trick": ["Qh"]}},
        {**moves, "known": {"hands": hand, "trick": [], "trump": ""}, "seat": 0},
        {**moves, "known": {"hands": {"0": ["7h", "7h"]}, "trick": []}},
    ]


def labels(create: Step, pack: Step) -> list[Step]:
    """Attach ids, labels and names to matches, and find them again."""
    first = {"labels": {"cup": "spring", "round": "1"}, "player_names": {"0": "Anna", "1": "Bruno"}}
    return [
        {"op": "list_matches"}, CONNECT, {**create, "external_id": "game-1", **first},
        {**create, "as": "n", "private": True, "labels": {"cup": "spring", "round": "2"}},
        {**create, "as": "o", "external_id": "game-1"}, pack,
        {"op": "import_match", "as": "p", "match": "m", "move_count": 1, "external_id": "copy",
         "labels": {"cup": "autumn"}, "player_names": {"1": "Carla"}},
        *({"op": "describe_match", "match": "m", "who": who} for who in ("referee", 0)),
        {"op": "describe_match", "match": "p", "who": "referee"},
        {"op": "list_matches"}, {"op": "list_matches", "external_id": "game-1"},
        {"op": "list_matches", "labels": {"cup": "spring"}},
        {"op": "list_matches", "labels": {"cup": "spring", "round": "2"}},
        {"op": "list_matches", "labels": {"cup": "spring"}, "player_name": "Anna"},
        {"op": "list_matches", "player_name": "Nobody"},
        {"op": "get_matches", "match": "m", "who": 0, "matches": ["n", "m", "nonsense", "o"]},
        {"op": "get_matches", "match": "n", "who": 1, "matches": ["n", "m"]},
        {"op": "get_matches", "match": "m", "who": "public", "matches": ["m"]},
        {**create, "as": "q", "labels": {"Cup": "spring"}},
        {**create, "as": "q", "player_names": {"9": "Anna"}},
    ]  # fmt: skip


def watched(create: Step, pack: Step, moves: list[Step]) -> list[Step]:
    """Watch all matches of a platform while two of them are played."""
    happening = [pack, {**create, "as": "n", "private": True}, moves[0], {"op": "abort_match", "match": "m"}]
    return [
        {"op": "watch_matches", "steps": [], "messages": 1}, CONNECT, create,
        {"op": "watch_matches", "steps": [*happening, {**pack, "match": "n"}], "messages": 4},
    ]  # fmt: skip


def rotated_keys(create: Step, pack: Step) -> list[Step]:
    """Replace the keys of both seats and of the referee."""
    return [
        create, pack, {"op": "rotate_key", "match": "m", "who": "referee", "seat": 0, "as": "n"},
        {"op": "get_match", "match": "m", "who": 0}, {"op": "get_match", "match": "n", "who": 0},
        {"op": "rotate_key", "match": "n", "who": 1, "as": "o"},
        {"op": "get_match", "match": "n", "who": 1}, {"op": "get_match", "match": "o"},
        {"op": "rotate_key", "match": "n", "who": "public", "as": "p"},
        {"op": "rotate_key", "match": "n", "who": 0, "seat": 1, "as": "p"},
        {"op": "rotate_key", "match": "n", "who": "referee", "seat": 7, "as": "p"},
        {"op": "rotate_key", "match": "n", "who": "referee", "as": "p"},
        {"op": "get_match", "match": "n", "who": "referee"}, {"op": "list_match_moves", "match": "p"},
        {"op": "get_match", "match": "m", "who": "public", "key": TOKEN_OF_NOBODY},
    ]  # fmt: skip


def sandbox(create: Step) -> list[Step]:
    """Create tests with seeds, and move the clock of one."""
    test = {**create, "pack_source": "service", "sandbox": "Bergamo"}
    return [
        test, CONNECT, test, {**test, "as": "n"}, {**test, "as": "o", "sandbox": "Brescia", "clock": [30, 5]},
        *({"op": "get_match", "match": match, "who": 0} for match in ("m", "n", "o")),
        {"op": "advance_clock", "match": "o", "seconds": 20},
        {"op": "advance_clock", "match": "o", "seconds": 20},
        {"op": "describe_match", "match": "o"}, {"op": "list_match_moves", "match": "o"},
        {"op": "advance_clock", "match": "o", "who": 0, "seconds": 20},
        {"op": "advance_clock", "match": "m", "seconds": 20},
        {**create, "as": "p"}, {"op": "advance_clock", "match": "p", "seconds": 20},
    ]  # fmt: skip


def managed(create: Step) -> list[Step]:
    """Join, pause, change, resign and decide; the clock of a test stands still."""
    test = {**create, "pack_source": "service", "sandbox": "Bergamo"}
    pause = {"op": "pause_clock", "match": "m"}
    return [
        CONNECT, {**test, "clock": [30, 60], "restrictions": ["no_takebacks", "no_bots"]}, {**test, "as": "n"},
        {"op": "join_match", "match": "m", "who": 0, "player_name": "Anna"},
        {"op": "join_match", "match": "m", "who": 1}, {**pause, "who": 0}, {**pause, "who": 1},
        {**pause, "resume": True}, {"op": "add_time", "match": "m", "seat": 1, "seconds": 30},
        {"op": "add_time", "match": "m", "who": 0, "seat": 1, "seconds": 30},
        {"op": "update_match", "match": "m", "external_id": "g", "labels": {"cup": "winter"},
         "player_names": {"1": "Bruno"}},
        {"op": "update_match", "match": "m", "labels": {"cup": ""}},
        *({"op": "suggest_move", "match": match, "who": who} for match, who in (("m", 1), ("n", 0), ("n", 1))),
        {"op": "take_back", "match": "m", "who": 0}, {"op": "resign_match", "match": "m", "who": 1},
        {"op": "join_match", "match": "m", "who": 1}, {**pause, "match": "n"},
        {"op": "decide_match", "match": "n", "winners": [1], "reason": "walkover"},
        {"op": "list_matches", "state": "finished"}, {"op": "list_matches", "winner_name": "Anna"},
    ]  # fmt: skip


def webhooks() -> list[Step]:
    """Create, change, test and delete webhooks."""
    create = {"op": "create_webhook", "as": "w", "url": CLOSED_PORT}
    return [
        {"op": "list_webhooks"}, CONNECT, create, {**create, "as": "v", "url": f"{CLOSED_PORT}/more"},
        {**create, "as": "u", "url": "ftp://example.org/messages"},
        {"op": "list_webhooks"},
        {"op": "update_webhook", "webhook": "w", "url": f"{CLOSED_PORT}/here"},
        {"op": "update_webhook", "webhook": "w", "disabled": True},
        {"op": "rotate_webhook_secret", "webhook": "w"},
        {"op": "list_deliveries", "webhook": "w"},
        {"op": "test_webhook", "webhook": "w"},
        {"op": "list_deliveries", "webhook": "w"}, {"op": "list_deliveries", "webhook": "w", "state": "sent"},
        {"op": "resend_delivery", "webhook": "w", "delivery": "nonsense"},
        {"op": "resend_delivery", "webhook": "w"},
        {"op": "list_deliveries", "webhook": "w", "state": "pending"},
        {"op": "delete_webhook", "webhook": "v"}, {"op": "delete_webhook", "webhook": "v"},
        {"op": "list_webhooks"}, {"op": "delete_webhook", "webhook": "w"},
        {"op": "test_webhook", "webhook": "nonsense"},
    ]  # fmt: skip


CATALOGUE = Catalogue()
MOVES_ASKED_ABOUT = 9
VALIDATED = ("briscola", "coech", "madrasso", "cuccu-a-trionfo", "cucu", "lu-stu", "zifuli", "harjan")


def rule_set_step(value: RuleSet) -> Step:
    """Write a rule set."""
    return {"game_id": value.game, "players": value.players, "options": dict(value.options)}


def move(value: Move) -> Step:
    """Write a move without its empty arguments."""
    shares = [{"person": person, "amount": amount} for person, amount in value.shares]
    full = {
        "verb": value.verb, "cards": list(value.cards), "choice": value.choice, "amount": value.amount,
        "dummy_seat": value.seat, "shares": shares,
    }  # fmt: skip
    return {name: given for name, given in full.items() if given not in ("", None, [])}


def record_of(game: str) -> Record:
    """Return the match by the fixed rule of the first rule set of a game, by name."""
    first = min((rule_set for rule_set in defaults() if rule_set.game == game), key=name)
    return parse_record(CATALOGUE, fixed_playthrough(first) or "")


@cache
def packages() -> Catalogue:
    """Return the catalogue of the games of packages, which are installed while the services run."""
    sys.path.append(str(install_examples()))
    return open_catalogue(",".join(GAMES.values()))


def package_record(game: str) -> Record:
    """Return a record of a deal of a package's game, played by a fixed rule."""
    rule_set = RuleSet(game, 0, (("target", "11"),))
    return parse_record(packages(), playthrough(packages(), rule_set, deals=1))


def validation(record: Record, catalogue: Catalogue = CATALOGUE) -> list[Step]:
    """Ask about positions of a record: the legal moves, the explained hand, whether moves are accepted."""
    seated, rule_set = catalogue.game_for(record.rule_set), rule_set_step(record.rule_set)
    p = seated.start()
    steps: list[Step] = [{"op": "start_game", "rule_set": rule_set}]
    for number, (actor, made) in enumerate(record.moves[:40]):
        if number % (40 // MOVES_ASKED_ABOUT) == 1 and actor != CHANCE:
            asked: Step = {"rule_set": rule_set, "position": seated.encode(p), "seat": actor}
            steps += [
                {"op": "list_legal_moves", **asked},
                {"op": "explain_hand", **asked},
                {"op": "validate_move", **asked, "move": move(made)},
                {"op": "validate_move", **asked, "seat": (actor + 1) % seated.seats, "move": move(made)},
            ]
        p, _ = play(seated, p, actor, made)
    return steps


def whole_match(record: Record, catalogue: Catalogue = CATALOGUE, most: int = 60) -> list[Step]:
    """Play a record as a match of the service: the referee supplies the packs, each seat has its own key."""
    steps: list[Step] = [
        {"op": "create_match", "as": "m", "rule_set": rule_set_step(record.rule_set), "pack_source": "referee"}
    ]
    for number, (actor, made) in enumerate(record.moves[:most]):
        who = "referee" if actor == CHANCE else actor
        if number % 10 == 1:
            steps += [
                {"op": "get_match", "match": "m", "who": "public"},
                {"op": "list_match_moves", "match": "m", "who": who},
            ]
        steps.append({"op": "play_move", "match": "m", "who": who, "move": move(made)})
    everybody = ["public", "referee", *range(catalogue.game_for(record.rule_set).seats)]
    steps += [{"op": "get_match", "match": "m", "who": who} for who in everybody]
    return [*steps, {"op": "get_record", "match": "m", "who": "referee"}]


def coech(*, pack_source: str = "referee", **more: Any) -> Step:
    """Create a match of Cöch for two in which seat 0 deals."""
    options = {"first_dealer": "0", "match_deals": "1"}
    rule_set = {"game_id": "coech", "players": 2, "options": options}
    return {"op": "create_match", "as": "m", "rule_set": rule_set, "pack_source": pack_source, **more}


START = {"verb": "start_deal", "cards": list(CATALOGUE.game("coech").pack.cards)}
PACK: Step = {"op": "play_move", "match": "m", "who": "referee", "move": START}


def first_moves(number: int) -> list[Step]:
    """Return the first moves of a match of `coech` with the pack in its canonical order."""
    game = CATALOGUE.game_for(RuleSet("coech", 2, (("first_dealer", "0"), ("match_deals", "1"))))
    p, steps = replay(game, [(CHANCE, Move("start_deal", game.pack.cards))]), []
    for _ in range(number):
        turn = game.turn(p)
        assert turn is not None
        seat = game.controller(turn)
        made = legal_moves(game, p, seat)[0]
        p, _ = play(game, p, seat, made)
        steps.append({"op": "play_move", "match": "m", "who": seat, "move": move(made)})
    return steps


def scenarios() -> Iterator[Scenario]:
    """Yield every scenario: its name, what it shows, its steps."""
    yield "01-catalogue", "The games, whatever the pages.", [{"op": "list_games"}]
    for number, game in enumerate(VALIDATED, 2):
        name = f"{number:02}-validation-{game}"
        yield name, "Positions of a record: what may be done, and why not.", validation(record_of(game))
    yield "10-card-questions", "Cards on a table, without a position.", card_questions()
    for number, game in enumerate(("briscola", "coteccio", "briscola-chiamata", "cucu"), 11):
        yield (
            f"{number}-match-{game}",
            "A match with several seats, played from a record.",
            whole_match(record_of(game)),
        )
    yield from package_games()
    steps = first_moves(6)
    yield from refused_calls()
    yield from repeated_and_watched_calls(steps)
    images = json.loads((Path(__file__).parent / "card_images.json").read_text())
    yield (
        "27-card-images",
        "Every card of every pack.",
        [{"op": "card_images", "pack": pack, "cards": list(cards)} for pack, cards in images.items()],
    )
    yield "28-tls", "The same over TLS.", [{"op": "tls"}]
    yield from platform_scenarios(coech(), PACK, steps)


def package_games() -> Iterator[Scenario]:
    """Yield the games of packages, which no client knows: positions, a deal from a record, and a match to its end."""
    for number, game in enumerate(GAMES, 15):
        record = package_record(game)
        rule_set = rule_set_step(record.rule_set)
        whole: list[Step] = [{"op": "create_match", "as": "m", "rule_set": rule_set}, {"op": "play_out", "match": "m"}]
        name = f"{number}-match-package"
        yield name, "A match of a game that comes from another package.", [*whole_match(record, packages()), *whole]
    for number, game in enumerate(GAMES, 17):
        steps = validation(package_record(game), packages())
        yield f"{number}-validation-package", "Positions of a game that comes from another package.", steps


def refused_calls() -> Iterator[Scenario]:
    """Yield what is refused, and what is hidden."""
    wrong = {"verb": "play_card", "cards": ["LEO"]}
    yield "20-refusals", "A refusal is an answer, an error has a code.", [
        coech(), {**PACK, "who": 0}, PACK, PACK,
        {"op": "play_move", "match": "m", "who": 0, "move": wrong},
        {"op": "play_move", "match": "m", "who": 1, "move": wrong},
        {"op": "play_move", "match": "m", "who": 1, "move": {"verb": "dance"}},
        {"op": "play_move", "match": "m", "who": "public", "move": wrong},
        {"op": "get_match", "match": "m", "who": "public", "key": "nonsense"},
        {"op": "list_match_moves", "match": "m", "who": "public"},
        {"op": "create_match", "as": "n", "rule_set": {"game_id": "poker"}},
        {"op": "create_match", "as": "n", "rule_set": {"game_id": "briscola", "players": 9}},
        {"op": "create_match", "as": "n", "rule_set": {"game_id": "briscola", "options": {"signals": "loud"}}},
        {"op": "validate_move", "rule_set": {"game_id": "coech"}, "position": "nonsense", "seat": 0, "move": wrong},
    ]  # fmt: skip
    yield "21-private", "Of a private match nobody learns without a key.", [
        coech(private=True), PACK,
        {"op": "get_match", "match": "m", "who": "public"},
        {"op": "get_match", "match": "m", "who": "public", "key": "nonsense"},
        {"op": "get_match", "match": "m", "who": 0},
    ]  # fmt: skip


def repeated_and_watched_calls(steps: list[Step]) -> Iterator[Scenario]:
    """Yield what callers find who are late, send a request again, watch, or change their mind."""
    yield "22-stale", "Who builds upon an old revision is told, and who builds upon one that the match has not.", [
        coech(), PACK, {**steps[0], "expected_revision": 1}, {**steps[1], "expected_revision": 1},
        {**steps[1], "expected_revision": 2}, {**steps[2], "expected_revision": 99},
    ]  # fmt: skip
    yield "23-repeated", "A repeated request plays nothing twice, and its name is good for one move.", [
        coech(), PACK, {**steps[0], "request_id": "first"}, {**steps[0], "request_id": "first"},
        {**steps[1], "request_id": "second"}, {**steps[0], "request_id": "first"}, {**steps[2], "request_id": "first"},
        {"op": "get_match", "match": "m", "who": "public"},
    ]  # fmt: skip
    yield "24-watch", "Everybody hears what concerns him, each thing once, through cuts.", [
        coech(), PACK, *steps,
        *({"op": "watch_match", "match": "m", "who": who, "messages": 7, "cut_after": cut}
          for who, cut in (("public", 0), ("public", 1), (0, 3), (1, 6), ("referee", 2))),
        *[{"op": "watch_match", "match": "m", "who": 0, "messages": 1, "cut_after": 0}] * 24,
    ]  # fmt: skip
    yield "25-fair", "A deal of the service is proved by the client itself.", [
        coech(pack_source="service"), {"op": "verify_shuffles", "match": "m"}, {"op": "play_out", "match": "m"},
        {"op": "verify_shuffles", "match": "m"}, {"op": "get_match", "match": "m", "who": 0, "key": "nonsense"},
    ]  # fmt: skip
    yield "26-takeback", "A decision is taken back when everybody agrees, and asked for once.", [
        coech(), PACK, steps[0], {"op": "take_back", "match": "m", "who": 1},
        {"op": "take_back", "match": "m", "who": 0}, {"op": "get_match", "match": "m", "who": 1},
        steps[0], {"op": "take_back", "match": "m", "who": 1},
        {"op": "take_back", "match": "m", "who": 0, "decline": True}, {"op": "take_back", "match": "m", "who": 1},
        {"op": "get_record", "match": "m", "who": "referee"},
    ]  # fmt: skip


def card_questions() -> list[Step]:
    """Return questions without a position."""
    briscola, coech, bisca = ({"game_id": key} for key in ("briscola", "coech", "bisca-brazil"))
    four = {**briscola, "players": 4}
    known = {"hands": {"0": ["7h", "Kh", "2c"]}, "trick": ["Qh"], "stock_size": 0}
    return [
        {"op": "resolve_trick", "rule_set": four, "cards": ["Rs", "2d", "6c", "3b"], "trump": "d"},
        {"op": "resolve_trick", "rule_set": briscola, "cards": ["2b", "Ab"], "trump": ""},
        {"op": "resolve_trick", "rule_set": coech, "cards": ["XV", "XV", "X", "NUL"], "trump": ""},
        {"op": "explain_hand", "rule_set": coech, "known": {"hands": {"0": ["VI", "XIV", "MAT"]}, "trick": ["III"]}},
        *({"op": "explain_hand", "rule_set": bisca, "known": {**known, **trump}} for trump in ({"trump": "h"}, {})),
        *(
            {"op": "validate_move", "rule_set": bisca, "known": known, "move": {"verb": "play_card", "cards": [card]}}
            for card in ("Kh", "7h")
        ),
        {"op": "score_cards", "rule_set": briscola, "cards": ["Ab", "3b", "Rc", "2d"]},
        {"op": "score_cards", "rule_set": coech, "cards": ["XV", "XV", "IX", "II"]},
        {"op": "score_cards", "rule_set": {"game_id": "cucu"}, "cards": ["XV"]},
        *(
            {"op": "score_cards", "rule_set": {"game_id": "harjan"}, "cards": ["Jh", "Ac"], **trump}
            for trump in ({}, {"trump": "h"}, {"trump": ""})
        ),
        {"op": "resolve_trick", "rule_set": briscola, "cards": ["Xx"], "trump": ""},
        {"op": "resolve_trick", "rule_set": briscola, "cards": ["Ab", "Ab"], "trump": ""},
    ]


def made(environment: Environment) -> Iterator[Step]:
    """Play every scenario with the Python client, and yield it with its results."""
    for title, description, steps in scenarios():
        runner = Runner(Chitarrella(environment.grpc), platform_of(environment), environment)
        results = without_times(runner.play_scenario(steps))
        yield {"name": title, "description": description, "steps": steps, "expected": results}


def without_times(results: Any) -> Any:
    """Replace the times in results, which are those of records, by a word: no two runs have the same."""
    return json.loads(re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", json.dumps(results)))


def digests(documents: list[Step]) -> str:
    """A line a scenario: its name, how many steps it has, and how the SHA-256 of its steps and results begin."""
    lines = []
    for scenario in documents:
        steps, results = (
            hashlib.sha256(json.dumps(scenario[key], sort_keys=True).encode()).hexdigest()[:16]
            for key in ("steps", "expected")
        )
        lines.append(f"{scenario['name']} {len(scenario['steps'])} steps={steps} results={results}\n")
    return "".join(lines)


def changed(documents: list[Step]) -> list[str]:
    """The scenarios whose digests are not those that are kept, by name; also those that are not made any more."""
    lines = set(digests(documents).splitlines()) ^ set(DIGESTS.read_text().splitlines())
    return sorted({line.split()[0] for line in lines})


def write(documents: list[Step], folder: Path) -> None:
    """Write each scenario to a file of its own, a step and a result a line."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for scenario in documents:
        (folder / f"{scenario['name']}.json").write_text(formatted(scenario) + "\n")


def formatted(scenario: Step) -> str:
    """Format a scenario."""
    members = []
    for key, value in scenario.items():
        lines = ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value) if isinstance(value, list) else ""
        members.append(
            f"{json.dumps(key)}: " + (f"[\n  {lines}\n ]" if lines else json.dumps(value, ensure_ascii=False))
        )
    return "{" + ",\n ".join(members) + "}"


def main() -> int:
    """Write all scenarios, and compare or keep their digests; the exit status is 1 if they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true", help="write the digests")
    keep = parser.parse_args().keep
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as environment:
        documents = list(made(environment))
    write(documents, SCENARIOS)
    if keep:
        DIGESTS.write_text(digests(documents))
    for title in (wrong := changed(documents)):
        print(f"{title} is not as {DIGESTS.name} has it")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
