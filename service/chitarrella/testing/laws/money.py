"""Laws of money: it is conserved, and every payment is an event."""

from __future__ import annotations

from random import Random

from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Event, Money
from chitarrella.testing.walks import Walk

MOST = 2**53 - 1
"""The largest integer that every client represents exactly."""


def money(walk: Walk, rng: Random) -> None:
    """The pool and the net winnings of all persons sum to zero in every position, and change as the events say.

    The pool is paid out at the end, and not before.
    """
    game = walk.game
    at_first = pool_of(game, game.start())
    for p in walk.positions:
        if (pool := pool_of(game, p)) is None:
            return
        book = book_of(game, p)
        assert pool + sum(book.values()) == 0
        assert 0 <= pool <= MOST
        assert all(type(amount) is int for amount in book.values())
        assert pool == 0 if game.is_finished(p) else pool >= (at_first or 0)
    for step in walk.steps:
        before, after = book_of(game, step.before), book_of(game, step.after)
        moved = {person: amount - before.get(person, 0) for person, amount in after.items()}
        assert before.keys() <= after.keys()
        assert {person: amount for person, amount in moved.items() if amount} == events_of(step.events)


def tokens(walk: Walk, rng: Random) -> None:
    """Tokens change as the events say; new ones come from re-entry only, and no seat becomes a virgin."""
    game = walk.game
    if not any(fact.name == "tokens" for fact in game.facts(walk.positions[0])):
        return
    for step in walk.steps:
        held = list(game.scores(step.before))
        for event in step.events:
            if event.kind in ("lose", "gain") and event.seat is not None:
                held[event.seat] += 1 if event.kind == "gain" else -1
            elif event.kind == "reenter" and event.seat is not None:
                assert held[event.seat] == 0
                held[event.seat] = game.start().match_state.tokens[0]
            elif event.kind == "showdown" and event.seat is not None:
                assert held[event.seat] > 0, "a dead card is not turned up"
            elif event.kind == "free_reentry":
                assert not any(held)
                held = [game.start().match_state.tokens[0]] * game.seats
        assert held == list(game.scores(step.after))
        assert min(held) >= 0
        assert virgins(game, step.after) <= virgins(game, step.before)
        if game.is_finished(step.after):
            assert sum(number > 0 for number in held) == 1


def pool_of(game: AnyGame, p: Position) -> int | None:
    """The amount in the pool, None in a game without money."""
    return next((fact.value for fact in game.facts(p) if fact.name == "pool" and isinstance(fact.value, Money)), None)


def book_of(game: AnyGame, p: Position) -> dict[str, int]:
    """The net winnings by person."""
    return {
        person: amount
        for fact in game.facts(p)
        if fact.name == "net" and isinstance(fact.value, tuple)
        for person, amount in fact.value
    }


def virgins(game: AnyGame, p: Position) -> set[int | None]:
    """The seats that have never lost a token."""
    return {fact.seat for fact in game.facts(p) if fact.name == "virgin"}


def events_of(events: tuple[Event, ...]) -> dict[str, int]:
    """Sum the payments of events by person; zeros are dropped."""
    book: dict[str, int] = {}
    for event in events:
        if event.kind == "pay":
            assert event.amount is not None
            payments = [(str(event.seat), -event.amount), (str(event.other), event.amount)]
        elif event.kind in ("fee_paid", "pool_won"):
            assert event.amount is not None
            payments = [(str(event.seat), event.amount if event.kind == "pool_won" else -event.amount)]
        elif event.kind in ("reenter", "prize"):
            sign = 1 if event.kind == "prize" else -1
            payments = [(person, sign * amount) for person, amount in event.shares]
        else:
            continue
        for person, amount in payments:
            book[person] = book.get(person, 0) + amount
    return {person: amount for person, amount in book.items() if amount}


MONEY_LAWS = (money, tokens)
"""What is paid and owned."""
