"""Cucù: what each seat and the public see of cards, tokens, money and talk, in every phase."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from chitarrella.core.cards import Card
from chitarrella.core.game import IllegalMove, legal_moves, play, validate_move, view_for, visible_to
from chitarrella.core.model import CHANCE, EVERYBODY, REFEREE, Event, Move, Seat, Viewer
from chitarrella.core.notation import make_move
from chitarrella.exchange.round import Round
from tests.games.support.cucu_walks import EVERY, game_of, on_table, played
from tests.games.support.exchange_examples import Table
from tests.walks import Walk

HORSE = {"players": 3, "dealer": 2, "pack": ["VI", "II", "XIII", "V"], "far_end": "IX"}
INN = {"players": 4, "dealer": 3, "pack": ["NUL", "XI", "V", "X"]}
TALK = {"players": 2, "dealer": 1, "pack": ["II", "X"]}
OUT = {"players": 3, "dealer": 2, "tokens": [1, 0, 3], "pack": ["II", "X"], "options": {"end_game_agreement": False}}


def laid_out(said: dict[str, Any], *moves: str) -> Table:
    """Deal, and make some moves."""
    table = Table("cucu", said)
    for move in ("deal", *moves):
        table.step({"do": move})
    return table


def aside(table: Table, viewer: Viewer) -> dict[int | None, tuple[str, ...]]:
    """The cards laid aside, as the viewer see them; nothing stands for a back."""
    return {
        zone.seat: tuple(zone.cards) for zone in view_for(table.game, table.p, viewer).zones if zone.name == "aside"
    }


@pytest.mark.clause("CU-65", "CU-61", "CU-46")
def test_cards_laid_aside_are_seen_by_who_had_them() -> None:
    """A card laid aside face down is seen by the seat that had it, one that was shown before by everybody."""
    table = laid_out(HORSE, "0 keep", "1 exchange", "2 draw")
    assert {1: ("II",), 2: ("XIII",)} == aside(table, 1) == aside(table, REFEREE)
    assert {1: (), 2: ("XIII",)} == aside(table, 0) == aside(table, 2) == aside(table, None)


@pytest.mark.clause("CU-65", "CU-31")
def test_nobody_sees_the_pack() -> None:
    """Everybody knows how many cards are left in the pack, and nobody but the referee which."""
    table = laid_out(HORSE, "0 keep", "1 exchange")
    for viewer in (0, 1, 2, None, REFEREE):
        (pack,) = [zone for zone in view_for(table.game, table.p, viewer).zones if zone.name == "pack"]
        assert (36, table.p.pack if viewer == REFEREE else ()) == (pack.size, pack.cards)


@pytest.mark.clause("CU-65", "CU-52", "CU-66")
def test_an_announced_inn_is_marked_and_not_turned_up() -> None:
    """An announced inn bears a mark of its own wherever it goes; a card that was shown or is hidden bears none."""
    table = laid_out(INN, "0 exchange")
    assert ["XI", None] == [table.fact("announced", seat) for seat in (1, 0)]
    table.step({"do": ["0 ask_guarantee", "1 refuse_to_pay"]})
    assert ["XI", None] == [table.fact("announced", seat) for seat in (0, 1)]
    assert {0: "XI"} == table.seen(3) == table.seen(None)
    shown = laid_out(HORSE, "0 keep", "1 exchange")
    assert [None] * 3 == [shown.fact("announced", seat) for seat in range(3)]


@pytest.mark.clause("CU-65", "CU-71")
def test_a_dead_card_stays_hidden() -> None:
    """Who is dead keeps his card to himself, also when the others turn theirs up and when the deal is over."""
    table = laid_out({"players": 3, "dealer": 2, "tokens": [1, 3, 3], "pack": ["I", "XIV", "X"]}, "0 exchange")
    table.step({"do": ["1 keep", "2 keep"], "next": "0 reentry cost=10"})
    for _ in range(2):
        assert {0: "I", 1: "XIV", 2: "X"} == table.seen(0)
        assert {1: "XIV", 2: "X"} == table.seen(1) == table.seen(2) == table.seen(None)
        if table.p.phase == "reentry":
            table.step({"do": "0 decline_reentry"})


@pytest.mark.clause("CU-65", "CU-40")
@pytest.mark.parametrize("what", ["0 keep", "0 exchange"])
def test_moves_are_events_for_everybody(what: str) -> None:
    """Every seat is told when a seat keeps or exchanges its card."""
    table = laid_out(INN, what)
    assert (0, what.split()[1]) in [(event.seat, event.word) for event in table.events if event.known_to is EVERYBODY]


@pytest.mark.clause("CU-50", "CU-53", "CU-66")
def test_everybody_sees_the_debt() -> None:
    """Who answers for whom everybody can see until the next pack is dealt."""
    table = laid_out(INN, "0 exchange", "0 ask_guarantee", "1 agree_to_pay")
    assert 0 == table.fact("guarantee", 1)
    table.step({"do": ["1 keep", "2 keep", "3 keep"]})
    assert 0 == table.fact("guarantee", 1)
    table.step({"do": "deal"})
    assert table.fact("guarantee", 1) is None


@pytest.mark.clause("CU-104", "CU-105", "CU-66")
def test_everybody_sees_what_the_last_two_agree() -> None:
    """A proposal is seen while it waits for its answer, an agreement as long as it stands."""
    table = laid_out(TALK)
    table.step({"do": "0 propose_agreement", "with": {"shares": {0: 65, 1: 35}}})
    assert ((("0", 65), ("1", 35)), None) == (table.fact("proposal"), table.fact("agreement"))
    table.step({"do": "1 accept_agreement"})
    assert (None, (("0", 65), ("1", 35))) == (table.fact("proposal"), table.fact("agreement"))


@pytest.mark.clause("CU-97", "CU-98", "CU-95", "CU-4")
def test_everybody_sees_who_pays() -> None:
    """The price is seen while somebody is asked for it, and a syndicate as long as it has a claim."""
    table = laid_out(OUT, "0 keep", "2 keep")
    assert 10 == table.fact("cost")
    table.step({"do": "0 reenter", "with": {"contributions": {1: 4, "zia": 6}}})
    assert (None, (("1", 4), ("zia", 6))) == (table.fact("cost"), table.fact("syndicate", 0))
    assert (("0", -10), ("1", -14), ("2", -10), ("zia", -6)) == table.fact("net")


@pytest.mark.clause("CU-66", "CU-107", "CU-33")
def test_only_the_decider_has_moves() -> None:
    """Legal moves are those of the seat that decides; the list is his own, for it depends on his card."""
    table = laid_out(TALK | {"agreement": {0: 50, 1: 50}})
    assert ["exchange"] == [move.verb for move in legal_moves(table.game, table.p, 0)]
    assert () == legal_moves(table.game, table.p, 1)
    for phase, said, moves in (
        ("inn_guest", INN, ["0 exchange"]),
        ("inn_host", INN, ["0 exchange", "0 ask_guarantee"]),
        ("agreement_offer", TALK, []),
        ("reentry", OUT, ["0 keep", "2 keep"]),
        ("dealer_turn", HORSE, ["0 keep", "1 exchange"]),
    ):
        table = laid_out(said, *moves)
        assert phase == table.p.phase
        seats = range(table.game.seats)
        assert [table.game.turn(table.p)] == [seat for seat in seats if legal_moves(table.game, table.p, seat)]


@pytest.mark.clause("CU-65", "CU-70", "CU-32")
def test_the_last_deal_lies_open_until_the_next() -> None:
    """What was turned up stays in view until the next pack is dealt; then nothing of it is left."""
    table = laid_out({"players": 3, "dealer": 2, "pack": ["X", "IX", "II"]}, "0 keep", "1 keep", "2 keep")
    assert ({0: "X", 1: "IX", 2: "II"}, 1) == (table.seen(None), table.fact("deal"))
    table.step({"do": "deal", "pack": ["V"], "cards": {1: "V"}})
    assert ({}, 2) == (table.seen(None), table.fact("deal"))


# ---------------------------------------------------------------------- cucu secrecy


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
