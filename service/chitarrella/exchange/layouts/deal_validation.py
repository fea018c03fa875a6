"""Validation of a deal in progress: the seat to move, the open question, and the cards dealt."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TypeAlias

from chitarrella.core.model import Seat
from chitarrella.exchange.base import Rules
from chitarrella.exchange.effects.inn_bargain import INN_ANSWER, INN_OFFER, bargain_terms, unpromised_percent
from chitarrella.exchange.effects.inn_guarantee import INN_GUEST, INN_HOST
from chitarrella.exchange.faces import INN
from chitarrella.exchange.phases.pool_split import SPLIT_ANSWER, SPLIT_OFFER, is_full_split
from chitarrella.exchange.phases.reentry import REENTRY, REENTRY_NOW
from chitarrella.exchange.phases.turns import DEALER_TURN
from chitarrella.exchange.round import ANNOUNCED, Round, in_game

Fault: TypeAlias = tuple[str, str]
"""A field, and what is impossible about it."""

POOL_SPLIT_PHASES = (SPLIT_OFFER, SPLIT_ANSWER)
"""The phases in which the last two seats may agree to divide the pool, instead of a deal."""
OPEN_EXCHANGE_PHASES = (INN_GUEST, INN_HOST, INN_OFFER, INN_ANSWER, REENTRY_NOW)
"""The phases in the middle of an exchange: a seat has asked, and its card has not been changed yet."""


def dealt_seats(r: Round) -> list[Seat]:
    """Return the seats that have been dealt a card, in the order of speech."""
    held, out = r.held, [aside.seat for aside in r.aside]
    return [seat for seat in r.order if held[seat] is not None or seat in out]


def deal_faults(g: Rules, r: Round) -> Iterator[Fault]:
    """Check a deal in progress."""
    tokens, order, dealt = r.match_state.tokens, r.order, dealt_seats(r)
    turns = [(seat - r.match_state.dealer - 1) % g.seats for seat in order]
    if turns != sorted(turns) or order[-1] != r.match_state.dealer or not set(order).issuperset(in_game(r)):
        yield "order", "those with tokens speak, the seat after the dealer first and the dealer last"
    settling = r.phase == REENTRY
    if settling != bool(r.pending) or any(tokens[seat] for seat in r.pending) or (settling and r.at != r.pending[0]):
        yield "pending", "after the comparison those without tokens are asked, one after the other"
    if r.phase in (REENTRY, REENTRY_NOW) and g.reentry.cost(g.stake, r.match_state) is None:
        yield "phase", "nobody has the right to re-enter"
    if (r.phase in POOL_SPLIT_PHASES) == bool(dealt) or (settling and len(dealt) != len(order)):
        yield "held", "cards are dealt after the talk, and all of them before the comparison"
    if not settling:
        yield from token_faults(g, r, dealt)
    if r.phase in POOL_SPLIT_PHASES:
        yield from pool_split_faults(r)
        return
    if r.proposal or r.asked:
        yield "proposal", "the last two talk before the deal"
    if settling and (r.asker is not None or r.target is not None or r.reverse or r.chain or any(r.offer) or r.offers):
        yield "phase", "after the comparison no exchange is left to be settled"
    if not settling:
        yield from turn_faults(r, dealt)
        yield from exchange_faults(g, r, dealt)


def token_faults(g: Rules, r: Round, dealt: list[Seat]) -> Iterator[Fault]:
    """Check which seats have tokens while cards are dealt and exchanged; those of ``dealt`` have, or had, a card."""
    out = {seat for seat in r.order if not r.match_state.tokens[seat]}
    asked = {r.at} if r.phase == REENTRY_NOW else set()
    if not out:
        return
    if out - set(dealt):
        yield "tokens", "who waits for a card has a token"
    if not g.penalty.settles_after_comparison(False) and any(r.held[seat] is not None for seat in out - asked):
        yield "tokens", "whose card lies on the table has a token, unless that is the question"
    if not asked and out & {r.asker, r.target}:
        yield "tokens", "guest and host have tokens"


def turn_faults(r: Round, dealt: list[Seat]) -> Iterator[Fault]:
    """Check the seat to move; those of ``dealt`` have, or had, a card."""
    if r.held[r.at] is None or bool(r.match_state.tokens[r.at]) != (r.phase != REENTRY_NOW):
        yield "at", "who has the word has a card, and a token unless that is the question"
    if not r.match_state.tokens[r.order[-1]]:
        yield "tokens", "the dealer loses no token before the comparison"
    mover = r.at if r.asker is None else r.asker
    if any(r.held[seat] is None for seat in r.chain) or (r.chain and (r.chain[-1] != mover or r.phase == REENTRY_NOW)):
        yield "chain", "the card on the move has come to the seat that decides, or asks"
    if r.phase in OPEN_EXCHANGE_PHASES:
        return
    last = dealt[-1]
    if r.at != last or (r.phase == DEALER_TURN) != (last == r.order[-1]):
        yield "at", "the seat that was dealt the last card decides, the dealer in a phase of his own"


def exchange_faults(g: Rules, r: Round, dealt: list[Seat]) -> Iterator[Fault]:
    """Check the exchange that is not settled; the seats of ``dealt`` have, or had, a card."""
    guest, host, asking = r.asker, r.target, r.phase in OPEN_EXCHANGE_PHASES
    if (any(r.offer) or r.offers) and r.phase not in (INN_OFFER, INN_ANSWER):
        yield "offer", "offers are made at an inn"
    if any(r.offer) != (r.phase == INN_ANSWER) or (r.phase == INN_ANSWER and not r.offers):
        yield "offer", "an offer waits for its answer"
    if r.reverse and r.phase != REENTRY_NOW:
        yield "reverse", "only a re-entry keeps a card from being sent back"
    if guest is None or host is None:
        if asking or guest is not None or host is not None:
            yield "asker", "an exchange that is not settled has an asker and a target"
        return
    before = (guest, host) in combinations(r.order, 2)
    if not asking or not before or host != dealt[-1] or r.held[host] is None:
        yield "target", "the target was dealt the last card, the asker one before"
    elif r.phase == REENTRY_NOW:
        if r.reverse and r.at != guest:
            yield "reverse", "it is the asker's card that is sent back"
        return
    elif r.at != (guest if r.phase in (INN_GUEST, INN_OFFER) else host) or r.held[guest] is None:
        yield "at", "guest and host have the word in turn"
    if r.phase in (INN_OFFER, INN_ANSWER):
        yield from bargain_faults(g, r)
    held = r.held[host]
    if held is None or held.card.rank != INN or held.lies != ANNOUNCED:
        yield "held", "the host has announced an inn"


def bargain_faults(g: Rules, r: Round) -> Iterator[Fault]:
    """Check what the guest has offered at the inn."""
    inn, (money, percent) = bargain_terms(g), r.offer
    if percent > min(inn.max_percent, unpromised_percent(r, r.asker or 0)) or not 0 <= money <= inn.max_money:
        yield "offer", "an offer is of the kinds agreed upon, and of no more than is not promised yet"
    if r.offers > inn.rounds - (r.phase == INN_OFFER):
        yield "offers", f"a guest makes {inn.rounds} offers at most"


def pool_split_faults(r: Round) -> Iterator[Fault]:
    """Check the talk about the pool."""
    if len(r.order) != 2 or r.match_state.agreement or r.debts or r.chain or r.reverse or any(r.offer) or r.offers:
        yield "order", "two talk before the deal while no agreement is in force"
        return
    again = r.phase == SPLIT_OFFER and (r.proposal or r.at in r.asked)
    if r.asker is not None or r.target is not None or r.at not in r.order or len(set(r.asked)) != len(r.asked) or again:
        yield "asked", "each has the word once"
    if r.phase == SPLIT_ANSWER and not (r.asked and r.asked[-1] != r.at and is_full_split(r.proposal, r.order)):
        yield "proposal", "one has proposed how to share, and the other answers"
