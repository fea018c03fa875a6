"""Records that prove themselves: the draws against their commitments, the text against a signature."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from chitarrella.affairs import CONTRIBUTE, Act
from chitarrella.catalogue import Agreement
from chitarrella.commands.replay import command as replay
from chitarrella.drawing import SHARED
from chitarrella.game import legal, waited_for
from chitarrella.kept import Wish
from chitarrella.proving import BadSignature, Signer, read_signer, signer_of, unproved
from chitarrella.record import BadRecord, read_record, write_record
from chitarrella.referee import Referee
from chitarrella_client import Chitarrella, ErrorCode, errors
from tests.house.service import Serve
from tests.house.table import CATALOGUE, SHORT, go_on, play_out, steward

LOT = Agreement("coech", 2, (("first_dealer", "by_lot"), ("match_deals", "1")))
SIGNER = Signer(Ed25519PrivateKey.from_private_bytes(b"a key of thirty-two bytes or so!"))


def finished(referee: Referee, agreement: Agreement = SHORT) -> str:
    """Give the record of a match of one deal; where that is level another follows, and another match is played."""
    while True:
        opened = referee.open(agreement)
        while (seat := waited_for((seen := referee.see(opened.match)).game, seen.position)) is not None:
            referee.play(opened.match, Wish(seat, legal(seen.game, seen.position, seat)[0]))
        text = referee.record(opened.match)
        if text.count("start_deal") == 1:
            return text


def fault(text: str) -> str:
    """Say what is wrong with the draws of a record."""
    record = read_record(CATALOGUE, text)
    return unproved(CATALOGUE.seat(record.agreement), record)


@pytest.mark.parametrize("agreement", [SHORT, LOT], ids=["pack", "lot"])
def test_a_finished_record_proves_its_draws(referee: Referee, agreement: Agreement) -> None:
    """Every pack and every lot of a match that is over stands in its record with what proves it."""
    text = finished(referee, agreement)
    record = read_record(CATALOGUE, text)
    assert 1 + (agreement == LOT) == len(record.proofs)
    assert not fault(text)
    assert text == write_record(CATALOGUE, record)


def test_before_the_end_nothing_is_told(referee: Referee) -> None:
    """While a match lasts its record holds no nonce."""
    opened = referee.open(SHORT)
    go_on(referee, opened.match, 30)
    assert () == read_record(CATALOGUE, referee.record(opened.match)).proofs


def test_words_of_the_seats(referee: Referee) -> None:
    """What seats have added to the shuffle is part of the proof, whatever signs it is made of."""
    opened = referee.open(SHORT, packs=SHARED)
    for seat, word in ((0, "ciao a tutti: 1 | 2"), (1, "è %")):
        steward(referee).act(opened.match, Act(seat, CONTRIBUTE, word))
    play_out(referee, opened.match)
    text = referee.record(opened.match)
    assert ((0, "ciao a tutti: 1 | 2"), (1, "è %")) == read_record(CATALOGUE, text).proofs[0].words
    assert not fault(text)
    assert "order_mismatch" in fault(text.replace("0:ciao", "0:addio"))


def test_a_pack_that_was_exchanged(referee: Referee) -> None:
    """Other cards, another nonce, a draw that there is not: each is found out."""
    text = finished(referee)
    proof = read_record(CATALOGUE, text).proofs[0]
    assert "draw 1: commitment_mismatch" == fault(text.replace(proof.nonce, "ab" * 32))
    assert "draw 1: commitment_mismatch" == fault(text.replace(proof.commitment, "pò"))
    assert "draw 2: there is no such draw" == fault(text.replace("draw 1", "draw 2"))
    moves = text.index("table")
    pack = text[moves : text.index("\n", moves)].partition("|")[0].split()[2:]
    swapped = [*pack[:-2], pack[-1], pack[-2]]
    short = text[:moves] + f"table  start_deal {' '.join(swapped)}\n\n" + text[text.index("\ndraw ") + 1 :]
    assert "draw 1: order_mismatch" == fault(short)
    for spoilt in (text.replace("draw 1 ", "draw one "), text.replace(proof.nonce, ""), text + "draw 1\n"):
        with pytest.raises(BadRecord):
            read_record(CATALOGUE, spoilt)


def test_signatures(referee: Referee) -> None:
    """A signature stands for every sign of the record; nothing comes after it."""
    text = finished(referee)
    signed = SIGNER.signed(text)
    assert "" == signer_of(text)
    assert SIGNER.public_key == signer_of(signed)
    assert read_record(CATALOGUE, text) == read_record(CATALOGUE, signed)
    for spoilt in (
        signed.replace("players 2", "players  2"),
        signed.replace("ed25519", "rot13"),
        signed.replace(SIGNER.public_key, "00" * 32),
        signed[:-6] + "\n",
        signed.rstrip("\n")[:-1] + "z",
        signed.replace(SIGNER.public_key, ""),
    ):
        with pytest.raises(BadSignature):
            signer_of(spoilt)
    with pytest.raises(BadRecord, match="after the signature"):
        read_record(CATALOGUE, signed + "0 play_card Ab\n")


def test_replay_says_so(referee: Referee, tmp_path: Path) -> None:
    """The command says what is proved and by whom it is signed, and fails where that does not fit."""
    file, text = tmp_path / "record.txt", finished(referee)
    for said, status, words in (
        (SIGNER.signed(text), 0, ("1 draw(s)", SIGNER.public_key)),
        (SIGNER.signed(text).replace("table ", "table  "), 1, ("signature does not fit",)),
        (text.replace("draw 1 ", "draw 1 0"), 1, ("commitment_mismatch",)),
    ):
        file.write_text(said)
        result = CliRunner().invoke(replay, [str(file)])
        told = " ".join(result.output.split())
        assert (status, True) == (result.exit_code, all(word in told for word in words)), told


def test_a_service_that_signs(serve: Serve, tmp_path: Path) -> None:
    """A service with a key signs what is finished and nothing else; a forged record is not taken in."""
    key = tmp_path / "key.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)
    with Chitarrella(serve("--signing-key-file", str(key)).grpc) as client:
        match = client.create_match("briscola", options={"rubber_games": 1})
        assert "signature" not in match.record()
        while not match.look().over:
            moves = match.moves()
            match.as_seat(moves.seat or 0).play(moves[0])
        signed = client.match(match.id).record()
        assert read_signer(key).public_key == signer_of(signed)
        assert client.import_match(signed).look().over
        unsigned = signed.partition("signature")[0]
        for forged in (signed.replace("table ", "table  "), unsigned.replace("draw 1 ", "draw 1 0")):
            with pytest.raises(errors.BadRequest) as failed:
                client.import_match(forged)
            assert (ErrorCode.BAD_RECORD, "record") == (failed.value.code, failed.value.field)


def test_keys_that_are_none(tmp_path: Path) -> None:
    """A file that holds no such key is named, not shown."""
    other = ec.generate_private_key(ec.SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for content in (b"secret", other):
        (tmp_path / "k").write_bytes(content)
        with pytest.raises(ValueError, match="holds no") as failed:
            read_signer(tmp_path / "k")
        assert "secret" not in str(failed.value)
