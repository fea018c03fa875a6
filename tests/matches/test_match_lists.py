"""The matches of a platform are listed by external id, label and name of a player."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.matches import match_lists
from chitarrella.matches.match_lists import NO_FILTER, MatchFilter
from chitarrella.matches.match_time import now_ms
from chitarrella.matches.metadata import decode_metadata, encode_metadata
from chitarrella.matches.model import CreateMatch
from chitarrella.matches.scheduler import Scheduler
from chitarrella.matches.service import MatchService
from chitarrella.storage.redis_store import RedisStore
from tests.matches.playing import SHORT, operations
from tests.servers import until

REQUEST = CreateMatch(
    SHORT,
    platform="acme",
    external_id="game 7",
    labels=(("cup", "spring"), ("round", "1")),
    player_names=((0, "Ada"), (1, "Zoë <b>")),
)


def listed(service: MatchService, wanted: MatchFilter = NO_FILTER) -> list[str]:
    """The ids of the matches that fit, over all pages of three."""
    found, after = [], ""
    while True:
        page, after = service.lists.page("acme", after, 3, wanted)
        found += [match for match, _ in page]
        if not after:
            return found


def test_matches_are_found_by_each_term_and_by_several(service: MatchService) -> None:
    """A list holds the matches that have all the terms that are asked for, of the platform that asks."""
    first = service.create(REQUEST).match
    second = service.create(REQUEST._replace(external_id="", labels=(("cup", "spring"),))).match
    service.create(REQUEST._replace(platform="club"))
    service.create(CreateMatch(SHORT, platform="acme"))
    both = {first, second}
    assert 3 == len(listed(service))
    assert [first] == listed(service, MatchFilter(external_id="game 7"))
    assert both == set(listed(service, MatchFilter(player_name="Zoë <b>")))
    assert both == set(listed(service, MatchFilter(labels=(("cup", "spring"),))))
    assert [first] == listed(service, MatchFilter(labels=(("cup", "spring"), ("round", "1")), player_name="Ada"))
    for unknown in (
        MatchFilter(external_id="game"),
        MatchFilter(player_name="ada"),
        MatchFilter(labels=(("cup", "spring"), ("round", "2"))),
        MatchFilter(external_id="game 7", player_name="Bob"),
    ):
        assert [] == listed(service, unknown)


def test_every_match_is_listed_once_over_all_pages(service: MatchService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of a filtered list hold each match once, however many entries are read at a time."""
    parities = ["0", "1"] * 10
    requests = [REQUEST._replace(labels=(("cup", "spring"), ("parity", parity))) for parity in parities]
    created = [service.create(request).match for request in requests]
    even = set(created[::2])
    monkeypatch.setattr(match_lists, "READ_SIZE", 2)
    monkeypatch.setattr(match_lists, "MAX_READS", 1)
    found = listed(service, MatchFilter(labels=(("cup", "spring"), ("parity", "0"))))
    assert (10, even) == (len(found), set(found))


def test_deleted_match_leaves_every_list_and_every_key(service: MatchService, store: RedisStore) -> None:
    """A deleted match leaves nothing in the store, and its names are gone with it."""
    service.delete(service.create(REQUEST).match)
    assert [] == listed(service, MatchFilter(external_id="game 7"))
    assert ["chitarrella:secret"] == sorted(store.connection.client.keys("*"))


def test_expired_match_leaves_every_list_when_one_is_read(service: MatchService, store: RedisStore) -> None:
    """The first list that meets an expired match removes it from all of them."""
    match = service.create(REQUEST).match
    store.matches.delete(match)
    assert 7 == len(store.connection.client.keys("*platform*"))  # all, five terms, and the terms of the entry
    assert [] == listed(service)
    assert [] == store.connection.client.keys("*platform*")


@pytest.mark.parametrize("request_", [REQUEST, CreateMatch(SHORT)], ids=["of a platform", "anonymous"])
def test_expired_match_leaves_every_list_though_nobody_reads_one(
    service: MatchService, store: RedisStore, monkeypatch: pytest.MonkeyPatch, request_: CreateMatch
) -> None:
    """When its time is over, a match is looked at, and an expired one leaves all lists; one that is there stays."""
    client, scheduler = store.connection.client, Scheduler(operations(service), store, poll_seconds=0.01)
    gone, there = (service.create(request_).match for _ in range(2))
    assert 0 == service.lists.remove_expired(10)
    store.matches.delete(gone)
    later = now_ms() + request_.ttl_seconds * 1000 + 8 * 24 * 3600 * 1000
    monkeypatch.setattr(match_lists, "now_ms", lambda: later)
    scheduler.start()
    until(lambda: 1 == client.zcard("chitarrella:expiries"), "the expired match is removed")
    scheduler.close()
    entries = {entry for key in client.keys("*platform:*") for entry in client.zrange(key, 0, -1)}
    assert {there} == {entry.partition(".")[2] for entry in entries}
    assert 0 == service.lists.remove_expired(10)


def test_names_stand_only_in_the_row(service: MatchService, store: RedisStore) -> None:
    """No key and no value of the store but the metadata of the match holds the name of a player."""
    match = service.create(REQUEST._replace(player_names=((0, "Grazia"),))).match
    client: Any = store.connection.client
    holders = []
    for key in client.keys("*"):
        assert "Grazia" not in key
        if "Grazia" in str(client.dump(key) if client.type(key) != "hash" else client.hgetall(key)):
            holders.append(key)
    assert [f"chitarrella:{{{match}}}"] == holders
    assert "Grazia" not in service.repository.format_record(match)


def test_request_id_covers_the_labels(service: MatchService) -> None:
    """A repeated request id with other labels or names is refused; without any, old requests stay the same."""
    known = REQUEST._replace(request_id="0123456789abcdef")
    assert service.create(known).match == service.create(known).match
    for changed in (
        known._replace(external_id="game 8"),
        known._replace(labels=(("cup", "autumn"),)),
        known._replace(player_names=((0, "Bob"),)),
    ):
        with pytest.raises(errors.AlreadyExists):
            service.create(changed)
    assert "ac3c2761d1d425fdd4186ea4739440cc" == CreateMatch(SHORT).fingerprint()


def test_rows_of_older_releases_are_read(service: MatchService) -> None:
    """Optional fields that a match does not use are not in its row, and decode as empty ones."""
    metadata = service.create(CreateMatch(SHORT)).snapshot.metadata
    fields = json.loads(encode_metadata(metadata))
    assert not {"external_id", "labels", "player_names", "sandbox"} & fields.keys()
    assert metadata == decode_metadata(json.dumps(fields))
    labelled = service.create(REQUEST).snapshot.metadata
    assert labelled == decode_metadata(encode_metadata(labelled))
