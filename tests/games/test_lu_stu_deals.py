"""Lu Stù: who decides, how a card goes back, who sees what and what is told to whom, over games played at random."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card
from chitarrella.core.game import legal_moves, play, view_for, visible_to
from chitarrella.core.model import CHANCE, REFEREE, Event, Move, Seat, Viewer
from chitarrella.exchange.game import ExchangeGame
from chitarrella.exchange.round import Round
from tests.games.support.exchange_events import UNWRITTEN, in_words
from tests.games.support.lu_stu_walks import BETWEEN, EVERY, deals, game_of, of, running, seats, walked
from tests.walks import Step

DECISIONS = ("keep", "exchange", "draw")


# ---------------------------------------------------------------------- who decides


@pytest.mark.clause("LS-34", "LS-43", "LS-45", "LS-65")
@EVERY
def test_everybody_decides_once(played: tuple[RuleSet, str]) -> None:
    """LS-I10: at most one turn each, in the order of speech; who had none holds a jumped horse; the dealer is last."""
    walk = walked(*played)
    for deal in deals(walk):
        order = deal[0].after.order
        spoken = [step.actor for step in deal if step.move.verb in DECISIONS]
        assert [place for place in order if place in spoken] == spoken
        jumped = {event.other for step in deal for event in of(step, "jump")}
        if any(of(step, "showdown") for step in deal):
            assert order[-1] == spoken[-1]
            assert {deal[-1].before.order[-1]} == {step.actor for step in deal if step.before.phase == "dealer_turn"}
            silent = set(order) - set(spoken)
            assert jumped == silent
            held = [deal[-1].before.held[place] for place in silent]
            assert ["XIII"] * len(held) == [each.card.rank for each in held if each]


@pytest.mark.clause("LS-43", "LS-61")
@EVERY
def test_the_target_decides_next(played: tuple[RuleSet, str]) -> None:
    """When an exchange is settled, talk, way back and re-entry included, its last target has the word."""
    walk = walked(*played)
    target: Seat | None = None
    for step in walk.steps:
        dealt = seats(of(step, "deal"))
        target = dealt[-1] if dealt else target
        if step.after.phase in ("turn", "dealer_turn"):
            assert target == step.after.at
            assert (step.after.phase == "dealer_turn") == (target == step.after.order[-1])


# ---------------------------------------------------------------------- the way back


@pytest.mark.clause("LS-55", "LS-56", "LS-58", "LS-59")
@EVERY
def test_a_card_goes_only_back(played: tuple[RuleSet, str]) -> None:
    """LS-I11: one card goes strictly to the left from holder to holder; one penalty ends it; no card comes or goes."""
    walk = walked(*played)
    for step in walk.steps:
        back = of(step, "reverse")
        place = {seat: number for number, seat in enumerate(step.before.order)}
        assert all(one.other == two.seat for one, two in pairwise(back))
        assert len({event.cards[1] for event in back}) <= 1
        for event in back:
            assert event.seat is not None
            assert event.other is not None
            assert place[event.other] < place[event.seat]
        penalties = [event for event in of(step, "lose") if event.word in ("cat", "hunter")]
        assert len(penalties) <= 1 + (step.move.verb == "exchange")
        if penalties and not of(step, "set_aside", "draw", "showdown"):
            dealt = Counter(event.cards[0] for event in of(step, "deal"))
            assert cards(step.after) == cards(step.before) + dealt


def cards(p: Round) -> Counter[Card]:
    """The cards in front of players."""
    return Counter(held.card for held in p.held if held)


@pytest.mark.clause("LS-60", "LS-61", "LS-62", "LS-90", "LS-92")
@EVERY
def test_who_has_lost_the_last_token_is_settled(played: tuple[RuleSet, str]) -> None:
    """In mid-deal nothing goes on before he has decided or is out; after the comparison one comes after the other."""
    walk = walked(*played)
    for step in walk.steps:
        p = step.after
        without = [place for place in p.order if p.held and p.held[place] and not p.match_state.tokens[place]]
        if p.phase == "reentry_now":
            assert [p.at] == without
        elif p.phase == "reentry":
            assert list(p.pending) == without[-len(p.pending) :]
            assert p.pending[0] == p.at
        elif p.phase not in BETWEEN:
            assert [] == without
    for deal in deals(walk):
        asked = [step.actor for step in deal if step.before.phase == "reentry"]
        assert [place for place in deal[0].after.order if place in asked] == asked


# ---------------------------------------------------------------------- who sees what


class Lying(NamedTuple):
    """A card before a seat as the rule book says it lies: whether everybody sees it."""

    card: Card
    is_open: bool = False


class Watcher:
    """An independent record of the deal: from the referee's events it derives what each viewer must see."""

    def __init__(self) -> None:
        self.before: dict[Seat, Lying] = {}
        self.aside: list[tuple[Seat, Lying]] = []

    def event_for(self, event: Event) -> None:
        """Enter an event."""
        seat, other = event.seat, event.other
        if event.kind == "deal_started":
            self.before, self.aside = {}, []
        elif seat is None:
            return
        elif event.kind in ("deal", "draw"):
            if event.kind == "draw":
                self.aside.append((seat, self.before[seat]))
            self.before[seat] = Lying(event.cards[0])
        elif event.kind in ("swap", "reverse") and other is not None:
            self.before[seat], self.before[other] = self.before[other], self.before[seat]
            assert event.cards == (self.before[seat].card, self.before[other].card)
        elif event.kind in ("show", "announce", "showdown"):
            self.before[seat] = self.before[seat]._replace(is_open=True)
            assert (event.word or event.cards[0]) == self.before[seat].card
        elif event.kind == "set_aside":
            self.aside.append((seat, self.before.pop(seat)))

    def sees(self, viewer: Viewer) -> tuple[dict[Seat, Card], list[tuple[Seat, tuple[Card, ...]]]]:
        """What the viewer must see: cards before seats, and cards aside."""
        hands = {
            place: lying.card for place, lying in self.before.items() if lying.is_open or viewer in (place, REFEREE)
        }
        return hands, [
            (place, (lying.card,) if lying.is_open or viewer in (place, REFEREE) else ()) for place, lying in self.aside
        ]


@pytest.mark.clause("LS-67", "LS-68", "LS-70")
@EVERY
def test_everybody_sees_what_he_may(played: tuple[RuleSet, str]) -> None:
    """A seat sees its own card and what was shown, named or turned up; the public only that, the referee all."""
    walk = walked(*played)
    watcher = Watcher()
    for step in walk.steps:
        for event in step.events:
            watcher.event_for(event)
        for viewer in (None, REFEREE, *range(game_of(walk).seats)):
            zones = view_for(game_of(walk), step.after, viewer).zones
            hands = {zone.seat: zone.cards[0] for zone in zones if zone.name == "hand" and zone.cards}
            aside = [(zone.seat, zone.cards) for zone in zones if zone.name == "aside"]
            assert watcher.sees(viewer) == (hands, aside)
            assert all(viewer == REFEREE or not zone.cards for zone in zones if zone.name == "pack")


@pytest.mark.clause("LS-67", "LS-69")
@EVERY
def test_legal_moves_of_every_seat(played: tuple[RuleSet, str]) -> None:
    """All get the same events; a face dealt or drawn is for its owner, those of a swap for the two, others for all."""
    walk = walked(*played)
    for step in walk.steps:
        for event in step.events:
            two = {event.seat, event.other}
            knowing = {"deal": {event.seat}, "draw": {event.seat}, "swap": two, "reverse": two}.get(event.kind)
            for viewer in (None, *range(game_of(walk).seats)):
                visible = visible_to(event, viewer)
                assert visible is not None
                if knowing is None or viewer in knowing:
                    assert event == visible
                else:
                    assert event._replace(cards=(), hidden=len(event.cards)) == visible


@pytest.mark.clause("LS-68")
@EVERY
def test_hidden_cards_make_no_difference(played: tuple[RuleSet, str]) -> None:
    """LS-I13: where only hidden cards differ, views, answers and what is told are the same to all but the decider."""
    walk, rng = walked(*played), Random("LS-I13")
    game = game_of(walk)
    for p in rng.sample(running(walk), min(12, len(running(walk)))):
        for viewer in (None, *range(game.seats)):
            other = exchanged(game, p, viewer, rng)
            assert view_for(game, p, viewer) == view_for(game, other, viewer)
            if viewer is None or viewer == game.turn(p):
                continue
            assert legal_moves(game, p, viewer) == legal_moves(game, other, viewer) == ()


@pytest.mark.clause("LS-67", "LS-69")
@EVERY
def test_order_of_the_pack_is_no_event(played: tuple[RuleSet, str]) -> None:
    """After the same decision with another card on the pack, all others get the same events, if it is plain too."""
    walk = walked(*played)
    game = game_of(walk)
    for step in walk.steps:
        if step.move.verb != "exchange" or len(of(step, "deal")) != 1 or not of(step, "swap"):
            continue
        p, target = step.before, of(step, "deal")[0].seat
        plain = next(n for n, card in enumerate(p.pack) if n and card.rank not in game.effects and card != p.pack[0])
        pack = list(p.pack)
        pack[0], pack[plain] = pack[plain], pack[0]
        _, events = play(game, p._replace(pack=tuple(pack)), step.actor, step.move)
        for viewer in {None, *range(game.seats)} - {target, step.actor}:
            assert in_words(step.events, viewer) == in_words(events, viewer)


def exchanged(game: ExchangeGame, p: Round, viewer: Viewer, rng: Random) -> Round:
    """The same position for the viewer: the cards that they do not see lie in another way."""
    unseen = [place for place, held in enumerate(p.held) if held and held.lies == "down" and place != viewer]
    aside = [n for n, each in enumerate(p.aside) if each.lies == "down" and each.seat != viewer]
    hidden = [held.card for place in unseen if (held := p.held[place])] + [p.aside[n].card for n in aside]
    inns = {place for place, held in enumerate(p.held) if held and held.moved}
    pool = [*hidden, *p.pack]
    mixed = pool if inns & set(unseen) else rng.sample(pool, len(pool))
    before, rows = dict(zip(unseen, mixed, strict=False)), dict(zip(aside, mixed[len(unseen) :], strict=False))
    other = p._replace(
        held=tuple(one._replace(card=before.get(n, one.card)) if one else None for n, one in enumerate(p.held)),
        aside=tuple(one._replace(card=rows.get(n, one.card)) for n, one in enumerate(p.aside)),
        pack=tuple(mixed[len(hidden) :]),
    )
    return game.decode(game.encode(other))


# ---------------------------------------------------------------------- what is told


@pytest.mark.clause("LS-69", "LS-110")
@EVERY
def test_order_of_the_events(played: tuple[RuleSet, str]) -> None:
    """Showdown, gains in order of speech, a loss for each losing card in that order, then who is out, then the end."""
    walk = walked(*played)
    ranks = {"draw": 1, "showdown": 2, "gain": 3, "lose": 4, "free_reentry": 5, "eliminated": 5}
    last = {"next_dealer": 6, "prize": 6}
    for step in (step for step in walk.steps if of(step, "showdown")):
        kinds = [(ranks | last)[event.kind] for event in step.events if event.kind not in UNWRITTEN]
        assert sorted(kinds) == kinds
        for kind in ("showdown", "gain", "eliminated"):
            places = [step.before.order.index(seat) for seat in seats(of(step, kind))]
            assert sorted(places) == places
        assert sum(kind == 6 for kind in kinds) == 0 or (step.after.phase in BETWEEN and settled(step))


def settled(step: Step) -> bool:
    """Whether a deal ends with one next dealer, or with prizes, each person named once, nobody with nothing."""
    if step.after.phase == "new_deal":
        return [step.after.match_state.dealer] == seats(of(step, "next_dealer"))
    prizes = [event.shares[0] for event in of(step, "prize")]
    return len({person for person, _ in prizes}) == len(prizes) and all(amount > 0 for _, amount in prizes)


@pytest.mark.clause("LS-101")
@EVERY
def test_the_next_dealer(played: tuple[RuleSet, str]) -> None:
    """The next in the game at the dealer's right deals, after all decisions."""
    walk = walked(*played)
    for step in walk.steps:
        for event in of(step, "next_dealer"):
            number = game_of(walk).seats
            right = [(step.before.match_state.dealer + n) % number for n in range(1, number + 1)]
            assert next(place for place in right if step.after.match_state.tokens[place]) == event.seat
            assert (CHANCE, "start_deal") == (
                game_of(walk).turn(step.after),
                game_of(walk).chance_request(step.after).verb,
            )
            assert Move("start_deal") not in legal_moves(game_of(walk), step.after, event.seat or 0)
