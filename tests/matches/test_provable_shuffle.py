"""Fair deals: what was promised before the first card is what was dealt, and anybody can check it afterwards."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from chitarrella import errors
from chitarrella.catalogue.record import InvalidRecord, parse_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import ITALIAN
from chitarrella.core.game import IllegalMove, legal_moves, seat_to_move
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.provable_shuffle import commit, derive_nonce, shuffle, verify
from chitarrella.matches import chance
from chitarrella.matches.metadata import (
    CONTRIBUTE_SEED,
    SHUFFLE_NOW,
    Clock,
    ControlAction,
    ControlState,
    Snapshot,
    role_of_key,
)
from chitarrella.matches.model import SHARED_PACKS, CreateMatch, MoveRequest, Sandbox
from chitarrella.matches.service import MatchService
from chitarrella.storage.rows import Appended, Conflict, Duplicate
from chitarrella_client import Chitarrella, ErrorCode
from chitarrella_client import errors as errors_signing
from tests.cli.run_command import invoke
from tests.matches import playing
from tests.matches.playing import (
    CATALOGUE,
    LONG_MATCH,
    SHORT,
    choice,
    fails,
    go_on,
    log_of,
    operations,
    play_first,
    play_out,
    same_answer,
)
from tests.server.process import StartService

LOT = RuleSet("coech", 2, (("first_dealer", "by_lot"),))


# ---------------------------------------------------------------------- kept matches


def shuffles(service: MatchService, match: str) -> list[chance.Shuffle]:
    history, lines = service.repository.history(match)
    return chance.shuffles_of(history, lines, service.repository.load(match).metadata)


def promised(service: MatchService, match: str) -> str:
    snapshot = service.repository.load(match)
    return chance.next_commitment(snapshot.metadata, snapshot.control)


def test_pack_follows_from_the_commitment(service: MatchService, other: MatchService) -> None:
    """The pack of each deal follows from the commitment published before it; packs of the referee have none."""
    assert "" == promised(service, service.create(CreateMatch(SHORT, pack_source="referee")).match)
    opened = service.create(CreateMatch(LONG_MATCH))
    before = [promised(service, opened.match)]
    for _ in range(2):
        go_on(service, opened.match, 40)
        before.append(promised(other, opened.match))
    made = shuffles(other, opened.match)
    assert [1, 2, 3] == [one.number for one in made]
    seed = opened.snapshot.metadata.seed
    for one, commitment in zip(made[1:], before, strict=False):
        nonce = derive_nonce(seed, one.number)
        assert commitment == commit(nonce)
        assert one.is_provable
        assert not verify(ITALIAN.cards, one.move.cards, commitment, nonce, one.number)


def test_proof_is_published_after_the_deal(service: MatchService) -> None:
    """The proof of a pack is published when its deal is over, that of a lot at once, and all with the match."""
    opened = service.create(CreateMatch(LONG_MATCH))
    go_on(service, opened.match, 39)
    assert [False] == [one.is_revealed for one in shuffles(service, opened.match)]
    go_on(service, opened.match, 1)
    assert [True, False] == [one.is_revealed for one in shuffles(service, opened.match)]
    play_out(service, opened.match)
    assert {(True, True)} == {(one.is_provable, one.is_revealed) for one in shuffles(service, opened.match)}
    lot = shuffles(service, service.create(CreateMatch(LOT)).match)
    assert [("draw_dealer", True), ("start_deal", False)] == [(one.move.verb, one.is_revealed) for one in lot]


# ---------------------------------------------------------------------- client seeds


def test_shared_pack_waits_for_every_seed(service: MatchService, other: MatchService) -> None:
    """A shared pack is dealt when the last person has contributed a seed, and follows from all of them."""
    opened = service.create(CreateMatch(SHORT, pack_source="shared"))
    first = promised(service, opened.match)
    assert CHANCE == opened.snapshot.game.turn(opened.snapshot.position)
    assert (0, 1) == chance.awaiting_seeds_from(opened.snapshot)
    snapshot = contribute(service, opened.match, 1, "uno|due %")
    assert ((0,), 1) == (chance.awaiting_seeds_from(snapshot), snapshot.row.revision)
    snapshot = contribute(other, opened.match, 0, "tre")
    assert ((), 3, ControlState(1)) == (chance.awaiting_seeds_from(snapshot), snapshot.row.revision, snapshot.control)
    (one,) = shuffles(other, opened.match)
    assert ((0, "tre"), (1, "uno|due %")) == one.client_seeds
    nonce = derive_nonce(snapshot.metadata.seed, 1)
    assert not verify(ITALIAN.cards, one.move.cards, first, nonce, 1, one.client_seeds)
    assert "order_mismatch" == verify(ITALIAN.cards, one.move.cards, first, nonce, 1)


def finished(service: MatchService, rule_set: RuleSet = SHORT) -> str:
    """The record of a match that one deal has decided; after a level deal another match is played."""
    while True:
        opened = service.create(CreateMatch(rule_set))
        play_first(service, opened.match)
        text = service.repository.format_record(opened.match)
        if text.count("start_deal") == 1:
            return text


def fault(text: str) -> str:
    """The fault in the proofs of a record, empty if there is none."""
    record = parse_record(CATALOGUE, text)
    return chance.invalid_proofs(CATALOGUE.game_for(record.rule_set), record)


def contribute(service: MatchService, match: str, seat: int, seed: str, request_id: str = "") -> Snapshot:
    return operations(service).contribute_seed(match, ControlAction(seat, CONTRIBUTE_SEED, seed), request_id)


def test_later_deals_wait_for_new_seeds(service: MatchService) -> None:
    """The next pack waits for seeds again; the record of the match holds its moves alone."""
    opened = service.create(CreateMatch(LONG_MATCH, pack_source="shared"))
    for seed in ("a", "b"):
        for seat in (0, 1):
            contribute(service, opened.match, seat, seed)
        go_on(service, opened.match, 40)
    assert (0, 1) == chance.awaiting_seeds_from(service.repository.load(opened.match))
    made = shuffles(service, opened.match)
    assert [True, True] == [one.is_revealed for one in made]
    assert [((0, "a"), (1, "a")), ((0, "b"), (1, "b"))] == [one.client_seeds for one in made]
    assert "!" not in service.repository.format_record(opened.match)


def test_referee_may_deal_without_missing_seeds(service: MatchService) -> None:
    """No card is played before the pack; the referee may have it dealt with the seeds that are there."""
    opened = service.create(CreateMatch(SHORT, pack_source="shared"))
    played = service.play(opened.match, MoveRequest(0, Move("play_card", ITALIAN.cards[:1])))
    assert (False, ["wrong_phase"]) == (played.accepted, [refusal.code for refusal in played.refusals])
    contribute(service, opened.match, 1, "here")
    snapshot = operations(service).contribute_seed(opened.match, ControlAction(CHANCE, SHUFFLE_NOW))
    assert snapshot.position.hands
    assert [((1, "here"),)] == [one.client_seeds for one in shuffles(service, opened.match)]


@pytest.mark.parametrize("packs", ["referee", "shared"])
def test_no_pack_is_dealt_before_the_lot(service: MatchService, packs: str) -> None:
    """Where the lot of the first dealer was not drawn as agreed, no pack is accepted in its place."""
    rule_set = RuleSet("coech", 4)
    pack = CATALOGUE.game_for(rule_set).pack.cards
    with pytest.raises(errors.BadRequest) as failed:
        service.create(CreateMatch(rule_set, pack_source=packs, pack=pack))
    assert ("bad_cards", "pack") == (failed.value.code, failed.value.field)
    opened = service.create(CreateMatch(rule_set, pack=pack))
    assert [True, False] == [one.is_provable for one in shuffles(service, opened.match)]


def test_late_or_changed_seed_is_an_error(service: MatchService) -> None:
    """The same seed again changes nothing; another one, or one when no shuffle is pending, is an error."""
    opened = service.create(CreateMatch(SHORT, pack_source="shared"))
    first = contribute(service, opened.match, 0, "mine")
    assert first.row == contribute(service, opened.match, 0, "mine").row
    with fails(errors.NotPossibleNow, "already_contributed"):
        contribute(service, opened.match, 0, "better")
    contribute(service, opened.match, 1, "yours")
    for match in (opened.match, service.create(CreateMatch(SHORT)).match):
        for act in (ControlAction(1, CONTRIBUTE_SEED, "late"), ControlAction(CHANCE, SHUFFLE_NOW)):
            with fails(errors.NotPossibleNow, "no_shuffle_pending"):
                operations(service).contribute_seed(match, act)
    ended = service.create(CreateMatch(SHORT, pack_source="shared"))
    assert () == chance.awaiting_seeds_from(service.abort(ended.match))
    with fails(errors.NotPossibleNow, "match_aborted"):
        contribute(service, ended.match, 0, "seed")


def test_repeated_move_has_no_pack_that_the_referee_supplied_since(service: MatchService, clock_ms: list[int]) -> None:
    """A repeated move that ended a deal has the events of its first answer, not those of the next pack."""
    rules = SHORT._replace(options=(("rubber_games", "2"),))
    opened = service.create(CreateMatch(rules, pack_source=SHARED_PACKS))
    deal = MoveRequest(CHANCE, Move("start_deal", tuple(opened.snapshot.game.pack.cards)))
    assert service.play(opened.match, deal).accepted
    go_on(service, opened.match, 39)
    last = choice(service.repository.load(opened.match))._replace(request_id="last")
    first = service.play(opened.match, last)
    clock_ms[0] += 1
    assert service.play(opened.match, deal).accepted
    same_answer(first, service.play(opened.match, last))


def test_repeated_seed_of_a_lot_does_not_count_for_the_pack(service: MatchService, other: MatchService) -> None:
    """A seed sent again because its answer was lost does not count for the following shuffle."""
    match = service.create(CreateMatch(LOT, pack_source="shared")).match
    contribute(service, match, 0, "mine", "first")
    after = contribute(service, match, 1, "yours", "last")
    assert ["draw_dealer"] == [one.move.verb for one in shuffles(service, match)]
    assert (0, 1) == chance.awaiting_seeds_from(after)
    assert after.row == contribute(other, match, 1, "yours", "last").row
    for seat, seed, request_id in ((1, "better", "last"), (0, "yours", "first")):
        with fails(errors.AlreadyExists, "request_reused") as reused:
            contribute(other, match, seat, seed, request_id)
        assert "request_id" == reused.value.field
    assert (0,) == chance.awaiting_seeds_from(contribute(other, match, 1, "yours", "for the pack"))


@pytest.mark.parametrize("is_time", [True, False], ids=["AddTime", "ContributeSeed"])
def test_id_of_another_call_at_the_same_time_is_an_error(
    service: MatchService, other: MatchService, monkeypatch: pytest.MonkeyPatch, is_time: bool
) -> None:
    """Of two calls at once with one request id and other contents one is refused, also where both find the id free."""
    match = service.create(CreateMatch(SHORT, pack_source=SHARED_PACKS, clock=Clock(1_000, 1_000))).match

    def act(worker: MatchService, value: int) -> object:
        if is_time:
            return operations(worker).add_time(match, 0, value, "once")
        return contribute(worker, match, 0, str(value), "once")

    append = service.store.matches.append

    def late(*rest: Any) -> Any:
        act(other, 7)
        return append(*rest)

    monkeypatch.setattr(service.store.matches, "append", late)
    with fails(errors.AlreadyExists, "request_reused"):
        act(service, 8)
    act(service, 7)
    assert 1 == len(log_of(service, match))


def test_append_that_another_call_has_made_counts_once_and_is_scheduled(
    service: MatchService, clock_ms: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An append that a call with the same token has just made counts once, and what is due is scheduled."""
    append = service.store.matches.append

    def twice(*lines: Any) -> Appended | Conflict | Duplicate:
        append(*lines)
        return append(*lines)

    monkeypatch.setattr(service.store.matches, "append", twice)
    opened = service.create(CreateMatch(LOT, pack_source="shared", clock=Clock(1_000, 0)))
    assert (0,) == chance.awaiting_seeds_from(contribute(service, opened.match, 1, "yours"))
    assert "deal" not in playing.log_of(service, opened.match)[-1]
    service.store.schedule.set(opened.match, None)
    assert (0, 1) == chance.awaiting_seeds_from(contribute(service, opened.match, 0, "mine"))
    assert [opened.match] == service.store.schedule.claim(clock_ms[0] + 1_001, 1, 10)
    clock_ms[0] += 1_001
    timed_out, snapshot = operations(service).enforce_clock(opened.match)
    assert (True, ()) == (timed_out, chance.awaiting_seeds_from(snapshot))
    service.store.schedule.set(opened.match, None)
    seat = seat_to_move(snapshot.game, snapshot.position) or 0
    move = MoveRequest(seat, legal_moves(snapshot.game, snapshot.position, seat)[0], request_id="move")
    played = service.play(opened.match, move)
    assert (True, True) == (played.accepted, played.repeated)
    assert [opened.match] == service.store.schedule.claim(clock_ms[0] + 1_001, 1, 10)
    key, rotated = operations(service).rotate_key(opened.match, 0, lambda _: None, request_id="rotation")
    assert 0 == role_of_key(rotated.metadata, rotated.control, key)


# ---------------------------------------------------------------------- shuffle vectors


PAGE = Path(__file__).parents[2] / "docs" / "fair-deals.md"
TEXTS = PAGE.read_text().partition("## Test vectors")[2].split("```")[1].split("\n\n")
VECTORS = [re.findall(r"^\w+ +(.+(?:\n +.+)?)", text, re.MULTILINE) for text in TEXTS]


def read_seeds(text: str) -> tuple[tuple[int, str], ...]:
    """Read ``SEAT WORD`` joined by commas; nothing is ``-``."""
    pairs = [] if text == "-" else [pair.split(" ", 1) for pair in text.split(",")]
    return tuple((int(seat), seed) for seat, seed in pairs)


@pytest.mark.measured
@pytest.mark.parametrize(("nonce", "number", "seeds", "commitment", "order"), VECTORS)
def test_shuffle_vectors(nonce: str, number: str, seeds: str, commitment: str, order: str) -> None:
    """The shuffle gives what the published vectors say."""
    assert commitment == commit(nonce)
    shuffled = shuffle(ITALIAN.cards, nonce, int(number), read_seeds(seeds))
    assert order.split() == list(shuffled)
    assert not verify(ITALIAN.cards, shuffled, commitment, nonce, int(number), read_seeds(seeds))


@pytest.mark.measured
@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"nonce": "cd" * 32}, "commitment_mismatch"),
        ({"commitment": commit("cd" * 32)}, "commitment_mismatch"),
        ({"number": 2}, "order_mismatch"),
        ({"client_seeds": ((0, "other"),)}, "order_mismatch"),
        ({"client_seeds": ()}, "order_mismatch"),
    ],
)
def test_wrong_proof_names_its_fault(changed: dict[str, object], code: str) -> None:
    """Another nonce, number or seed is found, and the fault is named."""
    nonce = "ab" * 32
    proof: Any = {"commitment": commit(nonce), "nonce": nonce, "number": 1, "client_seeds": ((0, "mine"),)}
    order = shuffle(ITALIAN.cards, nonce, 1, ((0, "mine"),))
    assert not verify(ITALIAN.cards, order, **proof)
    assert code == verify(ITALIAN.cards, order, **{**proof, **changed})
    swapped = (order[1], order[0], *order[2:])
    assert "order_mismatch" == verify(ITALIAN.cards, swapped, **proof)


# ---------------------------------------------------------------------- the seed of a test

SEED_OF_ONE = "93f81a38facc181fb778458d2cb45dc66f5c0a27d46a4711e1e899a8401128d0"
"""What ``printf 'sandbox one' | sha256sum`` prints."""
TWO_PACKS = RuleSet("briscola", 2, (("rubber_games", "2"),))
ONE_LOT = RuleSet("coech", 2, (("first_dealer", "by_lot"), ("match_deals", "1")))
TWO_LOTS = RuleSet("coech", 2, (("first_dealer", "by_lot"), ("match_deals", "2")))


@pytest.mark.parametrize("rule_set", [TWO_PACKS, TWO_LOTS], ids=["pack", "lot"])
def test_same_seed_gives_the_same_shuffles(service: MatchService, other: MatchService, rule_set: RuleSet) -> None:
    """Two matches of one seed have the same packs and lots in every deal; another seed or none gives others."""
    logs = []
    for worker, sandbox in (
        *((service, Sandbox("one")), (other, Sandbox("one"))),
        *((service, Sandbox("two")), (service, Sandbox()), (service, None)),
    ):
        opened = worker.create(CreateMatch(rule_set, sandbox=sandbox))
        play_first(worker, opened.match)
        logs.append([line for line in playing.check_consistency(worker, opened) if line.startswith("table ")])
    one, again, *rest = logs
    assert one == again
    assert 4 == len({tuple(log) for log in (one, *rest)})


@pytest.mark.parametrize(("rule_set", "proofs"), [(SHORT, 1), (ONE_LOT, 2)], ids=["pack", "lot"])
def test_shuffles_of_a_seed_are_proved_as_always(service: MatchService, rule_set: RuleSet, proofs: int) -> None:
    """The nonces follow from the digest of the seed, which is documented, and every shuffle is proved in the end."""
    assert SEED_OF_ONE == chance.sandbox_seed("one")
    opened = service.create(CreateMatch(rule_set, sandbox=Sandbox("one")))
    assert () == parse_record(CATALOGUE, service.repository.format_record(opened.match)).proofs
    play_first(service, opened.match)
    found = shuffles(service, opened.match)
    assert all(one.is_provable and one.is_revealed for one in found)
    text = service.repository.format_record(opened.match)
    record = parse_record(CATALOGUE, text)
    nonces = [proof.nonce for proof in record.proofs]
    assert [derive_nonce(chance.sandbox_seed("one"), proof.number) for proof in record.proofs] == nonces
    assert len(found) == len(record.proofs) >= proofs
    assert not fault(text)


def test_record_of_a_test_says_so(service: MatchService, tmp_path: Path) -> None:
    """The record of a test has a heading, which parsing keeps and a replay shows; that of another match has none."""
    test, real = service.create(CreateMatch(SHORT, sandbox=Sandbox("test"))), service.create(CreateMatch(SHORT))
    for opened, sandbox in ((test, True), (real, False)):
        go_on(service, opened.match, 3)
        playing.check_consistency(service, opened)
        text = service.repository.format_record(opened.match)
        assert sandbox == ("\nsandbox true\n" in text) == parse_record(CATALOGUE, text).sandbox
        (tmp_path / "record").write_text(text)
        result = invoke("replay", str(tmp_path / "record"))
        assert 0 == result.exit_code
        assert sandbox == ("A test: its shuffles may have been known beforehand." in result.output)
    with pytest.raises(InvalidRecord):
        parse_record(CATALOGUE, "game briscola\nplayers 2\nsandbox perhaps\n")


# ---------------------------------------------------------------------- signing


SIGNER = chance.Signer(Ed25519PrivateKey.from_private_bytes(b"a key of thirty-two bytes or so!"))


def test_seeds_of_any_characters_are_part_of_the_proof(service: MatchService) -> None:
    """The seeds of the seats are part of the proof, whatever characters they have."""
    opened = service.create(CreateMatch(SHORT, pack_source=SHARED_PACKS))
    for seat, seed in ((0, "ciao a tutti: 1 | 2"), (1, "è %")):
        contribute(service, opened.match, seat, seed)
    play_out(service, opened.match)
    text = service.repository.format_record(opened.match)
    assert ((0, "ciao a tutti: 1 | 2"), (1, "è %")) == parse_record(CATALOGUE, text).proofs[0].client_seeds
    assert not fault(text)
    assert "order_mismatch" in fault(text.replace("0:ciao", "0:addio"))


def test_forged_shuffles_are_found(service: MatchService) -> None:
    """Other cards, another nonce and a missing shuffle are all found, and a move of another seat by its number."""
    text = finished(service)
    proof = parse_record(CATALOGUE, text).proofs[0]
    assert "shuffle 1: commitment_mismatch" == fault(text.replace(proof.nonce, "ab" * 32))
    assert "shuffle 1: commitment_mismatch" == fault(text.replace(proof.commitment, "pò"))
    assert "shuffle 2: there is no such shuffle" == fault(text.replace("shuffle 1", "shuffle 2"))
    first = next(line for line in text.splitlines() if "play_card" in line)
    with pytest.raises(IllegalMove) as wrong:
        fault(text.replace(first, f"{1 - int(first[0])}{first[1:]}"))
    assert 2 == wrong.value.number
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
    assert "" == chance.parse_signer(text)
    assert SIGNER.public_key == chance.parse_signer(signed)
    assert parse_record(CATALOGUE, text) == parse_record(CATALOGUE, signed)
    for spoilt in (
        signed.replace("players 2", "players  2"), signed.replace("ed25519", "rot13"),
        signed.replace(SIGNER.public_key, "00" * 32), signed[:-6] + "\n", signed.rstrip("\n")[:-1] + "z",
        signed.replace(SIGNER.public_key, ""),
    ):  # fmt: skip
        with pytest.raises(chance.InvalidRecordSignature):
            chance.parse_signer(spoilt)
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
        result = invoke("replay", str(file))
        events = " ".join(result.output.split())
        assert (status, True) == (result.exit_code, all(word in events for word in words)), events


def test_service_signs_finished_records(start_service: StartService, service: MatchService, tmp_path: Path) -> None:
    """A service with a key signs finished records only, and imports no forged one."""
    key, text = tmp_path / "key.pem", finished(service)
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)
    with Chitarrella(start_service("--signing-key-file", str(key)).grpc) as client:
        assert "signature" not in client.create_match("briscola").record()
        signed = client.import_match(text).record()
        assert chance.load_signer(key).public_key == chance.parse_signer(signed)
        assert client.import_match(signed).get().over
        for forged in (signed.replace("table ", "table  "), text.replace("shuffle 1 ", "shuffle 1 0")):
            with pytest.raises(errors_signing.BadRequest) as failed:
                client.import_match(forged)
            assert (ErrorCode.BAD_RECORD, "record") == (failed.value.code, failed.value.field)


def test_invalid_key_file_is_named_but_not_shown(tmp_path: Path) -> None:
    """A file that holds no key is named in the error, and its content is not."""
    other = ec.generate_private_key(ec.SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for content in (b"secret", other):
        (tmp_path / "k").write_bytes(content)
        with pytest.raises(ValueError, match="holds no") as failed:
            chance.load_signer(tmp_path / "k")
        assert "secret" not in str(failed.value)
