"""Perft cases: what is counted, without a random generator.

In the stride pack of step k the i-th card is card (k x i) mod N of the N cards of the game in canonical order. A case
has a stride pack for each deal of a match. A fixed rule plays all deals but the last, and the first decisions of the
last one if the case says so; the count starts from there. The n-th lot of the match is the n-th of the possible ones in
ascending order, cyclically.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from math import gcd
from typing import Any, NamedTuple, cast

from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.cards import Hand, Pack
from chitarrella.core.game import AnyGame, Position, play
from chitarrella.core.model import CHANCE
from chitarrella.core.notation import make_move
from chitarrella.perft.count import fixed_decision, is_deal_running


class InvalidCase(ValueError):
    """Text that is no case, or a case that cannot be set up."""


class Case(NamedTuple):
    """What is counted: a game, a position of it (empty: the start), the packs, and the depth.

    ``strides`` are the steps of the stride packs, one for each deal. ``first`` is the number of cards of the pack in
    play, 0 for all. ``played`` is the number of decisions of the last deal that the fixed rule makes before the count.
    ``depth`` None goes to the end of the deal. Moves of the verbs ``without`` are not made. With ``weighted`` the
    counts are sums over every pack, of the faces ``among`` only if there are any.
    """

    rule_set: RuleSet
    position: str = ""
    strides: tuple[int, ...] = ()
    first: int = 0
    played: int = 0
    depth: int | None = None
    without: tuple[str, ...] = ()
    weighted: bool = False
    among: tuple[str, ...] = ()


def stride_pack(pack: Pack, step: int) -> Hand:
    """Return the stride pack of ``step``; raises `InvalidCase` if it does not reach all cards."""
    cards = pack.cards
    if gcd(step, len(cards)) != 1:
        raise InvalidCase(f"steps of {step} do not reach all {len(cards)} cards")
    return tuple(cards[step * place % len(cards)] for place in range(len(cards)))


def requested_cards(cards: Hand, wanted: Hand) -> Hand:
    """Return those of ``cards`` that are in ``wanted``, in their order: some games deal only part of the pack."""
    left = Counter(wanted)
    found = []
    for card in cards:
        if left[card]:
            left[card] -= 1
            found.append(card)
    return tuple(found)


def lay_out(catalogue: Catalogue, case: Case) -> tuple[AnyGame, Position]:
    """Return the game, with a shortened pack if the case asks for it, and the position to count from."""
    game = catalogue.game_for(case.rule_set)
    if case.among:
        game = _with_pack(game, game.pack.without(*(set(game.pack.faces.values()) - set(game.pack.hand(case.among)))))
    if case.first:
        game = _with_pack(game, _shortened_pack(game.pack, case.first, case.strides))
    if case.strides:
        p, _ = _after_pack(catalogue, game, case._replace(played=0, depth=None, without=()))
    else:
        p = game.decode(case.position) if case.position else game.start()
    for number in range(case.played):
        if not is_deal_running(game, p):
            raise InvalidCase(f"the deal is over after {number} decisions")
        p, _ = play(game, p, *fixed_decision(game, p, number))
    return game, p


def _shortened_pack(pack: Pack, first: int, strides: tuple[int, ...]) -> Pack:
    """Return ``pack`` with only the first cards of its stride pack in play."""
    if len(strides) != 1:
        raise InvalidCase("a short pack is for a single deal")
    cards = stride_pack(pack, strides[0])[:first]
    short = pack.without(*(set(pack.cards) - set(cards)))
    if not short.holds_exactly(cards):
        raise InvalidCase(f"among the first {first} cards there is one copy of a face without the other")
    return short


def _after_pack(catalogue: Catalogue, game: AnyGame, case: Case) -> tuple[Position, int]:
    """Return the position after the last pack of a case, and the number of lots drawn until then."""
    if len(case.strides) == 1:
        p, lots = (game.decode(case.position) if case.position else game.start()), 0
    else:
        p, lots = _after_deal(catalogue, case._replace(strides=case.strides[:-1]))
    while game.turn(p) == CHANCE and (amounts := sorted(game.chance_request(p).amounts)):
        p, _ = play(game, p, CHANCE, make_move(game, game.chance_request(p).verb, amount=amounts[lots % len(amounts)]))
        lots += 1
    if game.turn(p) != CHANCE:
        raise InvalidCase("the match is finished" if game.turn(p) is None else "no pack is wanted here")
    cards = stride_pack(catalogue.game_for(case.rule_set).pack, case.strides[-1])
    request = game.chance_request(p)
    p, _ = play(game, p, CHANCE, make_move(game, request.verb, requested_cards(cards, request.cards)))
    return p, lots


@lru_cache(maxsize=4)
def _after_deal(catalogue: Catalogue, case: Case) -> tuple[Position, int]:
    """Return the position after the last deal of a case, and its lots; cached, for cases often continue each other."""
    game = catalogue.game_for(case.rule_set)
    p, lots = _after_pack(catalogue, game, case)
    number = 0
    while is_deal_running(game, p):
        p, _ = play(game, p, *fixed_decision(game, p, number))
        number += 1
    return p, lots


def _with_pack(game: AnyGame, pack: Pack) -> AnyGame:
    """Return the game with another pack."""
    return cast("AnyGame", replace(cast("Any", game), pack=pack))  # the games of every family are frozen dataclasses
