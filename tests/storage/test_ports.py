"""The store ports are narrow, their fakes small, and one script of calls is answered alike by the fake and by servers.

The script is that of the ports in `matches.store`; `test_other_ports` has one for the others.
`tests.stores` runs every test with `open_store` in memory, on Valkey, on two releases of Redis and on a cluster.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from chitarrella.matches import store as ports
from chitarrella.matches.outbox import ABORTED
from chitarrella.matches.store import Announcement, Appended, Conflict, Duplicate, SearchClaim, index_entry
from chitarrella.storage.memory_store import MemoryStore
from tests.servers import until
from tests.storage.ports import FAKES, OTHERS, PORTS, Recorded, protocols
from tests.storage.rows import LONG, entries, first_row
from tests.stores import OpenStore

MOST_LINES = 60
MOST_METHODS = 8


def test_every_port_of_the_store_has_a_fake() -> None:
    """Every protocol outside of the rules is a port of the store with a class in memory, or is known to be none."""
    assert FAKES.keys() == PORTS.keys()
    assert OTHERS.keys() == {port.__name__ for port in protocols()} - PORTS.keys()
    assert {} == {
        port: missing
        for port, fake in FAKES.items()
        if (missing := [name for name in PORTS[port] if not is_in(name, fake)])
    }


def is_in(name: str, fake: type) -> bool:
    """Whether a class has a method, or an attribute that its instances get."""
    return hasattr(fake, name) or f"self.{name} = " in inspect.getsource(fake)


def test_ports_are_narrow() -> None:
    """No port of the service has more than eight methods."""
    assert {} == {port: len(names) for port, names in PORTS.items() if len(names) > MOST_METHODS}


def test_fakes_are_short() -> None:
    """Each fake, with the helpers that only it uses, has less than sixty lines, and so has each shared helper."""
    parts = dict(top_level_parts())
    fakes = {fake.__name__ for fake in FAKES.values()}
    assert fakes <= parts.keys()
    using = {name: {fake for fake in fakes if name in reachable(fake, parts, fakes)} for name in parts}
    shared = {name for name in parts.keys() - fakes if len(using[name]) > 1}
    assert {"UnexpiredMatches", "StoredMatch"} <= shared
    assert [] == [name for name in parts if not using[name]]
    lengths = {fake: sum(length(parts[name]) for name in parts if using[name] == {fake}) for fake in fakes}
    lengths |= {name: length(parts[name]) for name in shared}
    assert {} == {name: lines for name, lines in lengths.items() if lines >= MOST_LINES}


def top_level_parts() -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef]]:
    """The classes and functions of the store in memory, each with its name."""
    for file in Path(inspect.getfile(MemoryStore)).parent.glob("memory_*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                yield node.name, node


def reachable(name: str, parts: dict[str, ast.ClassDef | ast.FunctionDef], fakes: set[str]) -> set[str]:
    """A part and all that it uses, directly or through helpers; other fakes are not followed."""
    found, waiting = set[str](), [name]
    while waiting:
        found.add(part := waiting.pop())
        names = {node.id for node in ast.walk(parts[part]) if isinstance(node, ast.Name)}
        waiting += (names & parts.keys()) - fakes - found
    return found


def length(node: ast.ClassDef | ast.FunctionDef) -> int:
    """How many lines a class or function has, docstrings and blank lines included."""
    return (node.end_lineno or 0) - node.lineno + 1


def script(store: Any, called: set[tuple[str, str]]) -> Iterator[object]:
    """Call every method of the ports of matches, and give the answers."""
    joined = Recorded(store, "Store", called)
    matches, schedule = Recorded(joined.matches, "MatchStore", called), Recorded(joined.schedule, "Schedule", called)
    searches = Recorded(joined.searches, "SearchQueue", called)
    index, feeds = (
        Recorded(joined.index, "PlatformIndex", called),
        Recorded(joined.subscriptions, "Subscriptions", called),
    )
    joined.probe()
    yield len(joined.secret())
    row = first_row()
    yield [matches.create("m", row, ("table start_deal",), LONG) for _ in range(2)]
    changed: list[str] = []
    feed = Recorded(feeds.open(changed.append), "Subscription", called)
    feed.subscribe("m")
    until(lambda: bool(changed), "the subscription has begun")
    changed.clear()
    yield matches.append("m", row, entries(row, "one"), "request", LONG)
    until(lambda: bool(changed), "the change is reported")
    yield matches.append("m", row, entries(row, "two"), "other", LONG)
    yield matches.append("m", row, entries(row, "one"), "request", LONG)
    yield matches.load("m", "request")
    yield matches.read_log("m", 1)
    feed.unsubscribe("m")
    feed.close()
    announced: list[Announcement] = []
    platform_feed = feeds.open_platforms(announced.append, lambda: None)
    platform_feed.subscribe("p")
    until(lambda: bool(announced), "the subscription has begun")
    matches.create("n", row, ("table start_deal",), LONG, "p")
    matches.append("n", row, entries(row, "one"), "", LONG, "p")
    twice(lambda: matches.abort("n", "p"))
    matches.create("o", row, ("table start_deal",), LONG, "p")
    until(lambda: len(announced) >= 5, "every change is announced")
    platform_feed.close()
    yield sorted(announced, key=attrgetter("match"))  # a cluster keeps the order of each match alone
    matches.abort("m")
    yield matches.load("m")
    twice(lambda: matches.delete("m"))
    for refused in (matches.load, matches.abort, lambda match: matches.append(match, row, entries(row, "x"), "", LONG)):
        yield answer_of(refused, "m")
    yield matches.read_log("m")
    yield matches.load_many(["m", "gone"])
    schedule.set("m", 5)
    index.expiries.set("m", 7)
    yield [schedule.claim(now, 10, 9) for now in (4, 5, 6)]
    searches.put("m", "platform:p", 7)
    yield [searches.claim(owner) for owner in ("", "platform:p")]
    index.add("platform", "a" * 20, 7, ("term",))
    yield [index.page("platform", "", 9, term) for term in ("", "term", "other")]
    index.remove("platform", [index_entry("a" * 20, 7)])
    yield [index.page("platform", "", 9, term) for term in ("", "term")]
    joined.close()


def twice(command: Callable[[], object]) -> None:
    """Call a command again after it has been carried out."""
    for _ in range(2):
        command()


def answer_of(command: Callable[[str], object], match: str) -> object:
    """What a command answers: the name of its error where it raises `NoSuchMatch`."""
    with pytest.raises(ports.NoSuchMatch) as error:
        command(match)
    return error.typename


def test_every_method_of_the_ports_answers_alike_on_every_store(open_store: OpenStore) -> None:
    """One script calls every method of the ports of matches; the answers are the same in memory and on each server."""
    called: set[tuple[str, str]] = set()
    row = first_row()
    added = entries(row, "one")
    after = row._replace(length=2, revision=2, position="position 2")
    after = after._replace(log_digest=ports.chain_digest(row.log_digest, added.entries), earlier=f" {row.log_digest}")
    gone = "NoSuchMatch"
    expected = [
        *(32, [True, False], Appended(after), Conflict(after), Duplicate(1), (after, 1), ["one"]),
        [Announcement("p", match, start) for match, start in (("", 0), ("n", 0), ("n", 1), ("n", ABORTED), ("o", 0))],
        *((after._replace(aborted=True), None), gone, gone, gone, [], [None, None]),
        *([[], ["m"], []], [SearchClaim("", ("platform:p",), 1, 7), SearchClaim("m")]),
        *([[index_entry("a" * 20, 7)], [index_entry("a" * 20, 7)], []], [[], []]),
    ]
    assert expected == list(script(open_store(), called))
    of_matches = {port: names for port, names in PORTS.items() if hasattr(ports, port)}
    assert {(port, name) for port, names in of_matches.items() for name in names} == called
