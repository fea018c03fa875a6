"""Keys replaced through the client, with both faces: the result goes on, and the old key does not."""

from __future__ import annotations

import pytest

from chitarrella_client import Chitarrella, errors
from tests.client.conftest import Opens
from tests.client.proxy import Proxy


def test_seat_and_referee_replace_keys(client: Chitarrella) -> None:
    """A seat replaces its own key, the referee that of a seat, then its own; each result has the new keys."""
    match = client.create_match("briscola")
    before = match.as_seat(0)
    safe = before.rotate_key()
    assert (0, safe.key) == (safe.get().seat, safe.keys[0])
    with pytest.raises(errors.BadKey):
        before.get()
    after = match.rotate_key(0)
    assert match.key == after.key
    assert 0 == after.as_seat(0).get().seat
    with pytest.raises(errors.BadKey):
        safe.get()
    last = after.rotate_key()
    assert dict(after.keys) == dict(last.keys)
    assert last.legal_moves().seat is not None
    with pytest.raises(errors.BadKey):
        after.abort()
    assert 1 == last.as_seat(1).get().seat
    assert not any(key in repr(one) for one in (safe, last) for key in (safe.key, last.key))


def test_watch_with_a_closed_key_raises(client: Chitarrella) -> None:
    """A watch does not go on reconnecting with a key that was replaced."""
    match = client.create_match("briscola")
    seat = match.as_seat(0)
    watch = seat.watch()
    assert 1 == next(watch).revision
    seat.rotate_key()
    with pytest.raises(errors.BadKey):
        next(watch)


def test_lost_answer_gives_the_key_again(opens_through: Opens, proxy: Proxy) -> None:
    """A rotation whose answer is lost is repeated by the client with the old key, and gives the new one."""
    match = opens_through().create_match("briscola")
    for role in (match.as_seat(1), match):
        proxy.lose_answers(1)
        safe = role.rotate_key()
        assert safe.key != role.key
        assert safe.get().revision == 1
        with pytest.raises(errors.BadKey):
            role.get()
    assert 2 == proxy.lost
