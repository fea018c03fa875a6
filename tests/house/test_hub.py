"""The hub: whoever watches hears all that those eyes may know, once and in order, to the end."""

from __future__ import annotations

import threading
import time

import pytest

from chitarrella import errors, hub
from chitarrella.chronicle import Cursor
from chitarrella.game import told
from chitarrella.kept import Wish
from chitarrella.words import REFEREE, Move
from tests.house.readers import EYES, Reader, Worker, at_work, signalling, story
from tests.house.table import LONG_MATCH, PARTNERS, SHORT, go_on, play_out
from tests.servers import until

# ---------------------------------------------------------------------- who hears what


def test_everybody_hears_what_he_may_know(here: Worker) -> None:
    """Every pair of eyes hears just what the events tell it, the cards it may not see left out, as it happens."""
    opened = signalling(here.referee, 4)
    readers = {eyes: Reader(here.hub, opened.match, eyes) for eyes in EYES}
    for number in range(4, 12):
        here.referee.play(opened.match, Wish(number % 4, Move("signal", word="A3RCF"[number // 4])))
        go_on(here.referee, opened.match)
    chronicle, lines = here.referee.chronicle(opened.match)
    happened = [events for _, events in chronicle.go_on(lines)]
    for eyes, reader in readers.items():
        expected = [tuple(told(event, eyes) for event in events if told(event, eyes)) for events in happened]
        assert [events for events in expected if events] == [
            one.events for one in reader.hears(sum(map(bool, expected)))
        ]
        assert story(here.referee, opened.match, eyes) == reader.heard
    assert 25 == len(readers[REFEREE].heard)
    assert 13 == len(readers[None].heard)
    assert 19 == len(readers[0].heard)


def test_cursors_go_up(here: Worker) -> None:
    """Cursors of every pair of eyes go up, and no two are alike."""
    opened = signalling(here.referee)
    for eyes in EYES:
        cursors = [one.cursor for one in Reader(here.hub, opened.match, eyes).read()]
        assert sorted(set(cursors)) == cursors


def test_watching_goes_on_from_every_cursor(here: Worker) -> None:
    """From whatever cursor watching goes on, nothing is missed and nothing is heard twice, now and later."""
    opened = signalling(here.referee, 6)
    for eyes in EYES:
        whole = story(here.referee, opened.match, eyes)
        for place in range(len(whole) + 1):
            after = whole[place - 1].cursor if place else Cursor()
            assert whole[place:] == Reader(here.hub, opened.match, eyes, after).read()
    readers = [Reader(here.hub, opened.match, None, one.cursor) for one in story(here.referee, opened.match, None)]
    go_on(here.referee, opened.match)
    for number, reader in enumerate(readers):
        reader.hears(len(readers) - number)


def test_a_stranger_is_not_even_called(here: Worker) -> None:
    """Of a signal opponents and public are not woken: nobody learns of it by a call, or by a heartbeat put off."""
    opened = here.referee.open(PARTNERS)
    readers = {eyes: Reader(here.hub, opened.match, eyes) for eyes in EYES}
    before = {eyes: reader.calls for eyes, reader in readers.items()}
    here.referee.play(opened.match, Wish(0, Move("signal", word="A")))
    readers[REFEREE].hears(2)
    called = {eyes for eyes, reader in readers.items() if reader.calls > before[eyes]}
    assert {0, 2, REFEREE} == called


def test_looking_around_calls_nobody(url: str) -> None:
    """A hub that looks around and finds nothing new calls nobody, or no stream would ever be silent for a heartbeat."""
    with at_work(url, looks=0.05) as busy:
        opened = busy.referee.open(SHORT)
        reader = Reader(busy.hub, opened.match)
        reader.hears(1)
        calls = reader.calls
        time.sleep(0.5)
        assert calls == reader.calls


def test_many_matches(here: Worker, there: Worker) -> None:
    """Watchers of many matches hear of their own only."""
    matches = [here.referee.open(SHORT).match for _ in range(20)]
    readers = [Reader(there.hub, match, 0) for match in matches]
    for number, match in enumerate(matches):
        go_on(here.referee, match, number + 1)
    for number, (match, reader) in enumerate(zip(matches, readers, strict=True)):
        assert story(here.referee, match, 0) == reader.hears(number + 2)


def test_two_workers(here: Worker, there: Worker) -> None:
    """Moves made through one worker are heard at the other at once, in both directions."""
    opened = here.referee.open(SHORT)
    readers = [Reader(here.hub, opened.match), Reader(there.hub, opened.match)]
    for number in range(10):
        begun = time.monotonic()
        go_on((here, there)[number % 2].referee, opened.match)
        for reader in readers:
            reader.hears(number + 2)
        assert time.monotonic() - begun < 2


def test_a_move_right_after_the_first_watcher_came(here: Worker, there: Worker) -> None:
    """A move that is made while the first watcher of a match is coming is heard, whichever is first."""
    for _ in range(10):
        opened = here.referee.open(SHORT)
        moving = threading.Thread(target=go_on, args=(here.referee, opened.match, 3))
        moving.start()
        reader = Reader(there.hub, opened.match)
        moving.join()
        reader.hears(4)


# ---------------------------------------------------------------------- how watching ends


def test_a_match_that_is_played_out(here: Worker, there: Worker) -> None:
    """When the match is over everybody has heard all of it, and the watch ends without a fault."""
    opened = here.referee.open(SHORT)
    readers = [Reader(one.hub, opened.match, eyes) for one in (here, there) for eyes in (None, 0, REFEREE)]
    play_out(here.referee, opened.match)
    for reader, eyes in zip(readers, (None, 0, REFEREE) * 2, strict=True):
        assert None is reader.ends()
        assert story(here.referee, opened.match, eyes) == reader.heard
    late = Reader(here.hub, opened.match, 1)
    assert None is late.ends()
    assert story(here.referee, opened.match, 1) == late.heard


def test_a_match_that_is_ended(here: Worker, there: Worker) -> None:
    """When a match is ended before its time the watch ends without a fault, also for who comes later."""
    opened = here.referee.open(SHORT)
    readers = [Reader(one.hub, opened.match) for one in (here, there)]
    go_on(here.referee, opened.match)
    there.referee.end(opened.match)
    for reader in (*readers, Reader(here.hub, opened.match)):
        assert None is reader.ends()
        assert 2 == len(reader.heard)


def test_a_match_that_expires(url: str) -> None:
    """When a match is forgotten those who watch it are told that there is no such match any more."""
    with at_work(url, looks=0.1) as busy:
        opened = busy.referee.open(SHORT, expires=1)
        reader = Reader(busy.hub, opened.match)
        fault = reader.ends()
        assert isinstance(fault, errors.NotFound)
        assert 1 == len(reader.heard)
        with pytest.raises(errors.NotFound):
            Reader(busy.hub, opened.match)
        assert 0 == busy.hub.count()


def test_no_such_match(here: Worker) -> None:
    """Nobody can watch a match that is not there, and who tries leaves no trace."""
    with pytest.raises(errors.NotFound):
        Reader(here.hub, "none")
    assert 0 == here.hub.count()


def test_who_reads_too_slowly_is_let_go(here: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A watcher who fetches nothing is let go when too much has gathered, and can go on from where he was."""
    monkeypatch.setattr(hub, "LONGEST_QUEUE", 20)
    opened = here.referee.open(LONG_MATCH)
    slow, quick = Reader(here.hub, opened.match), Reader(here.hub, opened.match)
    for number in range(30):
        go_on(here.referee, opened.match)
        quick.hears(number + 2)
    fault = slow.ends()
    assert isinstance(fault, errors.TooMany)
    assert "too_slow" == fault.code
    assert slow.heard == quick.heard[: len(slow.heard)]
    again = Reader(here.hub, opened.match, None, slow.heard[-1].cursor)
    assert quick.heard == slow.heard + again.read()
    assert None is quick.watch.fault


def test_who_comes_late_to_a_long_match_is_not_slow(here: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who begins to watch a match that is longer than what may gather hears all of it."""
    monkeypatch.setattr(hub, "LONGEST_QUEUE", 20)
    opened = here.referee.open(LONG_MATCH)
    go_on(here.referee, opened.match, 50)
    first, second = Reader(here.hub, opened.match), Reader(here.hub, opened.match)
    for reader in (first, second):
        assert story(here.referee, opened.match, None) == reader.read()
        assert not reader.watch.over


def test_who_leaves_hears_nothing_more(here: Worker) -> None:
    """A watch that was closed hears nothing; the others do; the last one to leave lets go of the match."""
    opened = here.referee.open(SHORT)
    leaver, stayer = Reader(here.hub, opened.match), Reader(here.hub, opened.match)
    assert 2 == here.hub.count()
    leaver.watch.close()
    leaver.watch.close()
    assert 1 == here.hub.count()
    go_on(here.referee, opened.match)
    stayer.hears(2)
    assert 1 == len(leaver.read())
    stayer.watch.close()
    assert 0 == here.hub.count()
    back = Reader(here.hub, opened.match)
    go_on(here.referee, opened.match)
    back.hears(3)


def test_a_reader_whose_loop_is_closed(here: Worker) -> None:
    """A reader that cannot be called any more disturbs nobody."""
    opened = here.referee.open(SHORT)

    def gone() -> None:
        raise RuntimeError("Event loop is closed")

    here.hub.watch(opened.match, None, Cursor(), gone)
    reader = Reader(here.hub, opened.match)
    go_on(here.referee, opened.match)
    reader.hears(2)


def test_a_hub_that_closes(url: str) -> None:
    """A hub that closes tells everybody that it does, takes nobody new, and leaves no thread and no line behind."""
    before = threading.active_count()
    made = Worker(url)
    opened = made.referee.open(SHORT)
    readers = [Reader(made.hub, opened.match, eyes) for eyes in (None, 0, 1)]
    made.hub.close()
    for reader in readers:
        assert isinstance(reader.ends(), errors.GoingDown)
        assert 1 == len(reader.heard)
    with pytest.raises(errors.GoingDown):
        Reader(made.hub, opened.match)
    made.hub.close()
    until(lambda: before == threading.active_count(), "its threads have ended", 5)
    made.store.close()


def test_a_hub_that_nobody_used_closes(url: str) -> None:
    """A hub that never had a watcher has opened no line, and closes."""
    before = threading.active_count()
    made = Worker(url)
    assert before == threading.active_count()
    made.close()
