"""Parse what a player types as a move: the number of a legal move, its notation, or just its cards."""

from __future__ import annotations

from collections.abc import Sequence

from chitarrella.cli.card_styles import CardStyle
from chitarrella.core.cards import UnknownCard
from chitarrella.core.game import AnyGame
from chitarrella.core.model import Move, MoveSpec, Seat
from chitarrella.core.notation import MalformedMove, parse_move
from chitarrella.i18n.translator import Translator


class InvalidInput(ValueError):
    """Input that is no move, with the reason."""


def parse_number(menu: list[Move], text: str, translator: Translator) -> Move:
    """Return the legal move with the number ``text``; raises `InvalidInput`."""
    number = int(text) if len(text) < 6 else 0
    if not 0 < number <= len(menu):
        raise InvalidInput(translator.play_text("no such number", number=text[:12], last=len(menu)))
    return menu[number - 1]


def ordered_moves(game: AnyGame, card_style: CardStyle, moves: Sequence[Move]) -> list[Move]:
    """Return legal moves in the order of their numbers: by verb, then by cards in the order of the hand."""
    verbs = {verb: place for place, verb in enumerate(game.move_specs)}
    return sorted(moves, key=lambda move: (verbs[move.verb], [card_style.places[card] for card in move.cards]))


def parse_input(game: AnyGame, card_style: CardStyle, turn: Seat, you: Seat, menu: list[Move], text: str) -> Move:
    """Parse ``text`` at the turn of ``turn``, a seat that ``you`` play; raises `InvalidInput`.

    ``menu`` holds the legal moves in order. The result may be an illegal move.
    """
    if text.isdecimal():
        return parse_number(menu, text, card_style.translator)
    words = text.split()
    try:
        spec = game.move_specs.get(words[0].lower())
        if spec is not None:
            return _with_dummy_seat(turn, you, game, spec, _parse_verb(game, card_style, spec, words[1:]))
        return _parse_cards(game, card_style, turn, you, menu, words)
    except MalformedMove as error:
        raise InvalidInput(error.message) from None
    except UnknownCard as error:
        raise InvalidInput(str(error)) from None


def _parse_verb(game: AnyGame, card_style: CardStyle, spec: MoveSpec, words: list[str]) -> Move:
    """Parse a move in full notation; the case of letters does not matter."""
    if spec.cards[1]:
        words = [_card_spelling(card_style, word) for word in words]
    elif spec.choices:
        words = [_choice_spelling(spec.choices, word) for word in words]
    return parse_move(game, " ".join([spec.verb, *words]))


def _parse_cards(
    game: AnyGame, card_style: CardStyle, turn: Seat, you: Seat, menu: list[Move], words: list[str]
) -> Move:
    """Parse cards, with the choice that goes with them.

    Returns the legal move with these cards; else a move that takes as many cards, of a verb that is legal if possible.
    """
    said = sorted(map(str.casefold, words))
    for move in menu:
        if move.cards and said == sorted(map(str.casefold, filter(None, (*move.cards, move.choice)))):
            return move
    try:
        cards = sorted(map(card_style.parse_card, words), key=card_style.places.__getitem__)
    except UnknownCard as error:
        pack = card_style.translator.pack(game.pack.name)
        reason = card_style.translator.play_text("neither", word=repr(error.word[:24]), pack=pack)
        raise InvalidInput(reason) from None
    due = {move.verb for move in menu}
    for spec in sorted(game.move_specs.values(), key=lambda spec: spec.verb not in due):
        least, most = spec.cards
        if not spec.by_chance and least <= len(cards) <= most:
            return _with_dummy_seat(turn, you, game, spec, parse_move(game, " ".join([spec.verb, *cards])))
    raise InvalidInput(card_style.translator.play_text("no such move", number=len(cards)))


def _with_dummy_seat(turn: Seat, you: Seat, game: AnyGame, spec: MoveSpec, move: Move) -> Move:
    """Return ``move`` with the seat of the dummy on turn, if the player has left it out."""
    dummy = turn != you and move.seat is None and spec.seat and not spec.out_of_turn
    return move._replace(seat=turn) if dummy else move


def _card_spelling(card_style: CardStyle, word: str) -> str:
    """Return the card that ``word`` means, in its proper case; any other word unchanged."""
    try:
        return card_style.parse_card(word)
    except UnknownCard:
        return word


def _choice_spelling(known: Sequence[str], word: str) -> str:
    return next((other for other in known if other.casefold() == word.casefold()), word)
