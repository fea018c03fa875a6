"""What two seats agree upon: guest and host at the inn, and the last two, who may divide the pool before a deal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from chitarrella.core.model import ANY_AMOUNT, MAX_NAME_LENGTH, Event, Move, Reason, Refusal, Seat, Shares, public_event
from chitarrella.exchange.deal import swap
from chitarrella.exchange.parts import INN, Action, Rules, Word, schema, word
from chitarrella.exchange.round import ANNOUNCED, MAX_PERSONS, Debt, Phases, Promise, Round, add_shares, is_number


# The inn (XI) with a guarantee
def announce(g: Rules, r: Round, events: list[Event], *, phase: str) -> Round:
    """The inn is announced to everybody without being turned up; the guest moves next, in ``phase``."""
    guest, host = r.asker_and_target()
    events.append(public_event("inn_announced", host, word=INN))
    return r.turn_cards((host,), ANNOUNCED)._replace(phase=phase, at=guest)


@word("stay_at_inn", "Keep the card, without a guarantee.", Phases.INN_GUEST, default=True)
def stay_at_inn(g: Rules, r: Round, events: list[Event]) -> Round:
    return r.give_turn(r.asker_and_target()[1])


@word("ask_guarantee", "Ask who pays if the card is a nulla.", Phases.INN_GUEST, kind=Word)
def ask_guarantee(g: Rules, r: Round, events: list[Event]) -> Round:
    events.append(public_event("asked", r.at))
    return r._replace(phase=Phases.INN_HOST, at=r.asker_and_target()[1])


@word("agree_to_pay", "Answer for the guest's nulla.", Phases.INN_HOST, kind=Word)
def agree_to_pay(g: Rules, r: Round, events: list[Event]) -> Round:
    """The guest keeps his card, and the host moves next."""
    guest, host = r.asker_and_target()
    events.append(public_event("guaranteed", host, other=guest))
    return r._replace(debts=(*r.debts, Debt(host, guest))).give_turn(host)


refuse_to_pay = word(
    "refuse_to_pay", "Do not answer for the guest: inn and card change places.", Phases.INN_HOST, default=True
)(swap)


# The inn (XI) that is bargained for
MAX_OFFER = 1_000_000_000  # the greatest amount of money that a guest may offer
WRONG_OFFER = Reason(
    "wrong_offer",
    "An offer is of money, or of a percentage of the prize to seat {amount}, of the kinds agreed upon, not of nothing,"
    " and of no more than is not promised yet.",
    depends_on_seat=True,
)


class OfferTerms(NamedTuple):
    """How many offers a guest may make, and the most money and percentage of one; 0 excludes its kind."""

    rounds: int = 3
    max_money: int = MAX_OFFER
    max_percent: int = 100

    def allow(self, r: Round, guest: Seat, money: int, percent: int) -> bool:
        """Return whether ``guest`` may offer so much, of his prize no more than he has not promised yet."""
        promised = sum(promise.percent for promise in r.match_state.promises if promise.guest == guest)
        return 0 <= money <= self.max_money and 0 <= percent <= min(self.max_percent, 100 - promised)


class MakeOffer(Action):
    spec = schema(
        "make_offer",
        "Offer the host so much money, and as his share a percentage of the prize.",
        Phases.INN_OFFER,
        amounts=ANY_AMOUNT,
        shares=True,
    )
    reasons = (WRONG_OFFER,)

    def offers(self, g: Rules, r: Round, seat: Seat) -> Iterable[Move]:
        """Offer the least of each kind; every other offer may be made too."""
        host = str(r.asker_and_target()[1])
        return (Move("make_offer", amount=1), Move("make_offer", amount=0, shares=((host, 1),)))

    def conditions(self, g: Rules, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse an empty offer, an offer of a kind not allowed, and a share that is already promised."""
        host = r.asker_and_target()[1]
        money, percent = move.amount or 0, sum(percent for _, percent in move.shares)
        to_host = [person for person, _ in move.shares] in ([], [str(host)])
        is_valid = to_host and (money or percent) and g.offer_terms.allow(r, seat, money, percent)
        return () if is_valid else (g.refuse(WRONG_OFFER, amount=host),)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        host, percent = r.asker_and_target()[1], sum(percent for _, percent in move.shares)
        shares = ((str(host), percent),) if percent else ()
        events.append(public_event("offered", seat, amount=move.amount, other=host, shares=shares))
        return r._replace(phase=Phases.INN_ANSWER, at=host, offer=(move.amount or 0, percent), offers=r.offers + 1)


@word("no_offer", "Offer nothing (more).", Phases.INN_OFFER, default=True)
def no_offer(g: Rules, r: Round, events: list[Event]) -> Round:
    """The inn is turned up and stays with the host, who answers for the guest's nulla."""
    shown = r.show_card(r.asker_and_target()[1], events)
    return agree_to_pay.then(g, shown._replace(offer=(0, 0), offers=0), events)


@word("accept_offer", "Take the price, and give the inn for the guest's card.", Phases.INN_ANSWER)
def accept_offer(g: Rules, r: Round, events: list[Event]) -> Round:
    """The money is paid, the share promised, and the inn goes to the guest face up."""
    (guest, host), (money, percent), match_state = r.asker_and_target(), r.offer, r.match_state
    if money:
        events.append(public_event("paid", guest, amount=money, other=host))
        paid = add_shares(match_state.net, ((str(guest), -money), (str(host), money)))
        match_state = match_state._replace(net=paid)
    if percent:
        events.append(public_event("promised", guest, amount=percent, other=host))
        match_state = match_state._replace(promises=(*match_state.promises, Promise(guest, host, percent)))
    r = r._replace(match_state=match_state, offer=(0, 0), offers=0)
    return swap(g, r.show_card(host, events), events)


@word("refuse_offer", "Refuse the price.", Phases.INN_ANSWER, default=True)
def refuse_offer(g: Rules, r: Round, events: list[Event]) -> Round:
    """The guest may make another offer, up to the agreed number."""
    if r.offers < g.offer_terms.rounds:
        return r._replace(phase=Phases.INN_OFFER, at=r.asker_and_target()[0], offer=(0, 0))
    return no_offer.then(g, r, events)


# The talk of the last two seats, each of which may propose once before a deal, the dealer last
PERCENT = 100  # the sum of all shares
MAX_BALANCE = 10**16 - 1  # of what a person has paid or received: above the largest pool is room for payments at inns
WRONG_SHARES = Reason("wrong_shares", "Both seats must be named once, with whole percentages that add up to 100.")


def is_full_split(shares: Shares, seats: Iterable[Seat]) -> bool:
    """Whether ``shares`` name each of ``seats`` once, in whole percentages that add up to 100."""
    amounts = [amount for _, amount in shares]
    named = sorted(person for person, _ in shares)
    return named == sorted(map(str, seats)) and sum(amounts) == PERCENT and min(amounts) >= 0


def are_valid_shares(shares: Shares, seats: tuple[str, ...]) -> bool:
    """Whether persons are named once, those of ``seats`` by their numbers, with amounts within bounds."""
    persons = tuple([person for person, _ in shares])
    if max([abs(amount) for _, amount in shares], default=0) > MAX_BALANCE:
        return False
    return persons == seats or (
        len(set(persons)) == len(persons) <= len(seats) + MAX_PERSONS
        and all(0 < len(person) <= MAX_NAME_LENGTH for person in persons)
        and all(person in seats or not is_number(person) for person in persons)
    )


class ProposeAgreement(Action):
    spec = schema("propose_agreement", "Propose how to divide the pool.", Phases.SPLIT_OFFER, shares=True)
    reasons = (WRONG_SHARES,)

    def offers(self, g: Rules, r: Round, seat: Seat) -> Iterable[Move]:
        """Offer the even split; every other split may be proposed too."""
        return (Move("propose_agreement", shares=add_shares((), [(str(one), PERCENT // 2) for one in r.order])),)

    def conditions(self, g: Rules, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse shares that are no full split between the two."""
        return () if is_full_split(move.shares, r.order) else (g.refuse(WRONG_SHARES),)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        shares = add_shares((), move.shares)
        events.append(public_event("proposed", seat, shares=shares))
        (other,) = (one for one in r.order if one != seat)
        return r._replace(phase=Phases.SPLIT_ANSWER, at=other, asked=(*r.asked, seat), proposal=shares)


@word("no_proposal", "Propose nothing.", Phases.SPLIT_OFFER, default=True)
def no_proposal(g: Rules, r: Round, events: list[Event]) -> Round:
    return talk_of_two(g, r._replace(asked=(*r.asked, r.at)), events)


@word("accept_agreement", "Accept the proposal.", Phases.SPLIT_ANSWER, kind=Word)
def accept_agreement(g: Rules, r: Round, events: list[Event]) -> Round:
    events.append(public_event("agreed", shares=r.proposal))
    return talk_of_two(g, r.with_match_state(r.match_state._replace(agreement=r.proposal)), events)


def talk_of_two(g: Rules, r: Round, events: list[Event]) -> Round:
    """Two who have not agreed are asked one after the other for a proposal; then the first card is dealt."""
    for seat in r.order if len(r.order) == 2 and not r.match_state.agreement else ():
        if seat not in r.asked:
            return r._replace(phase=Phases.SPLIT_OFFER, at=seat, proposal=())
    return r._replace(asked=(), proposal=()).deal_turn(r.order[0], events)


decline_agreement = word("decline_agreement", "Decline the proposal.", Phases.SPLIT_ANSWER, default=True)(talk_of_two)
