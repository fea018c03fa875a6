"""What is fuzzed: everything of ours that reads text or bytes from outside.

Each target takes some bytes. Whatever they are, they are read or named as what is wrong with them, in an exception
that the reader is documented to raise; what was read is written back the same; and it takes no longer than `SECONDS`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache

from chitarrella.cards import UnknownCard
from chitarrella.catalogue import Agreement, EditionNotKept, UnknownGame
from chitarrella.chronicle import read_cursor
from chitarrella.game import AnyGame, actors, judge, legal, look
from chitarrella.notation import MalformedMove, read_move, write_move
from chitarrella.option import BadChoice
from chitarrella.platforms import BadKeys, read_lines
from chitarrella.record import BadRecord, read_record, write_record
from chitarrella.sheet import BadPosition
from chitarrella.tongues import LANGUAGES, language_of, tongue_for
from chitarrella.webhooks import LEAST_BYTES, MOST_BYTES, BadWebhooks, read_webhooks
from chitarrella.words import CHANCE
from tests.kit import CATALOGUE, defaults

SECONDS = 5
"""Of the processor's time, for any input; honest ones take a thousandth of it."""

Target = Callable[[bytes], None]


@cache
def tables() -> tuple[tuple[Agreement, AnyGame], ...]:
    """Every game with every number of players."""
    return tuple((agreement, CATALOGUE.seat(agreement)) for agreement in defaults())


def table_of(data: bytes) -> tuple[AnyGame, str]:
    """The first byte says which game it is about, the others are the text."""
    _, game = tables()[data[0] % len(tables())] if data else tables()[0]
    return game, text_of(data[1:])


def text_of(data: bytes) -> str:
    """Bytes as a door makes text of them: UTF-8, and whatever is none is replaced."""
    return data.decode("utf-8", "replace")


def position(data: bytes) -> None:
    """A line that is no position is a `BadPosition`; of one that is, everything may be asked."""
    game, text = table_of(data)
    try:
        p = game.read(text)
    except BadPosition:
        return
    assert p == game.read(game.write(p))
    for eyes in (None, *range(game.seats)):
        look(game, p, eyes)
    for who in actors(game, p):
        for right in legal(game, p, who):
            assert all(no.reason.penalty for no in judge(game, p, who, right))
    game.outcome(p)


def move(data: bytes) -> None:
    """Text that is no move is malformed or names no card of the game; another one can be judged at the beginning."""
    game, text = table_of(data)
    try:
        said = read_move(game, text)
    except (MalformedMove, UnknownCard):
        return
    assert said == read_move(game, write_move(said))
    for who in (CHANCE, 0):
        judge(game, game.start(), who, said)


def record(data: bytes) -> None:
    """Text is a record, or it is said what is wrong: with the text, the game, or what was agreed."""
    try:
        said = read_record(CATALOGUE, text_of(data))
    except (BadRecord, UnknownGame, EditionNotKept, BadChoice, BadPosition):
        return
    again = read_record(CATALOGUE, write_record(CATALOGUE, said, comments=False))
    assert (said.moves, said.position, said.proofs) == (again.moves, again.position, again.proofs)
    assert CATALOGUE.settle(said.agreement) == CATALOGUE.settle(again.agreement)


def cursor(data: bytes) -> None:
    """A cursor is two numbers, or a `ValueError`."""
    with suppress(ValueError):
        said = read_cursor(text_of(data))
        assert said == read_cursor(str(said))


def api_keys(data: bytes) -> None:
    """Lines are API keys, or it is said which one is none."""
    try:
        lines = read_lines(text_of(data))
    except BadKeys:
        return
    assert lines == read_lines(";".join(f"{line.name} {','.join(line.scopes)} {line.digest}" for line in lines))


def webhooks(data: bytes) -> None:
    """Lines are webhooks with sound secrets, or it is said which one is none."""
    try:
        hooks = read_webhooks(text_of(data))
    except BadWebhooks:
        return
    assert all(LEAST_BYTES <= len(secret) <= MOST_BYTES for hook in hooks for secret in hook.secrets)


def language(data: bytes) -> None:
    """A wish for languages, and a locale, choose one of ours; a locale may choose none."""
    assert tongue_for(text_of(data)).code in LANGUAGES
    assert language_of(text_of(data)) in (*LANGUAGES, None)


PLAIN: dict[str, Target] = {
    each.__name__: each for each in (position, move, record, cursor, api_keys, webhooks, language)
}
"""What needs no service."""


def in_time(target: Target, data: bytes) -> None:
    """Try an input; raises `AssertionError` where it takes too long."""
    begun = time.process_time()
    target(data)
    taken = time.process_time() - begun
    assert taken < SECONDS, f"{taken:.1f} seconds for {len(data)} bytes"
