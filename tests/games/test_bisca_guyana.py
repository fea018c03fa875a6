"""Bisca of Guyana: what may answer a lead, sudden death, the cut and the score (clauses BG-3 to BG-7)."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves
from chitarrella.core.model import CHANCE
from chitarrella.tricks.game import TrickGame
from tests.games.support.bisca_deals import answers, counted, cut, laid_out, played_out
from tests.games.support.table import Match, events_of, facts, first_cards, pack_for, seat, table, worth, zone
from tests.walks import CATALOGUE, known_walk

KEY = "bisca-guyana"


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("BG-3.1", "BG-6.1")
@pytest.mark.parametrize(("led", "played", "points"), [("Qd", "Jd", 5), ("Kd", "7d", 14)])
def test_jack_over_queen_and_seven_over_king(led: str, played: str, points: int) -> None:
    """BG-EX4: trump s; the Jack takes the Queen, the Seven takes the King."""
    match = cut(seat(KEY), {1: led, 0: played}, "3s")
    assert (0, points) == match.one_trick(f"1 {led}, 0 {played}")


@pytest.mark.clause("BG-3.2", "ALL-2", "ALL-8")
def test_three_players_leave_out_a_worthless_card() -> None:
    """BG-EX17, `removed_card`: 6h instead of 2c (BG-R4); a pack with it is refused, and nobody holds it."""
    game = seat(KEY, 3, removed_card="6h")
    assert ({"6h"}, True) == (set(seat(KEY).pack.cards) - set(game.pack.cards), "2c" in game.pack.cards)
    assert (39, 120) == (len(game.pack.cards), worth(game, game.pack.cards))
    assert ["bad_pack"] == Match(game).codes(CHANCE, f"start_deal {' '.join(seat(KEY).pack.cards)}")
    assert ["not_in_hand"] == cut(game, {1: "4c"}, "3s").codes(1, "play_card 6h")
    assert {"2c"} == set(seat(KEY).pack.cards) - set(seat(KEY, 3).pack.cards)
    for players in (2, 4):
        assert 40 == len(seat(KEY, players, removed_card="6h").pack.cards)


@pytest.mark.clause("BG-3.2")
def test_the_card_left_out_may_be_of_the_trump_suit() -> None:
    """BG-R23: trumps of nine cards are trumps like any other."""
    match = cut(seat(KEY, 3, removed_card="2c"), {1: "4d", 2: "3c", 0: "Ad"}, "5c")
    assert (2, 11) == match.one_trick("1 4d, 2 3c, 0 Ad")


# ---------------------------------------------------------------------- playing to a trick


@pytest.mark.clause("BG-5.3", "BG-5.8")
@pytest.mark.parametrize(
    ("led", "hand", "allowed"),
    [
        pytest.param("4h", "Kh 2h Ad", "2h Kh", id="BG-EX1-plain"),
        pytest.param("4h", "Kh 2h 3s", "2h 3s Kh", id="BG-EX1-trump"),
        pytest.param("4h", "2h 3s Ad", "2h 3s", id="BG-EX1-third-suit"),
        pytest.param("4h", "3s Ad 5c", "3s 5c Ad", id="BG-EX2"),
        pytest.param("2s", "As 6h 7d", "6h 7d As", id="BG-EX3"),
    ],
)
def test_what_may_answer_a_lead(led: str, hand: str, allowed: str) -> None:
    """BG-EX1 to 3: follow or trump a plain suit; void, or to a trump, play anything (BG-R5 to BG-R9)."""
    match = cut(seat(KEY), {1: led, 0: hand}, "Qs")
    match.play(f"1 {led}")
    assert allowed == answers(match, 0)
    for card in set(hand.split()) - set(allowed.split()):
        (refusal,) = match.refusals(0, f"play_card {card}")
        assert ("must_follow_or_trump", "BG-5.3") == (refusal.code, refusal.clause.key)
        assert allowed == " ".join(sorted(refusal.allowed_cards))


@pytest.mark.clause("BG-5.3", "BG-6.1")
def test_nobody_need_beat_a_trick() -> None:
    """BG-R9: with the Ace in hand the Two of the suit led may be played, and loses."""
    match = cut(seat(KEY), {1: "Kh", 0: "Ah 2h Ad"}, "Qs")
    assert (1, 4) == match.one_trick("1 Kh, 0 2h")


@pytest.mark.clause("BG-5.3", "BG-5.6", "BG-6.1")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", ["one", "two"])
def test_legal_cards(players: int, seed: str) -> None:
    """BG 3 to 5: in suit or a trump to a plain lead, else the whole hand, also without a stock (BG-R22)."""
    walk = known_walk(RuleSet(KEY, players, (("sudden_death", "false"),)), seed, 1, 6)
    game = CATALOGUE.game_for(walk.rule_set)
    assert isinstance(game, TrickGame)
    for p in walk.positions:
        turn = game.turn(p)
        assert not p.stock or p.turn_up in (None, p.stock[-1])
        if p.phase == "play" and turn is not None:
            cards = {move.cards[0] for move in legal_moves(game, p, turn)}
            led = p.trick[0].suit if p.trick else p.trump
            bound = led != p.trump and any(card.suit == led for card in p.hands[turn])
            assert cards == {card for card in p.hands[turn] if not bound or card.suit in (led, p.trump)}
    assert 120 == sum(game.points(walk.positions[-1]))


@pytest.mark.clause("ALL-6", "BG-5.7")
def test_between_deals_the_tricks_stay() -> None:
    """What was public at the end of a deal stays in view until the next pack, hands not played out do not open."""
    match = cut(seat(KEY), {1: "7h 4c 5c", 0: "Ah"}, "3s")
    match.play("1 7h, 0 Ah")
    assert ("await_deal", 1) == (match.p.phase, match.p.match_state.dealer)
    view = match.view(None)
    assert (("3s",), 2, ()) == (
        zone(view, "turn_up").cards,
        zone(view, "hand", 1).size,
        zone(view, "hand", 1).cards,
    )
    assert {None: "s"} == facts(view, "trump")
    first_cards(match, 0).deal(match.game.pack.cards)
    assert {} == facts(match.view(None), "trump")


@pytest.mark.clause("BG-4.3", "BG-5.1")
def test_positions_that_no_table_shows() -> None:
    """In the phase of the cut no card has been played and none is turned up; afterwards one is."""
    game = seat(KEY)
    before, after = Match(game), cut(game, {}, "3s")
    before.deal(game.pack.cards)
    for bad in (
        before.p._replace(phase="play"),
        after.p._replace(phase="cut"),
        before.p._replace(turn_up=before.p.stock[-1], trump=before.p.stock[-1].suit),
        table(seat(KEY, trump_by="turn_up"), {}).p._replace(phase="cut"),
    ):
        with pytest.raises(ValueError, match="turn"):
            game.decode(game.encode(bad))


# ---------------------------------------------------------------------- sudden death, the score and the cut


def killed(match: Match) -> list[tuple[int | None, tuple[str, ...]]]:
    """Who won by sudden death, and with which cards."""
    return [(event.seat, event.cards) for event in events_of(match, "sudden_death")]


@pytest.mark.clause("BG-5.5", "BG-7.2")
def test_the_ace_takes_the_seven() -> None:
    """BG-EX5: trump c, 7h is led, Ah takes it: s0 wins the deal at once, without drawing (BG-R10)."""
    match = cut(seat(KEY), {1: "7h", 0: "Ah"}, "3c")
    match.play("1 7h, 0 Ah")
    assert ("await_deal", 1, (1, 0), 34) == (
        match.p.phase,
        len(match.p.tricks),
        match.p.match_state.wins,
        len(match.p.stock),
    )
    assert [(0, ("Ah", "7h"))] == killed(match)
    assert ["card_played", "trick_taken", "sudden_death", "deal_counted", "deal_won"] == [e.kind for e in match.last]
    assert [{"0": 21, "1": 0}] == counted(match)


@pytest.mark.clause("BG-5.5")
@pytest.mark.parametrize(
    ("trick", "winner"),
    [("1 2h, 2 Ah, 0 7h", 2), ("1 7h, 2 Ah, 0 2h", 2), ("1 2h, 2 7h, 0 Ah", 0), ("1 Ah, 2 2h, 0 7h", 1)],
)
def test_of_three_any_other_may_have_played_the_seven(trick: str, winner: int) -> None:
    """Wherever in the trick ace and Seven lie, the ace wins the deal at once."""
    match = cut(seat(KEY, 3), {int(part.split()[0]): part.split()[1] for part in trick.split(", ")}, "3c")
    match.play(trick)
    assert [(winner, ("Ah", "7h"))] == killed(match)


@pytest.mark.clause("BG-5.5", "BG-5.3")
def test_the_ace_leads() -> None:
    """BG-EX6: s0 leads Ah; s1 with 7h 4d 5s must follow and loses the deal; with a trump it could trump."""
    game = seat(KEY, first_dealer="1")
    match = cut(game, {0: "Ah", 1: "7h 4d 5s"}, "3c", dealer=1)
    match.play("0 Ah")
    assert ["play_card 7h"] == match.moves(1)
    match.play("1 7h")
    assert ((1, 0), [(0, ("Ah", "7h"))]) == (match.p.match_state.wins, killed(match))
    trumping = cut(game, {0: "Ah", 1: "7h 4c 5s"}, "3c", dealer=1)
    trumping.play("0 Ah")
    assert ["play_card 4c", "play_card 7h"] == trumping.moves(1)


@pytest.mark.clause("BG-5.5", "BG-6.1")
@pytest.mark.parametrize(
    ("players", "hands", "trump", "winner"),
    [
        pytest.param(3, "1 7h, 2 Ah, 0 3c", "4c", 0, id="BG-EX7-trumped"),
        pytest.param(2, "1 7c, 0 Ah", "3h", 0, id="BG-EX8-suits"),
        pytest.param(4, "1 7d, 2 3d, 3 Ad, 0 2d", "4c", 3, id="BG-EX9-partner"),
        pytest.param(4, "1 Ad, 2 3d, 3 7d, 0 2d", "4c", 1, id="partner-follows"),
        pytest.param(2, "1 7h, 0 Kh", "4c", 1, id="no-ace"),
    ],
)
def test_no_sudden_death(players: int, hands: str, trump: str, winner: int) -> None:
    """BG-EX7 to 9: not when a trump wins (BG-R11), nor with other suits (BG-R14), nor by the partner (BG-R12)."""
    dealt = {int(part.split()[0]): part.split()[1] for part in hands.split(", ")}
    match = cut(seat(KEY, players), dealt, trump)
    match.play(hands)
    assert ("play", winner, []) == (match.p.phase, match.p.leader, killed(match))
    assert (21 if "A" in hands else 14) == sum(match.game.points(match.p))


@pytest.mark.clause("BG-5.5", "ALL-8")
@pytest.mark.parametrize(
    ("trick", "agreed", "over"),
    [
        ("1 7d, 2 3d, 3 Ad, 0 2d", "true", True),
        ("1 7d, 2 3d, 3 Ad, 0 2d", "false", False),
        ("1 4d, 2 7d, 3 Ad, 0 2d", "false", True),
        ("1 4d, 2 7d, 3 Ad, 0 2d", "true", True),
        ("1 4d, 2 3d, 3 Ad, 0 7d", "false", True),
    ],
)
def test_the_partners_seven(trick: str, agreed: str, over: bool) -> None:
    """BG-EX9, `sudden_death_partner_seven`: the partner's Seven only where agreed, an opponent's always."""
    dealt = {int(part.split()[0]): part.split()[1] for part in trick.split(", ")}
    match = cut(seat(KEY, 4, sudden_death_partner_seven=agreed), dealt, "4c")
    match.play(trick)
    assert ((0, 1) if over else (0, 0), "await_deal" if over else "play") == (match.p.match_state.wins, match.p.phase)
    assert [1, 3] * over == [event.seat for event in events_of(match, "deal_won")]


@pytest.mark.clause("BG-5.5")
def test_sudden_death_in_trumps() -> None:
    """BG-R13: Ace and Seven of trumps count like any other."""
    match = cut(seat(KEY), {1: "7c", 0: "Ac"}, "3c")
    match.play("1 7c, 0 Ac")
    assert [(0, ("Ac", "7c"))] == killed(match)


@pytest.mark.clause("BG-5.5", "BG-7.1", "ALL-8")
@pytest.mark.parametrize("partner", ["false", "true"])
def test_without_sudden_death(partner: str) -> None:
    """BG-EX16, `sudden_death` false: the trick of BG-EX5 or BG-EX9 counts 21, and play goes on."""
    options = {"sudden_death": "false", "sudden_death_partner_seven": partner}
    match = cut(seat(KEY, **options), {1: "7h", 0: "Ah"}, "3c")
    assert (0, 21) == match.one_trick("1 7h, 0 Ah")
    assert ("play", 32, [3, 3]) == (match.p.phase, len(match.p.stock), [len(hand) for hand in match.p.hands])
    four = cut(seat(KEY, 4, **options), {1: "7d", 2: "3d", 3: "Ad", 0: "2d"}, "4c")
    assert (3, 21) == four.one_trick("1 7d, 2 3d, 3 Ad, 0 2d")
    assert "play" == four.p.phase


@pytest.mark.clause("BG-5.5", "BG-5.6", "BG-7.2")
def test_sudden_death_in_the_last_trick() -> None:
    """BG-R15: it wins a deal to its end, though the other has far more points."""
    match = laid_out(cut(seat(KEY), {}, "3c"), {0: "Ah", 1: "7h"}, (0, 99))
    match.play("1 7h, 0 Ah")
    assert ([{"0": 21, "1": 99}], (1, 0)) == (counted(match), match.p.match_state.wins)


@pytest.mark.clause("BG-7.2", "BG-5.5")
def test_points_after_sudden_death() -> None:
    """BG-EX18: s0 has 24 and s1 30 when Ah takes 7h: s0 wins, and 45 to 30 are told (BG-R25)."""
    match = laid_out(cut(seat(KEY), {}, "3c"), {0: "Ah Ac Ad", 1: "7h As 7c"}, (24, 30), "Qd 3c")
    match.play("1 7h, 0 Ah")
    assert ([{"0": 45, "1": 30}], (1, 0)) == (counted(match), match.p.match_state.wins)


@pytest.mark.clause("BG-5.5")
def test_ace_and_seven_in_different_tricks() -> None:
    """BG-R24: who takes the Seven in one trick and the Ace in another has taken nothing with it."""
    match = cut(seat(KEY), {1: "4c 7h 2d", 0: "6h Ah 5d"}, "3c")
    match.play("1 7h, 0 6h")
    match.play("1 4c, 0 Ah")
    assert ("play", 21, []) == (match.p.phase, match.game.points(match.p)[1], killed(match))


@pytest.mark.clause("BG-5.5")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_sudden_death_means_an_ace(players: int, seed: int) -> None:
    """BG 1 and 7: a deal that is broken off ended with an Ace of its winner; every card still lies somewhere."""
    walk = known_walk(RuleSet(KEY, players), str(seed), 2, 6)
    game = CATALOGUE.game_for(walk.rule_set)
    assert isinstance(game, TrickGame)
    for step in walk.steps:
        if step.after.phase == "await_deal" and step.before.phase == "play" and any(step.after.hands):
            trick = step.after.tricks[-1]
            assert "A" == trick.cards[(trick.winner - trick.leader) % players].rank
            assert trick.winner in [event.seat for event in step.events if event.kind == "deal_won"]
    assert step.after == game.decode(game.encode(step.after))


# ---------------------------------------------------------------------- results


@pytest.mark.clause("BG-7.3", "BG-4.4")
def test_the_score_has_no_end() -> None:
    """BG-EX19: s0 wins, a draw, s1 wins by sudden death: 1 to 1 and one drawn; dealers s0 s1 s0 s1 (BG-R19)."""
    match = Match(seat(KEY))
    played_out(match, (70, 50))
    assert ((1, 0), 1) == (match.p.match_state.wins, match.p.match_state.dealer)
    played_out(match, (60, 60))
    assert ((1, 0), 1, 0) == (match.p.match_state.wins, match.p.match_state.draws, match.p.match_state.dealer)
    match.deal(pack_for(match.game, {1: "Ah", 0: "7h"}, "3c", dealer=0))
    match.say(1, "cut_stock 1")
    match.play("1 Ah, 0 7h")
    assert ({0: 1, 1: 1}, {None: 1}) == (facts(match.view(None), "deals_won"), facts(match.view(None), "draws"))
    assert ("await_deal", None, 1) == (match.p.phase, match.game.outcome(match.p), match.p.match_state.dealer)
    assert (1, 1) == match.game.scores(match.p)


@pytest.mark.clause("BG-7.3", "ALL-7")
def test_no_match_is_ever_over() -> None:
    """After many deals the next pack is still wanted; `match_over` does not occur."""
    match = Match(seat(KEY))
    match.play_out(40)
    assert (40, None) == (match.p.match_state.deal, match.game.outcome(match.p))
    assert "match_over" not in {reason.code for reason in match.game.reasons}
    assert "await_deal" == match.p.phase


# ---------------------------------------------------------------------- bisca cut


@pytest.mark.clause("BG-4.2", "BG-5.2", "BG-5.7")
@pytest.mark.parametrize(("count", "shown"), [(1, 7), (10, 16), (33, 39), (34, 40)])
def test_cut_and_show(count: int, shown: int) -> None:
    """BG-EX10: the lowest card lifted is shown, its suit is trumps, goes last in the same circle (BG-R1, BG 9)."""
    match = Match(seat(KEY))
    pack = match.game.pack.cards
    match.deal(pack)
    stock = pack[6:]
    match.say(1, f"cut_stock {count}")
    card = pack[shown - 1]
    assert ((*stock[count:], *stock[:count]), card, card.suit) == (match.p.stock, match.p.turn_up, match.p.trump)
    for viewer in (None, 0, 1):
        assert [("stock_cut", 1, count), ("turned_up", None, None)] == [
            (event.kind, event.seat, event.amount) for event in match.events_for(viewer)
        ]
        assert (((card,), 33), ()) == (
            (zone(match.view(viewer), "turn_up").cards, zone(match.view(viewer), "stock").size),
            zone(match.view(viewer), "stock").cards,
        )
