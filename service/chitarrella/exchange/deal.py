"""A deal of an exchange game, from the pack to the next dealer or the prizes.

The seats keep or exchange their cards, special cards have their effects, all cards are compared, and who has lost
the last token may buy new ones while a virgin is in the game. What two agree upon stands in `bargains`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from chitarrella.core.cards import RankOrder
from chitarrella.core.model import BAD_PACK, Event, Move, Reason, Refusal, Seat, Shares, plain_move, public_event
from chitarrella.exchange.parts import CAT, CUCKOO, FOOL, HORSE, HUNTER, INN, NULLA, Action, Rules, Word, schema, word
from chitarrella.exchange.round import (
    MAX_MONEY,
    MAX_PERSONS,
    Payment,
    Phases,
    Round,
    add_shares,
    is_number,
)

LOW, MATTO, FOR_GUEST = "low", "matto", "inn"
"""Why a seat loses a token: for the lowest card, for a single fool, for its guest at the inn."""
STRIKES = {CAT: "cat", HUNTER: "hunter"}
"""The cards that cost a token in the middle of a deal, with the word of the event."""
MUST_EXCHANGE = Reason("must_exchange", "With an agreement in force {word} must be exchanged.", duty=True)


# The pack
class SupplyCards(Action):
    """A move of chance that supplies the requested cards."""

    reasons = (BAD_PACK,)

    def conditions(self, g: Rules, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse cards that are not exactly the requested ones, with those missing and those too many."""
        given, requested = Counter(move.cards), Counter(g.chance_request(r).cards)
        if dict(given) == dict(requested):  # counters themselves compare slowly, to allow for counts of zero
            return ()
        missing, surplus = tuple(requested - given), tuple(given - requested)
        return (g.refuse(BAD_PACK, verb=self.spec.verb, allowed_cards=missing, offending_cards=surplus),)


class DrawSeats(SupplyCards):
    """Persons on the list sit down by their cards, the highest as seat 0; of equal cards the earlier is higher."""

    spec = schema(
        "draw_seats", "Hand in cards to draw the seats by.", Phases.AWAIT_SEATS, cards=(0, 104), by_chance=True
    )

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        listed = g.order.highest_first([card.rank for card in move.cards[: g.seats]])
        for place, number in enumerate(listed):
            events.append(public_event("seat_drawn", place, (move.cards[number],), amount=number))
        return r._replace(phase=Phases.NEW_DEAL, match_state=r.match_state._replace(listed=listed))


class StartDeal(SupplyCards):
    """The pack comes in the order in which it is dealt."""

    spec = schema("start_deal", "Hand in the pack, first card first.", Phases.NEW_DEAL, cards=(0, 104), by_chance=True)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        match_state = r.match_state._replace(deal=r.match_state.deal + 1)
        events.append(public_event("deal_started", match_state.dealer, amount=match_state.deal))
        r = Round(Phases.NEW_DEAL, match_state, r.speakers(), held=(None,) * g.seats, pack=move.cards)
        return g.opening(g, r, events)


def first_turn(g: Rules, r: Round, events: list[Event]) -> Round:
    """The first card is dealt at once."""
    return r.deal_turn(r.order[0], events)


# The turns
class Keep(Action):
    """The next seat is dealt a card; after the dealer the cards are compared."""

    spec = schema("keep", "Keep the card.", *Phases.TURNS, timeout_default=True)
    reasons = (MUST_EXCHANGE,)

    def legal_moves(self, g: Rules, r: Round, seat: Seat) -> Iterable[Move]:
        return super().legal_moves(g, r, seat) if r.match_state.agreement else (plain_move("keep"),)

    def duties(self, g: Rules, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse to keep a low card where the agreed pool split obliges to exchange it."""
        if r.match_state.agreement and r.phase == Phases.TURN and (card := r.card_of(seat)).rank in g.duty:
            return (g.refuse(MUST_EXCHANGE, offending_cards=(card,), word=card),)
        return ()

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        events.append(public_event("said", seat, word="keep"))
        after = r.next_speaker(seat)
        return showdown(g, r, events) if after is None else r.deal_turn(after, events)


@word("exchange", "Exchange the card with the next seat.", Phases.TURN)
def exchange(g: Rules, r: Round, events: list[Event]) -> Round:
    chain = r.chain if r.chain and r.chain[-1] == r.at else (r.at,)
    return try_exchange(g, r, r.order[r.order.index(r.at) + 1], chain, events)


def try_exchange(g: Rules, r: Round, target: Seat, chain: tuple[Seat, ...], events: list[Event]) -> Round:
    """Deal to the target, whose card decides: a special one has its effect, any other one is swapped."""
    r = r.with_exchange(chain, r.at, target).deal_card(target, events)
    return g.effects.get(r.card_of(target).rank, swap)(g, r, events)


@word("draw", "Lay the card aside and take the next one of the pack.", Phases.DEALER_TURN, kind=Word)
def draw(g: Rules, r: Round, events: list[Event]) -> Round:
    return showdown(g, r.draw_card(r.at, events), events)


# What the card does that is dealt to the target
def swap(g: Rules, r: Round, events: list[Event]) -> Round:
    """Swap the cards of asker and target, who moves next; the chain of the asker's card goes on."""
    asker, target = r.asker_and_target()
    return r.swap_cards("swapped", asker, target, events).give_turn(target, (*r.chain, target))


def stop_exchange(g: Rules, r: Round, events: list[Event]) -> Round:
    """The cuckoo is shown and nothing changes hands."""
    target = r.asker_and_target()[1]
    return r.show_card(target, events).give_turn(target)


def jump(g: Rules, r: Round, events: list[Event], *, place: int = 0) -> Round:
    """The horse is shown, and the exchange goes on with the next seat.

    At the dealer's horse the asker draws from the pack instead: the card at index ``place``.
    """
    asker, horse = r.asker_and_target()
    r, beyond = r.show_card(horse, events), r.next_speaker(horse)
    if beyond is None:
        return r.draw_card(asker, events, place).give_turn(horse)
    events.append(public_event("horse_jumped", asker, other=horse))
    return try_exchange(g, r, beyond, r.chain, events)


def strike(g: Rules, r: Round, events: list[Event]) -> Round:
    """The hunter or the cat is shown, nothing changes hands, and the asker loses a token."""
    asker, target = r.asker_and_target()
    why = STRIKES[r.card_of(target).rank]
    return go_on(g, take_token(g, r.show_card(target, events), asker, why, events), events)


def send_back(g: Rules, r: Round, events: list[Event]) -> Round:
    """The cat is shown; unless the asker is out with his token, he must try to give the card back."""
    return strike(g, r._replace(reverse=True), events)


def undo_swaps(g: Rules, r: Round, events: list[Event]) -> Round:
    """The cat is shown, the asker loses a token, and the swaps of his card are undone, the last one first."""
    asker, target = r.asker_and_target()
    undone = take_token(g, r.show_card(target, events), asker, "cat", events)
    for giver, taker in reversed(tuple(pairwise(r.chain))):
        undone = undone.swap_cards("swap_undone", giver, taker, events)
    return go_on(g, undone, events)


# A token lost in the middle of a deal
def take_token(g: Rules, r: Round, seat: Seat, why: str, events: list[Event]) -> Round:
    """Take a token from ``seat``, unless it has a protecting card and shows that; ``why`` is the word of the event."""
    if r.card_of(seat).rank in g.protectors:
        return r.show_card(seat, events)
    events.append(public_event("token_lost", seat, word=why))
    r = r.with_match_state(r.match_state.change_tokens((), (seat,), {seat}))
    return r if r.match_state.tokens[seat] else g.last_token.lose(g, r, seat, events)


class AskedLater:
    """Who loses the last token in the middle of a deal is dead for it: the card stays and counts nothing."""

    phases: tuple[str, ...] = (Phases.REENTRY,)  # in which seats are asked to re-enter

    def lose(self, g: Rules, r: Round, seat: Seat, events: list[Event]) -> Round:
        events.append(public_event("last_token_lost", seat))
        return r


class AskedAtOnce(AskedLater):
    """Who loses the last token in the middle of a deal is asked at once to re-enter, so nobody is dead."""

    phases = Phases.PAY

    def lose(self, g: Rules, r: Round, seat: Seat, events: list[Event]) -> Round:
        return ask(g, r, seat, Phases.REENTRY_NOW, events)


def go_on(g: Rules, r: Round, events: list[Event]) -> Round:
    """Send the card back where that is due, and pass the turn to the target, unless a seat is asked, or all is over."""
    if r.phase == Phases.TURN and r.reverse:
        r = send_card_back(g, r._replace(reverse=False), events)
    return r.give_turn(r.asker_and_target()[1]) if r.phase == Phases.TURN else r


def send_card_back(g: Rules, r: Round, events: list[Event]) -> Round:
    """Send the card of the asker back, seat by seat, until a card stops it or no seat is left.

    A plain card is swapped, and its owner becomes the holder. An inn that has changed hands counts as plain.
    """
    holder = r.asker_and_target()[0]
    for other in reversed(r.order[: r.order.index(holder)]):
        if (held := r.held[other]) is None:
            continue
        rank = held.card.rank
        if rank not in g.effects or (rank == INN and held.moved):
            r = r.swap_cards("swap_reversed", holder, other, events)
            holder = other
        else:
            r = r.show_card(other, events)
            if rank in STRIKES:
                return take_token(g, r, holder, STRIKES[rank], events)
            if rank != HORSE:
                return r
    return r


# The comparison
def all_lowest(order: RankOrder, ranks: Mapping[Seat, str]) -> tuple[list[Seat], dict[Seat, str]]:
    """Every holder of the lowest card loses a token, but no holder of a cuckoo does.

    One fool loses beside the lowest of the other cards; two rank between hunter and cuckoo.
    """
    fools = [seat for seat, rank in ranks.items() if rank == FOOL]
    others = [rank for rank in ranks.values() if rank not in (FOOL, CUCKOO)]
    why = dict.fromkeys(fools, MATTO) if len(fools) == 1 or not others else {}
    lowest = order.lowest(others) if others else ""
    return [], why | {seat: LOW for seat, rank in ranks.items() if rank == lowest}


def first_lowest(order: RankOrder, ranks: Mapping[Seat, str]) -> tuple[list[Seat], dict[Seat, str]]:
    """One card is the lowest; of equal ones that of the earlier speaker.

    One fool loses beside the lowest of the other cards; two fools gain a token each.
    """
    fools = [seat for seat, rank in ranks.items() if rank == FOOL]
    others = [seat for seat in ranks if seat not in fools] or fools
    lowest = order.lowest([ranks[seat] for seat in others])
    why = {next(seat for seat in others if ranks[seat] == lowest): LOW}
    return (fools, why) if len(fools) > 1 else ([], why | dict.fromkeys(fools, MATTO))


def showdown(g: Rules, r: Round, events: list[Event]) -> Round:
    """Turn the live cards up and compare them: gains first, then losses by losing card. Settle who has no token left.

    If nobody has one all re-enter at no cost, and an agreement is void.
    """
    live = {seat: r.card_of(seat) for seat in r.order if r.held[seat] and r.match_state.tokens[seat]}
    events += [public_event("card_revealed", seat, (card,)) for seat, card in live.items()]
    r = r.with_turn(r.phase, 0).turn_cards(live)
    gains, why = g.comparison(g.order, {seat: card.rank for seat, card in live.items()})
    events += [public_event("token_gained", seat) for seat in gains]
    payers = find_payers(g, r, [seat for seat in live if seat in why])
    for loser in reversed(payers):
        payer = payers[loser]
        events.append(public_event("token_lost", payer, word=why[loser] if payer == loser else FOR_GUEST))
    unchanged = {seat for seat in gains if payers.get(seat) == seat}  # gains one and loses one: stays a virgin
    touched = {*gains, *payers.values()} - unchanged
    match_state = r.match_state.change_tokens(gains, payers.values(), touched)
    if not any(match_state.tokens):
        events.append(public_event("all_reentered"))
        match_state = match_state._replace(tokens=(g.tokens,) * g.seats, claims=(), agreement=())
        return finish(r.with_match_state(match_state), events)
    out = tuple([seat for seat in r.order if r.held[seat] and not match_state.tokens[seat]])
    return settle(g, r._replace(match_state=match_state, pending=out), events)


def find_payers(g: Rules, r: Round, losers: list[Seat]) -> dict[Seat, Seat]:
    """Return the payer of each losing card, the last one first: its owner, or for a guest's nulla the host.

    A host pays only if he has a token left after his own loss, which is known when his guest's turn comes: he speaks
    after his guest. His gain does not matter: a seat in the game has a token without it.
    """
    hosts = {debt.guest: debt.host for debt in r.debts}
    payers: dict[Seat, Seat] = {}
    for loser in reversed(losers):
        payers[loser] = loser
        if loser in hosts and r.card_of(loser).rank == NULLA:
            host = hosts[loser]
            left = r.match_state.tokens[host] - (payers.get(host) == host)
            if left > 0 and r.card_of(host).rank not in g.protectors:
                payers[loser] = host
    return payers


# Re-entry
WRONG_CONTRIBUTIONS = Reason(
    "wrong_contributions",
    "Whole amounts from 1 must add up to {word}, each from the player himself, from somebody out of the game or from"
    " a spectator, nobody named twice, and no more people than a book can hold.",
    depends_on_seat=True,
)


def reentry_cost(g: Rules, r: Round) -> int | None:
    """Return the price for the seat that was just counted: the stake, doubled with every step of the counter.

    It is None where no virgin is left, or the price would lift the pool above its bound.
    """
    match_state = r.match_state
    steps = max(match_state.counter - g.loss_steps, 0)
    if not match_state.virgins or steps > MAX_MONEY.bit_length():
        return None
    cost = g.stake << steps
    return cost if match_state.pool + cost <= g.max_pool else None


def settle(g: Rules, r: Round, events: list[Event]) -> Round:
    """Ask the pending seats to re-enter, one after the other; then end the deal."""
    return ask(g, r, r.pending[0], Phases.REENTRY, events) if r.pending else finish(r, events)


def ask(g: Rules, r: Round, seat: Seat, phase: str, events: list[Event]) -> Round:
    """Count a seat that has lost the last token, and ask it to re-enter in ``phase``; without a right to it is out."""
    r = r.with_match_state(r.match_state._replace(counter=r.match_state.counter + g.loss_steps))
    if reentry_cost(g, r) is None:
        return eliminate(g, r, seat, events)
    return r._replace(phase=phase, at=seat, chain=())


def eliminate(g: Rules, r: Round, seat: Seat, events: list[Event]) -> Round:
    """Remove a seat from the game, and its card from a deal that goes on. A last seat wins without a comparison."""
    events.append(public_event("eliminated", seat))
    if r.pending:
        return settle(g, r._replace(pending=r.pending[1:]), events)
    events.append(public_event("set_aside", seat))
    r = r.put_aside(seat)._replace(phase=Phases.TURN, reverse=False)
    return finish(r, events) if len(r.in_game()) == 1 else r


class Reenter(Action):
    """Pay the price, alone or with others, and come back. Whoever paid has a claim on the seat's prize."""

    spec = schema(
        "reenter",
        "Pay the price and come back; the shares say who pays how much, none that the player pays it all.",
        *Phases.PAY,
        shares=True,
    )
    reasons = (WRONG_CONTRIBUTIONS,)

    def conditions(self, g: Rules, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse amounts that do not add up to the price, and persons who may not pay or are too many.

        Others who may pay are spectators, and players who are out of the game and not to be asked any more. A position
        has room for `MAX_PERSONS` names, and as many claims.
        """
        match_state, cost = r.match_state, reentry_cost(g, r) or 0
        persons, amounts = [person for person, _ in move.shares], [amount for _, amount in move.shares]
        out = [str(one) for one in range(g.seats) if not match_state.tokens[one] and one not in (*r.pending, seat)]
        helpers = {person for person in persons if person in out or (person and not is_number(person))}
        named = {person for person in (*persons, *dict(match_state.net)) if not is_number(person)}
        noted = [claim for claim in match_state.claims if claim.seat != seat]
        is_valid = not move.shares or (
            sum(amounts) == cost
            and min(amounts) >= 1
            and len(set(persons)) == len(persons)
            and {str(seat), *helpers}.issuperset(persons)
            and len(helpers) <= g.max_helpers
            and len(named) <= MAX_PERSONS
            and len(noted) + len(persons) <= MAX_PERSONS
        )
        return () if is_valid else (g.refuse(WRONG_CONTRIBUTIONS, word=str(cost)),)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        cost = reentry_cost(g, r) or 0
        alone = ((str(seat), cost),)
        shares = add_shares((), move.shares) or alone
        events.append(public_event("reentered", seat, shares=shares))
        match_state, tokens = r.match_state, r.match_state.tokens
        claims = [claim for claim in match_state.claims if claim.seat != seat]
        claims += [Payment(seat, person, amount) for person, amount in shares if shares != alone]
        match_state = match_state._replace(
            tokens=(*tokens[:seat], g.tokens, *tokens[seat + 1 :]),
            pool=match_state.pool + cost,
            counter=match_state.counter + g.reentry_steps,
            claims=tuple(sorted(claims)),
            net=add_shares(match_state.net, ((person, -amount) for person, amount in shares)),
        )
        r = r.with_match_state(match_state)
        if r.pending:
            return settle(g, r._replace(pending=r.pending[1:]), events)
        return go_on(g, r._replace(phase=Phases.TURN), events)


@word("decline_reentry", "Do not pay, and be out of the game.", *Phases.PAY, default=True)
def decline_reentry(g: Rules, r: Round, events: list[Event]) -> Round:
    return go_on(g, eliminate(g, r, r.at, events), events)


# The end of a deal
def finish(r: Round, events: list[Event]) -> Round:
    """Pass the deal on, or pay the prizes and end the game: all seats without tokens are settled."""
    first, *others = r.speakers()
    if others:
        events.append(public_event("dealer_set", first))
        return r.with_turn(Phases.NEW_DEAL, 0).with_match_state(r.match_state._replace(dealer=first))
    prizes = [one for one in add_shares((), prize_payments(r, first)) if one[1]]
    for person, amount in prizes:
        seat = int(person) if is_number(person) else None
        events.append(public_event("prize_paid", seat, shares=((person, amount),)))
    events.append(public_event("match_won", first))
    match_state = r.match_state._replace(pool=0, net=add_shares(r.match_state.net, prizes))
    return r.with_turn(Phases.GAME_OVER, 0).with_match_state(match_state)


def prize_payments(r: Round, winner: Seat) -> Iterator[tuple[str, int]]:
    """Yield every payment out of the pool: by agreement, then what the winner has promised, then within a syndicate.

    Shares are rounded down, and the seat gets the rest.
    """
    match_state = r.match_state
    by_seat = {int(person): match_state.pool * share // 100 for person, share in match_state.agreement}
    by_seat[winner] = by_seat.get(winner, 0) + match_state.pool - sum(by_seat.values())
    for seat, prize in by_seat.items():
        promises = [one for one in match_state.promises if one.guest == seat == winner]
        promised = [(str(promise.host), prize * promise.percent // 100) for promise in promises]
        rest = prize - sum(amount for _, amount in promised)
        members = [claim for claim in match_state.claims if claim.seat == seat]
        cost = sum(claim.amount for claim in members)
        parts = [(claim.person, rest * claim.amount // cost) for claim in members]
        yield from (*promised, *parts, (str(seat), rest - sum(amount for _, amount in parts)))


# The next game
MIN_PLAYERS, MAX_PLAYERS = 2, 20  # how many players a table of the next game has, at least and at most
JOINS, LEAVES = 1, -1  # what stands for a seat that joins the next game, and for one that leaves
WRONG_TABLE = Reason(
    "wrong_table", "A seat leaves with -1 and a new person joins with 1, each named once; 2 to 20 players must remain."
)


class StartNextGame(Action):
    """The operator of the session names who leaves and who joins; the winner deals as seat 0 of the next table."""

    spec = schema(
        "start_next_game",
        "Open the next game: the shares name with -1 the seats that leave, with 1 those who join.",
        Phases.GAME_OVER,
        shares=True,
        out_of_turn=True,
        by_chance=True,
    )
    reasons = (WRONG_TABLE,)

    def conditions(self, g: Rules, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        return () if next_table(g.seats, r.in_game()[0], move.shares) else (g.refuse(WRONG_TABLE),)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        persons = next_table(g.seats, r.in_game()[0], move.shares)
        table = tuple((person, place) for place, person in enumerate(persons))
        events.append(public_event("next_game_seated", shares=table))
        return r._replace(phase=Phases.MATCH_OVER, match_state=r.match_state._replace(next_table=table))


def next_table(seats: int, winner: Seat, changes: Shares) -> tuple[str, ...]:
    """Return the persons of the next table from seat 0 on; empty where the changes are impossible.

    Persons of this table are named by their seats. The winner comes first, the others in their order, newcomers last.
    If the winner leaves, the next seat at its right that stays comes first.
    """
    seated = [str((winner + step) % seats) for step in range(seats)]
    leaving = {person for person, change in changes if change == LEAVES}
    joining = [person for person, change in changes if change == JOINS]
    is_consistent = len({person for person, _ in changes}) == len(changes) == len(leaving) + len(joining)
    are_new = all(person and not is_number(person) for person in joining)
    table = (*(person for person in seated if person not in leaving), *joining)
    is_possible = is_consistent and are_new and leaving.issubset(seated) and MIN_PLAYERS <= len(table) <= MAX_PLAYERS
    return table if is_possible else ()
