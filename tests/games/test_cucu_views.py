"""Cucù: what each seat and the public see of cards, tokens, money and talk, in every phase."""

from __future__ import annotations

from typing import Any

import pytest

from chitarrella.core.game import legal_moves, view_for
from chitarrella.core.model import EVERYBODY, REFEREE, Viewer
from tests.games.support.exchange_examples import Table

HORSE = {"players": 3, "dealer": 2, "pack": ["VI", "II", "XIII", "V"], "far_end": "IX"}
INN = {"players": 4, "dealer": 3, "pack": ["NUL", "XI", "V", "X"]}
TALK = {"players": 2, "dealer": 1, "pack": ["II", "X"]}
OUT = {"players": 3, "dealer": 2, "tokens": [1, 0, 3], "pack": ["II", "X"], "options": {"end_game_agreement": False}}


def laid_out(said: dict[str, Any], *moves: str) -> Table:
    """Deal, and make some moves."""
    table = Table("cucu", said)
    for move in ("deal", *moves):
        table.step({"do": move})
    return table


def aside(table: Table, viewer: Viewer) -> dict[int | None, tuple[str, ...]]:
    """The cards laid aside, as the viewer see them; nothing stands for a back."""
    return {
        zone.seat: tuple(zone.cards) for zone in view_for(table.game, table.p, viewer).zones if zone.name == "aside"
    }


@pytest.mark.clause("CU-65", "CU-61", "CU-46")
def test_cards_laid_aside_are_seen_by_who_had_them() -> None:
    """A card laid aside face down is seen by the seat that had it, one that was shown before by everybody."""
    table = laid_out(HORSE, "0 keep", "1 exchange", "2 draw")
    assert {1: ("II",), 2: ("XIII",)} == aside(table, 1) == aside(table, REFEREE)
    assert {1: (), 2: ("XIII",)} == aside(table, 0) == aside(table, 2) == aside(table, None)


@pytest.mark.clause("CU-65", "CU-31")
def test_nobody_sees_the_pack() -> None:
    """Everybody knows how many cards are left in the pack, and nobody but the referee which."""
    table = laid_out(HORSE, "0 keep", "1 exchange")
    for viewer in (0, 1, 2, None, REFEREE):
        (pack,) = [zone for zone in view_for(table.game, table.p, viewer).zones if zone.name == "pack"]
        assert (36, table.p.pack if viewer == REFEREE else ()) == (pack.size, pack.cards)


@pytest.mark.clause("CU-65", "CU-52", "CU-66")
def test_an_announced_inn_is_marked_and_not_turned_up() -> None:
    """An announced inn bears a mark of its own wherever it goes; a card that was shown or is hidden bears none."""
    table = laid_out(INN, "0 exchange")
    assert ["XI", None] == [table.fact("announced", seat) for seat in (1, 0)]
    table.step({"do": ["0 ask_guarantee", "1 refuse_to_pay"]})
    assert ["XI", None] == [table.fact("announced", seat) for seat in (0, 1)]
    assert {0: "XI"} == table.seen(3) == table.seen(None)
    shown = laid_out(HORSE, "0 keep", "1 exchange")
    assert [None] * 3 == [shown.fact("announced", seat) for seat in range(3)]


@pytest.mark.clause("CU-65", "CU-71")
def test_a_dead_card_stays_hidden() -> None:
    """Who is dead keeps his card to himself, also when the others turn theirs up and when the deal is over."""
    table = laid_out({"players": 3, "dealer": 2, "tokens": [1, 3, 3], "pack": ["I", "XIV", "X"]}, "0 exchange")
    table.step({"do": ["1 keep", "2 keep"], "next": "0 reentry cost=10"})
    for _ in range(2):
        assert {0: "I", 1: "XIV", 2: "X"} == table.seen(0)
        assert {1: "XIV", 2: "X"} == table.seen(1) == table.seen(2) == table.seen(None)
        if table.p.phase == "reentry":
            table.step({"do": "0 decline_reentry"})


@pytest.mark.clause("CU-65", "CU-40")
@pytest.mark.parametrize("what", ["0 keep", "0 exchange"])
def test_moves_are_events_for_everybody(what: str) -> None:
    """Every seat is told when a seat keeps or exchanges its card."""
    table = laid_out(INN, what)
    assert (0, what.split()[1]) in [(event.seat, event.word) for event in table.events if event.known_to is EVERYBODY]


@pytest.mark.clause("CU-50", "CU-53", "CU-66")
def test_everybody_sees_the_debt() -> None:
    """Who answers for whom everybody can see until the next pack is dealt."""
    table = laid_out(INN, "0 exchange", "0 ask_guarantee", "1 agree_to_pay")
    assert 0 == table.fact("guarantee", 1)
    table.step({"do": ["1 keep", "2 keep", "3 keep"]})
    assert 0 == table.fact("guarantee", 1)
    table.step({"do": "deal"})
    assert table.fact("guarantee", 1) is None


@pytest.mark.clause("CU-104", "CU-105", "CU-66")
def test_everybody_sees_what_the_last_two_agree() -> None:
    """A proposal is seen while it waits for its answer, an agreement as long as it stands."""
    table = laid_out(TALK)
    table.step({"do": "0 propose_agreement", "with": {"shares": {0: 65, 1: 35}}})
    assert ((("0", 65), ("1", 35)), None) == (table.fact("proposal"), table.fact("agreement"))
    table.step({"do": "1 accept_agreement"})
    assert (None, (("0", 65), ("1", 35))) == (table.fact("proposal"), table.fact("agreement"))


@pytest.mark.clause("CU-97", "CU-98", "CU-95", "CU-4")
def test_everybody_sees_who_pays() -> None:
    """The price is seen while somebody is asked for it, and a syndicate as long as it has a claim."""
    table = laid_out(OUT, "0 keep", "2 keep")
    assert 10 == table.fact("cost")
    table.step({"do": "0 reenter", "with": {"contributions": {1: 4, "zia": 6}}})
    assert (None, (("1", 4), ("zia", 6))) == (table.fact("cost"), table.fact("syndicate", 0))
    assert (("0", -10), ("1", -14), ("2", -10), ("zia", -6)) == table.fact("net")


@pytest.mark.clause("CU-66", "CU-107", "CU-33")
def test_only_the_decider_has_moves() -> None:
    """Legal moves are those of the seat that decides; the list is his own, for it depends on his card."""
    table = laid_out(TALK | {"agreement": {0: 50, 1: 50}})
    assert ["exchange"] == [move.verb for move in legal_moves(table.game, table.p, 0)]
    assert () == legal_moves(table.game, table.p, 1)
    for phase, said, moves in (
        ("inn_guest", INN, ["0 exchange"]),
        ("inn_host", INN, ["0 exchange", "0 ask_guarantee"]),
        ("agreement_offer", TALK, []),
        ("reentry", OUT, ["0 keep", "2 keep"]),
        ("dealer_turn", HORSE, ["0 keep", "1 exchange"]),
    ):
        table = laid_out(said, *moves)
        assert phase == table.p.phase
        seats = range(table.game.seats)
        assert [table.game.turn(table.p)] == [seat for seat in seats if legal_moves(table.game, table.p, seat)]


@pytest.mark.clause("CU-65", "CU-70", "CU-32")
def test_the_last_deal_lies_open_until_the_next() -> None:
    """What was turned up stays in view until the next pack is dealt; then nothing of it is left."""
    table = laid_out({"players": 3, "dealer": 2, "pack": ["X", "IX", "II"]}, "0 keep", "1 keep", "2 keep")
    assert ({0: "X", 1: "IX", 2: "II"}, 1) == (table.seen(None), table.fact("deal"))
    table.step({"do": "deal", "pack": ["V"], "cards": {1: "V"}})
    assert ({}, 2) == (table.seen(None), table.fact("deal"))
