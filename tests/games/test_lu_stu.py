"""Lu Stù: the worked examples of its rule book, more of the same kind, and the shape of a game."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from chitarrella.core.game import IllegalMove, legal_moves, play, view_for
from chitarrella.core.model import CHANCE, REFEREE, Event, Move, Seat, Viewer
from chitarrella.core.notation import InvalidPosition
from tests.games.support.exchange import Table, examples, in_words, pack_of, run, seat
from tests.walks import CATALOGUE

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


# ---------------------------------------------------------------------- lu stu views


FACES = [str(face) for face in CATALOGUE.game("lu-stu").pack.faces]
LOW = {"I", "II", "III", "IV", "NUL", "SEC", "MAS", "LEO"}


def table_lu_stu_views(players: int, pack: str, *moves: str, **said: Any) -> Table:
    """Deal this pack, the last seat being the dealer, and make some moves."""
    found = Table("lu-stu", {"players": players, "dealer": players - 1, "pack": pack.split()} | said)
    found.step({"do": ["deal", *moves]})
    return found


def facts(t: Table, viewer: Viewer = None) -> dict[tuple[str, int | None], Any]:
    """What the viewer know of the table beside its cards."""
    return {(fact.name, fact.seat): fact.value for fact in view_for(t.game, t.p, viewer).facts}


def both_ways(t: Table) -> None:
    """See that everybody knows the same of the table, who decides and in which phase."""
    views = [view_for(t.game, t.p, viewer) for viewer in (None, REFEREE, *range(t.game.seats))]
    assert 1 == len({(view.phase, view.turn, view.facts, view.scores, view.winners) for view in views})


# ---------------------------------------------------------------------- what everybody knows


@pytest.mark.clause("LS-22", "LS-68")
def test_what_is_known_of_a_table() -> None:
    """Deal, dealer, pool, tokens, virgins and what everybody has paid are known to all from the start."""
    t = table_lu_stu_views(3, "II", tokens=[3, 1, 2], counter=1, pool=50)
    known = facts(t)
    assert (1, 2, 50) == (known["deal", None], known["dealer", None], known["pool", None])
    assert [3, 1, 2] == [known["tokens", place] for place in range(3)]
    assert [0] == [place for name, place in known if name == "virgin"]
    both_ways(t)


@pytest.mark.clause("LS-50", "LS-52", "LS-54", "LS-67", "LS-68")
def test_what_is_known_of_a_talk_at_the_inn() -> None:
    """The inn that was named, what is offered, promised, and who answers for whom: all of it is public."""
    t = table_lu_stu_views(4, "II XI III XI", "0 exchange")
    assert "XI" == facts(t)["announced", 1]
    both_ways(t)
    t.step({"do": "0 make_offer", "with": {"money": 7, "pool_share": 20}})
    assert (7, (("1", 20),)) == (facts(t)["offered_money", 0], facts(t)["offered_share", 0])
    both_ways(t)
    t.step({"do": "1 accept_offer"})
    assert (("1", 20),) == facts(t)["promised", 0]
    assert (("0", -17), ("1", -3), ("2", -10), ("3", -10)) == facts(t)["net", None]
    assert not {"announced", "offered_money", "offered_share"} & {name for name, _ in facts(t)}
    t.step({"do": ["1 keep", "2 exchange", "2 no_offer"]})
    assert 2 == facts(t)["guarantee", 3]
    both_ways(t)


@pytest.mark.clause("LS-95", "LS-98", "LS-68")
def test_what_is_known_of_a_re_entry() -> None:
    """While somebody decides about it everybody knows the price; then who has a claim on the seat's prize."""
    t = table_lu_stu_views(3, "II XIV X", "0 exchange", tokens=[1, 3, 2])
    assert 10 == facts(t)["cost", None]
    both_ways(t)
    t.step({"do": "0 reenter", "with": {"contributions": {"zia": 4, 0: 6}}})
    assert (("0", 6), ("zia", 4)) == facts(t)["syndicate", 0]
    assert -4 == dict(facts(t)["net", None])["zia"]
    assert ("cost", None) not in facts(t)
    both_ways(t)


@pytest.mark.clause("LS-104", "LS-105", "LS-68")
def test_visibility_of_a_split() -> None:
    """A proposal is known as long as it waits for its answer, an agreement as long as it stands."""
    t = table_lu_stu_views(2, "X")
    t.step({"do": "0 propose_agreement", "with": {"shares": {0: 30, 1: 70}}})
    assert (("0", 30), ("1", 70)) == facts(t)["proposal", None]
    both_ways(t)
    t.step({"do": "1 accept_agreement"})
    assert (("0", 30), ("1", 70)) == facts(t)["agreement", None]
    assert ("proposal", None) not in facts(t)
    both_ways(t)


# ---------------------------------------------------------------------- the duty of the last two


@pytest.mark.clause("LS-107")
@pytest.mark.parametrize("face", FACES)
def test_which_cards_must_be_exchanged(face: str) -> None:
    """With an agreement, where that was agreed too, the one who does not deal must exchange what is lower than V."""
    agreed = {"agreement": {0: 50, 1: 50}, "options": {"agreement_forces_exchange": True}}
    t = table_lu_stu_views(2, f"{face} X", **agreed)
    assert ({"exchange"} if face in LOW else {"exchange", "keep"}) == {
        move.verb for move in legal_moves(t.game, t.p, 0)
    }
    t = table_lu_stu_views(2, f"V {face}" if face in LOW else f"{face} V", "0 keep", **agreed)
    assert {"keep", "draw"} == {move.verb for move in legal_moves(t.game, t.p, 1)}


# ---------------------------------------------------------------------- tables that cannot be

SCENES: dict[str, tuple[int, str, list[str], dict[str, Any]]] = {
    "turn": (3, "II V X", ["0 exchange"], {}),
    "inn": (3, "II XI X", ["0 exchange"], {}),
    "shot": (3, "II XIV X", ["0 exchange"], {"tokens": [1, 3, 2]}),
    "debt": (4, "II XI X V", ["0 exchange", "0 no_offer"], {}),
    "back": (4, "VIII II XII X", ["0 keep", "1 exchange"], {"tokens": [3, 1, 3, 3]}),
    "asked": (3, "II X IX", ["0 keep", "1 keep", "2 keep"], {"tokens": [1, 3, 2]}),
    "asked two": (3, "II MAT X", ["0 keep", "1 keep", "2 keep"], {"tokens": [1, 1, 3]}),
    "talk": (2, "II X", [], {}),
    "talk of two": (3, "II X", [], {"tokens": [0, 2, 2]}),
    "silent": (2, "II X", ["0 no_proposal", "1 no_proposal"], {"tokens": [2, 2]}),
    "two left": (3, "II X", ["1 no_proposal", "2 no_proposal"], {"tokens": [0, 2, 2]}),
    "drawn": (3, "II X V VI", ["0 keep", "1 keep", "2 draw"], {}),
    "dealt": (3, "II X", ["1 keep", "2 draw"], {"tokens": [0, 2, 2], "options": {"end_game_agreement": False}}),
    "over": (2, "II X", ["0 keep", "1 keep"], {"tokens": [1, 2], "options": {"end_game_agreement": False}}),
}
IMPOSSIBLE = [
    ("turn", "tokens=3,3", "tokens"),
    ("turn", "tokens=3,-1,3", "tokens"),
    ("turn", "tokens=0,0,0 virgins=-", "tokens"),
    ("turn", "tokens=3,3,0 virgins=0,1", "tokens"),
    ("turn", "deal=1000001", "deal"),
    ("turn", "tokens=2,3,3", "virgins"),
    ("turn", "virgins=1,0", "virgins"),
    ("turn", "dealer=3", "dealer"),
    ("turn", "pool=31", "net"),
    ("turn", "pool=9007199254740992", "pool"),
    ("turn", "net=0,-10/1,-20", "net"),
    ("turn", "net=0,-10/1,-10/2,-20/zia,5/anna,5", "net"),
    ("turn", "promises=0,1,60/0,2,41", "promises"),
    ("turn", "promises=0,3,1", "promises"),
    ("turn", "agreement=0,50/1,50", "agreement"),
    ("turn", "claims=0,zia,0", "claims"),
    ("turn", "claims=0,zia,5/0,anna,5", "claims"),
    ("turn", "order=1,0,2 chain=-", "order"),
    ("turn", "at=0", "chain"),
    ("turn", "at=0 chain=-", "at"),
    ("turn", "at=3", "seat"),
    ("turn", "phase=dealer_turn", "at"),
    ("turn", "phase=inn_guest", "phase"),
    ("turn", "chain=1,0", "chain"),
    ("turn", "asker=0 chain=-", "asker"),
    ("turn", "asker=0 target=1 chain=-", "target"),
    ("turn", "reverse=yes", "reverse"),
    ("turn", "offers=1", "offer"),
    ("turn", "asked=0", "proposal"),
    ("turn", "pending=0", "pending"),
    ("turn", "debts=1,0/2,0", "debts"),
    ("inn", "debts=1,0", "debts"),
    ("turn", "held=V,announced,no/II,down,no/~", "held"),
    ("turn", "debts=0,1", "debts"),
    ("turn", "held=V,asleep,no/II,down,no/~", "held"),
    ("turn", "held=V,down,no/~/II,down,no", "held"),
    ("turn", "held=V,down,no/V,down,no/~", "held"),
    ("turn", "held=V,down,no/II,down,no", "held"),
    ("turn", "listed=0,1,2", "listed"),
    ("turn", "next_table=0,0/1,1", "next_table"),
    ("inn", "at=1", "at"),
    ("inn", "offer=5,0 offers=1", "offer"),
    ("inn", "phase=inn_answer at=1 offer=5,0", "offer"),
    ("inn", "phase=inn_answer at=1 offer=1000000001,0 offers=1", "offer"),
    ("inn", "phase=inn_answer at=1 offer=0,50 offers=1 promises=0,2,60", "offer"),
    ("inn", "offers=3", "offers"),
    ("inn", "phase=inn_answer at=1 offer=5,0 offers=4", "offers"),
    ("inn", "held=II,down,no/XI,down,no/~", "held"),
    ("inn", "target=2", "target"),
    ("inn", "asker=~", "asker"),
    ("shot", "tokens=1,3,2", "at"),
    ("shot", "tokens=0,2,2 virgins=-", "phase"),
    ("shot", "at=1 tokens=0,0,2 virgins=-", "phase"),
    ("debt", "debts=0,1", "debts"),
    ("debt", "debts=1,0/1,2", "debts"),
    ("debt", "debts=1,0/2,0", "debts"),
    ("debt", "debts=3,0", "debts"),
    ("back", "at=0 tokens=0,1,3,3 virgins=2,3", "reverse"),
    ("asked", "pending=-", "pending"),
    ("asked", "at=1", "pending"),
    ("asked", "pending=0,1", "pending"),
    ("asked", "phase=new_deal", "phase"),
    ("asked", "phase=game_over", "tokens"),
    ("asked", "asker=0 target=1", "phase"),
    ("asked two", "pending=1,0 at=1", "pending"),
    ("talk", "asked=0", "asked"),
    ("talk", "asked=0,0 at=1", "asked"),
    ("talk", "agreement=0,50/1,50", "order"),
    ("talk", "phase=agreement_answer", "proposal"),
    ("talk", "proposal=0,50/1,50", "asked"),
    ("talk", "phase=agreement_answer asked=1 proposal=0,50/1,49", "proposal"),
    ("talk of two", "asked=0", "order"),
    ("silent", "phase=agreement_offer", "held"),
    ("two left", "held=II,down,no/~/~", "held"),
    ("drawn", "order=0,1,1", "order"),
    ("drawn", "at=1", "phase"),
    ("drawn", "offers=1", "phase"),
    ("drawn", "chain=0", "phase"),
    ("drawn", "phase=await_seats", "phase"),
    ("dealt", "dealer=0", "dealer"),
    ("dealt", "aside=0,X,down", "aside"),
    ("over", "pool=20 net=0,-10/1,-10", "pool"),
    ("over", "tokens=2,2", "tokens"),
]
"""A scene, what is changed in it, and the field at which that is noticed."""


@pytest.mark.parametrize(("scene", "change", "field"), IMPOSSIBLE)
def test_a_position_that_no_table_can_show(scene: str, change: str, field: str) -> None:
    """What cannot have come about by the rules is no position, and the answer names the field at fault."""
    players, pack, moves, said = SCENES[scene]
    t = table_lu_stu_views(players, pack, *moves, **said)
    changes = dict(word.split("=") for word in change.split())
    words = dict(word.split("=") for word in t.game.encode(t.p).split()) | changes
    with pytest.raises(InvalidPosition) as refused:
        t.game.decode(" ".join(f"{name}={value}" for name, value in words.items()))
    assert field == refused.value.field


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ("tokens=0,0,0 virgins=-", "tokens"),
        ("order=0,1,2", "order"),
        ("pack=II", "held"),
        ("phase=turn", "held"),
        ("phase=game_over", "held"),
        ("phase=await_seats deal=1", "phase"),
    ],
)
def test_a_beginning_that_cannot_be(change: str, field: str) -> None:
    """Before the first card everybody has tokens, nothing lies on the table and nobody has spoken."""
    game = seat("lu-stu", 3, seating="half_pack" if "await_seats" in change else "given")
    words = dict(word.split("=") for word in f"{game.encode(game.start())} {change}".split())
    with pytest.raises(InvalidPosition) as refused:
        game.decode(" ".join(f"{name}={value}" for name, value in words.items()))
    assert field == refused.value.field


@pytest.mark.clause("LS-50")
@pytest.mark.parametrize(("kinds", "offer"), [("money", "0,5"), ("money", "5,5"), ("pool_share", "5,0")])
def test_an_offer_that_was_not_agreed_upon(kinds: str, offer: str) -> None:
    """No position shows an offer of a kind that this table does not allow."""
    t = table_lu_stu_views(3, "II XI X", "0 exchange", options={"inn_offer_kinds": kinds})
    words = dict(word.split("=") for word in t.game.encode(t.p).split())
    words |= {"phase": "inn_answer", "at": "1", "offer": offer, "offers": "1"}
    with pytest.raises(InvalidPosition) as refused:
        t.game.decode(" ".join(f"{name}={value}" for name, value in words.items()))
    assert "offer" == refused.value.field
    assert seat("lu-stu", 3, stake=10).decode(" ".join(f"{name}={value}" for name, value in words.items()))


@pytest.mark.clause("LS-36", "LS-50")
@pytest.mark.parametrize("face", SPECIAL)
def test_special_cards_are_named_without_being_asked(face: str) -> None:
    """What arrests is announced at once and truly; nobody decides about it, and there is no move for talk."""
    t = table(4, f"VI {face} IX")
    events = said_of(t, "0 exchange")
    assert 1 == events.count(f"announce 1 {face}" if face == "XI" else f"show 1 {face}")
    assert {1: face} == t.seen(3)


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
