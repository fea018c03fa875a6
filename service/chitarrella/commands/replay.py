"""The command ``replay``: a recorded match, move by move."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TextIO

import click
from rich.console import Console
from rich.text import Text

from chitarrella.catalogue import EditionNotKept, UnknownGame
from chitarrella.commands.common import catalogue, console, examples, language_option
from chitarrella.commands.screen import Screen
from chitarrella.game import AnyGame, Refused, look, play, told
from chitarrella.notation import TABLE, write_actor, write_move
from chitarrella.option import BadChoice
from chitarrella.proving import BadSignature, signer_of, unproved
from chitarrella.record import LONGEST, BadRecord, Record, read_record
from chitarrella.sheet import BadPosition
from chitarrella.story import who
from chitarrella.tongues import Tongue
from chitarrella.words import CHANCE, REFEREE, Event, Eyes, Move, Seat

UNREADABLE: Final = (BadRecord, BadChoice, BadPosition, EditionNotKept, UnknownGame)


class Line(NamedTuple):
    """A move of the record, and the line it stands in."""

    number: int
    actor: Seat
    move: Move


def eyes_named(ctx: click.Context, param: click.Parameter, value: str) -> Eyes:
    """Read whose eyes look: ``referee``, ``public`` or the number of a seat."""
    if value == "referee":
        return REFEREE
    if value == "public":
        return None
    if value.isascii() and value.isdigit() and len(value) < 3:
        return int(value)
    raise click.BadParameter(f"{value[:40]!r} is neither a seat nor public nor referee.", ctx, param)


@click.command(
    "replay",
    epilog=examples(
        "chitarrella replay evening.txt",
        "chitarrella replay evening.txt --as 0 --until 30",
        "cat evening.txt | chitarrella replay --as public -",
    ),
)
@click.argument("file", type=click.File(encoding="utf-8", errors="replace"))
@click.option("--until", type=click.IntRange(min=0), metavar="N", help="Stop after the first N moves of the record.")
@click.option(
    "--as",
    "eyes",
    callback=eyes_named,
    default="referee",
    metavar="SEAT|public|referee",
    show_default=True,
    help="Whose eyes look: only what they saw at the table is told.",
)
@language_option
def command(file: TextIO, until: int | None, eyes: Eyes, tongue: Tongue) -> None:
    """Play the record in FILE ('-' for the standard input) and tell what happens.

    Every move is judged again. At the first that the rules refuse the command stops, names the line, the clause and
    the reason, and ends with status 1.
    """
    record, lines, text = _read(file)
    game = catalogue().seat(record.agreement)
    if eyes is not None and eyes >= game.seats:
        raise click.UsageError(f"there is no seat {eyes}; seats are numbered 0 to {game.seats - 1}.")
    out = console()
    screen = Screen(out, game, eyes, indent=12 if eyes == REFEREE else 2, tongue=tongue)
    p = game.read(record.position) if record.position else game.start()
    for line in lines[:until]:
        if eyes == REFEREE:
            out.print(_said(screen, line))
        try:
            p, events = play(game, p, line.actor, line.move)
        except Refused as refused:
            _refused(screen, line, refused)
            sys.exit(1)
        screen.events(_heard(events, eyes))
    screen.table(look(game, p, eyes))
    if until is None:
        _proved(out, game, record, text)
    if (turn := game.turn(p)) is not None:
        out.print(f"The record ends here; {_named(turn)} is to move.")


def _read(file: TextIO) -> tuple[Record, list[Line], str]:
    """Read the record with the line of every move, and its text; what is no record ends the command."""
    try:
        text = file.read(LONGEST + 1)
        record = read_record(catalogue(), text)
        catalogue().seat(record.agreement).read(record.position) if record.position else None
    except UNREADABLE as error:
        raise click.ClickException(str(error).removeprefix("line 0: ")) from None
    return record, [Line(number, *made) for number, made in zip(_numbers(text), record.moves, strict=True)], text


def _proved(out: Console, game: AnyGame, record: Record, text: str) -> None:
    """Hold the record against its proofs and its signature; what does not fit ends the command with status 1."""
    try:
        public, fault = signer_of(text), unproved(game, record)
    except BadSignature as error:
        public, fault = "", str(error)
    if fault:
        out.print(Text(f"Not proved: {fault}.", "bold red"))
        sys.exit(1)
    if record.proofs:
        out.print(f"Proved: {len(record.proofs)} draw(s) came out as was promised before.")
    if public:
        out.print(f"Signed with the Ed25519 key {public}.")


def _numbers(text: str) -> Iterator[int]:
    """Number the lines that hold a move, as a record counts them."""
    for number, raw in enumerate(text.splitlines(), 1):
        head = raw.partition("|")[0].strip().partition(" ")[0]
        if head == TABLE or head.isdecimal():
            yield number


def _heard(events: Iterable[Event], eyes: Eyes) -> Iterator[Event]:
    """Give what ``eyes`` learn of; the referee has read in the move itself which card was played."""
    for event in events:
        heard = told(event, eyes)
        if heard is not None and not (eyes == REFEREE and event.kind == "card_played"):
            yield heard


def _said(screen: Screen, line: Line) -> Text:
    """Print a move as it stands in the record."""
    text = Text(f"{line.number:>4}  {write_actor(line.actor):<6}", style="dim")
    return text.append_text(screen.faces.text(write_move(line.move)))


def _refused(screen: Screen, line: Line, refused: Refused) -> None:
    """Say where the record breaks the rules; what tells of a hand is for the eyes that see it."""
    may_see = screen.eyes in (REFEREE, line.actor)
    said = f" {write_move(line.move)}" if may_see else ": the move"
    screen.out.print(Text(f"Line {line.number}: {_named(line.actor)}{said} is refused.", "bold red"))
    for refusal in refused.refusals:
        if may_see:
            screen.broken(refusal)
        else:
            screen.out.print(f"    {screen.clause(refusal)}")


def _named(actor: Seat) -> str:
    return "the table" if actor == CHANCE else who(actor)
