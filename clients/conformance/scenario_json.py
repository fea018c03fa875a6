"""Steps of a scenario in JSON, and values as they appear in results."""

from __future__ import annotations

from typing import Any

from chitarrella_client import Delivery, MatchState, MatchSummary, PartialPosition, Position, RuleSet
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


def position(step: Step) -> Position:
    """Read the position of a step."""
    return Position(rule_set(step["rule_set"]), step["position"])


def partial_position(step: Step) -> PartialPosition:
    """Read what a step knows of a position."""
    known = step["known"]
    hands = {int(seat): tuple(cards) for seat, cards in known.get("hands", {}).items()}
    return PartialPosition(
        rule_set(step["rule_set"]), hands=hands, trick=known.get("trick"), trump=known.get("trump"),
        stock_size=known.get("stock_size"),
    )  # fmt: skip


def waiting(whom: Waiting, turn: int | None) -> Step:
    """Write who has to act."""
    return {"waiting": whom.name.lower(), "turn": turn}


def labels_of(value: MatchState | MatchSummary) -> Step:
    """Write what a platform has attached to a match."""
    names = {str(one.seat): one.name for one in value.player_names}
    return {
        "external_id": value.external_id, "labels": dict(value.labels), "player_names": names, "sandbox": value.sandbox
    }  # fmt: skip


def delivery(value: Delivery) -> Json:
    """Write a delivery."""
    state, failure = value.state.name.lower(), bool(value.error)
    return {"type": value.type, "state": state, "attempts": value.attempts, "has_error": failure}
