"""Matches that are tests: the seed names their shuffles, and they are marked as tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from chitarrella import errors
from chitarrella.catalogue.record import InvalidRecord, parse_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.model import CHANCE, EVERYBODY
from chitarrella.core.provable_shuffle import derive_nonce
from chitarrella.matches.chance import (
    awaiting_seeds_from,
    invalid_proofs,
    sandbox_seed,
    shuffles_of,
)
from chitarrella.matches.clock import deadline, match_time, next_due
from chitarrella.matches.metadata import (
    BotAssignment,
    Clock,
    ControlState,
    decode_control,
    decode_metadata,
    encode_metadata,
)
from chitarrella.matches.model import (
    REFEREE_PACKS,
    SHARED_PACKS,
    CreatedMatch,
    CreateMatch,
    Sandbox,
    Snapshot,
)
from chitarrella.matches.scheduler import Scheduler
from chitarrella.matches.service import MatchService
from chitarrella_terminal.replay import command as replay
from tests.matches.playing import (
    CATALOGUE,
    LONG_MATCH,
    SHORT,
    check_consistency,
    fails,
    go_on,
    on_turn,
    operations,
    play_first,
    play_out,
)

LOT = RuleSet("coech", 2, (("first_dealer", "by_lot"), ("match_deals", "2")))
CLOCK = Clock(30_000, 60_000)
SEED_OF_ONE = "93f81a38facc181fb778458d2cb45dc66f5c0a27d46a4711e1e899a8401128d0"
"""What ``printf 'sandbox one' | sha256sum`` prints."""
TEST = CreateMatch(LONG_MATCH, clock=CLOCK, sandbox=Sandbox("test"))


# ---------------------------------------------------------------------- shuffles


@pytest.mark.parametrize("rule_set", [RuleSet("briscola", 2, (("rubber_games", "2"),)), LOT], ids=["pack", "lot"])
def test_same_seed_gives_the_same_shuffles(service: MatchService, other: MatchService, rule_set: RuleSet) -> None:
    """Two matches of one seed have the same packs and lots in every deal; another seed or none gives others."""
    logs = []
    for worker, sandbox in (
        *((service, Sandbox("one")), (other, Sandbox("one"))),
        *((service, Sandbox("two")), (service, Sandbox()), (service, Sandbox())),
    ):
        opened = worker.create(CreateMatch(rule_set, sandbox=sandbox))
        play_first(worker, opened.match)
        logs.append([line for line in check_consistency(worker, opened) if line.startswith("table ")])
    one, again, *rest = logs
    assert one == again
    assert 4 == len({tuple(log) for log in (one, *rest)})


def test_shuffles_of_a_seed_are_proved_as_always(service: MatchService) -> None:
    """The nonces follow from the digest of the seed, which is documented, and the record proves every shuffle."""
    assert SEED_OF_ONE == sandbox_seed("one")
    opened = service.create(CreateMatch(SHORT, sandbox=Sandbox("one")))
    play_out(service, opened.match)
    history, log = service.repository.history(opened.match)
    found = shuffles_of(history, log, opened.snapshot.metadata)
    assert all(shuffle.is_provable and shuffle.is_revealed for shuffle in found)
    record = parse_record(CATALOGUE, service.repository.format_record(opened.match))
    assert [derive_nonce(sandbox_seed("one"), proof.number) for proof in record.proofs] == [
        proof.nonce for proof in record.proofs
    ]
    assert len(found) == len(record.proofs) > 0
    assert "" == invalid_proofs(CATALOGUE.game_for(record.rule_set), record)


def test_bots_of_a_seed_make_the_same_choices(service: MatchService, other: MatchService) -> None:
    """The scheduler plays for the bots of a test, though its time stands still: the same for one seed."""
    logs = []
    for worker, sandbox in ((service, Sandbox("bots")), (other, Sandbox("bots")), (service, Sandbox())):
        bots = (BotAssignment(0, "random"), BotAssignment(1, "greedy"))
        opened = worker.create(CreateMatch(SHORT, bots=bots, sandbox=sandbox, clock=CLOCK))
        scheduler = Scheduler(operations(worker), worker.store)
        while scheduler.run_once():
            pass
        assert now(opened.snapshot) == now(worker.repository.load(opened.match))
        logs.append(worker.repository.read_log(opened.match))
    assert logs[0] == logs[1] != logs[2]


# ---------------------------------------------------------------------- records and rows


def test_record_of_a_test_says_so(service: MatchService, tmp_path: Path) -> None:
    """The record of a test has a heading, which parsing keeps and a replay shows; that of another match has none."""
    test, real = service.create(TEST), service.create(TEST._replace(sandbox=None))
    for opened, sandbox in ((test, True), (real, False)):
        go_on(service, opened.match, 3)
        check_consistency(service, opened)
        text = service.repository.format_record(opened.match)
        assert sandbox == ("\nsandbox true\n" in text) == parse_record(CATALOGUE, text).sandbox
        (tmp_path / "record").write_text(text)
        result = CliRunner().invoke(replay, [str(tmp_path / "record")])
        assert 0 == result.exit_code
        assert sandbox == ("A test: its shuffles may have been known beforehand." in result.output)
    with pytest.raises(InvalidRecord):
        parse_record(CATALOGUE, "game briscola\nplayers 2\nsandbox perhaps\n")
    row = encode_metadata(real.snapshot.metadata)  # as an earlier release has written it
    assert "sandbox" not in json.loads(row)
    assert not decode_metadata(row).sandbox
    assert ControlState(shuffles=1) == decode_control('{"shuffles":1}')


# ---------------------------------------------------------------------- sandbox clock


def now(snapshot: Snapshot) -> int:
    return match_time(snapshot.metadata, snapshot.control)


def advance(service: MatchService, opened: CreatedMatch, seconds: int, request_id: str = "") -> tuple[bool, Snapshot]:
    return operations(service).advance_clock(opened.match, seconds, request_id)


def test_time_of_a_test_stands_still(service: MatchService, clock_ms: list[int]) -> None:
    """However late it is, no decision of a test costs its bank, and nothing is due until the clock is advanced."""
    opened = service.create(TEST)
    begun = opened.snapshot.metadata.created_at * 1000
    assert (begun, begun + 90_000) == (now(opened.snapshot), deadline(opened.snapshot))
    clock_ms[0] = begun + 1_000_000_000
    assert [] == service.store.schedule.claim(clock_ms[0], 1, 10)
    assert next_due(opened.snapshot, clock_ms[0]) is None
    assert not operations(service).enforce_clock(opened.match)[0]
    assert 0 == Scheduler(operations(service), service.store).run_once()
    assert not operations(service).run_due(opened.match)
    snapshot = go_on(service, opened.match).snapshot
    assert (begun, (60_000, 60_000)) == (now(snapshot), snapshot.control.banks)


def test_advanced_time_is_charged_and_enforced(service: MatchService, other: MatchService) -> None:
    """What is beyond the time of a decision comes out of the bank; behind both the default move is made, once."""
    opened = service.create(TEST)
    seat, begun = on_turn(opened.snapshot), now(opened.snapshot)
    timed_out, snapshot = advance(service, opened, 50)
    assert (False, begun + 50_000) == (timed_out, now(snapshot))
    played = go_on(other, opened.match).snapshot  # another worker has the time from the store
    assert 40_000 == played.control.banks[seat]
    assert 60_000 == played.control.banks[1 - seat]
    assert begun + 50_000 + 90_000 == deadline(played)
    timed_out, snapshot = advance(service, opened, 90)
    assert not timed_out
    assert not operations(service).enforce_clock(opened.match)[0]
    timed_out, snapshot = advance(other, opened, 1)
    assert (True, begun + 141_000) == (timed_out, now(snapshot))
    assert 0 == snapshot.control.banks[1 - seat]
    assert ["table !advance_clock 1", f"{1 - seat} !time_over"] == service.repository.read_log(opened.match)[-3:-1]
    assert not advance(service, opened, 30)[0]


def test_advance_is_seen_by_watchers(service: MatchService) -> None:
    """Everybody learns of an advance by an event with its seconds; after a takeback the seat begins at that time."""
    opened = service.create(TEST)
    _, snapshot = advance(service, opened, 7)
    assert 2 == snapshot.row.revision
    history, log = service.repository.history(opened.match)
    (*_, (revision, (event,))) = history.replay(log)
    assert (2, "clock_advanced", None, 7, EVERYBODY) == (revision, event.kind, event.seat, event.amount, event.known_to)
    assert 7_000 == history.control.advanced_ms
    go_on(service, opened.match)
    advance(service, opened, 5)
    _, snapshot = operations(service).take_back(opened.match, CHANCE)
    assert now(opened.snapshot) + 12_000 == now(snapshot) == snapshot.control.turn_started


def test_repeated_advance_advances_once(service: MatchService, other: MatchService) -> None:
    """A repeated advance changes nothing, and says again whether the time was over, whatever came later."""
    opened = service.create(TEST)
    first, _ = advance(service, opened, 30, "first")
    second, snapshot = advance(service, opened, 61, "second")
    assert (False, True) == (first, second)
    log = service.repository.read_log(opened.match)
    for worker in (service, other):
        assert (False, snapshot.row) == _row(advance(worker, opened, 30, "first"))
        assert (True, snapshot.row) == _row(advance(worker, opened, 61, "second"))
        with fails(errors.AlreadyExists, "request_reused"):
            advance(worker, opened, 31, "first")
    assert log == service.repository.read_log(opened.match)
    play_out(service, opened.match)
    assert advance(other, opened, 61, "second")[0]


def _row(answer: tuple[bool, Snapshot]) -> tuple[bool, object]:
    return answer[0], answer[1].row


def test_advance_shuffles_without_late_seeds(service: MatchService) -> None:
    """The time for seeds is that of one decision; when it is advanced past it, the shuffle is made."""
    opened = service.create(TEST._replace(pack_source=SHARED_PACKS))
    assert not advance(service, opened, 30)[0]
    timed_out, snapshot = advance(service, opened, 1, "shuffle")
    assert (True, ()) == (timed_out, awaiting_seeds_from(snapshot))
    assert deadline(snapshot) == now(snapshot) + 90_000
    assert advance(service, opened, 1, "shuffle")[0]


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (TEST._replace(sandbox=None), "not_a_sandbox"),
        (TEST._replace(clock=Clock()), "no_clock"),
    ],
)
def test_only_tests_with_a_clock_can_be_advanced(service: MatchService, request_: CreateMatch, code: str) -> None:
    """The clock of another match cannot be advanced, nor one that is not there; nothing is changed."""
    opened = service.create(request_)
    with fails(errors.NotPossibleNow, code):
        advance(service, opened, 1)
    assert opened.snapshot.row == service.repository.load(opened.match).row


def test_ended_tests_cannot_be_advanced(service: MatchService) -> None:
    """A test that is over or was aborted has no time any more; a hundred years are the end of all time."""
    packs = service.create(TEST._replace(pack_source=REFEREE_PACKS))  # it has no deadline, and time passes
    timed_out, snapshot = advance(service, packs, 1_000_000)
    assert (False, None) == (timed_out, deadline(snapshot))
    opened = service.create(TEST)
    for _ in range(3):
        advance(service, opened, 1_000_000_000)
    with pytest.raises(errors.BadRequest) as late:
        advance(service, opened, 1_000_000_000)
    assert ("bad_request", "seconds") == (late.value.code, late.value.field)
    play_out(service, opened.match)
    with fails(errors.NotPossibleNow, "match_over"):
        advance(service, opened, 1)
    aborted = service.create(TEST)
    service.abort(aborted.match)
    with fails(errors.NotPossibleNow, "match_aborted"):
        advance(service, aborted, 1)


def test_expiry_of_a_test_is_in_real_time(service: MatchService) -> None:
    """A test lives as long after its last move as was asked for, whatever its deadline is."""
    test = service.create(TEST._replace(ttl_seconds=100, clock=Clock(1_000_000, 0)))
    real = service.create(TEST._replace(ttl_seconds=100, clock=Clock(1_000_000, 0), sandbox=None))
    client = service.store.connection.client
    lives = [client.ttl(f"chitarrella:{{{opened.match}}}") for opened in (test, real)]
    assert lives[0] <= 100
    assert lives[1] >= 1_000
