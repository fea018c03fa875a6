"""The command ``explain``: the cards, options, moves, refusals and rule book of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from string import Formatter
from typing import Any

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from chitarrella.catalogue.registry import own_origin
from chitarrella.core.game import AnyGame
from chitarrella.core.model import MoveSpec, Reason
from chitarrella.core.notation import move_pattern
from chitarrella.core.options import Option
from chitarrella.i18n.narration import capital
from chitarrella.i18n.translator import Translator
from chitarrella_terminal.options import (
    MAX_LISTED,
    GameCommand,
    catalogue,
    console,
    format_numbers,
    game_argument,
    json_option,
    language_option,
    print_json,
)
from chitarrella_terminal.translated_help import TranslatedCommand


def describe(
    game: AnyGame, specs: Sequence[MoveSpec], reasons: Sequence[Reason], translator: Translator
) -> dict[str, Any]:
    """Describe ``game`` as in the catalogue. ``specs`` and ``reasons`` are those of all its configurations."""
    return {
        "key": game.key,
        "title": translator.title(game),
        "place": translator.place(game),
        "sources": list(game.entry.sources),
        "edition": game.edition,
        "pack": {
            "name": game.pack.name,
            "cards": len(game.pack.cards),
            "copies": game.pack.copies,
            "names": translator.names(game.pack),
        },
        "cards": [
            {
                "code": spec.card,
                "name": translator.card(spec.card, game.pack),
                "suit": spec.suit,
                "order": spec.order,
                "points": spec.points,
                "copies": spec.copies,
            }
            for spec in game.card_specs
        ],
        "seatings": [_seating(game, players) for players in sorted(game.entry.players)],
        "default_players": game.entry.players[0],
        "ranking": _ranking(game),
        "options": [_option(game, option, translator) for option in game.entry.options],
        "moves": [_move(game, spec, translator) for spec in specs],
        "reasons": [_reason(game, reason, translator) for reason in reasons],
        "clauses": [
            {"key": clause.key, "text": translator.clause(clause), "source": translator.source(clause.source)}
            for clause in game.clauses
        ],
    }


def _seating(game: AnyGame, players: int) -> dict[str, Any]:
    table = game.entry.configure(players, {})
    seats = range(table.seats)
    sides = [[seat for seat in seats if table.sides[seat] == side] for side in dict.fromkeys(table.sides)]
    dummies = {str(seat): table.controller(seat) for seat in seats if table.controller(seat) != seat}
    return {
        "players": players,
        "seats": table.seats,
        "sides": sides,
        "dummies": dummies,
        "cards": len(table.pack.cards),
        "left_out": sorted(table.pack.left_out),
    }


def _ranking(game: AnyGame) -> list[dict[str, Any]]:
    return [
        {
            "suit": each.suit,
            "ranks": list(each.ranks),
            "counts": {name: list(counts) for name, counts in each.counts.items()},
        }
        for each in game.ranking
    ]


def _option(game: AnyGame, option: Option[Any], translator: Translator) -> dict[str, Any]:
    return {
        "name": option.name,
        "description": translator.option(game, option),
        "default": option.default,
        "allowed": translator.allowed(option.choices, option.minimum, option.maximum),
        "choices": list(option.choices),
        "minimum": option.minimum,
        "maximum": option.maximum,
        "source": translator.source(option.source),
    }


def _move(game: AnyGame, spec: MoveSpec, translator: Translator) -> dict[str, Any]:
    return {
        "verb": spec.verb,
        "notation": move_pattern(spec),
        "description": translator.move_spec(game, spec),
        "phases": sorted(spec.phases),
        "out_of_turn": spec.out_of_turn,
        "by_chance": spec.by_chance,
    }


def _reason(game: AnyGame, reason: Reason, translator: Translator) -> dict[str, Any]:
    clause = game.entry.reason_clauses[reason.code]
    return {
        "code": reason.code,
        "text": _with_gaps(translator.reason_template(reason)),
        "penalty": reason.penalty,
        "clause_key": clause.key,
        "clause_text": translator.clause(clause),
    }


def _with_gaps(sentence: str) -> str:
    """Replace the placeholders of a sentence by an ellipsis."""
    return "".join(text + ("" if field is None else "…") for text, field, _, _ in Formatter().parse(sentence))


@click.command(
    "explain",
    cls=TranslatedCommand,
    examples=(
        "chitarrella explain {game}",
        "chitarrella explain {game} --language it",
        "chitarrella explain {game} --json",
    ),
)
@game_argument
@language_option
@json_option
def command(game: str, translator: Translator, as_json: bool) -> None:
    """Explain a game: its cards, options, moves, reasons for refusal, and its rule book."""
    book = catalogue()
    described = describe(book.game(game), book.move_specs(game), book.reasons(game), translator)
    if as_json:
        print_json(described)
    else:
        Page(console(), translator).print(described)


class Page:
    """Prints a description in one language."""

    def __init__(self, out: Console, translator: Translator) -> None:
        self.out = out
        self.translator = translator
        self.say = translator.cli_text

    def print(self, game: dict[str, Any]) -> None:
        sources = ", ".join(game["sources"])
        self.out.print(game["title"], style="bold", end="")
        self.out.print(f"  {self.say('head', place=game['place'], sources=sources, edition=game['edition'])}")
        self._section("players", self._players(game))
        self._section("cards", *self._cards(game))
        keys = ("name", "default", "allowed", "description", "source")
        self._section("options", self._rows(" ".join(keys), (tuple(map(each.get, keys)) for each in game["options"])))
        self._section("moves", self._rows("written does when", self._moves(game["moves"]), no_wrap=False))
        price = self.say("penalty")
        reasons = ((r["code"], r["text"] + price * r["penalty"], r["clause_key"]) for r in game["reasons"])
        self._section("reasons", self._rows("code said clause", reasons))
        clauses = ((clause["key"], clause["text"], clause["source"]) for clause in game["clauses"])
        self._section("rule book", self._rows("clause text source", clauses))

    def _section(self, title: str, *parts: Table | Text) -> None:
        self.out.print()
        self.out.print(self.say(title), style="bold underline")
        for part in parts:
            self.out.print(Padding(part, (0, 0, 0, 2), expand=False))

    def _grid(self, *headings: str) -> Table:
        texts = map(self.say, headings)
        return Table(*texts, box=None, header_style="dim", pad_edge=False, show_header=bool(headings))

    def _players(self, game: dict[str, Any]) -> Table:
        table = self._grid()
        rows: dict[str, list[int]] = {}
        default = game["default_players"] if len(game["seatings"]) > 1 else None
        for seating in game["seatings"]:
            together = [self.say("and").join(map(str, side)) for side in seating["sides"] if len(side) > 1]
            who = self.say("sides", sides=self.say("against").join(together)) if together else self.say("each alone")
            dummies = [self.say("dummy", seat=seat, owner=owner) for seat, owner in seating["dummies"].items()]
            cards = self.say("so many cards", cards=seating["cards"])
            if seating["left_out"]:
                cards += self.say("without", cards=" ".join(seating["left_out"]))
            rows.setdefault("; ".join([who, *dummies, cards]), []).append(seating["players"])
        for text, players in rows.items():
            for several in [players] if len(players) > MAX_LISTED else [[number] for number in players]:
                which = f" {default}" if len(several) > 1 else ""
                mark = f" ({self.say('default')}{which})" if default in several else ""
                table.add_row(format_numbers(several, self.translator), text + mark)
        return table

    def _cards(self, game: dict[str, Any]) -> list[Table | Text]:
        pack = game["pack"]
        head = capital(self.say("pack", pack=self.translator.pack(pack["name"]), cards=pack["cards"]))
        twins = self.say("twins") if pack["copies"] == 2 else ""
        order = self.say("order") if game["ranking"] else ""
        parts: list[Table | Text] = [Text(f"{head}{twins}{order}")]
        for row in game["ranking"]:
            table = self._grid()
            table.add_column(min_width=12)
            for _ in row["ranks"]:
                table.add_column(justify="right")
            table.add_row(self.translator.noun(row["suit"]), *row["ranks"], style="bold")
            for name, worths in row["counts"].items():
                table.add_row(self.translator.noun(name), *(str(worth or "·") for worth in worths))
            parts.append(table)
        if pack["names"]:
            parts.append(Text(", ".join(f"{letters} {name}" for letters, name in pack["names"].items())))
        return parts

    def _rows(self, headings: str, rows: Iterable[tuple[str, ...]], *, no_wrap: bool = True) -> Table:
        """Return a table whose first column is bold."""
        table = self._grid(*headings.split())
        table.columns[0].no_wrap = no_wrap
        for first, *others in rows:
            table.add_row(Text(first, style="bold"), *others)
        return table

    def _moves(self, moves: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
        for move in moves:
            when = self.say("or").join(map(self.translator.phase, move["phases"]))
            if move["by_chance"]:
                when += self.say("by chance")
            elif move["out_of_turn"]:
                when += self.say("out of turn")
            yield move["notation"], move["description"], when


HEADINGS = ("game", "title", "place", "players", "pack", "source", "edition")
"""The headings of the table; where there are games of other packages, their distribution and version follow."""


@click.command("games", cls=GameCommand, examples=("chitarrella games", "chitarrella games --json"))
@json_option
def games_command(as_json: bool) -> None:
    """List every game with its key, its numbers of players, its pack and its sources."""
    if as_json:
        print_json(
            [
                {
                    "key": game.key,
                    "title": game.entry.title,
                    "place": game.entry.place,
                    "players": sorted(game.entry.players),
                    "default_players": game.entry.players[0],
                    "pack": game.pack.name,
                    "sources": list(game.entry.sources),
                    "edition": game.edition,
                    **catalogue().origin(game.key)._asdict(),
                }
                for game in catalogue()
            ]
        )
        return
    own = own_origin()
    origins = {game.key: catalogue().origin(game.key) for game in catalogue()}
    has_others = any(origin != own for origin in origins.values())
    table = Table(*HEADINGS, *(("package",) if has_others else ()), box=None, header_style="bold", pad_edge=False)
    for game in catalogue():
        players = format_numbers(sorted(game.entry.players))
        sources = ", ".join(game.entry.sources)
        row = (game.key, game.entry.title, game.entry.place, players, game.pack.name, sources, str(game.edition))
        table.add_row(*row, *((" ".join(origins[game.key]),) if has_others else ()))
    console().print(table)
