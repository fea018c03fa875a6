"""Matches of lives: the doctor, the pool, and capotto."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import gt
from typing import NamedTuple, TypeAlias

from chitarrella.core.cards import Hand
from chitarrella.core.model import (
    EVERYBODY,
    Event,
    Fact,
    Money,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    plain_move,
    public_event,
)
from chitarrella.tricks.parts import Action, Fault, MatchFormat, Phase, Rules, TrickEffect, end_match, is_deal_running
from chitarrella.tricks.play import PlayCard
from chitarrella.tricks.table import LOT_PHASE, Table, Trick

DOCTOR = "doctor"  # the phase in which a seat without lives is asked whether it calls the doctor
MAX_NUMBER = 2**31 - 1  # the most lives, calls or money that a position may record: 32-bit numbers on the wire
Row: TypeAlias = tuple[int | None, ...]  # the lives of every seat, None for one that is out


class Lives(NamedTuple):
    """The lives of all seats, and their calls for the doctor since the last restart and in all.

    A seat that has lost its last life has 0 until it is settled, and None when it is out. ``undealt`` are the cards
    that were not dealt, ``dealt_in`` the seats that cards were dealt to.
    """

    lives: Row = ()
    doctor_calls: tuple[int, ...] = ()
    doctor_calls_total: tuple[int, ...] = ()
    undealt: Hand = ()
    dealt_in: tuple[Seat, ...] = ()


@lru_cache
def seats_alive(lives: Row) -> tuple[Seat, ...]:
    return tuple([seat for seat, number in enumerate(lives) if number])


def living_seats(g: Rules, t: Table) -> tuple[Seat, ...]:
    """Return the seats that have a life left; they take part in a deal."""
    return seats_alive(t.own.lives)


def seats_from(seats: int, first: Seat) -> list[Seat]:
    """Return all seats in order of play, beginning with ``first``."""
    return [(first + step) % seats for step in range(seats)]


def next_alive(lives: Row, seat: Seat) -> Seat:
    """Return the next seat with a life after ``seat``; ``seat`` itself where there is no other."""
    return next(found for found in seats_from(len(lives), seat + 1) if lives[found])


def previous_alive(lives: Row, seat: Seat) -> Seat:
    return next(found for found in reversed(seats_from(len(lives), seat)) if lives[found])


def own_calls(calls: tuple[int, ...], seat: Seat) -> int:
    return calls[seat]


def all_calls(calls: tuple[int, ...], seat: Seat) -> int:
    return sum(calls)


def no_calls(calls: tuple[int, ...]) -> tuple[int, ...]:
    """Return no call for each seat: a restart gives them back."""
    return (0,) * len(calls)


def same_calls(calls: tuple[int, ...]) -> tuple[int, ...]:
    """Return ``calls``: a restart gives none back."""
    return calls


@dataclass(frozen=True)
class LastAlive(MatchFormat):
    """The last seat with a life takes the pool of a ``stake`` from everybody and a ``fee`` for each call.

    ``limit`` is how often the doctor comes, None for always. ``count_calls`` counts the calls that use it up, and
    ``calls_after_restart`` returns those that a restart leaves. No gain lifts a seat above the ``cap``.
    """

    lives: int
    cap: int | None
    stake: int
    fee: int
    limit: int | None
    count_calls: Callable[[tuple[int, ...], Seat], int]
    calls_after_restart: Callable[[tuple[int, ...]], tuple[int, ...]]

    def life_changes(self, g: Rules, t: Table, events: list[Event]) -> dict[Seat, int]:
        """Return the lives that the deal just played gives or costs each seat."""
        raise NotImplementedError

    def total_count(self, g: Rules) -> int:
        """Return 0: lives are counted in the game's own record."""
        return 0

    def initial_record(self, g: Rules) -> Lives:
        return Lives((self.lives,) * g.seats, (0,) * g.seats, (0,) * g.seats)

    # ------------------------------------------------------------------ between two deals

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Change all lives at once, then settle the seats that have none left; restart where nobody has one."""
        changes = self.life_changes(g, t, events)
        own: Lives = t.own
        lives = tuple([self.new_lives(number, changes.get(seat, 0)) for seat, number in enumerate(own.lives)])
        for seat, number in enumerate(lives):
            if number is not None and number != own.lives[seat]:
                kind = "life_gained" if changes[seat] > 0 else "life_lost"
                events.append(public_event(kind, seat, amount=number))
        t = t._replace(leader=t.tricks[0].leader, own=own._replace(lives=lives))
        return self.settle_dead_seats(g, t, events) if any(lives) else self.restart(g, t, events)

    def new_lives(self, number: int | None, change: int) -> int | None:
        """Return the lives of a seat after a change; a gain above the cap is lost."""
        if number is None or (change > 0 and number == self.cap):
            return number
        return number + change

    def settle_dead_seats(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Ask or drop the seats without a life, the leader of the deal first; then go on or end the match."""
        while 0 in t.own.lives:
            seat = seat_asked(g, t)
            if self.may_call(t.own, seat):
                return t._replace(phase=DOCTOR)
            events.append(public_event("eliminated", seat))
            t = with_lives(t, seat, None)
        winner, *others = living_seats(g, t)
        if others:
            return self._pass_deal(g, t, next_alive(t.own.lives, t.leader), events)
        ended = end_match(g, t, t.match_state, events)._replace(leader=t.leader)  # it stays as it is
        events.append(public_event("pool_won", winner, amount=self.pool_total(g, t.own)))
        return ended

    def may_call(self, own: Lives, seat: Seat) -> bool:
        """Return whether ``seat`` may call the doctor: two others are alive, and the limit leaves a call."""
        others = [other for other in seats_alive(own.lives) if other != seat]
        return len(others) >= 2 and (self.limit is None or self.count_calls(own.doctor_calls, seat) < self.limit)

    def _pass_deal(self, g: Rules, t: Table, leader: Seat, events: list[Event]) -> Table:
        """Begin the next deal. ``leader`` leads; the seat alive before it deals."""
        match_state = t.match_state._replace(dealer=previous_alive(t.own.lives, leader))
        return g.dealing.enter(g, t._replace(match_state=match_state), events)

    def restart(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Refill the lives of every seat, also of those that were out. The pool stays as it is."""
        events.append(public_event("restarted", amount=self.lives))
        calls = self.calls_after_restart(t.own.doctor_calls)
        t = t._replace(own=t.own._replace(lives=(self.lives,) * g.seats, doctor_calls=calls))
        return self._pass_deal(g, t, (t.leader + 1) % g.seats, events)

    # ------------------------------------------------------------------ money and lives, which are public

    def pool_total(self, g: Rules, own: Lives) -> int:
        """Return what all have paid into the pool."""
        return self.stake * g.seats + self.fee * sum(own.doctor_calls_total)

    def pool(self, g: Rules, t: Table) -> int:
        """Return what lies in the pool; after the match it is empty."""
        return 0 if t.phase == self.end_phase else self.pool_total(g, t.own)

    def net(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return what each seat has received less what it has paid."""
        won = self.winners(g, t) if t.phase == self.end_phase else frozenset()
        paid = [self.stake + self.fee * calls for calls in t.own.doctor_calls_total]
        return tuple(sum(paid) * (seat in won) - amount for seat, amount in enumerate(paid))

    def scores(self, g: Rules, t: Table) -> tuple[int, ...]:
        return tuple([number or 0 for number in t.own.lives])

    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        return frozenset(living_seats(g, t))

    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        """Return the leader of the deal, who is out, and all lives, calls and payments."""
        own: Lives = t.own
        leader = [Fact("leader", first_leader(g, t), seen_by=EVERYBODY)] if t.phase != LOT_PHASE else []
        out = [Fact("out", 1, seat, EVERYBODY) for seat, number in enumerate(own.lives) if number is None]
        rows = {
            "lives": self.scores(g, t),
            "doctor_calls": own.doctor_calls,
            "doctor_calls_total": own.doctor_calls_total,
        }
        by_seat = [Fact(name, number, seat, EVERYBODY) for name, row in rows.items() for seat, number in enumerate(row)]
        pool = Fact("pool", Money(self.pool(g, t)), seen_by=EVERYBODY)
        net = tuple((str(seat), amount) for seat, amount in enumerate(self.net(g, t)))
        return (*leader, pool, *out, *by_seat, Fact("net", net, seen_by=EVERYBODY))

    # ------------------------------------------------------------------ impossible positions

    def fault(self, g: Rules, t: Table) -> Fault | None:
        own: Lives = t.own
        for name in ("lives", "doctor_calls", "doctor_calls_total"):
            row = getattr(own, name)
            numbers = [number or 0 for number in row]
            if len(row) != g.seats or min(numbers) < 0 or max(numbers) > MAX_NUMBER:
                return name, f"there must be {g.seats} numbers from 0 to {MAX_NUMBER}"
        if any(map(gt, own.doctor_calls, own.doctor_calls_total)):
            return "doctor_calls", "nobody has called more often since a restart than in the whole match"
        if self.limit is not None and any(
            self.count_calls(own.doctor_calls, seat) > self.limit for seat in g.seating.everybody
        ):
            return "doctor_calls", f"the doctor comes {self.limit} times at most"
        if self.pool_total(g, own) > MAX_NUMBER:
            return "doctor_calls_total", f"a pool holds {MAX_NUMBER} at most"
        if self.cap is not None and max(self.scores(g, t)) > self.cap:
            return "lives", f"nobody has more than {self.cap} lives"
        return self._lives_fault(g, t) or self._leader_fault(g, t)

    def _lives_fault(self, g: Rules, t: Table) -> Fault | None:
        left, waiting = living_seats(g, t), 0 in t.own.lives
        if t.phase == DOCTOR:
            if waiting and self.may_call(t.own, seat_asked(g, t)):
                return None
            return "lives", "only a seat without lives that may call is asked about the doctor"
        if waiting:
            return "lives", "a seat without lives is out, unless it is asked about the doctor"
        if (len(left) == 1) != (t.phase == self.end_phase) or not left:
            return "lives", "one seat has lives when the match is over, and more before"
        return None

    def _leader_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check that the dealer sits before the leader; after lives were lost either may already be out."""
        if t.phase == LOT_PHASE:
            return None
        if t.phase in (DOCTOR, self.end_phase):
            named = bool(t.tricks) and t.leader == t.tricks[0].leader
            return None if named else ("leader", "the leader of the last deal stays named until the next")
        if t.own.lives[t.match_state.dealer] and first_leader(g, t) == next_alive(t.own.lives, t.match_state.dealer):
            return None
        return "leader", "the dealer has lives, and the next seat with lives leads the deal"


def first_leader(g: Rules, t: Table) -> Seat:
    """Return the leader of the running deal; between deals that of the next one, after the match that of the last."""
    return t.tricks[0].leader if t.tricks and is_deal_running(g, t) else t.leader


def with_lives(t: Table, seat: Seat, number: int | None) -> Table:
    """Return the table in which ``seat`` has so many lives, None where it is out."""
    lives = t.own.lives
    return t._replace(own=t.own._replace(lives=(*lives[:seat], number, *lives[seat + 1 :])))


def seat_asked(g: Rules, t: Table) -> Seat:
    return next(seat for seat in seats_from(g.seats, t.leader) if t.own.lives[seat] == 0)


# The doctor
def increment(row: tuple[int, ...], seat: Seat) -> tuple[int, ...]:
    return tuple([number + (place == seat) for place, number in enumerate(row)])


@dataclass(frozen=True)
class CallDoctor(Action):
    """The seat pays the fee, and gets as many lives as the seat alive with the fewest has."""

    match: LastAlive

    spec = MoveSpec("call_doctor", "Pay the doctor for new lives.", frozenset())

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        own: Lives = t.own
        received = min(own.lives[other] or 0 for other in seats_alive(own.lives))
        events.append(public_event("fee_paid", seat, amount=self.match.fee))
        events.append(public_event("doctor_called", seat, amount=received))
        calls, total = increment(own.doctor_calls, seat), increment(own.doctor_calls_total, seat)
        t = t._replace(own=own._replace(doctor_calls=calls, doctor_calls_total=total))
        return self.match.settle_dead_seats(g, with_lives(t, seat, received), events)


@dataclass(frozen=True)
class DropOut(Action):
    """The seat leaves the match without getting anything back."""

    match: LastAlive

    spec = MoveSpec("drop_out", "Leave the match instead of calling the doctor.", frozenset(), timeout_default=True)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        events.append(public_event("dropped_out", seat))
        return self.match.settle_dead_seats(g, with_lives(t, seat, None), events)


@dataclass(frozen=True)
class Doctor(Phase):
    """The phase after a deal in which the seats without lives are asked one by one, the leader of the deal first."""

    match: LastAlive
    name: str = DOCTOR

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return CallDoctor(self.match), DropOut(self.match)

    def turn(self, g: Rules, t: Table) -> Seat:
        return seat_asked(g, t)


# Capotto
HAND_SIZE = 5  # the number of cards in a hand, and of tricks in a deal
PLAY = "play"  # the name of the phase in which cards are played
ANNUL_NOT_AVAILABLE = Reason(
    "annul_not_available",
    "Only who has won the first four tricks may annul the deal, before leading the last card.",
    depends_on_seat=True,
)


def capotto_seat(t: Table) -> Seat | None:
    """Return the seat that has won all tricks but the last, which is still to be led; None where there is none."""
    if len(t.tricks) != HAND_SIZE - 1 or t.trick:
        return None
    winners = {trick.winner for trick in t.tricks}
    return winners.pop() if len(winners) == 1 else None


class PlayOn(PlayCard):
    """A card of the hand goes to the trick; leading the last one is playing for capotto."""

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Play the card; after the choice the trick is played like others."""
        return super().apply(g, t if t.phase == PLAY else t.with_phase(PLAY), seat, move, events)


class AnnulDeal(Action):
    """The winner of four tricks annuls the deal instead of leading the last card."""

    spec = MoveSpec("annul_deal", "Annul the deal instead of leading the last card.", frozenset())
    reasons = (ANNUL_NOT_AVAILABLE,)
    breaks_off_deal = True

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        return () if capotto_seat(t) is None else (plain_move("annul_deal"),)

    def is_due(self, g: Rules, t: Table, seat: Seat) -> bool:
        """Return whether ``seat`` is the winner of the first four tricks, while the choice is open."""
        return capotto_seat(t) == seat

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        return () if self.is_due(g, t, seat) else (g.refuse(ANNUL_NOT_AVAILABLE),)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Deal again with the same dealer; nobody sees the last cards."""
        events.append(public_event("deal_annulled", seat, amount=t.match_state.deal))
        return g.dealing.enter(g, t, events)


@dataclass(frozen=True)
class LastTrickChoice(Phase):
    """The phase in which the winner of four tricks chooses; before the first card of a deal it is left at once."""

    name: str = "last_trick_choice"
    actions = (PlayOn(), AnnulDeal())

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        t = t._replace(phase=self.name)
        return g.next_phase(t, events) if capotto_seat(t) is None else t


class AfterFourTricks(TrickEffect):
    """After the fourth trick there may be a choice."""

    def apply(self, g: Rules, t: Table, trick: Trick, events: list[Event]) -> Table:
        return t if capotto_seat(t) is None else g.phases[0].enter(g, t, events)
