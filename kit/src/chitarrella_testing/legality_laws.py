"""Laws of legal moves: the list of moves, their validation and their application agree."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from random import Random

from chitarrella.core.cards import Card, put
from chitarrella.core.game import AnyGame, IllegalMove, Position, actors, legal_moves, play, validate_move
from chitarrella.core.model import CHANCE, Move, Refusal, Seat
from chitarrella.core.notation import make_move
from chitarrella.i18n.translator import ENGLISH
from chitarrella_testing.expectations import (
    Generators,
    illegal_share_moves,
    legal_share_moves,
    next_games,
    share_moves_of,
)
from chitarrella_testing.walks import Walk, some, universe

OUT_OF_HAND = frozenset({"play_card", "lead_cards", "follow_cards", "discard", "exchange_turn_up"})
"""Verbs whose cards come from the hand."""


def legality(walk: Walk, rng: Random) -> None:
    """A candidate is listed as legal, once, exactly if it is not refused; a move is possible in its phases only."""
    game = walk.game
    for p in walk.positions:
        for verb, spec in game.move_specs.items():
            assert game.phase(p) in spec.phases or not game.is_in_phase(p, verb)
        able = []
        for actor in range(game.seats):
            listed, candidates = legal_moves(game, p, actor), list(game.candidates(p, actor))
            unrefused = [move for move in candidates if not validate_move(game, p, actor, move)]
            assert unrefused == list(listed)
            potential = set(game.potential_moves(p, actor))
            assert potential.issuperset(candidates)
            for move in potential.difference(candidates):
                assert validate_move(game, p, actor, move), move
            assert len(set(listed)) == len(listed)
            able += [actor] if listed else []
        assert legal_moves(game, p, CHANCE) == ()
        assert able == list(actors(game, p))


def out_of_turn(walk: Walk, rng: Random) -> None:
    """Out of turn a move is refused for the turn, and for all that does not depend on the turn, and nothing else."""
    game, positions = walk.game, walk.positions
    phases = {game.phase(p): at for at, p in enumerate(positions)}
    for at in {*walk.sample(rng), *(() if walk.partial else phases.values())}:
        p = positions[at]
        turn = game.turn(p)
        if turn is None or turn == CHANCE:
            continue
        holders = {zone.seat for zone in game.zones(p) if zone.name == "hand" and zone.cards}
        for seat in set(range(game.seats)) - set(game.turns(p)):
            swapped = _with_hand_of(p, turn, seat)
            for move in _moves_in_turn(walk, p, seat, rng):
                first, *others = validate_move(game, p, game.controller(seat), move)
                assert first.code == "not_your_turn"
                assert not [refusal.code for refusal in others if refusal.reason.duty], (seat, move)
                if seat in holders:
                    assert others == _conditions(game.refusals(p, seat, move)), (seat, move)
                at_turn = validate_move(game, swapped, *_said_by(game, turn, move))
                differing = set(_conditions(at_turn)) ^ set(others)
                assert all(refusal.reason.depends_on_seat for refusal in differing), (seat, move, differing)


def _moves_in_turn(walk: Walk, p: Position, seat: Seat, rng: Random) -> list[Move]:
    """Moves of a seat that wait for its turn and belong to the phase: those of its hand, and some of all others."""
    game, known = walk.game, walk.expected.share_moves
    actor, turn = game.controller(seat), game.turn(p)
    moves = [*some(list(game.potential_moves(p, actor)), 12, rng), *universe(game, rng, 12)]
    verbs = [verb for verb, spec in game.move_specs.items() if spec.shares and not spec.by_chance]
    assert turn is not None
    for verb in [verb for verb in verbs if game.is_in_phase(p, verb)]:
        moves += legal_share_moves(known, game, p, turn, verb, rng)
        moves += illegal_share_moves(known, game, p, turn, verb, rng)
    waiting = {verb for verb, spec in game.move_specs.items() if game.is_in_phase(p, verb) and not spec.out_of_turn}
    return [_said_by(game, seat, move)[1] for move in dict.fromkeys(moves) if move.verb in waiting]


def _conditions(refusals: Iterable[Refusal]) -> list[Refusal]:
    """Those of the refusals whose reasons are not declared as duties."""
    return [refusal for refusal in refusals if not refusal.reason.duty]


def _said_by(game: AnyGame, seat: Seat, move: Move) -> tuple[Seat, Move]:
    actor = game.controller(seat)
    return actor, move._replace(seat=None if actor == seat else seat)


def _with_hand_of(p: Position, turn: Seat, seat: Seat) -> Position:
    """The position in which the seat to move holds the hand of ``seat``, and the other way round."""
    if not getattr(p, "hands", ()):
        return p
    return p._replace(hands=put(put(p.hands, turn, p.hands[seat]), seat, p.hands[turn]))


def closure(walk: Walk, rng: Random) -> None:
    """Any move of any seat is accepted if it is listed as legal; if not, it is refused and changes nothing."""
    game = walk.game
    for at in walk.sample(rng):
        p = walk.positions[at]
        before = game.encode(p), hash(p)
        said = list(universe(game, rng, most=12 if walk.partial else 80 * walk.effort))
        for actor in range(game.seats):
            listed = set(legal_moves(game, p, actor))
            for move in said:
                usual = move._replace(seat=None) if move.seat == actor else move
                refusals = validate_move(game, p, actor, move)
                if game.move_specs[move.verb].shares and usual not in listed:
                    assert refusals or move.verb in {other.verb for other in listed}, (actor, move)
                else:
                    assert (usual in listed) == (not refusals), (actor, move, refusals)
                _check_refusals(game, p, actor, move, refusals, listed)
        assert before == (game.encode(p), hash(p))


def possession(walk: Walk, rng: Random) -> None:
    """With cards not in the hand a move is refused for that, then for all that it breaks with them there."""
    game = walk.game
    for p in [walk.positions[at] for at in walk.sample(rng)]:
        for seat, other in permutations(range(game.seats), 2):
            q = _with_hand_of(p, seat, other)
            gained = {*_hand(game, q, seat)}.difference(_hand(game, p, seat))
            for move in game.potential_moves(q, seat):
                if gained.intersection(move.cards) and move.seat is None and game.is_in_phase(p, move.verb):
                    missing, *others = game.conditions(p, seat, move)
                    assert missing.code == "not_in_hand", (seat, move)
                    assert others == list(game.conditions(q, seat, move)), (seat, move)


def shares(walk: Walk, rng: Random) -> None:
    """Every division of money that the rules allow is accepted from the seat to move; every other one is refused."""
    game, known = walk.game, walk.expected.share_moves
    for verb in [verb for verb, spec in game.move_specs.items() if spec.shares]:
        share_moves_of(known, verb)
    for p in walk.positions:
        turn = game.turn(p)
        listed = legal_moves(game, p, turn) if turn is not None and turn != CHANCE else ()
        for verb in {move.verb for move in listed if game.move_specs[move.verb].shares}:
            assert turn is not None
            before = game.encode(p), hash(p)
            for move in legal_share_moves(known, game, p, turn, verb, rng):
                assert not validate_move(game, p, turn, move), move
                after, _ = play(game, p, turn, move)
                assert after == game.decode(game.encode(after))
            for move in illegal_share_moves(known, game, p, turn, verb, rng):
                refusals = validate_move(game, p, turn, move)
                assert refusals, move
                _check_refusals(game, p, turn, move, refusals, set(listed))
            for other in set(range(game.seats)) - set(game.turns(p)):
                assert validate_move(game, p, other, move)[0].code == "not_your_turn"
            assert before == (game.encode(p), hash(p))


def _check_refusals(
    game: AnyGame, p: Position, actor: Seat, move: Move, refusals: tuple[Refusal, ...], listed: set[Move]
) -> None:
    """Refusals cite the game's own clauses in the order of checking, and playing the move gives the same ones."""
    if not refusals:
        return
    if not all(refusal.reason.penalty for refusal in refusals):
        assert refusals == _refused(game, p, actor, move)
    codes = [refusal.code for refusal in refusals]
    usual = move._replace(seat=None) if move.seat == actor else move
    spec, seat = game.move_specs[move.verb], actor if move.seat is None else move.seat
    if not game.is_in_phase(p, move.verb):
        assert codes == [_untimely(game, p, move.verb)]
    elif not spec.out_of_turn and (seat not in game.turns(p) or game.controller(seat) != actor):
        assert codes[0] == "not_your_turn"
    else:
        assert _conditions(refusals) == list(game.conditions(p, seat, move)), (seat, move)
        holds = move.verb not in OUT_OF_HAND or set(move.cards) <= set(_hand(game, p, seat))
        assert holds or "not_in_hand" in codes
    alike = [other for other in listed if (other.verb, other.seat) == (usual.verb, usual.seat)]
    playable = {card for other in alike for card in other.cards}
    for refusal in refusals:
        assert refusal.clause in game.clauses
        assert (said := ENGLISH.reason(refusal, game.pack)) == said.strip() != ""
        assert set(refusal.allowed_cards) <= playable, refusal


def _refused(game: AnyGame, p: Position, actor: Seat, move: Move) -> tuple[Refusal, ...]:
    try:
        play(game, p, actor, move)
    except IllegalMove as refused:
        return refused.refusals
    return ()


def _hand(game: AnyGame, p: Position, seat: Seat) -> list[Card]:
    """The cards a seat holds; one of them may lie open, as the turn-up that is its own."""
    zones = (zone for zone in game.zones(p) if zone.name in ("hand", "turn_up") and zone.seat == seat)
    return [card for zone in zones for card in zone.cards]


def chance(walk: Walk, rng: Random) -> None:
    """Chance supplies the whole pack in any order, or one of the lots, when it is due; no seat can."""
    game = walk.game
    asked = {spec.verb: spec for spec in game.move_specs.values() if spec.by_chance}
    for at in walk.sample(rng):
        p = walk.positions[at]
        for verb, spec in asked.items():
            if spec.out_of_turn:
                _check_next_game(game, p, verb, walk.expected.share_moves, rng)
                continue
            cards = [shuffled_pack(game, rng), *invalid_packs(game, rng)] if spec.cards[1] else [()]
            amounts = [None] if spec.amounts is None else some(spec.amounts, 30, rng)
            for move in [make_move(game, verb, pack, amount=amount) for pack in cards for amount in amounts]:
                _check_chance(game, p, move)
        for move in universe(game, rng, 20):
            assert _codes(game, p, CHANCE, move) == [_untimely(game, p, move.verb)]


def _codes(game: AnyGame, p: Position, actor: Seat, move: Move) -> list[str]:
    return [refusal.code for refusal in validate_move(game, p, actor, move)]


def _untimely(game: AnyGame, p: Position, verb: str) -> str:
    """The code that refuses such a move of a seat that is not on turn."""
    return "not_your_turn" if game.is_in_phase(p, verb) else "match_over" if game.is_finished(p) else "wrong_phase"


def _check_next_game(game: AnyGame, p: Position, verb: str, known: Generators, rng: Random) -> None:
    """After the end only chance can start the next game, and no seat can move."""
    due = game.phase(p) in game.move_specs[verb].phases
    moves = next_games(known, game, p, rng) or [Move(verb)]
    for move in moves:
        assert due == (not validate_move(game, p, CHANCE, move)), move
        for seat in range(game.seats):
            assert _codes(game, p, seat, move) == ["match_over" if game.is_finished(p) else "wrong_phase"]
        if due:
            after, _ = play(game, p, CHANCE, move)
            assert game.is_finished(after)
            assert _codes(game, after, CHANCE, move) == ["match_over"]
    for move in illegal_share_moves(known, game, p, CHANCE, verb, rng) if due else ():
        (refusal,) = validate_move(game, p, CHANCE, move)
        assert refusal.code not in ("match_over", "wrong_phase", "not_your_turn"), move
        assert (refusal,) == _refused(game, p, CHANCE, move)


def _check_chance(game: AnyGame, p: Position, move: Move) -> None:
    request = game.chance_request(p) if game.turn(p) == CHANCE else None
    fits = (
        request is not None
        and request.verb == move.verb
        and (not request.cards or sorted(request.cards) == sorted(move.cards))
        and (not request.amounts or move.amount in request.amounts)
    )
    refusals = validate_move(game, p, CHANCE, move)
    assert fits == (not refusals), (move, refusals)
    if refusals:
        assert refusals == _refused(game, p, CHANCE, move)
    for seat in range(game.seats):
        assert _codes(game, p, seat, move)[0] == _untimely(game, p, move.verb)


def shuffled_pack(game: AnyGame, rng: Random) -> list[Card]:
    """Every card of the game, in some order."""
    return rng.sample(game.pack.cards, len(game.pack.cards))


def invalid_packs(game: AnyGame, rng: Random) -> list[list[Card]]:
    """Packs that are refused: a card missing, a card too many, one card in place of another, a single card."""
    pack = shuffled_pack(game, rng)
    swapped = [*pack[:-1], next(card for card in pack if card != pack[-1])]
    return [pack[1:], [*pack, pack[0]], swapped, pack[:1]]


LEGALITY_LAWS = (legality, out_of_turn, closure, possession, shares, chance)  # what is legal, and why not
