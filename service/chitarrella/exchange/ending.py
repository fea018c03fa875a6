"""The end of a match, and the division of the pool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from chitarrella.core.model import Event, Move, MoveSpec, Reason, Refusal, Seat, Shares, public_event
from chitarrella.exchange.parts import Action, PoolSplit, Rules, simple_spec
from chitarrella.exchange.round import MatchState, Round, add_payments, first_speaker, in_game, is_number, sort_shares
from chitarrella.exchange.turns import NEW_DEAL, deal_first_card

GAME_OVER, MATCH_OVER = "game_over", "match_over"
"""The phases after the last deal: before and after the table of the next game is named."""
MIN_PLAYERS, MAX_PLAYERS = 2, 20  # how many players a table of the next game has, at least and at most
JOINS, LEAVES = 1, -1  # what stands for a seat that joins the next game, and for one that leaves
WRONG_TABLE = Reason(
    "wrong_table", "A seat leaves with -1 and a new person joins with 1, each named once; 2 to 20 players must remain."
)


def finish(g: Rules, r: Round, events: list[Event]) -> Round:
    """End the deal, all seats without tokens being settled: pass the deal on, or end the game."""
    left = in_game(r)
    if len(left) == 1:
        return divide_pool(r, left[0], events)
    dealer = first_speaker(r)
    events.append(public_event("dealer_set", dealer))
    return r.with_turn(NEW_DEAL, 0).with_match_state(r.match_state._replace(dealer=dealer))


def divide_pool(r: Round, winner: Seat, events: list[Event]) -> Round:
    """Pay the prizes out of the pool and end the game."""
    payments = add_payments((), prize_payments(r.match_state, winner))
    prizes = tuple((person, amount) for person, amount in payments if amount)
    for person, amount in prizes:
        seat = int(person) if is_number(person) else None
        events.append(public_event("prize_paid", seat, shares=((person, amount),)))
    events.append(public_event("match_won", winner))
    match_state = r.match_state._replace(pool=0, net=add_payments(r.match_state.net, prizes))
    return r._replace(phase=GAME_OVER, at=0, asker=None, target=None, chain=(), match_state=match_state)


def prize_payments(match_state: MatchState, winner: Seat) -> Iterator[tuple[str, int]]:
    """Yield every payment out of the pool: by agreement, then by promise, then within a syndicate."""
    by_seat = {int(person): match_state.pool * share // 100 for person, share in match_state.agreement}
    by_seat[winner] = by_seat.get(winner, 0) + match_state.pool - sum(by_seat.values())
    for seat, amount in by_seat.items():
        rest = amount
        for promise in match_state.promises:
            if promise.guest == seat == winner:
                due = amount * promise.percent // 100
                rest -= due
                yield str(promise.host), due
        yield from syndicate_payments(match_state, seat, rest)


def syndicate_payments(match_state: MatchState, seat: Seat, amount: int) -> Iterator[tuple[str, int]]:
    """Divide the prize of a seat among those who paid for its tokens, rounded down; the player gets the rest."""
    members = [claim for claim in match_state.claims if claim.seat == seat]
    cost = sum(claim.amount for claim in members)
    left = amount
    for claim in members:
        part = amount * claim.amount // cost
        left -= part
        yield claim.person, part
    yield str(seat), left


# The next game
class StartNextGame(Action):
    """The operator of the session names who leaves and who joins; the winner deals as seat 0 of the next table."""

    spec = MoveSpec(
        "start_next_game",
        "Open the next game: the shares name with -1 the seats that leave, with 1 those who join.",
        frozenset({GAME_OVER}),
        shares=True,
        out_of_turn=True,
        by_chance=True,
    )
    reasons = (WRONG_TABLE,)

    def offers(self, g: Rules, r: Round, seat: Seat) -> Iterable[Move]:
        """Return no candidates: it is no move of a player."""
        return ()

    def conditions(self, g: Rules, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse changes that leave no possible table."""
        return () if next_table(g.seats, in_game(r)[0], move.shares) else (g.refuse(WRONG_TABLE),)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Record who sits where in the next game, which is a match of its own."""
        persons = next_table(g.seats, in_game(r)[0], move.shares)
        table = tuple((person, place) for place, person in enumerate(persons))
        events.append(public_event("next_game_seated", shares=table))
        return r._replace(phase=MATCH_OVER, match_state=r.match_state._replace(next_table=table))


def next_table(seats: int, winner: Seat, changes: Shares) -> tuple[str, ...]:
    """Return the persons of the next table from seat 0 on; empty where the changes are impossible.

    ``changes`` hold -1 for a seat that leaves and 1 for a person who joins. Persons of this table are named by their
    seats. The winner comes first, the others in their order, newcomers last. If the winner leaves, the next player at
    his right who stays comes first.
    """
    persons = [person for person, _ in changes]
    seated = {str(seat) for seat in range(seats)}
    leaving = {person for person, change in changes if change == LEAVES}
    joining = [person for person, change in changes if change == JOINS]
    is_consistent = len(set(persons)) == len(persons) == len(leaving) + len(joining)
    if not is_consistent or not leaving <= seated or not all(person and not is_number(person) for person in joining):
        return ()
    old = [str((winner + step) % seats) for step in range(seats)]
    table = (*(person for person in old if person not in leaving), *joining)
    return table if MIN_PLAYERS <= len(table) <= MAX_PLAYERS else ()


# The talk of the last two players, who may agree before a deal how to divide the pool
SPLIT_OFFER, SPLIT_ANSWER = "agreement_offer", "agreement_answer"
"""The phases in which one of the last two proposes how to divide the pool, and the other answers."""
PERCENT = 100  # the sum of all shares
WRONG_SHARES = Reason("wrong_shares", "Both seats must be named once, with whole percentages that add up to 100.")


@dataclass(frozen=True)
class NoPoolSplit(PoolSplit):
    """There is no such talk."""

    def open_deal(self, g: Rules, r: Round, events: list[Event]) -> Round:
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
        events.append(public_event("proposed", seat, shares=shares))
        (other,) = (one for one in r.order if one != seat)
        return r._replace(phase=SPLIT_ANSWER, at=other, asked=(*r.asked, seat), proposal=shares)


class NoProposal(Action):
    spec = simple_spec("no_proposal", "Propose nothing.", SPLIT_OFFER, timeout_default=True)
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Ask the other seat for a proposal, or begin the deal."""
        return next_proposer(r._replace(asked=(*r.asked, seat)), events)


class AcceptAgreement(Action):
    spec = simple_spec("accept_agreement", "Accept the proposal.", SPLIT_ANSWER)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        events.append(public_event("agreed", shares=r.proposal))
        match_state = r.match_state._replace(agreement=r.proposal)
        return deal_first_card(r._replace(match_state=match_state, proposal=(), asked=()), events)


class DeclineAgreement(Action):
    spec = simple_spec("decline_agreement", "Decline the proposal.", SPLIT_ANSWER, timeout_default=True)
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Ask the other seat for a proposal, or begin the deal."""
        return next_proposer(r, events)
