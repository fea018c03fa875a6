"""Briscola: cards, deal, tricks, draws, results and the rubber (clauses BR-3 to BR-7)."""

from __future__ import annotations

from itertools import combinations

import pytest

from chitarrella.core.cards import UnknownCard
from chitarrella.core.model import CHANCE, REFEREE
from tests.games.support.scripted_deals import contrive, last_draw, points, rubber
from tests.games.support.table import Match, events_of, facts, pack_for, seat, table, worth
from tests.games.support.tricks import taker

RANKS = ["A", "3", "R", "C", "F", "7", "6", "5", "4", "2"]
WORTH = {"A": 11, "3": 10, "R": 4, "C": 3, "F": 2}
SIZES = {2: (40, 34, 17, 20), 3: (39, 30, 10, 13), 4: (40, 28, 7, 10)}
"""Players, then cards in the pack, stock with the turn-up, rounds of drawing, tricks."""


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("BR-3.1")
@pytest.mark.parametrize("suit", ["b", "c", "d", "s"])
def test_ranks_and_points(suit: str) -> None:
    """In each suit A 3 R C F 7 6 5 4 2 beat what stands behind them, and a suit holds 30 points."""
    game = seat("briscola")
    cards = game.pack.hand(rank + suit for rank in RANKS)
    for high, low in combinations(cards, 2):
        assert (0, 1) == (
            taker(game, (high, low)),
            taker(game, (low, high)),
        )
    assert [WORTH.get(rank, 0) for rank in RANKS] == [worth(game, (card,)) for card in cards]
    assert 30 == worth(game, cards)
    assert 120 == worth(game, game.pack.cards)


@pytest.mark.clause("BR-3.3")
def test_spanish_cards_keep_the_codes() -> None:
    """The codes stay A 3 R C F also for Spanish or French cards: a King is R, and K, S or J name no card."""
    game = seat("briscola")
    assert set(RANKS) == {card.rank for card in game.pack.cards}
    for word in ("Kb", "Sb", "Jb", "Qb", "1b"):
        with pytest.raises(UnknownCard):
            game.pack.card(word)


@pytest.mark.clause("BR-3.2", "ALL-8")
@pytest.mark.parametrize("two", ["2b", "2c", "2d", "2s"])
def test_three_players_leave_out_the_agreed_two(two: str) -> None:
    """`removed_two`: 39 cards without that Two, still 120 points; other tables keep all four (BR-R1, BR-R25)."""
    game = seat("briscola", 3, removed_two=two)
    assert {two} == set(seat("briscola", 2).pack.cards) - set(game.pack.cards)
    assert (39, 120) == (len(game.pack.cards), worth(game, game.pack.cards))
    for players in (2, 4):
        assert 40 == len(seat("briscola", players, removed_two=two).pack.cards)


@pytest.mark.clause("BR-3.2")
def test_three_players_leave_out_the_two_of_batons_unless_agreed() -> None:
    """BR-R1: the Two of batons is the one that is left out where nothing is said."""
    assert seat("briscola", 3, removed_two="2b").pack == seat("briscola", 3).pack


@pytest.mark.clause("ALL-2", "BR-3.2")
def test_forty_cards_are_no_pack_for_three() -> None:
    """BR-R24: a pack with the Two that is out of play is refused; the 39 cards are dealt."""
    game = seat("briscola", 3)
    whole = " ".join(seat("briscola", 2).pack.cards)
    match = Match(game)
    assert ["bad_pack"] == match.codes(CHANCE, f"start_deal {whole}")
    assert [] == match.codes(CHANCE, f"start_deal {' '.join(game.pack.cards)}")


@pytest.mark.clause("BR-4.1", "BR-4.2")
@pytest.mark.parametrize(
    ("packets", "hands"),
    [("3", {1: (1, 2, 3), 0: (4, 5, 6)}), ("1-1-1", {1: (1, 3, 5), 0: (2, 4, 6)})],
    ids=["BR-EX13-3", "BR-EX13-1-1-1"],
)
def test_packets(packets: str, hands: dict[int, tuple[int, ...]]) -> None:
    """BR-EX13: three at once or one by one, eldest first; the seventh card is turned (BR-R2)."""
    game = seat("briscola", deal_packets=packets)
    match = Match(game)
    match.deal(game.pack.cards)
    for place, numbers in hands.items():
        assert tuple(game.pack.cards[number - 1] for number in numbers) == match.p.hands[place]
    assert game.pack.cards[6] == match.p.turn_up == match.p.stock[-1]
    assert game.pack.cards[7:] == match.p.stock[:-1]


@pytest.mark.clause("BR-4.1")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("packets", ["3", "1-1-1"])
def test_packets_at_a_full_table(players: int, packets: str) -> None:
    """With three and four players too every seat gets its cards in order of play, the dealer last."""
    game = seat("briscola", players, deal_packets=packets, first_dealer="1")
    match = Match(game)
    match.deal(game.pack.cards)
    for place in range(players):
        turn = (place - 2) % players
        numbers = range(3 * turn, 3 * turn + 3) if packets == "3" else range(turn, 3 * players, players)
        assert tuple(game.pack.cards[number] for number in numbers) == match.p.hands[place]


@pytest.mark.clause("BR-4.2", "BR-7.1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_sizes_of_a_deal(players: int) -> None:
    """Pack, stock, rounds of drawing and tricks for two, three and four; a won deal is played right through."""
    pack, stock, rounds, tricks = SIZES[players]
    match = Match(seat("briscola", players))
    match.deal(match.game.pack.cards)
    assert (pack, stock) == (len(match.game.pack.cards), len(match.p.stock))
    while match.p.phase == "play":
        turn = match.game.turn(match.p)
        assert turn is not None
        match.say(turn, f"play_card {match.p.hands[turn][0]}")
    assert tricks == len(match.p.tricks)
    assert rounds * players == len(events_of(match, "card_drawn"))


@pytest.mark.clause("BR-4.2")
@pytest.mark.parametrize("turn_up", ["As", "3s", "2s", "7s"])
def test_any_card_may_be_turned_up(turn_up: str) -> None:
    """BR-R19: whatever is turned up fixes trumps and stays; an Ace or a Two changes nothing else."""
    match = table(seat("briscola"), {}, turn_up)
    assert ("play", "s", turn_up, turn_up) == (match.p.phase, match.p.trump, match.p.turn_up, match.p.stock[-1])
    assert (0, 0) == match.p.match_state.wins


@pytest.mark.clause("BR-3.2", "BR-6.1")
def test_the_trump_suit_may_be_the_one_without_its_two() -> None:
    """BR-R20: trumps of nine cards are trumps like any other."""
    game = seat("briscola", 3, removed_two="2d")
    match = table(game, {1: "Ac 5c 6c", 2: "4d 5s 6s", 0: "3c 7c 4c"}, "5d")
    assert (2, 21) == match.one_trick("1 Ac, 2 4d, 0 3c")
    assert 9 == sum(suit == "d" for suit in (game.cards.suit[card] for card in game.pack.cards))


@pytest.mark.clause("BR-4.3", "BR-5.1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal_goes_round_and_eldest_leads(players: int) -> None:
    """The seat after the dealer deals next, and in each deal the seat after the dealer leads (BR-R3)."""
    match = Match(seat("briscola", players, rubber_games="99"))
    for deal in range(players + 1):
        assert deal % players == match.p.match_state.dealer
        match.deal(match.game.pack.cards)
        assert (deal + 1) % players == match.game.turn(match.p)
        match.play_out()


# ---------------------------------------------------------------------- tricks


@pytest.mark.clause("BR-6.1")
def test_a_higher_card_of_another_suit_loses() -> None:
    """BR-EX1: trump d, s1 leads 5c, s0 plays 3s: s1 wins 10."""
    match = table(seat("briscola"), {1: "5c 6c 7c", 0: "3s 4s 5s"}, "4d")
    assert (1, 10) == match.one_trick("1 5c, 0 3s")


@pytest.mark.clause("BR-6.1")
def test_the_highest_trump_wins_for_its_side() -> None:
    """BR-EX2: trump c; of 2c and Fc the Fc wins 23, and side A has them (BR-R22)."""
    game = seat("briscola", 4, first_dealer="1")
    match = table(game, {2: "Ab 4b 5b", 3: "2c 4s 5s", 0: "Fc 6s 7s", 1: "3b 6b 7b"}, "4c", dealer=1)
    assert (0, 23) == match.one_trick("2 Ab, 3 2c, 0 Fc, 1 3b")
    assert (23, 0) == tuple(count[0] for count in game.deal_scoring.by_side(game, match.p))


@pytest.mark.clause("BR-5.2")
def test_every_card_may_be_played() -> None:
    """BR-EX3: Rd is led, trump s; Ad, 4d and 2s may all be played."""
    match = table(seat("briscola"), {1: "Rd 5c 6c", 0: "Ad 4d 2s"}, "4s")
    match.play("1 Rd")
    assert ["play_card 2s", "play_card 4d", "play_card Ad"] == match.moves(0)


@pytest.mark.clause("BR-6.1")
@pytest.mark.parametrize(("third", "worth_"), [("Cc", 3), ("2b", 0)], ids=["BR-EX4-suit", "BR-EX4-trump"])
def test_three_players_take_by_suit_or_trump(third: str, worth_: int) -> None:
    """BR-EX4: trump b, 7c and 6c lie; s2 wins 3 with Cc, or nothing with 2b where 2c was left out."""
    game = seat("briscola", 3, removed_two="2c", first_dealer="2")
    match = table(game, {0: "7c 4s 5s", 1: "6c 6s 7s", 2: f"{third} 4d 5d"}, "4b", dealer=2)
    assert (2, worth_) == match.one_trick(f"0 7c, 1 6c, 2 {third}")


@pytest.mark.clause("BR-5.3")
def test_nobody_plays_before_all_have_drawn() -> None:
    """BR-R7: after a trick everybody holds three cards again before the winner leads."""
    match = table(seat("briscola", 4), {})
    first = match.p.stock[:4]
    match.play(", ".join(f"{place} {match.p.hands[place][0]}" for place in (1, 2, 3, 0)))
    assert [3, 3, 3, 3] == [len(hand) for hand in match.p.hands]
    winner = match.p.tricks[0].winner
    assert winner == match.game.turn(match.p)
    assert [((winner + place) % 4, (card,)) for place, card in enumerate(first)] == [
        (event.seat, event.cards) for event in events_of(match, "card_drawn")
    ]


@pytest.mark.clause("BR-5.3")
@pytest.mark.parametrize(
    ("players", "winner", "draws"),
    [(2, 0, "0 4c, 1 Rs"), (3, 2, "2 6d, 0 Ab, 1 3c"), (4, 3, "3 2b, 0 Fd, 1 7s, 2 Ac")],
    ids=["BR-EX5", "BR-EX6", "BR-EX7"],
)
def test_last_draw(players: int, winner: int, draws: str) -> None:
    """BR-EX5 to 7: the winner draws first, the seat before it takes the turn-up; three tricks remain (BR-R5, BR-R6)."""
    game = seat("briscola", players)
    match, drawn = last_draw(game, winner, draws)
    assert draws == drawn
    assert (0, 3) == (len(match.p.stock), len(match.p.hands[0]))
    assert winner == match.game.turn(match.p)


def test_helpers_lay_what_they_promise() -> None:
    """A pack made to measure holds every card once and deals the hands it was asked for."""
    game = seat("briscola", 4)
    pack = pack_for(game, {2: "Ab 3b", 0: "2s"}, "Rd", "7c 6c")
    assert game.pack.holds_exactly(pack)
    match = table(game, {2: "Ab 3b", 0: "2s"}, "Rd", "7c 6c")
    assert {"Ab", "3b"} < set(match.p.hands[2])
    assert ("Rd", ("7c", "6c")) == (match.p.turn_up, match.p.stock[:2])


# ---------------------------------------------------------------------- briscola results


@pytest.mark.clause("BR-7.2", "BR-7.3")
@pytest.mark.parametrize(
    ("taken", "winner"),
    [
        ((50, 45, 25), 0),
        ((44, 40, 36), 0),
        ((57, 61, 2), 1),
        ((50, 50, 20), None),
        ((60, 60, 0), None),
        ((40, 40, 40), None),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_three_handed_results(taken: tuple[int, ...], winner: int | None) -> None:
    """BR-EX8: the most points win, also fewer than 61; two or three level at the top are a stand-off (BR-R4)."""
    game = seat("briscola", 3)
    match = contrive(game, 0, points(*taken)).perform(Match(game))
    assert taken == game.points(match.p)
    assert tuple(int(place == winner) for place in range(3)) == match.p.match_state.wins == game.scores(match.p)
    assert (1, 0)[winner is None] == len(events_of(match, "deal_won"))
    assert (0, 1)[winner is None] == len(events_of(match, "deal_drawn"))


@pytest.mark.clause("BR-7.2")
@pytest.mark.parametrize(("taken", "wins"), [((61, 59), (1, 0)), ((59, 61), (0, 1)), ((60, 60), (0, 0))])
def test_two_handed_results(taken: tuple[int, int], wins: tuple[int, int]) -> None:
    """61 win, 60 each are a stand-off, and a win counts one game however high it is."""
    game = seat("briscola")
    match = contrive(game, 0, points(*taken)).perform(Match(game))
    assert (taken, wins) == (game.points(match.p), match.p.match_state.wins)


@pytest.mark.clause("BR-7.1")
def test_a_decided_deal_goes_on() -> None:
    """BR-R8: when a seat has passed 60 the deal is not over; all twenty tricks are played."""
    game = seat("briscola")
    script = contrive(game, 0, points(120, 0))
    match = script.perform(Match(game), tricks=19)
    assert max(game.points(match.p)) > 60
    assert ("play", 19) == (match.p.phase, len(match.p.tricks))


@pytest.mark.clause("BR-7.4", "BR-7.2")
def test_rubber_of_two() -> None:
    """BR-EX9: s0, s1, stand-off, s1, s0, s1: after six deals s1 has three wins and the rubber (BR-R10)."""
    match = Match(seat("briscola"))
    rubber(match, [0, 1, None, 1, 0])
    assert ("await_deal", (2, 2), None) == (match.p.phase, match.p.match_state.wins, match.game.outcome(match.p))
    rubber(match, [1])
    assert ("rubber_over", 6, (2, 3)) == (match.p.phase, match.p.match_state.deal, match.p.match_state.wins)
    assert frozenset({1}) == match.game.outcome(match.p)
    assert [1] == [event.seat for event in events_of(match, "match_won")]


@pytest.mark.clause("BR-7.4")
def test_three_players_play_to_three_wins() -> None:
    """BR-R9: with three players the first to three wins, though it takes seven deals."""
    match = Match(seat("briscola", 3))
    rubber(match, [0, 1, 2, 0, 1, 2])
    assert (None, (2, 2, 2)) == (match.game.outcome(match.p), match.p.match_state.wins)
    rubber(match, [2])
    assert (frozenset({2}), 7) == (match.game.outcome(match.p), match.p.match_state.deal)


@pytest.mark.clause("BR-7.4", "BR-7.2")
def test_a_side_wins_the_rubber_together() -> None:
    """Of four players both seats of a side win, and both have its games."""
    match = Match(seat("briscola", 4, rubber_games="1"))
    match.play_out()
    while match.game.outcome(match.p) is None:
        match.play_out()
    won = match.p.match_state.wins.index(1)
    assert frozenset({won, won + 2}) == match.game.outcome(match.p)
    assert tuple(int(place % 2 == won) for place in range(4)) == match.game.scores(match.p)
    assert {0: 1 - won, 1: won, 2: 1 - won, 3: won} == facts(match.view(REFEREE), "deals_won")


@pytest.mark.clause("BR-7.4", "ALL-8")
@pytest.mark.parametrize("games", [1, 2, 3, 50, 99])
def test_rubber_games(games: int) -> None:
    """`rubber_games`: the rubber is over with exactly that many games won."""
    game = seat("briscola", rubber_games=str(games))
    before = game.start()
    before = before._replace(match_state=before.match_state._replace(deal=games - 1, wins=(games - 1, 0)))
    match = Match(game, game.decode(game.encode(before)))
    rubber(match, [1, 0] if games > 1 else [0])
    assert ("rubber_over", games, frozenset({0})) == (
        match.p.phase,
        match.p.match_state.wins[0],
        match.game.outcome(match.p),
    )


@pytest.mark.clause("BR-7.4")
def test_three_games_unless_agreed() -> None:
    """The rubber is the best of five where nothing is said."""
    match = Match(seat("briscola"))
    rubber(match, [0, 0])
    assert "await_deal" == match.p.phase
    rubber(match, [0])
    assert "rubber_over" == match.p.phase


@pytest.mark.clause("ALL-3", "BR-7.1")
def test_forced_cards_are_moves() -> None:
    """The last card of a hand is not played by itself."""
    game = seat("briscola")
    match = contrive(game, 0, points(61, 59)).perform(Match(game), tricks=19)
    for cards_left in (2, 1):
        turn = match.game.turn(match.p)
        assert turn is not None
        assert ("play", cards_left) == (match.p.phase, sum(len(hand) for hand in match.p.hands))
        (move,) = match.moves(turn)
        match.say(turn, move)
    assert "await_deal" == match.p.phase
