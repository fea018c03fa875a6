"""Fuzz targets: every parser of text or bytes from outside.

Each target takes any bytes. They are parsed, or refused with an exception that the parser documents; what was parsed
survives a round trip; and it takes no longer than `SECONDS`.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache

from chitarrella.api.api_keys import InvalidApiKeys, parse_api_keys
from chitarrella.api.caller import negotiate_language
from chitarrella.catalogue.record import InvalidRecord, format_record, parse_record
from chitarrella.catalogue.registry import RuleSet, UnknownEdition, UnknownGame
from chitarrella.core.cards import UnknownCard
from chitarrella.core.game import AnyGame, actors, legal_moves, validate_move
from chitarrella.core.model import CHANCE
from chitarrella.core.notation import InvalidPosition, MalformedMove, format_move, parse_move
from chitarrella.core.options import InvalidOption
from chitarrella.core.visibility import view_for
from chitarrella.i18n.translator import LANGUAGES
from chitarrella.matches.history import parse_cursor
from chitarrella.transports.webhooks.messages import MAX_SECRET_BYTES, MIN_SECRET_BYTES, InvalidWebhooks, parse_webhooks
from chitarrella_terminal.options import language_of_locale
from tests.walks import CATALOGUE, defaults

SECONDS = 5  # CPU seconds for any input; valid ones take a thousandth of it

Target = Callable[[bytes], None]


@cache
def tables() -> tuple[tuple[RuleSet, AnyGame], ...]:
    return tuple((rule_set, CATALOGUE.game_for(rule_set)) for rule_set in defaults())


def table_of(data: bytes) -> tuple[AnyGame, str]:
    """The first byte chooses the game, the others are the text."""
    _, game = tables()[data[0] % len(tables())] if data else tables()[0]
    return game, text_of(data[1:])


def text_of(data: bytes) -> str:
    """Decode bytes as the transports do: UTF-8, with replacement characters."""
    return data.decode("utf-8", "replace")


def position(data: bytes) -> None:
    """A line that is not a position is an `InvalidPosition`; on a position every function works."""
    game, text = table_of(data)
    try:
        p = game.decode(text)
    except InvalidPosition:
        return
    assert p == game.decode(game.encode(p))
    for viewer in (None, *range(game.seats)):
        view_for(game, p, viewer)
    for who in actors(game, p):
        for right in legal_moves(game, p, who):
            assert all(no.reason.penalty for no in validate_move(game, p, who, right))
    game.outcome(p)


def move(data: bytes) -> None:
    """Text that is not a move is malformed or names no card of the game; a move can be validated in any position."""
    game, text = table_of(data)
    try:
        said = parse_move(game, text)
    except (MalformedMove, UnknownCard):
        return
    assert said == parse_move(game, format_move(said))
    for who in (CHANCE, 0):
        validate_move(game, game.start(), who, said)


def record(data: bytes) -> None:
    """Text is a record, or refused for its text, its game or its options."""
    try:
        said = parse_record(CATALOGUE, text_of(data))
    except (InvalidRecord, UnknownGame, UnknownEdition, InvalidOption, InvalidPosition):
        return
    again = parse_record(CATALOGUE, format_record(CATALOGUE, said, comments=False))
    assert said._replace(rule_set=again.rule_set) == again
    assert CATALOGUE.normalize(said.rule_set) == CATALOGUE.normalize(again.rule_set)


def cursor(data: bytes) -> None:
    """A cursor is two numbers, or a `ValueError`."""
    with suppress(ValueError):
        said = parse_cursor(text_of(data))
        assert said == parse_cursor(str(said))


def api_keys(data: bytes) -> None:
    """Lines are API keys, or the error names the invalid line."""
    try:
        lines = parse_api_keys(text_of(data))
    except InvalidApiKeys:
        return
    assert lines == parse_api_keys(";".join(f"{line.name} {','.join(line.scopes)} {line.digest}" for line in lines))


def webhooks(data: bytes) -> None:
    """Lines are webhooks with valid secrets, or the error names the invalid line."""
    try:
        hooks = parse_webhooks(text_of(data))
    except InvalidWebhooks:
        return
    assert all(MIN_SECRET_BYTES <= len(secret) <= MAX_SECRET_BYTES for hook in hooks for secret in hook.secrets)


def language(data: bytes) -> None:
    """Accepted languages and a locale choose one of ours; a locale may choose none."""
    assert negotiate_language(text_of(data)) in LANGUAGES
    assert language_of_locale(text_of(data)) in (*LANGUAGES, None)


PLAIN: dict[str, Target] = {one.__name__: one for one in (position, move, record, cursor, api_keys, webhooks, language)}
"""The targets that need no service."""


def in_time(target: Target, data: bytes) -> None:
    """Try an input; raises `AssertionError` if it takes too long."""
    begun = time.process_time()
    target(data)
    taken = time.process_time() - begun
    assert taken < SECONDS, f"{taken:.1f} seconds for {len(data)} bytes"
