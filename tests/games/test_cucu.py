"""Cucù: the worked examples of its rule book, and rulings on what the page leaves open, each played and checked."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from chitarrella.core.cards import CUCCO
from chitarrella.core.game import legal_moves, play, validate_move, view_for
from chitarrella.core.model import CHANCE, EVERYBODY, REFEREE, Move
from chitarrella.core.notation import make_move
from chitarrella.core.options import InvalidOption
from chitarrella.exchange.round import Held, Round
from tests.games.support.exchange import Table, examples, in_words, pack_of, run, seat, set_up


@pytest.mark.parametrize("said", examples("cucu"))
def test_worked_example(said: Any) -> None:
    """The moves of the example are legal, and all that it says of events, cards, tokens, money and views holds."""
    run("cucu", said)


# ---------------------------------------------------------------------- cucu table


FROM_HIGH_TO_LOW = [
    "XV",
    "XIV",
    "XIII",
    "XII",
    "XI",
    "X",
    "IX",
    "VIII",
    "VII",
    "VI",
    "V",
    "IV",
    "III",
    "II",
    "I",
    "NUL",
    "SEC",
    "MAS",
    "LEO",
]
LOW = ["I", "II", "III", "IV", "NUL", "SEC", "MAS", "LEO"]
SILENT = {"end_game_agreement": False}


def compared(*cards: str) -> list[str]:
    """What a comparison of these cards says of tokens; everybody keeps, the dealer is last."""
    players = len(cards)
    table = Table("cucu", {"players": players, "dealer": players - 1, "options": SILENT, "pack": cards})
    table.step({"do": ["deal", *(f"{place} keep" for place in range(players))]})
    return [words for words in in_words(table.events, REFEREE) if words.startswith("lose")]


@pytest.mark.clause("CU-10", "CU-73", "CU-7")
def test_order_of_the_faces() -> None:
    """Of any two different faces but the fool the lower loses the token; of two equal ones both lose, but cuckoos."""
    for (high, one), (low, other) in product(enumerate(FROM_HIGH_TO_LOW), repeat=2):
        if high < low:
            assert ["lose 1 low"] == compared(one, other)
        elif high > low:
            assert ["lose 0 low"] == compared(one, other)
        else:
            assert ([] if one == "XV" else ["lose 0 low", "lose 1 low"]) == compared(one, other)


@pytest.mark.clause("CU-10", "CU-75", "CU-76")
def test_fools_in_the_comparison() -> None:
    """A single fool loses, and beside it the lower of the others; two fools rank just below a cuckoo."""
    for card in FROM_HIGH_TO_LOW:
        lowest = [] if card == "XV" else ["lose 1 low"]
        assert ["lose 0 matto", *lowest] == compared("MAT", card, "XV")
        assert (["lose 0 matto", "lose 2 matto"] if card == "XV" else ["lose 1 low"]) == compared("MAT", card, "MAT")


@pytest.mark.clause("CU-4", "CU-97")
def test_from_two_to_twenty_play() -> None:
    """Tables of 2 to 20 are seated, each seat for itself; 1 and 21 are refused."""
    for players in range(2, 21):
        game = seat("cucu", players)
        assert list(range(players)) == [game.controller(place) for place in range(players)]
        assert players == game.seats
    for players in (1, 21):
        with pytest.raises(InvalidOption):
            seat("cucu", players)


@pytest.mark.clause("CU-5")
def test_forty_cards_are_wanted() -> None:
    """The pack of chance holds each of the twenty faces twice, with any number of players."""
    for players in (2, 7, 20):
        game = seat("cucu", players)
        cards = game.chance_request(game.start()).cards
        assert dict.fromkeys((*FROM_HIGH_TO_LOW, "MAT"), 2) == {face: cards.count(face) for face in cards}


@pytest.mark.clause("CU-6", "CU-8", "CU-24", "CU-32", "CU-101")
@pytest.mark.parametrize(("players", "dealer"), [(2, 0), (5, 3), (20, 19)])
def test_the_word_passes_to_the_right(players: int, dealer: int) -> None:
    """The seat after the dealer has the first card, then each decides in turn, the dealer last; the next deals."""
    table = Table("cucu", {"players": players, "dealer": dealer, "options": SILENT, "pack": ["X"]})
    table.step({"do": "deal"})
    for step in range(1, players + 1):
        speaker = (dealer + step) % players
        assert speaker == table.game.turn(table.p)
        assert step == len(table.seen(REFEREE))
        table.step({"do": f"{speaker} keep"})
    assert (dealer + 1) % players == table.p.match_state.dealer


@pytest.mark.clause("CU-24", "CU-6")
def test_who_is_out_is_passed_over() -> None:
    """CU-R48: seats without tokens are dealt no card, are no target and do not deal."""
    said = {"players": 6, "dealer": 1, "tokens": [3, 3, 0, 0, 3, 0], "pack": ["II", "X", "IX"]}
    table = Table("cucu", said)
    table.step({"do": "deal", "next": "4 turn"})
    table.step({"do": "4 exchange", "events": ["deal 0 X", "swap 4 0"], "next": "0 turn"})
    table.step({"do": ["0 exchange", "1 keep"], "tokens": [3, 2, 0, 0, 3, 0], "next": "new_deal dealer=4"})


@pytest.mark.clause("CU-8", "CU-34", "CU-60", "CU-61", "CU-55")
def test_one_chance_each() -> None:
    """All but the dealer may keep or exchange with the next seat, the dealer keep or draw; nobody does it twice."""
    table = Table("cucu", {"players": 3, "dealer": 2, "pack": ["X", "IX", "VIII"]})
    table.step({"do": "deal"})
    for speaker, verbs in ((0, {"keep", "exchange"}), (1, {"keep", "exchange"}), (2, {"keep", "draw"})):
        assert verbs == {move.verb for move in legal_moves(table.game, table.p, speaker)}
        for other in {0, 1, 2} - {speaker}:
            assert () == legal_moves(table.game, table.p, other)
        table.step({"do": f"{speaker} {'draw' if speaker == 2 else 'exchange'}"})
    assert CHANCE == table.game.turn(table.p)


@pytest.mark.clause("CU-12")
def test_the_copies_of_a_face_go_their_own_way() -> None:
    """Two equal cards on the table lie as each was played, one open and one hidden, and a view names faces only."""
    table = Table("cucu", {"players": 4, "dealer": 3, "pack": ["XIV", "II", "XIV", "X"]})
    table.step(
        {"do": ["deal", "0 keep", "1 exchange"], "view": {3: {2: "XIV"}}, "cards": {0: "XIV", 1: "II", 2: "XIV"}}
    )
    zones = [zone.cards for zone in view_for(table.game, table.p, 0).zones if zone.name == "hand"]
    assert [("XIV",), (), ("XIV",), ()] == zones


@pytest.mark.clause("CU-20")
@pytest.mark.parametrize("dealer", range(4))
def test_given_seats(dealer: int) -> None:
    """With given seats the agreed seat deals first, and the seat after it speaks first."""
    game = seat("cucu", 4, first_dealer=dealer)
    p, _ = play(game, game.start(), CHANCE, Move("start_deal", CUCCO.cards))
    assert (dealer, (dealer + 1) % 4) == (p.match_state.dealer, game.turn(p))


@pytest.mark.clause("CU-20", "CU-21")
def test_the_first_dealer_has_a_seat_and_is_not_drawn() -> None:
    """A first dealer without a seat, or named where seats are drawn, refuses the table."""
    for players, options in ((4, {"first_dealer": 4}), (4, {"first_dealer": 2, "seating": "half_pack"})):
        with pytest.raises(InvalidOption) as refused:
            seat("cucu", players, **options)
        assert "options.first_dealer" == refused.value.field


@pytest.mark.clause("CU-21")
@pytest.mark.parametrize(("seating", "size"), [("half_pack", 20), ("full_pack", 40)])
def test_seats_are_drawn_before_the_first_deal_only(seating: str, size: int) -> None:
    """A half pack has one copy of each face, a whole one two; the highest card is seat 0 and deals, MAT is last."""
    game = seat("cucu", 20, seating=seating)
    request = game.chance_request(game.start())
    assert ("await_seats", "draw_seats", size) == (game.start().phase, request.verb, len(request.cards))
    drawn = pack_of(request.cards, CUCCO.hand(reversed([*FROM_HIGH_TO_LOW, "MAT"])))
    p, events = play(game, game.start(), CHANCE, make_move(game, "draw_seats", drawn))
    assert [*FROM_HIGH_TO_LOW, "MAT"] == [event.cards[0] for event in events]
    assert list(range(19, -1, -1)) == list(p.match_state.listed) == [event.amount for event in events]
    assert events == tuple(event for event in events if event.known_to is EVERYBODY and event.seen_by is EVERYBODY)
    p, _ = play(game, p, CHANCE, make_move(game, "start_deal", CUCCO.cards))
    assert (0, 1) == (p.match_state.dealer, game.turn(p))
    assert ["wrong_phase"] == [no.code for no in validate_move(game, p, CHANCE, make_move(game, "draw_seats", drawn))]


@pytest.mark.clause("CU-22", "CU-23")
@pytest.mark.parametrize(("players", "tokens", "stake"), [(2, 3, 100), (5, 1, 1), (20, 9, 1_000_000_000)])
def test_stake_and_tokens(players: int, tokens: int, stake: int) -> None:
    """Everybody pays the stake and has the agreed tokens and is a virgin, and everybody can see so."""
    game = seat("cucu", players, tokens=tokens, stake=stake)
    known = view_for(game, game.start(), None)
    assert (tokens,) * players == known.scores
    facts = {(fact.name, fact.seat): fact.value for fact in known.facts}
    assert players * stake == facts["pool", None]
    assert [tokens] * players == [facts["tokens", place] for place in range(players)]
    assert [1] * players == [facts["virgin", place] for place in range(players)]
    assert tuple((str(place), -stake) for place in range(players)) == facts["net", None]


@pytest.mark.clause("CU-11", "CU-42", "CU-107")
@pytest.mark.parametrize("face", [*FROM_HIGH_TO_LOW, "MAT"])
def test_which_cards_must_be_exchanged(face: str) -> None:
    """Under an agreement the non-dealer must exchange the eight low cards, and no other; the fool he may keep."""
    said = {"players": 2, "dealer": 1, "agreement": {0: 50, 1: 50}, "pack": [face]}
    table = Table("cucu", said)
    table.step({"do": "deal", "legal": ["exchange"] if face in LOW else ["keep", "exchange"]})
    table.step({"do": "0 exchange" if face in LOW else "0 keep"})


@pytest.mark.clause("CU-11", "CU-42", "CU-41")
@pytest.mark.parametrize("face", [*FROM_HIGH_TO_LOW, "MAT"])
def test_which_cards_are_special(face: str) -> None:
    """A target hands over every card but the five special ones, whatever the other has."""
    table = Table("cucu", {"players": 4, "dealer": 3, "pack": ["VI", face, "VII"]})
    table.step({"do": ["deal", "0 exchange"]})
    plain = face not in ("XI", "XII", "XIII", "XIV", "XV")
    assert ({0: face, 1: "VI"} if plain else {0: "VII" if face == "XIII" else "VI", 1: face}).items() <= table.seen(
        REFEREE
    ).items()


@pytest.mark.clause("CU-102", "CU-95")
def test_the_price_doubles_up_to_the_bound() -> None:
    """The price of re-entry k is the stake times 2 to the k-1, offered as long as the pool stays in bounds."""
    for stake, last in ((1, 53), (10, 50), (1_000_000_000, 24)):
        for counter in range(60):
            said = {"players": 3, "dealer": 2, "stake": stake, "counter": counter, "tokens": [1, 2, 3], "pool": 0}
            table = Table("cucu", said | {"pack": ["II", "X", "IX"]})
            table.step({"do": ["deal", "0 keep", "1 keep", "2 keep"]})
            price = stake * 2**counter
            assert (price if counter < last else None) == table.fact("cost")


def test_a_card_before_a_seat_is_its_own_until_it_is_shown() -> None:
    """A laid-out table keeps how each card lies: hidden, announced or open."""
    game, p = set_up("cucu", {"players": 2, "dealer": 1, "options": SILENT})
    p, _ = play(game, p, CHANCE, Move("start_deal", pack_of(CUCCO.cards, CUCCO.hand(["X"]))))
    for lies, seen in (("down", 0), ("announced", 1), ("open", 1)):
        held: Round = p._replace(held=(Held(CUCCO.card("XI"), lies), None))
        assert seen == sum(len(zone.cards) for zone in view_for(game, held, 1).zones if zone.name == "hand")


# ---------------------------------------------------------------------- who sees what


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
