"""Lu Stù: what is true of the table beside its cards, who must exchange what, and tables that cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from chitarrella.core.game import legal_moves, view_for
from chitarrella.core.model import REFEREE, Viewer
from chitarrella.core.notation import InvalidPosition
from tests.games.support.exchange_events import in_words
from tests.games.support.exchange_examples import Table
from tests.games.support.exchange_layouts import seat
from tests.walks import CATALOGUE

FACES = [str(face) for face in CATALOGUE.game("lu-stu").pack.faces]
LOW = {"I", "II", "III", "IV", "NUL", "SEC", "MAS", "LEO"}


def table(players: int, pack: str, *moves: str, **said: Any) -> Table:
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
    t = table(3, "II", tokens=[3, 1, 2], counter=1, pool=50)
    known = facts(t)
    assert (1, 2, 50) == (known["deal", None], known["dealer", None], known["pool", None])
    assert [3, 1, 2] == [known["tokens", place] for place in range(3)]
    assert [0] == [place for name, place in known if name == "virgin"]
    both_ways(t)


@pytest.mark.clause("LS-50", "LS-52", "LS-54", "LS-67", "LS-68")
def test_what_is_known_of_a_talk_at_the_inn() -> None:
    """The inn that was named, what is offered, promised, and who answers for whom: all of it is public."""
    t = table(4, "II XI III XI", "0 exchange")
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
    t = table(3, "II XIV X", "0 exchange", tokens=[1, 3, 2])
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
    t = table(2, "X")
    t.step({"do": "0 propose_agreement", "with": {"shares": {0: 30, 1: 70}}})
    assert (("0", 30), ("1", 70)) == facts(t)["proposal", None]
    both_ways(t)
    t.step({"do": "1 accept_agreement"})
    assert (("0", 30), ("1", 70)) == facts(t)["agreement", None]
    assert ("proposal", None) not in facts(t)
    both_ways(t)


@pytest.mark.clause("LS-67", "LS-68", "LS-69")
def test_a_swap_is_seen_by_two() -> None:
    """Everybody learns that cards are exchanged and between whom; the two learn both faces, and see what they have."""
    t = table(4, "VI II", "0 exchange")
    for viewer, events in (
        (0, "swap 0 1 II VI"),
        (1, "swap 0 1 II VI"),
        (2, "swap 0 1"),
        (3, "swap 0 1"),
        (None, "swap 0 1"),
    ):
        assert events == in_words(t.events, viewer)[-1]
    assert ({0: "II"}, {1: "VI"}, {}, {}) == (t.seen(0), t.seen(1), t.seen(2), t.seen(None))


@pytest.mark.clause("LS-67")
def test_a_card_that_was_shown_stays_public() -> None:
    """A horse that was jumped, a hunter that shot: everybody sees them wherever they go, and aside as well."""
    t = table(4, "II XIV IX XII", "0 exchange", "1 exchange")
    assert {2: "XIV"} == t.seen(None) == t.seen(3)
    t = table(3, "II IX XIV X", "0 keep", "1 exchange", "2 draw")
    aside = [zone for zone in view_for(t.game, t.p, None).zones if zone.name == "aside"]
    assert [(2, ("XIV",))] == [(zone.seat, zone.cards) for zone in aside]


# ---------------------------------------------------------------------- the duty of the last two


@pytest.mark.clause("LS-107")
@pytest.mark.parametrize("face", FACES)
def test_which_cards_must_be_exchanged(face: str) -> None:
    """With an agreement, where that was agreed too, the one who does not deal must exchange what is lower than V."""
    agreed = {"agreement": {0: 50, 1: 50}, "options": {"agreement_forces_exchange": True}}
    t = table(2, f"{face} X", **agreed)
    assert ({"exchange"} if face in LOW else {"exchange", "keep"}) == {
        move.verb for move in legal_moves(t.game, t.p, 0)
    }
    t = table(2, f"V {face}" if face in LOW else f"{face} V", "0 keep", **agreed)
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
    t = table(players, pack, *moves, **said)
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
    t = table(3, "II XI X", "0 exchange", options={"inn_offer_kinds": kinds})
    words = dict(word.split("=") for word in t.game.encode(t.p).split())
    words |= {"phase": "inn_answer", "at": "1", "offer": offer, "offers": "1"}
    with pytest.raises(InvalidPosition) as refused:
        t.game.decode(" ".join(f"{name}={value}" for name, value in words.items()))
    assert "offer" == refused.value.field
    assert seat("lu-stu", 3, stake=10).decode(" ".join(f"{name}={value}" for name, value in words.items()))
