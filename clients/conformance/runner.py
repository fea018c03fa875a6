"""The runner of the Python client: plays the scenarios and writes a report."""

from __future__ import annotations

import argparse
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc

from chitarrella.transports.inprocess import channel
from chitarrella_client import Agreement, Chitarrella, ChitarrellaError, Match, Position, fairness, pictures
from chitarrella_client.types import Event, ExplainedMove, Move, Refusal, Share, Waiting

Json = Any
Step = dict[str, Any]


def agreement(step: Step) -> Agreement:
    """Read an agreement."""
    return Agreement(step["game"], step.get("players", 0), step.get("options", {}))


def read_move(step: Step) -> Move:
    """Read a move."""
    shares = tuple(Share(one["person"], one["amount"]) for one in step.get("shares", ()))
    return Move(
        step["verb"], tuple(step.get("cards", ())), step.get("word", ""), step.get("amount"), step.get("seat"), shares
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
    """Plays one scenario; an operation is the method of that name."""

    def __init__(self, client: Chitarrella, cut: Callable[[], None], secure: Callable[[], Chitarrella]) -> None:
        """Play with ``client``; ``cut`` cuts every connection, ``secure`` returns a client with TLS."""
        self.client = client
        self.cut = cut
        self.secure = secure
        self.matches: dict[str, Match] = {}

    @classmethod
    def connected(cls, client: Chitarrella, cut_address: str, tls: str, ca: bytes) -> Runner:
        """Play in an environment with these addresses and CA certificate."""
        host, _, port = cut_address.rpartition(":")

        def cut() -> None:
            with socket.create_connection((host, int(port))) as connection:
                connection.recv(1)

        return cls(client, cut, lambda: Chitarrella(tls, tls=grpc.ssl_channel_credentials(ca)))

    def play_scenario(self, steps: list[Step]) -> list[Json]:
        """Run the steps; a call that fails gives its code as the result."""
        results = []
        for step in steps:
            try:
                results.append(getattr(self, step["op"])(step))
            except ChitarrellaError as error:
                results.append({"error": {"code": error.code, "field": error.field}})
        return results

    def _as(self, step: Step) -> Match:
        """Return the match with the key of the step's viewer."""
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
        """Return the initial position."""
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
        """Check a move in a position."""
        verdict = self.client.rules.judge(_position(step), read_move(step["move"]), step.get("seat"))
        return {"accepted": verdict.accepted, "refusals": list(map(refusal, verdict.refusals))}

    def playable(self, step: Step) -> Json:
        """List the cards that may be played to a trick."""
        found = self.client.rules.playable(
            agreement(step["agreement"]), step["hand"], step["trick"], step.get("trump", "")
        )
        return list(map(explained, found))

    def trick(self, step: Step) -> Json:
        """Return the card that takes a trick."""
        found = self.client.rules.trick(agreement(step["agreement"]), step["cards"], step.get("trump", ""))
        return {"place": found.place, "card": found.card, "tallies": {one.name: one.number for one in found.tallies}}

    def count(self, step: Step) -> Json:
        """Return the worth of a pile."""
        return {one.name: one.number for one in self.client.rules.count(agreement(step["agreement"]), step["cards"])}

    def picture(self, step: Step) -> Json:
        """Return the images of cards."""
        return [pictures.picture(card, step["pack"]) for card in step["cards"]]

    def open(self, step: Step) -> Json:
        """Create a match."""
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
        """Return the state of the match."""
        seen = self._as(step).look()
        view = seen.view
        hand = [] if seen.seat is None else view.pile("hand", seen.seat).cards
        return {
            "revision": seen.revision, "phase": view.phase, **_waiting(view.waiting, view.turn),
            "scores": list(view.scores), "winners": None if view.outcome is None else list(view.outcome.winners),
            "hand": list(hand),
        }  # fmt: skip

    def moves(self, step: Step) -> Json:
        """List the legal moves of a seat."""
        found = self._as(step).moves()
        return {"seat": found.seat, "moves": list(map(move, found)), "revision": found.revision}

    def play(self, step: Step) -> Json:
        """Play a move."""
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
        """Watch a match through a cut."""
        updates: list[Json] = []
        watch = self._as(step).watch()
        for one in watch:
            updates.append({"revision": one.revision, "kinds": [event.kind for event in one.events]})
            if len(updates) == step.get("cut_after"):
                self.cut()
            if len(updates) == step["messages"]:
                break
        watch.close()
        return updates

    def verify(self, step: Step) -> Json:
        """Verify every draw."""
        opened = self.matches[step["match"]]
        pack = self.client.game(opened.look().agreement.game).pack
        return [
            {"number": draw.number, "handed_in": draw.handed_in, "fair": fairness.is_fair(draw, pack)}
            for draw in opened.draws()
        ]

    def record(self, step: Step) -> Json:
        """Return the record."""
        return self._as(step).record()

    def take_back(self, step: Step) -> Json:
        """Request a takeback, or answer a request."""
        done = self._as(step).take_back(refuse=step.get("refuse", False))
        return {"revision": done.revision, "taken_back": done.taken_back, "awaited": list(done.awaited)}

    def tls(self, step: Step) -> Json:
        """Count the games over TLS."""
        with self.secure() as client:
            return len(list(client.games()))


def _position(step: Step) -> Position:
    return Position(agreement(step["agreement"]), step["position"])


def _waiting(waiting: Waiting, turn: int | None) -> Step:
    return {"waiting": waiting.name.lower(), "turn": turn}


def scenarios(folder: Path) -> Iterator[tuple[str, list[Step]]]:
    """Iterate over the names and steps of the scenarios."""
    for path in sorted(folder.glob("*.json")):
        scenario = json.loads(path.read_text())
        yield scenario["name"], scenario["steps"]


def main() -> None:
    """Play all scenarios."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("grpc", "rest", "cut", "tls", "ca", "scenarios", "report"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--embedded", action="store_true", help="run the rules in this process, without a server")
    arguments = parser.parse_args()
    ca = Path(arguments.ca).read_bytes()
    results = {}
    for name, steps in scenarios(Path(arguments.scenarios)):
        with Chitarrella(channel() if arguments.embedded else arguments.grpc) as client:
            results[name] = Runner.connected(client, arguments.cut, arguments.tls, ca).play_scenario(steps)
    Path(arguments.report).write_text(
        json.dumps({"client": "python", "results": results}, ensure_ascii=False, indent=1)
    )


if __name__ == "__main__":
    main()
