"""The affairs of the house at one match: what the service itself has to remember beside the position.

They stand beside the position on the last page, so that whoever adds a move has read them and nobody changes them
unseen. An act of the house is a line of the log like a move, but of nobody's game: ``0 !contribute WORD``.
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

from chitarrella.fairness import Words
from chitarrella.notation import read_actor, write_actor
from chitarrella.words import Event, Seat, public

CONTRIBUTE, DEAL_NOW, TIME_OVER, SEAT_BOT = "!contribute", "!deal_now", "!time_over", "!seat_bot"
ASK_BACK, AGREE_BACK, REFUSE_BACK, TAKE_BACK = "!ask_back", "!agree_back", "!refuse_back", "!take_back"


class BotSeat(NamedTuple):
    """A seat that a bot plays, and for how many milliseconds it may think, 0 for as long as is usual."""

    seat: Seat
    bot: str
    think: int = 0


class Affairs(NamedTuple):
    """How many packs and lots were drawn, what seats have added for the next one, and whether it waits for no more.

    Where a clock runs: since when the person on turn is thinking, in milliseconds since 1970, and what is left in the
    bank of each seat. Then the seats that bots play, and those that want the last decision taken back, who made it
    and asks being the first.
    """

    draws: int = 0
    words: Words = ()
    deal_now: bool = False
    since: int = 0
    banks: tuple[int, ...] = ()
    bots: tuple[BotSeat, ...] = ()
    want_back: tuple[Seat, ...] = ()

    def bot(self, seat: Seat | None) -> BotSeat | None:
        """Give the bot that plays a seat, if one does."""
        return next((bot for bot in self.bots if bot.seat == seat), None)


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
    draws, words, deal_now, since, banks, bots, want_back = json.loads(text)
    return Affairs(
        draws=draws,
        words=tuple((seat, word) for seat, word in words),
        deal_now=deal_now,
        since=since,
        banks=tuple(banks),
        bots=tuple(BotSeat(*bot) for bot in bots),
        want_back=tuple(want_back),
    )


def write_act(act: Act) -> str:
    """Put an act of the house into a line of the log."""
    return f"{write_actor(act.actor)} {act.what} {quote(act.word, safe='')}".rstrip()


def read_act(line: str) -> Act | None:
    """Read a line of the log; None where it is a move."""
    who, _, rest = line.partition(" ")
    if not rest.startswith("!"):
        return None
    what, _, word = rest.partition(" ")
    return Act(read_actor(who), what, unquote(word))


def act_of(bot: BotSeat) -> Act:
    """Give the act by which a seat is given to a bot, or, without a name, back to a person."""
    return Act(bot.seat, SEAT_BOT, f"{bot.bot} {bot.think}".strip() if bot.bot else "")


def _bot_of(act: Act) -> BotSeat:
    name, _, think = act.word.partition(" ")
    return BotSeat(act.actor, name, int(think or 0))


PLAIN: Final = {
    DEAL_NOW: "deal_asked_for",
    TIME_OVER: "time_over",
    ASK_BACK: "take_back_asked",
    AGREE_BACK: "take_back_agreed",
    REFUSE_BACK: "take_back_refused",
}
"""The events of the acts that say nothing but who did it."""


def told_of(act: Act) -> tuple[Event, ...]:
    """Say what everybody learns of an act of the house."""
    seat = act.actor if act.actor >= 0 else None
    if act.what == CONTRIBUTE:
        return (public("contributed", seat, word=act.word),)
    if act.what == TAKE_BACK:
        return (public("taken_back", seat, amount=int(act.word)),)
    if act.what == SEAT_BOT:
        bot = _bot_of(act)
        return (public("bot_seated", seat, word=bot.bot) if bot.bot else public("bot_left", seat),)
    return (public(PLAIN[act.what], seat),)


def after_act(affairs: Affairs, act: Act) -> Affairs:
    """Give the affairs after an act."""
    if act.what == CONTRIBUTE:
        return affairs._replace(words=tuple(sorted({**dict(affairs.words), act.actor: act.word}.items())))
    if act.what == SEAT_BOT:
        bot = _bot_of(act)
        others = [other for other in affairs.bots if other.seat != act.actor]
        return affairs._replace(bots=tuple(sorted([*others, bot] if bot.bot else others)))
    if act.what in (ASK_BACK, AGREE_BACK):
        return affairs._replace(want_back=(*affairs.want_back, act.actor))
    if act.what in (REFUSE_BACK, TAKE_BACK):
        return affairs._replace(want_back=())
    return affairs._replace(deal_now=True) if act.what == DEAL_NOW else affairs


def after_move(affairs: Affairs, *, heard: bool = True, draw: bool = False) -> Affairs:
    """Give the affairs after a move: nobody asks any more to take back the one before.

    A move of which not everybody has ``heard`` leaves the ask as it is, or all would hear of it so. What was said for a
    pack or a lot is used up with its ``draw``.
    """
    if affairs.want_back and heard:
        affairs = affairs._replace(want_back=())
    return affairs._replace(draws=affairs.draws + 1, words=(), deal_now=False) if draw else affairs
