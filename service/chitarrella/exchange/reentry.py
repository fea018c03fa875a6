"""Who has lost the last token: he may buy himself back in while a virgin is left, alone or with a syndicate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.exchange.act import Act, plain
from chitarrella.exchange.round import MOST_MONEY, MOST_NAMED, Claim, Round, Standing
from chitarrella.exchange.tokens import in_order, is_whole, paid, refilled
from chitarrella.exchange.turns import TURN
from chitarrella.words import Event, Form, Move, Reason, Refusal, Seat, Shares, public

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame

REENTRY, REENTRY_NOW = "reentry", "reentry_now"
WRONG_CONTRIBUTIONS = Reason(
    "wrong_contributions",
    "Whole amounts from 1 must add up to {word}, each from the player himself, from somebody out of the game or from"
    " a spectator, nobody named twice, and no more people than a book can hold.",
)


class Price:
    """How the price of a re-entry rises: it doubles with everything that is counted."""

    def taken(self, counter: int) -> int:
        """Count somebody who has lost the last token."""
        return counter

    def bought(self, counter: int) -> int:
        """Count a re-entry that was paid."""
        return counter

    def cost(self, stake: int, counter: int) -> int:
        """Give the price, once the player has been counted."""
        raise NotImplementedError


class PerElimination(Price):
    """It doubles with each player who loses the last token, whether or not he comes back."""

    def taken(self, counter: int) -> int:
        """Count him."""
        return counter + 1

    def cost(self, stake: int, counter: int) -> int:
        """Ask for the stake of the first."""
        return stake << max(counter - 1, 0)


class PerReentry(Price):
    """It doubles with each re-entry that is paid."""

    def bought(self, counter: int) -> int:
        """Count the re-entry."""
        return counter + 1

    def cost(self, stake: int, counter: int) -> int:
        """Ask for the stake of the first."""
        return stake << counter


@dataclass(frozen=True)
class Reentry:
    """Whether there is paid re-entry at all, how its price rises, and whether others may help to pay it."""

    price: Price
    offered: bool = True
    syndicates: bool = True

    def cost(self, g: ExchangeGame, standing: Standing) -> int | None:
        """Give the price for the player just counted; None where he has no right to come back."""
        if not self.offered or not standing.virgins or standing.counter > MOST_MONEY.bit_length():
            return None
        cost = self.price.cost(g.stake, standing.counter)
        return cost if standing.pool + cost <= MOST_MONEY else None


# ---------------------------------------------------------------------- one after the other


def settle(g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
    """After the comparison: everybody re-enters free, or those without tokens are taken in the order of speech."""
    if not any(r.standing.tokens):
        return g.finish(free_for_all(g, r, tell), tell)
    return take_next(g, r, tell)


def free_for_all(g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
    """Give everybody of the game new tokens for nothing; an agreement is void."""
    tell.append(public("free_reentry"))
    standing = refilled(r.standing, g.tokens, range(g.seats))._replace(agreement=())
    return r._replace(standing=standing, pending=())


def take_next(g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
    """Ask the next of those without tokens, where he has the right; when all are settled, end the deal."""
    while r.pending:
        seat = r.pending[0]
        r = counted_out(g, r)
        if g.reentry.cost(g, r.standing) is not None:
            return r._replace(phase=REENTRY, at=seat)
        r = eliminated(r, seat, tell)
    return g.finish(r, tell)


def counted_out(g: ExchangeGame, r: Round) -> Round:
    """Count a player who has lost the last token."""
    standing = r.standing
    return r._replace(standing=standing._replace(counter=g.reentry.price.taken(standing.counter)))


def eliminated(r: Round, seat: Seat, tell: list[Event]) -> Round:
    """Let a seat be out of the game: it waits for no decision any more."""
    tell.append(public("eliminated", seat))
    return r._replace(pending=tuple(other for other in r.pending if other != seat))


def cost_of(g: ExchangeGame, r: Round) -> int:
    """Give the price that the seat on turn is asked for."""
    return g.reentry.cost(g, r.standing) or 0


class Reenter(Act):
    """Pay, alone or with others, and come back."""

    form = Form(
        "reenter",
        "Pay the price and come back; the shares say who pays how much, none that the player pays it all.",
        frozenset({REENTRY, REENTRY_NOW}),
        shares=True,
    )
    reasons = (WRONG_CONTRIBUTIONS,)

    def objections(self, g: ExchangeGame, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to amounts and persons that cannot be."""
        if not move.shares:
            return ()
        cost = cost_of(g, r)
        persons = [person for person, _ in move.shares]
        amounts = [amount for _, amount in move.shares]
        right = (
            sum(amounts) == cost
            and min(amounts) >= 1
            and len(set(persons)) == len(persons)
            and all(may_pay(g, r, seat, person) for person in persons)
            and has_room(r.standing, seat, persons)
        )
        return () if right else (g.refuse(WRONG_CONTRIBUTIONS, word=str(cost)),)

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Fill the pool and hand out new tokens; who paid has a claim on the prize."""
        cost = cost_of(g, r)
        shares = in_order(dict(move.shares)) or ((str(seat), cost),)
        tell.append(public("reenter", seat, shares=shares))
        standing = refilled(r.standing, g.tokens, (seat,))
        r = r._replace(
            standing=standing._replace(
                pool=standing.pool + cost,
                counter=g.reentry.price.bought(standing.counter),
                claims=tuple(sorted((*standing.claims, *claims(seat, shares)))),
                net=paid(standing.net, ((person, -amount) for person, amount in shares)),
            )
        )
        if r.phase == REENTRY_NOW:
            return g.penalty.go_on(g, r._replace(phase=TURN), tell)
        return take_next(g, r._replace(pending=r.pending[1:]), tell)


def claims(seat: Seat, shares: Shares) -> Iterator[Claim]:
    """Note who has a claim; a player who paid it all needs no note."""
    if [person for person, _ in shares] != [str(seat)]:
        for person, amount in shares:
            yield Claim(seat, person, amount)


def has_room(standing: Standing, seat: Seat, persons: list[str]) -> bool:
    """Tell whether the book of the game has room for these payers of a seat's tokens."""
    named = {person for person in (*persons, *(person for person, _ in standing.net)) if not is_whole(person)}
    noted = [claim for claim in standing.claims if claim.seat != seat]
    return len(named) <= MOST_NAMED and len(noted) + len(persons) <= MOST_NAMED


def may_pay(g: ExchangeGame, r: Round, seat: Seat, person: str) -> bool:
    """Tell whether a person may pay: the player, somebody out of the game, a spectator."""
    if person == str(seat):
        return True
    if not g.reentry.syndicates:
        return False
    if not is_whole(person):
        return bool(person)
    out = [other for other, tokens in enumerate(r.standing.tokens) if not tokens and other not in r.pending]
    return person in map(str, out)


class DeclineReentry(Act):
    """Do not pay: out of the game."""

    form = plain("decline_reentry", "Do not pay, and be out of the game.", REENTRY, REENTRY_NOW, lapse=True)
    said = True

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Eliminate the player."""
        if r.phase == REENTRY_NOW:
            return g.penalty.go_on(g, g.penalty.out(g, r._replace(phase=TURN), seat, tell), tell)
        return take_next(g, eliminated(r, seat, tell), tell)
