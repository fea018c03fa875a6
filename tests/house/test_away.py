"""The store when its server hangs, dies, comes back, or loses a reply."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from chitarrella.redis_store import RedisStore, connect
from chitarrella.referee import Referee
from chitarrella.store import Added, Again, NoSuchMatch, Page, StoreAway
from tests.house.pages import DEAL, LONG, SOON, Ear, added, away, first_page, lines, listening, opened
from tests.house.table import CATALOGUE, SHORT, check_books, choice, go_on
from tests.servers import Proxy, Server


@pytest.fixture
def store(server: Server) -> Iterator[RedisStore]:
    """A store on a server of the test's own."""
    made = RedisStore(connect(server.url))
    yield made
    made.close()


def away_for_everything(store: RedisStore, page: Page) -> float:
    """Ask a store that is away for all that it can be asked, at once; gives the longest wait."""
    questions: list[Callable[[], Any]] = [
        store.ping,
        store.secret,
        lambda: store.last("match"),
        lambda: store.last("match", "request"),
        lambda: store.moves("match"),
        lambda: store.append("match", page, lines(page, "move"), "request", LONG),
        lambda: store.create("new", first_page(), DEAL, LONG),
        lambda: store.end("another"),
    ]
    with ThreadPoolExecutor(len(questions)) as threads:
        return max(threads.map(away, questions))


def test_a_server_that_hangs(server: Server, store: RedisStore) -> None:
    """Whoever asks a server that hangs learns it soon; when it goes on, each thing was done once or not at all."""
    page = opened(store)
    server.pause()
    assert away_for_everything(store, page) < SOON
    server.resume()
    assert isinstance(store.append("match", page, lines(page, "move"), "request", LONG), Added | Again)
    assert [*DEAL, "move"] == store.moves("match")
    assert store.moves("new") in ([], list(DEAL))


def test_a_move_sent_to_a_server_that_hangs(server: Server, store: RedisStore) -> None:
    """A move may be carried out after its writer was told that the store is away; repeating it makes no second move."""
    page = opened(store)
    server.pause()
    assert away(lambda: store.append("match", page, lines(page, "move"), "request", LONG)) < SOON
    server.resume()
    answer = store.append("match", page, lines(page, "move"), "request", LONG)
    assert isinstance(answer, Added | Again)
    assert [*DEAL, "move"] == store.moves("match")


def test_a_server_that_was_killed(server: Server, store: RedisStore) -> None:
    """Of a server that was killed the callers learn at once; when it is back it has every move, and takes more."""
    page = added(store, opened(store), "kept", "request")
    server.kill()
    assert away_for_everything(store, page) < SOON
    server.start()
    assert (page, 1) == store.last("match", "request")
    added(store, page, "next")
    assert [*DEAL, "kept", "next"] == store.moves("match")


def test_a_short_absence_is_not_noticed(server: Server, store: RedisStore) -> None:
    """A server that is back within a blink is waited for: its restart is no error to anybody."""
    page = opened(store)
    server.kill()
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(added, store, page, "move", "request")
        time.sleep(0.2)
        server.start()
        assert page.number + 1 == answer.result().number


def test_a_server_that_may_not_write(server: Server, store: RedisStore) -> None:
    """A server that refuses to write, here for want of a replica, is away: and no half of a move is in it."""
    page = opened(store)
    server.ask("CONFIG", "SET", "min-replicas-to-write", 1)
    away(lambda: store.append("match", page, lines(page, "move"), "request", LONG))
    away(lambda: store.create("new", first_page(), DEAL, LONG))
    away(lambda: store.end("match"))
    assert (page, None) == store.last("match", "request")
    server.ask("CONFIG", "SET", "min-replicas-to-write", 0)
    added(store, page, "move", "request")


def test_a_full_server(server: Server, store: RedisStore) -> None:
    """A server without room takes no half of a move."""
    page = opened(store)
    server.ask("CONFIG", "SET", "maxmemory", 1)
    away(lambda: store.append("match", page, lines(page, "move"), "request", LONG))
    server.ask("CONFIG", "SET", "maxmemory", 0)
    assert (page, None) == store.last("match", "request")
    assert list(DEAL) == store.moves("match")


# ---------------------------------------------------------------------- replies that are lost


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    """A line to the server that may be cut."""
    made = Proxy(server)
    yield made
    made.close()


@pytest.fixture
def cut(proxy: Proxy) -> Iterator[RedisStore]:
    """A store that is reached over that line."""
    made = RedisStore(connect(proxy.url))
    yield made
    made.close()


@pytest.mark.parametrize("request_id", ["request", "another", "a third"])
def test_the_reply_to_a_move_is_lost(proxy: Proxy, cut: RedisStore, request_id: str) -> None:
    """A move whose reply was lost on the way is in the log once, and the writer learns where."""
    page = added(cut, opened(cut), "before")
    proxy.lose_reply_to(b"EVALSHA")
    assert Again(2) == cut.append("match", page, lines(page, "move"), request_id, LONG)
    assert 1 == proxy.lost
    assert [*DEAL, "before", "move"] == cut.moves("match")


def test_the_reply_to_an_opening_is_lost(proxy: Proxy, cut: RedisStore) -> None:
    """A match whose opening was carried out unheard is there once; who opens it is told that it is there."""
    page = opened(cut, "before")
    proxy.lose_reply_to(b"EVALSHA")
    assert not cut.create("match", page, DEAL, LONG)
    assert 1 == proxy.lost
    assert ((page, None), list(DEAL)) == (cut.last("match"), cut.moves("match"))


def test_the_reply_to_a_deletion_is_lost(proxy: Proxy, cut: RedisStore) -> None:
    """A match whose deletion was carried out unheard is deleted, and nobody is told that there was none."""
    opened(cut)
    cut.delete("another")  # so that the script is known
    proxy.lose_reply_to(b"EVALSHA")
    cut.delete("match")
    assert 1 == proxy.lost
    with pytest.raises(NoSuchMatch):
        cut.last("match")


def test_other_replies_are_lost(proxy: Proxy, cut: RedisStore) -> None:
    """A lost reply to a question is asked for again, and ending a match twice is ending it."""
    page = opened(cut)
    first = cut.secret()
    for word, ask, answer in (
        (b"HMGET", lambda: cut.last("match"), (page, None)),
        (b"LRANGE", lambda: cut.moves("match"), list(DEAL)),
        (b"SET", cut.secret, first),
        (b"EVALSHA", lambda: cut.end("match"), None),
    ):
        proxy.lose_reply_to(word)
        assert answer == ask()
    assert 4 == proxy.lost
    assert cut.last("match")[0].ended


def test_the_referee_hears_no_answer(proxy: Proxy, cut: RedisStore) -> None:
    """Whoever opens a match or moves is answered as always when a reply was lost on the way; it is done once."""
    referee = Referee(CATALOGUE, cut)
    referee.open(SHORT)
    go_on(referee, referee.open(SHORT).match)
    for number, request in enumerate(("", "request")):
        proxy.lose_reply_to(b"EVALSHA")
        opened_again = referee.open(SHORT, request=request)
        assert 1 == opened_again.seen.page.revision
        proxy.lose_reply_to(b"EVALSHA")
        wish = choice(opened_again.seen)._replace(expected=1, request=request)
        played = referee.play(opened_again.match, wish)
        assert 2 * number + 2 == proxy.lost
        assert (True, 2, wish.move.cards) == (played.accepted, played.revision, played.told[0].events[0].cards)
        assert 2 == len(check_books(referee, opened_again))


# ---------------------------------------------------------------------- the line on which news comes


def test_news_after_the_server_was_away(server: Server, store: RedisStore) -> None:
    """Who follows matches while the server is away waits for nothing, and hears of them when it is back."""
    ear = Ear()
    page = opened(store, "before")
    with listening(store, ear, "before") as line:
        ear.hears("before")
        server.kill()
        begun = time.monotonic()
        line.follow("meanwhile")
        line.follow("left")
        line.leave("left")
        assert time.monotonic() - begun < 0.5
        ear.forget()
        server.start()
        ear.hears("before")
        ear.hears("meanwhile")
        ear.forget()
        added(store, page, "move", match="before")
        ear.hears("before")
        assert 0 == ear.heard("left")


def test_a_listener_that_stumbles(store: RedisStore) -> None:
    """Whoever stumbles over one piece of news still hears the next."""
    ear = Ear()

    def stumble(match: str) -> None:
        ear(match)
        if ear.heard(match) == 1:
            raise LookupError(match)

    page = opened(store)
    line = store.listen(stumble)
    line.follow("match")
    try:
        ear.hears("match")
        ear.forget()
        added(store, page, "move")
        ear.hears("match")
    finally:
        line.close()


def test_a_wrong_kind_of_key(server: Server, store: RedisStore) -> None:
    """Where somebody else has put something else under the name of a match, it is not read as one."""
    with server.client() as client:
        client.set("chitarrella:{match}", "something else")
    for ask in (
        lambda: store.last("match"),
        lambda: store.append("match", first_page(), lines(first_page(), "x"), "", 9),
    ):
        with pytest.raises((StoreAway, NoSuchMatch)):
            ask()
