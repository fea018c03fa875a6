"""Records that prove themselves: the shuffles against their commitments, the text against a signature."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from chitarrella.catalogue.record import InvalidRecord, format_record, parse_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.cli.replay import command as replay
from chitarrella.core.game import legal_moves, seat_to_move
from chitarrella.matches.control import CONTRIBUTE_SEED, ControlAction
from chitarrella.matches.model import SHARED_PACKS, CreateMatch, MoveRequest
from chitarrella.matches.service import MatchService
from chitarrella.matches.signing import InvalidRecordSignature, Signer, invalid_proofs, load_signer, parse_signer
from chitarrella_client import Chitarrella, ErrorCode, errors
from tests.matches.playing import CATALOGUE, SHORT, go_on, operations, play_out
from tests.server.process import StartService

LOT = RuleSet("coech", 2, (("first_dealer", "by_lot"), ("match_deals", "1")))
SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(b"a key of thirty-two bytes or so!"))


def finished(service: MatchService, rule_set: RuleSet = SHORT) -> str:
    """The record of a match that one deal has decided; after a level deal another match is played."""
    while True:
        opened = service.create(CreateMatch(rule_set))
        while (
            seat := seat_to_move((snapshot := service.repository.load(opened.match)).game, snapshot.position)
        ) is not None:
            service.play(opened.match, MoveRequest(seat, legal_moves(snapshot.game, snapshot.position, seat)[0]))
        text = service.repository.format_record(opened.match)
        if text.count("start_deal") == 1:
            return text


def fault(text: str) -> str:
    """The fault in the proofs of a record, empty if there is none."""
    record = parse_record(CATALOGUE, text)
    return invalid_proofs(CATALOGUE.game_for(record.rule_set), record)


@pytest.mark.parametrize("rule_set", [SHORT, LOT], ids=["pack", "lot"])
def test_finished_record_holds_the_proof_of_every_shuffle(service: MatchService, rule_set: RuleSet) -> None:
    """The record of a finished match holds the proof of every pack and lot."""
    text = finished(service, rule_set)
    record = parse_record(CATALOGUE, text)
    assert 1 + (rule_set == LOT) == len(record.proofs)
    assert not fault(text)
    assert text == format_record(CATALOGUE, record)


def test_running_record_holds_no_nonce(service: MatchService) -> None:
    """While a match lasts its record holds no nonce."""
    opened = service.create(CreateMatch(SHORT))
    go_on(service, opened.match, 30)
    assert () == parse_record(CATALOGUE, service.repository.format_record(opened.match)).proofs


def test_seeds_of_any_characters_are_part_of_the_proof(service: MatchService) -> None:
    """The seeds of the seats are part of the proof, whatever characters they have."""
    opened = service.create(CreateMatch(SHORT, pack_source=SHARED_PACKS))
    for seat, seed in ((0, "ciao a tutti: 1 | 2"), (1, "è %")):
        operations(service).contribute_seed(opened.match, ControlAction(seat, CONTRIBUTE_SEED, seed))
    play_out(service, opened.match)
    text = service.repository.format_record(opened.match)
    assert ((0, "ciao a tutti: 1 | 2"), (1, "è %")) == parse_record(CATALOGUE, text).proofs[0].client_seeds
    assert not fault(text)
    assert "order_mismatch" in fault(text.replace("0:ciao", "0:addio"))


def test_forged_shuffles_are_found(service: MatchService) -> None:
    """Other cards, another nonce and a missing shuffle are all found."""
    text = finished(service)
    proof = parse_record(CATALOGUE, text).proofs[0]
    assert "shuffle 1: commitment_mismatch" == fault(text.replace(proof.nonce, "ab" * 32))
    assert "shuffle 1: commitment_mismatch" == fault(text.replace(proof.commitment, "pò"))
    assert "shuffle 2: there is no such shuffle" == fault(text.replace("shuffle 1", "shuffle 2"))
    moves = text.index("table")
    pack = text[moves : text.index("\n", moves)].partition("|")[0].split()[2:]
    swapped = [*pack[:-2], pack[-1], pack[-2]]
    short = text[:moves] + f"table  start_deal {' '.join(swapped)}\n\n" + text[text.index("\nshuffle ") + 1 :]
    assert "shuffle 1: order_mismatch" == fault(short)
    for spoilt in (text.replace("shuffle 1 ", "shuffle one "), text.replace(proof.nonce, ""), text + "shuffle 1\n"):
        with pytest.raises(InvalidRecord):
            parse_record(CATALOGUE, spoilt)


def test_signature_covers_every_character(service: MatchService) -> None:
    """A signature covers every character of the record; nothing may follow it."""
    text = finished(service)
    signed = SIGNER.sign(text)
    assert "" == parse_signer(text)
    assert SIGNER.public_key == parse_signer(signed)
    assert parse_record(CATALOGUE, text) == parse_record(CATALOGUE, signed)
    for spoilt in (
        signed.replace("players 2", "players  2"),
        signed.replace("ed25519", "rot13"),
        signed.replace(SIGNER.public_key, "00" * 32),
        signed[:-6] + "\n",
        signed.rstrip("\n")[:-1] + "z",
        signed.replace(SIGNER.public_key, ""),
    ):
        with pytest.raises(InvalidRecordSignature):
            parse_signer(spoilt)
    with pytest.raises(InvalidRecord, match="after the signature"):
        parse_record(CATALOGUE, signed + "0 play_card Ab\n")


def test_replay_reports_proofs_and_signature(service: MatchService, tmp_path: Path) -> None:
    """The replay command reports proofs and signature, and fails where they do not fit."""
    file, text = tmp_path / "record.txt", finished(service)
    for said, status, words in (
        (SIGNER.sign(text), 0, ("1 shuffle(s)", SIGNER.public_key)),
        (SIGNER.sign(text).replace("table ", "table  "), 1, ("signature does not fit",)),
        (text.replace("shuffle 1 ", "shuffle 1 0"), 1, ("commitment_mismatch",)),
    ):
        file.write_text(said)
        result = CliRunner().invoke(replay, [str(file)])
        events = " ".join(result.output.split())
        assert (status, True) == (result.exit_code, all(word in events for word in words)), events


def test_service_with_a_key_signs_finished_records_only(start_service: StartService, tmp_path: Path) -> None:
    """A service with a key signs finished records only, and imports no forged one."""
    key = tmp_path / "key.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)
    with Chitarrella(start_service("--signing-key-file", str(key)).grpc) as client:
        match = client.create_match("briscola", options={"rubber_games": 1})
        assert "signature" not in match.record()
        while not match.get().over:
            moves = match.legal_moves()
            match.as_seat(moves.seat or 0).play(moves[0])
        signed = client.match(match.id).record()
        assert load_signer(key).public_key == parse_signer(signed)
        assert client.import_match(signed).get().over
        unsigned = signed.partition("signature")[0]
        for forged in (signed.replace("table ", "table  "), unsigned.replace("shuffle 1 ", "shuffle 1 0")):
            with pytest.raises(errors.BadRequest) as failed:
                client.import_match(forged)
            assert (ErrorCode.BAD_RECORD, "record") == (failed.value.code, failed.value.field)


def test_invalid_key_file_is_named_but_not_shown(tmp_path: Path) -> None:
    """A file that holds no key is named in the error, and its content is not."""
    other = ec.generate_private_key(ec.SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for content in (b"secret", other):
        (tmp_path / "k").write_bytes(content)
        with pytest.raises(ValueError, match="holds no") as failed:
            load_signer(tmp_path / "k")
        assert "secret" not in str(failed.value)
