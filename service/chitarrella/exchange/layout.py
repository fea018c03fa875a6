"""How a round is laid out: where its cards lie, who sees them, and what else everybody knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chitarrella.exchange.reentry import REENTRY, REENTRY_NOW, cost_of
from chitarrella.exchange.round import ANNOUNCED, DOWN, Round
from chitarrella.words import EVERYBODY, NOBODY, Fact, Money, Seat, Sight, Zone

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame


def sight(seat: Seat, lies: str) -> Sight:
    """Say who sees a card: its owner, and everybody once it was announced or turned up."""
    return frozenset({seat}) if lies == DOWN else EVERYBODY


def zones(g: ExchangeGame, r: Round) -> Iterator[Zone]:
    """Lay out every card of the pack, each in one place; before the first deal all of them in the pack."""
    if not r.held:
        yield Zone("pack", None, g.pack.cards, NOBODY)
        return
    for seat, held in enumerate(r.held):
        if held is None:
            yield Zone("hand", seat, (), frozenset({seat}))
        else:
            yield Zone("hand", seat, (held.card,), sight(seat, held.lies))
    for aside in r.aside:
        yield Zone("aside", aside.seat, (aside.card,), sight(aside.seat, aside.lies))
    yield Zone("pack", None, r.pack, NOBODY)
    if left_out := g.left_out(len(r.order)):
        yield Zone("left_out", None, left_out, EVERYBODY)


def facts(g: ExchangeGame, r: Round) -> Iterator[Fact]:
    """Say what is true of the table beside its cards: tokens, money, promises and what was announced."""
    standing = r.standing
    yield Fact("deal", standing.deal, seen_by=EVERYBODY)
    yield Fact("dealer", standing.dealer, seen_by=EVERYBODY)
    yield Fact("pool", Money(standing.pool), seen_by=EVERYBODY)
    if r.phase in (REENTRY, REENTRY_NOW):
        yield Fact("cost", Money(cost_of(g, r)), seen_by=EVERYBODY)
    for seat, tokens in enumerate(standing.tokens):
        yield Fact("tokens", tokens, seat, EVERYBODY)
    for seat in standing.virgins:
        yield Fact("virgin", 1, seat, EVERYBODY)
    for seat, held in enumerate(r.held):
        if held is not None and held.lies == ANNOUNCED:
            yield Fact("announced", held.card, seat, EVERYBODY)
    for debt in r.debts:
        yield Fact("guarantee", debt.guest, debt.host, EVERYBODY)
    yield from bargains(r)
    for name, shares in (("agreement", standing.agreement), ("proposal", r.proposal), ("net", standing.net)):
        if shares:
            yield Fact(name, shares, seen_by=EVERYBODY)
    for seat, player in enumerate(standing.listed):
        yield Fact("listed", player, seat, EVERYBODY)
    if standing.next_table:
        yield Fact("next_game", standing.next_table, seen_by=EVERYBODY)


def bargains(r: Round) -> Iterator[Fact]:
    """Say who has a claim on what a seat wins: syndicates, hosts, and what was just offered at the inn."""
    standing = r.standing
    for seat in range(len(standing.tokens)):
        members = tuple((claim.person, claim.amount) for claim in standing.claims if claim.seat == seat)
        if members:
            yield Fact("syndicate", members, seat, EVERYBODY)
        hosts = tuple((str(promise.host), promise.percent) for promise in standing.promises if promise.guest == seat)
        if hosts:
            yield Fact("promised", hosts, seat, EVERYBODY)
    if any(r.offer) and r.asker is not None and r.target is not None:
        money, percent = r.offer
        yield Fact("offered_money", Money(money), r.asker, EVERYBODY)
        yield Fact("offered_share", ((str(r.target), percent),), r.asker, EVERYBODY)
