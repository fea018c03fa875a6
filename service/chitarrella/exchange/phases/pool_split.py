"""The talk of the last two players, who may agree before a deal how to divide the pool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chitarrella.core.model import Event, Move, MoveSpec, Reason, Refusal, Seat, Shares, public_event
from chitarrella.exchange.base import Action, PoolSplit, Rules, simple_spec
from chitarrella.exchange.phases.dealing import deal_first_card
from chitarrella.exchange.round import Round
from chitarrella.exchange.tokens import sort_shares

SPLIT_OFFER, SPLIT_ANSWER = "agreement_offer", "agreement_answer"
"""The phases in which one of the last two proposes how to divide the pool, and the other answers."""
PERCENT = 100
"""The sum of all shares."""
WRONG_SHARES = Reason("wrong_shares", "Both seats must be named once, with whole percentages that add up to 100.")


@dataclass(frozen=True)
class NoPoolSplit(PoolSplit):
    """There is no such talk."""

    def open_deal(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Deal the first card."""
        return deal_first_card(r, events)


@dataclass(frozen=True)
class TwoPlayerPoolSplit(PoolSplit):
    """The last two may each propose once per deal, the dealer last, while no agreement is in force."""

    def open_deal(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Ask the first seat for a proposal, or deal the first card."""
        if len(r.order) != 2 or r.match_state.agreement:
            return deal_first_card(r, events)
        return r._replace(phase=SPLIT_OFFER, at=r.order[0])


def next_proposer(r: Round, events: list[Event]) -> Round:
    """Ask the seat that was not asked yet for a proposal, or deal the first card."""
    not_asked = [seat for seat in r.order if seat not in r.asked]
    r = r._replace(proposal=())
    return (
        r._replace(phase=SPLIT_OFFER, at=not_asked[0]) if not_asked else deal_first_card(r._replace(asked=()), events)
    )


def is_full_split(shares: Shares, seats: Iterable[Seat]) -> bool:
    """Whether ``shares`` name each of ``seats`` once, in whole percentages that add up to 100."""
    amounts = [amount for _, amount in shares]
    named = sorted(person for person, _ in shares)
    return named == sorted(map(str, seats)) and sum(amounts) == PERCENT and min(amounts) >= 0


class ProposeAgreement(Action):
    """Propose a split of the pool."""

    spec = MoveSpec("propose_agreement", "Propose how to divide the pool.", frozenset({SPLIT_OFFER}), shares=True)
    reasons = (WRONG_SHARES,)

    def offers(self, g: Rules, r: Round, seat: Seat) -> Iterable[Move]:
        """Offer the even split; every other split may be proposed too."""
        return (Move("propose_agreement", shares=sort_shares({str(one): PERCENT // 2 for one in r.order})),)

    def conditions(self, g: Rules, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse shares that are no full split between the two."""
        return () if is_full_split(move.shares, r.order) else (g.refuse(WRONG_SHARES),)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Record the proposal; the other seat moves next."""
        shares = sort_shares(dict(move.shares))
        events.append(public_event("proposal", seat, shares=shares))
        (other,) = (one for one in r.order if one != seat)
        return r._replace(phase=SPLIT_ANSWER, at=other, asked=(*r.asked, seat), proposal=shares)


class NoProposal(Action):
    """Propose nothing."""

    spec = simple_spec("no_proposal", "Propose nothing.", SPLIT_OFFER, timeout_default=True)
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Ask the other seat for a proposal, or begin the deal."""
        return next_proposer(r._replace(asked=(*r.asked, seat)), events)


class AcceptAgreement(Action):
    """Accept the proposed split."""

    spec = simple_spec("accept_agreement", "Accept the proposal.", SPLIT_ANSWER)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Record the agreement and begin the deal."""
        events.append(public_event("agreement", shares=r.proposal))
        match_state = r.match_state._replace(agreement=r.proposal)
        return deal_first_card(r._replace(match_state=match_state, proposal=(), asked=()), events)


class DeclineAgreement(Action):
    """Decline the proposed split."""

    spec = simple_spec("decline_agreement", "Decline the proposal.", SPLIT_ANSWER, timeout_default=True)
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Ask the other seat for a proposal, or begin the deal."""
        return next_proposer(r, events)
