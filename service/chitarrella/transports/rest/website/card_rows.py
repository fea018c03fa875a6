"""The cards of a game in rows, as its pages show them: the order with what each card counts, and a hand of five."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from chitarrella.i18n.narration import capital
from chitarrella.v1.catalogue_pb2 import Card as CardMessage
from chitarrella.v1.catalogue_pb2 import GameSummary, GetGameResponse

HAND: Final = 5
"""Cards in the fan of a game on the home page."""


class CardRow(NamedTuple):
    """Cards of one suit, the best first. ``suits`` names all suits with the same order and count; "" without suits."""

    suits: str
    cards: tuple[CardMessage, ...]


def card_rows(game: GetGameResponse) -> list[CardRow]:
    """Return a row for each group of suits whose cards rank and count alike.

    The row shows one suit of the group, the third of four: coins of the Italian pack, hearts of the French one.
    """
    groups: dict[tuple[tuple[str, int, int], ...], list[str]] = {}
    suits = _by_suit(game.cards)
    for suit, cards in suits.items():
        groups.setdefault(tuple((card.rank, card.order, card.points) for card in cards), []).append(suit)
    names = {suit.code: suit.name for suit in game.suits}
    return [
        CardRow(capital(", ".join(names.get(code, "") for code in group)), tuple(suits[group[len(group) // 2]]))
        for group in groups.values()
    ]


def hands(games: Sequence[GetGameResponse]) -> list[tuple[GameSummary, list[CardMessage]]]:
    """Return each game with five of its cards: the best of a suit, the second of the next suit, and so on.

    Of games that follow each other with one pack, each begins with another suit.
    """
    return [(game.summary, _hand(game, begin)) for begin, game in enumerate(games)]


def _hand(game: GetGameResponse, begin: int) -> list[CardMessage]:
    suits = list(_by_suit(game.cards).values())
    return [suits[(begin + place) % len(suits)][place] for place in range(HAND)]


def _by_suit(cards: Sequence[CardMessage]) -> dict[str, list[CardMessage]]:
    """Return the cards by the code of their suit, the best first."""
    found: dict[str, list[CardMessage]] = {}
    for card in sorted(cards, key=lambda card: -card.order):
        found.setdefault(card.suit, []).append(card)
    return found
