"""The table in a terminal, as one seat sees it: what happened, who holds what, the trick and the score."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from chitarrella.commands.faces import BACK, LABEL, Faces
from chitarrella.game import AnyGame, around
from chitarrella.story import capital, names, said_shares, tell, who
from chitarrella.tongues import ENGLISH, Tongue
from chitarrella.tricks.game import TrickGame
from chitarrella.words import Event, Eyes, Fact, Pile, Refusal, Seat, View

SHOWN_APART: Final = frozenset({"hand", "trick", "taken", "turn_up", "stock"})
"""Piles that have a place of their own; whatever else lies on the table is listed."""

FLAGS: Final = frozenset({"virgin"})
"""Facts that say no more than that they are true of a seat."""
BY_SEAT: Final = {"net": "won or paid"}
"""Amounts by person that stand in a column, each in the row of its seat."""


class Screen:
    """Prints a match for one pair of eyes."""

    def __init__(self, out: Console, game: AnyGame, eyes: Eyes, *, indent: int = 2, tongue: Tongue = ENGLISH) -> None:
        """Print to ``out`` what ``eyes`` may see of ``game``, sentences ``indent`` columns from the edge.

        Refusals and clauses are told in the language ``tongue``.
        """
        self.indent = indent
        self.tongue = tongue
        self.out = out
        self.game = game
        self.eyes = eyes
        self.faces = Faces(game)
        self.names = names(game.pack)
        self.trump = ""
        """The trump suit, as far as it was heard or seen here."""

    # ------------------------------------------------------------------ what happened

    def events(self, events: Iterable[Event]) -> None:
        """Tell what happened, events of one kind on one line."""
        lines: list[tuple[str, list[str]]] = []
        for event in events:
            if event.kind in ("dealt", "deal") and event.hidden:
                continue  # that the others were dealt as many cards, the table shows
            if event.kind == "turned_up":
                self.trump = event.word
            sentence = tell(event, self.game.pack, self.eyes)
            if event.kind == "trick_taken" and (worth := self.faces.worth(event.cards, self.trump)):
                sentence += f" It counts {worth}."
            if lines and lines[-1][0] == event.kind:
                lines[-1][1].append(sentence)
            else:
                lines.append((event.kind, [sentence]))
        for kind, sentences in lines:
            style = "bold" if kind.startswith(("deal_", "match_", "trick_")) else ""
            self.out.print(Padding(self.faces.text(" ".join(sentences), style), (0, 0, 0, self.indent), expand=False))

    def broken(self, refusal: Refusal) -> None:
        """Print one broken clause: what is wrong here, then the sentence of the rule book."""
        said = self.faces.text(self.because(refusal)).append(f"\n{self.clause(refusal)}", "italic")
        self.out.print(Padding(said, (0, 0, 0, 4), expand=False))

    def because(self, refusal: Refusal) -> str:
        """Say what is wrong here."""
        return self.tongue.because(refusal, self.game.pack)

    def clause(self, refusal: Refusal) -> str:
        """Say the sentence of the rule book that is broken, and what it rests on."""
        clause = refusal.clause
        return f"{clause.key}: {self.tongue.clause(clause)} ({self.tongue.source(clause.source)})"

    # ------------------------------------------------------------------ the table

    def table(self, view: View, *, own: bool = True) -> None:
        """Print the whole table; without ``own`` the hands that the seat plays are left for a line of their own."""
        self.trump = next((str(fact.value) for fact in view.facts if fact.name == "trump"), "")
        self.out.print()
        self.out.rule(self._heading(view), align="left", style="dim")
        self.out.print(self._seats(view, own=own))
        for pile in view.piles:
            if pile.name not in SHOWN_APART and pile.size:
                whose = "" if pile.seat is None else f" of {who(pile.seat, self.eyes)}"
                self.out.print(Text(f"  {pile.name.replace('_', ' ')}{whose}: ").append_text(self._pile(pile)))
        for fact in view.facts:
            if isinstance(fact.value, tuple) and (others := self._beside_seats(fact)):
                whose = "" if fact.seat is None else f" of {who(fact.seat, self.eyes)}"
                self.out.print(f"  {fact.name.replace('_', ' ')}{whose}: {others}")
        trick = next((pile for pile in view.piles if pile.name == "trick" and pile.cards), None)
        if trick is not None:
            self.out.print(self._trick(view, trick))

    def _heading(self, view: View) -> Text:
        """Say what is true of the table as a whole."""
        parts = [Text(self.game.title, style="bold")]
        for fact in view.facts:
            if fact.seat is None and fact.name not in ("dealer", "stock") and not isinstance(fact.value, tuple):
                parts.append(self._fact(fact))
        stock = next((fact.value for fact in view.facts if fact.name == "stock"), 0)
        if stock:
            parts.append(Text(f"stock {stock}"))
        return Text(" · ").join(parts)

    def _fact(self, fact: Fact) -> Text:
        value = str(fact.value)
        return self.faces.text(f"{fact.name.replace('_', ' ')} {self.names.get(value, value)}")

    def _seats(self, view: View, *, own: bool) -> Table:
        """One row a seat: what it holds, and every number that the table keeps of it."""
        columns = self._columns(view)
        table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column()
        table.add_column("seat", no_wrap=True)
        table.add_column("cards")
        for name in columns:
            table.add_column(name, justify="right")
        table.add_column()
        dealer = next((fact.value for fact in view.facts if fact.name == "dealer"), None)
        for seat in self._order():
            hand = next((p for p in view.piles if p.name == "hand" and p.seat == seat), None)
            table.add_row(
                " ▸" if seat == view.turn else "",
                Text(self._label(seat), style="bold" if seat == self.eyes else ""),
                Text("") if hand is None or not (own or self.game.controller(seat) != self.eyes) else self._pile(hand),
                *(values.get(seat, "") for values in columns.values()),
                "dealer" if seat == dealer else "",
            )
        return table

    def _columns(self, view: View) -> dict[str, dict[Seat, str]]:
        """Gather the facts of the seats by name; the score stands apart only where no fact says the same."""
        columns: dict[str, dict[Seat, str]] = {}
        for fact in view.facts:
            if fact.name in BY_SEAT and isinstance(fact.value, tuple):
                columns[BY_SEAT[fact.name]] = {int(seat): str(amount) for seat, amount in fact.value if seat.isdigit()}
            elif fact.seat is not None and not isinstance(fact.value, tuple):
                column = columns.setdefault(fact.name.replace("_", " "), {})
                value = "yes" if fact.name in FLAGS else self.names.get(str(fact.value), str(fact.value))
                column[fact.seat] = f"{column[fact.seat]}, {value}" if fact.seat in column else value
        scores = {seat: str(score) for seat, score in enumerate(view.scores)}
        if scores not in columns.values():
            columns["score"] = scores
        return columns

    def _beside_seats(self, fact: Fact) -> str:
        """Say the amounts by person of a fact, those of seats only where they have no column."""
        shares = fact.value if isinstance(fact.value, tuple) else ()
        rest = [share for share in shares if fact.name not in BY_SEAT or not share[0].isdigit()]
        return said_shares(rest, self.eyes)

    def _order(self) -> list[Seat]:
        """Go round the table, from the seat that looks."""
        first = self.eyes if self.eyes is not None and self.eyes >= 0 else 0
        return [(first + place) % self.game.seats for place in range(self.game.seats)]

    def _label(self, seat: Seat) -> str:
        """Name a seat with what it is to the one who looks."""
        owner = self.game.controller(seat)
        if owner != seat:
            return f"Seat {seat}, {'your dummy' if owner == self.eyes else f'dummy of {owner}'}"
        if seat == self.eyes:
            return f"You, seat {seat}"
        if isinstance(self.game, TrickGame) and self.eyes is not None and self.game.partner(seat) == self.eyes:
            return f"Seat {seat}, your partner"
        return f"Seat {seat}"

    def _pile(self, pile: Pile) -> Text:
        """Print cards, or backs."""
        if not pile.cards:
            return Text(BACK * pile.size, style="dim")
        line = [self.faces.card(card, copies=copies) for card, copies in self.faces.held(pile.cards)]
        return Text(" ").join(line)

    def _trick(self, view: View, trick: Pile) -> Text:
        """Print the trick with who played each card."""
        line = Text(f"  {'Trick':<{LABEL}}")
        seats = () if trick.leader is None else around(view, self.game.seats, trick.leader)
        if "play_card" not in self.game.forms:
            seats = seats[:1]  # several cards a seat, and who follows fills the trick: all that lies here was led
        for place, card in enumerate(trick.cards):
            said = f"{capital(who(seats[place], self.eyes))} " if place < len(seats) else ""
            line.append("   " if place else "").append(said).append_text(self.faces.card(card))
        return line
