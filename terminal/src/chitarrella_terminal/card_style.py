"""How cards look on a terminal: colours and symbols of suits, the order of a hand, cards in a sentence."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import groupby
from typing import Final

from rich.style import Style
from rich.text import Text

from chitarrella.core.cards import Card, Hand, UnknownCard
from chitarrella.core.game import AnyGame
from chitarrella.i18n.narration import kind, names
from chitarrella.i18n.translator import ENGLISH, Translator

COLOURS: Final = {  # the colour of each suit on a terminal
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
LATIN_SYMBOLS: Final = {"b": "⚚", "c": "⚱", "d": "◉", "s": "⚔"}  # symbols of batons, cups, coins and swords
SYMBOLS: Final = {  # symbols of suits, by the kind of the pack; all are one column wide
    "Italian": LATIN_SYMBOLS,
    "Spanish": LATIN_SYMBOLS,
    "French": {"c": "♣", "d": "♦", "h": "♥", "s": "♠"},
}
BACK: Final = "▮"  # a card that lies face down
LABEL: Final = 16  # the width in columns of the label before a row of cards


class CardStyle:
    """Prints and parses the cards of one game."""

    def __init__(self, game: AnyGame, translator: Translator = ENGLISH, *, symbols: bool = False) -> None:
        """Use the pack of ``game``, and the suits that its cards count as.

        ``translator`` names what cards count. With ``symbols`` a card is followed by the symbol of its suit.
        """
        self.game = game
        self.translator = translator
        self.symbols = SYMBOLS.get(kind(game.pack), {}) if symbols else {}
        self.pack = game.pack
        self.suit_of = {} if game.trick_rules is None else game.trick_rules.suit_of
        self.places = {card: place for place, card in enumerate(game.pack.faces.values())}

    def style(self, card: Card) -> Style:
        suit = self.suit_of.get(card, card.suit)
        colour = COLOURS.get(names(self.pack).get(suit, suit))
        return Style(color=colour, bold=True)

    def card(self, card: Card, *, dimmed: bool = False, copies: int = 1) -> Text:
        text = Text(" ".join([f"{card}{self.symbols.get(card.suit, '')}"] * copies))
        text.stylize(Style(dim=True) if dimmed else self.style(card))
        return text

    def grouped(self, hand: Hand) -> list[tuple[Card, int]]:
        """Return the faces of a hand in the order of the pack, each with the number of its copies."""
        ordered = sorted(hand, key=self.places.__getitem__)
        return [(card, len(list(copies))) for card, copies in groupby(ordered)]

    def count_text(self, cards: Hand, trump: str) -> str:
        """Return what ``cards`` count together, such as "11 points"; empty if nothing."""
        tricks = self.game.trick_rules
        if tricks is None:
            return ""
        counted = [(self.translator.noun(count), number) for count, number in tricks.count(cards, trump) if number]
        is_english = self.translator.code == ENGLISH.code
        return self.translator.cli_text("and").join(
            f"{number} {count.removesuffix('s') if number == 1 and is_english else count}" for count, number in counted
        )

    def text(self, sentence: str, style: str = "") -> Text:
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
        return {card.casefold(): card for card in self.pack.faces.values()}

    def parse_card(self, word: str) -> Card:
        """Parse a card, ignoring case; raises `UnknownCard`."""
        card = self._typed.get(word.casefold())
        if card is None:
            raise UnknownCard(word, self.pack.name)
        return card
