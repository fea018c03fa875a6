"""Whether a position of an exchange game is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, combinations
from typing import TypeAlias

from chitarrella.core.cards import Card
from chitarrella.core.model import MAX_NAME_LENGTH, Seat, Shares
from chitarrella.exchange.ending import GAME_OVER, MATCH_OVER, SPLIT_ANSWER, SPLIT_OFFER, is_full_split
from chitarrella.exchange.inn_bargains import (
    INN_ANSWER,
    INN_GUEST,
    INN_HOST,
    INN_OFFER,
    MAX_OFFER,
)
from chitarrella.exchange.parts import INN, Rules
from chitarrella.exchange.reentry import REENTRY, REENTRY_NOW
from chitarrella.exchange.round import (
    ANNOUNCED,
    DOWN,
    MAX_MONEY,
    MAX_PERSONS,
    OPEN,
    Round,
    in_game,
    is_number,
    sort_shares,
)
from chitarrella.exchange.turns import AWAIT_SEATS, DEALER_TURN, NEW_DEAL

# Validation of a deal in progress
Fault: TypeAlias = tuple[str, str]  # a field, and what is impossible about it

POOL_SPLIT_PHASES = (SPLIT_OFFER, SPLIT_ANSWER)
"""The phases in which the last two seats may agree to divide the pool, instead of a deal."""
OPEN_EXCHANGE_PHASES = (INN_GUEST, INN_HOST, INN_OFFER, INN_ANSWER, REENTRY_NOW)
"""The phases in the middle of an exchange: a seat has asked, and its card has not been changed yet."""


def dealt_seats(r: Round) -> list[Seat]:
    """Return the seats that have been dealt a card, in the order of speech."""
    held, out = r.held, [aside.seat for aside in r.aside]
    return [seat for seat in r.order if held[seat] is not None or seat in out]


def deal_faults(g: Rules, r: Round) -> Iterator[Fault]:
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
        yield from chain.from_iterable(effect.faults(r) for effect in g.effects.values())
    held = r.held[host]
    if held is None or held.card.rank != INN or held.lies != ANNOUNCED:
        yield "held", "the host has announced an inn"


def pool_split_faults(r: Round) -> Iterator[Fault]:
    if len(r.order) != 2 or r.match_state.agreement or r.debts or r.chain or r.reverse or any(r.offer) or r.offers:
        yield "order", "two talk before the deal while no agreement is in force"
        return
    again = r.phase == SPLIT_OFFER and (r.proposal or r.at in r.asked)
    if r.asker is not None or r.target is not None or r.at not in r.order or len(set(r.asked)) != len(r.asked) or again:
        yield "asked", "each has the word once"
    if r.phase == SPLIT_ANSWER and not (r.asked and r.asked[-1] != r.at and is_full_split(r.proposal, r.order)):
        yield "proposal", "one has proposed how to share, and the other answers"


MAX_COUNT = 1_000_000  # limit of the numbers of deals, tokens and eliminations; no real game comes near it
MAX_BALANCE = 10**16 - 1
"""Limit of what a person has paid or received. It leaves room above `MAX_MONEY` for payments at inns."""
WAITING_FOR_CARDS = (AWAIT_SEATS, NEW_DEAL)  # the phases in which chance has to supply a lot or a pack
FINISHED_PHASES = (GAME_OVER, MATCH_OVER)  # the phases after the last deal of a game
STATES = frozenset({DOWN, ANNOUNCED, OPEN})  # how a card may lie


def find_fault(g: Rules, r: Round) -> Fault | None:
    """Return the field at fault and the reason; None where the position can be played on."""
    for check in CHECKS:
        for found in check(g, r):
            return found
    return None


def match_state_faults(g: Rules, r: Round) -> Iterator[Fault]:
    """Check the numbers that go on from deal to deal."""
    match_state = r.match_state
    if r.phase not in g.phases:
        yield "phase", f"this game has the phases {', '.join(sorted(g.phases))}"
    tokens, seats = match_state.tokens, g.seats
    if len(tokens) != seats or min(tokens) < 0 or max(tokens) > MAX_COUNT:
        yield "tokens", f"there must be {g.seats} numbers from 0 to {MAX_COUNT}"
    if not any(tokens):
        yield "tokens", "somebody has tokens"
    if not 0 <= match_state.dealer < g.seats:
        yield "dealer", f"seats are numbered from 0 to {g.seats - 1}"
    if not (0 <= match_state.deal <= MAX_COUNT and 0 <= match_state.counter <= MAX_COUNT):
        yield "deal", f"deals and eliminations are numbers from 0 to {MAX_COUNT}"
    if r.held and not match_state.deal:
        yield "deal", "cards lie on the table, so it is the first deal at least"
    if virgins := match_state.virgins:
        if list(virgins) != sorted({seat for seat in virgins if 0 <= seat < seats}):
            yield "virgins", "virgins are seats, named once, in order"
        if [tokens[seat] for seat in virgins].count(g.tokens) != len(virgins):
            yield "virgins", f"a virgin has {g.tokens} tokens"
    drawn = bool(g.drawn_from) and r.phase != WAITING_FOR_CARDS[0]
    if sorted(match_state.listed) != list(range(seats)) * drawn:
        yield "listed", "where seats were drawn every listed player has one"
    if r.phase == WAITING_FOR_CARDS[0] and (r.held or match_state.deal):
        yield "phase", "seats are drawn before the first deal"


def money_faults(g: Rules, r: Round) -> Iterator[Fault]:
    match_state = r.match_state
    if not 0 <= match_state.pool <= MAX_MONEY:
        yield "pool", f"a pool holds from 0 to {MAX_MONEY}"
    net, names = match_state.net, seat_names(g.seats)
    persons = tuple([person for person, _ in net])
    if not are_valid_shares(net, g.seats) or (persons != names and sort_shares(dict(net)) != net):
        yield "net", "persons are named once, seats first and in order"
    if sum([amount for _, amount in net]) + match_state.pool:
        yield "net", "what persons have paid is what they have received and what is in the pool"
    if persons[: g.seats] != names:
        yield "net", "it names every seat"
    for claim in match_state.claims:
        if (
            not 0 <= claim.seat < g.seats
            or not are_valid_shares(((claim.person, claim.amount),), g.seats)
            or claim.amount < 1
        ):
            yield "claims", "somebody has paid something for the tokens of a seat"
    if len(match_state.claims) > MAX_PERSONS:
        yield "claims", f"there are at most {MAX_PERSONS}"
    if match_state.claims and list(match_state.claims) != sorted(set(match_state.claims)):
        yield "claims", "they stand in order, each once"


def share_faults(g: Rules, r: Round) -> Iterator[Fault]:
    """Check promises, agreement and next table."""
    match_state = r.match_state
    promised = [0] * g.seats
    for promise in match_state.promises:
        if not (0 <= promise.guest < g.seats and 0 <= promise.host < g.seats and 1 <= promise.percent <= 100):
            yield "promises", "a guest promises a host from 1 to 100 percent"
            return
        promised[promise.guest] += promise.percent
    if max(promised) > 100:
        yield "promises", "nobody promises more than 100 percent"
    if match_state.agreement:
        seats = [int(person) for person, _ in match_state.agreement if person in map(str, range(g.seats))]
        staying = {*in_game(r), *r.pending, *([r.at] if r.phase == REENTRY_NOW else [])}
        if len(set(seats)) != 2 or not is_full_split(match_state.agreement, seats) or not staying <= set(seats):
            yield "agreement", "the two who are left share 100 percent"
    if match_state.next_table and (r.phase != MATCH_OVER or not are_valid_shares(match_state.next_table, g.seats)):
        yield "next_table", "it is named when the game is over"


def are_valid_shares(shares: Shares, seats: int) -> bool:
    """Whether persons are named once, seats by their numbers, with amounts within bounds."""
    persons, names = tuple([person for person, _ in shares]), seat_names(seats)
    if max([abs(amount) for _, amount in shares], default=0) > MAX_BALANCE:
        return False
    return persons == names or (
        len(set(persons)) == len(persons)
        and all(0 < len(person) <= MAX_NAME_LENGTH for person in persons)
        and all(person in names or not is_number(person) for person in persons)
        and len(persons) <= seats + MAX_PERSONS
    )


@lru_cache
def seat_names(seats: int) -> tuple[str, ...]:
    return tuple(map(str, range(seats)))


def seat_faults(g: Rules, r: Round) -> Iterator[Fault]:
    """Check every field that names seats of this deal."""
    order = r.order
    debtors = [seat for debt in r.debts for seat in debt]
    named = [r.at, *r.chain, *r.pending, *r.asked, *order, *debtors]
    named += [seat for seat in (r.asker, r.target) if seat is not None]
    if min(named) < 0 or max(named) >= g.seats:
        yield "seat", f"seats are numbered from 0 to {g.seats - 1}"
    if not r.held and (order or r.chain or r.pending or r.debts or r.asked or r.asker is not None):
        yield "order", "before the first deal nobody has spoken"
    if r.held and (len(order) < 2 or len(set(order)) != len(order)):
        yield "order", "two seats or more speak, each once"
    for name, seats in (("chain", r.chain), ("pending", r.pending)):
        if seats and [seat for seat in order if seat in seats] != list(seats):
            yield name, "seats stand in the order of speech"
    if (r.asked or debtors) and not {*r.asked, *debtors} <= set(order):
        yield "order", "only those who speak do anything in a deal"
    if not (0 <= r.offer[0] <= MAX_OFFER and 0 <= r.offer[1] <= 100 and 0 <= r.offers <= MAX_COUNT):
        yield "offer", "an offer is money and a percentage"


def card_faults(g: Rules, r: Round) -> Iterator[Fault]:
    """Check that every card is in exactly one place, as far as the deal has come."""
    if not r.held:
        if r.pack or r.aside or r.phase not in WAITING_FOR_CARDS:
            yield "held", "cards lie on the table, so every seat has a place for one"
        return
    if len(r.held) != g.seats:
        yield "held", f"there must be {g.seats} places"
    order, aside = r.order, r.aside
    lying = [held for held in r.held if held is not None]
    states = [lies for _, lies, _ in lying]
    if not STATES.issuperset(states) or not STATES.issuperset([lies for _, _, lies in aside]):
        yield "held", f"a card lies {DOWN}, {ANNOUNCED} or {OPEN}"
    if aside and any(one.seat not in order for one in aside):
        yield "aside", "a card laid aside was somebody's who speaks"
    if ANNOUNCED in states and any(lies == ANNOUNCED and card.rank != INN for card, lies, _ in lying):
        yield "held", "only inns are announced"
    cards = [*[card for card, _, _ in lying], *[card for _, card, _ in aside], *r.pack]
    if not is_whole_pack(g, cards, len(order)):
        yield "held", "hands, cards laid aside and pack must hold the whole pack, each card as often as it has it"
    dealt = dealt_seats(r)
    if [*order[: len(dealt)]] != dealt:
        yield "held", "cards are dealt in the order of speech"
    if not set(order).issuperset([seat for seat, held in enumerate(r.held) if held is not None]):
        yield "held", "only who speaks has a card"


def is_whole_pack(g: Rules, cards: list[Card], players: int) -> bool:
    """Return whether ``cards`` are those of a deal with this number of players, in any order."""
    pack, left_out = g.pack, g.left_out(players)
    if len(cards) != len(pack.cards) - len(left_out):
        return False
    return pack.weigh(cards) == pack.weight - pack.weigh(left_out)


def debt_faults(g: Rules, r: Round) -> Iterator[Fault]:
    """Check the guarantees: each host answers for one guest, who has spoken before him."""
    if not r.debts:
        return
    place = {seat: number for number, seat in enumerate(r.order)}
    hosts, guests = {debt.host for debt in r.debts}, {debt.guest for debt in r.debts}
    if not len(hosts) == len(guests) == len(r.debts) or not hosts <= set(dealt_seats(r)):
        yield "debts", "a host who has his card answers for one guest, and nobody else for that guest"
    elif any(place[debt.guest] >= place[debt.host] for debt in r.debts):
        yield "debts", "a host answers for a guest who has spoken before him"
    asked = r.phase != REENTRY_NOW and r.asker is not None
    if asked and any(debt.host == r.target or debt.guest == r.asker for debt in r.debts):
        yield "debts", "what is still asked has bound nobody yet"


def phase_faults(g: Rules, r: Round) -> Iterator[Fault]:
    if r.phase not in (*FINISHED_PHASES, *WAITING_FOR_CARDS):
        yield from deal_faults(g, r)
        return
    staying = in_game(r)
    if (r.phase in FINISHED_PHASES) != (len(staying) == 1):
        yield "tokens", "the game is over when one seat has tokens"
    if r.phase in FINISHED_PHASES and (r.match_state.pool or not r.held):
        yield "pool", "the prize is given when the game is over"
    if r.pending or r.asked or r.proposal or r.reverse or r.asker is not None or r.target is not None or r.chain:
        yield "phase", "between deals nothing is left to be settled"
    if r.at or any(r.offer) or r.offers:
        yield "phase", "between deals nobody has the word"
    if r.phase not in FINISHED_PHASES and r.match_state.dealer not in staying:
        yield "dealer", "a seat without tokens does not deal"


CHECKS: tuple[Callable[[Rules, Round], Iterator[Fault]], ...] = (
    match_state_faults,
    money_faults,
    share_faults,
    seat_faults,
    card_faults,
    debt_faults,
    phase_faults,
)
"""Every check, in order; each relies on those before it."""
