"""What a newer release has written: it is refused with a reason code, and never changed."""

from __future__ import annotations

from typing import Any

import pytest

from chitarrella import errors
from chitarrella.matches.control import decode_control, parse_action
from chitarrella.matches.metadata import decode_metadata
from chitarrella.matches.model import CreateMatch
from chitarrella.matches.service import MatchService
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import NewEntries
from tests.matches.playing import LONG_MATCH, choice, go_on, raised


@pytest.mark.parametrize("control", ['{"later":1}', '{"bots":[{"seat":0,"bot":"greedy","later":1}]}'])
def test_unknown_control_state_is_refused(service: MatchService, store: RedisStore, control: str) -> None:
    """A match whose control state has an unknown field is refused by reads and moves, and stays as it is."""
    created = service.create(CreateMatch(LONG_MATCH))
    row = service.repository.load(created.match).row
    request = choice(service.repository.load(created.match))
    new = NewEntries(("0 !later",), row.position, row.revision + 1, control)
    store.matches.append(created.match, row, new, "", 1000)
    before = store.matches.load(created.match)
    for call in (lambda: service.repository.load(created.match), lambda: service.play(created.match, request)):
        with pytest.raises(errors.NotPossibleNow) as wrong:
            call()
        raised(errors.NotPossibleNow, "edition_not_supported", by=wrong.value)
    assert before == store.matches.load(created.match)


def test_unknown_log_entry_is_refused_where_the_log_is_read(service: MatchService, store: RedisStore) -> None:
    """A match whose log has an unknown control action is played on, and refused where the log has to be replayed."""
    created = service.create(CreateMatch(LONG_MATCH))
    row = service.repository.load(created.match).row
    store.matches.append(created.match, row, NewEntries(("0 !later",), row.position, row.revision + 1), "", 1000)
    go_on(service, created.match, 2)
    with pytest.raises(errors.NotPossibleNow) as wrong:
        service.repository.format_record(created.match)
    raised(errors.NotPossibleNow, "edition_not_supported", by=wrong.value)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (decode_control, '{"later":1}'),
        (parse_action, "0 !later x"),
        (decode_metadata, '{"rule_set":{"options":[]},"clock":{},"seats":[],"key_hashes":[],"later":1}'),
        (decode_metadata, '{"rule_set":{"options":[]},"clock":{"later":1},"seats":[],"key_hashes":[]}'),
    ],
)
def test_unknown_part_is_refused(read: Any, text: str) -> None:
    """An unknown field or kind is refused with the code of unknown editions."""
    with pytest.raises(errors.NotPossibleNow) as wrong:
        read(text)
    raised(errors.NotPossibleNow, "edition_not_supported", by=wrong.value)
