"""Laws of what may be done: the list, the verdict and the move itself are of one mind."""

from __future__ import annotations

from random import Random

from chitarrella.cards import Card
from chitarrella.game import AnyGame, Position, Refused, actors, judge, legal, play
from chitarrella.notation import make_move, read_move, write_move
from chitarrella.words import CHANCE, Move, Refusal, Seat
from tests.kit import Walk, some, universe
from tests.sharing import allowed, forbidden, next_games

OUT_OF_HAND = frozenset({"play_card", "lead_cards", "follow_cards", "discard", "exchange_turn_up"})
"""Moves whose cards come out of the hand."""


def legality(walk: Walk, rng: Random) -> None:
    """A candidate stands in the list, once, exactly when no clause objects to it; a move belongs to its phases only."""
    game = walk.game
    for p in walk.positions:
        for verb, form in game.forms.items():
            assert game.phase(p) in form.phases or not game.belongs(p, verb)
        for actor in range(game.seats):
            listed = legal(game, p, actor)
            innocent = [move for move in game.candidates(p, actor) if not judge(game, p, actor, move)]
            assert innocent == list(listed)
            assert set(game.candidates(p, actor)) <= set(game.reach(p, actor))
            for move in set(game.reach(p, actor)) - set(listed):
                assert judge(game, p, actor, move), move
            assert len(set(listed)) == len(listed)
        assert legal(game, p, CHANCE) == ()
        assert [seat for seat in range(game.seats) if legal(game, p, seat)] == list(actors(game, p))


def closure(walk: Walk, rng: Random) -> None:
    """Whatever a seat may say: it is accepted if it stands in the list; if not, it is refused and changes nothing."""
    game = walk.game
    for at in walk.sample(rng):
        p = walk.positions[at]
        before = game.write(p), hash(p)
        said = list(universe(game, rng, most=12 if walk.glance else 80 * walk.effort))
        for actor in range(game.seats):
            listed = set(legal(game, p, actor))
            for move in said:
                usual = move._replace(seat=None) if move.seat == actor else move
                refusals = judge(game, p, actor, move)
                if game.forms[move.verb].shares and usual not in listed:
                    assert refusals or move.verb in {other.verb for other in listed}, (actor, move)
                else:
                    assert (usual in listed) == (not refusals), (actor, move, refusals)
                _check_refusals(game, p, actor, move, refusals, listed)
        assert before == (game.write(p), hash(p))


def sharing(walk: Walk, rng: Random) -> None:
    """Every division of money that the book allows is accepted from who has the word, every other one is refused."""
    game = walk.game
    for p in walk.positions:
        turn = game.turn(p)
        listed = legal(game, p, turn) if turn is not None and turn != CHANCE else ()
        for verb in {move.verb for move in listed if game.forms[move.verb].shares}:
            assert turn is not None
            before = game.write(p), hash(p)
            for move in allowed(game, p, turn, verb, rng):
                assert not judge(game, p, turn, move), move
                after, _ = play(game, p, turn, move)
                assert after == game.read(game.write(after))
            for move in forbidden(game, p, turn, verb, rng):
                refusals = judge(game, p, turn, move)
                assert refusals, move
                _check_refusals(game, p, turn, move, refusals, set(listed))
            for other in set(range(game.seats)) - {turn}:
                assert judge(game, p, other, move)[0].code == "not_your_turn"
            assert before == (game.write(p), hash(p))


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
    form, seat = game.forms[move.verb], actor if move.seat is None else move.seat
    if not game.belongs(p, move.verb):
        assert codes == ["match_over" if game.over(p) else "wrong_phase"]
    elif not form.free and (seat != game.turn(p) or game.controller(seat) != actor):
        assert codes[0] == "not_your_turn"
    elif move.verb in OUT_OF_HAND and not set(move.cards) <= set(_hand(game, p, seat)):
        assert "not_in_hand" in codes
    alike = [other for other in listed if (other.verb, other.seat) == (usual.verb, usual.seat)]
    playable = {card for other in alike for card in other.cards}
    for refusal in refusals:
        assert refusal.clause in game.clauses
        assert (said := refusal.because) == said.strip() != ""
        assert set(refusal.instead) <= playable, refusal


def _refused(game: AnyGame, p: Position, actor: Seat, move: Move) -> tuple[Refusal, ...]:
    """Make the move and give what it is refused for."""
    try:
        play(game, p, actor, move)
    except Refused as refused:
        return refused.refusals
    return ()


def _hand(game: AnyGame, p: Position, seat: Seat) -> list[Card]:
    """The cards a seat holds; one of them may lie open, as the turn-up that is its own."""
    held = [zone for zone in game.zones(p) if zone.name in ("hand", "turn_up") and zone.seat == seat]
    return [card for zone in held for card in zone.cards]


def chance(walk: Walk, rng: Random) -> None:
    """The table hands in the whole pack in any order, or one of the lots, when it is asked; nobody else may."""
    game = walk.game
    asked = {form.verb: form for form in game.forms.values() if form.by_chance}
    for at in walk.sample(rng):
        p = walk.positions[at]
        for verb, form in asked.items():
            if form.free:
                _check_next_game(game, p, verb, rng)
                continue
            cards = [shuffled_pack(game, rng), *spoilt_packs(game, rng)] if form.cards[1] else [()]
            amounts = [None] if form.amounts is None else some(form.amounts, 30, rng)
            for move in [make_move(game, verb, pack, amount=amount) for pack in cards for amount in amounts]:
                _check_chance(game, p, move)
        for move in universe(game, rng, 20):
            codes = [refusal.code for refusal in judge(game, p, CHANCE, move)]
            due = game.belongs(p, move.verb)
            assert codes == ["not_your_turn" if due else "match_over" if game.over(p) else "wrong_phase"]


def _check_next_game(game: AnyGame, p: Position, verb: str, rng: Random) -> None:
    """After the end the table alone says who plays the next game, and nobody plays on in this one."""
    due = game.phase(p) in game.forms[verb].phases
    moves = next_games(game, p, rng) or [Move(verb)]
    for move in moves:
        assert due == (not judge(game, p, CHANCE, move)), move
        for seat in range(game.seats):
            codes = [refusal.code for refusal in judge(game, p, seat, move)]
            assert codes == ["match_over" if game.over(p) else "wrong_phase"]
        if due:
            after, _ = play(game, p, CHANCE, move)
            assert game.over(after)
            assert [refusal.code for refusal in judge(game, after, CHANCE, move)] == ["match_over"]
    for move in forbidden(game, p, CHANCE, verb, rng) if due else ():
        assert [refusal.code for refusal in judge(game, p, CHANCE, move)] == ["wrong_table"], move


def _check_chance(game: AnyGame, p: Position, move: Move) -> None:
    wanted = game.chance(p) if game.turn(p) == CHANCE else None
    fits = (
        wanted is not None
        and wanted.verb == move.verb
        and (not wanted.cards or sorted(wanted.cards) == sorted(move.cards))
        and (not wanted.amounts or move.amount in wanted.amounts)
    )
    refusals = judge(game, p, CHANCE, move)
    assert fits == (not refusals), (move, refusals)
    if refusals:
        assert refusals == _refused(game, p, CHANCE, move)
    for seat in range(game.seats):
        codes = [refusal.code for refusal in judge(game, p, seat, move)]
        due = game.belongs(p, move.verb)
        assert codes[0] == ("not_your_turn" if due else "match_over" if game.over(p) else "wrong_phase")


def shuffled_pack(game: AnyGame, rng: Random) -> list[Card]:
    """Every card of the game, in some order."""
    return rng.sample(game.pack.cards, len(game.pack.cards))


def spoilt_packs(game: AnyGame, rng: Random) -> list[list[Card]]:
    """Packs nobody may deal: a card missing, a card too many, one card in the place of another."""
    pack = shuffled_pack(game, rng)
    swapped = [*pack[:-1], next(card for card in pack if card != pack[-1])]
    return [pack[1:], [*pack, pack[0]], swapped, pack[:1]]


def notation(walk: Walk, rng: Random) -> None:
    """Every move that somebody could make is written in one line that reads back as the same move."""
    game = walk.game
    for step in walk.steps:
        assert step.move == read_move(game, write_move(step.move))
        for actor in range(game.seats):
            for move in game.candidates(step.before, actor):
                assert move == read_move(game, write_move(move))


LEGALITY_LAWS = (legality, closure, sharing, chance, notation)
