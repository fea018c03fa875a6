"""The contract of the store, kept by every kind of server it may live on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from operator import methodcaller
from typing import Any

import pytest
from redis.crc import key_slot

from chitarrella.redis_store import RedisStore
from chitarrella.store import Added, Again, Lines, Moved, NoSuchMatch, Page, chained
from tests.house.pages import DEAL, LONG, Ear, Make, added, first_page, lines, listening, opened
from tests.servers import until


@pytest.fixture
def store(make: Make) -> RedisStore:
    """An empty store of every kind."""
    return make()


def keys(raw: Any) -> list[str]:
    """Every key there is, on all nodes."""
    return sorted(raw.scan_iter("*"))


def lives(raw: Any) -> list[int]:
    """How long every key still lives, in seconds, rounded."""
    return [round(raw.pttl(key) / 1000) for key in keys(raw)]


# ---------------------------------------------------------------------- creating and reading


def test_a_match_is_put_down_once(store: RedisStore) -> None:
    """A match is put down as it was given, and a second one of its name is not, whatever it holds."""
    page = first_page(("a", "b"))
    assert store.create("match", page, ("a", "b"), LONG)
    assert not store.create("match", first_page(("c",), "another"), ("c",), LONG)
    assert (page, None) == store.last("match")
    assert ["a", "b"] == store.moves("match")


def test_a_match_without_moves(store: RedisStore) -> None:
    """A match whose pack is still to come has a page and no moves, and goes on like any other."""
    page = opened(store, moves=())
    assert (page, None) == store.last("match", "request")
    assert [] == store.moves("match")
    after = added(store, page, "first", "request")
    assert (after, 0) == store.last("match", "request")
    assert ["first"] == store.moves("match")


def test_text_comes_back_as_it_was(store: RedisStore) -> None:
    """Header, position and moves come back letter for letter, also those that no game writes today."""
    odd = "è ♣ \\ \" ' \n\t {} %s \x00 end"
    page = Page(odd, 1, chained("", (odd,)), odd, 1)
    assert store.create("match", page, (odd,), LONG)
    assert (page, None) == store.last("match")
    assert [odd] == store.moves("match")


@pytest.mark.parametrize("name", ["", "match", "}{", "{x}", "*", "two words", "è", "a" * 40, "secret"])
def test_what_is_not_there(store: RedisStore, raw: Any, name: str) -> None:
    """Of a match that is not there nothing can be read, nor can it be ended, and asking leaves no key behind."""
    for ask in (lambda: store.last(name), lambda: store.last(name, "request"), lambda: store.end(name)):
        with pytest.raises(NoSuchMatch):
            ask()
    assert [] == store.moves(name)
    assert [] == keys(raw)


def test_nothing_goes_behind_what_is_not_there(store: RedisStore, raw: Any) -> None:
    """A move at a match that is not there is not made, and brings nothing into being."""
    with pytest.raises(NoSuchMatch):
        store.append("match", first_page(), lines(first_page(), "move"), "request", LONG)
    assert [] == keys(raw)


def test_a_match_lives_in_one_slot(store: RedisStore, raw: Any) -> None:
    """All keys of a match lie in one slot of a cluster, and different matches in different ones."""
    slots = set()
    for number in range(20):
        opened(store, f"match{number}")
        mine = [key for key in keys(raw) if f"match{number}}}" in key]
        assert 3 == len(mine)
        slot = {key_slot(key.encode()) for key in mine}
        assert 1 == len(slot)
        slots |= slot
    assert len(slots) > 15


# ---------------------------------------------------------------------- appending


def test_a_move_goes_behind_the_page_that_was_read(store: RedisStore) -> None:
    """A move behind the last page is added, and the answer is the page as everybody reads it from then on."""
    page = opened(store)
    answer = store.append("match", page, lines(page, "0 play_card Ab"), "request", LONG)
    assert Added(store.last("match")[0]) == answer
    assert ["table start_deal", "0 play_card Ab"] == store.moves("match")
    assert (2, 2, "position 2", "header") == answer.page[1:2] + answer.page[4:5] + answer.page[3:4] + answer.page[:1]


def test_a_move_and_the_deal_after_it_are_added_together(store: RedisStore) -> None:
    """Several lines are added as one, and the next move goes behind the last of them."""
    page = opened(store)
    answer = store.append("match", page, Lines(("x", "y", "z"), "behind z", page.revision + 2), "", LONG)
    assert Added(Page("header", 4, chained(page.tag, ("x", "y", "z")), "behind z", 3)) == answer
    after = added(store, answer.page, "w")
    assert ["table start_deal", "x", "y", "z", "w"] == store.moves("match")
    assert (after, None) == store.last("match")


def test_who_comes_late_is_shown_the_table(store: RedisStore) -> None:
    """A move behind a page that is not the last any more changes nothing; its writer is handed the page that won."""
    old = opened(store)
    new = added(store, old, "fast")
    assert Moved(new) == store.append("match", old, lines(old, "late"), "request", LONG)
    assert (new, None) == store.last("match", "request")
    assert [*DEAL, "fast"] == store.moves("match")


def test_moves_from_a_place_on(store: RedisStore) -> None:
    """The log can be read from any place on: behind its end there is nothing."""
    page = opened(store, moves=("0", "1", "2", "3"))
    added(store, page, "4")
    assert [["0", "1", "2", "3", "4"], ["3", "4"], ["4"], [], []] == [store.moves("match", n) for n in (0, 3, 4, 5, 9)]


def test_a_lost_tail_is_noticed(store: RedisStore, raw: Any) -> None:
    """A writer whose page a failover has lost is refused, though another history has come to the same number since."""
    page = opened(store)
    lost = added(store, page, "lost")
    raw.delete(*[key for key in keys(raw) if "match" in key])
    assert opened(store) == page
    other = added(store, page, "found instead")
    assert (lost.number, lost.revision, lost.position) == (other.number, other.revision, other.position)
    assert Moved(other) == store.append("match", lost, lines(lost, "next"), "request", LONG)
    assert [*DEAL, "found instead"] == store.moves("match")


def test_the_server_may_forget_the_scripts(store: RedisStore, raw: Any) -> None:
    """A server that has lost its scripts, as one that was restarted has, is told them again."""
    page = opened(store)
    raw.script_flush()
    page = added(store, page, "move")
    raw.script_flush()
    store.end("match")
    raw.script_flush()
    assert not store.create("match", page, (), LONG)


# ---------------------------------------------------------------------- the same request again


def test_a_repeated_request_names_its_move(store: RedisStore) -> None:
    """A request that was carried out is not carried out again; its place in the log is named, now and later."""
    page = opened(store)
    first = added(store, page, "one", "request 1")
    assert Again(1) == store.append("match", page, lines(page, "one"), "request 1", LONG)
    assert Again(1) == store.append("match", first, lines(first, "one"), "request 1", LONG)
    third = store.append("match", first, Lines(("two", "deal"), "p", 3), "request 2", LONG)
    assert isinstance(third, Added)
    fourth = added(store, third.page, "three", "request 3")
    again = [store.append("match", fourth, lines(fourth, "x"), f"request {n}", LONG) for n in (1, 2, 3)]
    assert [Again(1), Again(2), Again(4)] == again
    assert [1, 2, 4, None] == [store.last("match", f"request {n}")[1] for n in (1, 2, 3, 4)]
    assert [*DEAL, "one", "two", "deal", "three"] == store.moves("match")


def test_a_request_of_long_ago_is_known(store: RedisStore) -> None:
    """However much was added since, a request that was carried out is not carried out again."""
    page = opened(store)
    first = added(store, page, "one", "request 1")
    many = store.append("match", first, Lines(("more",) * 1500, "p", 1600), "request 2", LONG)
    assert isinstance(many, Added)
    assert Again(1) == store.append("match", many.page, lines(many.page, "one"), "request 1", LONG)
    assert 1 == store.last("match", "request 1")[1]


def test_a_request_of_another_match_is_another_request(store: RedisStore) -> None:
    """A request id counts for its match only."""
    for match in ("first", "second"):
        page = opened(store, match)
        assert isinstance(store.append(match, page, lines(page, "move"), "request", LONG), Added)


def test_no_request_is_never_repeated(store: RedisStore) -> None:
    """Moves without a request id are never taken for one another."""
    page = opened(store)
    for number in range(5):
        page = added(store, page, "the same", "")
        assert number + 2 == page.number
    assert None is store.last("match", "")[1]


def test_a_repeated_request_after_the_end(store: RedisStore) -> None:
    """A move that was made before the match was ended is still known by its request id."""
    page = opened(store)
    added(store, page, "move", "request")
    store.end("match")
    assert Again(1) == store.append("match", page, lines(page, "move"), "request", LONG)


# ---------------------------------------------------------------------- ending


def test_nothing_goes_behind_the_end(store: RedisStore) -> None:
    """A match that was ended takes no move, and stays as it is, however often it is ended."""
    page = opened(store)
    store.end("match")
    ended = page._replace(ended=True)
    assert (ended, None) == store.last("match")
    assert Moved(ended) == store.append("match", page, lines(page, "move"), "request", LONG)
    store.end("match")
    assert (ended, None) == store.last("match")
    assert list(DEAL) == store.moves("match")


def test_an_ended_match_is_forgotten_in_its_time(store: RedisStore, raw: Any) -> None:
    """Ending a match neither shortens its life nor makes it everlasting."""
    opened(store, expires=100)
    store.end("match")
    assert [100, 100, 100] == lives(raw)


# ---------------------------------------------------------------------- forgetting


def test_every_move_renews_the_life(store: RedisStore, raw: Any) -> None:
    """A match lives on after each move as long as was agreed, with all its keys; a move that fails renews nothing."""
    page = opened(store, moves=(), expires=100)
    assert [100] == lives(raw)
    answer = store.append("match", page, lines(page, "move"), "request", 200)
    assert [200, 200, 200] == lives(raw)
    store.append("match", page, lines(page, "late"), "other", 300)
    store.append("match", page, lines(page, "move"), "request", 300)
    store.last("match")
    assert isinstance(answer, Added)
    assert [200, 200, 200] == lives(raw)


def test_a_forgotten_match_is_gone(store: RedisStore, raw: Any) -> None:
    """When its time has passed nothing is left of a match, and a writer who knew it cannot bring it back."""
    page = opened(store, expires=1)
    until(lambda: not keys(raw), "the match is forgotten", 5)
    with pytest.raises(NoSuchMatch):
        store.last("match")
    with pytest.raises(NoSuchMatch):
        store.append("match", page, lines(page, "move"), "request", LONG)
    assert [] == store.moves("match") == keys(raw)
    assert store.create("match", page, DEAL, LONG)


# ---------------------------------------------------------------------- what workers share


def test_the_secret_is_shared(make: Make) -> None:
    """All workers on one store have the same secret of 32 bytes; on another store, or prefix, it is another one."""
    workers = [make() for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(methodcaller("secret"), workers))
    assert [32] * 8 == [len(secret) for secret in found]
    assert {make().secret()} == set(found)
    assert make("elsewhere").secret() not in found


def test_prefixes_are_houses_apart(make: Make, raw: Any) -> None:
    """Two services with prefixes of their own on one server do not meet: neither at matches nor in the news."""
    here, there = make("here"), make("there")
    ear = Ear()
    with listening(there, ear, "match", "last"):
        ear.hears("match")
        ear.forget()
        page = opened(here)
        with pytest.raises(NoSuchMatch):
            there.last("match")
        opened(there, moves=("other",))
        added(here, page, "move")
        here.end("match")
        assert (first_page(("other",)), None) == there.last("match")
        assert ["other"] == there.moves("match")
        opened(there, "last")
        there.end("last")
        ear.hears("last")
        assert 0 == ear.heard("match")
    assert all(key.startswith(("here:", "there:")) for key in keys(raw))
