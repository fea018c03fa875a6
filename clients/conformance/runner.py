"""The runner of the Python client: plays the scenarios and writes a report."""

from __future__ import annotations

import argparse
import json
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import grpc

from chitarrella.api.api_keys import ApiKeys, digest_of, parse_api_keys
from chitarrella.transports.inprocess import Service, channel
from chitarrella_client import (
    AppliedMoves,
    Chitarrella,
    ChitarrellaError,
    ClockAdvance,
    Delivery,
    DeliveryState,
    Match,
    MatchDetails,
    MatchState,
    PartialPosition,
    PlatformUpdate,
    Position,
    RuleSet,
    TakebackResult,
    ask,
    fairness,
)
from chitarrella_client.card_images import card_image
from chitarrella_client.positions import CardScores, Score
from chitarrella_client.types import Clause, Event, ExplainedMove, Move, Refusal, Share, Verdict, Waiting
from clients.conformance.environment import API_KEY, Environment
from tests.client.aio_as_blocking import Loop, blocking

Json = Any
Step = dict[str, Any]


def rule_set(step: Step) -> RuleSet:
    """Read a rule set."""
    return RuleSet(step["game_id"], step.get("players", 0), step.get("options", {}))


def read_move(step: Step) -> Move:
    """Read a move."""
    shares = tuple(Share(one["person"], one["amount"]) for one in step.get("shares", ()))
    return Move(
        step["verb"],
        tuple(step.get("cards", ())),
        step.get("choice", ""),
        step.get("amount"),
        step.get("dummy_seat"),
        shares,
    )


def read_moves(step: Step) -> list[tuple[int | None, Move]]:
    """Read the moves of a step, each with its seat."""
    return [(one["seat"], read_move(one["move"])) for one in step["moves"]]


FIELDS: dict[type, tuple[str, ...]] = {
    Move: ("verb", "cards", "choice", "amount", "dummy_seat", "shares"),
    Share: ("person", "amount"),
    Refusal: ("code", "clause", "allowed_cards", "offending_cards", "word", "amount", "penalty", "undecided"),
    ExplainedMove: ("move", "verdict", "refusals", "depends_on"),
    Event: ("kind", "seat", "cards"),
}
"""What is written of a value."""


def written(value: Any, *fields: str) -> Json:
    """Write a value as JSON: some fields of it, or those that are always written of its type."""
    if names := fields or FIELDS.get(type(value), ()):
        return {name: written(getattr(value, name)) for name in names}
    if isinstance(value, Clause):
        return value.key
    if isinstance(value, Verdict):
        return value.name.lower()
    return list(map(written, value)) if isinstance(value, Sequence) and not isinstance(value, str) else value


def position(step: Step) -> Position:
    """Read the position of a step."""
    return Position(rule_set(step["rule_set"]), step["position"])


def any_position(step: Step) -> Position | PartialPosition:
    """Read the position of a step, or what it knows of one."""
    if (known := step.get("known")) is None:
        return position(step)
    hands = {int(seat): tuple(cards) for seat, cards in known.get("hands", {}).items()}
    return PartialPosition(
        rule_set(step["rule_set"]), hands=hands, trick=known.get("trick"), trump=known.get("trump"),
        stock_size=known.get("stock_size"),
    )  # fmt: skip


def waiting(whom: Waiting, turn: int | None) -> Step:
    """Write who has to act."""
    return {"waiting": whom.name.lower(), "turn": turn}


def labels_of(value: MatchDetails) -> Step:
    """Write what a platform has attached to a match."""
    names = {str(seat.seat): seat.player_name for seat in value.seats if seat.player_name}
    return {
        **written(value, "external_id"),
        "labels": dict(sorted(value.labels.items())),
        "player_names": names,
        "sandbox": value.sandbox,
    }


def managed(value: MatchDetails) -> Step:
    """Write what is known of a match besides its moves."""
    return {
        **labels_of(value),
        **written(value, "end_reason", "clock_paused", "pause_requested_by"),
        "state": value.state.name.lower(),
        "winners": list(value.outcome.winners) if value.outcome else None,
        "ending": value.outcome.ending.name.lower() if value.outcome else None,
        "restrictions": [one.name.lower() for one in value.restrictions],
        "joined": [one.seat for one in value.seats if one.joined],
        "resigned": [one.seat for one in value.seats if one.resigned],
        "banks": [int(one.bank.total_seconds()) for one in value.seats if one.bank is not None],
    }


def scores(found: Iterable[Score]) -> Json:
    """Write what cards count."""
    return {score.name: score.value for score in found}


def card_scores(found: CardScores) -> Json:
    """Write what cards count, and what that depends on."""
    return {"scores": scores(found.scores), "depends_on": list(found.depends_on)}


def has_secret(secret: str) -> Step:
    """Write whether a secret is one."""
    return {"has_secret": secret.startswith("whsec_")}


def taken_back(value: TakebackResult) -> Step:
    """Write the result of a takeback."""
    request = value.match.takeback_request
    awaited = list(request.awaiting_answers_from) if request else []
    return {**written(value.match, "revision"), **written(value, "taken_back"), "awaiting_answers_from": awaited}


def advanced(value: ClockAdvance) -> Step:
    """Write the result of an advance of the clock."""
    return {**written(value.match, "revision"), **written(value, "timed_out")}


def delivery(value: Delivery) -> Json:
    """Write a delivery."""
    return {
        "type": value.type,
        "state": value.state.name.lower(),
        "attempts": value.attempts,
        "has_error": bool(value.error),
    }


def _question(step: Step, earlier: list[ask.Question[Any]]) -> ask.Question[Any]:
    if step["op"] == "start_game":
        return ask.start_game(rule_set(step["rule_set"]))
    about: Any = earlier[step["position_of"]] if "position_of" in step else position(step)
    if step["op"] == "apply_moves":
        return ask.apply_moves(about, read_moves(step))
    return ask.legal_moves(about, step.get("seat"))


def _answer(op: str, answer: Any) -> Json:
    if isinstance(answer, ChitarrellaError):
        return {"error": written(answer, "code", "field")}
    if op == "start_game":
        return answer.position.text
    if op == "apply_moves":
        return _applied(answer)
    return written(answer, "seat", "moves")


def _applied(value: AppliedMoves) -> Json:
    return {"text": value.position.text, **written(value, "applied", "refusals", "legal_moves")}


def _match_options(step: Step) -> dict[str, Any]:
    names = {"pack_source", "private", "external_id", "labels", "sandbox", "restrictions"}
    given = {name: value for name, value in step.items() if name in names}
    by_seat = {name: {int(seat): one for seat, one in step.get(name, {}).items()} for name in ("bots", "player_names")}
    return {**given, **by_seat, "clock": tuple(step.get("clock", (0, 0)))}


def _platform_update(value: PlatformUpdate | None) -> Step:
    if value is None:
        return {}
    kinds = [event.kind for event in value.update.events] if value.update else []
    revision = value.update.revision if value.update else None
    return {"revision": revision, "kinds": kinds, "state": value.state.name.lower()}


class Runner:
    """Plays one scenario; an operation is the method of that name, or stands in `SHORT`.

    Other matches and webhooks of the platform than those of the scenario are left out of every result, and what is left
    is sorted by their names: matches that were created within one second have no other order.
    """

    def __init__(self, client: Chitarrella, platform: Callable[[], Chitarrella], environment: Environment) -> None:
        """Play with ``client``, and close it; ``platform`` returns one with an API key."""
        self.client, self.platform = client, platform
        self._environment = environment
        self.matches: dict[str, Match] = {}
        self.webhooks: dict[str, str] = {}

    def cut(self) -> None:
        """Cut every connection."""
        host, _, port = self._environment.cut.rpartition(":")
        with socket.create_connection((host, int(port))) as connection:
            connection.recv(1)

    def play_scenario(self, steps: list[Step]) -> list[Json]:
        """Run the steps, and close the client."""
        try:
            return list(map(self.run_step, steps))
        finally:
            self.client.close()

    def run_step(self, step: Step) -> Json:
        """Run a step; a call that fails gives its code as the result."""
        try:
            return SHORT[step["op"]](self, step) if step["op"] in SHORT else getattr(self, step["op"])(step)
        except ChitarrellaError as error:
            return {"error": written(error, "code", "field")}

    def match_of(self, step: Step) -> Match:
        """Return the match with the key that the step sends."""
        match, who = self.matches[step["match"]], step.get("who", "referee")
        if "key" in step:
            return self.client.match(match.id, step["key"])
        if who == "public":
            return self.client.match(match.id, "")
        return match if who == "referee" else self.client.match(match.id, match.keys[who])

    def start_game(self, step: Step) -> Json:
        """Return the position before the first card."""
        start = self.client.rules.start_game(rule_set(step["rule_set"]))
        request = start.chance_request
        return {"text": start.position.text, "chance_request": request.verb if request else None}

    def resolve_trick(self, step: Step) -> Json:
        """Return the card that takes a trick."""
        result = self.client.rules.resolve_trick(rule_set(step["rule_set"]), step["cards"], step.get("trump", ""))
        return {**written(result, "winning_index", "winning_card"), "scores": scores(result.scores)}

    def describe_cards(self, step: Step) -> Json:
        """Describe cards of a game."""
        game = self.client.game(step["game_id"])
        return [written(game.card(code), "code", "name", "suit", "order", "points") for code in step["cards"]]

    def list_known_moves(self, step: Step) -> Json:
        """List the legal moves of a position of which only parts are known."""
        found = self.client.rules.legal_moves(any_position(step), step.get("seat"))
        undecided = [written(one, "move", "depends_on") for one in found.undecided]
        return {**written(found, "seat", "moves"), "undecided": undecided, "depends_on": list(found.depends_on)}

    def batch(self, step: Step) -> Json:
        """Ask several questions at once, each about the position of the step, or of an earlier answer."""
        asked: list[ask.Question[Any]] = []
        for one in step["questions"]:
            asked.append(_question(one, asked))
        answers = self.client.rules.batch(asked)
        return [_answer(one["op"], answer) for one, answer in zip(step["questions"], answers, strict=True)]

    def connect_platform(self, step: Step) -> Json:
        """Show the API key of a platform from here on."""
        self.client.close()
        self.client = self.platform()

    def create_match(self, step: Step) -> Json:
        """Create a match."""
        return self._created(
            step,
            self.client.create_match(rule_set(step["rule_set"]), pack=step.get("pack", ()), **_match_options(step)),
        )

    def import_match(self, step: Step) -> Json:
        """Create a match from the record of another."""
        record = self.matches[step["match"]].record()
        return self._created(step, self.client.import_match(record, step.get("move_count"), **_match_options(step)))

    def _created(self, step: Step, match: Match) -> Json:
        self.matches[step["as"]] = match
        state = match.get()
        return {
            "seats": sorted(match.keys), "revision": state.revision, **waiting(state.view.waiting, state.view.turn)
        }  # fmt: skip

    def list_matches(self, step: Step) -> Json:
        """List the matches of the platform that fit all filters."""
        found = self.client.matches(
            external_id=step.get("external_id", ""),
            labels=step.get("labels", {}),
            player_name=step.get("player_name", ""),
            winner_name=step.get("winner_name", ""),
            state=MatchState[step.get("state", "unknown").upper()],
        )
        return sorted(
            ({"match": name, **labels_of(one)} for one in found for name in self._names_of(one.match_id)),
            key=itemgetter("match"),
        )

    def get_matches(self, step: Step) -> Json:
        """Return the states of several matches."""
        ids = [self.matches[name].id if name in self.matches else name for name in step["matches"]]
        results: list[Json] = []
        for name, one in zip(step["matches"], self.client.get_matches(ids, self.match_of(step).key), strict=True):
            found = (
                {"error": written(one.error, "code", "field")}
                if one.error
                else written(one.match, "revision", "viewer")
            )
            results.append({"match": name, **found})
        return results

    def watch_matches(self, step: Step) -> Json:
        """Run steps while all matches of the platform are watched, and return the updates."""
        watch = self.client.watch_matches()
        next(watch)  # what happens after the first heartbeat is received
        for one in step["steps"]:
            self.run_step(one)
        updates: list[Json] = []
        for update in watch:
            for name in self._names_of(update.match_id if update else ""):
                updates.append({"match": name, **_platform_update(update)})
            if len(updates) == step["messages"]:
                break
        return sorted(updates, key=itemgetter("match"))

    def _names_of(self, match_id: str) -> Iterator[str]:
        return (name for name, match in self.matches.items() if match.id == match_id)

    def rotate_key(self, step: Step) -> Json:
        """Replace a key, and keep the match with the new one under a name of its own."""
        old = self.match_of(step)
        new = old.rotate_key(step.get("seat"))
        self.matches[step["as"]] = new
        return {
            "own": new.key != old.key,
            "replaced": sorted(seat for seat, key in new.keys.items() if key != old.keys.get(seat)),
        }

    def create_webhook(self, step: Step) -> Json:
        """Create a webhook."""
        created = self.client.webhooks.create(step["url"])
        self.webhooks[step["as"]] = created.webhook.webhook_id
        return {**written(created.webhook, "url", "disabled", "configured"), **has_secret(created.secret)}

    def list_webhooks(self, step: Step) -> Json:
        """List the webhooks."""
        names = {webhook_id: name for name, webhook_id in self.webhooks.items()}
        found = (
            {"webhook": names[one.webhook_id], **written(one, "url", "disabled")}
            for one in self.client.webhooks.all()
            if one.webhook_id in names
        )
        return sorted(found, key=itemgetter("webhook"))

    def resend_delivery(self, step: Step) -> Json:
        """Send a delivery again: the latest one, or the one with an id."""
        delivery_id = step.get("delivery") or next(self.deliveries(step)).delivery_id
        return delivery(self.client.webhooks.resend(self.webhook(step), delivery_id))

    def deliveries(self, step: Step) -> Iterator[Delivery]:
        """The deliveries to the webhook of a step."""
        state = DeliveryState[step["state"].upper()] if "state" in step else None
        return self.client.webhooks.deliveries(self.webhook(step), state)

    def webhook(self, step: Step) -> str:
        """The id of the webhook of a step."""
        return self.webhooks.get(str(step["webhook"]), str(step["webhook"]))

    def get_match(self, step: Step) -> Json:
        """Return the state of a match."""
        state = self.match_of(step).get()
        view = state.view
        hand = [] if state.viewer is None else view.zone("hand", state.viewer).cards
        return {
            "revision": state.revision, "phase": view.phase, **waiting(view.waiting, view.turn),
            "scores": list(view.scores), "winners": None if view.outcome is None else list(view.outcome.winners),
            "hand": list(hand),
        }  # fmt: skip

    def play_move(self, step: Step) -> Json:
        """Play a move."""
        result = self.match_of(step).play(
            read_move(step["move"]), step.get("expected_revision"), request_id=step.get("request_id", "")
        )
        return written(result, "accepted", "revision", "repeated_request", "refusals", "events")

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
            {**written(shuffle, "number", "supplied"), "fair": fairness.is_fair(shuffle, pack)}
            for shuffle in match.shuffles()
        ]

    def tls(self, step: Step) -> Json:
        """Count the games over TLS."""
        credentials = grpc.ssl_channel_credentials(self._environment.ca.read_bytes())
        with Chitarrella(self._environment.tls, tls=credentials) as client:
            return len(list(client.games()))


SHORT: dict[str, Callable[[Runner, Step], Json]] = {
    "list_games": lambda one, step: [game.game_id for game in one.client.games()],
    "list_legal_moves": lambda one, step: written(
        one.client.rules.legal_moves(position(step), step.get("seat")), "seat", "moves"
    ),
    "explain_hand": lambda one, step: written(
        tuple(one.client.rules.explain_hand(any_position(step), step.get("seat")))
    ),
    "validate_move": lambda one, step: written(
        one.client.rules.validate_move(any_position(step), read_move(step["move"]), step.get("seat")),
        "verdict",
        "refusals",
        "depends_on",
    ),
    "score_cards": lambda one, step: card_scores(
        one.client.rules.score_cards(rule_set(step["rule_set"]), step["cards"], step.get("trump"))
    ),
    "card_images": lambda one, step: [card_image(card, step["pack"]) for card in step["cards"]],
    "apply_moves": lambda one, step: _applied(one.client.rules.apply_moves(position(step), read_moves(step))),
    "describe_match": lambda one, step: labels_of(one.match_of(step).get()),
    "list_match_moves": lambda one, step: written(one.match_of(step).legal_moves(), "seat", "moves", "revision"),
    "suggest_move": lambda one, step: one.match_of(step).explain_hand(suggest=True).suggested is not None,
    "get_record": lambda one, step: one.match_of(step).record(),
    "take_back": lambda one, step: taken_back(one.match_of(step).take_back(decline=step.get("decline", False))),
    "abort_match": lambda one, step: written(one.match_of(step).abort(), "revision"),
    "advance_clock": lambda one, step: advanced(one.match_of(step).advance_clock(step["seconds"])),
    "join_match": lambda one, step: managed(one.match_of(step).join(step.get("player_name", ""))),
    "resign_match": lambda one, step: managed(one.match_of(step).resign()),
    "decide_match": lambda one, step: managed(one.match_of(step).decide(step["winners"], step["reason"])),
    "update_match": lambda one, step: managed(
        one.match_of(step).update(
            external_id=step.get("external_id"),
            labels=step.get("labels", {}),
            player_names={int(seat): name for seat, name in step.get("player_names", {}).items()},
        )
    ),
    "pause_clock": lambda one, step: managed(one.match_of(step).pause_clock(resume=step.get("resume", False))),
    "add_time": lambda one, step: managed(one.match_of(step).add_time(step["seat"], step["seconds"])),
    "update_webhook": lambda one, step: written(
        one.client.webhooks.update(one.webhook(step), url=step.get("url"), disabled=step.get("disabled")),
        *("url", "disabled"),
    ),
    "rotate_webhook_secret": lambda one, step: has_secret(one.client.webhooks.rotate_secret(one.webhook(step))),
    "test_webhook": lambda one, step: delivery(one.client.webhooks.test(one.webhook(step))),
    "list_deliveries": lambda one, step: list(map(delivery, one.deliveries(step))),
    "delete_webhook": lambda one, step: one.client.webhooks.delete(one.webhook(step)),
}
"""The operations of one call."""


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
    parser.add_argument("--asyncio", action="store_true", help="play with the client for asyncio")
    arguments = parser.parse_args()
    given = {name: getattr(arguments, name) for name in Environment._fields}
    environment = Environment(**{**given, "ca": Path(arguments.ca)})
    results = {}
    loop = Loop()
    opens: Callable[..., Chitarrella] = partial(blocking, loop) if arguments.asyncio else Chitarrella
    for name, steps in scenarios(Path(arguments.scenarios)):
        client = opens(channel() if arguments.embedded else environment.grpc)
        platform = embedded_platform if arguments.embedded else platform_of(environment, opens)
        results[name] = Runner(client, platform, environment).play_scenario(steps)
    loop.stop()
    Path(arguments.report).write_text(
        json.dumps({"client": "python", "results": results}, ensure_ascii=False, indent=1)
    )


def platform_of(environment: Environment, opens: Callable[..., Chitarrella] = Chitarrella) -> Callable[[], Chitarrella]:
    """Return what connects to the service for platforms."""
    return lambda: opens(environment.platform, api_key=environment.api_key)


def embedded_platform() -> Chitarrella:
    """Run a service for a platform in this process."""
    keys = ApiKeys(parse_api_keys(f"conformance all {digest_of(API_KEY)}"))
    return Chitarrella(channel(Service(sandbox=True, api_keys=keys)), api_key=API_KEY)


if __name__ == "__main__":
    main()
