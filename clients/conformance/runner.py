"""The runner of the Python client: plays the scenarios and writes what came of them."""

from __future__ import annotations

import argparse
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc

from chitarrella.inprocess import channel
from chitarrella_client import Agreement, Chitarrella, ChitarrellaError, Match, Position, fairness, pictures
from chitarrella_client.table import Event, ExplainedMove, Move, Refusal, Share, Waiting

Json = Any
Step = dict[str, Any]


def agreement(said: Step) -> Agreement:
    """Read what is played."""
    return Agreement(said["game"], said.get("players", 0), said.get("options", {}))


def read_move(said: Step) -> Move:
    """Read a move."""
    shares = tuple(Share(one["person"], one["amount"]) for one in said.get("shares", ()))
    return Move(
        said["verb"], tuple(said.get("cards", ())), said.get("word", ""), said.get("amount"), said.get("seat"), shares
    )


def move(value: Move) -> Json:
    """Write a move."""
    shares = [{"person": one.person, "amount": one.amount} for one in value.shares]
    return {
        "verb": value.verb, "cards": list(value.cards), "word": value.word, "amount": value.amount, "seat": value.seat,
        "shares": shares,
    }  # fmt: skip


def refusal(value: Refusal) -> Json:
    """Write a refusal."""
    return {
        "code": value.code, "clause": value.clause.key, "instead": list(value.instead), "held": list(value.held),
        "word": value.word, "amount": value.amount, "penalty": value.penalty,
    }  # fmt: skip


def explained(value: ExplainedMove) -> Json:
    """Write a move with the clauses against it."""
    return {"move": move(value.move), "refusals": list(map(refusal, value.refusals))}


def event(value: Event) -> Json:
    """Write an event."""
    return {"kind": value.kind, "seat": value.seat, "cards": list(value.cards)}


class Runner:
    """Plays one scenario; the name of an operation is that of a method."""

    def __init__(self, client: Chitarrella, cut: Callable[[], None], secure: Callable[[], Chitarrella]) -> None:
        """Ask over ``client``; ``cut`` cuts every way, ``secure`` opens one with TLS."""
        self.client = client
        self.cut = cut
        self.secure = secure
        self.matches: dict[str, Match] = {}

    @classmethod
    def staged(cls, client: Chitarrella, scissors: str, tls: str, ca: bytes) -> Runner:
        """Play on a stage with these addresses, and the certificate of the one with TLS."""
        host, _, port = scissors.rpartition(":")

        def cut() -> None:
            with socket.create_connection((host, int(port))) as line:
                line.recv(1)

        return cls(client, cut, lambda: Chitarrella(tls, tls=grpc.ssl_channel_credentials(ca)))

    def play_scenario(self, steps: list[Step]) -> list[Json]:
        """Carry out the steps; what fails gives its code."""
        results = []
        for step in steps:
            try:
                results.append(getattr(self, step["op"])(step))
            except ChitarrellaError as error:
                results.append({"error": {"code": error.code, "field": error.field}})
        return results

    def _as(self, step: Step) -> Match:
        """Give a match with the eyes of who asks."""
        opened, who = self.matches[step["match"]], step.get("who", "referee")
        if "key" in step:
            return self.client.match(opened.id, step["key"])
        if who == "public":
            return self.client.match(opened.id, "")
        return opened if who == "referee" else self.client.match(opened.id, opened.keys[who])

    def games(self, step: Step) -> Json:
        """List the games."""
        return [game.game for game in self.client.games()]

    def start(self, step: Step) -> Json:
        """Begin a position."""
        start = self.client.rules.start(agreement(step["agreement"]))
        return {"line": start.position.line, "wanted": start.wanted.verb if start.wanted else None}

    def legal_moves(self, step: Step) -> Json:
        """List legal moves of a position."""
        found = self.client.rules.legal_moves(_position(step), step.get("seat"))
        return {"seat": found.seat, "moves": list(map(move, found))}

    def explain(self, step: Step) -> Json:
        """Explain a hand of a position."""
        return list(map(explained, self.client.rules.explain(_position(step), step.get("seat"))))

    def judge(self, step: Step) -> Json:
        """Judge a move on a position."""
        verdict = self.client.rules.judge(_position(step), read_move(step["move"]), step.get("seat"))
        return {"accepted": verdict.accepted, "refusals": list(map(refusal, verdict.refusals))}

    def playable(self, step: Step) -> Json:
        """Say which cards may be played."""
        found = self.client.rules.playable(
            agreement(step["agreement"]), step["hand"], step["trick"], step.get("trump", "")
        )
        return list(map(explained, found))

    def trick(self, step: Step) -> Json:
        """Say who takes a trick."""
        found = self.client.rules.trick(agreement(step["agreement"]), step["cards"], step.get("trump", ""))
        return {"place": found.place, "card": found.card, "tallies": {one.name: one.number for one in found.tallies}}

    def count(self, step: Step) -> Json:
        """Say what a pile is worth."""
        return {one.name: one.number for one in self.client.rules.count(agreement(step["agreement"]), step["cards"])}

    def picture(self, step: Step) -> Json:
        """Give the pictures of cards."""
        return [pictures.picture(card, step["pack"]) for card in step["cards"]]

    def open(self, step: Step) -> Json:
        """Open a match."""
        bots = {int(seat): bot for seat, bot in step.get("bots", {}).items()}
        opened = self.client.create_match(
            agreement(step["agreement"]),
            pack=step.get("pack", ()),
            packs=step.get("packs", "service"),
            bots=bots,
            private=step.get("private", False),
        )
        self.matches[step["as"]] = opened
        seen = opened.look()
        return {"seats": sorted(opened.keys), "revision": seen.revision, **_waiting(seen.view.waiting, seen.view.turn)}

    def look(self, step: Step) -> Json:
        """Look at the table."""
        seen = self._as(step).look()
        view = seen.view
        hand = [] if seen.seat is None else view.pile("hand", seen.seat).cards
        return {
            "revision": seen.revision, "phase": view.phase, **_waiting(view.waiting, view.turn),
            "scores": list(view.scores), "winners": None if view.outcome is None else list(view.outcome.winners),
            "hand": list(hand),
        }  # fmt: skip

    def moves(self, step: Step) -> Json:
        """List what a seat may do."""
        found = self._as(step).moves()
        return {"seat": found.seat, "moves": list(map(move, found)), "revision": found.revision}

    def play(self, step: Step) -> Json:
        """Make a move."""
        played = self._as(step).play(
            read_move(step["move"]), step.get("expected_revision"), request_id=step.get("request_id", "")
        )
        return {
            "accepted": played.accepted, "revision": played.revision, "repeated": played.repeated_request,
            "refusals": list(map(refusal, played.refusals)), "events": list(map(event, played.events)),
        }  # fmt: skip

    def play_out(self, step: Step) -> Json:
        """Play the first legal move until the match is over."""
        opened = self.matches[step["match"]]
        while (found := opened.moves()).seat is not None:
            self.client.match(opened.id, opened.keys[found.seat]).play(found[0])
        return {"over": opened.look().over}

    def watch(self, step: Step) -> Json:
        """Follow a match through a cut."""
        told: list[Json] = []
        watching = self._as(step).watch()
        for one in watching:
            told.append({"revision": one.revision, "kinds": [event.kind for event in one.events]})
            if len(told) == step.get("cut_after"):
                self.cut()
            if len(told) == step["messages"]:
                break
        watching.close()
        return told

    def verify(self, step: Step) -> Json:
        """Check every draw."""
        opened = self.matches[step["match"]]
        pack = self.client.game(opened.look().agreement.game).pack
        return [
            {"number": draw.number, "handed_in": draw.handed_in, "fair": fairness.is_fair(draw, pack)}
            for draw in opened.draws()
        ]

    def record(self, step: Step) -> Json:
        """Give the record."""
        return self._as(step).record()

    def take_back(self, step: Step) -> Json:
        """Take back the last decision, or answer."""
        done = self._as(step).take_back(refuse=step.get("refuse", False))
        return {"revision": done.revision, "taken_back": done.taken_back, "awaited": list(done.awaited)}

    def tls(self, step: Step) -> Json:
        """Ask over TLS."""
        with self.secure() as client:
            return len(list(client.games()))


def _position(step: Step) -> Position:
    return Position(agreement(step["agreement"]), step["position"])


def _waiting(waiting: Waiting, turn: int | None) -> Step:
    return {"waiting": waiting.name.lower(), "turn": turn}


def scenarios(folder: Path) -> Iterator[tuple[str, list[Step]]]:
    """Go through the scenarios."""
    for path in sorted(folder.glob("*.json")):
        said = json.loads(path.read_text())
        yield said["name"], said["steps"]


def main() -> None:
    """Play all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("grpc", "rest", "cut", "tls", "ca", "scenarios", "report"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--embedded", action="store_true", help="ask the rules in this process, without a server")
    told = parser.parse_args()
    ca = Path(told.ca).read_bytes()
    results = {}
    for name, steps in scenarios(Path(told.scenarios)):
        with Chitarrella(channel() if told.embedded else told.grpc) as client:
            results[name] = Runner.staged(client, told.cut, told.tls, ca).play_scenario(steps)
    Path(told.report).write_text(json.dumps({"client": "python", "results": results}, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
