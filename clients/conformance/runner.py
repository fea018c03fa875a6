"""The runner of the Python client: plays the scenarios and writes a report."""

from __future__ import annotations

import argparse
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc

from chitarrella.api.api_keys import ApiKeys, digest_of, parse_api_keys
from chitarrella.transports.inprocess import Service, channel
from chitarrella_client import Chitarrella, ChitarrellaError, Match, fairness
from clients.conformance.environment import API_KEY, Environment
from clients.conformance.platform_steps import PlatformSteps
from clients.conformance.rules_steps import RulesSteps
from clients.conformance.scenario_json import Json, Step, event, move, read_move, refusal, waiting


class Runner(RulesSteps, PlatformSteps):
    """Plays one scenario; an operation is the method of that name."""

    def __init__(
        self,
        client: Chitarrella,
        cut: Callable[[], None],
        secure: Callable[[], Chitarrella],
        platform: Callable[[], Chitarrella],
    ) -> None:
        """Play with ``client``, and close it.

        ``cut`` cuts every connection, ``secure`` returns a client with TLS, ``platform`` one with an API key.
        """
        self.client = client
        self.cut = cut
        self.secure = secure
        self.platform = platform
        self.matches = {}
        self.webhooks = {}

    @classmethod
    def connected(cls, client: Chitarrella, platform: Callable[[], Chitarrella], environment: Environment) -> Runner:
        """Play in an environment."""
        host, _, port = environment.cut.rpartition(":")

        def cut() -> None:
            with socket.create_connection((host, int(port))) as connection:
                connection.recv(1)

        def secure() -> Chitarrella:
            return Chitarrella(environment.tls, tls=grpc.ssl_channel_credentials(environment.ca.read_bytes()))

        return cls(client, cut, secure, platform)

    def play_scenario(self, steps: list[Step]) -> list[Json]:
        """Run the steps, and close the client."""
        try:
            return list(map(self.run_step, steps))
        finally:
            self.client.close()

    def run_step(self, step: Step) -> Json:
        """Run a step; a call that fails gives its code as the result."""
        try:
            return getattr(self, step["op"])(step)
        except ChitarrellaError as error:
            return {"error": {"code": error.code, "field": error.field}}

    def match_of(self, step: Step) -> Match:
        """Return the match with the key that the step sends."""
        match, who = self.matches[step["match"]], step.get("who", "referee")
        if "key" in step:
            return self.client.match(match.id, step["key"])
        if who == "public":
            return self.client.match(match.id, "")
        return match if who == "referee" else self.client.match(match.id, match.keys[who])

    def get_match(self, step: Step) -> Json:
        """Return the state of a match."""
        state = self.match_of(step).get()
        view = state.view
        hand = [] if state.seat is None else view.zone("hand", state.seat).cards
        return {
            "revision": state.revision, "phase": view.phase, **waiting(view.waiting, view.turn),
            "scores": list(view.scores), "winners": None if view.outcome is None else list(view.outcome.winners),
            "hand": list(hand),
        }  # fmt: skip

    def list_match_moves(self, step: Step) -> Json:
        """List the legal moves of a seat."""
        found = self.match_of(step).legal_moves()
        return {"seat": found.seat, "moves": list(map(move, found)), "revision": found.revision}

    def play_move(self, step: Step) -> Json:
        """Play a move."""
        result = self.match_of(step).play(
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
        watch = self.match_of(step).watch()
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
        return self.match_of(step).record()

    def take_back(self, step: Step) -> Json:
        """Request a takeback, or answer a request."""
        result = self.match_of(step).take_back(decline=step.get("decline", False))
        return {
            "revision": result.revision, "taken_back": result.taken_back,
            "awaiting_answers_from": list(result.awaiting_answers_from),
        }  # fmt: skip

    def tls(self, step: Step) -> Json:
        """Count the games over TLS."""
        with self.secure() as client:
            return len(list(client.games()))


def scenarios(folder: Path) -> Iterator[tuple[str, list[Step]]]:
    """Iterate over the names and steps of the scenarios."""
    for path in sorted(folder.glob("*.json")):
        scenario = json.loads(path.read_text())
        yield scenario["name"], scenario["steps"]


def main() -> None:
    """Play all scenarios."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in (*(field.replace("_", "-") for field in Environment._fields), "scenarios", "report"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--embedded", action="store_true", help="run the rules in this process, without a server")
    arguments = parser.parse_args()
    given = {name: getattr(arguments, name) for name in Environment._fields}
    environment = Environment(**{**given, "ca": Path(arguments.ca)})
    results = {}
    for name, steps in scenarios(Path(arguments.scenarios)):
        client = Chitarrella(channel() if arguments.embedded else environment.grpc)
        platform = embedded_platform if arguments.embedded else platform_of(environment)
        results[name] = Runner.connected(client, platform, environment).play_scenario(steps)
    Path(arguments.report).write_text(
        json.dumps({"client": "python", "results": results}, ensure_ascii=False, indent=1)
    )


def platform_of(environment: Environment) -> Callable[[], Chitarrella]:
    """Return what connects to the service for platforms."""
    return lambda: Chitarrella(environment.platform, api_key=environment.api_key)


def embedded_platform() -> Chitarrella:
    """Run a service for a platform in this process."""
    keys = ApiKeys(parse_api_keys(f"conformance all {digest_of(API_KEY)}"))
    return Chitarrella(channel(Service(sandbox=True, api_keys=keys)), api_key=API_KEY)


if __name__ == "__main__":
    main()
