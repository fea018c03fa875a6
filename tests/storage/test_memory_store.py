"""The in-process store where it differs from a server: expiry by the clock of the process.

The contract that all kinds of store keep is tested in the other modules of this folder, on this one too.
"""

from __future__ import annotations

import pytest

from chitarrella.matches.store import NoSuchMatch
from chitarrella.storage.memory_store import MemoryStore
from tests.servers import until
from tests.storage.rows import create_row


def test_expired_match_is_gone_and_its_name_is_free() -> None:
    """A match whose time is over is not there, and its name may be used anew; every move renews its life."""
    store = MemoryStore()
    create_row(store, expires=0)
    with pytest.raises(NoSuchMatch):
        store.matches.load("match")
    create_row(store, expires=1)
    until(lambda: not store.matches.read_log("match"), "the match has expired", 5)
    store.matches.delete("match")
    for command in (store.matches.abort, store.matches.load):
        with pytest.raises(NoSuchMatch):
            command("match")
