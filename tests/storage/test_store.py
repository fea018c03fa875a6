"""The contract of the store, kept by every kind of server it may live on."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from operator import attrgetter, methodcaller
from threading import Barrier, Event, Semaphore
from typing import Any

import pytest

from chitarrella.storage.counters import MOST_OWNERS, RedisSearchQueue
from chitarrella.storage.redis_pubsub import Channels, RedisSubscription
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import (
    ABORTED,
    Announcement,
    Appended,
    Conflict,
    Duplicate,
    MatchRow,
    NewEntries,
    NoSuchMatch,
    SearchClaim,
    chain_digest,
    index_entry,
)
from tests.servers import until
from tests.storage.rows import DEAL, LONG, Listener, append, create_row, entries, first_row, listening
from tests.stores import OpenStore, connected_to

ODD = "è ♣ \\ \" ' \n\t {} %s \x00 end"  # a text that no game writes
ACME, OTHER = "platform:acme", "address:"


@pytest.fixture
def store(open_store: OpenStore) -> RedisStore:
    return open_store()


def keys(raw_client: Any) -> list[str]:
    return sorted(raw_client.scan_iter("*"))


# ---------------------------------------------------------------------- creating and reading


@pytest.mark.parametrize(("text", "moves"), [("header", ("a", "b")), ("header", ()), (ODD, (ODD,))])
def test_match_is_stored_once_as_it_is_given(store: RedisStore, text: str, moves: tuple[str, ...]) -> None:
    """Metadata, position and entries come back character for character, also none; no other match replaces them."""
    row = MatchRow(text, len(moves), chain_digest("", moves), text, len(moves))
    assert store.matches.create("match", row, moves, LONG)
    assert not store.matches.create("match", first_row(("c",), "another"), ("c",), LONG)
    assert (row, None) == store.matches.load("match", "request")
    after = append(store, row, "next", "request")
    assert (after, len(moves)) == store.matches.load("match", "request")
    assert [*moves, "next"] == store.matches.read_log("match")


def test_unknown_match_is_an_error_without_a_trace(store: RedisStore, raw_client: Any) -> None:
    """Reading, aborting or continuing an unknown match is an error, and creates no key, whatever its name is."""
    for name in ("", "match", "}{", "{x}", "*", "two words", "è", "a" * 40, "secret"):
        for ask in (store.matches.load, partial(store.matches.load, token="request")):
            with pytest.raises(NoSuchMatch):
                ask(name)
        assert [] == store.matches.read_log(name)
    with pytest.raises(NoSuchMatch):
        store.matches.append("match", first_row(), entries(first_row(), "move"), "request", LONG)
    with pytest.raises(NoSuchMatch):
        store.matches.abort("match", first_row(), LONG)
    assert [] == keys(raw_client)


def test_who_was_seen_stands_in_the_row(store: RedisStore) -> None:
    """Of a seat the last time counts; an append keeps it, and what is deleted or unknown is not made again."""
    row, _, _ = create_row(store), create_row(store, "other"), create_row(store, "deleted")
    store.matches.delete("deleted")
    store.matches.note_seen({"match": [1, 11], "other": [0], "deleted": [0], "unknown": [0]}, 1000)
    store.matches.note_seen({"match": [1]}, 2000)
    append(store, row, "next")
    found = store.matches.load_many(["match", "other", "deleted", "unknown"])
    assert [{1: 2000, 11: 1000}, {0: 1000}, None, None] == [one and one.seen_times() for one in found]
    assert Conflict(store.matches.load("match")[0]) == store.matches.append("match", row, entries(row), "", LONG)


def test_log_and_rows_are_read_in_order(store: RedisStore) -> None:
    """A log is read from any index, empty behind its end; several rows in the order asked for, None for no match."""
    first, second = create_row(store, moves=("0", "1", "2", "3")), create_row(store, "second", header="other")
    first = append(store, first, "4")
    logs = [store.matches.read_log("match", n) for n in (0, 3, 4, 5, 9)]
    assert [["0", "1", "2", "3", "4"], ["3", "4"], ["4"], [], []] == logs
    assert [second, None, first, second] == store.matches.load_many(["second", "gone", "match", "second"])
    assert [] == store.matches.load_many([])


# ---------------------------------------------------------------------- appending


def test_entries_are_appended_together(store: RedisStore) -> None:
    """Several entries are added as one behind the last row; the answer is the new row as everybody reads it."""
    row = create_row(store)
    answer = store.matches.append("match", row, NewEntries(("x", "y", "z"), "behind z", row.revision + 2), "", LONG)
    digest, earlier = chain_digest(row.log_digest, ("x", "y", "z")), f" {row.log_digest}"
    assert Appended(MatchRow("header", 4, digest, "behind z", 3, earlier=earlier)) == answer
    assert (answer.row, None) == store.matches.load("match")
    after = append(store, answer.row, "w")
    assert ["table start_deal", "x", "y", "z", "w"] == store.matches.read_log("match")
    assert (after, None) == store.matches.load("match")


def test_append_on_stale_row_returns_conflict(store: RedisStore) -> None:
    """An append on a stale row changes nothing and returns the row that won."""
    old = create_row(store)
    new = append(store, old, "fast")
    assert Conflict(new) == store.matches.append("match", old, entries(old, "late"), "request", LONG)
    assert (new, None) == store.matches.load("match", "request")
    assert [*DEAL, "fast"] == store.matches.read_log("match")


def test_of_eight_writers_on_one_row_one_wins(open_store: OpenStore) -> None:
    """Of eight appends sent at once behind one row one succeeds; the others return the row that it made."""
    stores, start = [open_store() for _ in range(8)], Barrier(8)
    row = create_row(stores[0])

    def append(number: int) -> Appended | Conflict | Duplicate:
        start.wait()
        new = entries(row, f"writer {number}")
        return stores[number].matches.append("match", row, new, f"{number} {row.length}", LONG)

    with ThreadPoolExecutor(8) as threads:
        for _ in range(15):
            answers = list(threads.map(append, range(8)))
            (winner,) = [number for number, answer in enumerate(answers) if isinstance(answer, Appended)]
            new = entries(row, f"writer {winner}")
            after = row.extended(new)
            assert chain_digest(row.log_digest, new.entries) == after.log_digest
            assert [Conflict(after)] * winner + [Appended(after)] + [Conflict(after)] * (7 - winner) == answers
            assert [f"writer {winner}"] == stores[0].matches.read_log("match", row.length)
            row = after


def test_append_on_a_row_lost_by_failover_returns_conflict(store: RedisStore, raw_client: Any) -> None:
    """A writer whose row was lost by a failover gets a conflict, though another history has the same length."""
    row = create_row(store)
    lost = append(store, row, "lost")
    raw_client.delete(*[key for key in keys(raw_client) if "match" in key])
    assert create_row(store) == row
    other = append(store, row, "found instead")
    assert (lost.length, lost.revision, lost.position) == (other.length, other.revision, other.position)
    assert Conflict(other) == store.matches.append("match", lost, entries(lost, "next"), "request", LONG)
    assert [*DEAL, "found instead"] == store.matches.read_log("match")


def test_repeated_request_returns_its_entry(store: RedisStore) -> None:
    """A request that was carried out is not carried out again, at its match, however much was appended since."""
    row = create_row(store)
    first = append(store, row, "one", "request 1")
    for behind in (row, first):
        assert Duplicate(1) == store.matches.append("match", behind, entries(behind, "one"), "request 1", LONG)
    third = store.matches.append("match", first, NewEntries(("two", "deal"), "p", 3), "request 2", LONG)
    assert isinstance(third, Appended)
    many = store.matches.append("match", third.row, NewEntries(("more",) * 1500, "p", 1600), "request 3", LONG)
    assert isinstance(many, Appended)
    last = append(store, append(store, many.row, "the same"), "the same")  # without an id nothing is a repetition
    again = [store.matches.append("match", last, entries(last, "x"), f"request {n}", LONG) for n in (1, 2, 3)]
    assert [Duplicate(1), Duplicate(2), Duplicate(4)] == again
    assert [1, 2, 4, None] == [store.matches.load("match", f"request {n}")[1] for n in (1, 2, 3, 4)]
    assert None is store.matches.load("match", "")[1]
    assert [*DEAL, "one", "two", "deal", "more"] == store.matches.read_log("match")[:5]
    append(store, create_row(store, "other"), "move", "request 1", "other")


def test_flushed_scripts_are_loaded_again(store: RedisStore, raw_client: Any) -> None:
    """Scripts that the server has lost, as after a restart, are loaded again."""
    row = create_row(store)
    raw_client.script_flush()
    row = append(store, row, "move")
    raw_client.script_flush()
    assert store.matches.abort("match", row, LONG)
    raw_client.script_flush()
    assert not store.matches.create("match", row, (), LONG)


# ---------------------------------------------------------------------- ending


def test_aborted_match_stays_as_it_is(store: RedisStore) -> None:
    """An aborted match takes no entry and knows its requests; an abort is idempotent, and made behind the last row."""
    before = create_row(store)
    row = append(store, before, "move", "request")
    assert not store.matches.abort("match", before, LONG)
    assert (row, None) == store.matches.load("match")
    for now in (1, 2):
        assert store.matches.abort("match", row, LONG, now=now)
        ended = row._replace(aborted=True, updated_at=1)
        assert (ended, 1) == store.matches.load("match", "request")
        assert Conflict(ended) == store.matches.append("match", row, entries(row, "late"), "other", LONG)
        assert Duplicate(1) == store.matches.append("match", row, entries(row, "move"), "request", LONG)
    assert [*DEAL, "move"] == store.matches.read_log("match")


def test_append_renews_the_expiry(store: RedisStore, raw_client: Any) -> None:
    """Each append and the abort renew the expiry of all keys; one that failed, or came before, renews nothing."""

    def lives() -> list[float]:
        return [raw_client.pttl(key) / 1000 for key in keys(raw_client)]

    row = create_row(store, moves=(), expires=200)
    assert all(100 < left <= 200 for left in lives())
    answer = store.matches.append("match", row, entries(row, "move"), "request", 400)
    assert isinstance(answer, Appended)
    for ask in (
        lambda: store.matches.append("match", row, entries(row, "late"), "other", 600),
        lambda: store.matches.append("match", row, entries(row, "move"), "request", 600),
        lambda: store.matches.load("match"),
        lambda: store.matches.abort("match", row, 600),
    ):
        ask()
        assert [True] * 3 == [300 < left <= 400 for left in lives()]
    for seconds in (600, 800):
        assert store.matches.abort("match", answer.row, seconds)
        assert [True] * 3 == [500 < left <= 600 for left in lives()]


def test_append_that_only_some_may_know_of_leaves_the_expiry(store: RedisStore, raw_client: Any) -> None:
    """An append that does not raise the revision renews no expiry: by it everybody would learn that there was one."""
    row = create_row(store, expires=200)
    answer = store.matches.append("match", row, entries(row, "signal")._replace(revision=row.revision), "", 400)
    assert isinstance(answer, Appended)
    assert [True] * 3 == [100 < raw_client.ttl(key) <= 200 for key in keys(raw_client)]


def test_expired_match_leaves_nothing(store: RedisStore, raw_client: Any) -> None:
    """Nothing is left of an expired match, and a late writer cannot bring it back."""
    row = create_row(store, expires=1)
    until(lambda: not keys(raw_client), "the match is forgotten", 5)
    with pytest.raises(NoSuchMatch):
        store.matches.load("match")
    with pytest.raises(NoSuchMatch):
        store.matches.append("match", row, entries(row, "move"), "request", LONG)
    assert [] == store.matches.read_log("match") == keys(raw_client)
    assert store.matches.create("match", row, DEAL, LONG)


def test_delete_is_idempotent_and_complete(store: RedisStore, raw_client: Any) -> None:
    """A deleted match leaves only its name behind, for as long as it would have lived; deleting twice does no harm."""
    create_row(store, "first")
    create_row(store, "second")
    for _ in range(2):
        store.matches.delete("first")
        (name,) = [key for key in keys(raw_client) if "first" in key]
        assert {"deleted": "1"} == raw_client.hgetall(name)
        assert LONG - 60 < raw_client.ttl(name) <= LONG
    for gone in (store.matches.load, partial(store.matches.abort, after=first_row(), ttl_seconds=LONG)):
        with pytest.raises(NoSuchMatch):
            gone("first")
    assert not store.matches.create("first", first_row(), DEAL, LONG)
    assert "header" == store.matches.load("second")[0].metadata


def test_what_belongs_to_a_new_match_is_sent_with_it(store: RedisStore) -> None:
    """What is added to the pipeline of a new match is carried out, by a server that knows the script and by another."""
    row = first_row()
    for match in ("one", "two"):

        def add_beside(pipeline: Any, entry: str = index_entry(match, 1_700_000_000)) -> None:
            store.index.add_to(pipeline, "arcade", entry, ("x",), 0)

        assert store.matches.create(match, row, DEAL, LONG, "", add_beside)
        assert (row, None) == store.matches.load(match)
        assert [index_entry(match, 1_700_000_000)] == store.index.page("arcade", "", 1, "x")


# ---------------------------------------------------------------------- what workers share


def test_secret_is_shared_per_prefix(open_store: OpenStore) -> None:
    """All workers on one store share a secret of 32 bytes; another prefix has another one."""
    workers = [open_store() for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(methodcaller("secret"), workers))
    assert [32] * 8 == [len(secret) for secret in found]
    assert {open_store().secret()} == set(found)
    assert open_store("elsewhere").secret() not in found


def test_prefixes_are_separate(open_store: OpenStore, raw_client: Any) -> None:
    """Two services with different prefixes on one server share neither matches nor news."""
    store_a, store_b = open_store("here"), open_store("there")
    listener = Listener()
    with listening(store_b, listener, "match", "last"):
        listener.wait_for("match")
        listener.clear()
        row = create_row(store_a)
        with pytest.raises(NoSuchMatch):
            store_b.matches.load("match")
        create_row(store_b, moves=("other",))
        store_a.matches.abort("match", append(store_a, row, "move"), LONG)
        assert (first_row(("other",)), None) == store_b.matches.load("match")
        assert ["other"] == store_b.matches.read_log("match")
        store_b.matches.abort("last", create_row(store_b, "last"), LONG)
        listener.wait_for("last")
        assert 0 == listener.count("match")
    assert all(key.startswith(("here:", "there:")) for key in keys(raw_client))


def test_changes_of_a_platform_are_announced(open_store: OpenStore) -> None:
    """A subscriber of a platform is told of each match that is created, continued and aborted, once."""
    store, row = open_store(), first_row()
    announced: list[Announcement] = []
    feed = open_store().subscriptions.open_platforms(announced.append, lambda: None)
    feed.subscribe("p")
    until(lambda: bool(announced), "the subscription has begun")
    for match, platform in (("n", "p"), ("o", "p"), ("q", "other")):
        store.matches.create(match, row, DEAL, LONG, platform)
        store.matches.append(match, row, entries(row, "one"), "", LONG, platform)
    for _ in range(2):
        store.matches.abort("n", store.matches.load("n")[0], LONG, "p")
    until(lambda: len(announced) >= 6, "every change is announced")
    feed.close()
    expected = (("", 0), ("n", 0), ("n", 1), ("n", ABORTED), ("o", 0), ("o", 1))
    assert [Announcement("p", *one) for one in expected] == sorted(announced, key=attrgetter("match"))


def test_a_subscription_begins_with_the_answer_to_the_last_request(url: str) -> None:
    """Of several requests for a name the last one counts: the answer to an earlier one does not say that it begins."""
    begun: list[str] = []
    client, reads, is_free = connected_to(url), Semaphore(0), Event()

    def open_pubsub() -> Any:
        pubsub = client.pubsub()
        get_message = pubsub.get_message

        def held(timeout: float) -> Any:
            reads.release()
            assert is_free.wait(10)
            return get_message(timeout=timeout)

        pubsub.get_message = held
        return pubsub

    feed = RedisSubscription(open_pubsub, Channels("news:"), lambda name, _: begun.append(name))
    feed.subscribe("a")
    assert reads.acquire(timeout=10)
    feed.unsubscribe("a")
    feed.subscribe("a")
    is_free.set()
    until(lambda: begun, "the subscription has begun")
    feed.subscribe("b")  # the server answers in turn
    until(lambda: "b" in begun, "another one has begun")
    feed.close()
    assert ["a", "b"] == begun


def test_index_lists_matches_of_a_platform_and_a_term_latest_first(store: RedisStore, raw_client: Any) -> None:
    """Matches are listed latest first, in pages, each once; one that is removed leaves every list, and no key."""
    for number in (0, 1, 2, 3, 4, 5, 6, 2):
        terms = ("even", "all") if number % 2 == 0 else ()
        store.index.add("arcade", index_entry(f"match{number}", 1_700_000_000 + number), terms, 0)
    store.index.add("club", index_entry("match0", 1_700_000_000), ("even",), 0)
    made = [index_entry(f"match{number}", 1_700_000_000 + number) for number in range(7)]
    assert made[:2:-1] == store.index.page("arcade", "", 4)
    assert made[2::-1] == store.index.page("arcade", made[3], 4)
    assert made[::-2] == store.index.page("arcade", "", 9, "even")
    assert made[2::-2] == store.index.page("arcade", made[4], 9, "even")
    assert [] == store.index.page("arcade", "", 9, "odd") == store.index.page("nobody", "", 9)
    store.index.remove("arcade", made[1:])
    store.index.remove("arcade", ())
    for platform, term in (("arcade", ""), ("arcade", "even"), ("club", ""), ("club", "even")):
        assert made[:1] == store.index.page(platform, "", 9, term)
    for platform in ("arcade", "club"):
        store.index.remove(platform, made[:1])
    assert [] == list(raw_client.scan_iter("chitarrella:platform*"))


def test_due_match_is_claimed_once(store: RedisStore, open_store: OpenStore) -> None:
    """Each due match is claimed by one worker until its lease is over, the earliest first."""
    other = open_store()
    for match, when in (("late", 3_000), ("soon", 1_000), ("then", 9_000)):
        store.schedule.set(match, when)
    assert ["soon", "late"] == other.schedule.claim(5_000, 10_000, 9)
    assert [] == store.schedule.claim(5_001, 10_000, 9)
    store.schedule.set("late", None)
    store.schedule.set("soon", 6_000)
    assert ["soon"] == store.schedule.claim(6_000, 10_000, 9)
    assert ["then"] == store.schedule.claim(16_000, 10_000, 1)
    assert ["soon"] == store.schedule.claim(16_000, 10_000, 9)


# ---------------------------------------------------------------------- the queue of searches


def claimed(queue: RedisSearchQueue, owner: str = "") -> SearchClaim:
    claim = queue.claim(owner)
    return claim._replace(owners=tuple(sorted(claim.owners)))


def test_searches_of_an_owner_are_claimed_in_order(open_store: OpenStore) -> None:
    """One owner's searches are claimed in the order in which they were queued, each once, with what is left behind."""
    one, other = open_store().searches, open_store().searches
    for match, when in (("b", 9_000), ("a", 10_000), ("b", 11_000)):
        one.put(match, ACME, when)
    other.put("c", OTHER, 8_000)
    assert SearchClaim("", (OTHER, ACME), 3, 8_000) == claimed(one)
    assert SearchClaim("b", (OTHER, ACME), 2, 8_000) == claimed(other, ACME)
    assert SearchClaim("c", (ACME,), 1, 10_000) == claimed(one, OTHER)
    assert SearchClaim("a") == claimed(one, ACME)
    assert SearchClaim() == claimed(other, ACME)
    one.put("b", ACME, 12_000)
    assert SearchClaim("b") == claimed(other, ACME)


@pytest.mark.stores("valkey-9")
def test_of_very_many_owners_some_are_named(store: RedisStore, raw_client: Any) -> None:
    """Each is named in the end, and an owner that waits no more leaves no key behind."""
    for number in range(MOST_OWNERS + 5):
        store.searches.put(f"m{number}", f"address:{number}", 1_000)
    claim = store.searches.claim()
    assert MOST_OWNERS == len(set(claim.owners))
    while claim.owners:
        claim = store.searches.claim(claim.owners[0])
        assert claim.match
    assert 0 == claim.waiting
    assert [] == raw_client.keys("*searches*")
