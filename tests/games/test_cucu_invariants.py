"""Cucù: what is true of every game, held against games played at random (CU-I1 to CU-I11, I14, I15, I18, I19)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from chitarrella.core.cards import CUCCO, Card
from chitarrella.core.model import Seat
from chitarrella.exchange.round import MAX_MONEY
from tests.games.support.cucu_walks import EVERY, PLAYING, deals, events_in, game_of, on_table, played
from tests.walks import Walk


@pytest.fixture
def walk(request: pytest.FixtureRequest) -> Walk:
    """Some deals of a rule set."""
    return played(request)


@pytest.mark.clause("CU-5")
@EVERY
def test_forty_cards(walk: Walk) -> None:
    """CU-I1: pack, cards before the players and cards laid aside are the forty cards, at every moment."""
    for p in walk.positions:
        if p.held:
            cards = [*p.pack, *on_table(p).values(), *(aside.card for aside in p.aside)]
            assert sorted(CUCCO.cards) == sorted(cards)


@pytest.mark.clause("CU-31", "CU-62", "CU-46")
@EVERY
def test_cards_leave_the_pack_in_order(walk: Walk) -> None:
    """CU-I2: what is left of the pack is its end, less at most the last card, and no more than n + 2 cards are gone."""
    for first, *rest in deals(walk):
        for step in (first, *rest):
            pack, left = first.move.cards, step.after.pack
            assert len(left) >= 40 - len(step.after.order) - 2
            gone = 40 - len(left)
            assert left in (pack[gone:], pack[gone - 1 : -1])
            if dict(walk.rule_set.options).get("horse_dealer_draw") == "next":
                assert left == pack[gone:]


@pytest.mark.clause("CU-24", "CU-41")
@EVERY
def test_who_was_reached_has_one_card(walk: Walk) -> None:
    """CU-I3: those in the order of speech who have been reached hold a card each, and nobody else."""
    for p in walk.positions:
        assert set(on_table(p)) == set(p.order[: len(on_table(p))])


@pytest.mark.clause("CU-79", "CU-96", "CU-100")
@EVERY
def test_tokens_rise_by_re_entry_only(walk: Walk) -> None:
    """CU-I4: tokens are never below zero, and rise only for who pays, or for everybody when all re-enter free."""
    tokens = game_of(walk).tokens
    for step in walk.steps:
        before, after = step.before.match_state.tokens, step.after.match_state.tokens
        raised = {seat for seat, (old, new) in enumerate(zip(before, after, strict=True)) if new > old}
        paid = {event.seat for event in step.events if event.kind == "reenter"}
        free = any(event.kind == "free_reentry" for event in step.events)
        assert min(after) >= 0
        assert raised <= paid or free
        assert all(after[seat] == tokens for seat in raised)
        if free:
            assert {tokens} == set(after)


@pytest.mark.clause("CU-48", "CU-73")
@EVERY
def test_at_most_two_tokens_in_a_deal(walk: Walk) -> None:
    """CU-I5: in a deal a player loses one token to a hunter or a cat, one or two in the comparison, two in all."""
    for steps in deals(walk):
        lost = Counter((event.seat, event.word in ("hunter", "cat")) for event in events_in(steps, "lose"))
        assert all(number <= (1 if struck else 2) for (_, struck), number in lost.items())
        assert all(number <= 2 for number in Counter(event.seat for event in events_in(steps, "lose")).values())
        ends = [step.after.match_state.tokens for step in steps if events_in([step], "lose")]
        assert all(0 <= tokens for after in ends for tokens in after)


@pytest.mark.clause("CU-73", "CU-74", "CU-75", "CU-76")
@EVERY
def test_how_many_lose_in_a_comparison(walk: Walk) -> None:
    """CU-I6: without a fool none, one or two tokens are lost, with one fool one to three, with two one or two."""
    for step in walk.steps:
        shown = [event.cards[0] for event in step.events if event.kind == "showdown"]
        if shown:
            lost = [event for event in step.events if event.kind == "lose"]
            assert len(lost) in {0: (0, 1, 2), 1: (1, 2, 3), 2: (1, 2)}[shown.count(CUCCO.card("MAT"))]


@pytest.mark.clause("CU-22", "CU-102", "CU-110", "CU-95")
@EVERY
def test_money(walk: Walk) -> None:
    """CU-I7, CU-I8, CU-I18: the pool is stakes and fees until it is divided, and all that is paid or won is booked."""
    game = game_of(walk)
    net = Counter({str(seat): -game.stake for seat in range(game.seats)})
    fees = 0
    for step in walk.steps:
        for event in step.events:
            if event.kind == "reenter":
                net.subtract(dict(event.shares))
                fees += sum(dict(event.shares).values())
            if event.kind == "prize":
                net.update(dict(event.shares))
        match_state = step.after.match_state
        over = step.after.phase in ("game_over", "match_over")
        assert match_state.pool == (0 if over else game.seats * game.stake + fees)
        assert 0 == match_state.pool + sum(amount for _, amount in match_state.net)
        assert {person: amount for person, amount in net.items() if amount} == {p: n for p, n in match_state.net if n}
        assert match_state.pool <= MAX_MONEY


@pytest.mark.clause("CU-23")
@EVERY
def test_virgins(walk: Walk) -> None:
    """CU-I9: a virgin has all the tokens, and nobody becomes one again; who lost or bought a token is none."""
    game = game_of(walk)
    touched: set[Seat | None] = set()
    for before, after in pairwise(walk.positions):
        assert set(after.match_state.virgins) <= set(before.match_state.virgins)
    for step in walk.steps:
        touched |= {event.seat for event in step.events if event.kind in ("lose", "reenter")}
        touched |= set(range(game.seats)) if events_in([step], "free_reentry") else set()
        assert set(range(game.seats)) - touched == set(step.after.match_state.virgins)
        assert all(step.after.match_state.tokens[seat] == game.tokens for seat in step.after.match_state.virgins)


@pytest.mark.clause("CU-33", "CU-34", "CU-45", "CU-60")
@EVERY
def test_one_decision_each(walk: Walk) -> None:
    """CU-I10: players decide once and in the order of speech, the dealer too; who does not has a jumped horse."""
    for steps in deals(walk):
        decided = [step.before.at for step in steps if step.before.phase in ("turn", "dealer_turn")]
        order = steps[0].after.order
        assert decided == [seat for seat in order if seat in decided]
        finished = events_in(steps, "showdown")
        if finished:
            assert set(order) - set(decided) == {event.other for event in events_in(steps, "jump")}
            assert [order[-1]] == [step.before.at for step in steps if step.before.phase == "dealer_turn"]


@pytest.mark.clause("CU-44", "CU-49")
@EVERY
def test_a_cat_sends_every_card_home(walk: Walk) -> None:
    """CU-I11: when a cat has undone a chain, every player of it holds the card that was dealt to him."""
    for steps in deals(walk):
        dealt: dict[Seat | None, Card] = {}
        for step in steps:
            dealt.update({event.seat: event.cards[0] for event in step.events if event.kind == "deal"})
            for event in events_in([step], "undo"):
                for seat in (event.seat, event.other):
                    assert seat is not None
                    assert dealt[seat] == on_table(step.after)[seat]


@pytest.mark.clause("CU-34", "CU-50")
@EVERY
def test_length_of_a_deal(walk: Walk) -> None:
    """CU-I14: from the first card to the comparison a deal takes a move a player, and two more for each inn."""
    for steps in deals(walk):
        moves = [step for step in steps if step.before.phase in PLAYING]
        assert len(moves) <= len(steps[0].after.order) + 4
        assert len(events_in(steps, "announce")) <= 2


@pytest.mark.clause("CU-99", "CU-7")
@EVERY
def test_one_is_left(walk: Walk) -> None:
    """CU-I15: the game is over when exactly one player has tokens, and not before; he has won."""
    game = game_of(walk)
    for p in walk.positions:
        players = [seat for seat, tokens in enumerate(p.match_state.tokens) if tokens]
        settling = p.phase == "reentry" or p.phase in PLAYING
        assert game.is_finished(p) == (len(players) == 1 and not settling)
        assert (frozenset(players) if game.is_finished(p) else None) == game.outcome(p)


@pytest.mark.clause("CU-56", "CU-74")
@EVERY
def test_nobody_loses_a_token_with_a_cuckoo(walk: Walk) -> None:
    """CU-I19: who has a cuckoo loses no token; under the narrow reading he loses none for it in the comparison."""
    cuckoo, always = CUCCO.card("XV"), bool(game_of(walk).protectors)
    for step in walk.steps:
        for event in events_in([step], "lose"):
            struck = event.word in ("hunter", "cat")
            assert event.seat is not None
            if always or event.word in ("low", "matto"):
                assert cuckoo != on_table(step.before if struck else step.after)[event.seat]
