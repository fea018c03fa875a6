"""Bisca of Brazil: cards, packets of nine, the cut and the last draw (clauses BB-3 to BB-5)."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves
from chitarrella.core.model import CHANCE
from chitarrella.tricks.game import TrickGame
from tests.games.support.bisca_deals import (
    answers,
    counted,
    cut,
    laid_out,
)
from tests.games.support.table import Match, events_of, seat, worth, zone
from tests.walks import CATALOGUE, known_walk

KEY = "bisca-brazil"


@pytest.mark.clause("BB-3.1", "BB-6.1", "BB-5.2")
def test_the_ten_takes_the_king() -> None:
    """BB-EX7: Qd, Jd, Kd, Td: the Ten wins 19."""
    match = cut(seat(KEY), {1: "Qd", 2: "Jd", 3: "Kd", 0: "Td"}, "3c")
    assert (0, 19) == match.one_trick("1 Qd, 2 Jd, 3 Kd, 0 Td")


@pytest.mark.clause("BB-3.2", "ALL-2", "ALL-8")
def test_three_players_leave_out_a_worthless_card() -> None:
    """BB-EX16, `removed_card`: 9s instead of 2c (BB-R2): 51 cards, nine each, a stock of 24."""
    game = seat(KEY, 3, removed_card="9s")
    assert ({"9s"}, 51, 120) == (
        set(seat(KEY).pack.cards) - set(game.pack.cards),
        len(game.pack.cards),
        worth(game, game.pack.cards),
    )
    match = Match(game)
    assert ["bad_pack"] == match.codes(CHANCE, f"start_deal {' '.join(seat(KEY).pack.cards)}")
    match.deal(game.pack.cards)
    assert ([9, 9, 9], 24) == ([len(hand) for hand in match.p.hands], len(match.p.stock))
    assert {"2c"} == set(seat(KEY).pack.cards) - set(seat(KEY, 3).pack.cards)
    for players in (2, 4):
        assert 52 == len(seat(KEY, players, removed_card="9s").pack.cards)


@pytest.mark.clause("BB-4.1", "BB-5.1", "BB-5.5")
def test_cut_and_show() -> None:
    """BB-EX9: stock 37 to 52, five lifted: card 41 is shown, goes last and names the trumps; the rest stays hidden."""
    match = Match(seat(KEY))
    pack = match.game.pack.cards
    match.deal(pack)
    match.say(3, "cut_stock 5")
    assert ((*pack[41:], *pack[36:41]), pack[40], pack[40].suit) == (match.p.stock, match.p.turn_up, match.p.trump)
    for viewer in (None, 0, 1, 2, 3):
        view = match.view(viewer)
        assert ((pack[40],), (), 15) == (
            zone(view, "turn_up").cards,
            zone(view, "stock").cards,
            zone(view, "stock").size,
        )
        for place in range(4):
            assert (match.p.hands[place] if place == viewer else ()) == zone(view, "hand", place).cards


# ---------------------------------------------------------------------- playing to a trick


@pytest.mark.clause("BB-5.2", "BB-5.6")
@pytest.mark.parametrize(
    ("led", "hand", "trumps", "refused"),
    [
        pytest.param("5h", "Kh 3h Ac", "Kh", {"Ac": "must_follow_suit", "3h": "must_head_trick"}, id="BB-EX1"),
        pytest.param("Th", "Kh 3h Ac", "3h Kh", {"Ac": "must_follow_suit"}, id="BB-EX2"),
        pytest.param("Th", "Ac 4c 4s", "", {}, id="BB-EX3"),
        pytest.param("As", "2h Ts 3c", "", {}, id="BB-EX6"),
    ],
)
def test_what_may_answer_a_lead(led: str, hand: str, trumps: str, refused: dict[str, str]) -> None:
    """BB-EX1, 2, 3 and 6: head a trump led, else follow it; void, or to a plain lead, play anything (BB-R5, BB-R6)."""
    match = cut(seat(KEY, 2), {1: led, 0: f"{hand} 4d 5d 6d 7d 8d 9d"}, "6h")
    match.play(f"1 {led}")
    assert (trumps or " ".join(sorted(match.p.hands[0]))) == answers(match, 0)
    for card, code in refused.items():
        (refusal,) = match.refusals(0, f"play_card {card}")
        assert (code, "BB-5.2", trumps) == (refusal.code, refusal.clause.key, " ".join(sorted(refusal.allowed_cards)))


@pytest.mark.clause("BB-5.2")
@pytest.mark.parametrize(("played", "winner", "points"), [("2h", 0, 11), ("Ts", 1, 21), ("3c", 1, 11)])
def test_a_plain_ace_is_led(played: str, winner: int, points: int) -> None:
    """BB-EX6: trump h, As is led: 2h wins 11, Ts loses 21, 3c loses 11 (BB-R8, BB-R17)."""
    match = cut(seat(KEY, 2), {1: "As", 0: "2h Ts 3c"}, "6h")
    assert (winner, points) == match.one_trick(f"1 As, 0 {played}")


@pytest.mark.clause("BB-5.2", "BB-5.6")
def test_the_highest_trump_so_far_is_to_be_beaten() -> None:
    """BB-EX4: s1 leads 5h, s2 plays Qh; s3 with Jh 9h Kc must play Jh (BB-R7, BB-R15)."""
    match = cut(seat(KEY), {1: "5h", 2: "Qh", 3: "Jh 9h Kc 4d 5d 6d 7d 8d 9d"}, "6h")
    match.play("1 5h, 2 Qh")
    assert "Jh" == answers(match, 3)
    assert (["must_follow_suit"], ["must_head_trick"]) == (
        match.codes(3, "play_card Kc"),
        match.codes(3, "play_card 9h"),
    )


@pytest.mark.clause("BB-5.2")
def test_the_partners_trump_is_to_be_beaten() -> None:
    """BB-EX5: s1 leads 2h, s2 is void; s3, the partner, must play 3h or 8h (BB-R4)."""
    hands = {1: "2h", 2: "4d 5d 6d 7d 8d 9d 4s 5s 6s", 3: "3h 8h 4c 5c 6c 7c 8c 9c 3c"}
    match = cut(seat(KEY), hands, "6h")
    match.play("1 2h, 2 4d")
    assert "3h 8h" == answers(match, 3)


@pytest.mark.clause("BB-5.2", "BB-5.3", "BB-6.1")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", ["one", "two"])
def test_legal_cards(players: int, seed: str) -> None:
    """BB 1 to 8: what is legal in every position, before and after the stock is gone (BB-R9); heading does head."""
    walk = known_walk(RuleSet(KEY, players), seed, 1, 6)
    game = CATALOGUE.game_for(walk.rule_set)
    assert isinstance(game, TrickGame)
    bound = set()
    for step in walk.steps:
        p = step.before
        if step.move.verb != "play_card":
            continue
        hand = p.hands[step.actor]
        cards = {move.cards[0] for move in legal_moves(game, p, step.actor)}
        trumps = {card for card in hand if card.suit == p.trump}
        if not p.trick or p.trick[0].suit != p.trump:
            assert set(hand) == cards
            continue
        best = max(game.cards.strength[card] for card in p.trick if card.suit == p.trump)
        higher = {card for card in trumps if game.cards.strength[card] > best}
        assert (higher or trumps or set(hand)) == cards
        if higher:
            so_far = (*p.trick, *step.move.cards)
            assert len(p.trick) == game.taking.best(game, p._replace(trick=so_far), so_far)
            bound.add(bool(p.stock))
    last = walk.positions[-1]
    assert bound
    assert 120 == sum(game.points(last))


# ---------------------------------------------------------------------- sudden death, results, score


@pytest.mark.clause("BB-5.4", "ALL-8")
@pytest.mark.parametrize(
    ("agreed", "players", "trick", "dead"),
    [
        pytest.param("ace_takes_ten", 2, "1 Td, 0 Ad", True, id="BB-EX11"),
        pytest.param("none", 2, "1 Td, 0 Ad", False, id="BB-EX11-none"),
        pytest.param("", 2, "1 Td, 0 Ad", False, id="BB-EX11-default"),
        pytest.param("none", 2, "1 7d, 0 Ad", False, id="none-seven"),
        pytest.param("ace_takes_ten", 2, "1 7d, 0 Ad", False, id="ten-not-seven"),
        pytest.param("ace_takes_ten", 4, "1 Td, 2 3d, 3 Ad, 0 2d", False, id="ten-partner"),
        pytest.param("ace_takes_seven", 2, "1 7d, 0 Ad", True, id="BB-EX15-seven"),
        pytest.param("ace_takes_seven", 2, "1 Td, 0 Ad", False, id="BB-EX15-ten"),
        pytest.param("ace_takes_seven", 4, "1 7d, 2 3d, 3 Ad, 0 2d", False, id="BB-EX15-partner"),
        pytest.param("ace_takes_seven", 4, "1 Ad, 2 7d, 3 4d, 0 3d", True, id="BB-EX15-opponent"),
    ],
)
def test_sudden_death(agreed: str, players: int, trick: str, dead: bool) -> None:
    """BB-EX11, BB-EX15, `sudden_death`: none unless agreed (BB-R3), and never with the partner's card (BB-R18)."""
    dealt = {int(part.split()[0]): part.split()[1] for part in trick.split(", ")}
    match = cut(seat(KEY, players, **({"sudden_death": agreed} if agreed else {})), dealt, "3c")
    match.play(trick)
    ace = next(place for place, card in dealt.items() if card == "Ad")
    assert (ace, 21 if "Td" in trick else 11) == (match.p.tricks[-1].winner, max(match.game.points(match.p)))
    assert ("await_deal" if dead else "play") == match.p.phase
    wins = [0] * len(match.p.match_state.wins)
    wins[match.game.sides[ace]] += dead
    assert tuple(wins) == match.p.match_state.wins
    assert [ace] * dead == [event.seat for event in events_of(match, "sudden_death")]


@pytest.mark.clause("BB-5.4")
def test_points_after_sudden_death() -> None:
    """The points taken so far are told, though they decide nothing."""
    match = laid_out(cut(seat(KEY, 2, sudden_death="ace_takes_ten"), {}, "3c"), {0: "Ah", 1: "Th"}, (0, 99))
    match.play("1 Th, 0 Ah")
    assert ([{"0": 21, "1": 99}], (1, 0)) == (counted(match), match.p.match_state.wins)


@pytest.mark.clause("BB-7.1", "ALL-7")
def test_the_score_has_no_end() -> None:
    """After many deals the next pack is still wanted, nobody has won the match, and `match_over` does not occur."""
    match = Match(seat(KEY))
    match.play_out(20)
    assert (20, "await_deal", None) == (match.p.match_state.deal, match.p.phase, match.game.outcome(match.p))
    assert 20 == sum(match.p.match_state.wins) + match.p.match_state.draws
    assert "match_over" not in {reason.code for reason in match.game.reasons}


@pytest.mark.clause("ALL-8", "BB-4.1")
def test_four_players_unless_agreed() -> None:
    """BB-R1: where nothing is said four play, crosswise."""
    assert (4, (0, 1, 0, 1)) == (seat(KEY).seats, seat(KEY).sides)
