"""The talk of the last two: before a deal they may agree how to divide the pool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.exchange.act import Act, plain
from chitarrella.exchange.dealing import begin
from chitarrella.exchange.round import Round
from chitarrella.exchange.tokens import in_order
from chitarrella.words import Event, Form, Move, Reason, Refusal, Seat, Shares, public

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame

OFFER, ANSWER = "agreement_offer", "agreement_answer"
WHOLE = 100
WRONG_SHARES = Reason("wrong_shares", "Both seats must be named once, with whole percentages that add up to 100.")


@dataclass(frozen=True)
class Talk:
    """What is said before a deal: nothing."""

    def opened(self, g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
        """Begin the deal for which the pack was handed in."""
        return begin(r, tell)


@dataclass(frozen=True)
class TalkOfTwo(Talk):
    """The last two have the word once each, as long as no agreement is in force; the dealer speaks last."""

    def opened(self, g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
        """Give the word to the first, or begin the deal."""
        if len(r.order) != 2 or r.standing.agreement:
            return begin(r, tell)
        return r._replace(phase=OFFER, at=r.order[0])


def passed_on(r: Round, tell: list[Event]) -> Round:
    """Give the word to the one who has not had it, or begin the deal."""
    silent = [seat for seat in r.order if seat not in r.asked]
    r = r._replace(proposal=())
    return r._replace(phase=OFFER, at=silent[0]) if silent else begin(r._replace(asked=()), tell)


def divides(shares: Shares, seats: Iterable[Seat]) -> bool:
    """Tell whether shares name these seats, once each, in whole percentages that make 100."""
    amounts = [amount for _, amount in shares]
    named = sorted(person for person, _ in shares)
    return named == sorted(map(str, seats)) and sum(amounts) == WHOLE and min(amounts) >= 0


class ProposeAgreement(Act):
    """Name a share for both."""

    form = Form("propose_agreement", "Propose how to divide the pool.", frozenset({OFFER}), shares=True)
    reasons = (WRONG_SHARES,)

    def offers(self, g: ExchangeGame, r: Round, seat: Seat) -> Iterable[Move]:
        """Offer to divide it evenly; every other division may be proposed too."""
        return (Move("propose_agreement", shares=in_order({str(one): WHOLE // 2 for one in r.order})),)

    def objections(self, g: ExchangeGame, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to shares that divide nothing."""
        return () if divides(move.shares, r.order) else (g.refuse(WRONG_SHARES),)

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Let the other answer."""
        shares = in_order(dict(move.shares))
        tell.append(public("proposal", seat, shares=shares))
        (other,) = (one for one in r.order if one != seat)
        return r._replace(phase=ANSWER, at=other, asked=(*r.asked, seat), proposal=shares)


class NoProposal(Act):
    """Propose nothing."""

    form = plain("no_proposal", "Propose nothing.", OFFER, lapse=True)
    said = True

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Pass the word on."""
        return passed_on(r._replace(asked=(*r.asked, seat)), tell)


class AcceptAgreement(Act):
    """Accept the proposal."""

    form = plain("accept_agreement", "Accept the proposal.", ANSWER)

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Note the agreement, and begin the deal."""
        tell.append(public("agreement", shares=r.proposal))
        standing = r.standing._replace(agreement=r.proposal)
        return begin(r._replace(standing=standing, proposal=(), asked=()), tell)


class DeclineAgreement(Act):
    """Decline the proposal."""

    form = plain("decline_agreement", "Decline the proposal.", ANSWER, lapse=True)
    said = True

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Pass the word on."""
        return passed_on(r, tell)
