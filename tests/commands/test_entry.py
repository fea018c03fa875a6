"""What is typed at the turn of a seat that leads a trionfo: the card alone does not say which suit is asked for."""

from __future__ import annotations

import pytest

from chitarrella.commands.entry import NotUnderstood, menu, understand
from chitarrella.commands.faces import Faces
from chitarrella.game import judge, legal
from chitarrella.notation import write_move
from chitarrella.words import Move
from tests.games.trionfo import game, in_play


def typed(text: str) -> Move:
    """Type something as seat 0, which leads from VII IV XII; the VII is the trionfo."""
    match = in_play(game(), "VII", {0: "VII IV XII"})
    moves = menu(match.game, Faces(match.game), legal(match.game, match.p, 0))
    return understand(match.game, Faces(match.game), 0, 0, moves, text)


@pytest.mark.parametrize(
    "text", ["VII pictures", "vii Pictures", "play_card VII pictures", "play_card vii pictures", "3"]
)
def test_a_card_with_its_word(text: str) -> None:
    """A card and the word that goes with it are one move, in letters of any size; so is its number."""
    assert "play_card VII pictures" == write_move(typed(text))


def test_a_card_without_its_word() -> None:
    """The card alone is the move without a word: no suit is chosen for the player, who is told what is missing."""
    match = in_play(game(), "VII", {0: "VII IV XII"})
    assert ["declaration_missing"] == [refusal.code for refusal in judge(match.game, match.p, 0, typed("VII"))]


def test_a_word_that_is_none() -> None:
    """A suit that does not exist is not understood."""
    with pytest.raises(NotUnderstood, match="'coins' is neither a card"):
        typed("VII coins")
