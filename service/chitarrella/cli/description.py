"""The description of a game as plain data, which ``explain`` prints as text or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter
from typing import Any

from chitarrella.core.game import AnyGame
from chitarrella.core.model import MoveSpec, Reason
from chitarrella.core.notation import move_pattern
from chitarrella.core.options import Option, configure, default_players
from chitarrella.i18n.translator import Translator


def describe(
    game: AnyGame, specs: Sequence[MoveSpec], reasons: Sequence[Reason], translator: Translator
) -> dict[str, Any]:
    """Describe ``game`` as in the catalogue. ``specs`` and ``reasons`` are those of all its configurations."""
    return {
        "key": game.key,
        "title": translator.title(game),
        "place": translator.place(game),
        "sources": list(game.sources),
        "edition": game.edition,
        "pack": {
            "name": game.pack.name,
            "cards": len(game.pack.cards),
            "copies": game.pack.copies,
            "names": translator.names(game.pack),
        },
        "cards": [
            {
                "code": spec.card,
                "name": translator.card(spec.card, game.pack),
                "suit": spec.suit,
                "order": spec.order,
                "points": spec.points,
                "copies": spec.copies,
            }
            for spec in game.card_specs
        ],
        "seatings": [_seating(game, players) for players in sorted(game.seatings)],
        "default_players": default_players(game),
        "ranking": _ranking(game),
        "options": [_option(game, option, translator) for option in game.options],
        "moves": [_move(game, spec, translator) for spec in specs],
        "reasons": [_reason(game, reason, translator) for reason in reasons],
        "clauses": [
            {"key": clause.key, "text": translator.clause(clause), "source": translator.source(clause.source)}
            for clause in game.clauses
        ],
    }


def _seating(game: AnyGame, players: int) -> dict[str, Any]:
    """Return the seats, sides, dummies and cards with so many players."""
    table = configure(game, players, {})
    seats = range(table.seats)
    sides = [[seat for seat in seats if table.sides[seat] == side] for side in dict.fromkeys(table.sides)]
    dummies = {str(seat): table.controller(seat) for seat in seats if table.controller(seat) != seat}
    return {
        "players": players,
        "seats": table.seats,
        "sides": sides,
        "dummies": dummies,
        "cards": len(table.pack.cards),
        "left_out": sorted(table.pack.left_out),
    }


def _ranking(game: AnyGame) -> list[dict[str, Any]]:
    """Return the ranks, strongest first, with what each counts."""
    return [
        {
            "suit": each.suit,
            "ranks": list(each.ranks),
            "counts": {name: list(counts) for name, counts in each.counts.items()},
        }
        for each in game.ranking
    ]


def _option(game: AnyGame, option: Option[Any], translator: Translator) -> dict[str, Any]:
    return {
        "name": option.name,
        "description": translator.option(game, option),
        "default": option.default,
        "allowed": translator.allowed(option.choices, option.minimum, option.maximum),
        "choices": list(option.choices),
        "minimum": option.minimum,
        "maximum": option.maximum,
        "source": translator.source(option.source),
    }


def _move(game: AnyGame, spec: MoveSpec, translator: Translator) -> dict[str, Any]:
    return {
        "verb": spec.verb,
        "notation": move_pattern(spec),
        "description": translator.move_spec(game, spec),
        "phases": sorted(spec.phases),
        "out_of_turn": spec.out_of_turn,
        "by_chance": spec.by_chance,
    }


def _reason(game: AnyGame, reason: Reason, translator: Translator) -> dict[str, Any]:
    clause = game.reason_clauses[reason.code]
    return {
        "code": reason.code,
        "text": _with_gaps(translator.reason_template(reason)),
        "penalty": reason.penalty,
        "clause_key": clause.key,
        "clause_text": translator.clause(clause),
    }


def _with_gaps(sentence: str) -> str:
    """Replace the placeholders of a sentence by an ellipsis."""
    return "".join(text + ("" if field is None else "…") for text, field, _, _ in Formatter().parse(sentence))
