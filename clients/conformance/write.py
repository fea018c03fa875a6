"""Write the scenarios: `python -m clients.conformance.write`.

The steps are defined here, or taken from a match record of `tests/`. The expected results are those of the Python
client with a live service; they are reviewed and committed, so that a change shows in the diff. `--layout` only formats
the files that are there.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chitarrella.catalogue.record import Record, parse_record
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.play import legal_moves, play, replay
from chitarrella_client import Chitarrella
from clients.conformance.compact_json import compact, split
from clients.conformance.environment import running
from clients.conformance.run import SCENARIOS
from clients.conformance.runner import Runner
from tests.playthroughs.script import FOLDER, read_file

CATALOGUE = Catalogue()
MOVES_LOOKED_AT = 9
JUDGED = ("briscola", "coech", "madrasso", "cuccu-a-trionfo", "cucu", "lu-stu", "zifuli", "harjan")
Step = dict[str, Any]


def agreement(said: RuleSet) -> Step:
    """Write an agreement."""
    return {"game": said.game, "players": said.players, "options": dict(said.options)}


def move(said: Move) -> Step:
    """Write a move without its empty arguments."""
    shares = [{"person": person, "amount": amount} for person, amount in said.shares]
    full = {
        "verb": said.verb, "cards": list(said.cards), "word": said.choice, "amount": said.amount, "seat": said.seat,
        "shares": shares,
    }  # fmt: skip
    return {name: value for name, value in full.items() if value not in ("", None, [])}


def record_of(game: str) -> Record:
    """Return the first record of a game that starts with the first deal."""
    records = (parse_record(CATALOGUE, text) for text in read_file(FOLDER / f"{game}.txt").values())
    return next(record for record in records if not record.position)


def judging(game: str) -> list[Step]:
    """Ask about positions of a record: the legal moves, the explained hand, verdicts on moves."""
    record = record_of(game)
    seated, said = CATALOGUE.game_for(record.rule_set), agreement(record.rule_set)
    p = seated.start()
    steps: list[Step] = [{"op": "start", "agreement": said}]
    for number, (actor, made) in enumerate(record.moves[:40]):
        if number % (40 // MOVES_LOOKED_AT) == 1 and actor != CHANCE:
            asked: Step = {"agreement": said, "position": seated.encode(p), "seat": actor}
            steps += [
                {"op": "legal_moves", **asked},
                {"op": "explain", **asked},
                {"op": "judge", **asked, "move": move(made)},
                {"op": "judge", **asked, "seat": (actor + 1) % seated.seats, "move": move(made)},
            ]
        p, _ = play(seated, p, actor, made)
    return steps


def whole_match(game: str, most: int = 60) -> list[Step]:
    """Play a record as a match of the service: the referee supplies the packs, each seat has its own key."""
    record = record_of(game)
    steps: list[Step] = [{"op": "open", "as": "m", "agreement": agreement(record.rule_set), "packs": "referee"}]
    for number, (actor, made) in enumerate(record.moves[:most]):
        who = "referee" if actor == CHANCE else actor
        if number % 10 == 1:
            steps += [{"op": "look", "match": "m", "who": "public"}, {"op": "moves", "match": "m", "who": who}]
        steps.append({"op": "play", "match": "m", "who": who, "move": move(made)})
    everybody = ["public", "referee", *range(CATALOGUE.game_for(record.rule_set).seats)]
    steps += [{"op": "look", "match": "m", "who": who} for who in everybody]
    return [*steps, {"op": "record", "match": "m", "who": "referee"}]


def coech(*, packs: str = "referee", **more: Any) -> Step:
    """Create a match of Cöch for two in which seat 0 deals."""
    options = {"first_dealer": "0", "match_deals": "1"}
    said = {"game": "coech", "players": 2, "options": options}
    return {"op": "open", "as": "m", "agreement": said, "packs": packs, **more}


START = {"verb": "start_deal", "cards": list(CATALOGUE.game("coech").pack.cards)}
PACK: Step = {"op": "play", "match": "m", "who": "referee", "move": START}


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
        steps.append({"op": "play", "match": "m", "who": seat, "move": move(made)})
    return steps


def stories() -> Iterator[tuple[str, str, list[Step]]]:
    """Yield every scenario: its name, what it shows, its steps."""
    yield "01-catalogue", "The games, whatever the pages.", [{"op": "games"}]
    for number, game in enumerate(JUDGED, 2):
        yield f"{number:02}-judging-{game}", "Positions of a record: what may be done, and why not.", judging(game)
    yield "10-at-a-glance", "Cards on a table, without a position.", glances()
    for number, game in enumerate(("briscola", "coteccio", "briscola-chiamata", "cucu"), 11):
        yield f"{number}-match-{game}", "A match with several seats, played from a record.", whole_match(game)
    wrong = {"verb": "play_card", "cards": ["LEO"]}
    steps = first_moves(6)
    yield "20-refusals", "A refusal is an answer, an error has a code.", [
        coech(), {**PACK, "who": 0}, PACK, PACK,
        {"op": "play", "match": "m", "who": 0, "move": wrong}, {"op": "play", "match": "m", "who": 1, "move": wrong},
        {"op": "play", "match": "m", "who": 1, "move": {"verb": "dance"}},
        {"op": "play", "match": "m", "who": "public", "move": wrong},
        {"op": "look", "match": "m", "who": "public", "key": "nonsense"},
        {"op": "moves", "match": "m", "who": "public"},
        {"op": "open", "as": "n", "agreement": {"game": "poker"}},
        {"op": "open", "as": "n", "agreement": {"game": "briscola", "players": 9}},
        {"op": "open", "as": "n", "agreement": {"game": "briscola", "options": {"signals": "loud"}}},
        {"op": "judge", "agreement": {"game": "coech"}, "position": "nonsense", "seat": 0, "move": wrong},
    ]  # fmt: skip
    yield "21-private", "Of a private match nobody learns without a key.", [
        coech(private=True), PACK,
        {"op": "look", "match": "m", "who": "public"}, {"op": "look", "match": "m", "who": "public", "key": "nonsense"},
        {"op": "look", "match": "m", "who": 0},
    ]  # fmt: skip
    yield "22-stale", "Who builds upon an old revision is told.", [
        coech(), PACK, {**steps[0], "expected_revision": 1}, {**steps[1], "expected_revision": 1},
        {**steps[1], "expected_revision": 2}, {**steps[2], "expected_revision": 99},
    ]  # fmt: skip
    yield "23-repeated", "A repeated request plays nothing twice, and its name is good for one move.", [
        coech(), PACK, {**steps[0], "request_id": "first"}, {**steps[0], "request_id": "first"},
        {**steps[1], "request_id": "second"}, {**steps[0], "request_id": "first"}, {**steps[2], "request_id": "first"},
        {"op": "look", "match": "m", "who": "public"},
    ]  # fmt: skip
    yield "24-watch", "Everybody hears what concerns him, each thing once, through cuts.", [
        coech(), PACK, *steps,
        *({"op": "watch", "match": "m", "who": who, "messages": 7, "cut_after": cut}
          for who, cut in (("public", 0), ("public", 1), (0, 3), (1, 6), ("referee", 2))),
    ]  # fmt: skip
    yield "25-fair", "A deal of the service is proved by the client itself.", [
        coech(packs="service"), {"op": "verify", "match": "m"}, {"op": "play_out", "match": "m"},
        {"op": "verify", "match": "m"}, {"op": "look", "match": "m", "who": 0, "key": "nonsense"},
    ]  # fmt: skip
    yield "26-take-back", "A decision is taken back when everybody agrees.", [
        coech(), PACK, steps[0], {"op": "take_back", "match": "m", "who": 1},
        {"op": "take_back", "match": "m", "who": 0, "refuse": True}, {"op": "take_back", "match": "m", "who": 1},
        {"op": "take_back", "match": "m", "who": 0}, {"op": "look", "match": "m", "who": 1},
        {"op": "record", "match": "m", "who": "referee"},
    ]  # fmt: skip
    images = json.loads((Path(__file__).parent / "card_images.json").read_text())
    yield (
        "27-pictures",
        "Every card of every pack.",
        [{"op": "picture", "pack": pack, "cards": list(cards)} for pack, cards in images.items()],
    )
    yield "28-tls", "The same over TLS.", [{"op": "tls"}]


def glances() -> list[Step]:
    """Return questions without a position."""
    briscola, coech, bisca = ({"game": key} for key in ("briscola", "coech", "bisca-brazil"))
    return [
        {"op": "trick", "agreement": {**briscola, "players": 4}, "cards": ["Rs", "2d", "6c", "3b"], "trump": "d"},
        {"op": "trick", "agreement": briscola, "cards": ["2b", "Ab"], "trump": ""},
        {"op": "trick", "agreement": coech, "cards": ["XV", "XV", "X", "NUL"], "trump": ""},
        {"op": "playable", "agreement": coech, "hand": ["VI", "XIV", "MAT"], "trick": ["III"], "trump": ""},
        {"op": "playable", "agreement": bisca, "hand": ["7h", "Kh", "2c"], "trick": ["Qh"], "trump": "h"},
        {"op": "count", "agreement": briscola, "cards": ["Ab", "3b", "Rc", "2d"]},
        {"op": "count", "agreement": coech, "cards": ["XV", "XV", "IX", "II"]},
        {"op": "count", "agreement": {"game": "cucu"}, "cards": ["XV"]},
        {"op": "trick", "agreement": briscola, "cards": ["Xx"], "trump": ""},
        {"op": "trick", "agreement": briscola, "cards": ["Ab", "Ab"], "trump": ""},
    ]


def main() -> None:
    """Write all scenarios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layout", action="store_true", help="only format the files that are there")
    if parser.parse_args().layout:
        for path in SCENARIOS.glob("*.json"):
            write(json.loads(path.read_text()))
        return
    SCENARIOS.mkdir(exist_ok=True)
    for old in SCENARIOS.glob("*.json"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as environment:
        for name, says, steps in stories():
            with Chitarrella(environment.grpc) as client:
                runner = Runner.connected(client, environment.cut, environment.tls, environment.ca.read_bytes())
                expected = runner.play_scenario(steps)
            write({"name": name, "says": says, "steps": steps, "expected": expected})
            print(name, len(steps))


def write(scenario: Step) -> None:
    """Write a scenario to the file of its name."""
    document = {**scenario, "expected": split(scenario["expected"])}
    (SCENARIOS / f"{scenario['name']}.json").write_text(compact(document))


if __name__ == "__main__":
    main()
