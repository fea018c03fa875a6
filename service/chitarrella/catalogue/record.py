"""Match records: a whole match as text, for people to read and for `chitarrella.core.game.replay`.

A record begins with headings, a name and its value on each line. Then come the moves, one on each line: the actor, then
the move in notation; ``table`` is chance. Text after a ``|`` is a comment and is not parsed::

    game KEY
    players 2
    edition 1
    option rubber_games 1

    table  start_deal 4c 5b Cd ...     | turned_up 6b; ...
    1      play_card 4c
    0      play_card 6c                | trick_taken 0 4c 6c; card_drawn 0 Ac; card_drawn 1 Fd

A comment begins with the time of the move, where that is known. A line ``resigned SEAT`` or ``forfeited SEAT`` behind
the moves says that a seat has given up or was made to, ``decided SEATS REASON`` that the referee or the platform has
named the winners; in a reason ``%``, ``|`` and odd blanks are percent-encoded. Then come, of a finished match, the
proofs of its shuffles and lots: the number, the commitment, the nonce, and the client seeds by seat
(`chitarrella.core.provable_shuffle`). The heading ``sandbox true`` says that the match was a test: somebody may have
known its shuffles beforehand. The last line may be a signature over all others::

    shuffle 1 COMMITMENT NONCE 0:hello 1:world
    signature ed25519 PUBLIC SIGNATURE
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, repeat
from typing import NamedTuple
from urllib.parse import quote, unquote

from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.game import AnyGame, play
from chitarrella.core.model import CHANCE, Event, Move, Seat
from chitarrella.core.notation import CHANCE_NAME, format_actor, format_move, format_share, parse_move
from chitarrella.core.provable_shuffle import ClientSeeds

HEADINGS = ("game", "players", "edition", "position", "option", "sandbox")
"""The first words of the lines before the first move."""
PROOF, SIGNATURE = "shuffle", "signature"  # the first words of the lines behind the moves
MAX_REASON_LENGTH = 200
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
UNSAFE = re.compile(r"[^\S ]|[%|]| $")  # what would end or cut the line of a reason, or be lost
ENDINGS = ("resigned", "forfeited", "decided")  # of those that say how the match ended without its rules
MAX_LENGTH = 2_000_000  # characters in a record: some twenty thousand moves


class InvalidRecord(ValueError):
    """Text that is no record; ``line`` counts from 1, and is 0 if no line is at fault."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


class Proof(NamedTuple):
    """The proof of a shuffle or lot: its number in the match from 1, the commitment, the nonce, the client seeds."""

    number: int
    commitment: str
    nonce: str
    client_seeds: ClientSeeds = ()


class Record(NamedTuple):
    """The rule set, the first position (empty: the start of a match), every move with its actor, and the proofs.

    ``sandbox`` says that the match was a test. ``times`` are those of the moves, which are written and not read.
    ``endings`` are the lines that say who has resigned, and what was decided.
    """

    rule_set: RuleSet
    position: str = ""
    moves: tuple[tuple[Seat, Move], ...] = ()
    proofs: tuple[Proof, ...] = ()
    sandbox: bool = False
    times: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()


def format_record(catalogue: Catalogue, record: Record, *, comments: bool = True) -> str:
    """Return a record as text. For ``comments`` with the events of each move the record is replayed.

    Raises `IllegalMove` with ``comments`` if a move is illegal.
    """
    rule_set = catalogue.normalize(record.rule_set)
    lines = [f"game {rule_set.game}", f"players {rule_set.players}", f"edition {rule_set.edition}"]
    lines += [f"option {name} {value}" for name, value in rule_set.options]
    lines += [f"position {record.position}"] if record.position else []
    lines += ["sandbox true"] if record.sandbox else []
    lines.append("")
    texts = _comments(catalogue.game_for(rule_set), record) if comments else repeat("")
    for text, (actor, move), time in zip(texts, record.moves, chain(record.times, repeat("")), strict=False):
        comment = " ".join(filter(None, (time, text)))
        line = f"{format_actor(actor):<6} {format_move(move)}"
        lines.append(f"{line:<32} | {comment}" if comment else line)
    lines += map(_write_ending, record.endings)
    lines += ["", *map(_write_proof, record.proofs)] if record.proofs else []
    return "\n".join(lines) + "\n"


def _comments(game: AnyGame, record: Record) -> Iterator[str]:
    p = game.decode(record.position) if record.position else game.start()
    for actor, move in record.moves:
        p, events = play(game, p, actor, move)
        yield "; ".join(_comment(event) for event in events if event.kind != "card_played")


def _comment(event: Event) -> str:
    parts = [event.kind, "" if event.seat is None else str(event.seat), " ".join(event.cards), event.word]
    parts += ["" if event.amount is None else str(event.amount)]
    parts += ["" if event.other is None else f"to {event.other}"]
    parts += map(format_share, event.shares)
    return " ".join(filter(None, parts))


def parse_record(catalogue: Catalogue, text: str) -> Record:
    """Parse a record; raises `InvalidRecord`, or the errors of `Catalogue.game_for` for an impossible rule set.

    A byte order mark before it, as some editors write it, is passed over.

    The moves are parsed, not validated: `chitarrella.core.game.replay` does that.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidRecord(0, f"a record has at most {MAX_LENGTH} characters")
    headings: dict[str, str] = {}
    moves: list[tuple[int, str, str]] = []
    proofs: list[Proof] = []
    endings: list[tuple[int, str, str]] = []
    signed = False
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        head, _, words = raw.partition("|")[0].strip().partition(" ")
        rest = words.strip()
        if head and signed:
            raise InvalidRecord(number, "nothing comes after the signature")
        if head in HEADINGS and not moves:
            name, _, value = rest.partition(" ")
            key, value = (f"option {name}", value.strip()) if head == "option" else (head, rest)
            if key in headings:
                raise InvalidRecord(number, f"{key[:40]!r} is said twice")
            headings[key] = value
        elif head == CHANCE_NAME or head.isdecimal():
            moves.append((number, head, rest))
        elif head in ENDINGS and moves:
            endings.append((number, head, words))  # a blank before the reason: nobody has won
        elif head == PROOF:
            proofs.append(_read_proof(number, rest))
        elif head == SIGNATURE:
            signed = True
        elif head:
            raise InvalidRecord(number, f"{head[:40]!r} begins neither a heading nor a move")
    options = tuple(sorted((key[7:], value) for key, value in headings.items() if key.startswith("option ")))
    rule_set = RuleSet(headings.get("game", ""), _number(headings, "players"), options, _number(headings, "edition"))
    game = catalogue.game_for(rule_set)
    sandbox = headings.get("sandbox", "false")
    if sandbox not in ("true", "false"):
        raise InvalidRecord(0, f"sandbox {sandbox[:40]!r} is neither true nor false")
    played, position = tuple(_moves(game, moves)), headings.get("position", "")
    return Record(rule_set, position, played, tuple(proofs), sandbox == "true", endings=tuple(_endings(game, endings)))


def _write_ending(line: str) -> str:
    head, seats, reason = [*line.split(" ", 2), ""][:3]
    return f"{head} {seats} {UNSAFE.sub(lambda found: quote(found[0]), reason)}".rstrip(" ")


def _write_proof(proof: Proof) -> str:
    words = [f"{seat}:{quote(word, safe='')}" for seat, word in proof.client_seeds]
    return " ".join([PROOF, str(proof.number), proof.commitment, proof.nonce, *words])


def _read_proof(line: int, text: str) -> Proof:
    try:
        number, commitment, nonce, *words = text.split()
        seeds = tuple((int(seat), unquote(word)) for seat, _, word in (word.partition(":") for word in words))
        return Proof(int(number), commitment, nonce, seeds)
    except ValueError:
        raise InvalidRecord(
            line, "the proof of a shuffle is its number, commitment, nonce, and seeds as SEAT:SEED"
        ) from None


def _number(headings: dict[str, str], name: str) -> int:
    value = headings.get(name, "0")
    if not value.isdecimal() or len(value) > 6:
        raise InvalidRecord(0, f"{name} {value[:40]!r} is no number")
    return int(value)


def _moves(game: AnyGame, lines: list[tuple[int, str, str]]) -> Iterator[tuple[Seat, Move]]:
    actors = {CHANCE_NAME: CHANCE, **{str(seat): seat for seat in range(game.seats)}}
    for number, who, what in lines:
        if who not in actors:
            raise InvalidRecord(number, f"there is no seat {who[:40]}")
        try:
            yield actors[who], parse_move(game, what)
        except ValueError as error:
            raise InvalidRecord(number, str(error)) from None


def _endings(game: AnyGame, lines: list[tuple[int, str, str]]) -> Iterator[str]:
    known = {str(seat) for seat in range(game.seats)}
    for number, head, words in lines:
        seats, _, text = words.partition(" ")
        reason = unquote(text)
        named = seats.split(",") if seats else []
        if not known.issuperset(named) or (head != "decided" and (len(named) != 1 or reason)):
            raise InvalidRecord(number, f"there is no seat {(seats if head == 'decided' else words)[:40]}")
        if len(reason) > MAX_REASON_LENGTH or CONTROL.search(reason):
            text = f"a reason has at most {MAX_REASON_LENGTH} characters, and no control characters"
            raise InvalidRecord(number, text)
        yield f"{head} {seats} {reason}" if reason else f"{head} {seats}"
