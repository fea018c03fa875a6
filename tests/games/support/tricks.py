"""Single tricks, asked by the rules of a trick."""

from __future__ import annotations

from chitarrella.core.cards import Card, Hand
from chitarrella.core.game import NO_TRUMP_CARD, AnyGame, NoTrumpCard, TrickState


def state(
    cards: Hand, trump: str = "", trump_card: Card | NoTrumpCard = NO_TRUMP_CARD, stock_size: int = 0
) -> TrickState:
    """A trick of which everything is known."""
    return TrickState(cards, trump, trump_card, "", stock_size)


def plays(game: AnyGame, hand: Hand, known: TrickState) -> dict[Card, list[str]]:
    """The codes against each card of a hand; for games in which cards are played one by one."""
    assert game.trick_rules is not None
    found = game.trick_rules.plays(hand, known, 0)
    return {move.cards[0]: [refusal.code for refusal in validation.value] for move, validation in found.items()}


def taker(game: AnyGame, cards: Hand, trump: str = "", trump_card: Card | NoTrumpCard = NO_TRUMP_CARD) -> int:
    """The index of the card that takes a trick."""
    assert game.trick_rules is not None
    index, depends_on = game.trick_rules.winning_index(state(cards, trump, trump_card))
    assert index is not None, depends_on
    return index
