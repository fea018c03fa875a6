"""What a player types, made into a move: the number of a legal move, its notation, or just the card."""

from __future__ import annotations

from collections.abc import Sequence

from chitarrella.cards import UnknownCard
from chitarrella.commands.faces import Faces
from chitarrella.game import AnyGame
from chitarrella.notation import MalformedMove, read_move
from chitarrella.words import Form, Move, Seat


class NotUnderstood(ValueError):
    """Words that are no move, with the reason."""


def menu(game: AnyGame, faces: Faces, moves: Sequence[Move]) -> list[Move]:
    """Put the legal moves into the order in which they are numbered: as the hand is held, other moves after."""
    verbs = {verb: place for place, verb in enumerate(game.forms)}
    return sorted(moves, key=lambda move: (verbs[move.verb], [faces.places[card] for card in move.cards]))


def understand(game: AnyGame, faces: Faces, turn: Seat, you: Seat, menu: list[Move], text: str) -> Move:
    """Read what was typed at the turn of ``turn``, a seat of ``you``; raises `NotUnderstood`.

    The move may still be one that the rules refuse.
    """
    if text.isdecimal():
        number = int(text) if len(text) < 6 else 0
        if not 0 < number <= len(menu):
            raise NotUnderstood(f"there is no move number {text[:12]}; the moves are numbered 1 to {len(menu)}")
        return menu[number - 1]
    words = text.split()
    try:
        form = game.forms.get(words[0].lower())
        if form is not None:
            return _at(turn, you, game, form, _read_verbal(game, faces, form, words[1:]))
        return _read_cards(game, faces, turn, you, menu, words)
    except MalformedMove as error:
        raise NotUnderstood(error.because) from None
    except UnknownCard as error:
        raise NotUnderstood(str(error)) from None


def _read_verbal(game: AnyGame, faces: Faces, form: Form, words: list[str]) -> Move:
    """Read a move in full notation; cards may be written in small letters."""
    if form.cards[1]:
        words = [_proper(faces, word) for word in words]
    elif form.words:
        words = [_matching(form.words, word) for word in words]
    return read_move(game, " ".join([form.verb, *words]))


def _read_cards(game: AnyGame, faces: Faces, turn: Seat, you: Seat, menu: list[Move], words: list[str]) -> Move:
    """Read cards, and the word that goes with them: the legal move they make, else the likeliest that takes so many."""
    said = sorted(map(str.casefold, words))
    for move in menu:
        if move.cards and said == sorted(map(str.casefold, filter(None, (*move.cards, move.word)))):
            return move
    try:
        cards = sorted(map(faces.read, words), key=faces.places.__getitem__)
    except UnknownCard as error:
        raise NotUnderstood(f"{error.word[:24]!r} is neither a card of the {game.pack.name} pack nor a move") from None
    due = {move.verb for move in menu}
    for form in sorted(game.forms.values(), key=lambda form: form.verb not in due):
        least, most = form.cards
        if not form.by_chance and least <= len(cards) <= most:
            return _at(turn, you, game, form, read_move(game, " ".join([form.verb, *cards])))
    raise NotUnderstood(f"no move takes {len(cards)} cards")


def _at(turn: Seat, you: Seat, game: AnyGame, form: Form, move: Move) -> Move:
    """Say for which seat the move is, where the player has left out that it is the turn of a dummy."""
    dummy = turn != you and move.seat is None and form.seat and not form.free
    return move._replace(seat=turn) if dummy else move


def _proper(faces: Faces, word: str) -> str:
    """Give the card its proper letters; any other word stays as it is."""
    try:
        return faces.read(word)
    except UnknownCard:
        return word


def _matching(known: Sequence[str], word: str) -> str:
    return next((other for other in known if other.casefold() == word.casefold()), word)
