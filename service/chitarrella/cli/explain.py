"""The command ``explain``: the cards, options, moves, refusals and rule book of a game."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from chitarrella.cli.common import (
    MAX_LISTED,
    catalogue,
    console,
    format_numbers,
    game_argument,
    json_option,
    language_option,
    print_json,
)
from chitarrella.cli.description import describe
from chitarrella.cli.translated_help import TranslatedCommand
from chitarrella.i18n.narration import capital
from chitarrella.i18n.translator import Translator


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
        """Print to ``out``."""
        self.out = out
        self.translator = translator
        self.say = translator.cli_text

    def print(self, game: dict[str, Any]) -> None:
        """Print the description section by section."""
        sources = ", ".join(game["sources"])
        self.out.print(game["title"], style="bold", end="")
        self.out.print(f"  {self.say('head', place=game['place'], sources=sources, edition=game['edition'])}")
        self._section("players", self._players(game))
        self._section("cards", *self._cards(game))
        self._section("options", self._options(game["options"]))
        self._section("moves", self._moves(game["moves"]))
        self._section("reasons", self._reasons(game["reasons"]))
        self._section("rule book", self._clauses(game["clauses"]))

    def _section(self, title: str, *parts: Table | Text) -> None:
        """Print a heading and the parts under it."""
        self.out.print()
        self.out.print(self.say(title), style="bold underline")
        for part in parts:
            self.out.print(Padding(part, (0, 0, 0, 2), expand=False))

    def _grid(self, *headings: str) -> Table:
        """Return an empty table without lines, with these headings."""
        texts = map(self.say, headings)
        return Table(*texts, box=None, header_style="dim", pad_edge=False, show_header=bool(headings))

    def _players(self, game: dict[str, Any]) -> Table:
        """Return a table of the numbers of players, with sides, dummies and cards."""
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
        """Return the pack, the ranks with what they count, and the names of the letters."""
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

    def _options(self, options: list[dict[str, Any]]) -> Table:
        table = self._grid("name", "default", "allowed", "description", "source")
        table.columns[0].no_wrap = True
        for option in options:
            allowed, description, source = option["allowed"], option["description"], option["source"]
            table.add_row(Text(option["name"], style="bold"), option["default"], allowed, description, source)
        return table

    def _moves(self, moves: list[dict[str, Any]]) -> Table:
        table = self._grid("written", "does", "when")
        for move in moves:
            when = self.say("or").join(map(self.translator.phase, move["phases"]))
            if move["by_chance"]:
                when += self.say("by chance")
            elif move["out_of_turn"]:
                when += self.say("out of turn")
            table.add_row(Text(move["notation"], style="bold"), move["description"], when)
        return table

    def _reasons(self, reasons: list[dict[str, Any]]) -> Table:
        table = self._grid("code", "said", "clause")
        table.columns[0].no_wrap = True
        for reason in reasons:
            price = self.say("penalty") if reason["penalty"] else ""
            table.add_row(Text(reason["code"], style="bold"), reason["text"] + price, reason["clause_key"])
        return table

    def _clauses(self, clauses: list[dict[str, Any]]) -> Table:
        table = self._grid("clause", "text", "source")
        table.columns[0].no_wrap = True
        for clause in clauses:
            table.add_row(Text(clause["key"], style="bold"), clause["text"], clause["source"])
        return table
