"""Coteccio: deals, lives, the doctor, who leads and takes the pool (clauses CC)."""

import io

import pytest
from rich.console import Console

from chitarrella.core.game import turn_order
from chitarrella.core.model import REFEREE
from chitarrella.core.notation import InvalidPosition
from chitarrella_terminal.screen import Screen
from tests.games.support.coteccio_tables import (
    SEATS,
    before_deal,
    game,
    life_events,
    lost_by,
    options,
    over,
    record,
    row,
    scored,
    seen_to,
    swept,
    terms,
    waiting,
)
from tests.games.support.examples import Block, each
from tests.games.support.table import Match, events_of, facts, net, worth, zone

# ---------------------------------------------------------------------- cards


@pytest.mark.clause("CC-3", "CC-4")
def test_the_pack_is_worth_72() -> None:
    """Four suits of 18 make 72; the dearest ten cards are four aces, four kings and two knights: 52, and 6."""
    g = game()
    assert [18] * 4 == [worth(g, tuple(card for card in g.pack.cards if card.suit == suit)) for suit in "bcds"]
    dear = sorted((worth(g, (card,)) for card in g.pack.cards), reverse=True)
    assert (40, 72, 52) == (len(dear), sum(dear), sum(dear[:10]))


# ---------------------------------------------------------------------- the deal


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


@pytest.mark.clause("CC-6")
@pytest.mark.parametrize("players", SEATS)
def test_the_first_dealer_by_lot(players: int) -> None:
    """Where no dealer is agreed a lot is drawn; every seat may be drawn, and the seat at its right leads."""
    for dealer in range(players):
        match = Match(game(players, None))
        view = match.view(None)
        assert ("await_dealer", {}, {}) == (match.p.phase, facts(view, "dealer"), facts(view, "leader"))
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


# ---------------------------------------------------------------------- what is seen


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
        assert OUT_OF_TURN == led.codes(hero, "annul_deal")
        assert ["annul_not_available"] == led.codes(following, "annul_deal")
        _check_annulled(annulled, hero)


def _check_annulled(match: Match, hero: int) -> None:
    """Annul, and check that nothing but the number of the deal has changed, and that the last cards stay hidden."""
    before = match.p
    events = match.say(hero, "annul_deal")
    assert [("deal_annulled", hero, 1)] == [(event.kind, event.seat, event.amount) for event in events]
    assert ("deal", before.own, before.match_state, 1 % match.game.seats) == (
        match.p.phase, match.p.own, match.p.match_state, match.p.leader,
    )  # fmt: skip
    for place in range(match.game.seats):
        viewers = place, None, (place + 1) % match.game.seats
        held = [len(zone(match.view(viewer), "hand", place).cards) for viewer in viewers]
        assert [1, 0, 0] == held
    match.deal(match.game.pack.cards)
    state = match.p.match_state
    assert (2, before.match_state.dealer) == (state.deal, state.dealer)
    assert 1 % match.game.seats == match.game.turn(match.p)


# ---------------------------------------------------------------------- who leads and deals


@pytest.mark.clause("CC-5", "CC-8", "CC-1")
@each("coteccio", "next")
def test_next_leader_and_dealer(block: Block) -> None:
    """CC-E13, CC-E14: the lead goes to the next seat that is in, and the seat at its left deals (CC-R22, CC-R23)."""
    said = block.words()
    out = {int(place) for place in said["out"].split()}
    g = game(int(said["players"]))
    lives = tuple(None if place in out else 2 for place in g.seating.everybody)
    after, _ = seen_to(g, over(g, lives, int(said["leader"])))
    assert (int(said["next leader"]), int(said["next dealer"])) == (after.leader, after.match_state.dealer)


@pytest.mark.clause("CC-27")
@each("coteccio", "restart")
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
    assert [] == events_of(match, "eliminated") + events_of(match, "dropped_out")
    if "doctor_reset_on_restart" in said:
        assert [False, True, False, True] == [terms(match.game).may_call(match.p.own, place) for place in range(4)]


@pytest.mark.clause("CC-22", "CC-27")
def test_calls_kept_by_the_table_at_a_restart() -> None:
    """CC-E27: where a restart gives no calls back and the limit is that of the table, nobody can call again."""
    g = game(doctor_reset_on_restart="false", doctor_limit_scope="per_game")
    match = before_deal(g, (None, 1, None, 1), calls=[0, 1, 0, 0])
    lost_by(match, 1, 3)
    assert [False] * 4 == [terms(g).may_call(match.p.own, place) for place in range(4)]


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
        assert {None: before.leader} == facts(view, "leader")
        assert {None: before.match_state.dealer} == facts(view, "dealer")
        for move in ("play_card Ab", "annul_deal", "call_doctor", "drop_out"):
            assert ["match_over"] == match.codes(winner, move)


@pytest.mark.clause("CC-26")
def test_two_at_zero_and_one_alive() -> None:
    """CC-E11, CC-R12: nobody may call when a single other seat is alive; that seat has won."""
    g = game()
    after, events = seen_to(g, over(g, (0, 3, 0, None), 0))
    assert ["eliminated", "eliminated", "match_won", "pool_won"] == [event.kind for event in events]
    assert frozenset({1}) == g.outcome(after)


# ---------------------------------------------------------------------- lives


@pytest.mark.clause("CC-16", "CC-17", "CC-18", "CC-19", "CC-20")
@each("coteccio", "outcome")
def test_outcome(block: Block) -> None:
    """CC-E4 to CC-E8, CC-E15, CC-E25: a whole deal is played, and these are the lives after the count."""
    said = block.words()
    lives = row(said["lives"])
    cap = {"life_cap": said["life_cap"]} if "life_cap" in said else {}
    match = before_deal(game(4, **cap), lives)
    if "points" in said:
        points = {int(place): int(number) for place, number in (part.split() for part in said["points"].split(", "))}
        scored(match, points).perform(match)
        assert [tuple((str(place), number) for place, number in points.items())] == [
            event.shares for event in events_of(match, "deal_counted") if event.word == "points"
        ]
    elif "annulled" in said:
        hero = int(said["annulled"])
        swept(match, hero, hero).perform(match, tricks=4).say(hero, "annul_deal")
    else:
        hero, last = map(int, said["saved"].split(" by ")) if "saved" in said else [int(said["capotto"])] * 2
        swept(match, hero, last).perform(match)
        kind, other = ("capotto_saved", hero) if "saved" in said else ("capotto_made", None)
        assert [(last, other)] == [(event.seat, event.other) for event in events_of(match, kind)]
    assert row(said["after"]) == life_events(lives, match.events)


@pytest.mark.clause("CC-18", "CC-21", "CC-22")
def test_the_hero_of_a_saved_capotto_may_call_the_doctor() -> None:
    """CC-R34: seat 0 loses its last life in a saved capotto while two others are alive, and is asked."""
    match = before_deal(game(), (1, 2, 4, 3))
    swept(match, 0, 1).perform(match)
    assert ("doctor", 0, (0, 3, 4, 3)) == (match.p.phase, match.game.turn(match.p), match.p.own.lives)
    match.say(0, "call_doctor")
    assert (3, 3, 4, 3) == match.p.own.lives


# ---------------------------------------------------------------------- the doctor


@pytest.mark.clause("CC-22", "CC-23", "CC-24")
@each("coteccio", "doctor")
def test_doctor(block: Block) -> None:
    """CC-E9 to CC-E12, CC-E22, CC-E26: who may call, and how many lives that brings; who may not is out at once."""
    said = block.words()
    lives, asked = row(said["lives"]), int(said["seat"])
    calls = [int(number) for number in said.get("calls", "").split()]
    g = game(len(lives), **options(said))
    assert (said["may_call"] == "yes") == terms(g).may_call(record(lives, calls), asked)
    if said["may_call"] == "yes":
        match = waiting(g, lives, asked, calls)
        assert (asked, ["call_doctor", "drop_out"]) == (g.turn(match.p), match.moves(asked))
        before = match.p.own
        match.say(asked, "call_doctor")
        assert int(said["receives"]) == match.p.own.lives[asked]
        for name in ("doctor_calls", "doctor_calls_total"):
            old, new = getattr(before, name), getattr(match.p.own, name)
            assert tuple(number + (place == asked) for place, number in enumerate(old)) == new
        return
    assert "-" == said["receives"]
    after, events = seen_to(g, over(g, lives, asked, calls))
    assert ("eliminated", asked, None) == (events[0].kind, events[0].seat, after.own.lives[asked])
    with pytest.raises(InvalidPosition):
        waiting(g, lives, asked, calls)


@pytest.mark.clause("CC-21", "CC-23")
@pytest.mark.parametrize("leader", [0, 1, 2, 3, 4])
def test_seats_are_asked_from_the_leader_on(leader: int) -> None:
    """CC-E22, CC-R11: three at zero are asked one by one, the leader of the deal first, the dealer last."""
    lives = tuple(0 if place in (0, 2, 4) else 2 for place in range(5))
    match = waiting(game(5), lives, leader)
    asked = []
    while match.p.phase == "doctor":
        asked.append(match.game.turn(match.p) or 0)
        assert [["not_your_turn"]] * 4 == [match.codes(s, "drop_out") for s in range(5) if s != asked[-1]]
        match.say(asked[-1], "call_doctor")
    assert sorted((0, 2, 4), key=lambda place: (place - leader) % 5) == asked
    assert (2,) * 5 == match.p.own.lives


@pytest.mark.clause("CC-22", "CC-24")
@pytest.mark.parametrize("limit", ["0", "1", "2", "unlimited"])
def test_the_limit_of_a_seat(limit: str) -> None:
    """CC-E18: a seat may call as often as agreed; when its calls are used up it is out without a decision."""
    g = game(doctor_limit=limit)
    for calls in range(4):
        if limit != "unlimited" and calls > int(limit):
            with pytest.raises(InvalidPosition):
                before_deal(g, (1, 2, 2, 2), calls=[calls, 0, 0, 0])
            continue
        match = before_deal(g, (1, 2, 2, 2), calls=[calls, 0, 0, 0])
        lost_by(match, 0)
        may = limit == "unlimited" or calls < int(limit)
        assert ("doctor" if may else "deal") == match.p.phase
        assert ([] if may else [0]) == [event.seat for event in events_of(match, "eliminated")]


@pytest.mark.clause("CC-22")
def test_the_limit_of_the_table() -> None:
    """CC-E18: with a limit of one for the whole game nobody else may call after seat 0, until a restart."""
    g = game(doctor_limit_scope="per_game")
    match = waiting(g, (0, 0, 2, 3), 0)
    match.say(0, "call_doctor")
    assert [1] == [event.seat for event in events_of(match, "eliminated")]
    assert ("deal", (2, None, 2, 3)) == (match.p.phase, match.p.own.lives)
    again = before_deal(g, (1, 1, None, None), calls=[1, 0, 0, 0])
    lost_by(again, 0, 1)
    assert (0, 0, 0, 0) == again.p.own.doctor_calls


@pytest.mark.clause("CC-20", "ALL-8")
@pytest.mark.parametrize(("cap", "after"), [("3", 3), ("4", 4), ("unlimited", 4)])
def test_lives_and_cap(cap: str, after: int) -> None:
    """`lives` and `life_cap`: with how many all begin, and beyond which number a gain is lost (CC-R10, CC-R35)."""
    match = Match(game(3, 0, lives="3", life_cap=cap))
    assert (3, 3, 3) == match.p.own.lives
    swept(match, 0, 0).perform(match)
    assert (after, 2, 2) == match.p.own.lives
    assert [after] * (after > 3) == [event.amount for event in events_of(match, "life_gained")]


# ---------------------------------------------------------------------- coteccio rulings


@pytest.mark.clause("CC-7", "ALL-5", "ALL-6")
@pytest.mark.parametrize("players", SEATS)
def test_the_rest_of_the_pack_is_never_shown(players: int) -> None:
    """CC-R2, CC-R28, CC-R29: after the deal and after the match tricks lie open, and the rest face down."""
    ended = before_deal(game(players), (2, 1, *(None for _ in range(players - 2))), 0)
    going = before_deal(game(players), (2,) * players, 0)
    for match in (lost_by(ended, 1), lost_by(going, 1)):
        for viewer in (None, *range(players)):
            view = match.view(viewer)
            taken = [each.cards for each in view.zones if each.name == "taken"]
            assert [trick.cards for trick in match.p.tricks] == taken
            assert ((), len(match.p.own.undealt)) == (zone(view, "undealt").cards, zone(view, "undealt").size)
        assert match.p.own.undealt == zone(match.view(REFEREE), "undealt").cards
        assert all(set(match.p.own.undealt).isdisjoint(event.cards) for event in match.events)
    assert ("match_over", "deal") == (ended.p.phase, going.p.phase)


@pytest.mark.clause("CC-22", "CC-24")
def test_seats_at_zero_do_not_count() -> None:
    """CC-R18, CC-R19, CC-R20: the fewest lives are those of others with one at least; nobody counts himself."""
    match = waiting(game(5), (0, 0, 4, 2, None), 1)
    assert 1 == match.game.turn(match.p)
    match.say(1, "call_doctor")
    assert (0, 2, 4, 2, None) == match.p.own.lives
    match.say(0, "call_doctor")
    assert (2, 2, 4, 2, None) == match.p.own.lives
    after, _ = seen_to(game(3), over(game(3), (0, 0, 2), 0))
    assert (None, None, 2) == after.own.lives


@pytest.mark.clause("CC-1")
def test_cards_stand_beside_the_seats_that_played_them() -> None:
    """In the terminal the cards of a trick are named after the seats that are in, and not after their neighbours."""
    match = before_deal(game(5), (2, None, 2, None, 2), 4)
    match.deal(match.game.pack.cards)
    for place in (4, 0):
        match.say(place, match.moves(place)[0])
    out = io.StringIO()
    Screen(Console(file=out, width=150), match.game, 2).print_table(match.view(2))
    (line,) = [row for row in out.getvalue().splitlines() if "Trick" in row]
    assert ["4", "0"] == [word for word in line.split() if word.isdecimal()]


@pytest.mark.clause("CC-23", "ALL-5")
def test_decisions_are_events_for_everybody() -> None:
    """Calls and departures are public events, with what was paid and received."""
    match = waiting(game(5), (0, 0, 2, 3, 3), 0)
    match.say(0, "call_doctor")
    for viewer in (None, *range(5)):
        events = [(event.kind, event.seat, event.amount) for event in match.events_for(viewer)]
        assert [("fee_paid", 0, 500), ("doctor_called", 0, 2)] == events
    match.say(1, "drop_out")
    for viewer in (None, *range(5)):
        assert [("dropped_out", 1)] == [(event.kind, event.seat) for event in match.events_for(viewer)]
