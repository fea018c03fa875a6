"""The choices that tables of this family make: how many play, for how much, where they sit, and what may be agreed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as but
from typing import TypeAlias

from chitarrella.exchange.agreement import Talk, TalkOfTwo
from chitarrella.exchange.effects import Effect
from chitarrella.exchange.game import ExchangeGame
from chitarrella.option import BadChoice, Option, numbers, words

Edit: TypeAlias = Callable[[ExchangeGame], ExchangeGame]

MOST_STAKED = 1_000_000_000
LOW_CARDS = ("I", "II", "III", "IV", "NUL", "SEC", "MAS", "LEO")


def seats(players: int) -> Edit:
    """Seat so many players."""
    return lambda game: but(game, seats=players)


def effect(rank: str, part: Effect) -> Edit:
    """Let the face of this rank do this when it is met."""
    return lambda game: but(game, effects={**game.effects, rank: part})


def yes_or_no(name: str, means: str, source: str, edit: Callable[[bool], Edit], default: str) -> Option[ExchangeGame]:
    """Make an option that is true or false."""
    return words(name, means, source, {"true": edit(True), "false": edit(False)}, default)


def reentry(offered: bool) -> Edit:
    """Let players buy themselves back, or not."""
    return lambda game: but(game, reentry=but(game.reentry, offered=offered))


def syndicates(allowed: bool) -> Edit:
    """Let others help to pay, or not."""
    return lambda game: but(game, reentry=but(game.reentry, syndicates=allowed))


def talk(allowed: bool) -> Edit:
    """Let the last two talk, or not."""
    return lambda game: but(game, talk=TalkOfTwo() if allowed else Talk())


def duty(holds: bool) -> Edit:
    """Oblige who has agreed to exchange low cards, or not."""
    return lambda game: but(game, duty=LOW_CARDS if holds else ())


def drawn_from(copies: int) -> Edit:
    """Draw the seats by so many copies of each face, or give them."""
    return lambda game: but(game, drawn_from=copies)


def shared(source: str, duty_default: str, duty_source: str) -> tuple[Option[ExchangeGame], ...]:
    """List the options that both games of the family have."""
    return (
        numbers("tokens", "How many tokens a stake is worth.", source, lambda g, n: but(g, tokens=n), 3, 1, 9),
        numbers(
            "stake",
            "What everybody pays into the pool, in the smallest unit of money.",
            f"{source}; the default is ours",
            lambda g, n: but(g, stake=n),
            100,
            1,
            MOST_STAKED,
        ),
        words(
            "seating",
            "Whether seats are given, or drawn from one copy of each face or from the whole pack.",
            source,
            {"given": drawn_from(0), "half_pack": drawn_from(1), "full_pack": drawn_from(2)},
            "given",
        ),
        numbers("first_dealer", "Who deals first.", "ruling", lambda g, n: but(g, first_dealer=n), 0, 0, 19),
        yes_or_no("reentry", "Whether who has lost the last token may buy himself back.", source, reentry, "true"),
        yes_or_no("syndicates", "Whether others may help to pay a re-entry.", source, syndicates, "true"),
        yes_or_no("end_game_agreement", "Whether the last two may agree to divide the pool.", source, talk, "true"),
        yes_or_no(
            "agreement_forces_exchange",
            "Whether under an agreement low cards must be exchanged.",
            duty_source,
            duty,
            duty_default,
        ),
    )


def dealer_sits_here(game: ExchangeGame) -> BadChoice | None:
    """Object to a first dealer without a seat, or named where seats are drawn."""
    if game.first_dealer >= game.seats:
        return BadChoice("options.first_dealer", f"seats are numbered from 0 to {game.seats - 1}")
    if game.drawn_from and game.first_dealer:
        return BadChoice("options.first_dealer", "where seats are drawn the highest card deals first, as seat 0")
    return None


SEATINGS = {players: seats(players) for players in (8, *(n for n in range(2, 21) if n != 8))}
"""From 2 to 20 may play; it is best with many."""
