"""The store on several servers: a cluster that loses a node, a failover, and addresses of all kinds."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from chitarrella.storage.embedded_valkey import binary
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import Conflict, Duplicate, MatchRow, StoreError
from tests.loop_stores import WRAPS, Wrap
from tests.servers import Cluster, Sentinels, Server, free_port, on_free_port, until
from tests.storage.rows import DEAL, LONG, SOON, Listener, append, away, create_row, entries, listening


def test_subscriptions_elsewhere_go_on_when_a_node_dies(tmp_path: Path) -> None:
    """When a master of a cluster dies, the matches of other nodes and their news go on."""
    cluster = Cluster(binary(), tmp_path)
    store = RedisStore(connect(cluster.url))
    try:
        rows = {name: create_row(store, name) for name in (f"match{n}" for n in range(12))}
        listener = Listener()
        with listening(store, listener, *rows):
            for name in rows:
                listener.wait_for(name)
            assert [True] * 3 == [_announces(node) for node in cluster.nodes], "one subscription at each node"
            cluster.nodes[0].kill()
            elsewhere = [name for name in rows if cluster.place(f"chitarrella:{{{name}}}")]
            assert 0 < len(elsewhere) < len(rows)
            listener.clear()
            for name in elsewhere:
                append(store, rows[name], "move", match=name)
            for name in elsewhere:
                listener.wait_for(name)
    finally:
        store.close()
        cluster.kill()


def test_subscription_follows_its_slot(tmp_path: Path) -> None:
    """When the slot of a match moves to another node, its watchers are told to look again, and receive later moves."""
    cluster = Cluster(binary(), tmp_path)
    store, watching = RedisStore(connect(cluster.url)), RedisStore(connect(cluster.url))
    try:
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
            other = append(store, other, "move", match="other")
            listener.wait_for("other")
    finally:
        store.close()
        watching.close()
        cluster.kill()


def _announces(node: Server) -> bool:
    """Whether a client is subscribed at this node."""
    with node.client() as client:
        return bool(client.client_list(_type="pubsub"))


# ---------------------------------------------------------------------- failover


@pytest.mark.parametrize("wrap", WRAPS)
def test_failover_keeps_what_reached_the_new_master(tmp_path: Path, wrap: Wrap) -> None:
    """After a failover what reached the new master is kept; a writer of lost entries gets a conflict."""
    guarded = Sentinels(binary(), tmp_path)
    store, listener = wrap(RedisStore(connect(guarded.url))), Listener()
    line = store.subscriptions.open(listener)
    line.subscribe("match")
    try:
        row = create_row(store)
        for number in range(20):
            row = append(store, row, f"kept {number}", f"request {number}")
        kept = row
        until(lambda: _caught_up(guarded), "the replica has it all")
        listener.wait_for("match")
        guarded.replica.pause()
        guarded.master.ask("CLIENT", "KILL", "TYPE", "replica")
        for number in range(3):
            row = append(store, row, f"lost {number}", f"lost request {number}")
        guarded.master.kill()
        listener.clear()
        guarded.replica.resume()
        answer = until(lambda: _tried(store, row), "somebody is master again")
        assert Conflict(kept) == answer
        listener.wait_for("match")
        listener.clear()
        again = store.matches.append("match", row, entries(row, "x"), "request 19", LONG)
        assert Duplicate(20) == again
        row = append(store, kept, "next", "next request")
        listener.wait_for("match")
        assert [*DEAL, *(f"kept {number}" for number in range(20)), "next"] == store.matches.read_log("match")
    finally:
        line.close()
        store.close()
        guarded.kill()


def _caught_up(guarded: Sentinels) -> bool:
    state = guarded.master.ask("INFO", "replication")
    return bool(state["master_repl_offset"] == state["slave0"]["offset"])


def _tried(store: RedisStore, row: MatchRow) -> Any:
    """Add a move; None while the store is away."""
    try:
        return store.matches.append("match", row, entries(row, "x"), "late request", LONG)
    except StoreError:
        return None


@pytest.mark.parametrize("wrap", WRAPS)
def test_hanging_node_fails_fast_and_others_go_on(tmp_path: Path, wrap: Wrap) -> None:
    """A hanging node fails within the timeout; matches at the other nodes go on meanwhile."""
    cluster = Cluster(binary(), tmp_path)
    store = wrap(RedisStore(connect(cluster.url)))
    try:
        rows = {name: create_row(store, name) for name in (f"match{n}" for n in range(12))}
        places = {name: cluster.place(f"chitarrella:{{{name}}}") for name in rows}
        cluster.nodes[0].pause()
        hung = next(name for name, place in places.items() if place == 0)
        assert away(lambda: store.matches.load(hung)) < 2 * SOON
        for name in (name for name, place in places.items() if place != 0):
            append(store, rows[name], "move", match=name)
        cluster.nodes[0].resume()
        until(lambda: _is_there(store, hung), "the node is there again")
    finally:
        store.close()
        cluster.kill()


def _is_there(store: RedisStore, match: str) -> bool:
    with suppress(StoreError):
        return bool(store.matches.load(match))
    return False


# ---------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "localhost",
        "http://localhost",
        "redis://localhost:port",
        "redis+sentinel://localhost",
        "redis+sentinel:///name",
        "redis+sentinel://localhost/name/first",
        "redis+sentinel://localhost:port/name",
        "redis+sentinel://a,,b/name",
        "redis+cluster://",
        "redis+cluster://localhost:port",
    ],
)
def test_invalid_address_is_an_error_before_connecting(bad: str) -> None:
    """An invalid address is an error before anything is asked."""
    with pytest.raises(ValueError, match=r"\S"):
        connect(bad)


@pytest.mark.parametrize("wrap", WRAPS)
def test_password_in_an_address_is_percent_decoded(server: Server, wrap: Wrap) -> None:
    """A password in an address is percent-encoded, %40 for @, for every kind of address."""
    server.ask("CONFIG", "SET", "requirepass", "p@ss/word %41")
    store = wrap(RedisStore(connect(server.url.replace("unix://", "unix://:p%40ss%2Fword%20%2541@"))))
    store.probe()
    store.close()


@pytest.mark.parametrize("wrap", WRAPS)
def test_cluster_password_is_percent_decoded(tmp_path: Path, wrap: Wrap) -> None:
    """The same holds for the password of a cluster, here one of a single node."""
    node = on_free_port(binary(), tmp_path, "--cluster-enabled", "yes", "--cluster-port", str(free_port()))
    node.ask("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
    until(lambda: "cluster_state:ok" in node.ask("CLUSTER", "INFO"), "the cluster has all its slots")
    node.ask("CONFIG", "SET", "requirepass", "p@ss/word %41")
    try:
        store = wrap(RedisStore(connect(f"redis+cluster://:p%40ss%2Fword%20%2541@127.0.0.1:{node.port}")))
        create_row(store)
        store.close()
    finally:
        node.kill()


def test_unreachable_cluster_is_unavailable() -> None:
    """A cluster none of whose nodes answers is unavailable."""
    with pytest.raises(StoreError):
        connect("redis+cluster://127.0.0.1:1")


@pytest.mark.parametrize("wrap", WRAPS)
def test_unknown_sentinel_service_is_unavailable(server: Server, wrap: Wrap) -> None:
    """A service that the Sentinels do not know is unavailable."""
    store = wrap(RedisStore(connect("redis+sentinel://127.0.0.1:1/name")))
    assert away(store.probe) < SOON
    with pytest.raises(StoreError):
        store.matches.load("match")
    store.close()
