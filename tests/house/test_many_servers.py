"""The store on several servers: a cluster that loses a node, a failover, and addresses of all kinds."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from chitarrella.embedded import binary
from chitarrella.redis_store import RedisStore, connect
from chitarrella.store import Again, Moved, Page, StoreAway
from tests.house.pages import DEAL, LONG, SOON, Ear, added, away, lines, listening, opened
from tests.servers import Cluster, Sentinels, Server, free_port, on_free_port, until


def test_the_node_of_the_cluster_that_told_the_news_dies(tmp_path: Path) -> None:
    """When a master of a cluster dies, matches that lie elsewhere are played on, and heard of from another node."""
    cluster = Cluster(binary(), tmp_path)
    store = RedisStore(connect(cluster.url))
    try:
        pages = {name: opened(store, name) for name in (f"match{n}" for n in range(12))}
        ear = Ear()
        with listening(store, ear, *pages):
            for name in pages:
                ear.hears(name)
            dead = next(place for place, node in enumerate(cluster.nodes) if _tells(node))
            cluster.nodes[dead].kill()
            elsewhere = [name for name in pages if dead != cluster.place(f"chitarrella:{{{name}}}")]
            assert 0 < len(elsewhere) < len(pages)
            ear.forget()
            for name in elsewhere:
                added(store, pages[name], "move", match=name)
            for name in elsewhere:
                ear.hears(name)
    finally:
        store.close()
        cluster.kill()


def _tells(node: Server) -> bool:
    """Tell whether somebody listens at this node."""
    with node.client() as client:
        return bool(client.client_list(_type="pubsub"))


# ---------------------------------------------------------------------- failover


def test_a_failover(tmp_path: Path) -> None:
    """When the Sentinels choose a new master, what reached it is kept; a writer of what did not is shown the page."""
    guarded = Sentinels(binary(), tmp_path)
    store, ear = RedisStore(connect(guarded.url)), Ear()
    line = store.listen(ear)
    line.follow("match")
    try:
        page = opened(store)
        for number in range(20):
            page = added(store, page, f"kept {number}", f"request {number}")
        kept = page
        until(lambda: _caught_up(guarded), "the replica has it all")
        ear.hears("match")
        guarded.replica.pause()
        guarded.master.ask("CLIENT", "KILL", "TYPE", "replica")
        for number in range(3):
            page = added(store, page, f"lost {number}", f"lost request {number}")
        guarded.master.kill()
        ear.forget()
        guarded.replica.resume()
        answer = until(lambda: _tried(store, page), "somebody is master again")
        assert Moved(kept) == answer
        ear.hears("match")
        ear.forget()
        again = store.append("match", page, lines(page, "x"), "request 19", LONG)
        assert Again(20) == again
        page = added(store, kept, "next", "next request")
        ear.hears("match")
        assert [*DEAL, *(f"kept {number}" for number in range(20)), "next"] == store.moves("match")
    finally:
        line.close()
        store.close()
        guarded.kill()


def _caught_up(guarded: Sentinels) -> bool:
    state = guarded.master.ask("INFO", "replication")
    return bool(state["master_repl_offset"] == state["slave0"]["offset"])


def _tried(store: RedisStore, page: Page) -> Any:
    """Add a move; None while the store is away."""
    try:
        return store.append("match", page, lines(page, "x"), "late request", LONG)
    except StoreAway:
        return None


def test_a_cluster_that_hangs(tmp_path: Path) -> None:
    """Of a node of a cluster that hangs, whoever asks learns soon; the matches at other nodes go on meanwhile."""
    cluster = Cluster(binary(), tmp_path)
    store = RedisStore(connect(cluster.url))
    try:
        pages = {name: opened(store, name) for name in (f"match{n}" for n in range(12))}
        places = {name: cluster.place(f"chitarrella:{{{name}}}") for name in pages}
        cluster.nodes[0].pause()
        hung = next(name for name, place in places.items() if place == 0)
        assert away(lambda: store.last(hung)) < 2 * SOON
        for name in (name for name, place in places.items() if place != 0):
            added(store, pages[name], "move", match=name)
        cluster.nodes[0].resume()
        until(lambda: _is_there(store, hung), "the node is there again")
    finally:
        store.close()
        cluster.kill()


def _is_there(store: RedisStore, match: str) -> bool:
    with suppress(StoreAway):
        return bool(store.last(match))
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
def test_an_address_that_cannot_be_read(bad: str) -> None:
    """An address that cannot be read is said to be one, before anything is asked."""
    with pytest.raises(ValueError, match=r"\S"):
        connect(bad)


def test_a_password_with_marks(server: Server) -> None:
    """A password is written into an address as addresses have it, with %40 for @, whatever kind of address it is."""
    server.ask("CONFIG", "SET", "requirepass", "p@ss/word %41")
    store = RedisStore(connect(server.url.replace("unix://", "unix://:p%40ss%2Fword%20%2541@")))
    store.ping()
    store.close()


def test_a_password_of_a_cluster(tmp_path: Path) -> None:
    """So is the password of a cluster, here one of a single node."""
    node = on_free_port(binary(), tmp_path, "--cluster-enabled", "yes", "--cluster-port", str(free_port()))
    node.ask("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
    until(lambda: "cluster_state:ok" in node.ask("CLUSTER", "INFO"), "the cluster has all its slots")
    node.ask("CONFIG", "SET", "requirepass", "p@ss/word %41")
    try:
        store = RedisStore(connect(f"redis+cluster://:p%40ss%2Fword%20%2541@127.0.0.1:{node.port}"))
        opened(store)
        store.close()
    finally:
        node.kill()


def test_a_cluster_that_is_not_there() -> None:
    """A cluster none of whose nodes answers is away."""
    with pytest.raises(StoreAway):
        connect("redis+cluster://127.0.0.1:1")


def test_an_unknown_service_of_the_sentinels(server: Server) -> None:
    """A service that the Sentinels do not know is a store that is away."""
    store = RedisStore(connect("redis+sentinel://127.0.0.1:1/name"))
    assert away(store.ping) < SOON
    with pytest.raises(StoreAway):
        store.last("match")
    store.close()
