"""The steps of a scenario that are questions about games, positions and cards."""

from __future__ import annotations

from typing import Any

from chitarrella_client import AppliedMoves, Chitarrella, ChitarrellaError, ask
from chitarrella_client.card_images import card_image
from clients.conformance.scenario_json import (
    Json,
    Step,
    explained,
    move,
    partial_position,
    position,
    read_move,
    refusal,
    rule_set,
)


class RulesSteps:
    """Questions about the rules; an operation is the method of that name."""

    client: Chitarrella

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
        found = self.client.rules.legal_moves(position(step), step.get("seat"))
        return {"seat": found.seat, "moves": list(map(move, found))}

    def explain_hand(self, step: Step) -> Json:
        """Explain a hand of a position."""
        return list(map(explained, self.client.rules.explain_hand(position(step), step.get("seat"))))

    def validate_move(self, step: Step) -> Json:
        """Validate a move in a position."""
        validation = self.client.rules.validate_move(position(step), read_move(step["move"]), step.get("seat"))
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

    def describe_cards(self, step: Step) -> Json:
        """Describe cards of a game."""
        game = self.client.game(step["game_id"])
        cards = [game.card(code) for code in step["cards"]]
        return [
            {"code": card.code, "name": card.name, "suit": card.suit, "order": card.order, "points": card.points}
            for card in cards
        ]

    def list_known_moves(self, step: Step) -> Json:
        """List the legal moves of a position of which only parts are known."""
        found = self.client.rules.legal_moves(partial_position(step), step.get("seat"))
        undecided = [{"move": move(one.move), "depends_on": list(one.depends_on)} for one in found.undecided]
        return {
            "seat": found.seat, "moves": list(map(move, found)), "undecided": undecided,
            "depends_on": list(found.depends_on),
        }  # fmt: skip

    def apply_moves(self, step: Step) -> Json:
        """Play moves in a position."""
        made = ((one["seat"], read_move(one["move"])) for one in step["moves"])
        return _applied(self.client.rules.apply_moves(position(step), *made))

    def batch(self, step: Step) -> Json:
        """Ask several questions at once, each about the position of the step, or of an earlier answer."""
        asked: list[ask.Question[Any]] = []
        for one in step["questions"]:
            asked.append(_question(one, asked))
        answers = self.client.rules.batch(asked)
        return [_answer(one["op"], answer) for one, answer in zip(step["questions"], answers, strict=True)]


def _question(step: Step, earlier: list[ask.Question[Any]]) -> ask.Question[Any]:
    if step["op"] == "start_game":
        return ask.start_game(rule_set(step["rule_set"]))
    about: Any = earlier[step["position_of"]] if "position_of" in step else position(step)
    if step["op"] == "apply_moves":
        return ask.apply_moves(about, [(one["seat"], read_move(one["move"])) for one in step["moves"]])
    return ask.legal_moves(about, step.get("seat"))


def _answer(op: str, answer: Any) -> Json:
    if isinstance(answer, ChitarrellaError):
        return {"error": {"code": answer.code, "field": answer.field}}
    if op == "start_game":
        return answer.position.text
    if op == "apply_moves":
        return _applied(answer)
    return {"seat": answer.seat, "moves": list(map(move, answer))}


def _applied(value: AppliedMoves) -> Json:
    return {
        "text": value.position.text, "applied": value.applied, "refusals": list(map(refusal, value.refusals)),
        "legal_moves": list(map(move, value.legal_moves)),
    }  # fmt: skip
