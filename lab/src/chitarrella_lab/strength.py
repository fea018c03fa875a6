"""The command ``strength``: duplicate matches between bots and agents, with the margin of each pair."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from chitarrella.bots import BOTS, Effort, bot_for
from chitarrella.catalogue.registry import RuleSet
from chitarrella.cli.common import (
    ExampleCommand,
    catalogue,
    configure_game,
    console,
    game_completion,
    game_key,
    json_option,
    options_option,
    players_option,
    print_json,
    seed_option,
    seed_or_new,
    think_option,
)
from chitarrella.core.game import AnyGame
from chitarrella_lab.agents import Agent, Referee, agent_options, agent_starter
from chitarrella_lab.duplicate_match import Entrant, Margin, estimate, play_duplicate

DealKey: TypeAlias = tuple[str, int, tuple[tuple[str, str], ...], str, str, int]
"""A deal of a pairing: game, players, options, the two players, and the number of the deal."""


class ResultFile:
    """A file of JSON lines: the settings of the run, then one line for each deal that was played."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        """Read what there is, or begin the file; raises `click.UsageError` if it belongs to other settings.

        A last line that was cut off is dropped.
        """
        self._path = path
        self._margins: dict[DealKey, Margin] = {}
        try:
            lines = read_lines(path)
            if not lines:
                path.write_text(json.dumps(settings) + "\n", encoding="utf-8")
            elif lines[0] != settings:
                raise click.UsageError(f"{path} has results of other settings: {json.dumps(lines[0])}")
            self._margins = dict(map(_parse, lines[1:]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise click.UsageError(f"{path} cannot be used for results: {error}") from None

    def find(self, key: DealKey) -> Margin | None:
        """Return the margin of a deal that was played before."""
        return self._margins.get(key)

    def add(self, key: DealKey, margin: Margin) -> None:
        """Write the margin of a deal."""
        game, players, options, first, second, deal = key
        line = {"game": game, "players": players, "options": dict(options), "bots": [first, second], "deal": deal}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**line, **margin._asdict()}) + "\n")


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a file, none if there is no file; cut off a last line without an end."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return [json.loads(line) for line in whole.splitlines()]


def _parse(line: dict[str, Any]) -> tuple[DealKey, Margin]:
    """Return a deal and its margin."""
    first, second = line["bots"]
    key = (line["game"], line["players"], tuple(sorted(line["options"].items())), first, second, line["deal"])
    pairs = {name: (line[name][0], line[name][1]) for name in ("refused", "forfeits")}
    return key, Margin(line["ahead"], line["score"], line["points"], **pairs)


MEASURES: Final = ("ahead", "score", "points")
"""The columns by which two bots are compared."""


class Pairing(NamedTuple):
    """Two entrants at one game, each a bot or an agent."""

    rule_set: RuleSet
    game: AnyGame
    first: str
    second: str


class Entrants(NamedTuple):
    """Who plays, and how long each may think."""

    agents: Mapping[str, Callable[[], Agent]]
    limit: int
    effort: Effort

    def named(self, name: str, game: AnyGame) -> Entrant:
        """Return an entrant by its name."""
        return Referee(self.agents[name], self.limit) if name in self.agents else bot_for(name, game, self.effort)


def game_keys(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of the named games, of all games if none is named."""
    return tuple(dict.fromkeys(game_key(ctx, param, value) for value in values)) or tuple(g.key for g in catalogue())


def bot_names(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    """Parse names of bots, separated by commas; fails for an unknown name."""
    names = tuple(dict.fromkeys(name.strip() for name in value.split(",")))
    for name in names:
        if name not in BOTS:
            raise click.BadParameter(f"there is no bot {name[:40]!r}. Bots: {', '.join(BOTS)}.", ctx, param)
    return names


@click.command(
    "strength",
    cls=ExampleCommand,
    examples=(
        "chitarrella strength {game}",
        "chitarrella strength {game} {other} --deals 200 --think 20 --seed 7",
        "chitarrella strength --bots greedy,random --json",
        "chitarrella strength {game} --bots greedy --agent 'mine=python3 agent.py' --results results.jsonl",
    ),
)
@click.argument("games", nargs=-1, callback=game_keys, shell_complete=game_completion, metavar="[GAME]...")
@click.option(
    "--deals",
    "-n",
    "number",
    type=click.IntRange(min=1),
    metavar="N",
    default=20,
    show_default=True,
    help="Number of deals for each pair of bots; each deal is played twice.",
)
@click.option(
    "--bots",
    "names",
    default=",".join(reversed(list(BOTS))),
    callback=bot_names,
    metavar="NAMES",
    show_default=True,
    help="The bots, separated by commas.",
)
@agent_options
@think_option
@click.option(
    "--playouts",
    type=click.IntRange(min=1),
    metavar="N",
    help="Limit of the search bot in playouts instead of time: the same result in every run.",
)
@players_option
@options_option
@seed_option
@json_option
def command(
    games: tuple[str, ...],
    number: int,
    names: tuple[str, ...],
    specs: dict[str, str],
    agent_timeout: float,
    limit: int,
    file: Path | None,
    think: int,
    playouts: int | None,
    players: int | None,
    options: tuple[tuple[str, str], ...],
    seed: int | None,
    as_json: bool,
) -> None:
    """Measure how much better one player is than another, at the named games or at all: bots, or agents from outside.

    Every deal is played twice with seats swapped, so that luck cancels out. For each pair the command prints how often
    the first was ahead, and its margin in score and in points of a deal, with 95 % intervals. An agent sees what its
    seat sees; a move that the rules refuse is answered with the clause, and counted. Ctrl-C stops and prints the
    results so far.
    """
    if len(names) + len(specs) < 2:
        raise click.UsageError("two different bots are wanted to play each other.")
    configured = [configure_game(key, players, options) for key in games]
    pairs = [pair for pair in combinations([*specs, *names], 2) if not specs or {*pair} & specs.keys()]
    pairings = [Pairing(*seated, *pair) for seated in configured for pair in pairs]
    if file and seed is None:
        seed = next((line.get("seed") for line in _known(file)), None)
    seed = seed_or_new(seed)
    effort = Effort(think / 1000) if playouts is None else Effort(None, playouts)
    settings = {"seed": seed, "think": None if playouts else think, "playouts": playouts}
    agents = {name: agent_starter(spec, agent_timeout) for name, spec in specs.items()}
    store = ResultFile(file, {**settings, "refusals": limit, "agents": specs}) if file else None
    out = console()
    if not as_json:
        thinking = f"{think} ms" if playouts is None else f"{playouts} playouts"
        out.print(f"{number} deals, each played twice; {thinking} a move for the search bot, seed {seed}")
    results: list[tuple[Pairing, list[Margin]]] = []
    is_complete = _run(pairings, number, Entrants(agents, limit, effort), seed, results, store)
    rows = [_row_data(pairing, margins) for pairing, margins in results if margins]
    if as_json:
        print_json({**settings, "pairs": rows})
    else:
        _print(out, rows, with_agents=bool(specs))
    if not is_complete:
        sys.exit(1)


def _known(file: Path) -> list[dict[str, Any]]:
    """Return the lines of a file of results, none if it cannot be read; `ResultFile` then says why."""
    try:
        return read_lines(file)[:1]
    except (OSError, ValueError):
        return []


def _run(
    pairings: list[Pairing],
    number: int,
    entrants: Entrants,
    seed: int,
    results: list[tuple[Pairing, list[Margin]]],
    store: ResultFile | None,
) -> bool:
    """Play all pairings, with a progress bar on a terminal, into ``results``; return False after Ctrl-C."""
    out = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
            task = bar.add_task("deals", total=len(pairings) * number)
            for pairing in pairings:
                margins: list[Margin] = []
                results.append((pairing, margins))
                for margin in _margins(pairing, number, entrants, seed, store):
                    margins.append(margin)
                    bar.advance(task)
    except KeyboardInterrupt:
        out.print("Interrupted.")
        return False
    return True


def _margins(
    pairing: Pairing, number: int, entrants: Entrants, seed: int, store: ResultFile | None
) -> Iterator[Margin]:
    """Yield the margin of each deal of one pairing; all pairings at a game play the same deals."""
    pair = entrants.named(pairing.first, pairing.game), entrants.named(pairing.second, pairing.game)
    rule_set = pairing.rule_set
    for deal in range(number):
        key = (pairing.game.key, rule_set.players, rule_set.options, pairing.first, pairing.second, deal)
        margin = store.find(key) if store else None
        if margin is None:
            try:
                margin = play_duplicate(pairing.game, pair, f"{seed}/{pairing.game.key}/{deal}")
            finally:
                for entrant in pair:
                    if isinstance(entrant, Referee):
                        entrant.end_deal()
            if store:
                store.add(key, margin)
        yield margin


def _row_data(pairing: Pairing, margins: list[Margin]) -> dict[str, Any]:
    """Return the result of a pairing as plain data; an unknown interval is None."""
    row: dict[str, Any] = {
        "game": pairing.game.key,
        "players": pairing.rule_set.players,
        "options": dict(pairing.rule_set.options),
        "bots": [pairing.first, pairing.second],
        "deals": len(margins),
        "refused": [sum(margin.refused[place] for margin in margins) for place in (0, 1)],
        "forfeits": [sum(margin.forfeits[place] for margin in margins) for place in (0, 1)],
    }
    for name in MEASURES:
        mean, within = estimate([getattr(margin, name) for margin in margins])
        row[name] = {"mean": round(mean, 4), "within": None if within is None else round(within, 4)}
    return row


def _print(out: Console, rows: list[dict[str, Any]], *, with_agents: bool) -> None:
    """Print the results as a table; where agents play, with refused moves and forfeited plays of both."""
    table = Table("game", "players", "bots", box=None, header_style="dim", pad_edge=False)
    for heading in ("deals", "ahead", "score", "points", *(("refused", "forfeits") if with_agents else ())):
        table.add_column(heading, justify="right")
    for row in rows:
        ahead, score, points = (row[name] for name in MEASURES)
        table.add_row(
            row["game"],
            str(row["players"]),
            " - ".join(row["bots"]),
            str(row["deals"]),
            _format_interval(ahead["mean"], ahead["within"], "{:.1%}"),
            _format_interval(score["mean"], score["within"], "{:+.2f}"),
            _format_interval(points["mean"], points["within"], "{:+.2f}"),
            *(" - ".join(map(str, row[name])) for name in ("refused", "forfeits") if with_agents),
        )
    out.print(table)


def _format_interval(mean: float, within: float | None, spec: str) -> str:
    """Return a mean with its interval, both formatted by ``spec``."""
    return spec.format(mean) + ("" if within is None else f" ± {spec.format(within).lstrip('+')}")
