"""Play on top of the `Game` protocol: validate, list and apply moves, and show positions and events to a viewer.

A move is legal if `Game.refusals` has nothing against it. `Game.legal_moves` lists these moves without building
refusals; both ask the same predicates of the rules, and a law of the tests compares them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from chitarrella.core.game import Game
from chitarrella.core.model import (
    CHANCE,
    DEALT_IN,
    MATCH_OVER,
    NOT_YOUR_TURN,
    WRONG_PHASE,
    Event,
    Move,
    Refusal,
    Seat,
    View,
    ZoneView,
)
from chitarrella.core.visibility import Viewer, can_see

P = TypeVar("P")


class IllegalMove(Exception):
    """An illegal move, with every broken clause; nothing has changed. Its text has codes; `i18n` makes sentences."""

    def __init__(self, refusals: tuple[Refusal, ...], number: int | None = None) -> None:
        """Hold the ``refusals`` in the order of checking; ``number`` counts the moves of a replay, from 1."""
        super().__init__(", ".join(f"{refusal.code} ({refusal.clause.key})" for refusal in refusals))
        self.refusals, self.number = refusals, number


def validate_move(game: Game[P], p: P, actor: Seat, move: Move) -> tuple[Refusal, ...]:
    """Return every clause that ``move`` by ``actor`` would break; empty if it is legal. Phase first, then turn.

    A clause that cannot be evaluated because an earlier one is broken is left out. In the wrong phase nobody is on
    turn. Out of turn nobody has a duty, so the `conditions` follow alone: what does not depend on whose turn it is.
    They are evaluated only for a seat that ``actor`` plays, because the answer reveals what it holds.
    """
    spec = game.move_specs[move.verb]
    if not game.is_in_phase(p, move.verb):
        return (game.refuse(MATCH_OVER) if game.is_finished(p) else game.refuse(WRONG_PHASE, word=game.phase(p)),)
    seat = actor if move.seat is None else move.seat
    turn = game.turn(p)
    is_own = spec.by_chance if actor == CHANCE else not spec.by_chance and game.controller(seat) == actor
    if not is_own:  # reveals nothing about a hand that actor does not play
        return (game.refuse(MATCH_OVER) if turn is None else game.refuse(NOT_YOUR_TURN, verb=move.verb, amount=turn),)
    if spec.out_of_turn or seat == turn:
        return game.refusals(p, seat, move)
    return (game.refuse(NOT_YOUR_TURN, verb=move.verb, amount=turn), *game.conditions(p, seat, move))


def legal_moves(game: Game[P], p: P, actor: Seat) -> tuple[Move, ...]:
    """Return the legal moves of ``actor``, moves out of turn included."""
    return tuple(game.legal_moves(p, actor))


def default_move(game: Game[P], p: P, actor: Seat) -> Move:
    """Return the move that is made for ``actor``, who is on turn, when its time is over.

    It is the legal move with `MoveSpec.timeout_default`, such as a pass; else the first legal one.
    """
    moves = [move for move in legal_moves(game, p, actor) if not game.move_specs[move.verb].out_of_turn]
    return next((move for move in moves if game.move_specs[move.verb].timeout_default), moves[0])


def play(game: Game[P], p: P, actor: Seat, move: Move) -> tuple[P, tuple[Event, ...]]:
    """Validate and apply one move; raises `IllegalMove` if it breaks a clause that has no penalty."""
    refusals = validate_move(game, p, actor, move)
    if refusals and not is_accepted(refusals):
        raise IllegalMove(refusals)
    events: list[Event] = []
    after = game.apply(p, actor if move.seat is None else move.seat, move, events)
    return after, tuple(events)


def is_accepted(refusals: tuple[Refusal, ...]) -> bool:
    """Return whether a move with these refusals is played: if there are none, or if each carries a penalty."""
    return not refusals or all(refusal.reason.penalty for refusal in refusals)


def apply_move(game: Game[P], p: P, actor: Seat, move: Move) -> tuple[P, tuple[Event, ...]]:
    """Apply a move that was validated on ``p`` and accepted; it is not validated again."""
    events: list[Event] = []
    after = game.apply(p, actor if move.seat is None else move.seat, move, events)
    return after, tuple(events)


def replay(game: Game[P], moves: Iterable[tuple[Seat, Move]], p: P | None = None) -> P:
    """Play ``moves`` in order, from the start or from ``p``; raises `IllegalMove` at the first illegal one."""
    at = game.start() if p is None else p
    for actor, move in moves:
        at, _ = play(game, at, actor, move)
    return at


def actors(game: Game[P], p: P) -> tuple[Seat, ...]:
    """Return the seats whose persons have a legal move now, in order. Depends on hidden cards: for the referee only."""
    persons = sorted({game.controller(seat) for seat in range(game.seats)})
    return tuple(seat for seat in persons if legal_moves(game, p, seat))


def seat_to_move(game: Game[P], p: P) -> Seat | None:
    """Return the seat of the person on turn; None if `CHANCE` is on turn or the match is over."""
    turn = game.turn(p)
    return None if turn is None or turn == CHANCE else game.controller(turn)


def view_for(game: Game[P], p: P, viewer: Viewer) -> View:
    """Return what ``viewer`` sees of ``p``: hidden cards only by number, and no fact that it may not know."""
    return View(
        phase=game.phase(p),
        turn=game.turn(p),
        zones=tuple(
            ZoneView(
                zone.name, zone.seat, zone.cards if can_see(zone.seen_by, viewer) else (), len(zone.cards), zone.leader
            )
            for zone in game.zones(p)
        ),
        facts=tuple(fact for fact in game.facts(p) if can_see(fact.seen_by, viewer)),
        scores=game.scores(p),
        winners=game.outcome(p),
    )


def turn_order(view: View, seats: int, first: Seat) -> tuple[Seat, ...]:
    """Return the seats that are dealt in, in order of play, from ``first`` on."""
    part = {fact.seat for fact in view.facts if fact.name == DEALT_IN} or range(seats)
    return tuple(seat for step in range(seats) if (seat := (first + step) % seats) in part)


def visible_to(event: Event, viewer: Viewer) -> Event | None:
    """Return ``event`` as ``viewer`` learns of it: with the number of its cards instead of the cards, or None."""
    if not can_see(event.known_to, viewer):
        return None
    return event if can_see(event.seen_by, viewer) else event._replace(cards=(), hidden=len(event.cards))
