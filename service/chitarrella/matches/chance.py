"""Chance at a match: packs and lots that everybody can verify afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from random import Random, SystemRandom
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from chitarrella import errors
from chitarrella.catalogue.record import SIGNATURE, Proof, Record
from chitarrella.core.cards import Hand
from chitarrella.core.game import AnyGame, IllegalMove, Position, play
from chitarrella.core.model import CHANCE, ChanceRequest, Move, Seat
from chitarrella.core.provable_shuffle import ClientSeeds, commit, derive_nonce, shuffle, verify
from chitarrella.core.visibility import view_for
from chitarrella.matches.history import AppliedMove, MatchHistory, parse_entry, play_at_match
from chitarrella.matches.metadata import ControlState, MatchMetadata, Snapshot, is_decided
from chitarrella.matches.model import REFEREE_PACKS, SHARED_PACKS, ChanceOutcome


class Shuffle(NamedTuple):
    """A pack that was shuffled, or a lot that was drawn, at a match.

    ``is_provable`` says that the service drew it as it promised; else the referee supplied it. ``lots`` are the numbers
    that a lot was drawn from, empty for a pack. ``is_revealed`` says that nothing of it is hidden from anybody any
    more, so that its proof may be published.
    """

    number: int
    revision: int
    move: Move
    client_seeds: ClientSeeds
    lots: tuple[int, ...]
    is_provable: bool
    is_revealed: bool


def sandbox_seed(seed: str) -> str:
    """The secret seed of a test: the SHA-256 of ``sandbox SEED`` in hexadecimal digits."""
    return sha256(f"sandbox {seed}".encode()).hexdigest()


def bot_chance(snapshot: Snapshot) -> Random:
    """What a bot that is on turn chooses by: chance; at a test, numbers that follow from its seed and its length."""
    metadata = snapshot.metadata
    return Random(f"{metadata.seed} bot {snapshot.row.length}") if metadata.sandbox else SystemRandom()


def provable_move(game: AnyGame, request: ChanceRequest, nonce: str, number: int, client_seeds: ClientSeeds) -> Move:
    if request.amounts:
        return Move(request.verb, amount=shuffle(sorted(request.amounts), nonce, number, client_seeds)[0])
    return Move(request.verb, shuffle(game.pack.in_order(request.cards), nonce, number, client_seeds))


def is_waiting(metadata: MatchMetadata, control: ControlState) -> bool:
    """Whether the referee or a seat has to act before the service shuffles or draws a lot."""
    if metadata.pack_source == SHARED_PACKS:
        return not control.shuffle_now and bool(_missing_seeds(metadata, control))
    return metadata.pack_source == REFEREE_PACKS


def _missing_seeds(metadata: MatchMetadata, control: ControlState) -> tuple[Seat, ...]:
    """The persons that have not added a client seed yet."""
    done = dict(control.client_seeds)
    return tuple(seat for seat in control.persons(metadata) if seat not in done)


def replay_record(game: AnyGame, p: Position, moves: Iterable[tuple[Seat, Move]]) -> ChanceOutcome:
    """Play the moves of a record from ``p`` on. Raises `IllegalMove`, with its number, at the first that is."""
    steps: list[AppliedMove] = []
    control = ControlState()
    for number, (actor, move) in enumerate(moves, 1):
        try:
            step = play_at_match(game, p, control, actor, move)
        except IllegalMove as error:
            raise IllegalMove(error.refusals, number) from error
        steps.append(step)
        p, control = step.position, step.control
    return _outcome(steps, p, control)


def _outcome(steps: list[AppliedMove], p: Position, control: ControlState) -> ChanceOutcome:
    if not steps:
        return ChanceOutcome((), (), p, control)
    entries, events = tuple([step.entry for step in steps]), tuple([step.events for step in steps])
    return ChanceOutcome(entries, events, p, control)


def supply(
    game: AnyGame, p: Position, metadata: MatchMetadata, control: ControlState, pack: Hand = ()
) -> ChanceOutcome:
    """Supply the packs and lots that the game waits for at ``p``, until it waits for somebody else.

    A ``pack`` that the referee supplied is used first; it is never used as a lot. Raises `errors.BadRequest` where it
    does not fit.
    """
    steps: list[AppliedMove] = []
    while game.turn(p) == CHANCE and not is_decided(game, p, control):
        request, number = game.chance_request(p), control.shuffles + 1
        if is_waiting(metadata, control) and (request.amounts or not pack):
            break
        if pack and not request.amounts:
            move, pack = Move(request.verb, pack), ()
        else:
            nonce = derive_nonce(metadata.seed, number)
            move = provable_move(game, request, nonce, number, control.client_seeds)
        try:
            step = play_at_match(game, p, control, CHANCE, move)
        except IllegalMove as error:  # only a pack that the referee supplied can be illegal
            refusal = error.refusals[0]
            missing, surplus = " ".join(refusal.allowed_cards) or "none", " ".join(refusal.offending_cards) or "none"
            message = f"The pack needs {len(request.cards)} cards; missing: {missing}; too many: {surplus}."
            raise errors.BadRequest("bad_cards", message, "pack") from error
        steps.append(step)
        p, control = step.position, step.control
    if pack:
        raise errors.BadRequest("bad_cards", "No pack is needed in this position.", "pack")
    return _outcome(steps, p, control)


@lru_cache(maxsize=1024)  # it stays the same for a whole deal
def _commitment(seed: str, number: int) -> str:
    return commit(derive_nonce(seed, number))


def next_commitment(metadata: MatchMetadata, control: ControlState) -> str:
    """The published commitment to the nonce of the next shuffle; empty where the referee supplies the packs."""
    if metadata.pack_source == REFEREE_PACKS:
        return ""
    return _commitment(metadata.seed, control.shuffles + 1)


def awaiting_seeds_from(snapshot: Snapshot) -> tuple[Seat, ...]:
    if snapshot.row.aborted or snapshot.is_decided or snapshot.metadata.pack_source != SHARED_PACKS:
        return ()
    is_chance_due = snapshot.game.turn(snapshot.position) == CHANCE
    return _missing_seeds(snapshot.metadata, snapshot.control) if is_chance_due else ()


def shuffles_of(history: MatchHistory, entries: list[str], metadata: MatchMetadata) -> list[Shuffle]:
    """Every shuffle of a match, in order; ``history`` must be at its start.

    A lot is revealed at once; a pack when its deal is over and everybody sees each of its cards, or when the match is
    finished.
    """
    found: list[Shuffle] = []
    for entry in entries:
        before, p = history.control, history.position
        history.skip([entry])
        if history.control.shuffles == before.shuffles:
            continue
        if found and not found[-1].is_revealed:
            found[-1] = found[-1]._replace(is_revealed=is_all_open(history.game, p))
        _, move = parse_entry(history.game, entry)
        number, request = history.control.shuffles, history.game.chance_request(p)
        lots = tuple(sorted(request.amounts))
        is_provable = metadata.pack_source != REFEREE_PACKS and move == provable_move(
            history.game, request, derive_nonce(metadata.seed, number), number, before.client_seeds
        )
        found.append(
            Shuffle(number, history.revision, move, before.client_seeds, lots, is_provable, is_revealed=bool(lots))
        )
    game, last = history.game, history.position
    if found and game.turn(last) == CHANCE and not found[-1].is_revealed:
        found[-1] = found[-1]._replace(is_revealed=is_all_open(game, last))
    return [shuffle._replace(is_revealed=shuffle.is_revealed or history.is_over) for shuffle in found]


def proof_of(metadata: MatchMetadata, shuffle: Shuffle) -> Proof:
    """The proof of a shuffle; to be published only when it reveals no hidden card any more."""
    nonce = derive_nonce(metadata.seed, shuffle.number)
    return Proof(shuffle.number, commit(nonce), nonce, shuffle.client_seeds)


def is_all_open(game: AnyGame, p: Position) -> bool:
    return all(len(zone.cards) == zone.size for zone in view_for(game, p, None).zones)


KIND: Final = "ed25519"  # the kind of signature that a record names


class InvalidRecordSignature(ValueError):
    """A signature that cannot be read, or is that of another text."""


class Signer:
    """Signs records with a private key."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public_key = key.public_key().public_bytes_raw().hex()  # the public key, in 64 hexadecimal digits

    def sign(self, record: str) -> str:
        return f"{record}{SIGNATURE} {KIND} {self.public_key} {self._key.sign(record.encode()).hex()}\n"


def load_signer(path: Path) -> Signer:
    """Load a private key in PEM, as ``openssl genpkey -algorithm ed25519`` writes it. Raises `ValueError`."""
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} holds no private key in PEM without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"{path} holds no Ed25519 key")
    return Signer(key)


def parse_signer(text: str) -> str:
    """The public key that a record is signed with, empty where it is unsigned. Raises `InvalidRecordSignature`."""
    before, line, said = text.rpartition(f"\n{SIGNATURE} ")
    if not line:
        return ""
    parts = said.split()
    try:
        kind, public, signature = parts
        if kind != KIND:
            raise InvalidRecordSignature(f"the signature is of the kind {kind[:20]!r}, not {KIND}")
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(
            bytes.fromhex(signature), f"{before}\n".encode()
        )
    except (ValueError, InvalidSignature) as error:
        raise InvalidRecordSignature(
            f"the signature does not fit the record{f': {error}' if str(error) else ''}"
        ) from error
    return public


def invalid_proofs(game: AnyGame, record: Record) -> str:
    """What is wrong with the first proof that does not hold; empty where all hold. Raises `IllegalMove`."""
    proofs = {proof.number: proof for proof in record.proofs}
    p, number = game.decode(record.position) if record.position else game.start(), 0
    for place, (actor, move) in enumerate(record.moves, 1):
        if actor == CHANCE and not game.move_specs[move.verb].out_of_turn:
            number += 1
            if proof := proofs.pop(number, None):
                request = game.chance_request(p)
                things = sorted(request.amounts) or game.pack.in_order(request.cards)
                order = (move.amount,) if request.amounts else move.cards
                mismatch = verify(things, order, proof.commitment, proof.nonce, number, proof.client_seeds)
                if mismatch:
                    return f"shuffle {number}: {mismatch}"
        try:
            p, _ = play(game, p, actor, move)
        except IllegalMove as error:
            raise IllegalMove(error.refusals, place) from error
    return f"shuffle {min(proofs)}: there is no such shuffle" if proofs else ""
