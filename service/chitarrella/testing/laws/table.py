"""Laws of positions: cards are conserved, deals end, points add up, and rules are the same for every seat."""

from __future__ import annotations

from collections import Counter
from random import Random

from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.game import AnyGame, Position, legal_moves, play, view_for
from chitarrella.core.model import CHANCE, REFEREE, Move, Seat
from chitarrella.core.options import InvalidOption
from chitarrella.testing.walks import BOUND, Walk

DRAWN, FIRST = "draw_dealer", "first_dealer"
"""The move that draws the first dealer by lot, and the option that names him."""


def conservation(walk: Walk, rng: Random) -> None:
    """In every position each card of the pack is in exactly one zone, and every viewer counts the same number."""
    game = walk.game
    for p in walk.positions:
        zones = list(game.zones(p))
        assert Counter(game.pack.cards) == Counter(card for zone in zones for card in zone.cards)
        viewer = rng.choice((None, REFEREE, *range(game.seats)))
        assert len(game.pack.cards) == sum(zone.size for zone in view_for(game, p, viewer).zones)


def progress(walk: Walk, rng: Random) -> None:
    """During a deal the seat to move has a legal move other than those out of turn, and the deal ends."""
    game = walk.game
    for p in walk.positions:
        turn = game.turn(p)
        assert (turn is None) == game.is_finished(p) == (game.outcome(p) is not None)
        if turn is not None and turn != CHANCE:
            moves = legal_moves(game, p, game.controller(turn))
            assert any(not game.move_specs[move.verb].out_of_turn for move in moves)
    long = since = 0
    for step in walk.steps:
        since = 0 if step.actor == CHANCE else since + 1
        long = max(long, since)
    assert long < BOUND
    assert game.turn(walk.positions[-1]) in (CHANCE, None)
    for step in walk.steps:
        if game.is_finished(step.before):  # only chance can move: it starts the next game
            assert game.move_specs[step.move.verb].out_of_turn
            assert step.actor == CHANCE
            assert game.is_finished(step.after)
            assert game.outcome(step.before) == game.outcome(step.after)


def columns(walk: Walk, rng: Random) -> None:
    """Points and scores have one number for each seat, and the winners are seats."""
    game = walk.game
    for p in walk.positions:
        assert game.seats == len(game.points(p)) == len(game.scores(p))
        assert set(game.outcome(p) or ()) <= set(range(game.seats))


def totals(walk: Walk, rng: Random) -> None:
    """At the end of a deal the points of all seats add up to the total that the rule book states."""
    for p in ends_of_deals(walk):
        for count, total in walk.expected.totals.get(walk.rule_set.game, {}).items():
            counted = [fact.value for fact in walk.game.facts(p) if fact.name == count]
            assert total == sum(value for value in counted if isinstance(value, int))


def ends_of_deals(walk: Walk) -> list[Position]:
    """The positions at the end of deals that were scored; a void deal is not."""
    game = walk.game
    over = [step for step in walk.steps if step.actor != CHANCE and game.turn(step.after) in (CHANCE, None)]
    return [step.after for step in over if not any(event.kind == "deal_void" for event in step.events)]


def purity(walk: Walk, rng: Random) -> None:
    """Playing a move does not change the position, and the same move gives the same result again."""
    game = walk.game
    for step in walk.steps:
        before = game.encode(step.before), hash(step.before)
        after, events = play(game, step.before, step.actor, step.move)
        assert step.after == after
        assert step.events == events
        assert hash(step.after) == hash(after)
        assert before == (game.encode(step.before), hash(step.before))


def rotation(walk: Walk, rng: Random) -> None:
    """If all players, the first dealer too, move one seat on, the result moves with them."""
    drawn = next((move.amount for _, move in walk.moves if move.verb == DRAWN), None)
    if (pair := rotated(walk.catalogue, walk.rule_set, drawn)) is None:
        return
    first, second = pair
    moves = [(actor, move) for actor, move in walk.moves if move.verb != DRAWN]
    p, q = first.start(), second.start()
    for actor, move in moves:
        p, _ = play(first, p, actor, move)
        q, _ = play(second, q, _next(first, actor), _rotated_move(first, move))
        assert _turned(first.points(p)) == second.points(q)
    assert _turned(first.scores(p)) == second.scores(q)
    assert next_seat(first, first.turn(p)) == second.turn(q)
    winners = first.outcome(p)
    assert (None if winners is None else {_next(first, seat) for seat in winners}) == second.outcome(q)


def rotated(catalogue: Catalogue, rule_set: RuleSet, drawn: Seat | None) -> tuple[AnyGame, AnyGame] | None:
    """Two games that differ in the first dealer alone, ``drawn`` or agreed: one seat on in the second.

    None without that symmetry: if a seat is a dummy, or the first dealer is not known.
    """
    chosen = dict(rule_set.options)
    game = catalogue.game_for(rule_set)
    said = {option.name: chosen.get(option.name, option.default) for option in game.options}.get(FIRST, "")
    if any(game.controller(seat) != seat for seat in range(game.seats)) or (drawn is None and not said.isdecimal()):
        return None
    dealer = int(said) if drawn is None else drawn
    pair = []
    for place in (dealer, (dealer + 1) % game.seats):
        options = tuple(sorted({**chosen, FIRST: str(place)}.items()))
        try:
            pair.append(catalogue.game_for(rule_set._replace(options=options)))
        except InvalidOption:
            return None
    return pair[0], pair[1]


def next_seat(game: AnyGame, seat: Seat | None) -> Seat | None:
    """The seat after ``seat``; None stays None."""
    return None if seat is None else _next(game, seat)


def _next(game: AnyGame, seat: Seat) -> Seat:
    """The seat after ``seat``; chance stays chance."""
    return seat if seat < 0 else (seat + 1) % game.seats


def _rotated_move(game: AnyGame, move: Move) -> Move:
    shares = tuple((str((int(who) + 1) % game.seats) if who.isdecimal() else who, n) for who, n in move.shares)
    return move._replace(seat=next_seat(game, move.seat), shares=shares)


def _turned(row: tuple[int, ...]) -> tuple[int, ...]:
    return (row[-1], *row[:-1])


TABLE_LAWS = (conservation, progress, columns, totals, purity, rotation)
"""Cards, deals and scores of a table."""
