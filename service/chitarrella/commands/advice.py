"""What a player may do, and why not: the numbered moves, the explanation of a hand, the refusal of a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from chitarrella.cards import Card
from chitarrella.commands.faces import LABEL
from chitarrella.commands.screen import Screen
from chitarrella.notation import write_move
from chitarrella.story import name
from chitarrella.words import Move, Pile, Refusal, Seat, View

MANY: Final = 40
"""Moves that are listed one by one; of more only the number is said."""
LONG: Final = 8
"""Cards of a refused move that are still named."""


class Advice:
    """Advises the person of one seat, dummies included."""

    def __init__(self, screen: Screen, you: Seat) -> None:
        """Print beside the table what concerns ``you``."""
        self.screen = screen
        self.out = screen.out
        self.game = screen.game
        self.faces = screen.faces
        self.you = you

    def moves(self, view: View, menu: Sequence[Move]) -> None:
        """Print every hand that ``you`` play: playable cards with their number, the others dimmed; then other moves."""
        plays: dict[tuple[Seat | None, tuple[Card, ...]], int] = {}
        for number, move in enumerate(menu, 1):
            if len(move.cards) == 1 and not move.word:
                plays.setdefault((move.seat, move.cards), number)
        named: set[int] = set()
        for pile in view.piles:
            if pile.name == "hand" and pile.seat is not None and self.game.controller(pile.seat) == self.you:
                dummy = None if pile.seat == self.you else pile.seat
                here = {cards[0]: number for (seat, cards), number in plays.items() if seat == dummy}
                named.update(number for card, number in here.items() if card in pile.cards)
                self.out.print(self._hand(pile, here))
        self._others([(number, move) for number, move in enumerate(menu, 1) if number not in named])

    def _hand(self, pile: Pile, numbers: Mapping[Card, int]) -> Text:
        whose = "Your hand" if pile.seat == self.you else f"Dummy, seat {pile.seat}"
        line = Text(f"  {whose:<{LABEL}}")
        for card, copies in self.faces.held(pile.cards):
            number = numbers.get(card)
            line.append("" if number is None else f"{number}:")
            line.append_text(self.faces.card(card, dimmed=number is None, copies=copies)).append("   ")
        return line

    def _others(self, moves: Sequence[tuple[int, Move]]) -> None:
        """List moves that are not a single card of the hand, saying once what each kind means."""
        said = ""
        for number, move in moves[:MANY]:
            line = self.faces.text(f"  {number}: {write_move(move)}")
            if move.verb != said:
                line.append(f"   {self.screen.tongue.form(self.game, self.game.forms[move.verb])}", style="dim")
            said = move.verb
            self.out.print(line)
        if len(moves) > MANY:
            self.out.print(f"  … and {len(moves) - MANY} more")

    def refused(self, move: Move, refusals: Sequence[Refusal], menu: Sequence[Move]) -> None:
        """Explain a refusal: every broken clause, and what may be done instead."""
        phrase, many = self.screen.tongue.phrase, len(move.cards)
        said = write_move(move) if many <= LONG else phrase("many cards", verb=move.verb, number=many)
        self.out.print(self.faces.text(f"  {phrase('refused', move=said)}", "bold red"))
        for refusal in refusals:
            self.screen.broken(refusal)
        instead = Text(f"  {phrase('you may'):<{LABEL}}")
        for number, other in enumerate(menu[:MANY], 1):
            words = " ".join([*other.cards, other.word]) if other.verb == "play_card" else write_move(other)
            instead.append_text(self.faces.text(f"{number}:{words.strip()}   "))
        self.out.print(instead)

    def explained(self, pile: Pile, verdicts: Mapping[Card, Sequence[Refusal]]) -> None:
        """Explain every card of a hand: its name, what it counts, and why it may not be played."""
        table = Table("card", "name", "counts", "", box=None, header_style="dim", pad_edge=False)
        if not verdicts:  # no move names a card
            held = ", ".join(name(card, self.game.pack) for card in pile.cards) or "no card"
            self.out.print(self.faces.text(f"  You hold {held}."))
            return
        for card, copies in self.faces.held(pile.cards):
            refusals = verdicts.get(card, ())
            why = " ".join(f"{self.screen.because(refusal)} ({refusal.clause.key})" for refusal in refusals)
            table.add_row(
                self.faces.card(card, dimmed=bool(why), copies=copies),
                name(card, self.game.pack),
                self.faces.worth((card,), self.screen.trump) or "nothing",
                self.faces.text(f"No: {why}") if why else Text("may be played", style="green"),
            )
        self.out.print(Padding(table, (0, 0, 0, 2), expand=False))
