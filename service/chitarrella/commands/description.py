"""A game described as plain data: what `explain` prints, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter
from typing import Any

from chitarrella.exchange.game import ExchangeGame
from chitarrella.game import AnyGame
from chitarrella.notation import pattern
from chitarrella.option import Option, default_players, seated
from chitarrella.tongues import Tongue
from chitarrella.tricks.game import TrickGame
from chitarrella.words import Form, Reason


def describe(game: AnyGame, forms: Sequence[Form], reasons: Sequence[Reason], tongue: Tongue) -> dict[str, Any]:
    """Describe ``game`` as it stands in the catalogue, not yet seated; ``forms`` and ``reasons`` are of all tables."""
    return {
        "key": game.key,
        "title": tongue.title(game),
        "place": tongue.place(game),
        "sources": list(game.sources),
        "edition": game.edition,
        "pack": {
            "name": game.pack.name,
            "cards": len(game.pack.cards),
            "copies": game.pack.copies,
            "names": tongue.names(game.pack),
        },
        "seatings": [_seating(game, players) for players in sorted(game.seatings)],
        "default_players": default_players(game),
        "ranking": _ranking(game),
        "options": [_option(game, option, tongue) for option in game.options],
        "moves": [_move(game, form, tongue) for form in forms],
        "reasons": [_reason(game, reason, tongue) for reason in reasons],
        "clauses": [
            {"key": clause.key, "says": tongue.clause(clause), "source": tongue.source(clause.source)}
            for clause in game.clauses
        ],
    }


def _seating(game: AnyGame, players: int) -> dict[str, Any]:
    """Say what a number of players changes: seats, sides, dummies, cards."""
    table = seated(game, players, {})
    seats = range(table.seats)
    by_seat = table.sides if isinstance(table, TrickGame) else tuple(seats)
    sides = [[seat for seat in seats if by_seat[seat] == side] for side in dict.fromkeys(by_seat)]
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
    """List the ranks, strongest first, with what each counts; one list a suit where the suits differ in ranks."""
    if isinstance(game, ExchangeGame):
        return [{"suit": "", "ranks": sorted(game.values, key=lambda rank: -game.values[rank]), "counts": {}}]
    if not isinstance(game, TrickGame):
        return []
    order = game.order
    suits = list(dict.fromkeys(order.suits.get(rank, "") for rank in order.ranks))
    return [
        {
            "suit": suit,
            "ranks": [rank for rank in order.ranks if order.suits.get(rank, "") == suit],
            "counts": {
                count.name: [count.worth.get(r, 0) for r in order.ranks if order.suits.get(r, "") == suit]
                for count in order.counts
            },
        }
        for suit in suits
    ]


def _option(game: AnyGame, option: Option[Any], tongue: Tongue) -> dict[str, Any]:
    return {
        "name": option.name,
        "means": tongue.option(game, option),
        "default": option.default,
        "allowed": tongue.allowed(option.words, option.least, option.most),
        "words": list(option.words),
        "least": option.least,
        "most": option.most,
        "source": tongue.source(option.source),
    }


def _move(game: AnyGame, form: Form, tongue: Tongue) -> dict[str, Any]:
    return {
        "verb": form.verb,
        "notation": pattern(form),
        "means": tongue.form(game, form),
        "phases": sorted(form.phases),
        "out_of_turn": form.free,
        "by_table": form.by_chance,
    }


def _reason(game: AnyGame, reason: Reason, tongue: Tongue) -> dict[str, Any]:
    clause = game.grounds[reason.code]
    return {
        "code": reason.code,
        "says": _open(tongue.reason(reason)),
        "penalty": reason.penalty,
        "clause": clause.key,
        "clause_says": tongue.clause(clause),
    }


def _open(says: str) -> str:
    """Leave a gap in a sentence wherever a refusal puts its particulars."""
    return "".join(text + ("" if field is None else "…") for text, field, _, _ in Formatter().parse(says))
