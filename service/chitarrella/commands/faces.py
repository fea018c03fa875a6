"""How cards look in a terminal: coloured by suit, in the order in which a hand is held."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import groupby
from typing import Final

from rich.style import Style
from rich.text import Text

from chitarrella.cards import Card, Hand, UnknownCard
from chitarrella.game import AnyGame
from chitarrella.story import names
from chitarrella.tricks.game import TrickGame

COLOURS: Final = {
    "batons": "green",
    "cups": "red",
    "coins": "yellow",
    "swords": "cyan",
    "clubs": "green",
    "diamonds": "yellow",
    "hearts": "red",
    "spades": "cyan",
    "numbers": "cyan",
    "pictures": "magenta",
}
BACK: Final = "▮"
LABEL: Final = 16
"""Columns for the words before a row of cards."""


class Faces:
    """The cards of one game, to be printed and to be typed."""

    def __init__(self, game: AnyGame) -> None:
        """Look at the pack, and at the suits that the game sees in it."""
        self.game = game
        self.pack = game.pack
        self.suits = game.suit if isinstance(game, TrickGame) else {}
        self.places = {card: place for place, card in enumerate(game.pack.faces.values())}

    def style(self, card: Card) -> Style:
        """Give the colour of the suit."""
        suit = self.suits.get(card, card.suit)
        colour = COLOURS.get(names(self.pack).get(suit, suit))
        return Style(color=colour, bold=True)

    def card(self, card: Card, *, dimmed: bool = False, copies: int = 1) -> Text:
        """Print one card, or several copies of it."""
        text = Text(" ".join([card] * copies))
        text.stylize(Style(dim=True) if dimmed else self.style(card))
        return text

    def held(self, hand: Hand) -> list[tuple[Card, int]]:
        """Put a hand into order: suit by suit, each face once with the number of its copies."""
        ordered = sorted(hand, key=self.places.__getitem__)
        return [(card, len(list(copies))) for card, copies in groupby(ordered)]

    def worth(self, cards: Hand, trump: str) -> str:
        """Say what cards count together, where the game counts cards; empty for nothing."""
        if not isinstance(self.game, TrickGame):
            return ""
        counted = [(count.replace("_", " "), number) for count, number in self.game.count(cards, trump) if number]
        return " and ".join(
            f"{number} {count.removesuffix('s') if number == 1 else count}" for count, number in counted
        )

    def text(self, sentence: str, style: str = "") -> Text:
        """Print a sentence, with colour on every card it names."""
        text = Text(sentence, style=style)
        for found in self._words.finditer(sentence):
            text.stylize(self.style(self.pack.faces[found[0]]), *found.span())
        return text

    @cached_property
    def _words(self) -> re.Pattern[str]:
        every = sorted(self.pack.faces, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, every))})(?!\w)")

    @cached_property
    def _typed(self) -> dict[str, Card]:
        """Every face as it may be typed; small letters do where they mean one face only."""
        return {card.casefold(): card for card in self.pack.faces.values()}

    def read(self, word: str) -> Card:
        """Read a card, whatever the size of its letters; raises `UnknownCard`."""
        card = self._typed.get(word.casefold())
        if card is None:
            raise UnknownCard(word, self.pack.name)
        return card
