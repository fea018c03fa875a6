"""Matches that have expired in the store are answered from the archive, and deleted there too."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest
from redis import Redis

from chitarrella import errors
from chitarrella.matches import archive
from chitarrella.matches.archive import DELAY_MS, copy_name, format_copy, parse_copy
from chitarrella.matches.chance import shuffles_of
from chitarrella.matches.metadata import MOVES_LOST
from chitarrella.matches.model import CreatedMatch, CreateMatch
from chitarrella.v1 import matches_pb2 as pb
from tests.archive.test_archive import Kept, Office, kept, office
from tests.matches.playing import SHORT, choice, go_on, play_out
from tests.server.process import Player, StartService
from tests.servers import until

__all__ = ["kept", "office"]


def finished(office: Office) -> CreatedMatch:
    """A finished match that was archived."""
    created = office.service.create(CreateMatch(SHORT, platform="platform", labels=(("table", "7"),)))
    play_out(office.service, created.match)
    assert 1 == office.later(DELAY_MS)
    return created


def ttls(office: Office, match: str) -> set[int]:
    """The seconds for which the store keeps the parts of a match."""
    keys = [f"chitarrella:{{{match}}}{suffix}" for suffix in ("", ":log", ":tokens")]
    return {int(office.store.connection.client.ttl(key)) for key in keys}


def expire(office: Office, match: str) -> None:
    """End the time of a match, for the store and for the cache of the worker."""
    office.store.matches.delete(match)
    office.service.repository.forget(match)


def test_archived_match_is_kept_for_an_hour(office: Office) -> None:
    """The store keeps a match for an hour once it is archived, and not for the days that it was created with."""
    created = finished(office)
    assert {True} == {3_500 < seconds <= 3_600 for seconds in ttls(office, created.match)}


def test_expired_match_is_answered_from_the_archive(office: Office) -> None:
    """State, record, shuffles and the labels of an archived match are the same after it has expired, for an hour."""
    created = finished(office)
    repository = office.service.repository
    before = repository.load(created.match), repository.format_record(created.match)
    expire(office, created.match)
    snapshot = repository.load(created.match)
    assert before == (snapshot, repository.format_record(created.match))
    assert all(shuffle.is_provable for shuffle in shuffles_of(*repository.history(created.match), snapshot.metadata))
    assert {True} == {3_500 < seconds <= 3_600 for seconds in ttls(office, created.match)}
    expire(office, created.match)
    unknown, found = repository.load_each(["f" * 20, created.match])
    assert (True, snapshot) == (isinstance(unknown, errors.MatchNotFound), found)


def test_archived_match_goes_on_as_any(office: Office) -> None:
    """A move at an archived match is refused because it is over, and a repeated request is answered as before."""
    created = office.service.create(CreateMatch(SHORT))
    asked = choice(office.service.repository.load(created.match))._replace(request_id="first")
    first = office.service.play(created.match, asked)
    play_out(office.service, created.match)
    office.later(DELAY_MS)
    expire(office, created.match)
    again = office.service.play(created.match, asked)
    assert (first.accepted, first.revision, first.updates) == (again.accepted, again.revision, again.updates)
    expire(office, created.match)
    refused = office.service.play(created.match, asked._replace(request_id="later"))
    assert (False, ["match_over"]) == (refused.accepted, [one.code for one in refused.refusals])
    assert MOVES_LOST not in office.service.repository.read_log(created.match)[-1]


def test_unknown_ids_cost_one_look(office: Office, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """An id that nobody knows is looked up once in a minute, and what is no id never."""
    for match in ("a" * 20, "a" * 20, "b" * 20, "../" * 7, "A" * 20, ""):
        with pytest.raises(errors.MatchNotFound):
            office.service.repository.load(match)
    assert 2 == kept.reads
    monkeypatch.setattr(archive, "UNKNOWN_SECONDS", 0)
    office.archived.__init__(kept, office.copies)  # type: ignore[misc]  # with what is remembered for no time
    for _ in range(2):
        assert not office.archived.restore("a" * 20)
    assert 4 == kept.reads


def test_archive_that_is_away_says_so(office: Office, kept: Kept) -> None:
    """While the archive does not answer, nobody is told that there is no such match."""
    created = finished(office)
    expire(office, created.match)
    kept.is_away = True
    with pytest.raises(errors.StoreUnavailable):
        office.service.repository.load(created.match)
    with pytest.raises(errors.StoreUnavailable):
        office.service.delete(created.match)
    kept.is_away = False
    assert office.service.repository.load(created.match).metadata.platform == "platform"


def test_deletion_reaches_the_archive(office: Office, kept: Kept) -> None:
    """A match that is deleted leaves the archive too, also after it has expired and after the archive was away."""
    for is_expired in (False, True):
        created = finished(office)
        assert 2 == len(kept.texts)
        if is_expired:
            expire(office, created.match)
        else:
            kept.is_away = True
            with pytest.raises(errors.StoreUnavailable):
                office.service.delete(created.match)
            kept.is_away = False
        office.service.delete(created.match)
        assert {} == kept.texts
        with pytest.raises(errors.MatchNotFound):
            office.service.repository.load(created.match)


def test_match_deleted_while_it_is_archived_leaves_nothing(
    office: Office, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that is deleted between the reading and the writing of the archiver is not left in the archive."""
    created = office.service.create(CreateMatch(SHORT))
    play_out(office.service, created.match)
    put = kept.put

    def delete_first(name: str, text: str) -> None:
        monkeypatch.undo()
        monkeypatch.setattr("chitarrella.matches.archive.now_ms", lambda: office.now)
        office.service.delete(created.match)
        put(name, text)

    monkeypatch.setattr(kept, "put", delete_first)
    assert 1 == office.later(DELAY_MS)
    assert (0, {}) == (office.queued(), kept.texts)


def test_damaged_copy_is_no_match(office: Office, kept: Kept) -> None:
    """A copy that cannot be read is an error of the archive, not a match and not its absence."""
    created = finished(office)
    name = copy_name(created.match)
    whole = kept.texts[name]
    assert whole == format_copy(parse_copy(whole))
    expire(office, created.match)
    for text in ("", "{}", "[]", whole.replace('"version":1', '"version":2')):
        kept.texts[name] = text
        with pytest.raises(errors.StoreUnavailable):
            office.service.repository.load(created.match)


def test_match_that_goes_on_after_a_takeback_keeps_its_time(office: Office) -> None:
    """An archived match to which something is appended lives on as before."""
    created = office.service.create(CreateMatch(SHORT, platform="platform"))
    go_on(office.service, created.match, 1)
    assert office.copies.shorten(created.match, 60)
    go_on(office.service, created.match, 1)
    assert {True} == {seconds > 6 * 24 * 3600 for seconds in ttls(office, created.match)}


def test_service_answers_from_its_archive(tmp_path: Path, url: str, start_service: StartService) -> None:
    """Over the wire: an expired match is shown to its player, and deleted by him, as if it had not expired."""
    flags = ("--redis-url", url, "--archive", f"file://{tmp_path}/records", "--archived-expires", "1")
    service = start_service(*flags)
    player = Player(service.grpc)
    asked = pb.ListMatchMovesRequest(match_id=player.match_id)
    while player.stub.ListMatchMoves(asked, metadata=player.key(), timeout=10).moves:
        player.play()
    record = player.record()
    until(lambda: list(tmp_path.glob("records/matches/**/*.json")), "the match is archived", 60)
    for calls in range(2):
        with Redis.from_url(url) as client:
            until(lambda: not client.exists(f"chitarrella:{{{player.match_id}}}"), "it has expired", 30)
        if calls == 0:  # of the calls, this one runs on the event loop
            assert not player.stub.ListMatchMoves(asked, metadata=player.key(), timeout=10).moves
        else:
            assert record == player.record()
    player.stub.DeleteMatch(pb.DeleteMatchRequest(match_id=player.match_id), metadata=player.key(), timeout=10)
    assert [] == [path for path in tmp_path.glob("records/**/*") if path.is_file()]
    with pytest.raises(grpc.RpcError, match="NOT_FOUND"):
        player.record()
    player.close()
