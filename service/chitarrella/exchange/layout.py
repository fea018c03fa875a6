"""Where the cards of a round lie, what else is true of it, and whether it is possible: its zones, facts and faults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import TypeAlias

from chitarrella.core.model import CHANCE, EVERYBODY, NOBODY, Fact, Money, Seat, Viewer, Zone, ZoneSpec
from chitarrella.exchange.bargains import MAX_OFFER, are_valid_shares, is_full_split
from chitarrella.exchange.deal import reentry_cost
from chitarrella.exchange.parts import INN, Rules
from chitarrella.exchange.round import ANNOUNCED, DOWN, MAX_MONEY, MAX_PERSONS, OPEN, Phases, Round, add_shares


# Where the cards lie
def zone_specs(g: Rules) -> tuple[ZoneSpec, ...]:
    """Return every kind of zone that `zones` may yield. A card that was shown is seen by everybody."""
    left_out = ZoneSpec("left_out", "The card that this number of players leaves out.", "everybody")
    return (
        ZoneSpec("pack", "The cards that are not dealt yet.", "nobody"),
        ZoneSpec("hand", "The cards that a seat holds.", "owner"),
        ZoneSpec("aside", "A card that a seat has laid aside; one zone for each.", "owner"),
        *((left_out,) if g.single_fool_from else ()),
    )


def zones(g: Rules, r: Round) -> Iterator[Zone]:
    """Yield every card of the pack in exactly one zone. Before the first deal all cards are in the pack."""
    for seat, held in enumerate(r.held):
        is_hidden = held is None or held.lies == DOWN
        yield Zone("hand", seat, (held.card,) if held else (), frozenset({seat}) if is_hidden else EVERYBODY)
    for seat, card, lies in r.aside:
        yield Zone("aside", seat, (card,), frozenset({seat}) if lies == DOWN else EVERYBODY)
    yield Zone("pack", None, r.pack if r.held else g.pack.cards, NOBODY)
    if r.held and (left_out := g.left_out(len(r.order))):
        yield Zone("left_out", None, left_out, EVERYBODY)


def redeal(g: Rules, r: Round, viewer: Viewer, zones: Sequence[Zone]) -> Round:
    """Return ``r`` with its cards as in ``zones``, in the order of `zones`; everything beside the cards is public."""
    lying = iter([zone.cards for zone in zones])
    if not r.held:
        return r
    return r._replace(
        held=tuple([held and held._replace(card=cards[0]) for held, cards in zip(r.held, lying, strict=False)]),
        aside=tuple([one._replace(card=cards[0]) for one, cards in zip(r.aside, lying, strict=False)]),
        pack=next(lying),
    )


def facts(g: Rules, r: Round) -> Iterator[Fact]:
    """Yield what is public beside the cards: tokens, money, promises and announced cards."""
    match_state, fact = r.match_state, partial(Fact, seen_by=EVERYBODY)
    yield from (fact("deal", match_state.deal), fact("dealer", match_state.dealer))
    yield fact("pool", Money(match_state.pool))
    if r.phase in Phases.PAY:
        yield fact("cost", Money(reentry_cost(g, r) or 0))
    yield from (fact("tokens", tokens, seat) for seat, tokens in enumerate(match_state.tokens))
    yield from (fact("virgin", 1, seat) for seat in match_state.virgins)
    yield from (fact("announced", one.card, seat) for seat, one in enumerate(r.held) if one and one.lies == ANNOUNCED)
    yield from (fact("guarantee", debt.guest, debt.host) for debt in r.debts)
    for seat in range(g.seats):
        if members := tuple((claim.person, claim.amount) for claim in match_state.claims if claim.seat == seat):
            yield fact("syndicate", members, seat)
        if hosts := tuple((str(host), percent) for guest, host, percent in match_state.promises if guest == seat):
            yield fact("promised", hosts, seat)
    if any(r.offer):
        yield fact("offered_money", Money(r.offer[0]), r.asker)
        yield fact("offered_share", ((str(r.target), r.offer[1]),), r.asker)
    shares = {"agreement": match_state.agreement, "proposal": r.proposal, "net": match_state.net}
    yield from (fact(name, value) for name, value in shares.items() if value)
    yield from (fact("listed", number, seat) for seat, number in enumerate(match_state.listed))
    if match_state.next_table:
        yield fact("next_game", match_state.next_table)


# Whether a position is possible
Fault: TypeAlias = tuple[str, str]  # a field, and what is impossible about it
MAX_COUNT = 1_000_000  # limit of the numbers of deals, tokens and eliminations; no real game comes near it


def faults(g: Rules, r: Round) -> Iterator[Fault]:
    """Yield why the position cannot be played on. Each check relies on those before it: only the first fault counts."""
    for find in (match_state_faults, money_faults, share_faults, seat_faults, card_faults, debt_faults):
        yield from find(g, r)
    yield from idle_faults(g, r) if g.turn(r) in (None, CHANCE) else deal_faults(g, r)


def match_state_faults(g: Rules, r: Round) -> Iterator[Fault]:
    """Check the numbers that go on from deal to deal."""
    match_state, seats, is_lot = r.match_state, g.seats, r.phase == Phases.AWAIT_SEATS
    tokens, virgins = match_state.tokens, match_state.virgins
    if r.phase not in g.phases:
        yield "phase", f"this game has the phases {', '.join(g.phases)}"
    if len(tokens) != seats or min(tokens) < 0 or max(tokens) > MAX_COUNT:
        yield "tokens", f"there must be {seats} numbers from 0 to {MAX_COUNT}"
    if not any(tokens):
        yield "tokens", "somebody has tokens"
    if not 0 <= match_state.dealer < seats:
        yield "dealer", f"seats are numbered from 0 to {seats - 1}"
    if not (0 <= match_state.deal <= MAX_COUNT and 0 <= match_state.counter <= MAX_COUNT):
        yield "deal", f"deals and eliminations are numbers from 0 to {MAX_COUNT}"
    if r.held and not match_state.deal:
        yield "deal", "cards lie on the table, so it is the first deal at least"
    if virgins and list(virgins) != sorted({seat for seat in virgins if 0 <= seat < seats}):
        yield "virgins", "virgins are seats, named once, in order"
    if any(tokens[seat] != g.tokens for seat in virgins):
        yield "virgins", f"a virgin has {g.tokens} tokens"
    if sorted(match_state.listed) != list(range(seats)) * (g.drawn_from > 0 and not is_lot):
        yield "listed", "where seats were drawn every listed player has one"
    if is_lot and (r.held or match_state.deal):
        yield "phase", "seats are drawn before the first deal"


def money_faults(g: Rules, r: Round) -> Iterator[Fault]:
    match_state, seats, names = r.match_state, g.seats, g.seat_names
    if not 0 <= match_state.pool <= MAX_MONEY:
        yield "pool", f"a pool holds from 0 to {MAX_MONEY}"
    net, claims = match_state.net, match_state.claims
    persons = tuple([person for person, _ in net])
    if not are_valid_shares(net, names) or (persons != names and add_shares((), net) != net):
        yield "net", "persons are named once, seats first and in order"
    if sum([amount for _, amount in net]) + match_state.pool:
        yield "net", "what persons have paid is what they have received and what is in the pool"
    if persons[:seats] != names:
        yield "net", "it names every seat"
    for seat, person, amount in claims:
        if not 0 <= seat < seats or amount < 1 or not are_valid_shares(((person, amount),), names):
            yield "claims", "somebody has paid something for the tokens of a seat"
    if len(claims) > MAX_PERSONS:
        yield "claims", f"there are at most {MAX_PERSONS}"
    if claims and list(claims) != sorted(set(claims)):
        yield "claims", "they stand in order, each once"


def share_faults(g: Rules, r: Round) -> Iterator[Fault]:
    """Check promises, agreement and next table."""
    match_state, seats, promised = r.match_state, range(g.seats), [0] * g.seats
    for guest, host, percent in match_state.promises:
        if guest not in seats or host not in seats or not 1 <= percent <= 100:
            yield "promises", "a guest promises a host from 1 to 100 percent"
        promised[guest] += percent
    if max(promised) > 100:
        yield "promises", "nobody promises more than 100 percent"
    if match_state.agreement:
        sharing = [int(person) for person, _ in match_state.agreement if person in g.seat_names]
        staying = {*r.in_game(), *r.pending, *([r.at] if r.phase == Phases.REENTRY_NOW else [])}
        if len(set(sharing)) != 2 or not is_full_split(match_state.agreement, sharing) or not staying <= set(sharing):
            yield "agreement", "the two who are left share 100 percent"
    next_table = match_state.next_table
    if next_table and (r.phase != Phases.MATCH_OVER or not are_valid_shares(next_table, g.seat_names)):
        yield "next_table", "it is named when the game is over"


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
        if r.pack or r.aside or g.turn(r) != CHANCE:
            yield "held", "cards lie on the table, so every seat has a place for one"
        return
    if len(r.held) != g.seats:
        yield "held", f"there must be {g.seats} places"
    order = set(r.order)
    lying = [held for held in r.held if held is not None]
    if not {DOWN, ANNOUNCED, OPEN}.issuperset([*[held.lies for held in lying], *[one.lies for one in r.aside]]):
        yield "held", f"a card lies {DOWN}, {ANNOUNCED} or {OPEN}"
    if not order.issuperset([one.seat for one in r.aside]):
        yield "aside", "a card laid aside was somebody's who speaks"
    if any(held.lies == ANNOUNCED and held.card.rank != INN for held in lying):
        yield "held", "only inns are announced"
    cards = [*[held.card for held in lying], *[one.card for one in r.aside], *r.pack, *g.left_out(len(r.order))]
    if not g.pack.holds_exactly(cards):
        yield "held", "hands, cards laid aside and pack must hold the whole pack, each card as often as it has it"
    dealt = dealt_seats(r)
    if [*r.order[: len(dealt)]] != dealt:
        yield "held", "cards are dealt in the order of speech"
    if not order.issuperset([seat for seat, held in enumerate(r.held) if held is not None]):
        yield "held", "only who speaks has a card"


def debt_faults(g: Rules, r: Round) -> Iterator[Fault]:
    """Check the guarantees: each host answers for one guest, who has spoken before him."""
    if not r.debts:
        return
    hosts, guests = {debt.host for debt in r.debts}, {debt.guest for debt in r.debts}
    if not len(hosts) == len(guests) == len(r.debts) or not hosts <= set(dealt_seats(r)):
        yield "debts", "a host who has his card answers for one guest, and nobody else for that guest"
    elif any((debt.guest, debt.host) not in combinations(r.order, 2) for debt in r.debts):
        yield "debts", "a host answers for a guest who has spoken before him"
    asked = r.phase != Phases.REENTRY_NOW and r.asker is not None
    if asked and (r.target in hosts or r.asker in guests):
        yield "debts", "what is still asked has bound nobody yet"


def idle_faults(g: Rules, r: Round) -> Iterator[Fault]:
    """Check a position in which no seat has the word: before or between deals, or after the game."""
    staying, is_over = r.in_game(), g.is_finished(r)
    if is_over != (len(staying) == 1):
        yield "tokens", "the game is over when one seat has tokens"
    if is_over and (r.match_state.pool or not r.held):
        yield "pool", "the prize is given when the game is over"
    if r.pending or r.asked or r.proposal or is_exchange_open(r):
        yield "phase", "between deals nothing is left to be settled"
    if r.at or any(r.offer) or r.offers:
        yield "phase", "between deals nobody has the word"
    if not is_over and r.match_state.dealer not in staying:
        yield "dealer", "a seat without tokens does not deal"


def dealt_seats(r: Round) -> list[Seat]:
    """Return the seats that have been dealt a card, in the order of speech."""
    out = [aside.seat for aside in r.aside]
    return [seat for seat in r.order if r.held[seat] is not None or seat in out]


def is_exchange_open(r: Round) -> bool:
    """Whether something is left of an exchange that is not settled."""
    return r.asker is not None or r.target is not None or r.reverse or bool(r.chain)


def deal_faults(g: Rules, r: Round) -> Iterator[Fault]:
    tokens, order, dealt = r.match_state.tokens, r.order, dealt_seats(r)
    turns = [(seat - r.match_state.dealer - 1) % g.seats for seat in order]
    settling, talking = r.phase == Phases.REENTRY, r.phase in Phases.SPLIT
    if turns != sorted(turns) or order[-1] != r.match_state.dealer or not set(order).issuperset(r.in_game()):
        yield "order", "those with tokens speak, the seat after the dealer first and the dealer last"
    if settling != bool(r.pending) or any(tokens[seat] for seat in r.pending) or (settling and r.at != r.pending[0]):
        yield "pending", "after the comparison those without tokens are asked, one after the other"
    if r.phase in Phases.PAY and (reentry_cost(g, r) is None or r.phase not in g.last_token.phases):
        yield "phase", "nobody has the right to re-enter"
    if talking == bool(dealt) or (settling and len(dealt) != len(order)):
        yield "held", "cards are dealt after the talk, and all of them before the comparison"
    if not settling:
        yield from token_faults(g, r, dealt)
    if talking:
        yield from pool_split_faults(r)
        return
    if r.proposal or r.asked:
        yield "proposal", "the last two talk before the deal"
    if not settling:
        yield from turn_faults(r, dealt)
        yield from exchange_faults(g, r, dealt)
    elif is_exchange_open(r) or any(r.offer) or r.offers:
        yield "phase", "after the comparison no exchange is left to be settled"


def token_faults(g: Rules, r: Round, dealt: list[Seat]) -> Iterator[Fault]:
    """Check which seats have tokens while cards are dealt and exchanged; those of ``dealt`` have, or had, a card."""
    out = {seat for seat in r.order if not r.match_state.tokens[seat]}
    asked = {r.at} if r.phase == Phases.REENTRY_NOW else set()
    if not out <= set(dealt):
        yield "tokens", "who waits for a card has a token"
    if Phases.REENTRY_NOW in g.last_token.phases and any(r.held[seat] is not None for seat in out - asked):
        yield "tokens", "whose card lies on the table has a token, unless that is the question"
    if not asked and out & {r.asker, r.target}:
        yield "tokens", "guest and host have tokens"


def turn_faults(r: Round, dealt: list[Seat]) -> Iterator[Fault]:
    """Check the seat to move; those of ``dealt`` have, or had, a card."""
    is_question, last, dealer = r.phase == Phases.REENTRY_NOW, dealt[-1], r.order[-1]
    own_phase = {Phases.TURN: last != dealer, Phases.DEALER_TURN: last == dealer}
    if r.held[r.at] is None or bool(r.match_state.tokens[r.at]) == is_question:
        yield "at", "who has the word has a card, and a token unless that is the question"
    if not r.match_state.tokens[dealer]:
        yield "tokens", "the dealer loses no token before the comparison"
    mover = r.at if r.asker is None else r.asker
    if r.chain and (is_question or r.chain[-1] != mover or any(r.held[seat] is None for seat in r.chain)):
        yield "chain", "the card on the move has come to the seat that decides, or asks"
    if r.phase in own_phase and not (r.at == last and own_phase[r.phase]):
        yield "at", "the seat that was dealt the last card decides, the dealer in a phase of his own"


def exchange_faults(g: Rules, r: Round, dealt: list[Seat]) -> Iterator[Fault]:
    """Check the exchange that is not settled; the seats of ``dealt`` have, or had, a card."""
    guest, host, asking = r.asker, r.target, r.phase not in Phases.TURNS
    if (any(r.offer) or r.offers) and r.phase not in (Phases.INN_OFFER, Phases.INN_ANSWER):
        yield "offer", "offers are made at an inn"
    if any(r.offer) != (r.phase == Phases.INN_ANSWER) or (r.phase == Phases.INN_ANSWER and not r.offers):
        yield "offer", "an offer waits for its answer"
    if r.reverse and r.phase != Phases.REENTRY_NOW:
        yield "reverse", "only a re-entry keeps a card from being sent back"
    if guest is None or host is None:
        if asking or guest is not None or host is not None:
            yield "asker", "an exchange that is not settled has an asker and a target"
        return
    held = r.held[host]
    if not asking or (guest, host) not in combinations(r.order, 2) or host != dealt[-1] or held is None:
        yield "target", "the target was dealt the last card, the asker one before"
    elif r.phase == Phases.REENTRY_NOW:
        if r.reverse and r.at != guest:
            yield "reverse", "it is the asker's card that is sent back"
        return
    elif r.at != (guest if r.phase in (Phases.INN_GUEST, Phases.INN_OFFER) else host) or r.held[guest] is None:
        yield "at", "guest and host have the word in turn"
    if not g.offer_terms.allow(r, guest, *r.offer):
        yield "offer", "an offer is of the kinds agreed upon, and of no more than is not promised yet"
    if r.offers > g.offer_terms.rounds - (r.phase == Phases.INN_OFFER):
        yield "offers", f"a guest makes {g.offer_terms.rounds} offers at most"
    if held is None or held.card.rank != INN or held.lies != ANNOUNCED:
        yield "held", "the host has announced an inn"


def pool_split_faults(r: Round) -> Iterator[Fault]:
    begun = r.debts or r.chain or r.reverse or any(r.offer) or r.offers
    if begun or len(r.order) != 2 or r.match_state.agreement:
        yield "order", "two talk before the deal while no agreement is in force"
        return
    again = r.phase == Phases.SPLIT_OFFER and (r.proposal or r.at in r.asked)
    if r.asker is not None or r.target is not None or r.at not in r.order or len(set(r.asked)) != len(r.asked) or again:
        yield "asked", "each has the word once"
    if r.phase == Phases.SPLIT_ANSWER and not (r.asked and r.asked[-1] != r.at and is_full_split(r.proposal, r.order)):
        yield "proposal", "one has proposed how to share, and the other answers"
