"""Re-entry: a player who has lost the last token may buy new ones while a virgin is in the game."""

from __future__ import annotations

from collections.abc import Iterator

from chitarrella.core.model import Event, Move, MoveSpec, Reason, Refusal, Seat, Shares, public_event
from chitarrella.exchange.parts import Action, Rules, simple_spec
from chitarrella.exchange.round import (
    MAX_PERSONS,
    MatchState,
    Payment,
    Round,
    add_payments,
    is_number,
    refill_tokens,
    sort_shares,
)
from chitarrella.exchange.turns import TURN

REENTRY, REENTRY_NOW = "reentry", "reentry_now"
"""The phases in which a seat may pay for new tokens: after the deal, and during it."""
WRONG_CONTRIBUTIONS = Reason(
    "wrong_contributions",
    "Whole amounts from 1 must add up to {word}, each from the player himself, from somebody out of the game or from"
    " a spectator, nobody named twice, and no more people than a book can hold.",
    depends_on_seat=True,
)


def settle_losers(g: Rules, r: Round, events: list[Event]) -> Round:
    """Settle the seats without tokens after the comparison: all of them free if nobody has one, else in turn."""
    if not any(r.match_state.tokens):
        return g.finish(free_reentry(g, r, events), events)
    return ask_next(g, r, events)


def free_reentry(g: Rules, r: Round, events: list[Event]) -> Round:
    """Refill the tokens of every seat, at no cost. The agreement is void."""
    events.append(public_event("all_reentered"))
    match_state = refill_tokens(r.match_state, g.tokens, range(g.seats))._replace(agreement=())
    return r._replace(match_state=match_state, pending=())


def ask_next(g: Rules, r: Round, events: list[Event]) -> Round:
    """Ask the next pending seat that has the right to re-enter, and eliminate the others. Then end the deal."""
    while r.pending:
        seat = r.pending[0]
        r = count_loss(g, r)
        if g.reentry.cost(g.stake, r.match_state) is not None:
            return r._replace(phase=REENTRY, at=seat)
        r = eliminate(r, seat, events)
    return g.finish(r, events)


def count_loss(g: Rules, r: Round) -> Round:
    """Count a player who has lost the last token."""
    match_state = r.match_state
    return r._replace(match_state=match_state._replace(counter=g.reentry.price.after_loss(match_state.counter)))


def eliminate(r: Round, seat: Seat, events: list[Event]) -> Round:
    """Remove a seat from the game and from the pending ones."""
    events.append(public_event("eliminated", seat))
    return r._replace(pending=tuple(other for other in r.pending if other != seat))


def reentry_cost(g: Rules, r: Round) -> int:
    """Return the price for the seat to move, 0 where it has no right to re-enter."""
    return g.reentry.cost(g.stake, r.match_state) or 0


class Reenter(Action):
    """Pay the price, alone or with others, and come back."""

    spec = MoveSpec(
        "reenter",
        "Pay the price and come back; the shares say who pays how much, none that the player pays it all.",
        frozenset({REENTRY, REENTRY_NOW}),
        shares=True,
    )
    reasons = (WRONG_CONTRIBUTIONS,)

    def conditions(self, g: Rules, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse amounts that do not add up to the price, and persons who may not pay."""
        if not move.shares:
            return ()
        cost = reentry_cost(g, r)
        persons = [person for person, _ in move.shares]
        amounts = [amount for _, amount in move.shares]
        is_valid = (
            sum(amounts) == cost
            and min(amounts) >= 1
            and len(set(persons)) == len(persons)
            and all(person == str(seat) or g.reentry.helpers(r, person) for person in persons)
            and has_room(r.match_state, seat, persons)
        )
        return () if is_valid else (g.refuse(WRONG_CONTRIBUTIONS, word=str(cost)),)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Add the price to the pool and hand out new tokens. Whoever paid has a claim on the seat's prize."""
        cost = reentry_cost(g, r)
        shares = sort_shares(dict(move.shares)) or ((str(seat), cost),)
        events.append(public_event("reentered", seat, shares=shares))
        match_state = refill_tokens(r.match_state, g.tokens, (seat,))
        r = r._replace(
            match_state=match_state._replace(
                pool=match_state.pool + cost,
                counter=g.reentry.price.after_reentry(match_state.counter),
                claims=tuple(sorted((*match_state.claims, *claims(seat, shares)))),
                net=add_payments(match_state.net, ((person, -amount) for person, amount in shares)),
            )
        )
        if r.phase == REENTRY_NOW:
            return g.penalty.continue_deal(g, r._replace(phase=TURN), events)
        return ask_next(g, r._replace(pending=r.pending[1:]), events)


def claims(seat: Seat, shares: Shares) -> Iterator[Payment]:
    """Yield the claims on the seat's prize; none where the player paid it all."""
    if [person for person, _ in shares] != [str(seat)]:
        for person, amount in shares:
            yield Payment(seat, person, amount)


def has_room(match_state: MatchState, seat: Seat, persons: list[str]) -> bool:
    """Whether the position has room for these payers: at most `MAX_PERSONS` names, and as many claims."""
    named = {person for person in (*persons, *(person for person, _ in match_state.net)) if not is_number(person)}
    noted = [claim for claim in match_state.claims if claim.seat != seat]
    return len(named) <= MAX_PERSONS and len(noted) + len(persons) <= MAX_PERSONS


class DeclineReentry(Action):
    """Do not pay, and leave the game."""

    spec = simple_spec(
        "decline_reentry", "Do not pay, and be out of the game.", REENTRY, REENTRY_NOW, timeout_default=True
    )
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        if r.phase == REENTRY_NOW:
            return g.penalty.continue_deal(g, g.penalty.eliminate(g, r._replace(phase=TURN), seat, events), events)
        return ask_next(g, eliminate(r, seat, events), events)
