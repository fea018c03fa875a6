"""The command ``simulate``: thousands of deals by bots, and how they came out."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from chitarrella.bots import Bot, Effort, Outlook, bot_for
from chitarrella.bots.chance import supply
from chitarrella.commands.common import (
    agree,
    bot_option,
    console,
    examples,
    game_argument,
    json_option,
    options_option,
    players_option,
    print_json,
    seed_option,
    seed_or_new,
    think_option,
)
from chitarrella.game import AnyGame, play
from chitarrella.words import CHANCE, Event

STEP: Final = 16
"""Deals between two movements of the bar."""


NOBODYS: Final = frozenset({"deal_drawn", "deal_void", "deal_annulled"})
"""What is told of a deal that nobody has won."""


@dataclass
class Tally:
    """What is counted; ``wins`` and ``points`` are of deals, by seat, and a deal that nobody wins is ``drawn``."""

    seats: int
    deals: int = 0
    moves: int = 0
    drawn: int = 0
    wins: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    matches: int = 0
    matches_drawn: int = 0
    match_wins: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        """Begin at nothing."""
        self.wins, self.points, self.match_wins = ([0] * self.seats for _ in range(3))

    def deal(self, events: tuple[Event, ...], points: tuple[int, ...]) -> None:
        """Enter a deal that has ended with ``events``."""
        winners = {event.seat for event in events if event.kind == "deal_won" and event.seat is not None}
        self.deals += 1
        self.drawn += any(event.kind in NOBODYS for event in events)
        for seat in winners:
            self.wins[seat] += 1
        for seat, taken in enumerate(points):
            self.points[seat] += taken

    def match(self, winners: frozenset[int]) -> None:
        """Enter a match that is over."""
        self.matches += 1
        self.matches_drawn += not winners
        for seat in winners:
            self.match_wins[seat] += 1

    def data(self) -> dict[str, Any]:
        """Give the counts, rates and means by name."""
        deals = max(self.deals, 1)
        return {
            "deals": self.deals,
            "moves": self.moves,
            "seconds": round(self.seconds, 3),
            "moves_per_second": round(self.moves / self.seconds) if self.seconds else 0,
            "moves_per_deal": round(self.moves / deals, 2),
            "wins": self.wins,
            "drawn": self.drawn,
            "mean_points": [round(points / deals, 2) for points in self.points],
            "matches": self.matches,
            "match_wins": self.match_wins,
            "matches_drawn": self.matches_drawn,
        }


class Series:
    """Match after match between bots of one kind."""

    def __init__(self, game: AnyGame, bot: Bot, seed: int) -> None:
        """Sit the bots down."""
        self.game = game
        self.bot = bot
        self.luck = Random(seed)
        self.tally = Tally(game.seats)
        self.p = game.start()

    def deal(self) -> None:
        """Play one deal; where the last match is over, the first of a new one."""
        game, tally = self.game, self.tally
        if game.over(self.p):
            self.p = game.start()
        began = False
        events: tuple[Event, ...] = ()
        while (turn := game.turn(self.p)) is not None:
            if turn != CHANCE:
                actor = game.controller(turn)
                move = self.bot(Outlook(game, self.p, actor), self.luck)
                tally.moves += 1
            elif began and game.chance(self.p).cards:
                break
            else:
                actor, move = CHANCE, supply(game, self.p, self.luck)
                began = began or bool(move.cards)
            self.p, events = play(game, self.p, actor, move)
        tally.deal(events, game.points(self.p))
        if (winners := game.outcome(self.p)) is not None:
            tally.match(winners)


@click.command(
    "simulate",
    epilog=examples(
        "chitarrella simulate briscola -n 10000",
        "chitarrella simulate coech --players 4 --bot greedy --seed 7 --json",
        "chitarrella simulate briscola --matches -n 500 --option rubber_games=5",
    ),
)
@game_argument
@click.option(
    "-n", "number", type=click.IntRange(min=1), metavar="N", default=1000, show_default=True, help="How many deals."
)
@click.option("--matches", is_flag=True, help="Count whole matches instead of deals.")
@players_option
@options_option
@bot_option("random")
@think_option
@seed_option
@json_option
def command(
    game: str,
    number: int,
    matches: bool,
    players: int | None,
    options: tuple[tuple[str, str], ...],
    bot: str,
    think: int,
    seed: int | None,
    as_json: bool,
) -> None:
    """Let bots play many deals of a game, and count moves, wins and points.

    Deals follow each other as at a table: the deal goes round, and a new match begins where one is over. A break
    (Ctrl-C) ends the play and prints what there is by then.
    """
    agreement, seated = agree(game, players, options)
    seed = seed_or_new(seed)
    series = Series(seated, bot_for(bot, seated, Effort(think / 1000)), seed)
    agreed = {**agreement._asdict(), "options": dict(agreement.options), "bot": bot, "seed": seed}
    out = console()
    if not as_json:
        _announce(out, seated.title, agreed)
    whole = _run(series, number, matches=matches)
    if as_json:
        print_json({**agreed, **series.tally.data()})
    else:
        _print(out, series.tally.data())
    if not whole:
        sys.exit(1)


def _run(series: Series, number: int, *, matches: bool) -> bool:
    """Play until there are enough, with a bar on a terminal; False where a person broke it off."""
    out = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    tally = series.tally
    started = time.perf_counter()
    try:
        with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
            task = bar.add_task("matches" if matches else "deals", total=number)
            while (done := tally.matches if matches else tally.deals) < number:
                series.deal()
                if tally.deals % STEP == 0:
                    bar.update(task, completed=done)
    except KeyboardInterrupt:
        out.print("Broken off.")
        return False
    finally:
        tally.seconds = time.perf_counter() - started
    return True


def _announce(out: Console, title: str, agreed: dict[str, Any]) -> None:
    """Say what is played, before it takes its time."""
    options = "".join(f", {name}={value}" for name, value in agreed["options"].items())
    out.print(title, style="bold", end="")
    out.print(f", {agreed['players']} players{options}; {agreed['bot']} bots, seed {agreed['seed']}")


def _print(out: Console, data: dict[str, Any]) -> None:
    """Print the counts for people."""
    out.print(f"{data['deals']:,} deals, {data['moves']:,} moves in {data['seconds']:.1f} s: ", end="")
    out.print(f"{data['moves_per_second']:,} moves a second", style="bold", end="")
    out.print(f"; {data['moves_per_deal']} moves a deal")
    table = Table("seat", box=None, header_style="dim", pad_edge=False)
    for heading in ("deals won", "", "mean points", "matches won"):
        table.add_column(heading, justify="right")
    decided = any(data["wins"]) or data["drawn"]  # in some games nobody wins a deal: lives or tokens are lost
    rows = zip(data["wins"], data["mean_points"], data["match_wins"], strict=True)
    for seat, (wins, points, match_wins) in enumerate(rows):
        won = (f"{wins:,}", _share(wins, data["deals"])) if decided else ("", "")
        table.add_row(str(seat), *won, f"{points:.2f}", f"{match_wins:,}")
    drawn, undecided = data["drawn"], data["matches_drawn"]
    level = (f"{drawn:,}", _share(drawn, data["deals"])) if decided else ("", "")
    table.add_row("nobody", *level, "", f"{undecided:,}")
    out.print(table)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""
