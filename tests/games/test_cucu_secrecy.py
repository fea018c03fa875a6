"""Cucù: who knows what, and that names of seats and copies of faces mean nothing (CU-I12, I13, I16, I17)."""

from __future__ import annotations

from random import Random

import pytest

from chitarrella.core.cards import Card
from chitarrella.core.game import IllegalMove, play, validate_move, view_for, visible_to
from chitarrella.core.model import CHANCE, EVERYBODY, Event, Move, Seat
from chitarrella.core.notation import make_move
from chitarrella.exchange.round import Round
from tests.games.support.cucu_walks import EVERY, game_of, on_table, played
from tests.walks import Walk


@pytest.fixture
def walk(request: pytest.FixtureRequest) -> Walk:
    """Some deals of a rule set."""
    return played(request)


@pytest.mark.clause("CU-65", "CU-66")
@EVERY
def test_hidden_cards_do_not_show(walk: Walk) -> None:
    """CU-I12: other cards where a seat sees none change nothing of its view, nor of what it is answered."""
    game, rng = game_of(walk), Random(12)
    verbs = [spec.verb for spec in game.move_specs.values() if not spec.by_chance and not spec.shares]
    for at in rng.sample(range(len(walk.steps)), min(len(walk.steps), 40)):
        p = walk.steps[at].after
        if not p.held:
            continue
        for viewer in (*range(game.seats), None):
            other = shuffled_where_hidden(p, viewer, rng)
            assert view_for(game, p, viewer) == view_for(game, other, viewer)
            if viewer is not None:
                moves = [make_move(game, verb) for verb in verbs]
                assert [validate_move(game, p, viewer, move) for move in moves] == [
                    validate_move(game, other, viewer, m) for m in moves
                ]


def shuffled_where_hidden(p: Round, viewer: Seat | None, rng: Random) -> Round:
    """Shuffle the cards that the viewer cannot see: before others, laid aside by them, and in the pack."""
    hands = [seat for seat, held in enumerate(p.held) if held is not None and held.lies == "down" and seat != viewer]
    asides = [at for at, aside in enumerate(p.aside) if aside.lies == "down" and aside.seat != viewer]
    cards = [*(on_table(p)[seat] for seat in hands), *(p.aside[at].card for at in asides), *p.pack]
    rng.shuffle(cards)
    new = iter(cards)
    held, aside = list(p.held), list(p.aside)
    for seat in hands:
        before = held[seat]
        assert before is not None
        held[seat] = before._replace(card=next(new), moved=False)
    for at in asides:
        aside[at] = aside[at]._replace(card=next(new))
    return p._replace(held=tuple(held), aside=tuple(aside), pack=tuple(new))


@pytest.mark.clause("CU-67", "CU-65")
@EVERY
def test_events_name_faces_to_those_who_may_know(walk: Walk) -> None:
    """CU-I12: every event is public; a face dealt or drawn is for its owner, those exchanged for the two."""
    game = game_of(walk)
    for step in walk.steps:
        for event in step.events:
            for viewer in (*range(game.seats), None):
                visible = visible_to(event, viewer)
                assert visible is not None
                knows = {"deal": {event.seat}, "draw": {event.seat}}.get(event.kind)
                knows = {event.seat, event.other} if event.kind in ("swap", "undo") else knows
                if knows is None or (viewer is not None and viewer in knows):
                    assert event == visible
                else:
                    assert ((), len(event.cards)) == (visible.cards, visible.hidden)


@pytest.mark.clause("CU-33")
@EVERY
def test_the_same_again_and_nothing_by_what_is_refused(walk: Walk) -> None:
    """CU-I13: the same move gives the same; whatever others want to do, or what is not allowed, changes nothing."""
    game, rng = game_of(walk), Random(13)
    for at in rng.sample(range(len(walk.steps)), min(len(walk.steps), 30)):
        step = walk.steps[at]
        line = game.encode(step.before)
        assert (step.after, step.events) == play(game, step.before, step.actor, step.move)
        if step.actor != CHANCE:
            for other in set(range(game.seats)) - {step.actor}:
                with pytest.raises(IllegalMove):
                    play(game, step.before, other, step.move)
        assert line == game.encode(step.before)


@pytest.mark.clause("CU-6")
@EVERY
def test_seats_are_only_names(walk: Walk) -> None:
    """CU-I16: with all seats renamed by a rotation, the dealer's too, the game is the same but for the names."""
    game = game_of(walk)
    if game.drawn_from:
        return
    turn = 1 + len(walk.steps) % (game.seats - 1)

    def person(one: str) -> str:
        return str((int(one) + turn) % game.seats) if one.isdecimal() and int(one) < game.seats else one

    def renamed(event: Event) -> Event:
        seat, other = (None if one is None else (one + turn) % game.seats for one in (event.seat, event.other))
        return event._replace(seat=seat, other=other, shares=shares(event), known_to=EVERYBODY, seen_by=EVERYBODY)

    def shares(said: Event | Move) -> tuple[tuple[str, int], ...]:
        return tuple(sorted((person(one), amount) for one, amount in said.shares))

    start = game.start()
    p = start._replace(match_state=start.match_state._replace(dealer=(start.match_state.dealer + turn) % game.seats))
    for step in walk.steps:
        actor = step.actor if step.actor == CHANCE else (step.actor + turn) % game.seats
        p, events = play(game, p, actor, step.move._replace(shares=shares(step.move)))
        plain = [
            event._replace(shares=tuple(sorted(event.shares)), known_to=EVERYBODY, seen_by=EVERYBODY)
            for event in events
        ]
        if step.move.verb != "start_next_game":
            assert sorted(map(repr, map(renamed, step.events))) == sorted(map(repr, plain))
        tokens = step.after.match_state.tokens
        assert tokens == tuple(p.match_state.tokens[(seat + turn) % game.seats] for seat in range(game.seats))
        assert (step.after.phase, step.after.match_state.pool) == (p.phase, p.match_state.pool)


@pytest.mark.clause("CU-12")
@EVERY
def test_copies_are_alike(walk: Walk) -> None:
    """CU-I17: with other copies of the faces in the pack the game is the same, move by move."""
    game = game_of(walk)
    p = game.start()
    for step in walk.steps:
        copies = tuple(Card(card.rank, card.suit) for card in step.move.cards)
        p, events = play(game, p, step.actor, step.move._replace(cards=copies))
        assert (step.after, step.events) == (p, events)
