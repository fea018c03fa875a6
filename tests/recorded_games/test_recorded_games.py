"""Games that other people played and states that others worked out come out the same by these rules."""

from __future__ import annotations

import pytest

from chitarrella.core.game import AnyGame, Position, legal_moves, play
from chitarrella.core.model import CHANCE, Event
from chitarrella.core.notation import make_move, parse_move
from tests.recorded_games.cases import CourseCase, DealCase, DrawnTrick, State, course, deals
from tests.walks import CATALOGUE


@pytest.mark.parametrize("case", deals(), ids=lambda case: case.id)
def test_a_recorded_deal_comes_out_as_it_did(case: DealCase) -> None:
    """Hands, trumps, tricks, draws, points and outcome of a recorded deal are those of these rules."""
    game = CATALOGUE.game_for(case.rule_set)
    p, _ = play(game, game.start(), CHANCE, make_move(game, "start_deal", case.pack))
    assert case.hands == tuple(frozenset(cards(game, p, "hand", seat)) for seat in (0, 1))
    assert case.stock == (*cards(game, p, "stock"), *cards(game, p, "turn_up"))
    assert case.trump == next((fact.value for fact in game.facts(p) if fact.name == "trump"), "")
    for trick in case.tricks:
        p = check_trick(game, p, trick)
    assert case.points == game.points(p)
    assert case.outcome in (None, case.points)
    assert case.winners == game.outcome(p)


def check_trick(game: AnyGame, p: Position, trick: DrawnTrick) -> Position:
    """Play a recorded trick: every card of the hand is legal, and the trick goes where it went."""
    before, expected = game.points(p), list[Event]()
    for place, card in enumerate(trick.cards):
        seat = (trick.lead + place) % 2
        assert seat == game.turn(p)
        assert set(cards(game, p, "hand", seat)) == {move.cards[0] for move in legal_moves(game, p, seat)}
        p, events = play(game, p, seat, parse_move(game, f"play_card {card}"))
        expected += events
    taken = [(event.seat, event.cards) for event in expected if event.kind == "trick_taken"]
    drawn = tuple((event.seat, event.cards[0]) for event in expected if event.kind == "card_drawn")
    assert [(trick.winner, trick.cards)] == taken
    assert trick.points == game.points(p)[trick.winner] - before[trick.winner]
    assert trick.draws == drawn
    return p


@pytest.mark.parametrize("case", course(), ids=lambda case: case.id)
def test_the_moves_of_the_course_lead_where_it_says(case: CourseCase) -> None:
    """From a state of the course its moves lead to its state, or to its winner with his points."""
    game = CATALOGUE.game_for(case.rule_set)
    p = game.decode(case.position)
    for seat, text in case.moves:
        p, _ = play(game, p, seat, parse_move(game, text))
    if case.state is not None:
        assert case.state == state(game, p)
    elif case.winner is None:
        assert game.points(p) == (60, 60)
        assert game.scores(p) == (0, 0)
    else:
        assert frozenset({case.winner}) == game.outcome(p)
        assert case.points == game.points(p)[case.winner]


def state(game: AnyGame, p: Position) -> State:
    """Write a position down as the course did."""
    turn = game.turn(p)
    assert turn is not None
    return State(
        turn,
        next(str(fact.value) for fact in game.facts(p) if fact.name == "trump"),
        (*cards(game, p, "stock"), *cards(game, p, "turn_up")),
        cards(game, p, "trick"),
        tuple(frozenset(cards(game, p, "hand", seat)) for seat in (0, 1)),
        tuple(cards(game, p, "taken", seat) for seat in (0, 1)),
    )


def cards(game: AnyGame, p: Position, zone: str, seat: int | None = None) -> tuple[str, ...]:
    """The cards that lie in the zones of that name and seat."""
    return tuple(str(card) for z in game.zones(p) if (z.name, z.seat) == (zone, seat) for card in z.cards)


def test_all_records_are_played() -> None:
    """There are ten deals of Briscola, two of Briscolone, and a hundred cases of the course."""
    games = [case.rule_set.game for case in deals()]
    assert (10, 2) == (games.count("briscola"), games.count("briscolone"))
    assert len(course()) == 100
