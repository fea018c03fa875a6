"""The comparison: the cards are turned up, the lowest pays, fools share the loss, hosts pay for their guests."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chitarrella.exchange.round import OPEN, Round, card_of, live, lying
from chitarrella.exchange.tokens import counted
from chitarrella.words import Event, Seat, public

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame

LOW, MATTO, FOR_GUEST = "low", "matto", "inn"
FOOL, NULLA, CUCKOO = "MAT", "NUL", "XV"
BELOW_CUCKOO = 14.5
"""Where two fools rank in Campli: between the hunter and the cuckoo."""


class Verdict(NamedTuple):
    """What a comparison finds: who gains a token, and whose cards lose one and why, in the order of speech."""

    gains: tuple[Seat, ...]
    losers: tuple[tuple[Seat, str], ...]


class Comparison:
    """A way to compare the cards that are turned up."""

    def verdict(self, g: ExchangeGame, r: Round, seats: tuple[Seat, ...]) -> Verdict:
        """Say who gains and whose cards lose; ``seats`` stand in the order of speech."""
        raise NotImplementedError


class AllLowest(Comparison):
    """Every holder of the lowest card loses, but never one who holds a cuckoo.

    One fool loses beside the lowest of the others; two stand between hunter and cuckoo.
    """

    def verdict(self, g: ExchangeGame, r: Round, seats: tuple[Seat, ...]) -> Verdict:
        """Find the losing cards."""
        fools = [seat for seat in seats if card_of(r, seat).rank == FOOL]
        single = fools if len(fools) == 1 else []
        value: dict[Seat, float] = {
            seat: g.values.get(card_of(r, seat).rank, BELOW_CUCKOO) for seat in seats if seat not in single
        }
        lowest = min(value.values(), default=g.values[CUCKOO])
        why = dict.fromkeys(single, MATTO)
        if lowest < g.values[CUCKOO]:
            why |= {seat: MATTO if seat in fools else LOW for seat, worth in value.items() if worth == lowest}
        return Verdict((), tuple((seat, why[seat]) for seat in seats if seat in why))


class FirstLowest(Comparison):
    """One card is the lowest: of equal ones that of the earlier speaker.

    One fool loses beside the lowest of the others; two are the highest cards, and gain a token each.
    """

    def verdict(self, g: ExchangeGame, r: Round, seats: tuple[Seat, ...]) -> Verdict:
        """Find the losing cards and the gaining ones."""
        fools = tuple(seat for seat in seats if card_of(r, seat).rank == FOOL)
        others = [seat for seat in seats if seat not in fools] or list(fools)
        lowest = min(others, key=lambda seat: g.values.get(card_of(r, seat).rank, 0))
        why = {lowest: LOW} | (dict.fromkeys(fools, MATTO) if len(fools) == 1 else {})
        gains = fools if len(fools) > 1 else ()
        return Verdict(gains, tuple((seat, why[seat]) for seat in seats if seat in why))


def compared(g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
    """Turn up the live cards, take and give the tokens, and tell of it: gains first, then losses by losing card."""
    seats = live(r)
    for seat in seats:
        r = lying(r, seat, OPEN)
        tell.append(public("showdown", seat, (card_of(r, seat),)))
    gains, losers = g.comparison.verdict(g, r, seats)
    payers = answering(g, r, losers)
    change = dict.fromkeys(seats, 0)
    for seat in gains:
        change[seat] += 1
        tell.append(public("gain", seat))
    for loser, why in losers:
        payer = payers[loser]
        change[payer] -= 1
        tell.append(public("lose", payer, word=why if payer == loser else FOR_GUEST))
    both = {seat for seat in gains if payers.get(seat) == seat}  # neither gives nor receives
    touched = {*gains, *payers.values()} - both
    return r._replace(standing=counted(r.standing, change, touched))


def answering(g: ExchangeGame, r: Round, losers: tuple[tuple[Seat, str], ...]) -> dict[Seat, Seat]:
    """Say who pays for each losing card: its owner, or for the nulla of a guest the host who can.

    A host speaks after his guest; so the last loser is looked at first, and it is known what a host pays for himself.
    What he gains need not be known: who is in the game has a token without it.
    """
    hosts = {debt.guest: debt.host for debt in r.debts}
    payers: dict[Seat, Seat] = {}
    for loser, _ in reversed(losers):
        host = hosts.get(loser)
        payers[loser] = loser
        if host is not None and card_of(r, loser).rank == NULLA:
            left = r.standing.tokens[host] - (payers.get(host) == host)
            if left > 0 and card_of(r, host).rank not in g.protectors:
                payers[loser] = host
    return payers
