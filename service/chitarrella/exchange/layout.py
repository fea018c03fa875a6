"""Zones and facts of a round, and who sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chitarrella.core.model import EVERYBODY, NOBODY, Fact, Money, Seat, Visibility, Zone, ZoneSpec
from chitarrella.core.visibility import seen_by_word
from chitarrella.exchange.parts import Rules
from chitarrella.exchange.reentry import REENTRY, REENTRY_NOW, reentry_cost
from chitarrella.exchange.round import ANNOUNCED, DOWN, Round


def visibility(seat: Seat, lies: str) -> Visibility:
    """Return who sees a card: its owner, and everybody once it was announced or turned up."""
    return frozenset({seat}) if lies == DOWN else EVERYBODY


def zone_specs(g: Rules) -> tuple[ZoneSpec, ...]:
    """Return every kind of zone that `zones` may yield. A card that was shown is seen by everybody."""
    owner = seen_by_word(visibility(0, DOWN))
    left_out = ZoneSpec("left_out", "The card that this number of players leaves out.", seen_by_word(EVERYBODY))
    return (
        ZoneSpec("pack", "The cards that are not dealt yet.", seen_by_word(NOBODY)),
        ZoneSpec("hand", "The cards that a seat holds.", owner),
        ZoneSpec("aside", "A card that a seat has laid aside; one zone for each.", owner),
        *((left_out,) if g.single_fool_from else ()),
    )


def zones(g: Rules, r: Round) -> Iterator[Zone]:
    """Yield every card of the pack in exactly one zone. Before the first deal all cards are in the pack."""
    if not r.held:
        yield Zone("pack", None, g.pack.cards, NOBODY)
        return
    for seat, held in enumerate(r.held):
        if held is None:
            yield Zone("hand", seat, (), frozenset({seat}))
        else:
            yield Zone("hand", seat, (held.card,), visibility(seat, held.lies))
    for aside in r.aside:
        yield Zone("aside", aside.seat, (aside.card,), visibility(aside.seat, aside.lies))
    yield Zone("pack", None, r.pack, NOBODY)
    if left_out := g.left_out(len(r.order)):
        yield Zone("left_out", None, left_out, EVERYBODY)


def redealt(r: Round, zones: Sequence[Zone]) -> Round:
    """Return ``r`` with its cards as in ``zones``, which are those of `zones` in the same order."""
    if not r.held:
        return r
    hands = [zone.cards for zone in zones if zone.name == "hand"]
    aside = [zone.cards[0] for zone in zones if zone.name == "aside"]
    return r._replace(
        held=tuple(held and held._replace(card=cards[0]) for held, cards in zip(r.held, hands, strict=True)),
        aside=tuple(one._replace(card=card) for one, card in zip(r.aside, aside, strict=True)),
        pack=next(zone.cards for zone in zones if zone.name == "pack"),
    )


def facts(g: Rules, r: Round) -> Iterator[Fact]:
    """Yield what is public beside the cards: tokens, money, promises and announced cards."""
    match_state = r.match_state
    yield Fact("deal", match_state.deal, seen_by=EVERYBODY)
    yield Fact("dealer", match_state.dealer, seen_by=EVERYBODY)
    yield Fact("pool", Money(match_state.pool), seen_by=EVERYBODY)
    if r.phase in (REENTRY, REENTRY_NOW):
        yield Fact("cost", Money(reentry_cost(g, r)), seen_by=EVERYBODY)
    for seat, tokens in enumerate(match_state.tokens):
        yield Fact("tokens", tokens, seat, EVERYBODY)
    for seat in match_state.virgins:
        yield Fact("virgin", 1, seat, EVERYBODY)
    for seat, held in enumerate(r.held):
        if held is not None and held.lies == ANNOUNCED:
            yield Fact("announced", held.card, seat, EVERYBODY)
    for debt in r.debts:
        yield Fact("guarantee", debt.guest, debt.host, EVERYBODY)
    yield from claim_facts(r)
    for name, shares in (("agreement", match_state.agreement), ("proposal", r.proposal), ("net", match_state.net)):
        if shares:
            yield Fact(name, shares, seen_by=EVERYBODY)
    for seat, number in enumerate(match_state.listed):
        yield Fact("listed", number, seat, EVERYBODY)
    if match_state.next_table:
        yield Fact("next_game", match_state.next_table, seen_by=EVERYBODY)


def claim_facts(r: Round) -> Iterator[Fact]:
    """Yield the claims on a seat's prize: of its syndicate, of hosts, and the offer made at the inn."""
    match_state = r.match_state
    for seat in range(len(match_state.tokens)):
        members = tuple((claim.person, claim.amount) for claim in match_state.claims if claim.seat == seat)
        if members:
            yield Fact("syndicate", members, seat, EVERYBODY)
        hosts = tuple((str(promise.host), promise.percent) for promise in match_state.promises if promise.guest == seat)
        if hosts:
            yield Fact("promised", hosts, seat, EVERYBODY)
    if any(r.offer) and r.asker is not None and r.target is not None:
        money, percent = r.offer
        yield Fact("offered_money", Money(money), r.asker, EVERYBODY)
        yield Fact("offered_share", ((str(r.target), percent),), r.asker, EVERYBODY)
