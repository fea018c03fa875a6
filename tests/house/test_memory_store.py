"""The store in memory keeps the contract of all stores: the same sentences, but for those about servers."""

from __future__ import annotations

import time
from collections import defaultdict
from types import FunctionType

import pytest

from chitarrella.memory_store import MemoryStore
from chitarrella.store import NoSuchMatch, Store
from tests.house import test_store as contract
from tests.house import test_store_lists as lists
from tests.house import test_store_news as news
from tests.house.pages import opened

SENTENCES = [
    test
    for module in (contract, lists, news)
    for name, test in vars(module).items()
    if name.startswith("test_") and "raw" not in test.__code__.co_varnames[: test.__code__.co_argcount]
    and not hasattr(test, "pytestmark")
]  # fmt: skip


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda test: test.__name__)
def test_a_sentence_of_the_contract(sentence: FunctionType) -> None:
    """What holds on every kind of server holds here, one store being shared by all workers."""
    houses: defaultdict[str, MemoryStore] = defaultdict(MemoryStore)

    def make(prefix: str = "chitarrella") -> MemoryStore:
        return houses[prefix]

    given = {"store": make(), "make": make}
    sentence(**{name: given[name] for name in sentence.__code__.co_varnames[: sentence.__code__.co_argcount]})


def test_what_is_forgotten() -> None:
    """A match whose time is over is not there, and its name may be used anew; every move renews its life."""
    store: Store = MemoryStore()
    opened(store, expires=0)  # type: ignore[arg-type]  # it asks for no more than a store
    with pytest.raises(NoSuchMatch):
        store.last("match")
    opened(store, expires=1)  # type: ignore[arg-type]
    time.sleep(1.05)
    assert [] == store.moves("match")
    store.delete("match")
    for command in (store.end, store.last):
        with pytest.raises(NoSuchMatch):
            command("match")


def test_there_are_sentences() -> None:
    """The contract has not gone away."""
    assert len(SENTENCES) >= 15
