"""The inn (XI) with a guarantee: the host answers for the guest's nulla, or gives the inn up."""

from __future__ import annotations

from chitarrella.core.model import Event, Move, Seat, public_event
from chitarrella.exchange.base import Action, Effect, Rules, simple_spec
from chitarrella.exchange.faces import INN
from chitarrella.exchange.phases.turns import asker_and_target, hand_over, pass_to_target
from chitarrella.exchange.round import ANNOUNCED, Debt, Round, turn_card

INN_GUEST, INN_HOST = "inn_guest", "inn_host"
"""The phases in which the guest may ask, and the host answers."""


class InnGuarantee(Effect):
    """The inn is announced, not shown, and the guest may ask for a guarantee."""

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Announce the inn; the guest moves next."""
        guest, host = asker_and_target(r)
        return announce(r, host, events)._replace(phase=INN_GUEST, at=guest)


def announce(r: Round, host: Seat, events: list[Event]) -> Round:
    """Announce the inn to everybody without turning it up."""
    events.append(public_event("announce", host, word=INN))
    return turn_card(r, host, ANNOUNCED)


def guarantee(r: Round, events: list[Event]) -> Round:
    """Record that the target answers for the asker's nulla. The asker keeps his card, so its chain ends."""
    guest, host = asker_and_target(r)
    events.append(public_event("guarantee", host, other=guest))
    return r._replace(debts=(*r.debts, Debt(host, guest)), chain=())


class Stay(Action):
    """The guest keeps his card without a guarantee."""

    spec = simple_spec("stay_at_inn", "Keep the card, without a guarantee.", INN_GUEST, timeout_default=True)
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Pass the turn to the host."""
        return pass_to_target(r._replace(chain=()))


class AskGuarantee(Action):
    """The guest asks the host to answer for his nulla."""

    spec = simple_spec("ask_guarantee", "Ask who pays if the card is a nulla.", INN_GUEST)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Pass the turn to the host, who answers."""
        events.append(public_event("asked", seat))
        return r._replace(phase=INN_HOST, at=asker_and_target(r)[1])


class AgreeToPay(Action):
    """The host answers for the guest's nulla."""

    spec = simple_spec("agree_to_pay", "Answer for the guest's nulla.", INN_HOST)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Record the debt; the guest keeps his card."""
        return pass_to_target(guarantee(r, events))


class RefuseToPay(Action):
    """The host does not answer for the guest, so inn and card are swapped."""

    spec = simple_spec(
        "refuse_to_pay", "Do not answer for the guest: inn and card change places.", INN_HOST, timeout_default=True
    )
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Swap the two cards."""
        return pass_to_target(hand_over(r, events))
