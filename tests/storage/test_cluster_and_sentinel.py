"""The store on several servers: a cluster that loses a node, a failover, and addresses of all kinds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from chitarrella.storage.embedded_valkey import binary
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import Conflict, Duplicate, MatchRow, StoreError
from tests.loop_stores import WRAPS, Wrap
from tests.servers import Cluster, Sentinels, Server, free_port, on_free_port, until
from tests.storage.rows import (
    DEAL,
    LONG,
    SOON,
    Listener,
    append,
    away,
    connected,
    create_row,
    entries,
    killing,
    listening,
)


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster that all tests share; each leaves its nodes running."""
    with killing(Cluster(binary(), tmp_path_factory.mktemp("c"))) as cluster:
        yield cluster


@pytest.fixture
def cluster(nodes: Cluster) -> Cluster:
    """The cluster, empty."""
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
            assert [True] * 3 == [_announces(node) for node in cluster.nodes], "one subscription at each node"
            cluster.nodes[0].pause()
            assert away(lambda: store.matches.load(hung)) < 2 * SOON
            listener.clear()
            for name in elsewhere:
                append(store, rows[name], "move", match=name)
            for name in elsewhere:
                listener.wait_for(name)
            cluster.nodes[0].resume()
        until(lambda: _is_there(store, hung), "the node is there again")


def _announces(node: Server) -> bool:
    """Whether a client is subscribed at this node."""
    with node.client() as client:
        return bool(client.client_list(_type="pubsub"))


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
        append(store, kept, "next", "next request")
        listener.wait_for("match")
        assert [*DEAL, *(f"kept {number}" for number in range(20)), "next"] == store.matches.read_log("match")


def _caught_up(guarded: Sentinels) -> bool:
    state = guarded.master.ask("INFO", "replication")
    return bool(state["master_repl_offset"] == state["slave0"]["offset"])


def _tried(store: RedisStore, row: MatchRow) -> Any:
    """Add a move; None while the store is away."""
    try:
        return store.matches.append("match", row, entries(row, "x"), "late request", LONG)
    except StoreError:
        return None


def _is_there(store: RedisStore, match: str) -> bool:
    with suppress(StoreError):
        return bool(store.matches.load(match))
    return False


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
