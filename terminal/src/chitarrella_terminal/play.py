"""The command ``play``: a match in the terminal against bots."""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final

import click

from chitarrella.bots import Bot, Effort, InformationState, bot_for, play_greedily
from chitarrella.bots.search import chance_move
from chitarrella.catalogue.record import Record, format_record
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.cards import Card
from chitarrella.core.game import AnyGame, IllegalMove, legal_moves, play, seat_to_move, validate_move
from chitarrella.core.model import CHANCE, Event, Move, Seat, View
from chitarrella.core.notation import format_move
from chitarrella.core.visibility import view_for, visible_to
from chitarrella.i18n.translator import Translator
from chitarrella_terminal.options import (
    bot_option,
    catalogue,
    configure_game,
    console,
    game_argument,
    language_option,
    options_option,
    players_option,
    seed_option,
    seed_or_new,
    think_option,
)
from chitarrella_terminal.screen import InvalidInput, Screen, ordered_moves, parse_input
from chitarrella_terminal.translated_help import TranslatedCommand


class PlayerLeft(Exception):
    """The player has left the match; ``by_choice`` is false if the input has ended."""

    def __init__(self, *, by_choice: bool) -> None:
        super().__init__()
        self.by_choice = by_choice


class LocalMatch:
    """A running match. One seed determines the shuffles and the bots.

    Chance and each bot have a random generator of their own, so the moves of a person do not change the next deal.
    """

    def __init__(self, rule_set: RuleSet, game: AnyGame, bots: Mapping[Seat, Bot], seed: int) -> None:
        self.rule_set = rule_set
        self.game = game
        self.bots = bots
        self.seed = seed
        self.p = game.start()
        self.moves: list[tuple[Seat, Move]] = []
        self._chance_rng = Random(f"{seed}/table")
        self._bot_rngs = {seat: Random(f"{seed}/seat {seat}") for seat in bots}

    @property
    def actor(self) -> Seat | None:
        """The seat whose person moves next: `CHANCE` for a pack or a lot, None if the match is finished."""
        return CHANCE if self.game.turn(self.p) == CHANCE else seat_to_move(self.game, self.p)

    def play(self, actor: Seat, move: Move) -> tuple[Event, ...]:
        """Play a move and return its events; raises `IllegalMove`."""
        self.p, events = play(self.game, self.p, actor, move)
        self.moves.append((actor, move))
        return events

    def advance(self) -> tuple[Event, ...]:
        """Play the next move of chance or a bot and return its events; raises `ValueError` if the match is finished."""
        actor = self.actor
        if actor is None:
            raise ValueError("the match is finished")
        if actor == CHANCE:
            return self.play(actor, chance_move(self.game, self.p, self._chance_rng))
        return self.play(actor, self.bots[actor](InformationState(self.game, self.p, actor), self._bot_rngs[actor]))

    def record_text(self, catalogue: Catalogue) -> str:
        return format_record(catalogue, Record(self.rule_set, moves=tuple(self.moves)))


BOT_PAUSE: Final = 0.7  # seconds to wait before the move of a bot, if a person watches

HELP: Final = ("hint", "hand", "table", "record", "quit")  # the words that a player may type beside moves


@click.command(
    "play",
    cls=TranslatedCommand,
    examples=(
        "chitarrella play {game}",
        "chitarrella play {game} --players {players} --option {option}",
        "chitarrella play {game} --seat 1 --seed 7 --record match.txt",
    ),
)
@game_argument
@players_option
@options_option
@click.option("--seat", type=click.IntRange(min=0), default=0, metavar="S", show_default=True, help="Your seat.")
@bot_option("greedy")
@think_option
@seed_option
@click.option("--pause/--no-pause", default=None, show_default="on a terminal",
              help="Wait before the move of a bot, and for Enter after each deal.")  # fmt: skip
@click.option("--record", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write the record to this new file when the match ends or you leave.")  # fmt: skip
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
    translator: Translator,
) -> None:
    """Play a match against bots, which see only their own cards.

    On your turn the legal moves are numbered and cards that may not be played are dimmed. Type a number, a card or a
    move; '?' lists the other commands. An illegal move is explained by the clause of the rule book that it breaks.
    """
    rule_set, seated = configure_game(game, players, options)
    _check_seat(seated, seat)
    if file is not None and file.exists():
        raise click.UsageError(f"{file} is there already; name a new file.")
    persons = {seated.controller(other) for other in range(seated.seats)} - {seat}
    bots = {other: bot_for(bot, seated, Effort(think / 1000)) for other in persons}
    match = LocalMatch(rule_set, seated, bots, seed_or_new(seed))
    watched = sys.stdin.isatty() and sys.stdout.isatty()
    screen = Screen(console(), seated, seat, translator=translator)
    terminal = TerminalMatch(screen, match, seat, pause=watched if pause is None else pause)
    terminal.print_intro(seated, bot)
    try:
        terminal.run()
    except PlayerLeft as left:
        sys.exit(0 if left.by_choice else 1)
    finally:
        if file is not None:
            terminal.save(str(file))


def _check_seat(game: AnyGame, seat: Seat) -> None:
    if seat >= game.seats:
        raise click.UsageError(f"there is no seat {seat}; seats are numbered 0 to {game.seats - 1}.")
    if game.controller(seat) != seat:
        raise click.UsageError(f"seat {seat} is a dummy, played by seat {game.controller(seat)}.")


class TerminalMatch:
    """The dialogue of one person with a match, in which all others are bots."""

    def __init__(self, screen: Screen, match: LocalMatch, you: Seat, *, pause: bool) -> None:
        self.screen = screen
        self.out = screen.out
        self.match = match
        self.game = match.game
        self.you = you
        self.pause = pause
        self.say = screen.translator.play_text
        self.saved_files: set[str] = set()
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                importlib.import_module("readline")  # gives input() a line that can be edited
        elif isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")

    def print_intro(self, game: AnyGame, bot: str) -> None:
        seats = ", ".join(map(str, self.match.bots))
        intro = "intro bots" if len(self.match.bots) > 1 else "intro"
        self.out.print(self.screen.translator.title(game), style="bold", end="")
        self.out.print(f": {self.say(intro, seat=self.you, bot=self.say(f'bot {bot}'), seats=seats)}")
        self.out.print(self.say("seed", seed=self.match.seed))

    def run(self) -> None:
        """Play until the match is finished; raises `PlayerLeft` if the player leaves before."""
        while (actor := self.match.actor) is not None:
            if actor == self.you:
                self._your_move()
            else:
                self._pause(actor)
                self._print_events(self.match.advance())
        self.screen.print_table(self._own_view())

    def _own_view(self) -> View:
        return view_for(self.game, self.match.p, self.you)

    def _print_events(self, events: Sequence[Event]) -> None:
        self.screen.print_events(visible for event in events if (visible := visible_to(event, self.you)) is not None)

    def _pause(self, actor: Seat) -> None:
        """Wait before the move of a bot, and for Enter before the next deal."""
        if not self.pause:
            return
        if actor != CHANCE:
            time.sleep(BOT_PAUSE)
        elif self.match.moves and self.match.moves[-1][0] != CHANCE:
            self.screen.print_table(self._own_view())
            self._read_line(self.say("next deal"))

    def _read_line(self, prompt: str) -> str:
        try:
            line = input(prompt)
        except EOFError:
            self.out.print()
            self.out.print(self.say("input ended"))
            raise PlayerLeft(by_choice=False) from None
        if not sys.stdin.isatty():
            self.out.print(line)
        return line.strip()

    def _your_move(self) -> None:
        """Show the table and read commands until a move is played."""
        view = self._own_view()
        moves = ordered_moves(self.game, self.screen.card_style, legal_moves(self.game, self.match.p, self.you))
        self.screen.print_table(view, own=False)
        self.screen.print_menu(view, moves)
        while True:
            text = self._read_line("> ")
            word, _, rest = text.partition(" ")
            if word in ("", "?", "help"):
                self._print_help(moves)
            elif word == "table":
                return
            elif word in ("quit", "q", "exit"):
                self.out.print(self.say("left"))
                raise PlayerLeft(by_choice=True)
            elif word == "record":
                self.save(rest.strip())
            elif word == "hint":
                self._print_hint(moves)
            elif word == "hand":
                self._explain_hand(moves)
            elif self._try_move(moves, text):
                return

    def _try_move(self, moves: list[Move], text: str) -> bool:
        """Play the move that was typed; if it is malformed or illegal print why and return False."""
        turn = self.game.turn(self.match.p)
        try:
            move = parse_input(
                self.game, self.screen.card_style, self.you if turn is None else turn, self.you, moves, text
            )
            costs = validate_move(self.game, self.match.p, self.you, move)
            events = self.match.play(self.you, move)
        except InvalidInput as error:
            self.out.print(self.screen.card_style.text(self.say("not understood", reason=error), "red"))
            return False
        except IllegalMove as error:
            self.screen.print_refused_move(move, error.refusals, moves)
            return False
        for cost in costs:
            self.screen.print_refusal(cost)
        self._print_events(events)
        return True

    def _print_help(self, moves: list[Move]) -> None:
        example = moves[-1]
        lines = [(str(len(moves)), "number")]
        lines += [(" ".join(example.cards), "card")] if example.cards else []
        lines += [(format_move(example), "move")]
        lines += [(format_move(move), "shares") for move in self._moves_with_shares(moves)]
        lines += [("record FILE" if word == "record" else word, word) for word in HELP]
        for typed, key in lines:
            does = self.say(f"help {key}")
            self.out.print(self.screen.card_style.text(f"  {typed:<20}{'' if len(typed) < 20 else '  '}{does}"))

    def _moves_with_shares(self, moves: list[Move]) -> list[Move]:
        """Return an example of every legal verb that takes shares."""
        verbs = {move.verb: move for move in moves if self.game.move_specs[move.verb].shares}
        plain = ((str(self.you), 40), ("Anna Maria", 60))
        return [move if move.shares else move._replace(shares=plain) for move in verbs.values()]

    def _print_hint(self, moves: list[Move]) -> None:
        rng = Random(f"{self.match.seed}/hint {len(self.match.moves)}")
        move = play_greedily(InformationState(self.game, self.match.p, self.you), rng)
        self.out.print(self.screen.card_style.text(f"  {moves.index(move) + 1}: {format_move(move)}"))

    def _explain_hand(self, moves: list[Move]) -> None:
        """Print for every card of the hand on turn why it may not be played."""
        p = self.match.p
        turn = self.game.turn(p)
        for zone in self._own_view().zones:
            if zone.name == "hand" and zone.seat == turn and turn is not None:
                tries = {card: self._move_with(turn, moves, card) for card in zone.cards}
                refusals = {card: validate_move(self.game, p, self.you, move) for card, move in tries.items() if move}
                self.screen.print_explanations(zone, refusals)

    def _move_with(self, turn: Seat, moves: list[Move], card: Card) -> Move | None:
        try:
            return parse_input(self.game, self.screen.card_style, turn, self.you, moves, card)
        except InvalidInput:
            return None

    def save(self, name: str) -> None:
        """Write the record to a new file, or over one that this match has written."""
        path = Path(name).expanduser()
        if not name or (path.exists() and name not in self.saved_files):
            self.out.print(self.say("file exists", file=name) if name else self.say("no file"))
            return
        try:
            path.write_text(self.match.record_text(catalogue()), encoding="utf-8")
        except OSError as error:
            self.out.print(self.say("not written", file=name, reason=error.strerror or error), style="red")
            return
        self.saved_files.add(name)
        self.out.print(self.say("written", file=name))
