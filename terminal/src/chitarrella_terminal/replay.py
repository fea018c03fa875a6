"""The command ``replay``: a recorded match, move by move, with the proofs of its shuffles and its signature."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TextIO

import click
from rich.console import Console
from rich.text import Text

from chitarrella.catalogue.record import MAX_LENGTH, InvalidRecord, Record, parse_record
from chitarrella.catalogue.registry import UnknownEdition, UnknownGame
from chitarrella.core.game import AnyGame, IllegalMove, play
from chitarrella.core.model import CHANCE, REFEREE, Event, Move, Seat, Viewer
from chitarrella.core.notation import CHANCE_NAME, InvalidPosition, format_actor, format_move
from chitarrella.core.options import InvalidOption
from chitarrella.core.visibility import view_for, visible_to
from chitarrella.i18n.narration import who
from chitarrella.i18n.translator import Translator
from chitarrella.matches.chance import InvalidRecordSignature, invalid_proofs, parse_signer
from chitarrella.matches.metadata import ControlState, apply_action, ending_actions, events_of, is_over
from chitarrella_terminal.options import catalogue, console, language_option
from chitarrella_terminal.screen import Screen
from chitarrella_terminal.translated_help import TranslatedCommand

RECORD_ERRORS: Final = (InvalidRecord, InvalidOption, InvalidPosition, UnknownEdition, UnknownGame)
"""What is wrong with a record that cannot be replayed."""


class RecordedMove(NamedTuple):
    """A move of the record with its line number."""

    number: int
    actor: Seat
    move: Move


def parse_viewer(ctx: click.Context, param: click.Parameter, value: str) -> Viewer:
    if value == "referee":
        return REFEREE
    if value == "public":
        return None
    if value.isascii() and value.isdigit() and len(value) < 3:
        return int(value)
    raise click.BadParameter(f"{value[:40]!r} is neither a seat nor public nor referee.", ctx, param)


@click.command(
    "replay",
    cls=TranslatedCommand,
    examples=(
        "chitarrella replay match.txt",
        "chitarrella replay match.txt --as 0 --until 30",
        "cat match.txt | chitarrella replay --as public -",
    ),
)
@click.argument("file", type=click.File(encoding="utf-8", errors="replace"))
@click.option("--until", type=click.IntRange(min=0), metavar="N", help="Stop after the first N moves of the record.")
@click.option("--as", "viewer", callback=parse_viewer, default="referee", metavar="SEAT|public|referee",
              show_default=True, help="The viewer: only what it could see in the match is printed.")  # fmt: skip
@language_option
def command(file: TextIO, until: int | None, viewer: Viewer, translator: Translator) -> None:
    """Replay the record in FILE ('-' for the standard input) and print its events.

    Every move is validated again. At the first illegal one the command prints the line, the clause and the reason, and
    exits with status 1.
    """
    record, lines, text = _read(file)
    game = catalogue().game_for(record.rule_set)
    if viewer is not None and viewer >= game.seats:
        raise click.UsageError(f"there is no seat {viewer}; seats are numbered 0 to {game.seats - 1}.")
    out = console()
    screen = Screen(out, game, viewer, indent=12 if viewer == REFEREE else 2, translator=translator)
    p = game.decode(record.position) if record.position else game.start()
    for line in lines[:until]:
        if viewer == REFEREE:
            out.print(_move_text(screen, line))
        try:
            p, events = play(game, p, line.actor, line.move)
        except IllegalMove as error:
            _print_refusal(screen, line, error)
            sys.exit(1)
        screen.print_events(_visible_events(events, viewer))
    screen.print_table(view_for(game, p, viewer))
    if record.sandbox:
        out.print("A test: its shuffles may have been known beforehand.")
    if until is None:
        _check_proofs(out, game, record, text)
    control = ControlState()
    for action in ending_actions(record.endings) if until is None else ():
        control = apply_action(control, action)
        screen.print_events(events_of(action))
    if not is_over(game, p, control) and (turn := game.turn(p)) is not None:
        out.print(f"The record ends here; {_actor_name(turn)} is to move.")


def _read(file: TextIO) -> tuple[Record, list[RecordedMove], str]:
    """Return the record, its moves with their lines, and its text; raises `click.ClickException` for a bad record."""
    try:
        text = file.read(MAX_LENGTH + 1)
        record = parse_record(catalogue(), text)
        catalogue().game_for(record.rule_set).decode(record.position) if record.position else None
    except RECORD_ERRORS as error:
        raise click.ClickException(str(error).removeprefix("line 0: ")) from None
    return (
        record,
        [
            RecordedMove(number, *actor_and_move)
            for number, actor_and_move in zip(_move_lines(text), record.moves, strict=True)
        ],
        text,
    )


def _check_proofs(out: Console, game: AnyGame, record: Record, text: str) -> None:
    """Verify the proofs and the signature of the record; exit with status 1 if one is invalid."""
    try:
        public, fault = parse_signer(text), invalid_proofs(game, record)
    except InvalidRecordSignature as error:
        public, fault = "", str(error)
    if fault:
        out.print(Text(f"Not proved: {fault}.", "bold red"))
        sys.exit(1)
    if record.proofs:
        out.print(f"Proved: {len(record.proofs)} shuffle(s) match their commitments.")
    if public:
        out.print(f"Signed with the Ed25519 key {public}.")


def _move_lines(text: str) -> Iterator[int]:
    for number, raw in enumerate(text.split("\n"), 1):
        head = raw.partition("|")[0].strip().partition(" ")[0]
        if head == CHANCE_NAME or head.isdecimal():
            yield number


def _visible_events(events: Iterable[Event], viewer: Viewer) -> Iterator[Event]:
    """Yield the events as ``viewer`` learns of them; for the referee the printed moves stand for the cards played."""
    for event in events:
        visible = visible_to(event, viewer)
        if visible is not None and not (viewer == REFEREE and event.kind == "card_played"):
            yield visible


def _move_text(screen: Screen, line: RecordedMove) -> Text:
    text = Text(f"{line.number:>4}  {format_actor(line.actor):<6}", style="dim")
    return text.append_text(screen.card_style.text(format_move(line.move)))


def _print_refusal(screen: Screen, line: RecordedMove, error: IllegalMove) -> None:
    """Print where the record breaks the rules; reasons that reveal a hand only to a viewer who sees it."""
    may_see = screen.viewer in (REFEREE, line.actor)
    text = f" {format_move(line.move)}" if may_see else ": the move"
    screen.out.print(Text(f"Line {line.number}: {_actor_name(line.actor)}{text} is refused.", "bold red"))
    for refusal in error.refusals:
        if may_see:
            screen.print_refusal(refusal)
        else:
            screen.out.print(f"    {screen.clause_text(refusal)}")


def _actor_name(actor: Seat) -> str:
    return "the table" if actor == CHANCE else who(actor)
