"""Cucù and Lu Stù: what depends on the number of players, and the order of all faces; the rest are scenes."""

from collections.abc import Iterable
from itertools import product

import pytest

from chitarrella.core.model import CHANCE, EVERYBODY
from tests.games.support.reference import RANK
from tests.games.support.scenes import in_words
from tests.games.support.table import Match, any_match, facts, net, pack_of

RANKING = list(reversed(RANK))  # the faces that have a rank of their own, the highest first
BOTH = pytest.mark.parametrize("key", ["cucu", "lu-stu"])
PLAYERS = range(2, 21)


def dealt(key: str, faces: Iterable[str], players: int, dealer: int, **options: str) -> Match:
    """Deal a pack that begins so to a table whose last two do not talk."""
    match = any_match(key, players, end_game_agreement="false", first_dealer=str(dealer), **options)
    match.deal(pack_of(match.game.pack.cards, match.game.pack.hand(faces)))
    return match


@pytest.mark.clause("CU-4", "CU-22", "CU-23", "CU-97", "LS-4", "LS-22", "LS-24")
@BOTH
@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_begins_alike(key: str, players: int) -> None:
    """From 2 to 20 play, each for himself, pays the stake, has the tokens and is a virgin; everybody sees so."""
    match = any_match(key, players, stake="1000000000", tokens="2")
    assert list(range(players)) == [match.game.controller(place) for place in range(players)]
    view = match.view(None)
    assert ((2,) * players, {None: 10**9 * players}) == (view.scores, facts(view, "pool"))
    for name, value in (("tokens", 2), ("virgin", 1)):
        assert dict.fromkeys(range(players), value) == facts(view, name)
    assert dict.fromkeys(range(players), -(10**9)) == net(view)


@pytest.mark.clause("CU-5", "LS-5", "LS-12", "LS-32")
@BOTH
@pytest.mark.parametrize(("single_from", "fools"), [("0", 2), ("5", 2), ("4", 1)])
def test_the_pack(key: str, single_from: str, fools: int) -> None:
    """Twenty faces twice, of which at Lu Stù one Matto is taken out where enough play; the two copies are one word."""
    match = any_match(key, 4, **({"single_matto_from": single_from} if key == "lu-stu" else {}))
    cards = match.game.chance_request(match.p).cards
    copies = dict.fromkeys(RANKING, 2) | {"MAT": fools if key == "lu-stu" else 2}
    assert copies == {face: cards.count(face) for face in cards}


@pytest.mark.clause("CU-6", "CU-8", "CU-20", "CU-24", "CU-32", "CU-34", "CU-60", "CU-61", "CU-101")
@pytest.mark.clause("LS-6", "LS-20", "LS-31", "LS-33", "LS-34", "LS-66")
@BOTH
@pytest.mark.parametrize(("players", "dealer"), [(2, 0), (5, 3), (5, 4), (20, 19)])
def test_the_word_passes_to_the_right(key: str, players: int, dealer: int) -> None:
    """The agreed seat deals, the next has the first card, each decides in turn, the dealer last; the next deals."""
    match = dealt(key, ["X"], players, dealer)
    for step in range(1, players + 1):
        speaker = (dealer + step) % players
        assert speaker == match.game.turn(match.p)
        assert sorted(["keep", "draw" if speaker == dealer else "exchange"]) == match.moves(speaker)
        assert step == sum(hand is not None for hand in match.p.held)
        match.say(speaker, "keep")
    assert ((dealer + 1) % players, CHANCE) == (match.p.match_state.dealer, match.game.turn(match.p))


@pytest.mark.clause("CU-21", "LS-21")
@BOTH
@pytest.mark.parametrize(("seating", "size"), [("half_pack", 20), ("full_pack", 40)])
def test_seats_are_drawn_before_the_first_deal_only(key: str, seating: str, size: int) -> None:
    """A half pack has one copy of each face, a whole one two; the highest card is seat 0 and deals, MAT is last."""
    match = any_match(key, 20, seating=seating)
    request = match.game.chance_request(match.p)
    assert ("await_seats", "draw_seats", size) == (match.p.phase, request.verb, len(request.cards))
    drawn = pack_of(request.cards, match.game.pack.hand(["MAT", *reversed(RANKING)]))
    match.say(CHANCE, f"draw_seats {' '.join(drawn)}")
    assert [f"seat_drawn {place} {face} {19 - place}" for place, face in enumerate([*RANKING, "MAT"])] == [
        in_words(event) for event in match.last
    ]
    assert all(event.known_to is EVERYBODY and event.seen_by is EVERYBODY for event in match.last)
    match.deal(match.game.pack.cards)
    assert (0, 1) == (match.p.match_state.dealer, match.game.turn(match.p))
    assert ["wrong_phase"] == match.codes(CHANCE, f"draw_seats {' '.join(drawn)}")


def losses(key: str, *faces: str) -> list[str]:
    """What a comparison of these cards says of lost tokens; everybody keeps, the dealer is last."""
    match = dealt(key, faces, len(faces), len(faces) - 1)
    for place in range(len(faces)):
        match.say(place, "keep")
    return [in_words(event) for event in match.last if event.kind == "token_lost"]


@pytest.mark.clause("CU-7", "CU-10", "CU-73", "LS-10", "LS-71", "LS-72")
@BOTH
def test_the_order_of_the_faces(key: str) -> None:
    """Of two faces but the fool the lower loses; of equal ones both lose at Cucù, but cuckoos, at Lu Stù the first."""
    for (high, one), (low, other) in product(enumerate(RANKING), repeat=2):
        if high != low:
            assert [f"token_lost {int(high < low)} low"] == losses(key, one, other)
        elif key == "lu-stu":
            assert ["token_lost 0 low"] == losses(key, one, other)
        else:
            assert ([] if one == "XV" else ["token_lost 0 low", "token_lost 1 low"]) == losses(key, one, other)


@pytest.mark.clause("CU-10", "CU-75", "CU-76")
def test_fools_in_the_comparison() -> None:
    """At Cucù a single fool loses, and beside it the lower of the others; two fools rank just below a cuckoo."""
    for card in RANKING:
        lowest = [] if card == "XV" else ["token_lost 1 low"]
        assert ["token_lost 0 matto", *lowest] == losses("cucu", "MAT", card, "XV")
        fools = ["token_lost 0 matto", "token_lost 2 matto"] if card == "XV" else ["token_lost 1 low"]
        assert fools == losses("cucu", "MAT", card, "MAT")
