"""Validation of a decoded position: the first reason why no game can have led to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from chitarrella.core.cards import Card
from chitarrella.core.model import MAX_NAME_LENGTH, Shares
from chitarrella.exchange.base import Rules
from chitarrella.exchange.effects.inn_bargain import MAX_OFFER
from chitarrella.exchange.faces import INN
from chitarrella.exchange.layouts.deal_validation import Fault, deal_faults, dealt_seats
from chitarrella.exchange.phases.dealing import AWAIT_SEATS, NEW_DEAL
from chitarrella.exchange.phases.ending import GAME_OVER, MATCH_OVER
from chitarrella.exchange.phases.pool_split import is_full_split
from chitarrella.exchange.phases.reentry import REENTRY_NOW
from chitarrella.exchange.round import ANNOUNCED, DOWN, MAX_MONEY, MAX_PERSONS, OPEN, Round, in_game
from chitarrella.exchange.tokens import is_number, sort_shares

MAX_COUNT = 1_000_000
"""Limit of the numbers of deals, tokens and eliminations; no real game comes near it."""
MAX_BALANCE = 10**16 - 1
"""Limit of what a person has paid or received. It leaves room above `MAX_MONEY` for payments at inns."""
WAITING_FOR_CARDS = (AWAIT_SEATS, NEW_DEAL)
"""The phases in which chance has to supply a lot or a pack."""
FINISHED_PHASES = (GAME_OVER, MATCH_OVER)
"""The phases after the last deal of a game."""
STATES = frozenset({DOWN, ANNOUNCED, OPEN})
"""How a card may lie."""


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
    """Check the pool and the balances."""
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
    """Return the names that the seats have as persons."""
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
    """Check what the phase requires."""
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
