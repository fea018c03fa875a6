"""What no table of this family can look like, so that a position which was handed in can be played on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from chitarrella.exchange.agreement import divides
from chitarrella.exchange.dealing import PACK, SEATS
from chitarrella.exchange.ending import GAME_OVER, MATCH_OVER
from chitarrella.exchange.midway import Fault, deal_faults, reached
from chitarrella.exchange.reentry import REENTRY_NOW
from chitarrella.exchange.round import ANNOUNCED, DOWN, INN, MOST_MONEY, MOST_NAMED, OPEN, Round, in_game
from chitarrella.exchange.tokens import in_order, is_whole
from chitarrella.words import LONGEST_NAME, Shares

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame

MOST = 1_000_000
"""No game comes near this number of deals, tokens or eliminations."""
MOST_OWED = 10**16 - 1
"""Nobody comes near having paid or received so much; there is room above it for what is paid at inns."""
WAITING_FOR_CARDS = (SEATS, PACK)
OVER = (GAME_OVER, MATCH_OVER)


def fault(g: ExchangeGame, r: Round) -> Fault | None:
    """Name the field and the reason why ``r`` cannot be, None where it can be played on."""
    checks: tuple[Callable[[ExchangeGame, Round], Iterator[Fault]], ...] = (
        standing_faults,
        money_faults,
        share_faults,
        seat_faults,
        card_faults,
        debt_faults,
        phase_faults,
    )
    return next((found for check in checks for found in check(g, r)), None)


def standing_faults(g: ExchangeGame, r: Round) -> Iterator[Fault]:
    """Check the numbers that go on from deal to deal."""
    standing = r.standing
    if r.phase not in g.phases:
        yield "phase", f"this game has the phases {', '.join(sorted(g.phases))}"
    if len(standing.tokens) != g.seats or not all(0 <= tokens <= MOST for tokens in standing.tokens):
        yield "tokens", f"there must be {g.seats} numbers from 0 to {MOST}"
    if not any(standing.tokens):
        yield "tokens", "somebody has tokens"
    if not 0 <= standing.dealer < g.seats:
        yield "dealer", f"seats are numbered from 0 to {g.seats - 1}"
    if not (0 <= standing.deal <= MOST and 0 <= standing.counter <= MOST):
        yield "deal", f"deals and eliminations are numbers from 0 to {MOST}"
    if r.held and not standing.deal:
        yield "deal", "cards lie on the table, so it is the first deal at least"
    if list(standing.virgins) != sorted({seat for seat in standing.virgins if 0 <= seat < g.seats}):
        yield "virgins", "virgins are seats, named once, in order"
    if any(standing.tokens[seat] != g.tokens for seat in standing.virgins):
        yield "virgins", f"a virgin has {g.tokens} tokens"
    drawn = bool(g.drawn_from) and r.phase != WAITING_FOR_CARDS[0]
    if sorted(standing.listed) != list(range(g.seats)) * drawn:
        yield "listed", "where seats were drawn every listed player has one"
    if r.phase == WAITING_FOR_CARDS[0] and (r.held or standing.deal):
        yield "phase", "seats are drawn before the first deal"


def money_faults(g: ExchangeGame, r: Round) -> Iterator[Fault]:
    """Check the pool and what was paid."""
    standing = r.standing
    if not 0 <= standing.pool <= MOST_MONEY:
        yield "pool", f"a pool holds from 0 to {MOST_MONEY}"
    if not proper(standing.net, g.seats) or in_order(dict(standing.net)) != standing.net:
        yield "net", "persons are named once, seats first and in order"
    if sum(amount for _, amount in standing.net) + standing.pool:
        yield "net", "what persons have paid is what they have received and what is in the pool"
    if [person for person, _ in standing.net][: g.seats] != [str(seat) for seat in range(g.seats)]:
        yield "net", "it names every seat"
    for claim in standing.claims:
        if not 0 <= claim.seat < g.seats or not proper(((claim.person, claim.amount),), g.seats) or claim.amount < 1:
            yield "claims", "somebody has paid something for the tokens of a seat"
    if len(standing.claims) > MOST_NAMED:
        yield "claims", f"there are at most {MOST_NAMED}"
    if list(standing.claims) != sorted(set(standing.claims)):
        yield "claims", "they stand in order, each once"


def share_faults(g: ExchangeGame, r: Round) -> Iterator[Fault]:
    """Check what was promised and agreed."""
    standing = r.standing
    promised = [0] * g.seats
    for promise in standing.promises:
        if not (0 <= promise.guest < g.seats and 0 <= promise.host < g.seats and 1 <= promise.percent <= 100):
            yield "promises", "a guest promises a host from 1 to 100 percent"
            return
        promised[promise.guest] += promise.percent
    if max(promised) > 100:
        yield "promises", "nobody promises more than 100 percent"
    if standing.agreement:
        seats = [int(person) for person, _ in standing.agreement if person in map(str, range(g.seats))]
        players = {*in_game(r), *r.pending, *([r.at] if r.phase == REENTRY_NOW else [])}
        if len(set(seats)) != 2 or not divides(standing.agreement, seats) or not players <= set(seats):
            yield "agreement", "the two who are left share 100 percent"
    if standing.next_table and (r.phase != MATCH_OVER or not proper(standing.next_table, g.seats)):
        yield "next_table", "it is named when the game is over"


def proper(shares: Shares, seats: int) -> bool:
    """Tell whether persons are named once, seats by their numbers, with amounts that can be."""
    persons = [person for person, _ in shares]
    return (
        len(set(persons)) == len(persons)
        and all(abs(amount) <= MOST_OWED for _, amount in shares)
        and all(0 < len(person) <= LONGEST_NAME for person in persons)
        and all(not is_whole(person) or person in map(str, range(seats)) for person in persons)
        and len(persons) <= seats + MOST_NAMED
    )


def seat_faults(g: ExchangeGame, r: Round) -> Iterator[Fault]:
    """Check everything that names seats of the present deal."""
    debtors = [seat for debt in r.debts for seat in debt]
    named = [r.at, *r.chain, *r.pending, *r.asked, *r.order, *debtors]
    named += [seat for seat in (r.asker, r.target) if seat is not None]
    if min(named) < 0 or max(named) >= g.seats:
        yield "seat", f"seats are numbered from 0 to {g.seats - 1}"
    if not r.held and (r.order or r.chain or r.pending or r.debts or r.asked or r.asker is not None):
        yield "order", "before the first deal nobody has spoken"
    if r.held and (len(r.order) < 2 or len(set(r.order)) != len(r.order)):
        yield "order", "two seats or more speak, each once"
    for name, seats in (("chain", r.chain), ("pending", r.pending)):
        if [seat for seat in r.order if seat in seats] != list(seats):
            yield name, "seats stand in the order of speech"
    if not set(r.asked) | set(debtors) <= set(r.order):
        yield "order", "only those who speak do anything in a deal"
    if not (0 <= r.offer[0] <= 1_000_000_000 and 0 <= r.offer[1] <= 100 and 0 <= r.offers <= MOST):
        yield "offer", "an offer is money and a percentage"


def card_faults(g: ExchangeGame, r: Round) -> Iterator[Fault]:
    """Check that every card lies somewhere and only once, as far as the deal has come."""
    if not r.held:
        if r.pack or r.aside or r.phase not in WAITING_FOR_CARDS:
            yield "held", "cards lie on the table, so every seat has a place for one"
        return
    if len(r.held) != g.seats:
        yield "held", f"there must be {g.seats} places"
    lying = [held for held in r.held if held is not None]
    if not {held.lies for held in lying} | {aside.lies for aside in r.aside} <= {DOWN, ANNOUNCED, OPEN}:
        yield "held", f"a card lies {DOWN}, {ANNOUNCED} or {OPEN}"
    if any(aside.seat not in r.order for aside in r.aside):
        yield "aside", "a card laid aside was somebody's who speaks"
    if any(held.card.rank != INN and held.lies == ANNOUNCED for held in lying):
        yield "held", "only inns are announced"
    cards = [*(held.card for held in lying), *(aside.card for aside in r.aside), *r.pack]
    if sorted(cards) != sorted(g.cards_for(len(r.order))):
        yield "held", "hands, cards laid aside and pack must hold the whole pack, each card as often as it has it"
    known = [seat in reached(r) for seat in r.order]
    if known != sorted(known, reverse=True):
        yield "held", "cards are dealt in the order of speech"
    if any(held is not None and seat not in r.order for seat, held in enumerate(r.held)):
        yield "held", "only who speaks has a card"


def debt_faults(g: ExchangeGame, r: Round) -> Iterator[Fault]:
    """Check who answers for whom: each for one, and everybody for somebody who has spoken before him."""
    place = {seat: number for number, seat in enumerate(r.order)}
    hosts, guests = {debt.host for debt in r.debts}, {debt.guest for debt in r.debts}
    if not len(hosts) == len(guests) == len(r.debts) or not hosts <= set(reached(r)):
        yield "debts", "a host who has his card answers for one guest, and nobody else for that guest"
    elif any(place[debt.guest] >= place[debt.host] for debt in r.debts):
        yield "debts", "a host answers for a guest who has spoken before him"
    asked = r.phase != REENTRY_NOW and r.asker is not None
    if asked and any(debt.host == r.target or debt.guest == r.asker for debt in r.debts):
        yield "debts", "what is still asked has bound nobody yet"


def phase_faults(g: ExchangeGame, r: Round) -> Iterator[Fault]:
    """Check what the phase demands."""
    if r.phase not in (*OVER, *WAITING_FOR_CARDS):
        yield from deal_faults(g, r)
        return
    players = in_game(r)
    if (r.phase in OVER) != (len(players) == 1):
        yield "tokens", "the game is over when one seat has tokens"
    if r.phase in OVER and (r.standing.pool or not r.held):
        yield "pool", "the prize is given when the game is over"
    if r.pending or r.asked or r.proposal or r.reverse or r.asker is not None or r.target is not None or r.chain:
        yield "phase", "between deals nothing is left to be settled"
    if r.at or any(r.offer) or r.offers:
        yield "phase", "between deals nobody has the word"
    if r.phase not in OVER and r.standing.dealer not in players:
        yield "dealer", "a seat without tokens does not deal"
