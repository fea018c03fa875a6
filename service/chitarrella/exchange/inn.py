"""The inn of Campli: the guest stays, or asks for a guarantee; the host answers for his nulla, or gives the inn up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chitarrella.exchange.act import Act, plain
from chitarrella.exchange.effects import Effect
from chitarrella.exchange.round import ANNOUNCED, Debt, Round, lying
from chitarrella.exchange.turns import go_on, handed_over, parties
from chitarrella.words import Event, Move, Seat, public

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame

GUEST, HOST = "inn_guest", "inn_host"


class Inn(Effect):
    """The inn: named, not shown, and the guest is asked."""

    def met(self, g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
        """Open the talk."""
        guest, host = parties(r)
        return announced(r, host, tell)._replace(phase=GUEST, at=guest)


def announced(r: Round, host: Seat, tell: list[Event]) -> Round:
    """Let everybody know of the inn, without turning it up."""
    tell.append(public("announce", host, word="XI"))
    return lying(r, host, ANNOUNCED)


def guaranteed(r: Round, tell: list[Event]) -> Round:
    """Note that the target answers for the nulla of the asker, who keeps his card: its chain is at its end."""
    guest, host = parties(r)
    tell.append(public("guarantee", host, other=guest))
    return r._replace(debts=(*r.debts, Debt(host, guest)), chain=())


class Stay(Act):
    """The guest keeps his card and asks for nothing."""

    form = plain("stay_at_inn", "Keep the card, without a guarantee.", GUEST, lapse=True)
    said = True

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Let the host decide about his own card."""
        return go_on(r._replace(chain=()))


class AskGuarantee(Act):
    """The guest asks the host to answer for his nulla."""

    form = plain("ask_guarantee", "Ask who pays if the card is a nulla.", GUEST)

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Let the host answer."""
        tell.append(public("asked", seat))
        return r._replace(phase=HOST, at=parties(r)[1])


class AgreeToPay(Act):
    """The host answers for the guest."""

    form = plain("agree_to_pay", "Answer for the guest's nulla.", HOST)

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Note the debt; the guest keeps his card."""
        return go_on(guaranteed(r, tell))


class RefuseToPay(Act):
    """The host does not answer, so he must exchange."""

    form = plain("refuse_to_pay", "Do not answer for the guest: inn and card change places.", HOST, lapse=True)
    said = True

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Exchange, like any exchange."""
        return go_on(handed_over(r, tell))
