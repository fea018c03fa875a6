"""Coteccio: cards, deal, tricks, the choice of the last trick, and what is seen (clauses CC-1 to CC-15)."""

from __future__ import annotations

from itertools import combinations

import pytest

from chitarrella.core.game import turn_order
from chitarrella.core.model import REFEREE
from tests.games.support.coteccio_tables import SEATS, before_deal, each, game, row, swept
from tests.games.support.examples import Block
from tests.games.support.table import Match, events_of, facts, net, table, worth, zone
from tests.games.support.tricks import taker

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


@pytest.mark.clause("CC-10", "CC-14")
def test_any_card_may_be_led() -> None:
    """The leader may lead whatever it holds, to the first trick and after."""
    match = table(game(), {1: "Ab 2c 3d 4s 5s"})
    assert [f"play_card {card}" for card in ["2c", "3d", "4s", "5s", "Ab"]] == match.moves(1)


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


@pytest.mark.clause("ALL-5", "CC-7")
@pytest.mark.parametrize("players", SEATS)
def test_what_is_seen_in_the_play(players: int) -> None:
    """Everybody sees dealer, leader, sizes, tricks and points; a hand only its seat; the rest of the pack nobody."""
    match = Match(game(players))
    match.deal(match.game.pack.cards)
    for _ in range(players):
        turn = match.game.turn(match.p) or 0
        match.say(turn, match.moves(turn)[0])
    for viewer in (None, REFEREE, *range(players)):
        view = match.view(viewer)
        for place in range(players):
            hand = zone(view, "hand", place)
            assert (4, 4 if viewer in (place, REFEREE) else 0) == (hand.size, len(hand.cards))
        rest = zone(view, "undealt")
        assert (40 - 5 * players, viewer == REFEREE) == (rest.size, bool(rest.cards))
        winner = match.p.tricks[0].winner
        assert match.p.tricks[0].cards == zone(view, "taken", winner).cards
        assert ({None: 0}, {None: 1}) == (facts(view, "dealer"), facts(view, "leader"))
        assert worth(match.game, match.p.tricks[0].cards) == facts(view, "points")[winner]


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
