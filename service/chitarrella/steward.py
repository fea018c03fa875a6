"""The steward: what happens at a kept match beside the moves of persons.

Words for the shuffle, rulings on time, bots that hold a seat, and decisions taken back. Each is an act of the house, a
line of the log like a move, and added in the same way: only behind the page it was judged on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chitarrella import errors
from chitarrella.affairs import (
    AGREE_BACK,
    ASK_BACK,
    CONTRIBUTE,
    DEAL_NOW,
    REFUSE_BACK,
    TAKE_BACK,
    TIME_OVER,
    Act,
    BotSeat,
    act_of,
    after_act,
    after_move,
    read_act,
    told_of,
    write_act,
)
from chitarrella.against import against_act, against_ending
from chitarrella.backward import against_back, last_decision
from chitarrella.chronicle import Decision, write_entry
from chitarrella.drawing import words_awaited
from chitarrella.game import AnyGame, Position, applied, by_default, waited_for
from chitarrella.kept import Done, Made, Seen
from chitarrella.referee import TRIES, Referee, crowded, new_token, now, token_of
from chitarrella.store import Added, Again
from chitarrella.timing import until_when
from chitarrella.words import CHANCE, Move, Seat

Choose = Callable[[AnyGame, Position, BotSeat], Move]
"""Chooses a move for a bot whose turn it is."""


class Steward:
    """Sees to it. Safe to be used by many threads; all state is in the store."""

    def __init__(self, referee: Referee, choose: Choose) -> None:
        """Add to the matches of ``referee``; let ``choose`` move for the bots."""
        self.referee = referee
        self._choose = choose

    # ------------------------------------------------------------------ words and bots

    def act(self, match: str, act: Act, request: str = "") -> Seen:
        """Enter a word for the shuffle, and deal where it was the last one waited for; again it changes nothing.

        Where it was the last one the same word might be said again for the draw that comes next; the same ``request``
        is not. Raises `errors.NotPossibleNow` where no draw is waited for, or where the seat has said something else,
        `errors.AlreadyExists` where the request id did something else.
        """
        token = token_of(act.actor, request)
        if request:
            seen, number = self.referee.read(match, token)
            if number is not None:
                if self._lines_from(match, number)[0] != write_act(act):
                    raise reused()
                return seen

        def enter(seen: Seen) -> Done | None:
            if act.what == CONTRIBUTE and dict(seen.affairs.words).get(act.actor) == act.word:
                return None
            if fault := against_act(seen, act):
                raise fault
            return self._enter(match, seen, (act,), token=token)

        return self._added(match, enter)[1]

    def seat_bot(self, match: str, bot: BotSeat) -> Seen:
        """Give a seat to a bot, or without a name back to a person; again it changes nothing.

        Raises `errors.NotPossibleNow` where the match is over or was ended.
        """

        def enter(seen: Seen) -> Done | None:
            if (seen.affairs.bot(bot.seat) or BotSeat(bot.seat, "", bot.think)) == bot:
                return None
            if fault := against_ending(seen):
                raise fault
            return self._enter(match, seen, (act_of(bot),))

        return self._added(match, enter)[1]

    # ------------------------------------------------------------------ time and bots' turns

    def rule_on_time(self, match: str) -> tuple[bool, Seen]:
        """Make the move of a seat whose time is over, or deal without the words that are missing.

        Tells whether time was over, and gives the match as it is now.

        Raises `errors.NotPossibleNow` where no clock runs.
        """

        def rule(seen: Seen) -> Done | None:
            until = until_when(seen)
            if until is None:
                raise errors.NotPossibleNow("no_clock", "No clock runs at this match now.")
            if now() <= until:
                return None
            if silent := words_awaited(seen):
                return self._enter(match, seen, (*(Act(seat, TIME_OVER) for seat in silent), Act(CHANCE, DEAL_NOW)))
            late = waited_for(seen.game, seen.position) or 0
            return self._move(match, seen, late, by_default(seen.game, seen.position, late), (Act(late, TIME_OVER),))

        return self._added(match, rule)

    def attend(self, match: str, seen: Seen | None = None) -> bool:
        """Do what is due at a match: move for a bot, or rule on time; tells whether there was anything.

        ``seen`` is the match, where it has just been read.
        Raises `errors.NotFound` where there is no such match any more.
        """
        seen = seen or self.referee.see(match)
        if (bot := bot_on_turn(seen)) is None:
            until = until_when(seen)
            if until is None or now() <= until:
                self.referee.remind(match, seen)
                return False
            return self.rule_on_time(match)[0]
        move = self._choose(seen.game, seen.position, bot)
        return isinstance(self._move(match, seen, bot.seat, move).answer, Added)

    # ------------------------------------------------------------------ taking back

    def take_back(
        self, match: str, actor: Seat, *, refuse: bool = False, expected: int | None = None, request: str = ""
    ) -> tuple[bool, Seen]:
        """Ask to take back the last decision, or answer; tells whether it is taken back now.

        Raises `errors.NotPossibleNow` with the reason why it cannot be, `errors.Stale` where the table has moved on
        from the ``expected`` revision, `errors.AlreadyExists` where the request id did something else.
        """
        token = token_of(actor, request)
        for _ in range(TRIES):
            seen, number = self.referee.read(match, token if request else "")
            if number is not None:
                return self._taken_back_before(match, number, refuse=refuse), seen
            last = last_decision(*self.referee.chronicle(match), seen.page)
            if last is None:  # somebody was faster
                continue
            if fault := against_back(seen, last, actor, refuse=refuse, expected=expected):
                raise fault
            acts = _answer(seen, last, actor, refuse=refuse)
            if not acts:
                return False, seen
            done = self._enter(match, seen, acts, last, token)
            if isinstance(done.answer, Again):
                return self._taken_back_before(match, done.answer.number, refuse=refuse), done.seen
            if isinstance(done.answer, Added):
                return acts[-1].what == TAKE_BACK, done.seen
        raise crowded()

    def _taken_back_before(self, match: str, number: int, *, refuse: bool) -> bool:
        """Answer a repeated request as it was answered the first time."""
        said = [act.what if (act := read_act(line)) else "" for line in self._lines_from(match, number)[:2]]
        if said[0] not in ((REFUSE_BACK,) if refuse else (ASK_BACK, AGREE_BACK, TAKE_BACK)):
            raise reused()
        return TAKE_BACK in said

    # ------------------------------------------------------------------ adding

    def _lines_from(self, match: str, number: int) -> list[str]:
        """Read the log from what a request added on."""
        lines = self.referee.moves(match, number)
        if not lines:  # it was deleted meanwhile
            raise errors.MatchNotFound
        return lines

    def _added(self, match: str, attempt: Callable[[Seen], Done | None]) -> tuple[bool, Seen]:
        """Try until nobody was faster, or there is nothing to do; tells which, and gives the match as it is then."""
        seen = self.referee.see(match)
        for _ in range(TRIES):
            if (done := attempt(seen)) is None:
                return False, seen
            seen = done.seen
            if isinstance(done.answer, Added | Again):
                return True, seen
        raise crowded()

    def _enter(
        self, match: str, seen: Seen, acts: Iterable[Act], last: Decision | None = None, token: str = ""
    ) -> Done:
        """Add acts behind the page of ``seen``; one of them may take back the ``last`` decision."""
        position, affairs = seen.position, seen.affairs
        for act in acts:
            affairs = after_act(affairs, act)
            if act.what == TAKE_BACK and last is not None:
                position, affairs = last.before, affairs._replace(since=now())  # a decision undone costs nobody time
        made = Made(tuple(map(write_act, acts)), tuple(map(told_of, acts)), decided=position is not seen.position)
        return self.referee.append(match, seen, position, affairs, made, token or new_token())

    def _move(self, match: str, seen: Seen, actor: Seat, move: Move, acts: tuple[Act, ...] = ()) -> Done:
        """Add a move that the house makes for a seat, behind the ``acts`` that say why."""
        position, events = applied(seen.game, seen.position, actor, move)
        lines = (*map(write_act, acts), write_entry(actor, move))
        made = Made(lines, (*map(told_of, acts), events), decided=True)
        return self.referee.append(match, seen, position, after_move(seen.affairs), made, new_token())


def reused() -> errors.AlreadyExists:
    """Say that a request id is not that of this call."""
    return errors.AlreadyExists("request_reused", "This request id did something else.", "request_id")


def bot_on_turn(seen: Seen) -> BotSeat | None:
    """Give the bot that is to move, if one is."""
    return None if seen.page.ended else seen.affairs.bot(waited_for(seen.game, seen.position))


def _answer(seen: Seen, last: Decision, actor: Seat, *, refuse: bool) -> tuple[Act, ...]:
    """Give the acts by which a seat asks, agrees or refuses; the last agreement takes back, the referee's word too."""
    back = Act(last.actor, TAKE_BACK, str(last.revision))
    asked = seen.affairs.want_back
    if refuse:
        return (Act(actor, REFUSE_BACK),)
    if actor == CHANCE:
        return (back,)
    if actor in asked:
        return () if awaited(seen) else (back,)  # a bot has sat down where an answer was waited for
    acts = (Act(actor, AGREE_BACK if asked else ASK_BACK),)
    others = awaited(seen._replace(affairs=seen.affairs._replace(want_back=(*asked, actor))))
    return acts if others else (*acts, back)


def awaited(seen: Seen) -> tuple[Seat, ...]:
    """Name the seats that have not yet answered the one that wants to take back; a bot agrees to everything."""
    asked, affairs = seen.affairs.want_back, seen.affairs
    return tuple(seat for seat in seen.header.seats if asked and seat not in asked and affairs.bot(seat) is None)
