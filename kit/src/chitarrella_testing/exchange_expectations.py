"""What the laws have to be told of exchange games: moves with shares, and who learns of which cards.

The moves are re-entries, divisions of the pool, offers for the inn, and the next table. `EXCHANGE` goes to the laws:
``python -m chitarrella_testing KEY --expected chitarrella_testing.exchange_expectations:EXCHANGE``.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from chitarrella.core.model import Move, Seat, Shares
from chitarrella.exchange.bargains import OfferTerms
from chitarrella.exchange.parts import CAT, CUCKOO, HORSE, HUNTER, INN
from chitarrella_testing.expectations import FRIENDS, EventKinds, Expectations, PublicTable, ShareMoves


def _in_game(table: PublicTable) -> list[Seat]:
    return [seat for seat, tokens in enumerate(table.tokens) if tokens]


def _payers(table: PublicTable) -> list[str]:
    """The persons other than the player who may pay for a re-entry: seats that are out for good, non-players."""
    if not table.game.max_helpers:
        return []
    own_place = _place(table, table.actor)
    waiting = [seat for seat in table.held if seat is not None and _place(table, seat) > own_place]
    out = [seat for seat, tokens in enumerate(table.tokens) if not tokens and seat not in (*waiting, table.actor)]
    return [*map(str, out), *FRIENDS]


def _place(table: PublicTable, seat: Seat) -> int:
    return int((seat - table.number("dealer") - 1) % table.game.seats)


def _split(total: int, parts: int, rng: Random) -> list[int]:
    """Split an amount into so many parts of at least 1."""
    cuts = sorted(rng.sample(range(1, min(total, 10**6)), parts - 1))
    return [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]


def _reentries(table: PublicTable, rng: Random) -> Iterator[Move]:
    cost, own_seat = table.number("cost"), str(table.actor)
    yield Move("reenter")
    yield Move("reenter", shares=((own_seat, cost),))
    others = _payers(table)
    if others:
        yield Move("reenter", shares=((rng.choice(others), cost),))
        people = rng.sample([own_seat, *others], rng.randint(1, min(len(others), 4, cost)))
        yield Move("reenter", shares=tuple(zip(people, _split(cost, len(people), rng), strict=True)))


def _wrong_reentries(table: PublicTable, rng: Random) -> Iterator[Move]:
    cost, own_seat = table.number("cost"), str(table.actor)
    wrong = (((own_seat, cost + 1),), ((own_seat, cost - 1),), ((own_seat, 0),), ((own_seat, -cost),))
    people = [*map(str, set(_in_game(table)) - {table.actor}), "-1", str(table.game.seats), "007"]
    others = [((person, cost),) for person in people]
    twice = ((own_seat, 1), (own_seat, cost - 1))
    nothing = ((own_seat, cost), ("zia", 0))
    less = ((own_seat, cost + 1), ("zia", -1))
    if not _payers(table):
        others.append((("zia", cost),))
    for shares in (*wrong, *others, twice, nothing, less):
        yield Move("reenter", shares=shares)


def _last_two(table: PublicTable) -> tuple[str, str]:
    one, two = map(str, _in_game(table))
    return one, two


def _proposals(table: PublicTable, rng: Random) -> Iterator[Move]:
    one, two = _last_two(table)
    for share in (0, 100, rng.randint(1, 99)):
        yield Move("propose_agreement", shares=((one, share), (two, 100 - share)))
    yield Move("propose_agreement", shares=((two, 1), (one, 99)))


def _wrong_proposals(table: PublicTable, rng: Random) -> Iterator[Move]:
    one, two = _last_two(table)
    for shares in (
        (),
        ((one, 100),),
        ((one, 50), (one, 50)),
        ((one, 101), (two, -1)),
        ((one, 50), (two, 49)),
        ((one, 50), ("zia", 50)),
        ((one, 50), (two, 50), ("zia", 0)),
    ):
        yield Move("propose_agreement", shares=shares)


def _host(table: PublicTable) -> Seat:
    return next(fact.seat for fact in table.view.facts if fact.name == "announced" and fact.seat is not None)


def _unpromised(table: PublicTable) -> int:
    """The percentage that a guest has not promised yet."""
    promised = (fact.value for fact in table.view.facts if fact.name == "promised" and fact.seat == table.actor)
    return 100 - sum(percent for value in promised if isinstance(value, tuple) for _, percent in value)


def _terms(table: PublicTable) -> OfferTerms:
    terms: OfferTerms = table.game.offer_terms
    return terms


def _offers(table: PublicTable, rng: Random) -> Iterator[Move]:
    terms, host, most = _terms(table), str(_host(table)), _unpromised(table)
    percents = [percent for percent in (1, most, rng.randint(1, max(most, 1))) if terms.max_percent and most]
    for percent in percents:
        yield Move("make_offer", amount=0, shares=((host, percent),))
    for money in (1, 1_000_000_000, rng.randint(1, 500)) if terms.max_money else ():
        yield Move("make_offer", amount=money)
        if percents:
            yield Move("make_offer", amount=money, shares=((host, rng.choice(percents)),))


def _wrong_offers(table: PublicTable, rng: Random) -> Iterator[Move]:
    terms, host, most = _terms(table), _host(table), _unpromised(table)
    yield Move("make_offer", amount=0)
    yield Move("make_offer", amount=1, shares=((str(host), most + 1),))
    yield Move("make_offer", amount=1, shares=((str(host), -1),))
    yield Move("make_offer", amount=1, shares=(("zia", 1),))
    yield Move("make_offer", amount=1, shares=((str(table.actor), 1),))
    if not terms.max_money:
        yield Move("make_offer", amount=1)
    if not terms.max_percent:
        yield Move("make_offer", amount=1, shares=((str(host), 1),))


def _next_tables(table: PublicTable, rng: Random) -> Iterator[Move]:
    seats = table.game.seats
    yield Move("start_next_game")
    room = 20 - seats
    joining = [(name, 1) for name in rng.sample(FRIENDS, rng.randint(0, min(room, len(FRIENDS))))]
    most = min(seats, seats + len(joining) - 2)
    leaving = [(str(seat), -1) for seat in rng.sample(range(seats), rng.randint(0, most))]
    yield Move("start_next_game", shares=tuple(rng.sample([*joining, *leaving], len(joining) + len(leaving))))


def _wrong_next_tables(table: PublicTable, rng: Random) -> Iterator[Move]:
    seats = table.game.seats
    wrong: list[Shares] = [
        (("zia", -1),),
        ((str(seats), -1),),
        (("0", 1),),
        (("0", -1), ("0", -1)),
        (("zia", 1), ("zia", 1)),
        (("zia", 2),),
        (("0", 0),),
        tuple((str(seat), -1) for seat in range(seats - 1)),
        tuple((f"friend {number}", 1) for number in range(21 - seats)),
    ]
    for shares in wrong:
        yield Move("start_next_game", shares=shares)


EXCHANGE_SHARE_MOVES = {  # the moves with shares of the family, by verb
    "reenter": ShareMoves(_reentries, _wrong_reentries),
    "propose_agreement": ShareMoves(_proposals, _wrong_proposals),
    "make_offer": ShareMoves(_offers, _wrong_offers),
    "start_next_game": ShareMoves(_next_tables, _wrong_next_tables),
}
EXCHANGE_KINDS = EventKinds(  # which seats learn of the cards of an event of the family
    to_both=frozenset({"swapped", "swap_undone", "swap_reversed"}),
    turned_up=frozenset({"card_shown", "card_revealed"}),
    own_zones=frozenset({"aside"}),
    open_hands=frozenset({"announced"}),
)
EXCHANGE = Expectations({}, EXCHANGE_SHARE_MOVES, EXCHANGE_KINDS, frozenset({INN, CAT, HORSE, HUNTER, CUCKOO}))
"""The expectations of a game of the family that adds no verb with shares."""
