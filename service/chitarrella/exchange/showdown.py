"""The comparison of the cards at the end of a deal, and the tokens it costs."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.model import Event, Seat, new_record, public_event
from chitarrella.exchange.parts import CUCKOO, FOOL, NULLA, Comparison, ComparisonResult, Rules
from chitarrella.exchange.round import OPEN, Held, Round, card_of, change_tokens, held_by, live_seats

LOW, MATTO, FOR_GUEST = "low", "matto", "inn"
"""Why a seat loses a token: for the lowest card, for a single fool, for its guest at the inn."""


@dataclass(frozen=True)
class AllLowest(Comparison):
    """Every holder of the lowest card loses a token, but no holder of a cuckoo does.

    One fool loses beside the lowest of the other cards; two have the value ``two_fools``.
    """

    two_fools: float

    def compare(self, g: Rules, r: Round, seats: tuple[Seat, ...]) -> ComparisonResult:
        """Return the losing cards; no seat gains a token."""
        ranks = ranks_of(r, seats)
        fools = [seat for seat, rank in ranks.items() if rank == FOOL]
        single = fools if len(fools) == 1 else []
        values = g.values
        value: dict[Seat, float] = {
            seat: values.get(rank, self.two_fools) for seat, rank in ranks.items() if seat not in single
        }
        lowest = min(value.values(), default=g.values[CUCKOO])
        why = dict.fromkeys(single, MATTO)
        if lowest < g.values[CUCKOO]:
            why |= {seat: MATTO if seat in fools else LOW for seat, worth in value.items() if worth == lowest}
        return ComparisonResult((), tuple((seat, why[seat]) for seat in seats if seat in why))


class FirstLowest(Comparison):
    """One card is the lowest; of equal ones that of the earlier speaker.

    One fool loses beside the lowest of the other cards; two fools gain a token each.
    """

    def compare(self, g: Rules, r: Round, seats: tuple[Seat, ...]) -> ComparisonResult:
        ranks, values = ranks_of(r, seats), g.values
        fools = tuple([seat for seat, rank in ranks.items() if rank == FOOL])
        others = [seat for seat in seats if seat not in fools] or list(fools)
        lowest = min(others, key=lambda seat: values.get(ranks[seat], 0))
        why = {lowest: LOW} | (dict.fromkeys(fools, MATTO) if len(fools) == 1 else {})
        gains = fools if len(fools) > 1 else ()
        return ComparisonResult(gains, tuple((seat, why[seat]) for seat in seats if seat in why))


def ranks_of(r: Round, seats: tuple[Seat, ...]) -> dict[Seat, str]:
    """Return the rank of the card of each of ``seats``, in their order."""
    return {seat: card_of(r, seat).rank for seat in seats}


def compare_cards(g: Rules, r: Round, events: list[Event]) -> Round:
    """Turn the live cards up, then give and take tokens. Events: gains first, then losses by losing card."""
    seats = live_seats(r)
    held = list(r.held)
    for seat in seats:
        card, _, moved = held_by(r, seat)
        held[seat] = new_record(Held, (card, OPEN, moved))
        events.append(public_event("card_revealed", seat, (card,)))
    r = r.with_cards(tuple(held), r.pack)
    gains, losers = g.comparison.compare(g, r, seats)
    payers = find_payers(g, r, losers)
    change = dict.fromkeys(seats, 0)
    for seat in gains:
        change[seat] += 1
        events.append(public_event("token_gained", seat))
    for loser, why in losers:
        payer = payers[loser]
        change[payer] -= 1
        events.append(public_event("token_lost", payer, word=why if payer == loser else FOR_GUEST))
    unchanged = {seat for seat in gains if payers.get(seat) == seat}  # gains one and loses one: stays a virgin
    touched = {*gains, *payers.values()} - unchanged
    return r.with_match_state(change_tokens(r.match_state, change, touched))


def find_payers(g: Rules, r: Round, losers: tuple[tuple[Seat, str], ...]) -> dict[Seat, Seat]:
    """Return the payer of each losing card: its owner, or for a guest's nulla the host.

    A host pays only if he has a token left after his own loss. He speaks after his guest, so the losers are visited
    from last to first, and a host's own loss is known when his guest's turn comes. His gain does not matter: a seat in
    the game has a token without it.
    """
    hosts = {debt.guest: debt.host for debt in r.debts}
    payers: dict[Seat, Seat] = {}
    for loser, _ in reversed(losers):
        host = hosts.get(loser)
        payers[loser] = loser
        if host is not None and card_of(r, loser).rank == NULLA:
            left = r.match_state.tokens[host] - (payers.get(host) == host)
            if left > 0 and card_of(r, host).rank not in g.protectors:
                payers[loser] = host
    return payers
