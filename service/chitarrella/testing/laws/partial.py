"""The law of partial positions: what is asked of a part of a position is answered as for the whole position."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from random import Random

from chitarrella.core.cards import Hand
from chitarrella.core.game import NO_TRUMP_CARD, AnyGame, Position, TrickRules, TrickState, is_accepted, validate_move
from chitarrella.core.model import CHANCE, Move, Refusal, Seat
from chitarrella.testing.walks import Walk

FIELDS = ("trump", "trump_card", "declared_suit", "stock_size")
"""The parts of a position that a question can leave out."""
MOST = 12
"""How many plays of a hand are compared: several cards at once can be played in hundreds of ways."""


def partial_positions(walk: Walk, rng: Random) -> None:
    """A play is validated without the rest of the position as with it; what else is left out is named if it matters."""
    game = walk.game
    for p in walk.positions if game.trick_rules else ():
        turn = game.turn(p)
        if turn is None or turn == CHANCE or not is_play(game, p):
            continue
        hand, known = p.hands[turn], known_of(game, p)
        plays = list(rules_of(game).plays(hand, known, turn).items())
        for move, validation in rng.sample(plays, min(MOST, len(plays))):
            whole = validate_move(game, p, game.controller(turn), move)
            assert whole == validation.value
            assert validation.depends_on == ()
            check_without(game, turn, hand, known, move, whole, rng)


def rules_of(game: AnyGame) -> TrickRules:
    """The rules of a trick, of a game that is played in tricks."""
    assert game.trick_rules is not None
    return game.trick_rules


def is_play(game: AnyGame, p: Position) -> bool:
    """Whether cards are played to a trick in this phase."""
    return any(game.is_in_phase(p, verb) for verb in rules_of(game).verbs(p.trick))


def known_of(game: AnyGame, p: Position) -> TrickState:
    """All that matters for the plays of a position."""
    trump_card = (p.turn_up or NO_TRUMP_CARD) if rules_of(game).has_trump_card else NO_TRUMP_CARD
    return TrickState(p.trick, p.trump, trump_card, getattr(p.own, "declared", ""), len(p.stock))


def without(known: TrickState, fields: Iterable[str]) -> TrickState:
    """The same without some fields."""
    return TrickState(**{**known._asdict(), **dict.fromkeys(fields)})


def check_without(
    game: AnyGame, seat: Seat, hand: Hand, known: TrickState, move: Move, whole: tuple[Refusal, ...], rng: Random
) -> None:
    """Leave out some fields: the answer is the same, or names one of them."""
    several = [fields for size in (1, 2) for fields in combinations(FIELDS, size)]
    left_out = rng.choice(several)
    validation = rules_of(game).validation(hand, without(known, left_out), seat, move)
    assert set(validation.depends_on) <= set(left_out)
    assert {refusal.code for refusal in whole} <= {refusal.code for refusal in validation.value}
    if not validation.depends_on:
        assert is_accepted(whole) == is_accepted(validation.value)


PARTIAL_LAWS = (partial_positions,)
"""Answers about a partial position."""
