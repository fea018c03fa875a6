"""What guest and host agree upon at the inn: that the host answers for the guest's nulla, or the price of the inn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chitarrella.core.model import ANY_AMOUNT, Event, Move, MoveSpec, Reason, Refusal, Seat, Shares, public_event
from chitarrella.exchange.parts import INN, Action, Effect, Rules, simple_spec
from chitarrella.exchange.round import ANNOUNCED, Debt, Promise, Round, add_payments, show_card, turn_card
from chitarrella.exchange.turns import asker_and_target, hand_over, pass_to_target

# The inn (XI) with a guarantee
INN_GUEST, INN_HOST = "inn_guest", "inn_host"  # the phases in which the guest may ask, and the host answers


class InnGuarantee(Effect):
    """The inn is announced, not shown, and the guest may ask for a guarantee."""

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Announce the inn; the guest moves next."""
        guest, host = asker_and_target(r)
        return announce(r, host, events)._replace(phase=INN_GUEST, at=guest)


def announce(r: Round, host: Seat, events: list[Event]) -> Round:
    """Announce the inn to everybody without turning it up."""
    events.append(public_event("inn_announced", host, word=INN))
    return turn_card(r, host, ANNOUNCED)


def guarantee(r: Round, events: list[Event]) -> Round:
    """Record that the target answers for the asker's nulla. The asker keeps his card, so its chain ends."""
    guest, host = asker_and_target(r)
    events.append(public_event("guaranteed", host, other=guest))
    return r._replace(debts=(*r.debts, Debt(host, guest)), chain=())


class Stay(Action):
    """The guest keeps his card without a guarantee."""

    spec = simple_spec("stay_at_inn", "Keep the card, without a guarantee.", INN_GUEST, timeout_default=True)
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        return pass_to_target(r._replace(chain=()))


class AskGuarantee(Action):
    """The guest asks the host to answer for his nulla."""

    spec = simple_spec("ask_guarantee", "Ask who pays if the card is a nulla.", INN_GUEST)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        events.append(public_event("asked", seat))
        return r._replace(phase=INN_HOST, at=asker_and_target(r)[1])


class AgreeToPay(Action):
    """The host answers for the guest's nulla."""

    spec = simple_spec("agree_to_pay", "Answer for the guest's nulla.", INN_HOST)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        return pass_to_target(guarantee(r, events))


class RefuseToPay(Action):
    """The host does not answer for the guest, so inn and card are swapped."""

    spec = simple_spec(
        "refuse_to_pay", "Do not answer for the guest: inn and card change places.", INN_HOST, timeout_default=True
    )
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        return pass_to_target(hand_over(r, events))


# The inn (XI) that is bargained for
INN_OFFER, INN_ANSWER = "inn_offer", "inn_answer"  # the phases in which the guest offers, and the host answers
MAX_OFFER = 1_000_000_000  # the greatest amount of money that a guest may offer
WRONG_OFFER = Reason(
    "wrong_offer",
    "An offer is of money, or of a percentage of the prize to seat {amount}, of the kinds agreed upon, not of nothing,"
    " and of no more than is not promised yet.",
    depends_on_seat=True,
)


@dataclass(frozen=True)
class InnBargain(Effect):
    """The inn is announced, and the guest may offer a price.

    ``rounds`` is the number of offers he may make. ``max_money`` and ``max_percent`` bound one; 0 excludes its kind.
    """

    rounds: int = 3
    max_money: int = MAX_OFFER
    max_percent: int = 100

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        guest, host = asker_and_target(r)
        return announce(r, host, events)._replace(phase=INN_OFFER, at=guest)

    def faults(self, r: Round) -> Iterable[tuple[str, str]]:
        money, percent = r.offer
        most = min(self.max_percent, unpromised_percent(r, r.asker or 0))
        if percent > most or not 0 <= money <= self.max_money:
            yield "offer", "an offer is of the kinds agreed upon, and of no more than is not promised yet"
        if r.offers > self.rounds - (r.phase == INN_OFFER):
            yield "offers", f"a guest makes {self.rounds} offers at most"


def unpromised_percent(r: Round, guest: Seat) -> int:
    """Return the percentage of his prize that a guest has not promised yet."""
    return 100 - sum(promise.percent for promise in r.match_state.promises if promise.guest == guest)


def offered_percent(shares: Shares) -> int:
    return sum(percent for _, percent in shares)


@dataclass(frozen=True)
class MakeOffer(Action):
    inn: InnBargain

    spec = MoveSpec(
        "make_offer",
        "Offer the host so much money, and as his share a percentage of the prize.",
        frozenset({INN_OFFER}),
        amounts=ANY_AMOUNT,
        shares=True,
    )
    reasons = (WRONG_OFFER,)

    def offers(self, g: Rules, r: Round, seat: Seat) -> Iterable[Move]:
        """Offer the least of each kind; every other offer may be made too."""
        host = str(asker_and_target(r)[1])
        return (Move("make_offer", amount=1), Move("make_offer", amount=0, shares=((host, 1),)))

    def conditions(self, g: Rules, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse an empty offer, an offer of a kind not allowed, and a share that is already promised."""
        host, inn = asker_and_target(r)[1], self.inn
        money, percent = move.amount or 0, offered_percent(move.shares)
        is_valid = (
            [person for person, _ in move.shares] in ([], [str(host)])
            and 0 <= percent <= min(inn.max_percent, unpromised_percent(r, seat))
            and 0 <= money <= inn.max_money
            and bool(money or percent)
        )
        return () if is_valid else (g.refuse(WRONG_OFFER, amount=host),)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        host, percent = asker_and_target(r)[1], offered_percent(move.shares)
        shares = ((str(host), percent),) if percent else ()
        events.append(public_event("offered", seat, amount=move.amount, other=host, shares=shares))
        return r._replace(phase=INN_ANSWER, at=host, offer=(move.amount or 0, percent), offers=r.offers + 1)


class NoOffer(Action):
    spec = simple_spec("no_offer", "Offer nothing (more).", INN_OFFER, timeout_default=True)
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        return end_bargain(r, events)


class AcceptOffer(Action):
    """The host takes the price and gives the inn, face up."""

    spec = simple_spec("accept_offer", "Take the price, and give the inn for the guest's card.", INN_ANSWER)
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Pay the money, record the promise, turn the inn up and swap the cards."""
        (guest, host), (money, percent) = asker_and_target(r), r.offer
        match_state = r.match_state
        if money:
            events.append(public_event("paid", guest, amount=money, other=host))
            match_state = match_state._replace(
                net=add_payments(match_state.net, ((str(guest), -money), (str(host), money)))
            )
        if percent:
            events.append(public_event("promised", guest, amount=percent, other=host))
            match_state = match_state._replace(promises=(*match_state.promises, Promise(guest, host, percent)))
        return pass_to_target(
            clear_offers(hand_over(show_card(r._replace(match_state=match_state), host, events), events))
        )


@dataclass(frozen=True)
class RefuseOffer(Action):
    inn: InnBargain

    spec = simple_spec("refuse_offer", "Refuse the price.", INN_ANSWER, timeout_default=True)
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Ask the guest for another offer, up to the agreed number."""
        if r.offers < self.inn.rounds:
            return r._replace(phase=INN_OFFER, at=asker_and_target(r)[0], offer=(0, 0))
        return end_bargain(r, events)


def end_bargain(r: Round, events: list[Event]) -> Round:
    """Turn the inn up and leave it with the host, who answers for the guest's nulla."""
    return pass_to_target(clear_offers(guarantee(show_card(r, asker_and_target(r)[1], events), events)))


def clear_offers(r: Round) -> Round:
    return r._replace(offer=(0, 0), offers=0)
