"""Moves as text, and the one door by which raw arguments become a move.

A move is written verb first: ``play_card Ab``, ``signal A``, ``play_card VI @2`` (of seat 2), ``bid_points 71``,
``reenter 3:200 anna:100``. Which arguments a verb takes its `Form` says, so the words need no marks of their own.
The name of a person may hold any signs: all but letters and figures are written as ``%`` and two figures, as in
addresses of the web (``Anna%20Maria:100``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol
from urllib.parse import quote, unquote

from chitarrella.cards import Hand, Pack
from chitarrella.words import CHANCE, LONGEST_NAME, MOST_AMOUNT, MOST_SHARES, Form, Move, Seat, Shares

LONGEST: Final = 80_000
"""Characters in a line; only many shares with long names in foreign letters come near it."""
TABLE = "table"
"""How the seat of `CHANCE` is written."""


def write_actor(actor: Seat) -> str:
    """Write who makes a move: the number of the seat, or the table."""
    return TABLE if actor == CHANCE else str(actor)


def read_actor(text: str) -> Seat:
    """Read what `write_actor` has written."""
    return CHANCE if text == TABLE else int(text)


class MalformedMove(ValueError):
    """Words that are no move of the game at all; ``field`` names the argument at fault."""

    def __init__(self, field: str, because: str) -> None:
        """Say what is wrong with ``field``."""
        super().__init__(f"{field}: {because}")
        self.field = field
        self.because = because


class Verbal(Protocol):
    """What reading a move needs to know of a game."""

    @property
    def key(self) -> str:
        """Name the game."""

    @property
    def pack(self) -> Pack:
        """Give the cards there are."""

    @property
    def seats(self) -> int:
        """Count the places at the table."""

    @property
    def forms(self) -> Mapping[str, Form]:
        """Give the moves there are."""


def make_move(
    game: Verbal,
    verb: str,
    cards: Sequence[str] = (),
    word: str = "",
    amount: int | None = None,
    seat: Seat | None = None,
    shares: Shares = (),
) -> Move:
    """Make a move of ``game`` out of raw arguments.

    Raises `MalformedMove` for a verb the game does not have and for arguments it does not take, `UnknownCard` for a
    word that is no card. A set of cards is put into canonical order, so that it is the same move however it was named.
    """
    form = game.forms.get(verb)
    if form is None:
        raise MalformedMove("verb", f"{verb[:40]!r} is no move of {game.key}; moves: {', '.join(game.forms)}")
    least, most = form.cards
    if not least <= len(cards) <= most:
        wanted = f"{least} to {most} cards" if least != most else "one card" if least == 1 else f"{least} cards"
        raise MalformedMove("cards", f"{verb} takes {wanted}, not {len(cards)}")
    _check_word(form, word)
    if (amount is None) != (form.amounts is None):
        raise MalformedMove("amount", f"{verb} takes {'no number' if form.amounts is None else 'a number'}")
    if amount is not None and form.amounts is not None and amount not in form.amounts:
        raise MalformedMove("amount", f"{amount} is not among {form.amounts.start} to {form.amounts.stop - 1}")
    if seat is not None and not (form.seat and 0 <= seat < game.seats):
        raise MalformedMove("seat", f"{verb} is not made for a seat {seat}")
    _check_shares(form, shares)
    return Move(verb, _cards(game.pack, form, cards), word, amount, seat, shares)


def _check_word(form: Form, word: str) -> None:
    if form.words and word not in form.words:
        raise MalformedMove("word", f"{form.verb} takes one of {', '.join(filter(None, form.words))}")
    if word and not form.words:
        raise MalformedMove("word", f"{form.verb} takes no word")


def _check_shares(form: Form, shares: Shares) -> None:
    if shares and not form.shares:
        raise MalformedMove("shares", f"{form.verb} takes no shares")
    if len(shares) > MOST_SHARES:
        raise MalformedMove("shares", f"at most {MOST_SHARES} persons are named, not {len(shares)}")
    for person, amount in shares:
        if not 0 < len(person) <= LONGEST_NAME or not _is_text(person):
            raise MalformedMove("shares", f"a person has a name of 1 to {LONGEST_NAME} characters")
        if abs(amount) > MOST_AMOUNT:
            raise MalformedMove("shares", f"{amount} is not among -{MOST_AMOUNT} to {MOST_AMOUNT}")


def _is_text(person: str) -> bool:
    """Tell halves of characters, which cannot be written down, from text."""
    return not any("\ud800" <= sign <= "\udfff" for sign in person)


def _cards(pack: Pack, form: Form, texts: Sequence[str]) -> Hand:
    if len(texts) == 1:
        return (pack.card(texts[0]),)
    cards = pack.hand(texts)
    if form.by_chance or not cards:
        return cards
    return pack.in_order(cards)


def write_move(move: Move) -> str:
    """Put a move into one line."""
    parts = [move.verb, *move.cards]
    if move.word:
        parts.append(move.word)
    if move.amount is not None:
        parts.append(str(move.amount))
    parts.extend(map(write_share, move.shares))
    if move.seat is not None:
        parts.append(f"@{move.seat}")
    return " ".join(parts)


def write_share(share: tuple[str, int]) -> str:
    """Put a person and an amount into one word."""
    person, amount = share
    return f"{quote(person, safe='')}:{amount}"


def read_move(game: Verbal, text: str) -> Move:
    """Read such a line; raises `MalformedMove` or `UnknownCard`."""
    if len(text) > LONGEST:
        raise MalformedMove("move", f"a move has at most {LONGEST} characters")
    verb, *parts = text.split() or [""]
    form = game.forms.get(verb)
    if form is None:
        return make_move(game, verb)
    seat: Seat | None = None
    if parts and parts[-1].startswith("@"):
        seat = _whole("seat", parts.pop()[1:])
    shares = tuple(_share(part) for part in parts if form.shares and ":" in part)
    rest = [part for part in parts if not (form.shares and ":" in part)]
    amount = _whole("amount", rest.pop()) if form.amounts is not None and rest else None
    word = rest.pop() if form.words and rest and (len(rest) > form.cards[0]) else ""
    if rest and form.cards == (0, 0):
        raise MalformedMove("move", f"{verb} does not take {rest[0][:40]!r}")
    return make_move(game, verb, rest, word, amount, seat, shares)


def _share(text: str) -> tuple[str, int]:
    person, _, amount = text.rpartition(":")
    try:
        return unquote(person, errors="strict"), _whole("shares", amount)
    except UnicodeDecodeError:
        raise MalformedMove("shares", f"{person[:40]!r} is no name") from None


def _whole(field: str, text: str) -> int:
    if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 17:
        raise MalformedMove(field, f"{text[:24]!r} is no whole number")
    return int(text)


def pattern(form: Form) -> str:
    """Show how a move is written: small letters are typed as they stand, capitals are filled in."""
    least, most = form.cards
    parts = [form.verb]
    if most:
        parts.append("CARD" if most == 1 else "CARD ...")
    if most and not least:
        parts[-1] = f"[{parts[-1]}]"
    if form.words:
        words = "|".join(filter(None, form.words))
        parts.append(words if all(form.words) else f"[{words}]")
    if form.amounts is not None:
        parts.append("NUMBER")
    if form.shares:
        parts.append("[PERSON:AMOUNT ...]")
    if form.seat:
        parts.append("[@SEAT]")
    return " ".join(parts)
