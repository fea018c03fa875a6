"""The command ``simulate``: lets bots play many deals and counts the results."""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from chitarrella.bots import Bot, Effort, InformationState, bot_for
from chitarrella.bots.search import chance_move
from chitarrella.core.game import AnyGame, play
from chitarrella.core.model import CHANCE, Event
from chitarrella_terminal import options as common

DEALS_PER_UPDATE: Final = 16  # the progress bar moves once in so many deals
NO_WINNER_EVENTS: Final = frozenset({"deal_drawn", "deal_voided", "deal_annulled"})  # events of deals without a winner


class Simulation:
    """A sequence of matches between bots of one kind, and its counts; those by seat are lists."""

    def __init__(self, game: AnyGame, bot: Bot, seed: int) -> None:
        self.game, self.bot, self.rng = game, bot, Random(seed)
        self.counts = Counter(deals=0, moves=0, drawn=0, matches=0, matches_drawn=0)
        self.wins, self.points, self.match_wins = ([0] * game.seats for _ in range(3))
        self.seconds = 0.0
        self.p = game.start()

    def play_deal(self) -> None:
        """Play one deal; the first of a new match if the last match is finished."""
        game = self.game
        if game.is_finished(self.p):
            self.p = game.start()
        began = False
        events: tuple[Event, ...] = ()
        while (turn := game.turn(self.p)) is not None:
            if turn != CHANCE:
                actor = game.controller(turn)
                move = self.bot(InformationState(game, self.p, actor), self.rng)
                self.counts["moves"] += 1
            elif began and game.chance_request(self.p).cards:
                break
            else:
                actor, move = CHANCE, chance_move(game, self.p, self.rng)
                began = began or bool(move.cards)
            self.p, events = play(game, self.p, actor, move)
        self._add(events)

    def _add(self, events: tuple[Event, ...]) -> None:
        """Count a deal whose last move had ``events``, and its match if it is finished."""
        self.counts["deals"] += 1
        self.counts["drawn"] += any(event.kind in NO_WINNER_EVENTS for event in events)
        for seat in {event.seat for event in events if event.kind == "deal_won" and event.seat is not None}:
            self.wins[seat] += 1
        self.points = [sum(both) for both in zip(self.points, self.game.points(self.p), strict=True)]
        if (winners := self.game.outcome(self.p)) is not None:
            self.counts["matches"] += 1
            self.counts["matches_drawn"] += not winners
            for seat in winners:
                self.match_wins[seat] += 1

    def to_dict(self) -> dict[str, Any]:
        """Return the counts, rates and means by name."""
        counts, deals = self.counts, max(self.counts["deals"], 1)
        return {
            "deals": counts["deals"], "moves": counts["moves"], "seconds": round(self.seconds, 3),
            "moves_per_second": round(counts["moves"] / self.seconds) if self.seconds else 0,
            "moves_per_deal": round(counts["moves"] / deals, 2), "wins": self.wins, "drawn": counts["drawn"],
            "mean_points": [round(points / deals, 2) for points in self.points], "matches": counts["matches"],
            "match_wins": self.match_wins, "matches_drawn": counts["matches_drawn"],
        }  # fmt: skip


def with_progress(steps: Iterator[int], name: str, total: int) -> bool:
    """Go through steps, each the number of those that are done, with a bar on a terminal; return False after Ctrl-C."""
    out = common.console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
            task = bar.add_task(name, total=total)
            for done in steps:
                bar.update(task, completed=done)
    except KeyboardInterrupt:
        out.print("Interrupted.")
        return False
    return True


@click.command(
    "simulate",
    cls=common.GameCommand,
    examples=(
        "chitarrella simulate {game} -n 10000",
        "chitarrella simulate {game} --players {players} --bot greedy --seed 7 --json",
        "chitarrella simulate {game} --matches -n 500 --option {option}",
    ),
)
@common.game_argument
@click.option(
    "-n", "number", type=click.IntRange(min=1), metavar="N", default=1000, show_default=True, help="Number of deals."
)
@click.option("--matches", is_flag=True, help="Count whole matches instead of deals.")
@common.players_option
@common.options_option
@common.bot_option("random")
@common.think_option
@common.seed_option
@common.json_option
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
    """Simulate many deals of a game with bots, and count moves, wins and points.

    The deals make up whole matches, one after the other. Ctrl-C stops and prints the counts so far.
    """
    rule_set, seated = common.configure_game(game, players, options)
    seed = common.seed_or_new(seed)
    simulation = Simulation(seated, bot_for(bot, seated, Effort(think / 1000)), seed)
    settings = {**rule_set._asdict(), "options": dict(rule_set.options), "bot": bot, "seed": seed}
    out = common.console()
    if not as_json:
        chosen = "".join(f", {name}={value}" for name, value in rule_set.options)
        out.print(seated.entry.title, style="bold", end="")
        out.print(f", {rule_set.players} players{chosen}; {bot} bots, seed {seed}")
    started = time.perf_counter()
    is_complete = with_progress(_steps(simulation, number, matches), "matches" if matches else "deals", number)
    simulation.seconds = time.perf_counter() - started
    if as_json:
        common.print_json({**settings, **simulation.to_dict()})
    else:
        _print(out, simulation.to_dict())
    if not is_complete:
        sys.exit(1)


def _steps(simulation: Simulation, number: int, matches: bool) -> Iterator[int]:
    """Play ``number`` deals or matches; yield from time to time how many were played."""
    while (done := simulation.counts["matches" if matches else "deals"]) < number:
        simulation.play_deal()
        if simulation.counts["deals"] % DEALS_PER_UPDATE == 0:
            yield done


def _print(out: Console, data: dict[str, Any]) -> None:
    out.print(f"{data['deals']:,} deals, {data['moves']:,} moves in {data['seconds']:.1f} s: ", end="")
    out.print(f"{data['moves_per_second']:,} moves a second", style="bold", end="")
    out.print(f"; {data['moves_per_deal']} moves a deal")
    table = Table("seat", box=None, header_style="dim", pad_edge=False)
    for heading in ("deals won", "", "mean points", "matches won"):
        table.add_column(heading, justify="right")
    decided = any(data["wins"]) or data["drawn"]  # in games for lives or tokens no deal has a winner
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
