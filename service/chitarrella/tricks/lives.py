"""Lives: whoever has none left is out, unless the doctor comes; the last one alive takes the pool.

A game says what a deal costs whom; this file keeps the lives, asks the seats that have lost their last one, passes the
deal on among those who are left, and begins anew where nobody is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from operator import gt
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from chitarrella.cards import Hand
from chitarrella.tricks.arrangement import running
from chitarrella.tricks.reckoning import Match, end_match
from chitarrella.tricks.table import Table
from chitarrella.words import EVERYBODY, Event, Fact, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

DOCTOR = "doctor"
"""The phase in which a seat without lives is asked whether it calls the doctor."""

MOST = 2**31 - 1
"""Lives, calls and money stay below this: numbers are sent in 32 bits."""

Row: TypeAlias = tuple[int | None, ...]
"""The lives of every seat, None for one that is out."""


class Lives(NamedTuple):
    """The lives of all seats, and their calls for the doctor since the match was restarted and in all.

    A seat with none left stands at 0 until it has been seen to, and at nothing when it is out. Beside them the cards
    that were not dealt, and the seats that cards were dealt to.
    """

    lives: Row = ()
    doctor_calls: tuple[int, ...] = ()
    doctor_calls_total: tuple[int, ...] = ()
    undealt: Hand = ()
    dealt_in: tuple[Seat, ...] = ()


def kept(own: Lives) -> Lives:
    """Carry the lives into the next deal."""
    return own


@lru_cache
def alive(lives: Row) -> tuple[Seat, ...]:
    """Name the seats that have a life left."""
    return tuple([seat for seat, number in enumerate(lives) if number])


def living(g: TrickGame, t: Table) -> tuple[Seat, ...]:
    """Let the seats take part that have a life left."""
    return alive(t.own.lives)


def onwards(seats: int, first: Seat) -> list[Seat]:
    """Go round the table once, beginning with ``first``."""
    return [(first + step) % seats for step in range(seats)]


def after(lives: Row, seat: Seat) -> Seat:
    """Name the next seat with a life at the right of ``seat``, itself only where there is no other."""
    return next(found for found in onwards(len(lives), seat + 1) if lives[found])


def before(lives: Row, seat: Seat) -> Seat:
    """Name the next seat with a life at the left of ``seat``."""
    return next(found for found in reversed(onwards(len(lives), seat)) if lives[found])


def own_calls(calls: tuple[int, ...], seat: Seat) -> int:
    """Count the calls of that seat alone."""
    return calls[seat]


def all_calls(calls: tuple[int, ...], seat: Seat) -> int:
    """Count the calls of the whole table."""
    return sum(calls)


@dataclass(frozen=True)
class LastAlive(Match):
    """The last seat with a life takes the pool, into which everybody has paid a stake, and each call a fee.

    ``limit`` is how often the doctor comes, None for always; ``counted`` says whose calls use it up, ``forgiven``
    whether a restart gives them back. No gain lifts anybody above the ``cap``.
    """

    lives: int = 4
    cap: int | None = None
    stake: int = 1000
    fee: int = 500
    limit: int | None = 1
    counted: Callable[[tuple[int, ...], Seat], int] = own_calls
    forgiven: bool = True
    over: str = "match_over"

    def changes(self, g: TrickGame, t: Table, tell: list[Event]) -> dict[Seat, int]:
        """Say what the deal just played gives or costs each seat in lives."""
        raise NotImplementedError

    def begun(self, g: TrickGame) -> Lives:
        """Give every seat its lives."""
        return Lives((self.lives,) * g.seats, (0,) * g.seats, (0,) * g.seats)

    # ------------------------------------------------------------------ between two deals

    def close(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Change all lives at once, then see to those who have none left, or restart where nobody has one."""
        changes = self.changes(g, t, tell)
        own: Lives = t.own
        lives = tuple([self.changed(number, changes.get(seat, 0)) for seat, number in enumerate(own.lives)])
        for seat, number in enumerate(lives):
            if number is not None and number != own.lives[seat]:
                kind = "life_gained" if changes[seat] > 0 else "life_lost"
                tell.append(public(kind, seat, amount=number))
        t = t._replace(leader=t.tricks[0].leader, own=own._replace(lives=lives))
        return self.seen_to(g, t, tell) if any(lives) else self.restarted(g, t, tell)

    def changed(self, number: int | None, change: int) -> int | None:
        """Give the lives of a seat after a change; a gain above the cap is lost."""
        if number is None or (change > 0 and number == self.cap):
            return number
        return number + change

    def seen_to(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """See to the seats without a life, the leader of the deal first; one that may call the doctor is asked."""
        while 0 in t.own.lives:
            seat = calling(g, t)
            if self.may_call(t.own, seat):
                return t._replace(phase=DOCTOR)
            tell.append(public("died", seat))
            t = with_lives(t, seat, None)
        if len(living(g, t)) == 1:
            return self._ended(g, t, tell)
        return self._passed_on(g, t, after(t.own.lives, t.leader), tell)

    def may_call(self, own: Lives, seat: Seat) -> bool:
        """Tell whether two others are alive, and the limit leaves a call."""
        others = [other for other in alive(own.lives) if other != seat]
        return len(others) >= 2 and (self.limit is None or self.counted(own.doctor_calls, seat) < self.limit)

    def _passed_on(self, g: TrickGame, t: Table, leader: Seat, tell: list[Event]) -> Table:
        """Let that seat lead the next deal; the one before it that is alive deals."""
        standing = t.standing._replace(dealer=before(t.own.lives, leader))
        return g.dealing.enter(g, t._replace(standing=standing), tell)

    def restarted(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Give everybody lives again, those who were out as well; the pool stays as it is."""
        tell.append(public("restarted", amount=self.lives))
        calls = (0,) * g.seats if self.forgiven else t.own.doctor_calls
        t = t._replace(own=t.own._replace(lives=(self.lives,) * g.seats, doctor_calls=calls))
        return self._passed_on(g, t, (t.leader + 1) % g.seats, tell)

    def _ended(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Pay the pool out; dealer and leader stay named."""
        ended = end_match(g, t, t.standing, tell)._replace(leader=t.leader)
        (winner,) = living(g, t)
        tell.append(public("pool_won", winner, amount=self.paid_in(g, t.own)))
        return ended

    # ------------------------------------------------------------------ money and lives, as everybody sees them

    def paid(self, own: Lives, seat: Seat) -> int:
        """Count what a seat has paid into the pool."""
        return self.stake + self.fee * own.doctor_calls_total[seat]

    def paid_in(self, g: TrickGame, own: Lives) -> int:
        """Count what all have paid into the pool."""
        return self.stake * g.seats + self.fee * sum(own.doctor_calls_total)

    def pool(self, g: TrickGame, t: Table) -> int:
        """Count what lies in the pool; the winner of the match has taken it."""
        return 0 if g.over(t) else self.paid_in(g, t.own)

    def net(self, g: TrickGame, t: Table) -> tuple[int, ...]:
        """Count what each seat has received, less what it has paid."""
        won = self.winners(g, t) if g.over(t) else frozenset()
        return tuple((self.paid_in(g, t.own) if seat in won else 0) - self.paid(t.own, seat) for seat in g.everybody)

    def scores(self, g: TrickGame, t: Table) -> tuple[int, ...]:
        """Give the lives left."""
        return tuple([number or 0 for number in t.own.lives])

    def winners(self, g: TrickGame, t: Table) -> frozenset[Seat]:
        """Name the seat that is still alive."""
        return frozenset(living(g, t))

    def facts(self, g: TrickGame, t: Table) -> tuple[Fact, ...]:
        """Say who leads the deal, who is out, and all lives, calls and payments."""
        own: Lives = t.own
        leader = [Fact("leader", first_leader(g, t), seen_by=EVERYBODY)] if t.phase != g.lot else []
        out = [Fact("out", 1, seat, EVERYBODY) for seat, number in enumerate(own.lives) if number is None]
        rows = {
            "lives": self.scores(g, t),
            "doctor_calls": own.doctor_calls,
            "doctor_calls_total": own.doctor_calls_total,
            "net": self.net(g, t),
        }
        by_seat = [Fact(name, number, seat, EVERYBODY) for name, row in rows.items() for seat, number in enumerate(row)]
        return (*leader, Fact("pool", self.pool(g, t), seen_by=EVERYBODY), *out, *by_seat)

    # ------------------------------------------------------------------ what cannot be

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Object to rows that no table can show, and to lives, dealers and leaders that do not fit the phase."""
        own: Lives = t.own
        for name in ("lives", "doctor_calls", "doctor_calls_total"):
            row = getattr(own, name)
            numbers = [number or 0 for number in row]
            if len(row) != g.seats or min(numbers) < 0 or max(numbers) > MOST:
                return name, f"there must be {g.seats} numbers from 0 to {MOST}"
        if any(map(gt, own.doctor_calls, own.doctor_calls_total)):
            return "doctor_calls", "nobody has called more often since a restart than in the whole match"
        if self.limit is not None and any(self.counted(own.doctor_calls, seat) > self.limit for seat in g.everybody):
            return "doctor_calls", f"the doctor comes {self.limit} times at most"
        if self.paid_in(g, own) > MOST:
            return "doctor_calls_total", f"a pool holds {MOST} at most"
        if self.cap is not None and max(self.scores(g, t)) > self.cap:
            return "lives", f"nobody has more than {self.cap} lives"
        return self._lives_fault(g, t) or self._leader_fault(g, t)

    def _lives_fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        left, waiting = living(g, t), 0 in t.own.lives
        if t.phase == DOCTOR:
            if waiting and self.may_call(t.own, calling(g, t)):
                return None
            return "lives", "only a seat without lives that may call is asked about the doctor"
        if waiting:
            return "lives", "a seat without lives is out, unless it is asked about the doctor"
        if (len(left) == 1) != g.over(t) or not left:
            return "lives", "one seat has lives when the match is over, and more before"
        return None

    def _leader_fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """The dealer sits before the leader of the deal; when lives have been lost either may be out already."""
        if t.phase == g.lot:
            return None
        if t.phase in (DOCTOR, self.over):
            named = bool(t.tricks) and t.leader == t.tricks[0].leader
            return None if named else ("leader", "the leader of the last deal stays named until the next")
        if t.own.lives[t.standing.dealer] and first_leader(g, t) == after(t.own.lives, t.standing.dealer):
            return None
        return "leader", "the dealer has lives, and the next seat with lives leads the deal"


def first_leader(g: TrickGame, t: Table) -> Seat:
    """Name the seat that leads the deal in hand; between deals that of the coming one, after the match of the last."""
    return t.tricks[0].leader if t.tricks and running(g, t) else t.leader


def with_lives(t: Table, seat: Seat, number: int | None) -> Table:
    """Give that seat so many lives, None where it is out."""
    lives = t.own.lives
    return t._replace(own=t.own._replace(lives=(*lives[:seat], number, *lives[seat + 1 :])))


def calling(g: TrickGame, t: Table) -> Seat:
    """Name the seat that is asked about the doctor."""
    return next(seat for seat in onwards(g.seats, t.leader) if t.own.lives[seat] == 0)


def last_alive(g: TrickGame) -> LastAlive:
    """Give the way a match for lives is won."""
    if not isinstance(g.series, LastAlive):
        raise TypeError(g.key)
    return g.series
