"""A match in a terminal, as one viewer sees it: events, hands, the trick, facts and scores."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from chitarrella.cli.card_styles import BACK, LABEL, CardStyle
from chitarrella.core.cards import Card
from chitarrella.core.game import AnyGame, turn_order
from chitarrella.core.model import Event, Fact, Refusal, Seat, View, Viewer, ZoneView
from chitarrella.i18n.narration import capital, narrate, shares_text, who, word_of
from chitarrella.i18n.translator import ENGLISH, Translator

LAID_OUT_ZONES: Final = frozenset({"hand", "trick", "taken", "turn_up", "stock"})
"""Zones with a place of their own on the screen; all others are listed."""

FLAG_FACTS: Final = frozenset({"alone", "dealt_in", "doubled", "looked", "out", "virgin"})
"""Facts that are true, with the value 1, or absent."""
COLUMN_FACTS: Final = frozenset({"net"})
"""Facts with amounts by person that get a column."""


class Screen:
    """Prints a match for one viewer."""

    def __init__(
        self, out: Console, game: AnyGame, viewer: Viewer, *, indent: int = 2, translator: Translator = ENGLISH
    ) -> None:
        """Print to ``out`` what ``viewer`` may see of ``game``, sentences indented by ``indent`` columns.

        ``translator`` writes everything that is printed.
        """
        self.indent = indent
        self.translator = translator
        self.out = out
        self.game = game
        self.viewer = viewer
        symbols = out.is_terminal and out.encoding.startswith("utf")
        self.card_style = CardStyle(game, translator, symbols=symbols)
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
            sentence = narrate(event, self.game.pack, self.viewer, self.translator.text)
            if event.kind == "trick_taken" and (worth := self.card_style.count_text(event.cards, self.trump)):
                sentence += self.translator.play_text("worth", worth=worth)
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
                name = f"  {self._zone_name(zone)}{self._of(zone.seat)}: "
                self.out.print(Text(name).append_text(self._zone(zone)))
        for fact in view.facts:
            if isinstance(fact.value, tuple) and (others := self._other_shares(fact)):
                self.out.print(f"  {self.translator.fact(fact.name)}{self._of(fact.seat)}: {others}")
        trick = next((zone for zone in view.zones if zone.name == "trick" and zone.cards), None)
        if trick is not None:
            self.out.print(self._trick(view, trick))

    def _of(self, seat: Seat | None) -> str:
        """Return whose zone or fact it is; empty for those of the table."""
        if seat is None:
            return ""
        return self.translator.play_text("of", who=who(seat, self.viewer, self.translator.text, " object"))

    def _zone_name(self, zone: ZoneView) -> str:
        """Return the name of a zone: in English its key, else the beginning of its description."""
        spec = next((spec for spec in self.game.zone_specs if spec.name == zone.name), None)
        if spec is None or self.translator.code == ENGLISH.code:
            return zone.name.replace("_", " ")
        return re.split(r"[;.]", self.translator.zone(spec), maxsplit=1)[0]

    def _heading(self, view: View) -> Text:
        """Return the line with the facts of the whole table."""
        parts = [Text(self.translator.title(self.game), style="bold")]
        for fact in view.facts:
            if fact.seat is None and fact.name not in ("dealer", "stock") and not isinstance(fact.value, tuple):
                parts.append(self._fact(fact))
        stock = next((fact.value for fact in view.facts if fact.name == "stock"), 0)
        if stock:
            parts.append(Text(self.translator.play_text("stock", number=stock)))
        return Text(" · ").join(parts)

    def _fact(self, fact: Fact) -> Text:
        return self.card_style.text(f"{self.translator.fact(fact.name)} {self._value(fact)}")

    def _value(self, fact: Fact) -> str:
        """Return the value of a fact: a suit or rank by name."""
        if fact.name in FLAG_FACTS:
            return self.translator.play_text("yes")
        value = str(fact.value)
        return value if isinstance(fact.value, Card) else word_of(value, self.game.pack, self.translator.text)

    def _seats(self, view: View, *, own: bool) -> Table:
        """Return a table with a row for each seat: its cards and its facts."""
        columns, say = self._columns(view), self.translator.play_text
        table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column()
        table.add_column(say("seat"), no_wrap=True)
        table.add_column(say("cards"))
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
                say("dealer") if seat == dealer else "",
            )
        return table

    def _columns(self, view: View) -> dict[str, dict[Seat, str]]:
        """Return the facts of seats as columns; the score gets one unless a fact has the same values."""
        columns: dict[str, dict[Seat, str]] = {}
        for fact in view.facts:
            if fact.name in COLUMN_FACTS and isinstance(fact.value, tuple):
                columns[self.translator.fact(fact.name)] = {
                    int(seat): str(amount) for seat, amount in fact.value if seat.isdigit()
                }
            elif fact.seat is not None and not isinstance(fact.value, tuple):
                column, value = columns.setdefault(self.translator.fact(fact.name), {}), self._value(fact)
                column[fact.seat] = f"{column[fact.seat]}, {value}" if fact.seat in column else value
        scores = {seat: str(score) for seat, score in enumerate(view.scores)}
        if scores not in columns.values():
            columns[self.translator.play_text("score")] = scores
        return columns

    def _other_shares(self, fact: Fact) -> str:
        """Return the amounts by person of a fact; those of seats only if they have no column."""
        shares = fact.value if isinstance(fact.value, tuple) else ()
        rest = [share for share in shares if fact.name not in COLUMN_FACTS or not share[0].isdigit()]
        return shares_text(rest, self.viewer, self.translator.text)

    def _seats_in_order(self) -> list[Seat]:
        """Return the seats in order of play, from the viewer on."""
        first = self.viewer if self.viewer is not None and self.viewer >= 0 else 0
        return [(first + place) % self.game.seats for place in range(self.game.seats)]

    def _label(self, seat: Seat) -> str:
        """Return the name of a seat, with its relation to the viewer."""
        owner, say = self.game.controller(seat), self.translator.play_text
        if owner != seat:
            return say("your dummy name" if owner == self.viewer else "dummy name", seat=seat, owner=owner)
        if seat == self.viewer:
            return say("you name", seat=seat)
        is_partner = self.viewer is not None and self.game.partner(seat) == self.viewer
        return say("partner name" if is_partner else "seat name", seat=seat)

    def _zone(self, zone: ZoneView) -> Text:
        """Return the cards of a zone, or as many backs."""
        if not zone.cards:
            return Text(BACK * zone.size, style="dim")
        line = [self.card_style.card(card, copies=copies) for card, copies in self.card_style.grouped(zone.cards)]
        return Text(" ").join(line)

    def _trick(self, view: View, trick: ZoneView) -> Text:
        """Return the trick with the seat that played each card."""
        line = Text(f"  {self.translator.play_text('trick'):<{LABEL}}")
        seats = () if trick.leader is None else turn_order(view, self.game.seats, trick.leader)
        if "play_card" not in self.game.move_specs:
            seats = seats[:1]  # tricks of several cards a seat: an unfinished one holds the cards that were led
        for place, card in enumerate(trick.cards):
            text = f"{capital(who(seats[place], self.viewer, self.translator.text))} " if place < len(seats) else ""
            line.append("   " if place else "").append(text).append_text(self.card_style.card(card))
        return line
