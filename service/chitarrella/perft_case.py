"""Perft cases: what is counted, laid out without a random generator.

In the stride pack of a step k the i-th card is card (k x i) mod N of the canonical order of the N cards of the game. A
case names the stride packs of a match, deal by deal. All deals but the last are played out by a fixed rule, and so may
the first decisions of the last one be; the count begins where that stands. Lots are drawn by a rule too: the n-th lot
of the match is the n-th of those that can be drawn, in ascending order, round and round.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from math import gcd
from typing import Any, NamedTuple, cast

from chitarrella.cards import Hand, Pack
from chitarrella.catalogue import Agreement, Catalogue
from chitarrella.game import AnyGame, Position, play
from chitarrella.notation import make_move
from chitarrella.perft import running, steady
from chitarrella.words import CHANCE


class BadCase(ValueError):
    """Text that is no case, or a case that cannot be laid out."""


class Case(NamedTuple):
    """What is counted: a game, a position of it (empty: the beginning), the packs handed in there, and how deep.

    ``strides`` are the steps of the stride packs, one a deal, none where no pack is handed in; ``played`` the decisions
    of the last deal that are made by the fixed rule before the count begins. ``first`` is the number of cards of a pack
    that are in play, 0 for all; ``depth`` None goes to the end of the deal. Moves of verbs ``without`` are left out.
    ``weighted`` counts every pack instead, of the faces ``among`` which there are others, none for all.
    """

    agreement: Agreement
    position: str = ""
    strides: tuple[int, ...] = ()
    first: int = 0
    played: int = 0
    depth: int | None = None
    without: tuple[str, ...] = ()
    weighted: bool = False
    among: tuple[str, ...] = ()


def stride_pack(pack: Pack, step: int) -> Hand:
    """Give every ``step``-th card of ``pack``, round and round; raises `BadCase` where that misses some."""
    cards = pack.cards
    if gcd(step, len(cards)) != 1:
        raise BadCase(f"steps of {step} do not reach all {len(cards)} cards")
    return tuple(cards[step * place % len(cards)] for place in range(len(cards)))


def wanted_of(cards: Hand, wanted: Hand) -> Hand:
    """Give those of ``cards`` that are wanted, in their order: half a pack, or a pack without some card."""
    left = Counter(wanted)
    found = []
    for card in cards:
        if left[card]:
            left[card] -= 1
            found.append(card)
    return tuple(found)


def lay_out(catalogue: Catalogue, case: Case) -> tuple[AnyGame, Position]:
    """Give the game, with a short pack where only the first cards are in play, and the position to count from."""
    game = catalogue.seat(case.agreement)
    if case.among:
        game = _with(game, game.pack.without(*(set(game.pack.faces) - set(game.pack.hand(case.among)))))
    if case.first:
        game = _with(game, _short(game.pack, case.first, case.strides))
    if case.strides:
        p, _ = _dealt(catalogue, game, case._replace(played=0, depth=None, without=()))
    else:
        p = game.read(case.position) if case.position else game.start()
    for number in range(case.played):
        if not running(game, p):
            raise BadCase(f"the deal is over after {number} decisions")
        p, _ = play(game, p, *steady(game, p, number))
    return game, p


def _short(pack: Pack, first: int, strides: tuple[int, ...]) -> Pack:
    """Leave only the first cards of a stride pack in play."""
    if len(strides) != 1:
        raise BadCase("a short pack is for a single deal")
    cards = stride_pack(pack, strides[0])[:first]
    short = pack.without(*(set(pack.cards) - set(cards)))
    if not short.holds_exactly(cards):
        raise BadCase(f"among the first {first} cards there is one copy of a face without the other")
    return short


def _dealt(catalogue: Catalogue, game: AnyGame, case: Case) -> tuple[Position, int]:
    """Give the position after the last pack of a case was handed in, and how many lots were drawn before."""
    if len(case.strides) == 1:
        p, lots = (game.read(case.position) if case.position else game.start()), 0
    else:
        p, lots = _finished(catalogue, case._replace(strides=case.strides[:-1]))
    while game.turn(p) == CHANCE and (amounts := sorted(game.chance(p).amounts)):
        p, _ = play(game, p, CHANCE, make_move(game, game.chance(p).verb, amount=amounts[lots % len(amounts)]))
        lots += 1
    if game.turn(p) != CHANCE:
        raise BadCase("the match is over" if game.turn(p) is None else "no pack is wanted here")
    cards = stride_pack(catalogue.seat(case.agreement).pack, case.strides[-1])
    wanted = game.chance(p)
    p, _ = play(game, p, CHANCE, make_move(game, wanted.verb, wanted_of(cards, wanted.cards)))
    return p, lots


@lru_cache(maxsize=4)
def _finished(catalogue: Catalogue, case: Case) -> tuple[Position, int]:
    """Give the position after the last deal of a case, remembered because the next case is likely to go on from it."""
    game = catalogue.seat(case.agreement)
    p, lots = _dealt(catalogue, game, case)
    number = 0
    while running(game, p):
        p, _ = play(game, p, *steady(game, p, number))
        number += 1
    return p, lots


def _with(game: AnyGame, pack: Pack) -> AnyGame:
    """Give the game with a shorter pack."""
    return cast("AnyGame", replace(cast("Any", game), pack=pack))  # the games of every family are frozen dataclasses
