"""Sueca: every check of the test kit, and worked examples of what a deal is worth."""

import pytest
from chitarrella_sueca import SUECA

from chitarrella.core.game import play, validate_move
from chitarrella.core.model import CHANCE, Move
from chitarrella.tricks import Deal, Table
from chitarrella_testing.checks import Check


@pytest.mark.game("sueca", seconds=10)
def test_sueca_keeps_every_law(check: Check) -> None:
    """Sueca passes every check of the kit."""
    check()


def dealt(**options: str) -> Table:
    """A deal in which seat 1, eldest, has the first ten cards of the pack, and the dealer the last ones."""
    game = SUECA.configure(4, options)
    p: Table = play(game, game.start(), CHANCE, Move("start_deal", game.pack.cards))[0]
    return p


@pytest.mark.clause("SUE-3.1")
@pytest.mark.parametrize(("turned", "place"), [("last", -1), ("first", 0)])
def test_a_card_of_the_dealer_makes_trumps(turned: str, place: int) -> None:
    """It is the last or the first of the dealer's cards, and everybody sees it until it is played."""
    p = dealt(turned_card=turned)
    card = p.hands[0][place]
    assert (card, card.suit) == (p.turn_up, p.trump)
    game = SUECA.configure(4, {"turned_card": turned})
    assert [(0, (card,))] == [(zone.seat, zone.cards) for zone in game.zones(p) if zone.name == "turn_up"]


@pytest.mark.clause("SUE-4.1")
def test_suit_is_followed() -> None:
    """Who holds the suit led plays it."""
    game, p = SUECA.configure(4, {}), dealt()
    p = p._replace(hands=tuple(map(game.pack.hand, (["2c"], ["3d"], ["4d", "Ac"], ["5h"]))))
    led, _ = play(game, p, 1, Move("play_card", game.pack.hand(["3d"])))
    (refusal,) = validate_move(game, led, 2, Move("play_card", game.pack.hand(["Ac"])))
    assert ("must_follow_suit", game.pack.hand(["4d"])) == (refusal.code, refusal.allowed_cards)


@pytest.mark.clause("SUE-5.1", "SUE-5.2")
@pytest.mark.parametrize(
    ("points", "won", "level", "games"),
    [
        ((60, 60), (5, 5), 0, [0, 0]),
        ((61, 59), (4, 6), 0, [1, 0]),
        ((30, 90), (2, 8), 0, [0, 1]),
        ((29, 91), (2, 8), 1, [0, 3]),
        ((120, 0), (9, 1), 0, [2, 0]),
        ((120, 0), (10, 0), 2, [6, 0]),
    ],
)
def test_what_a_deal_wins(points: tuple[int, int], won: tuple[int, int], level: int, games: list[int]) -> None:
    """More than 60, more than 90, every trick; level deals before it add one each where that is agreed."""
    game = SUECA.configure(4, {"level_counts": "true"})
    deal = Deal(points, won, last=0, level_before=level, own=None, side_of=game.sides)
    assert games == game.series.score(deal)
    game = SUECA.configure(4, {"four_games_for": "all_points"})
    assert (4 if 120 in points else max(games) - level) == max(game.series.score(deal))
