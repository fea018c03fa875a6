"""Options of both exchange games: number of players, stakes, seating, and what may be agreed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from chitarrella.core.options import InvalidOption, Option, bool_option, choice_option, number_option
from chitarrella.exchange.base import Effect, PoolSplit
from chitarrella.exchange.ending import NoPoolSplit
from chitarrella.exchange.game import ExchangeGame
from chitarrella.exchange.reentry_terms import never, nobody

Edit: TypeAlias = Callable[[ExchangeGame], ExchangeGame]  # what an option does: a function from game to game

MAX_STAKE = 1_000_000_000  # the greatest stake that a table may agree on
LOW_CARDS = ("I", "II", "III", "IV", "NUL", "SEC", "MAS", "LEO")
"""The cards that an agreement of the last two may oblige to exchange."""


def set_seats(players: int) -> Edit:
    return lambda game: replace(game, seats=players)


def set_effect(rank: str, part: Effect) -> Edit:
    return lambda game: replace(game, effects={**game.effects, rank: part})


def set_reentry(**changes: object) -> Edit:
    """Change fields of the terms of re-entry."""
    return lambda game: replace(game, reentry=replace(game.reentry, **changes))  # type: ignore[arg-type]  # its own fields


def set_pool_split(part: PoolSplit) -> Edit:
    """Set how the last two may agree on a split of the pool."""
    return lambda game: replace(game, pool_split=part)


def set_duty(ranks: tuple[str, ...]) -> Edit:
    """Set the ranks that must be exchanged while a pool split is agreed."""
    return lambda game: replace(game, duty=ranks)


def draw_seats(copies: int) -> Edit:
    """Draw the seats by ``copies`` copies of each face; 0: seats are given."""
    return lambda game: replace(game, drawn_from=copies)


def shared_options(source: str, duty_default: str, duty_source: str) -> tuple[Option[ExchangeGame], ...]:
    """Return the options that both games have. The forced exchange has a source of its own."""
    return (
        number_option(
            "tokens", "How many tokens a stake is worth.", source, lambda g, n: replace(g, tokens=n), 3, 1, 9
        ),
        number_option(
            "stake",
            "What everybody pays into the pool, in the smallest unit of money.",
            f"{source}; the default is ours",
            lambda g, n: replace(g, stake=n),
            100,
            1,
            MAX_STAKE,
        ),
        choice_option(
            "seating",
            "Whether seats are given, or drawn from one copy of each face or from the whole pack.",
            source,
            {"given": draw_seats(0), "half_pack": draw_seats(1), "full_pack": draw_seats(2)},
        ),
        number_option("first_dealer", "Who deals first.", "ruling", lambda g, n: replace(g, first_dealer=n), 0, 0, 19),
        bool_option(
            "reentry",
            "Whether who has lost the last token may buy himself back.",
            source,
            set_reentry(right=never),
            "true",
        ),
        bool_option(
            "syndicates", "Whether others may help to pay a re-entry.", source, set_reentry(helpers=nobody), "true"
        ),
        bool_option(
            "end_game_agreement",
            "Whether the last two may agree to divide the pool.",
            source,
            set_pool_split(NoPoolSplit()),
            "true",
        ),
        bool_option(
            "agreement_forces_exchange",
            "Whether under an agreement low cards must be exchanged.",
            duty_source,
            set_duty(LOW_CARDS if duty_default == "false" else ()),
            duty_default,
        ),
    )


def check_first_dealer(game: ExchangeGame) -> InvalidOption | None:
    """Conflict: the first dealer has no seat, or is named although seats are drawn."""
    if game.first_dealer >= game.seats:
        return InvalidOption("options.first_dealer", f"seats are numbered from 0 to {game.seats - 1}")
    if game.drawn_from and game.first_dealer:
        return InvalidOption("options.first_dealer", "where seats are drawn the highest card deals first, as seat 0")
    return None


SEATINGS = {players: set_seats(players) for players in (8, *(n for n in range(2, 21) if n != 8))}
"""From 2 to 20 play; the default is 8."""
