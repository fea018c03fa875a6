"""Moves, events, views and refusals as values of JSON, with the names of the TypeScript client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from chitarrella.core.game import AnyGame
from chitarrella.core.model import CHANCE, ChanceRequest, Event, Fact, Move, Refusal, Shares, View, ZoneView
from chitarrella.i18n.translator import Translator
from chitarrella.questions.partial_positions import ExplainedPlay

Value: TypeAlias = Mapping[str, Any]
"""An object of JSON."""

RULES_PAGE: Final = "/docs/rules"
"""The path of the rule books over REST."""


def _present(**values: object) -> dict[str, object]:
    """Leave out what is None: an optional value that is absent."""
    return {name: value for name, value in values.items() if value is not None}


def _shares(shares: Shares) -> Sequence[Value]:
    return [{"person": person, "amount": amount} for person, amount in shares]


def move_value(move: Move) -> Value:
    """Convert a move."""
    optional = _present(amount=move.amount, seat=move.seat)
    return {
        "verb": move.verb,
        "cards": move.cards,
        "choice": move.choice,
        **optional,
        "shares": _shares(move.shares),
    }


def event_value(event: Event) -> Value:
    """Convert an event, as its viewer sees it."""
    return {
        "kind": event.kind,
        "cards": event.cards,
        "hidden": event.hidden,
        "word": event.word,
        **_present(seat=event.seat, amount=event.amount, other=event.other),
        "shares": _shares(event.shares),
    }


def chance_value(chance: ChanceRequest) -> Value:
    """Convert what chance has to supply: a verb, and the cards or amounts to choose from."""
    return {"verb": chance.verb, "cards": chance.cards, "amounts": chance.amounts}


def refusal_values(game: AnyGame, refusals: Sequence[Refusal], translator: Translator) -> Sequence[Value]:
    """Convert refusals; their sentences are in the language of ``translator``."""
    return [
        {
            "code": refusal.code,
            "clause": {
                "key": refusal.clause.key,
                "text": translator.clause(refusal.clause),
                "source": translator.source(refusal.clause.source),
            },
            "message": translator.reason(refusal, game.pack),
            "allowedCards": refusal.allowed_cards,
            "offendingCards": refusal.offending_cards,
            "word": refusal.word,
            **_present(amount=refusal.amount),
            "penalty": refusal.reason.penalty,
            "page": f"{RULES_PAGE}/{game.key}#{refusal.clause.key}",
        }
        for refusal in refusals
    ]


def explained_value(game: AnyGame, play: ExplainedPlay, translator: Translator) -> Value:
    """Convert a move with every clause that it may break."""
    refusals = refusal_values(game, play.refusals, translator)
    return {"move": move_value(play.move), "refusals": refusals, "dependsOn": play.depends_on}


def view_value(view: View) -> Value:
    """Convert a view."""
    waiting, turn = ("seat", view.turn)
    if view.turn is None or view.turn == CHANCE:
        waiting, turn = "nobody" if view.turn is None else "chance", None
    outcome = None if view.winners is None else {"winners": sorted(view.winners)}
    return {
        "phase": view.phase,
        "waiting": waiting,
        **_present(turn=turn, outcome=outcome),
        "zones": [_zone(zone) for zone in view.zones],
        "facts": [_fact(fact) for fact in view.facts],
        "scores": view.scores,
    }


def _zone(zone: ZoneView) -> Value:
    optional = _present(seat=zone.seat, leader=zone.leader)
    return {"name": zone.name, "cards": zone.cards, "size": zone.size, **optional}


def _fact(fact: Fact) -> Value:
    value = _shares(fact.value) if isinstance(fact.value, tuple) else fact.value
    return {"name": fact.name, **_present(seat=fact.seat), "value": value}
