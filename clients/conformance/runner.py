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
from chitarrella_client import Chitarrella, ChitarrellaError, Match, Position, RuleSet, fairness
from chitarrella_client.card_images import card_image
from chitarrella_client.types import Event, ExplainedMove, Move, Refusal, Share, Waiting

Json = Any
Step = dict[str, Any]


def rule_set(step: Step) -> RuleSet:
    """Read a rule set."""
    return RuleSet(step["game_id"], step.get("players", 0), step.get("options", {}))


def read_move(step: Step) -> Move:
    """Read a move."""
    shares = tuple(Share(one["person"], one["amount"]) for one in step.get("shares", ()))
    return Move(
        step["verb"], tuple(step.get("cards", ())), step.get("choice", ""), step.get("amount"), step.get("seat"), shares
    )


def move(value: Move) -> Json:
    """Write a move."""
    shares = [{"person": one.person, "amount": one.amount} for one in value.shares]
    return {
        "verb": value.verb, "cards": list(value.cards), "choice": value.choice, "amount": value.amount,
        "seat": value.seat, "shares": shares,
    }  # fmt: skip


def refusal(value: Refusal) -> Json:
    """Write a refusal."""
    return {
        "code": value.code, "clause": value.clause.key, "allowed_cards": list(value.allowed_cards),
        "offending_cards": list(value.offending_cards), "word": value.word, "amount": value.amount,
        "penalty": value.penalty,
    }  # fmt: skip


def explained(value: ExplainedMove) -> Json:
    """Write a move with the clauses that it would break."""
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
        """Return the match with the key that the step sends."""
        match, who = self.matches[step["match"]], step.get("who", "referee")
        if "key" in step:
            return self.client.match(match.id, step["key"])
        if who == "public":
            return self.client.match(match.id, "")
        return match if who == "referee" else self.client.match(match.id, match.keys[who])

    def list_games(self, step: Step) -> Json:
        """List the games."""
        return [game.game_id for game in self.client.games()]

    def start_game(self, step: Step) -> Json:
        """Return the position before the first card."""
        start = self.client.rules.start_game(rule_set(step["rule_set"]))
        request = start.chance_request
        return {"text": start.position.text, "chance_request": request.verb if request else None}

    def list_legal_moves(self, step: Step) -> Json:
        """List the legal moves of a position."""
        found = self.client.rules.legal_moves(_position(step), step.get("seat"))
        return {"seat": found.seat, "moves": list(map(move, found))}

    def explain_hand(self, step: Step) -> Json:
        """Explain a hand of a position."""
        return list(map(explained, self.client.rules.explain_hand(_position(step), step.get("seat"))))

    def validate_move(self, step: Step) -> Json:
        """Validate a move in a position."""
        validation = self.client.rules.validate_move(_position(step), read_move(step["move"]), step.get("seat"))
        return {"accepted": validation.accepted, "refusals": list(map(refusal, validation.refusals))}

    def list_playable_cards(self, step: Step) -> Json:
        """List the cards that may be played to a trick."""
        found = self.client.rules.playable_cards(
            rule_set(step["rule_set"]), step["hand"], step["trick"], step.get("trump", "")
        )
        return list(map(explained, found))

    def resolve_trick(self, step: Step) -> Json:
        """Return the card that takes a trick."""
        result = self.client.rules.resolve_trick(rule_set(step["rule_set"]), step["cards"], step.get("trump", ""))
        return {
            "winning_index": result.winning_index, "winning_card": result.winning_card,
            "scores": {score.name: score.value for score in result.scores},
        }  # fmt: skip

    def score_cards(self, step: Step) -> Json:
        """Return what cards count."""
        scores = self.client.rules.score_cards(rule_set(step["rule_set"]), step["cards"])
        return {score.name: score.value for score in scores}

    def card_images(self, step: Step) -> Json:
        """Return the images of cards."""
        return [card_image(card, step["pack"]) for card in step["cards"]]

    def create_match(self, step: Step) -> Json:
        """Create a match."""
        bots = {int(seat): bot for seat, bot in step.get("bots", {}).items()}
        match = self.client.create_match(
            rule_set(step["rule_set"]),
            pack=step.get("pack", ()),
            pack_source=step.get("pack_source", "service"),
            bots=bots,
            private=step.get("private", False),
        )
        self.matches[step["as"]] = match
        state = match.get()
        waiting = _waiting(state.view.waiting, state.view.turn)
        return {"seats": sorted(match.keys), "revision": state.revision, **waiting}

    def get_match(self, step: Step) -> Json:
        """Return the state of a match."""
        state = self._as(step).get()
        view = state.view
        hand = [] if state.seat is None else view.zone("hand", state.seat).cards
        return {
            "revision": state.revision, "phase": view.phase, **_waiting(view.waiting, view.turn),
            "scores": list(view.scores), "winners": None if view.outcome is None else list(view.outcome.winners),
            "hand": list(hand),
        }  # fmt: skip

    def list_match_moves(self, step: Step) -> Json:
        """List the legal moves of a seat."""
        found = self._as(step).legal_moves()
        return {"seat": found.seat, "moves": list(map(move, found)), "revision": found.revision}

    def play_move(self, step: Step) -> Json:
        """Play a move."""
        result = self._as(step).play(
            read_move(step["move"]), step.get("expected_revision"), request_id=step.get("request_id", "")
        )
        return {
            "accepted": result.accepted, "revision": result.revision, "repeated_request": result.repeated_request,
            "refusals": list(map(refusal, result.refusals)), "events": list(map(event, result.events)),
        }  # fmt: skip

    def play_out(self, step: Step) -> Json:
        """Play the first legal move until the match is finished."""
        match = self.matches[step["match"]]
        while (found := match.legal_moves()).seat is not None:
            self.client.match(match.id, match.keys[found.seat]).play(found[0])
        return {"finished": match.get().over}

    def watch_match(self, step: Step) -> Json:
        """Watch a match through a cut."""
        updates: list[Json] = []
        watch = self._as(step).watch()
        for update in watch:
            updates.append({"revision": update.revision, "kinds": [event.kind for event in update.events]})
            if len(updates) == step.get("cut_after"):
                self.cut()
            if len(updates) == step["messages"]:
                break
        watch.close()
        return updates

    def verify_shuffles(self, step: Step) -> Json:
        """Verify every shuffle."""
        match = self.matches[step["match"]]
        pack = self.client.game(match.get().rule_set.game_id).pack
        return [
            {"number": shuffle.number, "supplied": shuffle.supplied, "fair": fairness.is_fair(shuffle, pack)}
            for shuffle in match.shuffles()
        ]

    def get_record(self, step: Step) -> Json:
        """Return the record."""
        return self._as(step).record()

    def take_back(self, step: Step) -> Json:
        """Request a takeback, or answer a request."""
        result = self._as(step).take_back(decline=step.get("decline", False))
        return {
            "revision": result.revision, "taken_back": result.taken_back,
            "awaiting_answers_from": list(result.awaiting_answers_from),
        }  # fmt: skip

    def tls(self, step: Step) -> Json:
        """Count the games over TLS."""
        with self.secure() as client:
            return len(list(client.games()))


def _position(step: Step) -> Position:
    return Position(rule_set(step["rule_set"]), step["position"])


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
