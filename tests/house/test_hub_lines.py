"""The hub when lines break and stores go: nobody waits, nobody misses anything; and when there are many watchers."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.chronicle import Chronicle, Cursor, Told
from chitarrella.redis_store import RedisStore
from chitarrella.referee import Referee
from chitarrella.store import chained
from tests.house.readers import Reader, Worker, at_work, signalling, story
from tests.house.table import CATALOGUE, LONG_MATCH, SHORT, go_on
from tests.servers import Server

# ---------------------------------------------------------------------- lines that break


def test_news_that_were_lost(url: str, server: Server) -> None:
    """What happened while the line was down is told when it is up again, to everybody and once."""
    with at_work(server.url) as one, at_work(server.url) as two:
        opened = one.referee.open(SHORT)
        reader = Reader(one.hub, opened.match)
        for number in range(5):
            server.ask("CLIENT", "KILL", "TYPE", "pubsub")
            go_on(two.referee, opened.match)
            reader.hears(number + 2)
        assert story(two.referee, opened.match, None) == reader.heard


def test_looking_around_finds_what_no_line_tells(url: str, store: RedisStore) -> None:
    """Should the line tell nothing at all, looking around does."""
    with at_work(url, looks=0.1) as made:
        opened = made.referee.open(SHORT)
        reader = Reader(made.hub, opened.match)
        line: Any = made.hub._line
        line.leave(opened.match)
        go_on(Referee(CATALOGUE, store), opened.match, 3)
        reader.hears(4)


def test_the_store_goes_and_comes_back(server: Server) -> None:
    """While the store is away watchers wait; when it is back they hear what is new, though nobody else did anything."""
    with at_work(server.url) as one, at_work(server.url) as two:
        opened = one.referee.open(SHORT)
        reader = Reader(one.hub, opened.match)
        go_on(one.referee, opened.match)
        reader.hears(2)
        server.kill()
        with pytest.raises(errors.StoreDown):
            Reader(one.hub, "another")
        server.start()
        go_on(two.referee, opened.match, 2)
        reader.hears(4)
        assert 1 == one.hub.count()


def test_nobody_waits_for_a_store_that_hangs(server: Server) -> None:
    """While the store hangs, those who watch can leave, those who join hear what is known, and the hub can close."""
    with at_work(server.url, looks=0.1) as made:
        opened = made.referee.open(SHORT)
        readers = [Reader(made.hub, opened.match) for _ in range(4)]
        server.pause()
        time.sleep(0.3)  # by now the hub waits for an answer
        begun = time.monotonic()
        for reader in readers[:2]:
            reader.watch.close()
        assert 1 == len(Reader(made.hub, opened.match).read())
        assert 3 == made.hub.count()
        assert time.monotonic() - begun < 1
        server.resume()


def test_a_story_that_was_rewritten(url: str, server: Server) -> None:
    """When a failover has lost moves that were told, those who heard them are told so; the others are not disturbed."""
    with at_work(server.url, looks=0.1) as made:
        opened, other = made.referee.open(SHORT), made.referee.open(SHORT)
        log = made.referee.moves(opened.match)
        reader, undisturbed = Reader(made.hub, opened.match), Reader(made.hub, other.match)
        first = made.referee.see(opened.match).page
        go_on(made.referee, opened.match, 2)
        reader.hears(3)
        name = f"chitarrella:{{{opened.match}}}"
        server.ask("DEL", name, f"{name}:moves", f"{name}:requests")
        assert made.store.create(opened.match, first, tuple(log), 3600)
        fault = reader.ends()
        assert isinstance(fault, errors.Stale)
        again = Reader(made.hub, opened.match)
        go_on(made.referee, opened.match)
        go_on(made.referee, other.match)
        undisturbed.hears(2)
        again.hears(2)


def test_a_match_that_cannot_be_told(server: Server) -> None:
    """A match whose log makes no sense ends for those who watch it, as a fault, and silences no other match."""
    with at_work(server.url, looks=0.1) as made:
        broken, sound = made.referee.open(SHORT), made.referee.open(SHORT)
        readers = [Reader(made.hub, opened.match) for opened in (broken, sound)]
        page, name = made.referee.see(broken.match).page, f"chitarrella:{{{broken.match}}}"
        server.ask("RPUSH", f"{name}:moves", "0 play_card XX")
        server.ask("HSET", name, "n", page.number + 1, "t", chained(page.tag, ("0 play_card XX",)))
        assert isinstance(readers[0].ends(), errors.Fault)
        go_on(made.referee, sound.match)
        readers[1].hears(2)


# ---------------------------------------------------------------------- many


def test_five_hundred_watchers(here: Worker, there: Worker, store: RedisStore) -> None:
    """Five hundred watchers of one match hear everything, over one connection to the store and in no more threads."""
    opened = here.referee.open(SHORT)
    begun = time.monotonic()
    readers = [Reader(here.hub, opened.match, number % 2) for number in range(500)]
    assert time.monotonic() - begun < 5
    client: Any = store.client
    assert 1 == len(client.client_list(_type="pubsub"))
    threads = threading.active_count()
    for number in range(10):
        go_on(there.referee, opened.match)
        for reader in readers:
            reader.hears(number + 2)
    assert threads == threading.active_count()
    for seat in (0, 1):
        expected = story(here.referee, opened.match, seat)
        assert all(expected == reader.heard for reader in readers[seat::2])


def test_watchers_come_and_go_while_cards_are_played(here: Worker, there: Worker) -> None:
    """Watchers that come and go from several threads all hear a stretch of the one story, without gap or repetition."""
    opened = here.referee.open(LONG_MATCH)
    faults: list[str] = []
    stop = threading.Event()

    def visit(number: int) -> None:
        after = Cursor()
        whole: list[Told] = []
        while not stop.is_set():
            reader = Reader(here.hub, opened.match, number % 2, after)
            time.sleep(0.002)
            reader.watch.close()
            whole += reader.read()
            after = whole[-1].cursor if whole else after
        if whole != story(here.referee, opened.match, number % 2)[: len(whole)]:
            faults.append(f"visitor {number}")

    visitors = [threading.Thread(target=visit, args=(number,)) for number in range(6)]
    for visitor in visitors:
        visitor.start()
    go_on(there.referee, opened.match, 120)
    stop.set()
    for visitor in visitors:
        visitor.join()
    assert [] == faults
    assert 0 == here.hub.count()


def test_the_chronicle_tells_the_revisions_of_the_pages(here: Worker) -> None:
    """The revision that the story comes to is the one of the page, after every move."""
    opened = signalling(here.referee)
    chronicle, lines = here.referee.chronicle(opened.match)
    assert isinstance(chronicle, Chronicle)
    revisions = [revision for revision, _ in chronicle.go_on(lines)]
    page = here.referee.see(opened.match).page
    assert (page.number, page.revision) == (len(revisions), revisions[-1])
