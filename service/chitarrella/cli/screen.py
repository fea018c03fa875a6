"""A match in a terminal, as one viewer sees it: events, hands, the trick, facts and scores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from chitarrella.cli.card_styles import BACK, LABEL, CardStyle
from chitarrella.core.game import AnyGame
from chitarrella.core.model import Event, Fact, Refusal, Seat, View, ZoneView
from chitarrella.core.play import turn_order
from chitarrella.core.visibility import Viewer
from chitarrella.i18n.narration import capital, names, narrate, shares_text, who
from chitarrella.i18n.translator import ENGLISH, Translator

LAID_OUT_ZONES: Final = frozenset({"hand", "trick", "taken", "turn_up", "stock"})
"""Zones with a place of their own on the screen; all others are listed."""

FLAG_FACTS: Final = frozenset({"alone", "dealt_in", "doubled", "looked", "out", "virgin"})
"""Facts that are true, with the value 1, or absent."""
COLUMN_FACTS: Final = {"net": "won or paid"}
"""Facts with amounts by person that get a column, with its heading."""


class Screen:
    """Prints a match for one viewer."""

    def __init__(
        self, out: Console, game: AnyGame, viewer: Viewer, *, indent: int = 2, translator: Translator = ENGLISH
    ) -> None:
        """Print to ``out`` what ``viewer`` may see of ``game``, sentences indented by ``indent`` columns.

        ``translator`` writes refusals and clauses.
        """
        self.indent = indent
        self.translator = translator
        self.out = out
        self.game = game
        self.viewer = viewer
        self.card_style = CardStyle(game)
        self.names = names(game.pack)
        self.trump = ""
        """The trump suit, once an event or a view has named it."""

    # ------------------------------------------------------------------ what happened

    def print_events(self, events: Iterable[Event]) -> None:
        """Print events as sentences, those of one kind in one paragraph."""
        lines: list[tuple[str, list[str]]] = []
        for event in events:
            if event.kind in ("dealt", "deal") and event.hidden:
                continue  # the table shows the number of cards of the others
            if event.kind == "turned_up":
                self.trump = event.word
            sentence = narrate(event, self.game.pack, self.viewer)
            if event.kind == "trick_taken" and (worth := self.card_style.count_text(event.cards, self.trump)):
                sentence += f" It counts {worth}."
            if lines and lines[-1][0] == event.kind:
                lines[-1][1].append(sentence)
            else:
                lines.append((event.kind, [sentence]))
        for kind, sentences in lines:
            style = "bold" if kind.startswith(("deal_", "match_", "trick_")) else ""
            self.out.print(
                Padding(self.card_style.text(" ".join(sentences), style), (0, 0, 0, self.indent), expand=False)
            )

    def print_refusal(self, refusal: Refusal) -> None:
        """Print why a move is refused, then the clause that it breaks."""
        text = self.card_style.text(self.reason_text(refusal)).append(f"\n{self.clause_text(refusal)}", "italic")
        self.out.print(Padding(text, (0, 0, 0, 4), expand=False))

    def reason_text(self, refusal: Refusal) -> str:
        """Return the reason of a refusal as a sentence."""
        return self.translator.reason(refusal, self.game.pack)

    def clause_text(self, refusal: Refusal) -> str:
        """Return the clause of a refusal with its key and its source."""
        clause = refusal.clause
        return f"{clause.key}: {self.translator.clause(clause)} ({self.translator.source(clause.source)})"

    # ------------------------------------------------------------------ the table

    def print_table(self, view: View, *, own: bool = True) -> None:
        """Print the whole table; without ``own`` not the hands that the viewer plays, which get lines of their own."""
        self.trump = next((str(fact.value) for fact in view.facts if fact.name == "trump"), "")
        self.out.print()
        self.out.rule(self._heading(view), align="left", style="dim")
        self.out.print(self._seats(view, own=own))
        for zone in view.zones:
            if zone.name not in LAID_OUT_ZONES and zone.size:
                whose = "" if zone.seat is None else f" of {who(zone.seat, self.viewer)}"
                self.out.print(Text(f"  {zone.name.replace('_', ' ')}{whose}: ").append_text(self._zone(zone)))
        for fact in view.facts:
            if isinstance(fact.value, tuple) and (others := self._other_shares(fact)):
                whose = "" if fact.seat is None else f" of {who(fact.seat, self.viewer)}"
                self.out.print(f"  {fact.name.replace('_', ' ')}{whose}: {others}")
        trick = next((zone for zone in view.zones if zone.name == "trick" and zone.cards), None)
        if trick is not None:
            self.out.print(self._trick(view, trick))

    def _heading(self, view: View) -> Text:
        """Return the line with the facts of the whole table."""
        parts = [Text(self.game.title, style="bold")]
        for fact in view.facts:
            if fact.seat is None and fact.name not in ("dealer", "stock") and not isinstance(fact.value, tuple):
                parts.append(self._fact(fact))
        stock = next((fact.value for fact in view.facts if fact.name == "stock"), 0)
        if stock:
            parts.append(Text(f"stock {stock}"))
        return Text(" · ").join(parts)

    def _fact(self, fact: Fact) -> Text:
        value = "yes" if fact.name in FLAG_FACTS else str(fact.value)
        return self.card_style.text(f"{fact.name.replace('_', ' ')} {self.names.get(value, value)}")

    def _seats(self, view: View, *, own: bool) -> Table:
        """Return a table with a row for each seat: its cards and its facts."""
        columns = self._columns(view)
        table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column()
        table.add_column("seat", no_wrap=True)
        table.add_column("cards")
        for name in columns:
            table.add_column(name, justify="right")
        table.add_column()
        dealer = next((fact.value for fact in view.facts if fact.name == "dealer"), None)
        for seat in self._seats_in_order():
            hand = next((p for p in view.zones if p.name == "hand" and p.seat == seat), None)
            table.add_row(
                " ▸" if seat == view.turn else "",
                Text(self._label(seat), style="bold" if seat == self.viewer else ""),
                Text("")
                if hand is None or not (own or self.game.controller(seat) != self.viewer)
                else self._zone(hand),
                *(values.get(seat, "") for values in columns.values()),
                "dealer" if seat == dealer else "",
            )
        return table

    def _columns(self, view: View) -> dict[str, dict[Seat, str]]:
        """Return the facts of seats as columns; the score gets one unless a fact has the same values."""
        columns: dict[str, dict[Seat, str]] = {}
        for fact in view.facts:
            if fact.name in COLUMN_FACTS and isinstance(fact.value, tuple):
                columns[COLUMN_FACTS[fact.name]] = {
                    int(seat): str(amount) for seat, amount in fact.value if seat.isdigit()
                }
            elif fact.seat is not None and not isinstance(fact.value, tuple):
                column = columns.setdefault(fact.name.replace("_", " "), {})
                value = "yes" if fact.name in FLAG_FACTS else self.names.get(str(fact.value), str(fact.value))
                column[fact.seat] = f"{column[fact.seat]}, {value}" if fact.seat in column else value
        scores = {seat: str(score) for seat, score in enumerate(view.scores)}
        if scores not in columns.values():
            columns["score"] = scores
        return columns

    def _other_shares(self, fact: Fact) -> str:
        """Return the amounts by person of a fact; those of seats only if they have no column."""
        shares = fact.value if isinstance(fact.value, tuple) else ()
        rest = [share for share in shares if fact.name not in COLUMN_FACTS or not share[0].isdigit()]
        return shares_text(rest, self.viewer)

    def _seats_in_order(self) -> list[Seat]:
        """Return the seats in order of play, from the viewer on."""
        first = self.viewer if self.viewer is not None and self.viewer >= 0 else 0
        return [(first + place) % self.game.seats for place in range(self.game.seats)]

    def _label(self, seat: Seat) -> str:
        """Return the name of a seat, with its relation to the viewer."""
        owner = self.game.controller(seat)
        if owner != seat:
            return f"Seat {seat}, {'your dummy' if owner == self.viewer else f'dummy of {owner}'}"
        if seat == self.viewer:
            return f"You, seat {seat}"
        if self.viewer is not None and self.game.partner(seat) == self.viewer:
            return f"Seat {seat}, your partner"
        return f"Seat {seat}"

    def _zone(self, zone: ZoneView) -> Text:
        """Return the cards of a zone, or as many backs."""
        if not zone.cards:
            return Text(BACK * zone.size, style="dim")
        line = [self.card_style.card(card, copies=copies) for card, copies in self.card_style.grouped(zone.cards)]
        return Text(" ").join(line)

    def _trick(self, view: View, trick: ZoneView) -> Text:
        """Return the trick with the seat that played each card."""
        line = Text(f"  {'Trick':<{LABEL}}")
        seats = () if trick.leader is None else turn_order(view, self.game.seats, trick.leader)
        if "play_card" not in self.game.move_specs:
            seats = seats[:1]  # tricks of several cards a seat: an unfinished one holds the cards that were led
        for place, card in enumerate(trick.cards):
            text = f"{capital(who(seats[place], self.viewer))} " if place < len(seats) else ""
            line.append("   " if place else "").append(text).append_text(self.card_style.card(card))
        return line
