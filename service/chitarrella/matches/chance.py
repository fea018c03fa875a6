"""Chance at a match: packs and lots that everybody can verify afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from random import Random, SystemRandom
from typing import NamedTuple

from chitarrella import errors
from chitarrella.catalogue.record import Proof
from chitarrella.core.cards import Hand
from chitarrella.core.game import AnyGame, IllegalMove, Position, play, view_for
from chitarrella.core.model import CHANCE, ChanceRequest, Event, Move, Seat
from chitarrella.core.provable_shuffle import ClientSeeds, commit, derive_nonce, shuffle
from chitarrella.matches.control import ControlState, after_move
from chitarrella.matches.history import MatchHistory, format_entry, is_chance_move, parse_entry
from chitarrella.matches.metadata import MatchMetadata
from chitarrella.matches.model import REFEREE_PACKS, SHARED_PACKS, ChanceOutcome, Snapshot


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
    """The secret seed of a test whose shuffles ``seed`` names: the SHA-256 of ``sandbox SEED`` in hexadecimal digits.

    Each nonce follows from it as in any match (`chitarrella.core.provable_shuffle.derive_nonce`).
    """
    return sha256(f"sandbox {seed}".encode()).hexdigest()


def bot_chance(snapshot: Snapshot) -> Random:
    """What a bot that is on turn chooses by: chance; at a test, numbers that follow from its seed and its length."""
    metadata = snapshot.metadata
    return Random(f"{metadata.seed} bot {snapshot.row.length}") if metadata.sandbox else SystemRandom()


def provable_move(game: AnyGame, request: ChanceRequest, nonce: str, number: int, client_seeds: ClientSeeds) -> Move:
    """The move of chance that follows from a nonce and the client seeds."""
    if request.amounts:
        return Move(request.verb, amount=shuffle(sorted(request.amounts), nonce, number, client_seeds)[0])
    return Move(request.verb, shuffle(game.pack.in_order(request.cards), nonce, number, client_seeds))


def is_waiting(metadata: MatchMetadata, control: ControlState) -> bool:
    """Whether the referee or a seat has to act before the service shuffles or draws a lot."""
    if metadata.pack_source == SHARED_PACKS:
        return not control.shuffle_now and bool(_missing_seeds(metadata, control))
    return metadata.pack_source == REFEREE_PACKS


def _missing_seeds(metadata: MatchMetadata, control: ControlState) -> tuple[Seat, ...]:
    """The seats that have not added a client seed yet; bots add none."""
    done = {*dict(control.client_seeds), *(bot.seat for bot in control.bots)}
    return tuple(seat for seat in metadata.seats if seat not in done)


def replay_record(game: AnyGame, p: Position, moves: Iterable[tuple[Seat, Move]]) -> ChanceOutcome:
    """Play the moves of a record from ``p`` on. Raises `IllegalMove`, with its number, at the first that is."""
    entries: list[str] = []
    events_by_entry: list[tuple[Event, ...]] = []
    control = ControlState()
    for number, (actor, move) in enumerate(moves, 1):
        try:
            p, events = play(game, p, actor, move)
        except IllegalMove as error:
            raise IllegalMove(error.refusals, number) from error
        entries.append(format_entry(actor, move))
        events_by_entry.append(events)
        control = after_move(control, is_chance=is_chance_move(game, actor, move))
    return ChanceOutcome(tuple(entries), tuple(events_by_entry), p, control)


def supply(
    game: AnyGame, p: Position, metadata: MatchMetadata, control: ControlState, pack: Hand = ()
) -> ChanceOutcome:
    """Supply the packs and lots that the game waits for at ``p``, until it waits for somebody else.

    A ``pack`` that the referee supplied is used first; it is never used as a lot. Raises `errors.BadRequest` where it
    does not fit.
    """
    entries: list[str] = []
    events_by_entry: list[tuple[Event, ...]] = []
    while game.turn(p) == CHANCE:
        request, number = game.chance_request(p), control.shuffles + 1
        if is_waiting(metadata, control) and (request.amounts or not pack):
            break
        if pack and not request.amounts:
            move, pack = Move(request.verb, pack), ()
        else:
            nonce = derive_nonce(metadata.seed, number)
            move = provable_move(game, request, nonce, number, control.client_seeds)
        try:
            p, events = play(game, p, CHANCE, move)
        except IllegalMove as error:  # only a pack that the referee supplied can be illegal
            refusal = error.refusals[0]
            missing, surplus = " ".join(refusal.allowed_cards) or "none", " ".join(refusal.offending_cards) or "none"
            message = f"The pack needs {len(request.cards)} cards; missing: {missing}; too many: {surplus}."
            raise errors.BadRequest("bad_pack", message, "pack") from error
        entries.append(format_entry(CHANCE, move))
        events_by_entry.append(events)
        control = after_move(control, is_chance=True)
    if pack:
        raise errors.BadRequest("bad_pack", "No pack is needed in this position.", "pack")
    return ChanceOutcome(tuple(entries), tuple(events_by_entry), p, control)


def next_commitment(metadata: MatchMetadata, control: ControlState) -> str:
    """The published commitment to the nonce of the next shuffle; empty where the referee supplies the packs."""
    if metadata.pack_source == REFEREE_PACKS:
        return ""
    return commit(derive_nonce(metadata.seed, control.shuffles + 1))


def awaiting_seeds_from(snapshot: Snapshot) -> tuple[Seat, ...]:
    """The seats whose client seeds the next shuffle waits for."""
    if snapshot.row.aborted or snapshot.metadata.pack_source != SHARED_PACKS:
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
    is_finished = game.is_finished(last)
    return [shuffle._replace(is_revealed=shuffle.is_revealed or is_finished) for shuffle in found]


def proof_of(metadata: MatchMetadata, shuffle: Shuffle) -> Proof:
    """The proof of a shuffle; to be published only when it reveals no hidden card any more."""
    nonce = derive_nonce(metadata.seed, shuffle.number)
    return Proof(shuffle.number, commit(nonce), nonce, shuffle.client_seeds)


def is_all_open(game: AnyGame, p: Position) -> bool:
    """Whether everybody sees every card of a position."""
    return all(len(zone.cards) == zone.size for zone in view_for(game, p, None).zones)
