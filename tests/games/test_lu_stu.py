"""Lu Stù: the worked examples of its rule book, more of the same kind, and the shape of a game."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from chitarrella.core.game import IllegalMove, legal_moves, play, view_for
from chitarrella.core.model import CHANCE, REFEREE, Event, Move, Seat
from tests.games.support.exchange_events import in_words
from tests.games.support.exchange_examples import Table, examples, run
from tests.games.support.exchange_layouts import pack_of, seat

SPECIAL = ("XI", "XII", "XIII", "XIV", "XV")
PLAIN = ("X", "IX", "VIII", "VII", "VI", "V", "IV", "III", "II", "I", "NUL", "SEC", "MAS", "LEO")
RANKING = (*reversed(SPECIAL), *PLAIN)
"""The faces that have a rank of their own, the highest first."""
TALK = {"end_game_agreement": False}


def table(players: int, pack: str, *, dealer: Seat | None = None, **said: Any) -> Table:
    """Deal this pack, whose other cards do not matter; the last seat deals."""
    last = players - 1 if dealer is None else dealer
    found = Table("lu-stu", {"players": players, "dealer": last, "pack": pack.split()} | said)
    found.step({"do": "deal"})
    return found


def said_of(t: Table, *moves: str) -> list[str]:
    """Make moves, and return the events as the referee gets them."""
    t.step({"do": list(moves)})
    return in_words(t.events, REFEREE, faces=False)


@pytest.mark.parametrize("said", examples("lu-stu"))
def test_a_worked_example(said: Any) -> None:
    """The table does what the example of the rule book says, step by step."""
    run("lu-stu", said)


@pytest.mark.parametrize("said", examples("lu-stu-back"))
def test_a_card_on_its_way_back(said: Any) -> None:
    """A card that met a cat goes back as far as nothing stops it, and whoever holds it pays what it costs."""
    run("lu-stu", said)


@pytest.mark.parametrize("said", examples("lu-stu-inn"))
def test_a_talk_at_the_inn(said: Any) -> None:
    """Guest and host bargain by the rules, and without a bargain the host pays for the guest's nulla."""
    run("lu-stu", said)


@pytest.mark.parametrize("said", examples("lu-stu-end"))
def test_tokens_and_prizes(said: Any) -> None:
    """Tokens are won and lost, bought and given, and the pool is divided, as the rule book says."""
    run("lu-stu", said)


# ---------------------------------------------------------------------- before the first card


@pytest.mark.clause("LS-4", "LS-22", "LS-24")
@pytest.mark.parametrize("players", range(2, 21))
def test_everybody_begins_alike(players: int) -> None:
    """From 2 to 20 play, each pays the stake and has the tokens agreed upon; everybody sees pool and tokens."""
    game = seat("lu-stu", players, stake=7, tokens=2)
    view = view_for(game, game.start(), None)
    facts = {(fact.name, fact.seat): fact.value for fact in view.facts}
    assert 7 * players == facts["pool", None]
    assert [2] * players == [facts["tokens", place] for place in range(players)] == list(view.scores)
    assert [1] * players == [facts["virgin", place] for place in range(players)]
    assert (("0", -7), *((str(place), -7) for place in range(1, players))) == facts["net", None]


@pytest.mark.clause("LS-5", "LS-12", "LS-32")
@pytest.mark.parametrize(("options", "fools"), [({}, 2), ({"single_matto_from": 5}, 2), ({"single_matto_from": 4}, 1)])
def test_the_pack(options: dict[str, int], fools: int) -> None:
    """Twenty faces twice, of which one Matto is taken out where enough play; the two copies are one word."""
    game = seat("lu-stu", 4, **options)
    cards = game.chance_request(game.start()).cards
    assert {face: fools if face == "MAT" else 2 for face in (*RANKING, "MAT")} == {
        face: cards.count(game.pack.card(face)) for face in (*RANKING, "MAT")
    }
    p, _ = play(game, game.start(), CHANCE, Move("start_deal", cards))
    zones = {zone.name: zone for zone in view_for(game, p, None).zones if zone.seat is None}
    assert (38 + fools - 1, fools == 1) == (zones["pack"].size, "left_out" in zones)


@pytest.mark.clause("LS-6", "LS-20", "LS-31", "LS-33")
@pytest.mark.parametrize("dealer", range(5))
def test_the_word_passes_to_the_right(dealer: Seat) -> None:
    """The agreed seat deals; the next number is first, is dealt the top card, and so on round to the dealer."""
    game = seat("lu-stu", 5, first_dealer=dealer)
    pack = game.pack.hand(["II", "IV", "VI", "VIII", "X"])
    p, events = play(game, game.start(), CHANCE, Move("start_deal", pack_of(game.pack.cards, pack)))
    all_events: list[Event] = list(events)
    for step in range(1, 6):
        assert (dealer + step) % 5 == game.turn(p)
        p, events = play(game, p, (dealer + step) % 5, Move("keep"))
        all_events += events
    dealt = [event for event in all_events if event.kind == "deal"]
    assert [((dealer + step) % 5, (card,)) for step, card in enumerate(pack, 1)] == [(e.seat, e.cards) for e in dealt]
    assert (dealer + 1) % 5 == p.match_state.dealer


@pytest.mark.clause("LS-31")
def test_each_deal_wants_a_whole_pack() -> None:
    """Every deal is played with the whole pack again, whatever lay on the table before."""
    t = table(3, "X IX VIII")
    said_of(t, "0 keep", "1 keep", "2 draw")
    assert sorted(t.game.pack.cards) == sorted(t.game.chance_request(t.p).cards)
    t.step({"do": "deal", "pack": ["VIII", "IX"]})
    assert [("hand", 1, 1), ("pack", None, 39)] == [
        (zone.name, zone.seat, zone.size) for zone in view_for(t.game, t.p, None).zones if zone.size
    ]


@pytest.mark.clause("LS-21")
@pytest.mark.parametrize("seating", ["half_pack", "full_pack"])
def test_a_fool_sits_down_last(seating: str) -> None:
    """MAT is below LEO when seats are drawn; the half pack has each face once, the full one twice."""
    game = seat("lu-stu", 3, seating=seating)
    request = game.chance_request(game.start())
    assert ("draw_seats", 20 if seating == "half_pack" else 40) == (request.verb, len(request.cards))
    cards = pack_of(request.cards, game.pack.hand(["MAT", "LEO", "I"]))
    p, events = play(game, game.start(), CHANCE, Move("draw_seats", cards))
    assert [(0, ("I",), 2), (1, ("LEO",), 1), (2, ("MAT",), 0)] == [(e.seat, e.cards, e.amount) for e in events]
    assert ((2, 1, 0), 0, CHANCE) == (p.match_state.listed, p.match_state.dealer, game.turn(p))


# ---------------------------------------------------------------------- cards


@pytest.mark.clause("LS-10", "LS-71", "LS-72")
@pytest.mark.parametrize(("higher", "lower"), list(pairwise(RANKING)))
def test_the_order_of_the_faces(higher: str, lower: str) -> None:
    """Of two neighbours in the order the owner of the lower one loses a token, whoever that is."""
    for pack, loser in ((f"{higher} {lower}", 1), (f"{lower} {higher}", 0)):
        events = said_of(table(2, pack, options=TALK), "0 keep", "1 keep")
        assert f"lose {loser} low" in events


@pytest.mark.clause("LS-11", "LS-35", "LS-41", "LS-42")
@pytest.mark.parametrize("face", [*RANKING, "MAT"])
def test_what_is_handed_over(face: str) -> None:
    """A plain card is exchanged, MAT too, and a special one is shown or named; any card may be offered for it."""
    for offered in ("XV", "MAT", "III"):
        t = table(3, f"{offered} {face}")
        events = said_of(t, "0 exchange")
        assert f"deal 1 {face}" == events[0]
        assert (face not in SPECIAL) == ("swap 0 1" in events)
        assert (face in SPECIAL) == (f"show 1 {face}" in events or f"announce 1 {face}" in events)


@pytest.mark.clause("LS-40")
@pytest.mark.parametrize("face", SPECIAL)
def test_a_special_card_that_nobody_asks_for(face: str) -> None:
    """Dealt to the first player, or after a keep, it does nothing and makes no event."""
    t = table(4, f"{face} {face} X")
    assert [f"deal 1 {face}"] == said_of(t, "0 keep")
    assert ["deal 2 X"] == said_of(t, "1 keep")
    assert {2: "X"} == t.seen(2)
    assert [3] * 4 == list(t.p.match_state.tokens)


@pytest.mark.clause("LS-36", "LS-50")
@pytest.mark.parametrize("face", SPECIAL)
def test_special_cards_are_named_without_being_asked(face: str) -> None:
    """What arrests is announced at once and truly; nobody decides about it, and there is no move for talk."""
    t = table(4, f"VI {face} IX")
    events = said_of(t, "0 exchange")
    assert 1 == events.count(f"announce 1 {face}" if face == "XI" else f"show 1 {face}")
    assert {1: face} == t.seen(3)


# ---------------------------------------------------------------------- decisions


@pytest.mark.clause("LS-33", "LS-34")
def test_one_decision_each() -> None:
    """There is one decider, or none; who has decided, or is still to decide, is refused and nothing changes."""
    t = table(4, "II IV VI VIII")
    for turn in range(4):
        assert turn == t.game.turn(t.p)
        for other in {0, 1, 2, 3} - {turn}:
            assert () == legal_moves(t.game, t.p, other)
            for verb in ("keep", "exchange" if turn < 3 else "draw"):
                refused(t, other, verb, "not_your_turn")
        said_of(t, f"{turn} keep")
    for place in range(4):
        refused(t, place, "keep", "wrong_phase")


def refused(t: Table, actor: Seat, verb: str, code: str) -> None:
    """See a move refused for this reason, and nothing changed."""
    before = t.game.encode(t.p)
    with pytest.raises(IllegalMove) as found:
        play(t.game, t.p, actor, Move(verb))
    assert [code] == [refusal.code for refusal in found.value.refusals]
    assert before == t.game.encode(t.p)


@pytest.mark.clause("LS-34", "LS-55")
def test_the_way_back_reopens_nothing() -> None:
    """Who got another card on the way back does not decide again, nor does the one who met the cat."""
    t = table(5, "VIII V SEC XII X")
    said_of(t, "0 keep", "1 keep", "2 exchange")
    assert 3 == t.game.turn(t.p)
    for place in (0, 1, 2):
        refused(t, place, "exchange", "not_your_turn")
    assert ["deal 4 X"] == said_of(t, "3 keep")
    assert 4 == t.game.turn(t.p)


@pytest.mark.clause("LS-7", "LS-8", "LS-65")
@pytest.mark.parametrize(("choice", "loser"), [("keep", 2), ("draw", 1)])
def test_the_dealer_changes_with_the_pack(choice: str, loser: Seat) -> None:
    """Everybody has one card and one chance, the dealer's being a card of the pack; the lowest card loses a token."""
    t = table(3, "X VI II VII")
    assert {"keep", "exchange"} == {move.verb for move in legal_moves(t.game, t.p, 0)}
    said_of(t, "0 keep", "1 keep")
    assert {"keep", "draw"} == {move.verb for move in legal_moves(t.game, t.p, 2)}
    assert f"lose {loser} low" in said_of(t, f"2 {choice}")
    assert [3 - (place == loser) for place in range(3)] == list(t.p.match_state.tokens)


@pytest.mark.clause("LS-46", "LS-65")
@pytest.mark.parametrize("drawn", [*SPECIAL, "MAT"])
def test_a_card_drawn_has_no_effect(drawn: str) -> None:
    """What the dealer draws, or who met his horse, does nothing but count in the comparison (LS-R30)."""
    t = table(3, f"X VI II {drawn}")
    events = said_of(t, "0 keep", "1 keep", "2 draw")
    assert [f"draw 2 {drawn}", f"showdown 0:X 1:VI 2:{drawn}", "lose 1 low"] == events[2:5]
    t = table(3, f"X VI XIII {drawn}")
    assert ["deal 2 XIII", "show 2 XIII", f"draw 1 {drawn}"] == said_of(t, "0 keep", "1 exchange")[1:]
    assert (2, "dealer_turn") == (t.game.turn(t.p), t.game.phase(t.p))


@pytest.mark.clause("LS-66")
@pytest.mark.parametrize("fewer", [0, 20])
def test_the_pack_never_runs_out(fewer: int) -> None:
    """Twenty players, the dealer's horse and his draw take 22 cards, of 40 or of 39."""
    pack = [face for face in PLAIN[:10] for _ in range(2)][:19]
    t = table(20, " ".join([*pack, "XIII"]), options={"single_matto_from": fewer})
    said_of(t, *(f"{place} keep" for place in range(18)), "18 exchange", "19 draw")
    assert (39 if fewer else 40) - 22 == len(t.p.pack)


@pytest.mark.clause("LS-67", "LS-70")
def test_the_cards_are_turned_up() -> None:
    """When the dealer has decided everybody sees the cards of all who are in the game, and no card laid aside."""
    t = table(4, "X XIV II VI IX", tokens=[1, 2, 2, 2])
    said_of(t, "0 exchange", "1 keep", "2 keep")
    assert {1: "XIV"} == t.seen(None)
    said_of(t, "3 draw")
    assert {1: "XIV", 2: "II", 3: "IX"} == t.seen(None) == t.seen(0)
    aside = {
        viewer: [zone.cards for zone in view_for(t.game, t.p, viewer).zones if zone.name == "aside"]
        for viewer in (0, 3, None)
    }
    assert {0: [("X",), ()], 3: [(), ("VI",)], None: [(), ()]} == aside
