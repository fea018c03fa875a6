"""The referee opens a match: what is agreed, who deals, and which key opens what."""

from __future__ import annotations

import pytest

from chitarrella import errors
from chitarrella.catalogue import Agreement
from chitarrella.game import legal
from chitarrella.header import Header
from chitarrella.kept import Wish
from chitarrella.redis_store import RedisStore
from chitarrella.referee import Referee
from chitarrella.words import CHANCE, Move, Seat
from tests.house.table import (
    CATALOGUE,
    LONG_MATCH,
    PARTNERS,
    SHORT,
    check_books,
    go_on,
    on_turn,
    raised,
)
from tests.servers import until

# ---------------------------------------------------------------------- opening


def test_what_is_left_unsaid_is_settled(referee: Referee) -> None:
    """A match is kept under the whole agreement: players and edition as they are, options only where they matter."""
    opened = referee.open(Agreement("briscola", 0, (("rubber_games", "3"), ("signals", "off"))))
    assert Agreement("briscola", 2, (("signals", "off"),), 1) == opened.seen.header.agreement
    assert opened.seen.header == referee.see(opened.match).header


def test_the_service_deals(referee: Referee) -> None:
    """Left alone the referee shuffles: the pack is in the log, everybody knows of it, and somebody is to move."""
    opened = referee.open(SHORT)
    log = check_books(referee, opened)
    assert [1, 1, 1] == [len(log), opened.seen.page.number, opened.seen.page.revision]
    assert set(opened.seen.game.pack.cards) == set(log[0].split()[2:])
    assert on_turn(opened.seen) in (0, 1)


def test_no_two_packs_are_alike(referee: Referee) -> None:
    """Every match has a pack of its own."""
    packs = {referee.moves(referee.open(SHORT).match)[0] for _ in range(20)}
    assert 20 == len(packs)


def test_a_pack_may_be_handed_in(referee: Referee) -> None:
    """A pack that is handed in with the match is dealt as it lies; the next one the service shuffles."""
    pack = tuple(reversed(CATALOGUE.seat(LONG_MATCH).pack.cards))
    opened = referee.open(LONG_MATCH, pack=pack)
    go_on(referee, opened.match, 40)
    log = check_books(referee, opened)
    assert f"table start_deal {' '.join(pack)}" == log[0]
    assert log[41].startswith("table start_deal ")
    assert log[0] != log[41]


def test_the_referee_may_deal(referee: Referee) -> None:
    """Where the referee deals the table waits for its packs, in every deal; the service hands in none."""
    opened = referee.open(LONG_MATCH, packs="referee")
    assert (0, 0, CHANCE) == (opened.seen.page.number, opened.seen.page.revision, on_turn(opened.seen))
    pack = Move("start_deal", opened.seen.game.pack.cards)
    played = referee.play(opened.match, Wish(CHANCE, pack, 0, "the first pack"))
    assert (True, 1) == (played.accepted, played.revision)
    last = go_on(referee, opened.match, 40)
    assert CHANCE == on_turn(last.seen)
    assert referee.play(opened.match, Wish(CHANCE, pack)).accepted
    assert referee.play(opened.match, Wish(CHANCE, pack, 0, "the first pack")).repeated
    assert 42 == len(check_books(referee, opened))


def test_the_first_pack_of_a_referee_that_deals(referee: Referee) -> None:
    """A referee that deals may hand in the first pack with the match."""
    pack = CATALOGUE.seat(LONG_MATCH).pack.cards
    opened = referee.open(LONG_MATCH, packs="referee", pack=pack)
    assert [f"table start_deal {' '.join(pack)}"] == referee.moves(opened.match)
    assert CHANCE == on_turn(go_on(referee, opened.match, 40).seen)


def test_a_position_may_be_handed_in(referee: Referee) -> None:
    """A match may begin in the middle: the position is kept, and log and record begin there."""
    first = referee.open(SHORT)
    middle = go_on(referee, first.match, 7).seen.page.position
    opened = referee.open(SHORT, position=middle)
    assert (middle, 0, 0) == (opened.seen.page.position, opened.seen.page.number, opened.seen.page.revision)
    go_on(referee, opened.match, 3)
    assert 3 == len(check_books(referee, opened))
    assert f"position {middle}" in referee.record(opened.match)


def test_a_position_that_wants_a_pack(referee: Referee) -> None:
    """A position before a deal is dealt; one in the middle of a deal wants no pack, and is told so."""
    beginning = CATALOGUE.seat(SHORT).write(CATALOGUE.seat(SHORT).start())
    opened = referee.open(SHORT, position=beginning)
    assert 1 == len(check_books(referee, opened))
    with pytest.raises(errors.BadRequest) as wrong:
        referee.open(SHORT, position=opened.seen.page.position, pack=opened.seen.game.pack.cards)
    raised(errors.BadRequest, "bad_pack", by=wrong.value)


@pytest.mark.parametrize(
    ("agreement", "cards"),
    [
        (Agreement("lu-stu", 3, (("single_matto_from", "3"),)), 39),
        (Agreement("cucu", 4, (("seating", "half_pack"),)), 20),
        (Agreement("briscola", 3), 39),
    ],
)
def test_a_pack_is_the_one_that_is_wanted(referee: Referee, agreement: Agreement, cards: int) -> None:
    """Where fewer cards are shuffled, or drawn for seats, just those are handed in; all forty are too many."""
    game = CATALOGUE.seat(agreement)
    wanted = game.chance(game.start()).cards
    assert cards == len(wanted)
    referee.open(agreement, pack=wanted)
    for wrong in (CATALOGUE.game(agreement.game).pack.cards, wanted[1:]):
        with pytest.raises(errors.BadRequest) as refused:
            referee.open(agreement, pack=wrong)
        raised(errors.BadRequest, "bad_pack", by=refused.value)


def test_a_match_of_the_same_name_is_another(referee: Referee, other: Referee) -> None:
    """A match that was deleted and opened anew with the same request is not taken for the old one by any node."""
    game = CATALOGUE.seat(SHORT)
    positions = [referee.open(SHORT).seen.page.position for _ in range(2)]
    first = referee.open(SHORT, position=positions[0], request="a request of sixteen letters")
    known = other.see(first.match)
    referee.delete(first.match)
    second = referee.open(SHORT, position=positions[1], request="a request of sixteen letters")
    assert first.match == second.match
    old, new = (legal(game, seen.position, on_turn(seen)) for seen in (known, second.seen))
    gone = next(move for move in old if move not in new)
    assert not other.play(first.match, Wish(on_turn(known), gone)).accepted
    assert positions[1] == other.see(first.match).page.position


def test_opening_twice_with_one_request(referee: Referee, other: Referee) -> None:
    """The same request opens one match, whoever is asked and whatever was played since: same name, same keys."""
    first = referee.open(SHORT, request="a request of sixteen letters")
    go_on(referee, first.match, 3)
    for again in (referee, other):
        second = again.open(SHORT, request="a request of sixteen letters")
        assert first[:3] == second[:3]
        assert referee.see(first.match).page == second.seen.page
    assert first.match != referee.open(SHORT, request="another request").match
    assert first.match != referee.open(SHORT).match


@pytest.mark.parametrize(
    "different",
    [
        {"agreement": LONG_MATCH},
        {"agreement": Agreement("briscola", 3)},
        {"agreement": Agreement("brusquembille")},
        {"pack": CATALOGUE.seat(SHORT).pack.cards},
        {"packs": "referee"},
        {"expires": 4711},
        {"position": CATALOGUE.seat(SHORT).write(CATALOGUE.seat(SHORT).start())},
    ],
)
def test_one_request_for_two_matches(referee: Referee, other: Referee, different: dict[str, object]) -> None:
    """A request id that has opened a match opens no other one, in whatever it differs."""
    first = referee.open(SHORT, request="request")
    for asked in (referee, other):
        with pytest.raises(errors.AlreadyExists) as wrong:
            asked.open(**{"agreement": SHORT, "request": "request", **different})  # type: ignore[arg-type]  # of all kinds
        raised(errors.AlreadyExists, "request_reused", by=wrong.value)
    assert first.seen.page == referee.see(first.match).page


def test_saying_the_default_is_the_same_request(referee: Referee) -> None:
    """An agreement that only says what is understood anyway is the same one."""
    first = referee.open(Agreement("briscola"), request="request")
    said = Agreement("briscola", 2, (("rubber_games", "3"),), 1)
    assert first.match == referee.open(said, request="request").match


def test_a_request_that_was_forgotten(referee: Referee, other: Referee) -> None:
    """When a match has expired its request id may open another one, also where a worker remembers the old one."""
    first = referee.open(SHORT, request="request", expires=1)
    other.see(first.match)
    until(lambda: not referee.moves(first.match), "the match is forgotten", 5)
    second = referee.open(Agreement("brusquembille"), request="request")
    assert first.match == second.match
    for asked in (other, referee):
        assert "brusquembille" == asked.see(second.match).game.key
        go_on(asked, second.match, 2)
    assert 5 == len(check_books(other, second))


# ---------------------------------------------------------------------- keys


def _role(header: Header, key: str) -> Seat | None:
    return header.role(key)


def test_every_key_opens_what_it_is_for(referee: Referee) -> None:
    """A seat's key opens that seat, the referee's key everything; keys of another match and garbage open nothing."""
    opened, foreign = referee.open(PARTNERS), referee.open(PARTNERS)
    header = referee.see(opened.match).header
    assert [0, 1, 2, 3] == [seat for seat, _ in opened.keys]
    assert [0, 1, 2, 3] == [_role(header, key) for _, key in opened.keys]
    assert CHANCE == _role(header, opened.referee_key)
    keys = [key for _, key in opened.keys] + [opened.referee_key]
    garbage = [
        "",
        " ",
        "è",
        "0",
        keys[0][:-1],
        keys[0] + "0",
        keys[0].upper(),
        opened.match,
        *header.keys,
        header.asked,
    ]
    for wrong in (*garbage, foreign.referee_key, *(key for _, key in foreign.keys)):
        assert None is _role(header, wrong)
    assert 5 == len(set(keys))


def test_a_dummy_has_no_key(referee: Referee) -> None:
    """Where a person plays for two, the table has keys for persons only."""
    found = [
        agreement
        for agreement in (Agreement(game.key, players) for game in CATALOGUE for players in game.seatings)
        if CATALOGUE.seat(agreement).seats > (agreement.players or 0)
    ]
    assert found, "the catalogue has a game with dummies"
    for agreement in found:
        opened = referee.open(agreement)
        game = opened.seen.game
        persons = sorted({game.controller(seat) for seat in range(game.seats)})
        assert persons == [seat for seat, _ in opened.keys]
        assert agreement.players == len(persons)


def test_no_key_is_kept(referee: Referee, store: RedisStore) -> None:
    """The store has nothing in it that opens a seat."""
    opened = referee.open(SHORT)
    kept = repr(store.last(opened.match)) + repr(store.moves(opened.match))
    for key in (*(key for _, key in opened.keys), opened.referee_key):
        assert key not in kept
        assert key[:16] not in kept
