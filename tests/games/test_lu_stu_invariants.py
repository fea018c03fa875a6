"""Lu Stù: what is true of every deal and of every game, held against games played at random (LS-I1 to LS-I18)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import IllegalMove, legal_moves, play, replay, validate_move, view_for
from chitarrella.core.model import CHANCE, Seat
from chitarrella.exchange.round import MAX_MONEY
from tests.games.support.exchange_events import UNWRITTEN
from tests.games.support.lu_stu_walks import EVERY, ONE_FOOL, SEEDS, TABLES, deals, game_of, of, running, seats, walked
from tests.walks import universe

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
