"""The command ``play``: a whole match in the terminal, against bots."""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

import click

from chitarrella.bots import Effort, Outlook, bot_for, greedy
from chitarrella.cards import Card
from chitarrella.commands.advice import Advice
from chitarrella.commands.common import (
    agree,
    bot_option,
    catalogue,
    console,
    examples,
    game_argument,
    language_option,
    options_option,
    players_option,
    seed_option,
    seed_or_new,
    think_option,
)
from chitarrella.commands.entry import NotUnderstood, menu, understand
from chitarrella.commands.screen import Screen
from chitarrella.commands.sitting import Left, Sitting
from chitarrella.game import AnyGame, Refused, judge, legal, look, told
from chitarrella.notation import write_move
from chitarrella.tongues import Tongue
from chitarrella.words import CHANCE, Event, Move, Seat, View

THINKING: Final = 0.7
"""Seconds that a bot takes over its move, where there is somebody to watch."""

HELP: Final = (
    ("hint", "say what a greedy player would do"),
    ("hand", "explain every card of the hand"),
    ("table", "show the table again"),
    ("record FILE", "write the match so far into a file, for 'chitarrella replay'"),
    ("quit", "leave the table"),
)

SHARES: Final = "name who has how much: PERSON:AMOUNT; a seat by its number, %20 for a blank in a name"
"""What is to be known of moves with shares."""


@click.command(
    "play",
    epilog=examples(
        "chitarrella play briscola",
        "chitarrella play briscola --players 4 --option signals=free",
        "chitarrella play coech --seat 1 --seed 7 --record evening.txt",
    ),
)
@game_argument
@players_option
@options_option
@click.option("--seat", type=click.IntRange(min=0), default=0, metavar="S", show_default=True, help="Where you sit.")
@bot_option("greedy")
@think_option
@seed_option
@click.option(
    "--pause/--no-pause",
    default=None,
    show_default="on a terminal",
    help="Let the bots take their time, and wait for Enter after each deal.",
)
@click.option(
    "--record",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the match into this new file when it ends or is left.",
)
@language_option
def command(
    game: str,
    players: int | None,
    options: tuple[tuple[str, str], ...],
    seat: int,
    bot: str,
    think: int,
    seed: int | None,
    pause: bool | None,
    file: Path | None,
    tongue: Tongue,
) -> None:
    """Play a whole match against bots, which see no more than you do.

    At your turn the moves are numbered, and cards that may not be played are dimmed. Type a number, a card or a move;
    '?' lists what else can be typed. A move that is refused is explained by the clause of the rule book it breaks.
    """
    agreement, seated = agree(game, players, options)
    _check_seat(seated, seat)
    if file is not None and file.exists():
        raise click.UsageError(f"{file} is there already; name a new file.")
    persons = {seated.controller(other) for other in range(seated.seats)} - {seat}
    bots = {other: bot_for(bot, seated, Effort(think / 1000)) for other in persons}
    sitting = Sitting(agreement, seated, bots, seed_or_new(seed))
    watched = sys.stdin.isatty() and sys.stdout.isatty()
    screen = Screen(console(), seated, seat, tongue=tongue)
    evening = Evening(screen, sitting, seat, pause=watched if pause is None else pause)
    evening.greet(seated, bot)
    try:
        evening.run()
    except Left as left:
        sys.exit(0 if left.by_choice else 1)
    finally:
        if file is not None:
            evening.save(str(file))


def _check_seat(game: AnyGame, seat: Seat) -> None:
    """Fail where nobody sits, and where a dummy does."""
    if seat >= game.seats:
        raise click.UsageError(f"there is no seat {seat}; seats are numbered 0 to {game.seats - 1}.")
    if game.controller(seat) != seat:
        raise click.UsageError(f"seat {seat} is a dummy, played by seat {game.controller(seat)}.")


class Evening:
    """One person at the terminal, the others bots."""

    def __init__(self, screen: Screen, sitting: Sitting, you: Seat, *, pause: bool) -> None:
        """Sit ``you`` down before the ``screen``."""
        self.screen = screen
        self.out = screen.out
        self.sitting = sitting
        self.game = sitting.game
        self.you = you
        self.pause = pause
        self.advice = Advice(self.screen, you)
        self.saved: set[str] = set()
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                importlib.import_module("readline")  # gives input() a line that can be edited
        elif isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")

    def greet(self, game: AnyGame, bot: str) -> None:
        """Say who sits where, and how to play the same match again."""
        seats = ", ".join(map(str, self.sitting.bots))
        others = f"{bot} bots have seats {seats}" if len(self.sitting.bots) > 1 else f"a {bot} bot has seat {seats}"
        self.out.print(game.title, style="bold", end="")
        self.out.print(f": you have seat {self.you}, {others}.")
        self.out.print(f"The seed is {self.sitting.seed}. Type ? for help.")

    def run(self) -> None:
        """Play until the match is over; raises `Left` where the player goes before that."""
        while (actor := self.sitting.actor) is not None:
            if actor == self.you:
                self._your_move()
            else:
                self._take_time(actor)
                self._tell(self.sitting.go_on())
        self.screen.table(self._view())

    def _view(self) -> View:
        """Look at the table from your seat."""
        return look(self.game, self.sitting.p, self.you)

    def _tell(self, events: Sequence[Event]) -> None:
        """Tell what you learn of ``events``, and let you read the end of a deal."""
        self.screen.events(heard for event in events if (heard := told(event, self.you)) is not None)

    def _take_time(self, actor: Seat) -> None:
        """Let a bot think, and wait for you before the next deal."""
        if not self.pause:
            return
        if actor != CHANCE:
            time.sleep(THINKING)
        elif self.sitting.moves and self.sitting.moves[-1][0] != CHANCE:
            self.screen.table(self._view())
            self._ask("Enter for the next deal ")

    def _ask(self, prompt: str) -> str:
        """Read a line; raises `Left` where there is none."""
        try:
            line = input(prompt)
        except EOFError:
            self.out.print()
            self.out.print("The input has ended, and with it the match.")
            raise Left(by_choice=False) from None
        if not sys.stdin.isatty():
            self.out.print(line)
        return line.strip()

    # ------------------------------------------------------------------ your turn

    def _your_move(self) -> None:
        """Show the table and ask until a move is made."""
        view = self._view()
        moves = menu(self.game, self.screen.faces, legal(self.game, self.sitting.p, self.you))
        self.screen.table(view, own=False)
        self.advice.moves(view, moves)
        while True:
            text = self._ask("> ")
            word, _, rest = text.partition(" ")
            if word in ("", "?", "help"):
                self._help(moves)
            elif word == "table":
                return
            elif word in ("quit", "q", "exit"):
                self.out.print("You leave the table.")
                raise Left(by_choice=True)
            elif word == "record":
                self.save(rest.strip())
            elif word == "hint":
                self._hint(moves)
            elif word == "hand":
                self._explain(moves)
            elif self._make(moves, text):
                return

    def _make(self, moves: list[Move], text: str) -> bool:
        """Make the move that was typed; False, with an explanation, where it is none or is refused."""
        turn = self.game.turn(self.sitting.p)
        try:
            move = understand(self.game, self.screen.faces, self.you if turn is None else turn, self.you, moves, text)
            costs = judge(self.game, self.sitting.p, self.you, move)
            events = self.sitting.play(self.you, move)
        except NotUnderstood as error:
            self.out.print(self.screen.faces.text(f"  Not understood: {error}. Type ? for help.", "red"))
            return False
        except Refused as refused:
            self.advice.refused(move, refused.refusals, moves)
            return False
        for cost in costs:
            self.screen.broken(cost)
        self._tell(events)
        return True

    def _help(self, moves: list[Move]) -> None:
        """Say what can be typed, with a move that can be made now as the example."""
        example = moves[-1]
        lines = [(str(len(moves)), "make the move with this number")]
        lines += [(" ".join(example.cards), "make the move with this card")] if example.cards else []
        lines += [(write_move(example), "make a move in full")]
        lines += [(write_move(move), SHARES) for move in self._shared(moves)]
        lines += HELP
        for typed, does in lines:
            self.out.print(self.screen.faces.text(f"  {typed:<20}{'' if len(typed) < 20 else '  '}{does}"))

    def _shared(self, moves: list[Move]) -> list[Move]:
        """Give an example of every move that may name who pays or receives how much."""
        verbs = {move.verb: move for move in moves if self.game.forms[move.verb].shares}
        plain = ((str(self.you), 40), ("Anna Maria", 60))
        return [move if move.shares else move._replace(shares=plain) for move in verbs.values()]

    def _hint(self, moves: list[Move]) -> None:
        """Say what the greedy bot would do in your place, seeing what you see."""
        luck = Random(f"{self.sitting.seed}/hint {len(self.sitting.moves)}")
        move = greedy(self.game)(Outlook(self.game, self.sitting.p, self.you), luck)
        self.out.print(self.screen.faces.text(f"  {moves.index(move) + 1}: {write_move(move)}"))

    def _explain(self, moves: list[Move]) -> None:
        """Explain every card of the hand that is to play."""
        p = self.sitting.p
        turn = self.game.turn(p)
        for pile in self._view().piles:
            if pile.name == "hand" and pile.seat == turn and turn is not None:
                tries = {card: self._with(turn, moves, card) for card in pile.cards}
                verdicts = {card: judge(self.game, p, self.you, move) for card, move in tries.items() if move}
                self.advice.explained(pile, verdicts)

    def _with(self, turn: Seat, moves: list[Move], card: Card) -> Move | None:
        """Give the move that a card alone stands for, if there is one."""
        try:
            return understand(self.game, self.screen.faces, turn, self.you, moves, card)
        except NotUnderstood:
            return None

    def save(self, name: str) -> None:
        """Write the record into a new file, or into one written by this match before."""
        path = Path(name).expanduser()
        if not name or (path.exists() and name not in self.saved):
            self.out.print(f"  {name} is there already; name a new file." if name else "  Into which file? record FILE")
            return
        try:
            path.write_text(self.sitting.record(catalogue()), encoding="utf-8")
        except OSError as error:
            self.out.print(f"  {name} cannot be written: {error.strerror or error}.", style="red")
            return
        self.saved.add(name)
        self.out.print(f"  The match so far is in {name}; it holds every card, the hidden ones too.")
