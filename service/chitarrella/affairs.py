"""The affairs of the house at one match: what the service itself has to remember beside the position.

They stand beside the position on the last page, so that whoever adds a move has read them and nobody changes them
unseen. An act of the house is a line of the log like a move, but of nobody's game: ``0 !contribute WORD``.
"""

from __future__ import annotations

import json
from typing import NamedTuple
from urllib.parse import quote, unquote

from chitarrella.fairness import Words
from chitarrella.notation import TABLE
from chitarrella.words import CHANCE, Event, Seat, public

CONTRIBUTE, DEAL_NOW, TIME_OVER = "!contribute", "!deal_now", "!time_over"


class Affairs(NamedTuple):
    """How many packs and lots were drawn, what seats have added for the next one, and whether it waits for no more.

    Where a clock runs: since when the person on turn is thinking, in milliseconds since 1970, and what is left in the
    bank of each seat.
    """

    draws: int = 0
    words: Words = ()
    deal_now: bool = False
    since: int = 0
    banks: tuple[int, ...] = ()


class Act(NamedTuple):
    """An act of the house: whose, what, and a word."""

    actor: Seat
    what: str
    word: str = ""


def write_affairs(affairs: Affairs) -> str:
    """Put affairs into one line; nothing to remember is an empty one."""
    return json.dumps(affairs, separators=(",", ":")) if affairs != Affairs() else ""


def read_affairs(text: str) -> Affairs:
    """Read that line; it was written by this service, so it is not doubted."""
    if not text:
        return Affairs()
    draws, words, deal_now, since, banks = json.loads(text)
    return Affairs(draws, tuple((seat, word) for seat, word in words), deal_now, since, tuple(banks))


def write_act(act: Act) -> str:
    """Put an act of the house into a line of the log."""
    who = TABLE if act.actor == CHANCE else str(act.actor)
    return f"{who} {act.what} {quote(act.word, safe='')}".rstrip()


def read_act(line: str) -> Act | None:
    """Read a line of the log; None where it is a move."""
    who, _, rest = line.partition(" ")
    if not rest.startswith("!"):
        return None
    what, _, word = rest.partition(" ")
    return Act(CHANCE if who == TABLE else int(who), what, unquote(word))


def told_of(act: Act) -> tuple[Event, ...]:
    """Say what everybody learns of an act of the house."""
    if act.what == CONTRIBUTE:
        return (public("contributed", act.actor, word=act.word),)
    if act.what == TIME_OVER:
        return (public("time_over", act.actor),)
    return (public("deal_asked_for"),)


def drawn(affairs: Affairs) -> Affairs:
    """Give the affairs after a pack or a lot was drawn: what was said for it is used up."""
    return affairs._replace(draws=affairs.draws + 1, words=(), deal_now=False)


def after_act(affairs: Affairs, act: Act) -> Affairs:
    """Give the affairs after an act."""
    if act.what == CONTRIBUTE:
        return affairs._replace(words=tuple(sorted({**dict(affairs.words), act.actor: act.word}.items())))
    return affairs._replace(deal_now=True) if act.what == DEAL_NOW else affairs
