"""Records: a whole match as text that a card player can read, and that plays itself again.

A record begins with what was agreed, one word and its value a line; then come the moves, one a line: who, then what.
``table`` hands in the packs. Whatever follows a ``|`` is for the reader and is not read back::

    game briscola
    players 2
    edition 1
    option rubber_games 1

    table  start_deal 4c 5b Cd ...     | turned_up 6b; ...
    1      play_card 4c
    0      play_card 6c                | trick_taken 0 4c 6c; card_drawn 0 Ac; card_drawn 1 Fd

Behind the moves of a match that is over stand the proofs of its draws: which one it was, the commitment, the nonce,
and the words that seats had added (`chitarrella.fairness`). The very last line may be a signature over all the others::

    draw 1 COMMITMENT NONCE 0:hello 1:world
    signature ed25519 PUBLIC SIGNATURE
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import NamedTuple
from urllib.parse import quote, unquote

from chitarrella.catalogue import Agreement, Catalogue
from chitarrella.fairness import Words
from chitarrella.game import AnyGame, play
from chitarrella.notation import TABLE, read_move, write_actor, write_move, write_share
from chitarrella.words import CHANCE, Event, Move, Seat

HEADINGS = ("game", "players", "edition", "position", "option")
PROOF, SIGNATURE = "draw", "signature"
LONGEST = 2_000_000
"""Characters in a record: some twenty thousand moves."""


class BadRecord(ValueError):
    """Text that is no record; ``line`` counts from 1."""

    def __init__(self, line: int, because: str) -> None:
        """Say which line, and why."""
        super().__init__(f"line {line}: {because}")
        self.line = line


class Proof(NamedTuple):
    """What proves a draw: its number among the draws, counted from 1, the commitment, the nonce, the words."""

    number: int
    commitment: str
    nonce: str
    words: Words = ()


class Record(NamedTuple):
    """What was agreed, the position it began from (empty: the beginning), and every move with who made it.

    ``proofs`` are those of its draws, as far as it has any.
    """

    agreement: Agreement
    position: str = ""
    moves: tuple[tuple[Seat, Move], ...] = ()
    proofs: tuple[Proof, ...] = ()


def write_record(catalogue: Catalogue, record: Record, *, comments: bool = True) -> str:
    """Put a record into text; with ``comments`` it is played through, to say beside each move what came of it."""
    agreement = catalogue.settle(record.agreement)
    lines = [f"game {agreement.game}", f"players {agreement.players}", f"edition {agreement.edition}"]
    lines += [f"option {name} {value}" for name, value in agreement.options]
    lines += [f"position {record.position}"] if record.position else []
    lines.append("")
    said = _comments(catalogue.seat(agreement), record) if comments else repeat("")
    for comment, (actor, move) in zip(said, record.moves, strict=False):
        line = f"{write_actor(actor):<6} {write_move(move)}"
        lines.append(f"{line:<32} | {comment}" if comment else line)
    lines += ["", *map(_write_proof, record.proofs)] if record.proofs else []
    return "\n".join(lines) + "\n"


def _comments(game: AnyGame, record: Record) -> Iterator[str]:
    p = game.read(record.position) if record.position else game.start()
    for actor, move in record.moves:
        p, events = play(game, p, actor, move)
        yield "; ".join(_comment(event) for event in events if event.kind != "card_played")


def _comment(event: Event) -> str:
    """Say an event in words of the notation."""
    parts = [event.kind, "" if event.seat is None else str(event.seat), " ".join(event.cards), event.word]
    parts += ["" if event.amount is None else str(event.amount)]
    parts += ["" if event.other is None else f"to {event.other}"]
    parts += map(write_share, event.shares)
    return " ".join(filter(None, parts))


def read_record(catalogue: Catalogue, text: str) -> Record:
    """Read a record; raises `BadRecord`, or what the catalogue says of an agreement that cannot be.

    The moves are read, not judged: playing them (`chitarrella.game.replay`) tells whether they keep the rules.
    """
    if len(text) > LONGEST:
        raise BadRecord(0, f"a record has at most {LONGEST} characters")
    said: dict[str, str] = {}
    moves: list[tuple[int, str, str]] = []
    proofs: list[Proof] = []
    signed = False
    for number, raw in enumerate(text.splitlines(), 1):
        head, _, rest = raw.partition("|")[0].strip().partition(" ")
        rest = rest.strip()
        if head and signed:
            raise BadRecord(number, "nothing comes after the signature")
        if head in HEADINGS and not moves:
            name, _, value = rest.partition(" ")
            key, value = (f"option {name}", value.strip()) if head == "option" else (head, rest)
            if key in said:
                raise BadRecord(number, f"{key[:40]!r} is said twice")
            said[key] = value
        elif head == TABLE or head.isdecimal():
            moves.append((number, head, rest))
        elif head == PROOF:
            proofs.append(_read_proof(number, rest))
        elif head == SIGNATURE:
            signed = True
        elif head:
            raise BadRecord(number, f"{head[:40]!r} begins neither a heading nor a move")
    options = tuple(sorted((key[7:], value) for key, value in said.items() if key.startswith("option ")))
    agreement = Agreement(said.get("game", ""), _count(said, "players"), options, _count(said, "edition"))
    game = catalogue.seat(agreement)
    return Record(agreement, said.get("position", ""), tuple(_moves(game, moves)), tuple(proofs))


def _write_proof(proof: Proof) -> str:
    words = [f"{seat}:{quote(word, safe='')}" for seat, word in proof.words]
    return " ".join([PROOF, str(proof.number), proof.commitment, proof.nonce, *words])


def _read_proof(line: int, text: str) -> Proof:
    try:
        number, commitment, nonce, *words = text.split()
        said = tuple((int(seat), unquote(word)) for seat, _, word in (word.partition(":") for word in words))
        return Proof(int(number), commitment, nonce, said)
    except ValueError:
        raise BadRecord(line, "the proof of a draw is its number, commitment, nonce, and words as SEAT:WORD") from None


def _count(said: dict[str, str], name: str) -> int:
    value = said.get(name, "0")
    if not value.isdecimal() or len(value) > 6:
        raise BadRecord(0, f"{name} {value[:40]!r} is no number")
    return int(value)


def _moves(game: AnyGame, lines: list[tuple[int, str, str]]) -> Iterator[tuple[Seat, Move]]:
    actors = {TABLE: CHANCE, **{str(seat): seat for seat in range(game.seats)}}
    for number, who, what in lines:
        if who not in actors:
            raise BadRecord(number, f"there is no seat {who[:40]}")
        try:
            yield actors[who], read_move(game, what)
        except ValueError as error:
            raise BadRecord(number, str(error)) from None
