"""What a deal that is being played cannot look like: who has the word, what is asked, and which cards lie there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from chitarrella.exchange import agreement, bargain
from chitarrella.exchange.inn import GUEST, HOST
from chitarrella.exchange.reentry import REENTRY, REENTRY_NOW
from chitarrella.exchange.round import ANNOUNCED, Round, in_game, speakers
from chitarrella.exchange.turns import DEALER_TURN
from chitarrella.words import Seat

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame

Fault: TypeAlias = tuple[str, str]
"""A field, and what is impossible about it."""

TALKING = (agreement.OFFER, agreement.ANSWER)
ASKING = (GUEST, HOST, bargain.OFFER, bargain.ANSWER, REENTRY_NOW)


def reached(r: Round) -> list[Seat]:
    """Name the seats that have been dealt a card, in the order of speech."""
    out = {aside.seat for aside in r.aside}
    return [seat for seat in r.order if r.held[seat] is not None or seat in out]


def deal_faults(g: ExchangeGame, r: Round) -> Iterator[Fault]:
    """Check a deal that is being played."""
    tokens = r.standing.tokens
    whole = r._replace(standing=r.standing._replace(tokens=tuple(int(seat in r.order) for seat in range(g.seats))))
    if r.order != speakers(whole) or r.order[-1] != r.standing.dealer or not set(in_game(r)) <= set(r.order):
        yield "order", "those with tokens speak, the seat after the dealer first and the dealer last"
    settling = r.phase == REENTRY
    if settling != bool(r.pending) or any(tokens[seat] for seat in r.pending) or (settling and r.at != r.pending[0]):
        yield "pending", "after the comparison those without tokens are asked, one after the other"
    if r.phase in (REENTRY, REENTRY_NOW) and g.reentry.cost(g, r.standing) is None:
        yield "phase", "nobody has the right to re-enter"
    if (r.phase in TALKING) == bool(reached(r)) or (settling and len(reached(r)) != len(r.order)):
        yield "held", "cards are dealt after the talk, and all of them before the comparison"
    if not settling:
        yield from living_faults(g, r)
    if r.phase in TALKING:
        yield from talk_faults(r)
        return
    if r.proposal or r.asked:
        yield "proposal", "the last two talk before the deal"
    if settling and (r.asker is not None or r.target is not None or r.reverse or r.chain or any(r.offer) or r.offers):
        yield "phase", "after the comparison no exchange is left to be settled"
    if not settling:
        yield from turn_faults(r)
        yield from exchange_faults(g, r)


def living_faults(g: ExchangeGame, r: Round) -> Iterator[Fault]:
    """Check who is still in the game while the cards go round."""
    out = {seat for seat in r.order if not r.standing.tokens[seat]}
    asked = {r.at} if r.phase == REENTRY_NOW else set()
    if out - set(reached(r)):
        yield "tokens", "who waits for a card has a token"
    if not g.penalty.settles(False) and any(r.held[seat] is not None for seat in out - asked):
        yield "tokens", "whose card lies on the table has a token, unless that is the question"
    if not asked and out & {r.asker, r.target}:
        yield "tokens", "guest and host have tokens"


def turn_faults(r: Round) -> Iterator[Fault]:
    """Check the seat that has the word."""
    if r.held[r.at] is None or bool(r.standing.tokens[r.at]) != (r.phase != REENTRY_NOW):
        yield "at", "who has the word has a card, and a token unless that is the question"
    if not r.standing.tokens[r.order[-1]]:
        yield "tokens", "the dealer loses no token before the comparison"
    mover = r.at if r.asker is None else r.asker
    if any(r.held[seat] is None for seat in r.chain) or (r.chain and (r.chain[-1] != mover or r.phase == REENTRY_NOW)):
        yield "chain", "the card on the move has come to the seat that decides, or asks"
    if r.phase in ASKING:
        return
    last = reached(r)[-1]
    if r.at != last or (r.phase == DEALER_TURN) != (last == r.order[-1]):
        yield "at", "the seat that was dealt the last card decides, the dealer in a phase of his own"


def exchange_faults(g: ExchangeGame, r: Round) -> Iterator[Fault]:
    """Check the exchange that is waiting to be settled."""
    guest, host, asking = r.asker, r.target, r.phase in ASKING
    if (any(r.offer) or r.offers) and r.phase not in (bargain.OFFER, bargain.ANSWER):
        yield "offer", "offers are made at an inn"
    if any(r.offer) != (r.phase == bargain.ANSWER) or (r.phase == bargain.ANSWER and not r.offers):
        yield "offer", "an offer waits for its answer"
    if r.reverse and r.phase != REENTRY_NOW:
        yield "reverse", "only a re-entry keeps a card from being sent back"
    if guest is None or host is None:
        if asking or guest is not None or host is not None:
            yield "asker", "an exchange that is not settled has an asker and a target"
        return
    before = r.order.index(guest) < r.order.index(host) if {guest, host} <= set(r.order) else False
    if not asking or not before or host != reached(r)[-1] or r.held[host] is None:
        yield "target", "the target was dealt the last card, the asker one before"
    elif r.phase == REENTRY_NOW:
        if r.reverse and r.at != guest:
            yield "reverse", "it is the asker's card that is sent back"
        return
    elif r.at != (guest if r.phase in (GUEST, bargain.OFFER) else host) or r.held[guest] is None:
        yield "at", "guest and host have the word in turn"
    if r.phase in (bargain.OFFER, bargain.ANSWER):
        yield from bargain_faults(g, r)
    held = r.held[host]
    if held is None or held.card.rank != "XI" or held.lies != ANNOUNCED:
        yield "held", "the host has announced an inn"


def bargain_faults(g: ExchangeGame, r: Round) -> Iterator[Fault]:
    """Check what the guest has offered at the inn."""
    inn, (money, percent) = bargain.terms(g), r.offer
    if percent > bargain.unpromised(r, r.asker or 0) or (money and not inn.money) or (percent and not inn.pool_share):
        yield "offer", "an offer is of the kinds agreed upon, and of no more than is not promised yet"
    if r.offers > inn.rounds - (r.phase == bargain.OFFER):
        yield "offers", f"a guest makes {inn.rounds} offers at most"


def talk_faults(r: Round) -> Iterator[Fault]:
    """Check the talk of the last two."""
    if len(r.order) != 2 or r.standing.agreement or r.debts or r.chain or r.reverse or any(r.offer) or r.offers:
        yield "order", "two talk before the deal while no agreement is in force"
        return
    again = r.phase == agreement.OFFER and (r.proposal or r.at in r.asked)
    if r.asker is not None or r.target is not None or r.at not in r.order or len(set(r.asked)) != len(r.asked) or again:
        yield "asked", "each has the word once"
    if r.phase == agreement.ANSWER and not (r.asked and r.asked[-1] != r.at and agreement.divides(r.proposal, r.order)):
        yield "proposal", "one has proposed how to share, and the other answers"
