"""The inn of Montorio: the guest offers money or a share of his prize; without a bargain the host answers for him."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.exchange.act import Act, plain
from chitarrella.exchange.effects import Effect
from chitarrella.exchange.inn import announced, guaranteed
from chitarrella.exchange.round import Promise, Round, shown
from chitarrella.exchange.tokens import paid
from chitarrella.exchange.turns import go_on, handed_over, parties
from chitarrella.words import ANY_NUMBER, Event, Form, Move, Reason, Refusal, Seat, Shares, public

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame

OFFER, ANSWER = "inn_offer", "inn_answer"
MOST_OFFERED = 1_000_000_000
WRONG_OFFER = Reason(
    "wrong_offer",
    "An offer is of money, or of a percentage of the prize to seat {amount}, of the kinds agreed upon, not of nothing,"
    " and of no more than is not promised yet.",
)


@dataclass(frozen=True)
class Bargain(Effect):
    """The inn is named, and the guest offers a price: ``rounds`` times at most, of the kinds that are allowed."""

    rounds: int = 3
    money: bool = True
    pool_share: bool = True

    def met(self, g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
        """Open the talk."""
        guest, host = parties(r)
        return announced(r, host, tell)._replace(phase=OFFER, at=guest)


def terms(g: ExchangeGame) -> Bargain:
    """Give the terms of bargains at this table."""
    inn = g.effects["XI"]
    if not isinstance(inn, Bargain):
        raise TypeError(g.key)
    return inn


def unpromised(r: Round, guest: Seat) -> int:
    """Count the percentage of his prize that a guest has not promised yet."""
    return 100 - sum(promise.percent for promise in r.standing.promises if promise.guest == guest)


def percent_of(shares: Shares) -> int:
    """Give the percentage that is offered."""
    return sum(percent for _, percent in shares)


class MakeOffer(Act):
    """Name a price for the inn."""

    form = Form(
        "make_offer",
        "Offer the host so much money, and as his share a percentage of the prize.",
        frozenset({OFFER}),
        amounts=ANY_NUMBER,
        shares=True,
    )
    reasons = (WRONG_OFFER,)

    def offers(self, g: ExchangeGame, r: Round, seat: Seat) -> Iterable[Move]:
        """Offer the least of each kind; every other offer may be made too."""
        host = str(parties(r)[1])
        return (Move("make_offer", amount=1), Move("make_offer", amount=0, shares=((host, 1),)))

    def objections(self, g: ExchangeGame, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to an offer of nothing, of what is promised already, or of another kind."""
        (guest, host), inn = parties(r), terms(g)
        money, percent = move.amount or 0, percent_of(move.shares)
        right = (
            [person for person, _ in move.shares] in ([], [str(host)])
            and 0 <= percent <= unpromised(r, guest)
            and 0 <= money <= MOST_OFFERED
            and (inn.money or not money)
            and (inn.pool_share or not percent)
            and bool(money or percent)
        )
        return () if right else (g.refuse(WRONG_OFFER, amount=host),)

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Let the host answer."""
        host, percent = parties(r)[1], percent_of(move.shares)
        shares = ((str(host), percent),) if percent else ()
        tell.append(public("offer", seat, amount=move.amount, other=host, shares=shares))
        return r._replace(phase=ANSWER, at=host, offer=(move.amount or 0, percent), offers=r.offers + 1)


class NoOffer(Act):
    """Offer nothing more."""

    form = plain("no_offer", "Offer nothing (more).", OFFER, lapse=True)
    said = True

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """There is no bargain."""
        return no_bargain(r, tell)


class AcceptOffer(Act):
    """Take the price: the inn goes to the guest, open."""

    form = plain("accept_offer", "Take the price, and give the inn for the guest's card.", ANSWER)
    said = True

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Pay, note the promise, turn the inn up and exchange."""
        (guest, host), (money, percent) = parties(r), r.offer
        standing = r.standing
        if money:
            tell.append(public("pay", guest, amount=money, other=host))
            standing = standing._replace(net=paid(standing.net, ((str(guest), -money), (str(host), money))))
        if percent:
            tell.append(public("promise", guest, amount=percent, other=host))
            standing = standing._replace(promises=(*standing.promises, Promise(guest, host, percent)))
        return go_on(talked(handed_over(shown(r._replace(standing=standing), host, tell), tell)))


class RefuseOffer(Act):
    """Refuse the price."""

    form = plain("refuse_offer", "Refuse the price.", ANSWER, lapse=True)
    said = True

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Let the guest make another offer, as often as he may."""
        if r.offers < terms(g).rounds:
            return r._replace(phase=OFFER, at=parties(r)[0], offer=(0, 0))
        return no_bargain(r, tell)


def no_bargain(r: Round, tell: list[Event]) -> Round:
    """Turn the inn up and leave it with the host, who answers for the guest's nulla."""
    return go_on(talked(guaranteed(shown(r, parties(r)[1], tell), tell)))


def talked(r: Round) -> Round:
    """Forget what was said at the inn."""
    return r._replace(offer=(0, 0), offers=0)
