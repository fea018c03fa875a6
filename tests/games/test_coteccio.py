"""Coteccio: cards, deal, tricks, the choice of the last trick, and what is seen (clauses CC-1 to CC-15)."""

from __future__ import annotations

from itertools import combinations

import pytest

from chitarrella.core.game import turn_order
from chitarrella.core.model import REFEREE
from tests.games.support.coteccio_tables import (
    SEATS,
    before_deal,
    each,
    game,
    lost_by,
    options,
    over,
    row,
    seen_to,
    swept,
    terms,
)
from tests.games.support.examples import Block
from tests.games.support.table import Match, events_of, facts, net, pack_for, table, taker, worth, zone

# ---------------------------------------------------------------------- cards


@pytest.mark.clause("CC-3", "CC-4")
@each("pile")
def test_cards_taken(block: Block) -> None:
    """CC-E1: what cards are worth without the last trick; a suit is worth 18."""
    said = block.words()
    g = game()
    assert int(said["points"]) == worth(g, g.pack.hand(said["pile"].split()))


@pytest.mark.clause("CC-3", "CC-4")
def test_the_pack_is_worth_72() -> None:
    """Four suits of 18 make 72; the dearest ten cards are four aces, four kings and two knights: 52, and 6."""
    g = game()
    assert [18] * 4 == [worth(g, tuple(card for card in g.pack.cards if card.suit == suit)) for suit in "bcds"]
    dear = sorted((worth(g, (card,)) for card in g.pack.cards), reverse=True)
    assert (40, 72, 52) == (len(dear), sum(dear), sum(dear[:10]))


@pytest.mark.clause("CC-2", "CC-14")
@each("order")
@pytest.mark.parametrize("suit", ["b", "c", "d", "s"])
def test_order_of_a_suit(block: Block, suit: str) -> None:
    """CC-E23: of two cards of a suit the one further right wins, whichever is played first; so in every suit."""
    g = game()
    cards = g.pack.hand(card.replace(block.words()["suit"], suit) for card in block.words()["order"].split())
    for low, high in combinations(cards, 2):
        places = [taker(g, trick) for trick in ((low, high), (high, low))]
        assert [1, 0] == places


# ---------------------------------------------------------------------- the deal


@pytest.mark.clause("CC-7", "ALL-2")
@each("deal")
def test_packets(block: Block) -> None:
    """CC-E24: packets of two and three, and five at once, the leader first and the dealer last."""
    said = block.words()
    packets = said["deal_packets"].replace(" ", "-")
    match = Match(game(int(said["players"]), int(said["dealer"]), deal_packets=packets))
    match.deal(match.game.pack.hand(said["pack"].split()))
    assert [said[f"hand {place}"] for place in range(3)] == [" ".join(hand) for hand in match.p.hands]


@pytest.mark.clause("CC-6", "CC-7", "ALL-1", "ALL-2")
@pytest.mark.parametrize("players", SEATS)
def test_one_card_at_a_time(players: int) -> None:
    """CC-E16: the i-th seat from the leader on gets cards i, i + n, i + 2n ...; the rest stays hidden."""
    for dealer in range(players):
        match = Match(game(players, dealer))
        pack = match.game.pack.cards
        match.deal(pack)
        leader = (dealer + 1) % players
        assert (leader, "play") == (match.game.turn(match.p), match.p.phase)
        for place in range(players):
            assert pack[place : 5 * players : players] == match.p.hands[(leader + place) % players]
        assert pack[5 * players :] == match.p.own.undealt


@pytest.mark.clause("CC-7")
def test_packets_of_seven() -> None:
    """CC-E16: with packets of two and three seat i of seven gets 2i and 2i + 1, then 14 + 3i and the two after it."""
    match = Match(game(7, 6, deal_packets="2-3"))
    pack = match.game.pack.cards
    match.deal(pack)
    for place in range(7):
        wanted = (*pack[2 * place : 2 * place + 2], *pack[14 + 3 * place : 17 + 3 * place])
        assert wanted == match.p.hands[place]


@pytest.mark.clause("CC-6")
@pytest.mark.parametrize("players", SEATS)
def test_the_first_dealer_by_lot(players: int) -> None:
    """Where no dealer is agreed a lot is drawn; every seat may be drawn, and the seat at its right leads."""
    for dealer in range(players):
        match = Match(game(players, None))
        assert ("await_dealer", {}, {}) == (
            match.p.phase,
            facts(match.view(None), "dealer"),
            facts(match.view(None), "leader"),
        )
        match.say(-1, f"draw_dealer {dealer}")
        view = match.view(None)
        assert ({None: dealer}, {None: (dealer + 1) % players}) == (facts(view, "dealer"), facts(view, "leader"))
        assert ["wrong_phase"] == match.codes(-1, "draw_dealer 0")


@pytest.mark.clause("CC-1", "CC-7")
@pytest.mark.parametrize("players", SEATS)
def test_seats_that_are_out_get_no_cards(players: int) -> None:
    """Five cards go to every seat with lives, none to the others; turn and tricks pass over them, and all see it."""
    for out in range(players if players > 2 else 0):
        lives = tuple(None if place == out else 3 for place in range(players))
        match = before_deal(game(players), lives)
        match.deal(match.game.pack.cards)
        assert [0 if place == out else 5 for place in range(players)] == [len(hand) for hand in match.p.hands]
        assert 40 - 5 * (players - 1) == len(match.p.own.undealt)
        assert set(range(players)) - {out} == {event.seat for event in events_of(match, "dealt")}
        turns = []
        while not match.p.tricks:
            turns.append(match.game.turn(match.p))
            match.say(turns[-1] or 0, match.moves(turns[-1] or 0)[0])
        assert (players - 1, False) == (len(set(turns)), out in turns)
        assert players - 1 == len(match.p.tricks[0].cards)
        assert [] == match.moves(out)
        players_in = [place for place in range(players) if place != out]
        assert dict.fromkeys(players_in, 1) == facts(match.view(None), "dealt_in")
        assert turns == list(turn_order(match.view(None), players, match.p.tricks[0].leader))


# ---------------------------------------------------------------------- tricks


@pytest.mark.clause("CC-10")
@each("legal")
def test_following_suit(block: Block) -> None:
    """CC-E2: a suit that was led is followed while the hand holds it; otherwise any card may be played."""
    said = block.words()
    leader, led = said["trick"].split()
    turn = (int(leader) + 1) % 4
    match = table(
        game(4, (int(leader) - 1) % 4), {int(leader): led, turn: said["hand"] + " 4d"}, dealer=(int(leader) - 1) % 4
    )
    match.play(said["trick"])
    playable = {move.removeprefix("play_card ") for move in match.moves(turn)} - {"4d"}
    assert set(said["legal"].split()) == playable
    for card in set(said["hand"].split()) - playable:
        assert ["must_follow_suit"] == match.codes(turn, f"play_card {card}")


@pytest.mark.clause("CC-14", "CC-10")
@each("trick")
def test_the_highest_of_the_suit_led_wins(block: Block) -> None:
    """CC-E3: the ace of another suit does not win; the winner leads next, whoever that is."""
    said = block.words()
    plays = [words.split() for words in said["trick"].split(", ")]
    others = iter([rank + suit for suit in "bc" for rank in "A234567FCR"])
    match = table(game(5), {int(place): " ".join([card, *(next(others) for _ in range(4))]) for place, card in plays})
    assert (int(said["winner"]), int(said["points"])) == match.one_trick(said["trick"])
    assert int(said["winner"]) == match.p.leader


@pytest.mark.clause("CC-11")
@pytest.mark.parametrize("players", SEATS)
def test_forced_cards_are_moves(players: int) -> None:
    """The fifth trick is played card by card, though nobody has a choice but whoever may annul."""
    match = Match(game(players))
    hero = 1 % players
    script = swept(match, hero, (hero + 1) % players)
    script.perform(match, tricks=4)
    assert "last_trick_choice" == match.p.phase
    for place, card in script.plays[4 * players :]:
        forced = [f"play_card {card}"]
        assert (["annul_deal"] if match.p.phase == "last_trick_choice" else []) + forced == match.moves(place)
        match.say(place, forced[0])
    assert 5 == len(match.p.tricks)


# ---------------------------------------------------------------------- what is seen


@pytest.mark.clause("CC-15", "CC-3", "ALL-6")
@pytest.mark.parametrize("players", SEATS)
def test_the_last_trick_counts_six(players: int) -> None:
    """After five tricks the seats have the points of the cards that were dealt, and 6 more for the last trick."""
    match = Match(game(players))
    match.play_out()
    dealt = worth(match.game, tuple(card for trick in match.p.tricks for card in trick.cards))
    seen = facts(match.view(None), "points")
    assert dealt + 6 == sum(int(points) for points in seen.values()) == sum(match.game.points(match.p))
    last = match.p.tricks[-1]
    assert seen[last.winner] == 6 + sum(worth(match.game, t.cards) for t in match.p.tricks if t.winner == last.winner)


@pytest.mark.clause("CC-1", "CC-28")
@pytest.mark.parametrize("players", SEATS)
def test_what_is_seen_of_the_match(players: int) -> None:
    """Lives, seats that are out, both counts of calls, the pool and all payments are seen by everybody."""
    lives = row(" ".join(f"{place}:{'-' if place == 2 else place + 1}" for place in range(players)))
    calls = [int(place == 0) for place in range(players)]
    match = before_deal(game(players), lives, calls=calls)
    for viewer in (None, REFEREE, *range(players)):
        view = match.view(viewer)
        assert dict(enumerate(number or 0 for number in lives)) == facts(view, "lives")
        assert ({2: 1} if players > 2 else {}) == facts(view, "out")
        for name in ("doctor_calls", "doctor_calls_total"):
            assert dict(enumerate(calls)) == facts(view, name)
        assert {None: 1000 * players + 500} == facts(view, "pool")
        assert {place: -1500 if place == 0 else -1000 for place in range(players)} == net(view)


# ---------------------------------------------------------------------- coteccio choice


OUT_OF_TURN = ["not_your_turn", "annul_not_available"]
"""What is held against a seat that is not to move, and has not won four tricks or has led since."""


@pytest.mark.clause("CC-12", "CC-13", "CC-9", "CC-19")
@pytest.mark.parametrize("players", SEATS)
def test_the_choice(players: int) -> None:
    """CC-E8, CC-E28: who has won four tricks annuls or leads; others cannot annul, and nobody can once he has led."""
    for hero in range(players):
        match = Match(game(players))
        script = swept(match, hero, (hero + 1) % players)
        script.perform(match, tricks=4)
        last = script.plays[4 * players][1]
        assert (("last_trick_choice", hero), sorted([f"play_card {last}", "annul_deal"])) == (
            (match.p.phase, match.game.turn(match.p)),
            match.moves(hero),
        )
        for other in set(range(players)) - {hero}:
            assert (OUT_OF_TURN, []) == (match.codes(other, "annul_deal"), match.moves(other))
        led, annulled = Match(match.game, match.p), match
        led.say(hero, f"play_card {last}")
        following = (hero + 1) % players
        assert ("play", following) == (led.p.phase, led.game.turn(led.p))
        assert (OUT_OF_TURN, ["annul_not_available"]) == (
            led.codes(hero, "annul_deal"),
            led.codes(following, "annul_deal"),
        )
        _check_annulled(annulled, hero)


def _check_annulled(match: Match, hero: int) -> None:
    """Annul, and check that nothing but the number of the deal has changed, and that the last cards stay hidden."""
    before = match.p
    events = match.say(hero, "annul_deal")
    assert [("deal_annulled", hero, 1)] == [(event.kind, event.seat, event.amount) for event in events]
    assert ("deal", before.own, before.match_state, 1 % match.game.seats) == (
        match.p.phase,
        match.p.own,
        match.p.match_state,
        match.p.leader,
    )
    for place in range(match.game.seats):
        held = [
            len(zone(match.view(viewer), "hand", place).cards)
            for viewer in (place, None, (place + 1) % match.game.seats)
        ]
        assert [1, 0, 0] == held
    match.deal(match.game.pack.cards)
    assert (2, before.match_state.dealer, 1 % match.game.seats) == (
        match.p.match_state.deal,
        match.p.match_state.dealer,
        match.game.turn(match.p),
    )


@pytest.mark.clause("CC-12", "CC-13")
def test_no_choice_when_four_tricks_have_two_winners() -> None:
    """CC-E17: seat 0 has won three tricks and seat 1 the fourth: neither may annul."""
    match = Match(game(4, 3))
    hands = {0: "Ab Rb Cb 2c 2d", 1: "2b 3b 4b Ac 3d", 2: "5b 6b 7b 3c 4d", 3: "Ad Rd Cd Fd 7d"}
    match.deal(pack_for(match.game, hands, dealer=3))
    match.play("0 Ab, 1 2b, 2 5b, 3 7d, 0 Rb, 1 3b, 2 6b, 3 Fd, 0 Cb, 1 4b, 2 7b, 3 Cd, 0 2c, 1 Ac, 2 3c, 3 Rd")
    assert ("play", 1, ["play_card 3d"]) == (match.p.phase, match.game.turn(match.p), match.moves(1))
    assert (OUT_OF_TURN, ["annul_not_available"]) == (match.codes(0, "annul_deal"), match.codes(1, "annul_deal"))
    assert ["CC-12"] == match.cited(1, "annul_deal")


# ---------------------------------------------------------------------- who leads and deals


@pytest.mark.clause("CC-5", "CC-8", "CC-1")
@each("next")
def test_next_leader_and_dealer(block: Block) -> None:
    """CC-E13, CC-E14: the lead goes to the next seat that is in, and the seat at its left deals (CC-R22, CC-R23)."""
    said = block.words()
    out = {int(place) for place in said["out"].split()}
    g = game(int(said["players"]))
    lives = tuple(None if place in out else 2 for place in g.seating.everybody)
    after, _ = seen_to(g, over(g, lives, int(said["leader"])))
    assert (int(said["next leader"]), int(said["next dealer"])) == (after.leader, after.match_state.dealer)


@pytest.mark.clause("CC-8", "CC-5")
def test_two_seats_out() -> None:
    """CC-E14: leader 1, seats 2 and 3 out: seat 4 leads and seat 1 deals."""
    g = game(5)
    after, _ = seen_to(g, over(g, (2, 2, None, None, 2), 1))
    assert (4, 1) == (after.leader, after.match_state.dealer)


@pytest.mark.clause("CC-27")
@each("restart")
def test_restart(block: Block) -> None:
    """CC-E27: all are in again; the pool and the calls of the match go on, the limit starts afresh or does not."""
    said = block.words()
    calls = [int(number) for number in said["calls"].split()]
    match = before_deal(game(4, **options(said)), (None, 1, None, 1), leader=3, calls=calls)
    lost_by(match, 1, 3)
    assert row(said["after"]) == match.p.own.lives
    for name in ("doctor_calls", "doctor_calls_total"):
        assert said[name] == " ".join(map(str, getattr(match.p.own, name)))
    assert {None: int(said["pool"])} == facts(match.view(None), "pool")
    assert [int(said["lives"])] == [event.amount for event in events_of(match, "restarted")]
    assert [] == events_of(match, "died") + events_of(match, "dropped_out")
    if "doctor_reset_on_restart" in said:
        assert [False, True, False, True] == [terms(match.game).may_call(match.p.own, place) for place in range(4)]


@pytest.mark.clause("CC-22", "CC-27")
def test_calls_kept_by_the_table_at_a_restart() -> None:
    """CC-E27: where a restart gives no calls back and the limit is that of the table, nobody can call again."""
    g = game(doctor_reset_on_restart="false", doctor_limit_scope="per_game")
    match = before_deal(g, (None, 1, None, 1), calls=[0, 1, 0, 0])
    lost_by(match, 1, 3)
    assert [False] * 4 == [terms(g).may_call(match.p.own, place) for place in range(4)]


@pytest.mark.clause("CC-27")
@pytest.mark.parametrize("players", SEATS)
def test_restarts_at_every_table(players: int) -> None:
    """CC-E15: two left with one life each tie: all are in again, the seat at the right of the old leader leads."""
    for leader in (0, players - 1):
        other = (leader + 1) % players
        lives = tuple(1 if place in (leader, other) else None for place in range(players))
        match = lost_by(before_deal(game(players), lives, leader), leader, other)
        assert ((4,) * players, (leader + 1) % players, leader) == (
            match.p.own.lives,
            match.p.leader,
            match.p.match_state.dealer,
        )
        assert ("deal", {None: 1000 * players}) == (match.p.phase, facts(match.view(None), "pool"))


# ---------------------------------------------------------------------- the pool


@pytest.mark.clause("CC-26", "CC-28", "CC-9", "CC-25")
@pytest.mark.parametrize("players", SEATS)
def test_the_last_one_takes_the_pool(players: int) -> None:
    """The only seat with lives takes the pool; its own payments come back, leader and dealer stay named (CC-R31)."""
    for winner in range(players):
        loser = (winner + 1) % players
        lives = tuple(3 if place == winner else 1 if place == loser else None for place in range(players))
        calls = [int(place == winner) for place in range(players)]
        match = before_deal(game(players, stake="7", doctor_fee="2"), lives, winner, calls)
        before = match.p
        lost_by(match, loser)
        pool = 7 * players + 2
        assert ("match_over", frozenset({winner})) == (match.p.phase, match.game.outcome(match.p))
        assert [(winner, pool)] == [(event.seat, event.amount) for event in events_of(match, "pool_won")]
        won = {place: -7 + (pool - 2 if place == winner else 0) for place in range(players)}
        view = match.view(None)
        assert (won, {None: 0}, 0) == (net(view), facts(view, "pool"), sum(won.values()))
        assert (before.leader, before.match_state.dealer) == (match.p.leader, match.p.match_state.dealer)
        assert ({None: before.leader}, {None: before.match_state.dealer}) == (
            facts(view, "leader"),
            facts(view, "dealer"),
        )
        for move in ("play_card Ab", "annul_deal", "call_doctor", "drop_out"):
            assert ["match_over"] == match.codes(winner, move)


@pytest.mark.clause("CC-26")
def test_two_at_zero_and_one_alive() -> None:
    """CC-E11, CC-R12: nobody may call when a single other seat is alive; that seat has won."""
    g = game()
    after, events = seen_to(g, over(g, (0, 3, 0, None), 0))
    assert (["died", "died", "match_won", "pool_won"], frozenset({1})) == ([e.kind for e in events], g.outcome(after))
