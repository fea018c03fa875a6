"""The command ``strength``: duplicate matches between bots and agents, with the margin of each pair."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from rich.console import Console
from rich.table import Table

from chitarrella.bots import BOTS, Effort, bot_for
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame
from chitarrella_lab.agents import Agent, Referee, agent_starter, named_agents
from chitarrella_lab.duplicate_match import Entrant, Margin, estimate, play_duplicate
from chitarrella_lab.simulate import with_progress
from chitarrella_terminal import options as common


class ResultFile:
    """A file of JSON lines: the settings of the run, then one line for each deal that was played.

    A last line that was cut off is dropped.
    """

    def __init__(self, path: Path) -> None:
        """Read what there is; raises `click.UsageError` if that cannot be results."""
        self._path = path
        self._margins: dict[str, Margin] = {}
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            whole = text[: text.rfind("\n") + 1]
            if whole != text:
                path.write_text(whole, encoding="utf-8")
            first, *lines = [*map(json.loads, whole.splitlines())] or [{}]
            self.settings: dict[str, Any] = dict(first)
            for line in lines:
                values = {name: line.pop(name) for name in Margin._fields}
                pairs = {name: tuple(values[name]) for name in ("refused", "forfeits")}
                self._margins[json.dumps(line)] = Margin(**values | pairs)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise click.UsageError(f"{path} cannot be used for results: {error}") from None

    def begin(self, settings: dict[str, Any]) -> None:
        """Begin an empty file; raises `click.UsageError` if there are results of other settings."""
        if not self.settings:
            self._path.write_text(json.dumps(settings) + "\n", encoding="utf-8")
        elif self.settings != settings:
            raise click.UsageError(f"{self._path} has results of other settings: {json.dumps(self.settings)}")

    def played(self, deal: dict[str, Any], play: Callable[[], Margin]) -> Margin:
        """Return the margin of a deal; it is played, and written, unless that was done before."""
        key = json.dumps(deal)
        if key not in self._margins:
            self._margins[key] = play()
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**deal, **self._margins[key]._asdict()}) + "\n")
        return self._margins[key]


MEASURES: Final = ("ahead", "score", "points")  # the columns by which two bots are compared
CONDUCT: Final = ("refused", "forfeits")  # the columns in which agents are compared too


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
        return Referee(self.agents[name], self.limit) if name in self.agents else bot_for(name, game, self.effort)


def game_keys(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of the named games, of all games if none is named."""
    return tuple(dict.fromkeys(common.game_key(ctx, param, value) for value in values)) or tuple(
        g.key for g in common.catalogue()
    )


def bot_names(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    """Parse names of bots, separated by commas; fails for an unknown name."""
    names = tuple(dict.fromkeys(name.strip() for name in value.split(",")))
    for name in names:
        if name not in BOTS:
            raise click.BadParameter(f"there is no bot {name[:40]!r}. Bots: {', '.join(BOTS)}.", ctx, param)
    return names


@click.command(
    "strength",
    cls=common.GameCommand,
    examples=(
        "chitarrella strength {game}",
        "chitarrella strength {game} {other} --deals 200 --think 20 --seed 7",
        "chitarrella strength --bots greedy,random --json",
        "chitarrella strength {game} --bots greedy --agent 'mine=python3 agent.py' --results results.jsonl",
    ),
)
@click.argument("games", nargs=-1, callback=game_keys, shell_complete=common.game_completion, metavar="[GAME]...")
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
    default="search,greedy,random",
    callback=bot_names,
    metavar="NAMES",
    show_default=True,
    help="The bots, separated by commas.",
)
@click.option(
    "--agent",
    "specs",
    multiple=True,
    callback=named_agents,
    metavar="NAME=AGENT",
    help="An agent from outside: a command line, a URL, or python:MODULE:FUNCTION; may be repeated.",
)
@click.option(
    "--agent-timeout",
    type=click.FloatRange(min=0.01),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Seconds for an answer of a program or a server.",
)
@click.option(
    "--refusals",
    "limit",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    metavar="N",
    help="With so many refused moves or missing answers an agent forfeits the deal.",
)
@click.option(
    "--results",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write each deal to this file, and do not play again what is there.",
)
@common.think_option
@click.option(
    "--playouts",
    type=click.IntRange(min=1),
    metavar="N",
    help="Limit of the search bot in playouts instead of time: the same result in every run.",
)
@common.players_option
@common.options_option
@common.seed_option
@common.json_option
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
    configured = [common.configure_game(key, players, options) for key in games]
    pairs = [pair for pair in combinations([*specs, *names], 2) if not specs or {*pair} & specs.keys()]
    pairings = [Pairing(*seated, *pair) for seated in configured for pair in pairs]
    store = ResultFile(file) if file else None
    seed = common.seed_or_new(store.settings.get("seed") if store and seed is None else seed)
    effort = Effort(think / 1000) if playouts is None else Effort(None, playouts)
    settings = {"seed": seed, "think": None if playouts else think, "playouts": playouts}
    agents = {name: agent_starter(spec, agent_timeout) for name, spec in specs.items()}
    if store:
        store.begin({**settings, "refusals": limit, "agents": specs})
    out = common.console()
    if not as_json:
        thinking = f"{think} ms" if playouts is None else f"{playouts} playouts"
        out.print(f"{number} deals, each played twice; {thinking} a move for the search bot, seed {seed}")
    results: list[tuple[Pairing, list[Margin]]] = [(pairing, []) for pairing in pairings]
    steps = _steps(results, number, Entrants(agents, limit, effort), seed, store)
    is_complete = with_progress(steps, "deals", len(pairings) * number)
    rows = [_row_data(pairing, margins) for pairing, margins in results if margins]
    if as_json:
        common.print_json({**settings, "pairs": rows})
    else:
        _print(out, rows, with_agents=bool(specs))
    if not is_complete:
        sys.exit(1)


def _steps(
    results: list[tuple[Pairing, list[Margin]]], number: int, entrants: Entrants, seed: int, store: ResultFile | None
) -> Iterator[int]:
    """Add the margins to each pairing, and yield how many deals were played: at a game the same for all pairings."""
    for place, (pairing, margins) in enumerate(results):
        game, rule_set = pairing.game, pairing.rule_set
        pair = entrants.named(pairing.first, game), entrants.named(pairing.second, game)
        named = {"game": game.key, "players": rule_set.players, "options": dict(sorted(rule_set.options))}
        for deal in range(number):
            play = partial(_play, game, pair, f"{seed}/{game.key}/{deal}")
            key = {**named, "bots": [pairing.first, pairing.second], "deal": deal}
            margins.append(store.played(key, play) if store else play())
            yield place * number + deal + 1


def _play(game: AnyGame, pair: tuple[Entrant, Entrant], seed: str) -> Margin:
    """Play a deal twice; also if it is broken off no agent is left."""
    try:
        return play_duplicate(game, pair, seed)
    finally:
        for entrant in pair:
            if isinstance(entrant, Referee):
                entrant.end_deal()


def _row_data(pairing: Pairing, margins: list[Margin]) -> dict[str, Any]:
    """Return the result of a pairing as plain data; an unknown interval is None."""
    row: dict[str, Any] = {
        "game": pairing.game.key,
        "players": pairing.rule_set.players,
        "options": dict(pairing.rule_set.options),
        "bots": [pairing.first, pairing.second],
        "deals": len(margins),
        **{
            name: [sum(both) for both in zip(*(getattr(one, name) for one in margins), strict=True)] for name in CONDUCT
        },
    }
    for name in MEASURES:
        mean, within = estimate([getattr(margin, name) for margin in margins])
        row[name] = {"mean": round(mean, 4), "within": None if within is None else round(within, 4)}
    return row


def _print(out: Console, rows: list[dict[str, Any]], *, with_agents: bool) -> None:
    """Print the results as a table; where agents play, with refused moves and forfeited plays of both."""
    table = Table("game", "players", "bots", box=None, header_style="dim", pad_edge=False)
    for heading in ("deals", "ahead", "score", "points", *(CONDUCT if with_agents else ())):
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
            *(" - ".join(map(str, row[name])) for name in CONDUCT if with_agents),
        )
    out.print(table)


def _format_interval(mean: float, within: float | None, spec: str) -> str:
    return spec.format(mean) + ("" if within is None else f" ± {spec.format(within).lstrip('+')}")
