"""The archive of finished matches: each comes there once it is finished, whatever fails meanwhile."""

from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from redis import Redis

from chitarrella import errors, v1
from chitarrella.matches import archive as archiving
from chitarrella.matches.archive import DELAY_MS, LEASE_MS, ArchivedMatches, Archiver, format_copy, parse_copy
from chitarrella.matches.chance import Signer, parse_signer, shuffles_of
from chitarrella.matches.clock import now_ms
from chitarrella.matches.metadata import MOVES_LOST, role_of_key
from chitarrella.matches.model import CreatedMatch, CreateMatch
from chitarrella.matches.service import MatchService
from chitarrella.storage.archive import Archive, ArchiveError, ArchiveQueue, MatchCopyStore, open_archive, parse_archive
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import StoreError
from tests.archive.conftest import S3Server
from tests.matches.playing import CATALOGUE, LONG_MATCH, SHORT, choice, fails, go_on, operations, play_out
from tests.matches.playing import expire as drop
from tests.server.process import Player, StartService
from tests.servers import until


class Kept:
    """An archive in memory that can be away."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.is_away = False
        self.reads = 0

    @property
    def records(self) -> dict[str, str]:
        return {name: text for name, text in self.texts.items() if name.endswith(".txt")}

    def put(self, name: str, text: str) -> None:
        self._check()
        self.texts[name] = text

    def get(self, name: str) -> str | None:
        self._check()
        self.reads += 1
        return self.texts.get(name)

    def delete(self, name: str) -> None:
        self._check()
        self.texts.pop(name, None)

    def _check(self) -> None:
        if self.is_away:
            raise ArchiveError("away")


class Office:
    """A match service with an archive; the time of the archiver is the test's."""

    def __init__(self, store: RedisStore, archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store, self.now = store, now_ms()
        monkeypatch.setattr(archiving, "now_ms", lambda: self.now)
        self.queue = ArchiveQueue(store.connection)
        self.signer = Signer(Ed25519PrivateKey.generate())
        self.copies = MatchCopyStore(store.connection)
        self.archived = ArchivedMatches(archive, self.queue, self.copies)
        self.service = MatchService(CATALOGUE, store, archived=self.archived)
        self.archiver = Archiver(self.service.repository, self.archived, self.signer)

    def later(self, milliseconds: int) -> int:
        self.now += milliseconds
        return self.archiver.run_once()

    def ttls(self, match: str) -> set[int]:
        keys = [f"chitarrella:{{{match}}}{suffix}" for suffix in ("", ":log", ":tokens")]
        return {int(self.store.connection.client.ttl(key)) for key in keys}

    def queued(self) -> int:
        return int(self.store.connection.client.zcard("chitarrella:archive"))


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def office(store: RedisStore, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> Office:
    return Office(store, kept, monkeypatch)


def name_of(service: MatchService, match: str) -> str:
    return archiving.names_of(match, service.repository.load(match).metadata.created_at)[0]


def test_finished_record_is_archived_signed(office: Office, kept: Kept) -> None:
    """A finished match comes into the archive once, as its signed record; no running or deleted one does."""
    created, gone, other = (office.service.create(CreateMatch(rules)) for rules in (SHORT, SHORT, LONG_MATCH))
    go_on(office.service, other.match, 5)
    for one in (created, gone):
        play_out(office.service, one.match)
    office.service.delete(gone.match)
    assert 0 == office.later(DELAY_MS - 5_000)
    assert 2 == office.later(5_000)
    assert {name_of(office.service, created.match)} == kept.records.keys()
    text = next(iter(kept.records.values()))
    assert office.signer.public_key == parse_signer(text)
    assert text == office.signer.sign(office.service.repository.format_record(created.match))
    assert 0 == office.queued() == office.later(LEASE_MS)


@pytest.mark.parametrize("is_appended", [True, False], ids=["after", "before"])
def test_worker_killed_at_the_append_loses_no_record(
    office: Office, kept: Kept, monkeypatch: pytest.MonkeyPatch, is_appended: bool
) -> None:
    """A worker that ends right behind the append loses no record; without the append nothing is archived."""
    created = office.service.create(CreateMatch(SHORT))
    append = office.store.matches.append

    def cut(match: str, *rest: Any) -> Any:
        if not office.queued():
            return append(match, *rest)
        if is_appended:
            append(match, *rest)
        raise StoreError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(office.store.matches, "append", cut)
        with pytest.raises(errors.StoreUnavailable):
            play_out(office.service, created.match)
    assert 1 == office.queued()
    assert 1 == office.later(DELAY_MS)
    assert (0, int(is_appended)) == (office.queued(), len(kept.records))


def test_move_is_refused_where_its_record_cannot_be_queued(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the queue cannot be written, the move that would finish the match is not made."""

    def failing(match: str, when: int) -> None:
        raise StoreError("away")

    created = office.service.create(CreateMatch(SHORT))
    with monkeypatch.context() as patched:
        patched.setattr(office.queue, "add", failing)
        with pytest.raises(errors.StoreUnavailable):
            play_out(office.service, created.match)
    snapshot = office.service.repository.load(created.match)
    assert not snapshot.game.is_finished(snapshot.position)
    office.service.play(created.match, choice(snapshot))
    assert 1 == office.queued()


def test_archive_that_is_away_is_tried_again_and_the_match_kept(office: Office, kept: Kept) -> None:
    """While the archive is away nothing is lost: the match lives on for an hour after each attempt, or for longer."""
    created = office.service.create(CreateMatch(SHORT, ttl_seconds=60))
    long = office.service.create(CreateMatch(SHORT, platform="platform"))
    for one in (created, long):
        play_out(office.service, one.match)
    kept.is_away = True
    for _ in range(3):
        assert 2 == office.later(LEASE_MS)
    assert all(3_500 < seconds <= 3_600 for seconds in office.ttls(created.match))
    assert all(seconds > 6 * 24 * 3600 for seconds in office.ttls(long.match))
    kept.is_away = False
    assert 0 == office.later(LEASE_MS - 1)
    assert 2 == office.later(1)
    assert (0, {name_of(office.service, one.match) for one in (created, long)}) == (office.queued(), set(kept.records))


def test_match_queued_anew_while_it_is_archived_stays_queued(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that is finished again while its record is written, after a takeback, is archived once more."""
    created = office.service.create(CreateMatch(SHORT))
    play_out(office.service, created.match)
    written: list[str] = []

    def put(name: str, text: str) -> None:
        written.append(name)
        if len(written) == 1:
            office.archived.finishing(created.match)

    monkeypatch.setattr(office.archiver, "_archive", type("Archive", (), {"put": staticmethod(put)}))
    assert 1 == office.later(DELAY_MS)
    assert 1 == office.later(LEASE_MS)
    assert (0, 4, 2) == (office.queued(), len(written), len(set(written)))


def test_folder_that_cannot_be_written_is_refused_at_the_start(tmp_path: Path) -> None:
    """An archive in a folder that cannot be made, or is a file, ends the start with its name."""
    file = tmp_path / "file"
    file.touch()
    for folder in (Path("/proc/none"), file):
        with pytest.raises(ValueError, match=f"the archive {folder} cannot be written"):
            open_archive(f"file://{folder}")
    open_archive(f"file://{tmp_path}/new")
    assert [] == list((tmp_path / "new").iterdir())


# ---------------------------------------------------------------------- archive places


@pytest.fixture(params=["folder", "bucket"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Archive:
    if request.param == "folder":
        return open_archive(f"file://{tmp_path}/a%20b")
    request.getfixturevalue("s3")
    return open_archive("s3://records/of/cards")


def test_places_hold_whole_texts_by_name(place: Archive, tmp_path: Path) -> None:
    """A folder and a bucket hold one text for a name, the last one, and nothing else."""
    name = "2026/11/24/match.txt"
    assert place.get(name) is None
    for text in ("first\n", "coppe è\n"):
        place.put(name, text)
        assert text == place.get(name)
    assert ["coppe è\n"] == [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    for _ in range(2):
        place.delete(name)
    assert place.get(name) is None


def test_folder_that_cannot_take_a_record_says_so(tmp_path: Path) -> None:
    """A record whose folder is a file is an error of the archive."""
    (tmp_path / "2027").write_text("")
    with pytest.raises(ArchiveError, match=r"NotADirectoryError|FileExistsError"):
        open_archive(f"file://{tmp_path}").put("2027/match.txt", "text")


def test_bucket_holds_records(s3: S3Server, store: RedisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket gets an object for each record below the prefix, also after the server was away."""
    office = Office(store, open_archive("s3://records/of/cards"), monkeypatch)
    created = [office.service.create(CreateMatch(SHORT)) for _ in range(3)]
    for one in created:
        play_out(office.service, one.match)
    s3.kill()
    assert 3 == office.later(DELAY_MS)
    assert {} == s3.records()
    s3.start()
    assert 3 == office.later(LEASE_MS)
    expected = {name_of(office.service, one.match): one.match for one in created}
    texts = {name: office.service.repository.format_record(match) for name, match in expected.items()}
    assert {f"of/cards/{name}": office.signer.sign(text) for name, text in texts.items()} == s3.records()
    assert 0 == office.queued()


def test_refused_key_is_an_error_without_names(s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket that refuses the key is an error whose text has neither the object nor the key."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
    with pytest.raises(ArchiveError) as wrong:
        open_archive("s3://records").put("2026/match.txt", "text")
    assert "match" not in str(wrong.value)
    assert s3.access_key not in str(wrong.value)
    assert {} == s3.records()


@pytest.mark.parametrize(
    "url",
    ["", "records", "/records", "file://host/folder", "file:///", "s3://", "s3://A", "s3://key:word@bucket/x",
     "s3://bucket/x?region=y", "https://bucket/x"],
)  # fmt: skip
def test_invalid_url_is_refused(url: str) -> None:
    """A URL that is neither a folder nor a bucket is refused."""
    with pytest.raises(ValueError, match="the URL of an archive"):
        parse_archive(url)


# ---------------------------------------------------------------------- archived matches


def finished(office: Office) -> CreatedMatch:
    created = office.service.create(CreateMatch(SHORT, platform="platform", labels=(("table", "7"),)))
    play_out(office.service, created.match)
    assert 1 == office.later(DELAY_MS)
    return created


def expire(office: Office, match: str) -> None:
    """End the time of a match, for the store and for the cache of the worker."""
    office.store.matches.delete(match)
    office.service.repository.forget(match)


def test_expired_match_is_answered_from_the_archive(office: Office) -> None:
    """State, record, shuffles and the labels of an archived match are the same after it has expired, for an hour."""
    created = finished(office)
    assert {True} == {3_500 < seconds <= 3_600 for seconds in office.ttls(created.match)}, "not for days"
    repository = office.service.repository
    before = repository.load(created.match), repository.format_record(created.match)
    expire(office, created.match)
    snapshot = repository.load(created.match)
    assert before == (snapshot, repository.format_record(created.match))
    assert all(shuffle.is_provable for shuffle in shuffles_of(*repository.history(created.match), snapshot.metadata))
    assert {True} == {3_500 < seconds <= 3_600 for seconds in office.ttls(created.match)}
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
    assert (first.accepted, first.revision, first.events) == (again.accepted, again.revision, again.events)
    expire(office, created.match)
    refused = office.service.play(created.match, asked._replace(request_id="later"))
    assert (False, ["match_over"]) == (refused.accepted, [one.code for one in refused.refusals])
    assert MOVES_LOST not in office.service.repository.read_log(created.match)[-1]


def test_key_of_an_archived_match_is_replaced_for_good(office: Office) -> None:
    """A key that is replaced when the match is in the archive alone is replaced there, however soon that expires."""
    office.archived.keep_seconds = 1
    created = finished(office)
    expire(office, created.match)
    key, _ = operations(office.service).rotate_key(created.match, 0, lambda _: None)
    assert {True} == {seconds > 40 for seconds in office.ttls(created.match)}, "it lives until it is archived again"
    assert 1 == office.later(DELAY_MS)
    expire(office, created.match)
    snapshot = office.service.repository.load(created.match)
    assert 0 == role_of_key(snapshot.metadata, snapshot.control, key)


def test_details_of_an_archived_match_are_changed_for_good(office: Office) -> None:
    """What a platform changes at a match that is in the archive alone is changed there too."""
    office.archived.keep_seconds = 1
    created = finished(office)
    expire(office, created.match)
    names = ((0, "Zoe"),)
    office.service.update(created.match, lambda details: details._replace(external_id="new", player_names=names))
    assert {True} == {seconds > 40 for seconds in office.ttls(created.match)}, "it lives until it is archived again"
    assert 1 == office.later(DELAY_MS)
    expire(office, created.match)
    found = office.service.repository.load(created.match).metadata
    assert ("new", names) == (found.external_id, found.player_names)


def test_id_of_an_archived_match_stays_taken(office: Office) -> None:
    """A repeated creation finds the archived match when the store has it no more; a deleted one is not made again."""
    asked = CreateMatch(SHORT, request_id="the archive knows it")
    created = office.service.create(asked)
    play_out(office.service, created.match)
    office.later(DELAY_MS)
    drop(office.store, created.match)
    again = office.service.create(asked)
    assert created[:3] == again[:3]
    assert again.snapshot.is_over
    office.service.delete(created.match)
    drop(office.store, created.match)
    with fails(errors.AlreadyExists, "request_reused"):
        office.service.create(asked)


def test_unknown_ids_cost_one_look(office: Office, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """An id that nobody knows is looked up once in a minute, and what is no id never."""
    for match in ("a" * 20, "a" * 20, "b" * 20, "../" * 7, "A" * 20, ""):
        with pytest.raises(errors.MatchNotFound):
            office.service.repository.load(match)
    assert 2 == kept.reads
    monkeypatch.setattr(archiving, "UNKNOWN_SECONDS", 0)
    forgetful = ArchivedMatches(kept, office.queue, office.copies)  # what it remembers is remembered for no time
    for _ in range(2):
        assert not forgetful.restore("a" * 20)
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


def test_match_deleted_in_between_leaves_nothing(office: Office, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
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
    name = archiving.copy_name(created.match)
    whole = kept.texts[name]
    assert whole == format_copy(parse_copy(whole))
    expire(office, created.match)
    for text in ("", "{}", "[]", whole.replace('"version":1', '"version":2')):
        kept.texts[name] = text
        with pytest.raises(errors.StoreUnavailable):
            office.service.repository.load(created.match)


def test_killed_service_goes_on_after_its_restart(tmp_path: Path, url: str, start_service: StartService) -> None:
    """A service killed behind a match archives it later; when that has expired, its player reads and deletes it."""
    flags = ("--redis-url", url, "--archive", f"file://{tmp_path}/records", "--archived-expires", "1")
    first = start_service(*flags)
    player = Player(first.grpc)
    asked = v1.ListMatchMovesRequest(match_id=player.match_id)
    while player.stub.ListMatchMoves(asked, metadata=player.key(), timeout=10).moves:
        player.play()
    record = player.record()
    first.kill()
    assert [] == list(tmp_path.glob("records/**/*.txt"))
    with Redis.from_url(url) as client:
        assert client.zscore("chitarrella:archive", player.match_id)
        client.zadd("chitarrella:archive", {player.match_id: 0}, xx=True)  # it is due now, not in twenty seconds
        again = Player(start_service(*flags).grpc, player.created)
        (file,) = until(lambda: list(tmp_path.glob("records/**/*.txt")), "the record is archived", 60)
        assert record == "\n".join(line.partition("|")[0].rstrip() for line in file.read_text().splitlines())
        for calls in range(2):
            until(lambda: not client.exists(f"chitarrella:{{{player.match_id}}}"), "it has expired", 30)
            if calls == 0:  # of the calls, this one runs on the event loop
                assert not again.stub.ListMatchMoves(asked, metadata=player.key(), timeout=10).moves
            else:
                assert record == again.record()
    again.stub.DeleteMatch(v1.DeleteMatchRequest(match_id=player.match_id), metadata=player.key(), timeout=10)
    assert [] == [path for path in tmp_path.glob("records/**/*") if path.is_file()]
    with pytest.raises(grpc.RpcError, match="NOT_FOUND"):
        again.record()
    for one in (player, again):
        one.close()
