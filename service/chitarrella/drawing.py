"""Chance at a kept match: packs and lots drawn so that everybody can check them afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from chitarrella import errors
from chitarrella.affairs import Affairs, after_move
from chitarrella.cards import Hand
from chitarrella.chronicle import Chronicle, is_draw, read_entry, write_entry
from chitarrella.fairness import Words, commitment_to, nonce_of, ordered
from chitarrella.game import AnyGame, Position, Refused, look, play
from chitarrella.header import Header
from chitarrella.kept import Dealt, Seen
from chitarrella.record import Proof
from chitarrella.words import CHANCE, Chance, Event, Move, Seat

SERVICE, REFEREE, SHARED = "service", "referee", "shared"
"""Who deals: the service alone, the referee by hand, or the service when every person has added a word."""


class Draw(NamedTuple):
    """A pack or a lot that was drawn: by the service, with what proves it, or handed in by somebody.

    ``open`` tells that nothing of it lies hidden from anybody any more.
    """

    number: int
    revision: int
    move: Move
    words: Words
    lots: tuple[int, ...]
    fair: bool
    open: bool


def fair_move(game: AnyGame, wanted: Chance, nonce: str, number: int, words: Words) -> Move:
    """Draw what is wanted."""
    if wanted.amounts:
        return Move(wanted.verb, amount=ordered(sorted(wanted.amounts), nonce, number, words)[0])
    return Move(wanted.verb, ordered(game.pack.in_order(wanted.cards), nonce, number, words))


def waits(header: Header, affairs: Affairs) -> bool:
    """Tell whether somebody else has to do something before the service draws."""
    if header.packs == SHARED:
        return not affairs.deal_now and bool(_silent(header, affairs))
    return header.packs == REFEREE


def _silent(header: Header, affairs: Affairs) -> tuple[Seat, ...]:
    """Name the seats of persons that have not added a word yet; a bot has nothing to say."""
    said = {*dict(affairs.words), *(bot.seat for bot in affairs.bots)}
    return tuple(seat for seat in header.seats if seat not in said)


def replayed(game: AnyGame, p: Position, moves: Iterable[tuple[Seat, Move]]) -> Dealt:
    """Make the moves of a record; raises `errors.BadRequest` for one that the rules refuse."""
    lines: list[str] = []
    told: list[tuple[Event, ...]] = []
    affairs = Affairs()
    for number, (actor, move) in enumerate(moves, 1):
        try:
            p, events = play(game, p, actor, move)
        except Refused as refused:
            raise errors.BadRequest("bad_record", f"move {number}: {refused}", "record") from refused
        lines.append(write_entry(actor, move))
        told.append(events)
        affairs = after_move(affairs, draw=is_draw(game, actor, move))
    return Dealt(tuple(lines), tuple(told), p, affairs)


def supplied(game: AnyGame, p: Position, header: Header, affairs: Affairs, pack: Hand = ()) -> Dealt:
    """Supply what chance has to supply at ``p``, a ``pack`` that was handed in first; nothing where that waits."""
    lines: list[str] = []
    told: list[tuple[Event, ...]] = []
    while game.turn(p) == CHANCE:
        wanted, number = game.chance(p), affairs.draws + 1
        if waits(header, affairs) and (wanted.amounts or not pack):  # a pack that was handed in is no lot
            break
        if pack and not wanted.amounts:
            move, pack = Move(wanted.verb, pack), ()
        else:
            move = fair_move(game, wanted, nonce_of(header.seed, number), number, affairs.words)
        try:
            p, events = play(game, p, CHANCE, move)
        except Refused as refused:  # only a pack that was handed in can be
            raise errors.BadRequest(
                "bad_pack", f"The pack must hold {len(wanted.cards)} cards: {refused}", "pack"
            ) from refused
        lines.append(write_entry(CHANCE, move))
        told.append(events)
        affairs = after_move(affairs, draw=True)
    if pack:
        raise errors.BadRequest("bad_pack", "No pack is wanted in this position.", "pack")
    return Dealt(tuple(lines), tuple(told), p, affairs)


def next_commitment(header: Header, affairs: Affairs) -> str:
    """Give what was published of the nonce of the next draw; nothing where the referee deals."""
    return "" if header.packs == REFEREE else commitment_to(nonce_of(header.seed, affairs.draws + 1))


def words_awaited(seen: Seen) -> tuple[Seat, ...]:
    """Name the seats whose words the next pack is waiting for."""
    waiting = seen.header.packs == SHARED and seen.game.turn(seen.position) == CHANCE and not seen.page.ended
    return _silent(seen.header, seen.affairs) if waiting else ()


def draws_of(story: Chronicle, lines: list[str], header: Header) -> list[Draw]:
    """Go through every draw of a match, told from its log.

    A lot is open at once, a pack when its deal is over and everybody sees each of its cards, or the match is over.
    """
    found: list[Draw] = []
    for line in lines:
        before, at = story.affairs, story.position
        story.pass_over([line])
        if story.affairs.draws == before.draws:
            continue
        if found and not found[-1].open:
            found[-1] = found[-1]._replace(open=all_open(story.game, at))
        _, move = read_entry(story.game, line)
        number, wanted = story.affairs.draws, story.game.chance(at)
        lots = tuple(sorted(wanted.amounts))
        fair = header.packs != REFEREE and move == fair_move(
            story.game, wanted, nonce_of(header.seed, number), number, before.words
        )
        found.append(Draw(number, story.revision, move, before.words, lots, fair, open=bool(lots)))
    game, last = story.game, story.position
    if found and game.turn(last) == CHANCE and not found[-1].open:
        found[-1] = found[-1]._replace(open=all_open(game, last))
    return [draw._replace(open=draw.open or game.over(last)) for draw in found]


def proof_of(header: Header, draw: Draw) -> Proof:
    """Give what proves a draw of the service; only when it can tell nobody anything any more."""
    nonce = nonce_of(header.seed, draw.number)
    return Proof(draw.number, commitment_to(nonce), nonce, draw.words)


def all_open(game: AnyGame, p: Position) -> bool:
    """Tell whether everybody sees every card on the table."""
    return all(len(pile.cards) == pile.size for pile in look(game, p, None).piles)
