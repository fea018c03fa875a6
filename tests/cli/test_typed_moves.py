"""What is typed at the turn of a seat that leads a trionfo: the card alone does not say which suit is asked for."""

from __future__ import annotations

import pytest

from chitarrella.cli.card_styles import CardStyle
from chitarrella.cli.move_input import InvalidInput, ordered_moves, parse_input
from chitarrella.core.game import legal_moves, validate_move
from chitarrella.core.model import Move
from chitarrella.core.notation import format_move
from tests.games.support.trionfo_tables import game, in_play


def typed(text: str) -> Move:
    """Type something as seat 0, which leads from VII IV XII; the VII is the trionfo."""
    match = in_play(game(), "VII", {0: "VII IV XII"})
    moves = ordered_moves(match.game, CardStyle(match.game), legal_moves(match.game, match.p, 0))
    return parse_input(match.game, CardStyle(match.game), 0, 0, moves, text)


@pytest.mark.parametrize(
    "text", ["VII pictures", "vii Pictures", "play_card VII pictures", "play_card vii pictures", "3"]
)
def test_a_card_with_its_word(text: str) -> None:
    """A card and the word that goes with it are one move, in letters of any size; so is its number."""
    assert "play_card VII pictures" == format_move(typed(text))


def test_a_card_without_its_word() -> None:
    """The card alone is the move without a word: no suit is chosen for the player, who is told what is missing."""
    match = in_play(game(), "VII", {0: "VII IV XII"})
    assert ["declaration_missing"] == [refusal.code for refusal in validate_move(match.game, match.p, 0, typed("VII"))]


def test_a_word_that_is_none() -> None:
    """A suit that does not exist is not understood."""
    with pytest.raises(InvalidInput, match="'coins' is neither a card"):
        typed("VII coins")
