"""Matches that are tests: the seed names their shuffles, and they are marked as tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from chitarrella import errors
from chitarrella.catalogue.record import InvalidRecord, parse_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.cli.replay import command as replay
from chitarrella.core.game import legal_moves, seat_to_move
from chitarrella.core.provable_shuffle import derive_nonce
from chitarrella.matches.chance import sandbox_seed, shuffles_of
from chitarrella.matches.control import BotAssignment, ControlState, decode_control
from chitarrella.matches.metadata import Clock, decode_metadata, encode_metadata
from chitarrella.matches.model import (
    CreateMatch,
    MoveRequest,
    Sandbox,
)
from chitarrella.matches.service import MatchService
from chitarrella.matches.signing import InvalidRecordSignature, Signer, invalid_proofs, parse_signer
from tests.matches.playing import (
    CATALOGUE,
    LONG_MATCH,
    SHORT,
    check_consistency,
    go_on,
    operations,
    play_out,
    raised,
)

LOT = RuleSet("coech", 2, (("first_dealer", "by_lot"), ("match_deals", "2")))
CLOCK = Clock(30_000, 60_000)
SEED_OF_ONE = "93f81a38facc181fb778458d2cb45dc66f5c0a27d46a4711e1e899a8401128d0"
"""What ``printf 'sandbox one' | sha256sum`` prints."""
SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(b"a key of thirty-two bytes or so!"))
TEST = CreateMatch(LONG_MATCH, clock=CLOCK, sandbox=Sandbox("test"))


# ---------------------------------------------------------------------- shuffles


@pytest.mark.parametrize("rule_set", [LONG_MATCH, LOT], ids=["pack", "lot"])
def test_same_seed_gives_the_same_shuffles(service: MatchService, other: MatchService, rule_set: RuleSet) -> None:
    """Two matches of one seed have the same packs and lots in every deal; another seed or none gives others."""
    logs = []
    for worker, sandbox in (
        *((service, Sandbox("one")), (other, Sandbox("one"))),
        *((service, Sandbox("two")), (service, Sandbox()), (service, Sandbox())),
    ):
        opened = worker.create(CreateMatch(rule_set, sandbox=sandbox))
        while (seat := seat_to_move((last := worker.repository.load(opened.match)).game, last.position)) is not None:
            worker.play(opened.match, MoveRequest(seat, legal_moves(last.game, last.position, seat)[0]))
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
    """The bots of two tests of one seed play the same match; without a seed they do not."""
    logs = []
    for worker, sandbox in ((service, Sandbox("bots")), (other, Sandbox("bots")), (service, None)):
        bots = (BotAssignment(0, "random"), BotAssignment(1, "greedy"))
        opened = worker.create(CreateMatch(SHORT, bots=bots, sandbox=sandbox))
        while operations(worker).run_due(opened.match):
            pass
        logs.append(worker.repository.read_log(opened.match))
    assert logs[0] == logs[1] != logs[2]


# ---------------------------------------------------------------------- records and rows


def test_record_of_a_test_says_so(service: MatchService) -> None:
    """The record of a test has a heading, which parsing keeps; that of another match has none."""
    test, real = service.create(TEST), service.create(TEST._replace(sandbox=None))
    for opened, sandbox in ((test, True), (real, False)):
        go_on(service, opened.match, 3)
        check_consistency(service, opened)
        text = service.repository.format_record(opened.match)
        assert sandbox == ("\nsandbox true\n" in text) == parse_record(CATALOGUE, text).sandbox
    with pytest.raises(InvalidRecord):
        parse_record(CATALOGUE, "game briscola\nplayers 2\nsandbox perhaps\n")


def test_signature_covers_the_mark_of_a_test(service: MatchService, tmp_path: Path) -> None:
    """Whoever removes the mark from a signed record breaks the signature; replaying the record shows the mark."""
    opened = service.create(TEST._replace(rule_set=SHORT))
    play_out(service, opened.match)
    signed = SIGNER.sign(service.repository.format_record(opened.match))
    assert SIGNER.public_key == parse_signer(signed)
    with pytest.raises(InvalidRecordSignature):
        parse_signer(signed.replace("sandbox true\n", ""))
    (tmp_path / "record").write_text(signed)
    result = CliRunner().invoke(replay, [str(tmp_path / "record")])
    assert 0 == result.exit_code
    assert "A test: its shuffles may have been known beforehand." in result.output


def test_rows_of_earlier_releases_are_real_matches(service: MatchService) -> None:
    """A row without the fields of a test is that of a real match, which was not advanced."""
    metadata = service.create(CreateMatch(SHORT)).snapshot.metadata
    text = encode_metadata(metadata)
    assert "sandbox" not in json.loads(text)
    assert not decode_metadata(text).sandbox
    assert ControlState(shuffles=1) == decode_control('{"shuffles":1}')


def test_request_id_covers_what_makes_a_test(service: MatchService) -> None:
    """The same request id gives the same test again, and is an error with another seed or for a real match."""
    request = TEST._replace(request_id="0123456789abcdef")
    opened = service.create(request)
    assert opened.match == service.create(request).match
    for another in (None, Sandbox(), Sandbox("another")):
        with pytest.raises(errors.AlreadyExists) as reused:
            service.create(request._replace(sandbox=another))
        raised(errors.AlreadyExists, "request_reused", by=reused.value)
