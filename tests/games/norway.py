"""Harjan's tables: any position of a deal, and whole deals that end with the points wanted."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chitarrella.cards import Hand, minus
from chitarrella.game import legal
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table, Trick
from chitarrella.words import Move, Seat
from tests.games.kit import Match, worth

Taken = Sequence[tuple[Seat, str]]
"""Tricks that lie in the piles already: who won, which cards."""


def laid(
    g: TrickGame,
    hands: tuple[str, str],
    trump: str,
    *,
    leader: Seat = 0,
    led: str = "",
    stock: str | None = "",
    taken: Taken = (),
    start: Table | None = None,
) -> Match:
    """Lay out a deal; what is named nowhere was taken by s0, or lies in the stock where ``stock`` is None."""
    begun = g.start() if start is None else start
    held = tuple(g.pack.hand(hand.split()) for hand in hands)
    tricks = [Trick(winner, g.pack.hand(cards.split()), winner) for winner, cards in taken]
    rest = g.pack.cards
    named = (*held[0], *held[1], *g.pack.hand(led.split()), *g.pack.hand((stock or "").split()))
    for card in (*named, *(card for trick in tricks for card in trick.cards)):
        rest = minus(rest, card)
    if stock is None:
        turn_up = next(card for card in rest if card.suit == trump)
        below = (*minus(rest, turn_up), turn_up)
    else:
        below = g.pack.hand(stock.split())
        turn_up = below[-1] if below else next(card for card in g.pack.cards if card.suit == trump)
        tricks += [Trick(0, rest[at : at + 2], 0) for at in range(0, len(rest), 2)]
    p = begun._replace(
        phase="follow" if led else "lead",
        standing=begun.standing._replace(deal=begun.standing.deal or 1),
        hands=held,
        stock=below,
        turn_up=turn_up,
        trump=trump,
        leader=leader,
        trick=g.pack.hand(led.split()),
        tricks=tuple(tricks),
    )
    return Match(g, g.read(g.write(p)))


def shared(g: TrickGame, loser_has: int, loser: Seat, trump: str, apart: Hand) -> list[Trick]:
    """Make tricks of all cards but those ``apart``, of which the loser has so many points; with none, no trick."""
    cards = g.pack.cards
    for card in apart:
        cards = minus(cards, card)
    rng = Random(0)
    while True:
        order, rest, tricks = rng.sample(cards, len(cards)), loser_has, []
        for at in range(0, len(order), 2):
            pair = tuple(order[at : at + 2])
            points = g.order.counts[0].of(pair, trump)
            winner = loser if 0 < points <= rest else 1 - loser
            rest -= points if winner == loser else 0
            tricks.append(Trick(winner, pair, winner))
        if rest == 0:
            return tricks


def finish(match: Match, first: int, *, worthless: bool = False) -> Match:
    """Deal, and let the deal end with so many points for s0, of 150; ``worthless`` gives the loser six low cards."""
    match.deal(match.game.pack.cards)
    g, trump = match.game, "s"
    last = 0 if first >= 75 else 1
    low = g.pack.hand(["9c", "8c", "7c", "6c", "5d", "4d"]) if worthless else ()
    ends = g.pack.hand(["2c", "3c", "2d", "3d"])
    tricks = shared(g, 150 - first if last == 0 else first, 1 - last, trump, (*low, *ends))
    tricks += [Trick(1 - last, low, 1 - last)] if low else []
    hands = (ends[:2], ends[2:])
    p = match.p._replace(
        hands=hands, stock=(), turn_up=g.pack.card("3s"), trump=trump, leader=last, tricks=tuple(tricks)
    )
    match.p = g.read(g.write(p))
    for _ in range(2):
        turn = g.turn(match.p) or 0
        match.move(turn, legal(g, match.p, turn)[0])
    assert 0 == worth(g, ends)
    return match


def lead(cards: str) -> str:
    """Say a lead."""
    return f"lead_cards {cards}"


def answer(cards: str) -> str:
    """Say what follows."""
    return f"follow_cards {cards}"


def trick(match: Match, led: str, played: str) -> tuple[Seat, int]:
    """Lead, follow, and say who won how much."""
    leader = match.p.leader
    match.say(leader, lead(led))
    match.say(1 - leader, answer(played))
    last = match.p.tricks[-1]
    return last.winner, match.game.order.counts[0].of(last.cards, match.p.trump)


def sets(match: Match, seat: Seat) -> set[frozenset[str]]:
    """The sets of cards that a seat may lead or follow with."""
    moves: list[Move] = list(legal(match.game, match.p, seat))
    found = {frozenset(map(str, move.cards)) for move in moves}
    assert len(found) == len(moves)
    return found
