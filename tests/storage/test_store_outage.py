"""The store when its server hangs, dies, comes back, or loses a reply."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from chitarrella.storage.embedded_valkey import binary
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.redis_url import TIMEOUT_SECONDS
from chitarrella.storage.rows import Appended, Conflict, Duplicate, MatchRow, NoSuchMatch, StoreError
from tests.fault_proxy import FaultProxy
from tests.loop_stores import WRAPS, Wrap
from tests.servers import Cluster, Sentinels, Server, free_port, on_free_port, until
from tests.storage.rows import (
    DEAL,
    LONG,
    SOON,
    Listener,
    append,
    away,
    back,
    connected,
    create_row,
    entries,
    first_row,
    killing,
    listening,
)


@pytest.fixture(params=WRAPS)
def wrap(request: pytest.FixtureRequest) -> Wrap:
    """What makes a store to be called in threads, or on an event loop."""
    made: Wrap = request.param
    return made


@pytest.fixture
def store(server: Server, wrap: Wrap) -> Iterator[RedisStore]:
    with connected(server.url, wrap) as made:
        yield made


def away_for_everything(store: RedisStore, row: MatchRow) -> float:
    """Ask a store that is away for all that it can be asked, at once; gives the longest wait."""
    questions: list[Callable[[], Any]] = [
        store.probe, store.secret, lambda: store.matches.load("match"), lambda: store.matches.load("match", "request"),
        lambda: store.matches.read_log("match"),
        lambda: store.matches.append("match", row, entries(row, "move"), "request", LONG),
        lambda: store.matches.create("new", first_row(), DEAL, LONG), lambda: store.matches.abort("another", row, LONG),
    ]  # fmt: skip
    with ThreadPoolExecutor(len(questions)) as threads:
        return max(threads.map(away, questions))


def test_hanging_server_fails_fast(server: Server, store: RedisStore) -> None:
    """A call to a hanging server fails within the timeout; afterwards each thing was done once or not at all."""
    row = create_row(store)
    server.pause()
    assert away_for_everything(store, row) < SOON
    server.resume()
    back(store)
    assert isinstance(store.matches.append("match", row, entries(row, "move"), "request", LONG), Appended | Duplicate)
    assert [*DEAL, "move"] == store.matches.read_log("match")
    assert store.matches.read_log("new") in ([], list(DEAL))


def test_callers_of_a_hanging_server_do_not_wait_for_each_other(server: Server, store: RedisStore) -> None:
    """Of many callers that share a few threads none waits for the timeouts of those before it."""
    create_row(store)
    server.pause()
    begun = time.monotonic()
    with ThreadPoolExecutor(16) as threads:
        list(threads.map(lambda _: away(lambda: store.matches.load("match")), range(160)))
    assert time.monotonic() - begun < 5 * SOON  # of fifty seconds, if they did
    assert away(lambda: store.matches.load("match")) < TIMEOUT_SECONDS / 2
    server.resume()
    back(store)
    store.matches.load("match")


def test_killed_server_recovers_with_every_entry(server: Server, store: RedisStore) -> None:
    """A killed server fails at once; when it is back it has every entry, and takes more."""
    row = append(store, create_row(store), "kept", "request")
    server.kill()
    assert away_for_everything(store, row) < SOON
    server.start()
    back(store)
    assert (row, 1) == store.matches.load("match", "request")
    append(store, row, "next")
    assert [*DEAL, "kept", "next"] == store.matches.read_log("match")


def test_short_restart_is_no_error(server: Server, store: RedisStore) -> None:
    """A server that is back at once is waited for: its restart is no error."""
    row = create_row(store)
    server.kill()
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(append, store, row, "move", "request")
        time.sleep(0.2)
        server.start()
        assert row.length + 1 == answer.result().length


@pytest.mark.parametrize("setting", ["min-replicas-to-write", "maxmemory"])
def test_server_that_takes_no_writes_holds_no_half_of_one(server: Server, store: RedisStore, setting: str) -> None:
    """A server that refuses to write, for want of a replica or of memory, is unavailable; it can still be read."""
    row = create_row(store)
    server.ask("CONFIG", "SET", setting, 1)
    create = partial(store.matches.create, "new", first_row(), DEAL, LONG)
    for ask in (lambda: store.matches.append("match", row, entries(row, "move"), "request", LONG), create, store.probe):
        away(ask)
    if setting == "min-replicas-to-write":
        away(lambda: store.matches.abort("match", row, LONG))
    server.ask("CONFIG", "SET", setting, 0)
    with pytest.raises(NoSuchMatch):
        store.matches.load("new")
    assert [] == store.matches.read_log("new")
    assert (row, None) == store.matches.load("match", "request")
    assert list(DEAL) == store.matches.read_log("match")
    append(store, row, "move", "request")


# ---------------------------------------------------------------------- replies that are lost


@pytest.fixture
def cut(proxy: FaultProxy, wrap: Wrap) -> Iterator[RedisStore]:
    with connected(proxy.url, wrap) as made:
        yield made


def test_append_with_lost_reply_is_in_the_log_once(proxy: FaultProxy, cut: RedisStore) -> None:
    """An append whose reply was lost is in the log once, and is answered as appended; the next call is a duplicate."""
    row = append(cut, create_row(cut), "before")
    proxy.lose_reply_to(b"EVALSHA")
    new = entries(row, "move")
    assert Appended(row.extended(new)) == cut.matches.append("match", row, new, "request", LONG)
    assert 1 == proxy.lost
    proxy.lose_reply_to(b"EVALSHA")
    assert Duplicate(2) == cut.matches.append("match", row, new, "request", LONG)
    assert 2 == proxy.lost
    assert [*DEAL, "before", "move"] == cut.matches.read_log("match")


def test_other_calls_with_lost_replies_are_made_again(proxy: FaultProxy, cut: RedisStore) -> None:
    """A create or a delete whose reply was lost is done once; a read is retried, and so is an abort."""
    row, first = create_row(cut, "before"), cut.secret()
    cut.matches.delete("another")  # so that the script is known
    for word, ask, answer in (
        (b"EVALSHA", lambda: cut.matches.create("match", row, DEAL, LONG), False),
        (b"HMGET", lambda: cut.matches.load("match"), (row, None)),
        (b"LRANGE", lambda: cut.matches.read_log("match"), list(DEAL)),
        (b"SET", cut.secret, first),
        (b"EVALSHA", lambda: cut.matches.abort("match", row, LONG), True),
        (b"EVALSHA", lambda: cut.matches.delete("before"), None),
    ):
        proxy.lose_reply_to(word)
        assert answer == ask()
    assert 6 == proxy.lost
    assert cut.matches.load("match")[0].aborted
    with pytest.raises(NoSuchMatch):
        cut.matches.load("before")


# ---------------------------------------------------------------------- the line on which news comes


def test_subscription_recovers_after_an_outage(server: Server, store: RedisStore) -> None:
    """Subscribing during an outage does not block; the news come when the server is back."""
    listener = Listener()
    row = create_row(store, "before")
    with listening(store, listener, "before") as line:
        listener.wait_for("before")
        server.kill()
        begun = time.monotonic()
        line.subscribe("meanwhile")
        line.subscribe("left")
        line.unsubscribe("left")
        assert time.monotonic() - begun < 2
        listener.clear()
        server.start()
        listener.wait_for("before")
        listener.wait_for("meanwhile")
        listener.clear()
        append(store, row, "move", match="before")
        listener.wait_for("before")
        assert 0 == listener.count("left")


def test_failing_listener_gets_the_next_news(store: RedisStore) -> None:
    """A listener that raises an exception still gets the next news."""
    listener = Listener()

    def stumble(match: str) -> None:
        listener(match)
        if listener.count(match) == 1:
            raise LookupError(match)

    row = create_row(store)
    with listening(store, stumble, "match"):
        listener.wait_for("match")
        listener.clear()
        append(store, row, "move")
        listener.wait_for("match")


def test_foreign_key_under_a_match_name_is_an_error(server: Server, store: RedisStore) -> None:
    """A key of another type under the name of a match is not read as a match."""
    with server.client() as client:
        client.set("chitarrella:{match}", "something else")
    for ask in (
        lambda: store.matches.load("match"),
        lambda: store.matches.append("match", first_row(), entries(first_row(), "x"), "", 9),
    ):
        with pytest.raises((StoreError, NoSuchMatch)):
            ask()


# ---------------------------------------------------------------------- a cluster, Sentinels


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with killing(Cluster(binary(), tmp_path_factory.mktemp("c"))) as cluster:
        yield cluster


@pytest.fixture
def cluster(nodes: Cluster) -> Cluster:
    for node in nodes.nodes:
        node.ask("FLUSHALL")
    return nodes


def test_subscription_follows_its_slot(cluster: Cluster) -> None:
    """When the slot of a match moves to another node, its watchers are told to look again, and receive later moves."""
    with connected(cluster.url) as store, connected(cluster.url) as watching:
        listener, key = Listener(), "chitarrella:{match}"
        row, other = create_row(store), create_row(store, "other")
        with listening(watching, listener, "match", "other"):
            listener.wait_for("match")
            listener.clear()
            cluster.move_slot(key, (cluster.place(key) + 1) % 3)
            listener.wait_for("match")
            for number in range(3):
                listener.clear()
                row = append(store, row, f"move {number}")
                listener.wait_for("match")
            append(store, other, "move", match="other")
            listener.wait_for("other")


@pytest.mark.parametrize("wrap", WRAPS)
def test_hanging_node_fails_fast_and_others_go_on(cluster: Cluster, wrap: Wrap) -> None:
    """A hanging node fails within the timeout; matches at the other nodes, and their news, go on meanwhile."""
    listener = Listener()
    with connected(cluster.url, wrap) as store:
        rows = {name: create_row(store, name) for name in (f"match{n}" for n in range(12))}
        elsewhere = [name for name in rows if cluster.place(f"chitarrella:{{{name}}}")]
        (hung, *_) = rows.keys() - elsewhere
        with listening(store, listener, *rows):
            for name in rows:
                listener.wait_for(name)
            for node in cluster.nodes:
                with node.client() as client:
                    assert client.client_list(_type="pubsub"), "one subscription at each node"
            cluster.nodes[0].pause()
            assert away(lambda: store.matches.load(hung)) < 2 * SOON
            listener.clear()
            for name in elsewhere:
                append(store, rows[name], "move", match=name)
            for name in elsewhere:
                listener.wait_for(name)
            cluster.nodes[0].resume()
        until(lambda: _tried(lambda: store.matches.load(hung)), "the node is there again")


# ---------------------------------------------------------------------- failover


@pytest.mark.parametrize("wrap", WRAPS)
def test_failover_keeps_what_reached_the_new_master(tmp_path: Path, wrap: Wrap) -> None:
    """After a failover what reached the new master is kept; a writer of lost entries gets a conflict."""
    listener = Listener()
    with (
        killing(Sentinels(binary(), tmp_path)) as guarded,
        connected(guarded.url, wrap) as store,
        listening(store, listener, "match"),
    ):
        row = create_row(store)
        for number in range(20):
            row = append(store, row, f"kept {number}", f"request {number}")
        kept = row
        state: Callable[[], Any] = partial(guarded.master.ask, "INFO", "replication")
        until(lambda: (now := state())["master_repl_offset"] == now["slave0"]["offset"], "the replica has it all")
        listener.wait_for("match")
        guarded.replica.pause()
        guarded.master.ask("CLIENT", "KILL", "TYPE", "replica")
        for number in range(3):
            row = append(store, row, f"lost {number}", f"lost request {number}")
        guarded.master.kill()
        listener.clear()
        guarded.replica.resume()
        late = partial(store.matches.append, "match", row, entries(row, "x"), "late request", LONG)
        assert Conflict(kept) == until(lambda: _tried(late), "somebody is master again")
        listener.wait_for("match")
        listener.clear()
        again = store.matches.append("match", row, entries(row, "x"), "request 19", LONG)
        assert Duplicate(20) == again
        append(store, kept, "next", "next request")
        listener.wait_for("match")
        assert [*DEAL, *(f"kept {number}" for number in range(20)), "next"] == store.matches.read_log("match")


def _tried(ask: Callable[[], Any]) -> Any:
    """Ask a store; None while it is away."""
    with suppress(StoreError):
        return ask()


# ---------------------------------------------------------------------- addresses


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("is_cluster", [False, True])
def test_password_in_an_address_is_percent_decoded(tmp_path: Path, wrap: Wrap, *, is_cluster: bool) -> None:
    """A password in an address is percent-encoded, %40 for @, for every kind of address."""
    login, bus = ":p%40ss%2Fword%20%2541@", ("--cluster-enabled", "yes", "--cluster-port", str(free_port()))
    with killing(on_free_port(binary(), tmp_path, *(bus if is_cluster else ()))) as server:
        if is_cluster:
            server.ask("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
            until(lambda: "cluster_state:ok" in server.ask("CLUSTER", "INFO"), "the cluster has all its slots")
        server.ask("CONFIG", "SET", "requirepass", "p@ss/word %41")
        scheme = "redis+cluster" if is_cluster else "redis"
        with connected(f"{scheme}://{login}127.0.0.1:{server.port}", wrap) as store:
            store.probe()
            create_row(store)


def test_unreachable_cluster_is_unavailable() -> None:
    """A cluster none of whose nodes answers is unavailable."""
    with pytest.raises(StoreError):
        connect("redis+cluster://127.0.0.1:1")


@pytest.mark.parametrize("wrap", WRAPS)
def test_unknown_sentinel_service_is_unavailable(wrap: Wrap) -> None:
    """A service that the Sentinels do not know is unavailable."""
    with connected("redis+sentinel://127.0.0.1:1/name", wrap) as store:
        assert away(store.probe) < SOON
        away(lambda: store.matches.load("match"))
