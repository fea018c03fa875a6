"""Lu Stù: what is true of every deal and of every game, held against games played at random (LS-I1 to LS-I18)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card
from chitarrella.core.game import IllegalMove, legal_moves, play, replay, validate_move, view_for, visible_to
from chitarrella.core.model import CHANCE, REFEREE, Event, Move, Seat, Viewer
from chitarrella.exchange.game import ExchangeGame
from chitarrella.exchange.round import MAX_MONEY, Round
from tests.games.support.exchange_events import UNWRITTEN, in_words
from tests.games.support.lu_stu_walks import (
    BETWEEN,
    EVERY,
    ONE_FOOL,
    SEEDS,
    TABLES,
    deals,
    game_of,
    of,
    running,
    seats,
    walked,
)
from tests.walks import Step, universe

KINDS = {
    *("seat_drawn", "deal", "draw", "swap", "reverse", "show", "jump", "announce", "offer", "pay", "promise", "lose"),
    *("guarantee", "gain", "eliminated", "set_aside", "showdown", "free_reentry", "reenter", "next_dealer", "prize"),
    *("proposal", "agreement", "next_game"),
}
"""Everything that can happen at Lu Stù."""


def test_everything_happens() -> None:
    """The games held against the laws below are no tame ones: all that can happen does, every loss and phase too."""
    walks = [walked(table, seed) for table in TABLES for seed in SEEDS]
    steps = [step for walk in walks for step in walk.steps]
    assert KINDS | UNWRITTEN == {event.kind for step in steps for event in step.events}
    assert {"low", "matto", "inn", "cat", "hunter"} == {event.word for step in steps for event in of(step, "lose")}
    assert {phase for walk in walks for phase in game_of(walk).phases} == {step.before.phase for step in steps} | {
        "match_over"
    }
    assert any(len(of(step, "reverse")) > 2 for step in steps)
    assert any(len(event.shares) > 2 for step in steps for event in of(step, "reenter"))


# ---------------------------------------------------------------------- cards


@pytest.mark.clause("LS-5", "LS-32")
@EVERY
def test_no_card_is_lost(played: tuple[RuleSet, str]) -> None:
    """LS-I1: pack, cards before players and cards aside are the forty, or thirty-nine, of that deal."""
    walk = walked(*played)
    for deal in deals(walk):
        whole = Counter(deal[0].move.cards)
        for p in [step.after for step in deal]:
            lying = [held.card for held in p.held if held] + [aside.card for aside in p.aside]
            assert whole == Counter([*p.pack, *lying])


@pytest.mark.clause("LS-31", "LS-66")
@EVERY
def test_cards_come_from_the_top(played: tuple[RuleSet, str]) -> None:
    """LS-I2: what left the pack is the beginning of the dealing order, and at most two cards more than speak."""
    walk = walked(*played)
    for deal in deals(walk):
        order = deal[0].move.cards
        for step in deal:
            taken = len(order) - len(step.after.pack)
            assert order[taken:] == step.after.pack
            assert taken <= len(step.after.order) + 2


@pytest.mark.clause("LS-24", "LS-62")
@EVERY
def test_who_was_dealt_a_card_has_one(played: tuple[RuleSet, str]) -> None:
    """LS-I3: everybody whom the deal has reached, and who is not out since, has one card; nobody else has any."""
    walk = walked(*played)
    for deal in deals(walk):
        holding: set[Seat] = set()
        for step in deal:
            holding = (holding | set(seats(of(step, "deal")))) - set(seats(of(step, "set_aside")))
            assert holding == {place for place, held in enumerate(step.after.held) if held}


# ---------------------------------------------------------------------- tokens


@pytest.mark.clause("LS-79", "LS-96")
@EVERY
def test_tokens_do_not_fall_from_the_sky(played: tuple[RuleSet, str]) -> None:
    """LS-I4: nobody has fewer than none, and more only by a gain, a re-entry that was paid, or the free one."""
    walk = walked(*played)
    for step in walk.steps:
        old, new = step.before.match_state.tokens, step.after.match_state.tokens
        assert min(new) >= 0
        rising = {place for place, (a, b) in enumerate(zip(old, new, strict=True)) if b > a}
        if not of(step, "free_reentry"):
            assert rising <= set(seats(of(step, "gain", "reenter")))


@pytest.mark.clause("LS-70", "LS-72", "LS-74", "LS-75", "LS-76")
@EVERY
def test_what_a_comparison_costs(played: tuple[RuleSet, str]) -> None:
    """LS-I5, LS-I6: no fool: one loses; one: two lose; two: one loses and two gain, whoever pays for whom."""
    walk = walked(*played)
    compared = [step for step in walk.steps if of(step, "showdown")]
    assert compared
    for step in compared:
        fools = sum(event.cards[0].rank == "MAT" for event in of(step, "showdown"))
        assert ((1, 0), (2, 0), (1, 2))[fools] == (len(of(step, "lose")), len(of(step, "gain")))
        assert 2 <= len(of(step, "showdown"))
        if not of(step, "free_reentry"):
            change = sum(step.after.match_state.tokens) - sum(step.before.match_state.tokens)
            assert (-1, -2, 1)[fools] == change


@pytest.mark.clause("LS-23", "LS-96", "LS-100")
@EVERY
def test_virgins(played: tuple[RuleSet, str]) -> None:
    """LS-I9: a virgin has the tokens everybody began with; there are never more virgins than before."""
    walk = walked(*played)
    for before, after in pairwise(walk.positions):
        assert set(after.match_state.virgins) <= set(before.match_state.virgins)
        assert all(after.match_state.tokens[place] == game_of(walk).tokens for place in after.match_state.virgins)


@pytest.mark.clause("LS-23", "LS-78")
@EVERY
def test_who_is_touched_is_no_virgin(played: tuple[RuleSet, str]) -> None:
    """Who loses, gains or buys a token is a virgin no more, but who gains and loses one with his own MAT; no other."""
    walk = walked(*played)
    for step in walk.steps:
        both = {event.seat for event in of(step, "gain")} & {e.seat for e in of(step, "lose") if e.word == "low"}
        touched = set(seats(of(step, "gain", "lose", "reenter"))) - both
        old, new = set(step.before.match_state.virgins), set(step.after.match_state.virgins)
        assert new == (set() if of(step, "free_reentry") else old - touched)


@pytest.mark.clause("LS-32")
@pytest.mark.parametrize("players", [2, 3, 5, 20])
def test_one_fool_never_wins(players: int) -> None:
    """LS-I17: with one Matto in the pack no comparison has two, and nobody ever gains a token."""
    for seed in ("one", "two", "three"):
        for step in walked(RuleSet("lu-stu", players, ONE_FOOL), seed).steps:
            assert sum(event.cards[0].rank == "MAT" for event in of(step, "showdown")) <= 1
            assert [] == of(step, "gain")


# ---------------------------------------------------------------------- money


@pytest.mark.clause("LS-22", "LS-52", "LS-96", "LS-110")
@EVERY
def test_the_pool(played: tuple[RuleSet, str]) -> None:
    """LS-I7: the pool is the stakes and what re-entries cost, until it is divided; bargains never touch it."""
    walk = walked(*played)
    game, pool = game_of(walk), game_of(walk).stake * game_of(walk).seats
    for step in walk.steps:
        pool += sum(amount for event in of(step, "reenter") for _, amount in event.shares)
        prizes = sum(amount for event in of(step, "prize") for _, amount in event.shares)
        assert prizes in (0, pool)
        pool -= prizes
        assert pool == step.after.match_state.pool
        assert (pool == 0) == game.is_finished(step.after)


@pytest.mark.clause("LS-52", "LS-110", "LS-111", "LS-112")
@EVERY
def test_no_money_comes_or_goes(played: tuple[RuleSet, str]) -> None:
    """LS-I8: what all persons have received, less what they have paid, and the pool make nothing."""
    walk = walked(*played)
    for p in walk.positions:
        assert 0 == p.match_state.pool + sum(amount for _, amount in p.match_state.net)


@pytest.mark.clause("LS-50")
@EVERY
def test_nobody_promises_more_than_all(played: tuple[RuleSet, str]) -> None:
    """LS-I12: what somebody has promised is never more than 100 percent."""
    walk = walked(*played)
    for p in walk.positions:
        promised: Counter[Seat] = Counter()
        for promise in p.match_state.promises:
            promised[promise.guest] += promise.percent
        assert max(promised.values(), default=0) <= 100


@pytest.mark.clause("LS-94", "LS-95")
@EVERY
def test_the_price_of_a_re_entry(played: tuple[RuleSet, str]) -> None:
    """LS-I15: it begins with the stake and doubles with each re-entry that is paid, and with nothing else."""
    walk = walked(*played)
    paid = 0
    for step in walk.steps:
        if step.move.verb == "reenter":
            (event,) = of(step, "reenter")
            assert game_of(walk).stake * 2**paid == sum(amount for _, amount in event.shares)
            paid += 1
        for fact in view_for(game_of(walk), step.after, None).facts:
            if fact.name == "cost":
                assert game_of(walk).stake * 2**paid == fact.value


@pytest.mark.clause("LS-102")
@EVERY
def test_the_bound_of_money(played: tuple[RuleSet, str]) -> None:
    """LS-I18: no pool passes the bound."""
    walk = walked(*played)
    assert 2**53 - 1 == MAX_MONEY
    assert all(p.match_state.pool <= MAX_MONEY for p in walk.positions)


# ---------------------------------------------------------------------- the game as a whole


@pytest.mark.clause("LS-63", "LS-99")
@EVERY
def test_a_game_has_one_winner(played: tuple[RuleSet, str]) -> None:
    """LS-I16: a game is over when one player has tokens and nobody is left who may buy himself back."""
    walk = walked(*played)
    game = game_of(walk)
    for p in walk.positions:
        left = {place for place, tokens in enumerate(p.match_state.tokens) if tokens}
        assert game.is_finished(p) == (len(left) == 1 and p.phase not in ("reentry", "reentry_now"))
        assert (left if game.is_finished(p) else None) == game.outcome(p)


@pytest.mark.clause("LS-33")
@EVERY
def test_the_same_moves_lead_to_the_same_game(played: tuple[RuleSet, str]) -> None:
    """LS-I14: the moves of a game, made again, come to the same; what is refused changes nothing."""
    walk = walked(*played)
    game, rng = game_of(walk), Random("LS-I14")
    assert walk.positions[-1] == replay(game, walk.moves)
    for number in walk.sample(rng):
        p = walk.positions[number]
        written = game.encode(p)
        for move in universe(game, rng, 10):
            actor = rng.choice([CHANCE, *range(game.seats)])
            if validate_move(game, p, actor, move):
                with pytest.raises(IllegalMove):
                    play(game, p, actor, move)
        assert written == game.encode(p)


@pytest.mark.clause("LS-33", "LS-68")
@EVERY
def test_one_decider(played: tuple[RuleSet, str]) -> None:
    """There is exactly one decider, who has a legal move, and nobody else has any."""
    walk = walked(*played)
    game = game_of(walk)
    for p in running(walk):
        assert [game.turn(p)] == [place for place in range(game.seats) if legal_moves(game, p, place)]


# ---------------------------------------------------------------------- what cannot be


@pytest.mark.clause("LS-64", "LS-63", "LS-91")
@EVERY
def test_what_never_happens(played: tuple[RuleSet, str]) -> None:
    """No cat or hunter hits the dealer; nobody is let in free but after a comparison (LS-R19, LS-R20, LS-R41)."""
    for step in walked(*played).steps:
        struck = {event.seat for event in of(step, "lose") if event.word in ("cat", "hunter")}
        assert not struck & set(step.before.order[-1:])
        assert bool(of(step, "showdown")) or not of(step, "free_reentry")


@pytest.mark.clause("LS-46", "LS-49", "LS-63")
def test_two_players() -> None:
    """With two the dealer is always the target: no card is jumped or sent back, and who is out ends it (LS-R34)."""
    long = RuleSet("lu-stu", 2, (("tokens", "9"),))
    steps = [step for number in range(8) for step in walked(long, f"two {number}").steps]
    assert {"XI", "XII", "XIII", "XIV", "XV"} == {e.cards[0] for step in steps for e in of(step, "show")}
    for step in steps:
        assert not of(step, "jump", "reverse")
        assert set(seats(of(step, "show", "announce"))) <= set(step.before.order[-1:])
        assert bool(of(step, "eliminated")) == bool(of(step, "match_won"))


# ---------------------------------------------------------------------- lu stu deals


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
