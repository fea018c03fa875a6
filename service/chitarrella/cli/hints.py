"""Hints for a player: the numbered legal moves, the explanation of a hand, the refusal of a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from chitarrella.cli.card_styles import LABEL
from chitarrella.cli.screen import Screen
from chitarrella.core.cards import Card
from chitarrella.core.model import Move, Refusal, Seat, View, ZoneView
from chitarrella.core.notation import format_move
from chitarrella.i18n.narration import card_name

MAX_MOVES: Final = 40
"""So many moves are listed; of the others only the number is printed."""
MAX_CARDS: Final = 8
"""A refused move with more cards is printed without them."""


class Hints:
    """Prints hints for the person of one seat, who also plays its dummies."""

    def __init__(self, screen: Screen, you: Seat) -> None:
        """Print to ``screen`` for the seat ``you``."""
        self.screen = screen
        self.out = screen.out
        self.game = screen.game
        self.card_style = screen.card_style
        self.you = you

    def print_menu(self, view: View, menu: Sequence[Move]) -> None:
        """Print every hand that ``you`` play: playable cards with their number, others dimmed; then all other moves."""
        plays: dict[tuple[Seat | None, tuple[Card, ...]], int] = {}
        for number, move in enumerate(menu, 1):
            if len(move.cards) == 1 and not move.choice:
                plays.setdefault((move.seat, move.cards), number)
        named: set[int] = set()
        for zone in view.zones:
            if zone.name == "hand" and zone.seat is not None and self.game.controller(zone.seat) == self.you:
                dummy = None if zone.seat == self.you else zone.seat
                here = {cards[0]: number for (seat, cards), number in plays.items() if seat == dummy}
                named.update(number for card, number in here.items() if card in zone.cards)
                self.out.print(self._hand(zone, here))
        self._print_other_moves([(number, move) for number, move in enumerate(menu, 1) if number not in named])

    def _hand(self, zone: ZoneView, numbers: Mapping[Card, int]) -> Text:
        say = self.screen.translator.play_text
        whose = say("your hand") if zone.seat == self.you else say("dummy hand", seat=zone.seat)
        line = Text(f"  {whose:<{LABEL}}")
        for card, copies in self.card_style.grouped(zone.cards):
            number = numbers.get(card)
            line.append("" if number is None else f"{number}:")
            line.append_text(self.card_style.card(card, dimmed=number is None, copies=copies)).append("   ")
        return line

    def _print_other_moves(self, moves: Sequence[tuple[int, Move]]) -> None:
        """Print moves that are not a single card of a hand, with one description for each verb."""
        last_verb = ""
        for number, move in moves[:MAX_MOVES]:
            line = self.card_style.text(f"  {number}: {format_move(move)}")
            if move.verb != last_verb:
                line.append(
                    f"   {self.screen.translator.move_spec(self.game, self.game.move_specs[move.verb])}", style="dim"
                )
            last_verb = move.verb
            self.out.print(line)
        if len(moves) > MAX_MOVES:
            self.out.print(self.screen.translator.play_text("more moves", number=len(moves) - MAX_MOVES))

    def print_refusal(self, move: Move, refusals: Sequence[Refusal], menu: Sequence[Move]) -> None:
        """Print every broken clause, and the legal moves."""
        phrase, many = self.screen.translator.cli_text, len(move.cards)
        text = format_move(move) if many <= MAX_CARDS else phrase("many cards", verb=move.verb, number=many)
        self.out.print(self.card_style.text(f"  {phrase('refused', move=text)}", "bold red"))
        for refusal in refusals:
            self.screen.print_refusal(refusal)
        instead = Text(f"  {phrase('you may'):<{LABEL}}")
        for number, other in enumerate(menu[:MAX_MOVES], 1):
            words = " ".join([*other.cards, other.choice]) if other.verb == "play_card" else format_move(other)
            instead.append_text(self.card_style.text(f"{number}:{words.strip()}   "))
        self.out.print(instead)

    def print_explanations(self, zone: ZoneView, refusals_by_card: Mapping[Card, Sequence[Refusal]]) -> None:
        """Print for every card of a hand its name, what it counts, and why it may not be played."""
        translator = self.screen.translator
        say, pack = translator.play_text, self.game.pack
        heads = (say("card"), say("name"), say("counts"), "")
        table = Table(*heads, box=None, header_style="dim", pad_edge=False)
        if not refusals_by_card:  # no move names a card
            held = ", ".join(card_name(card, pack, translator.text) for card in zone.cards)
            self.out.print(self.card_style.text(say("you hold", cards=held or translator.noun("no card"))))
            return
        for card, copies in self.card_style.grouped(zone.cards):
            refusals = refusals_by_card.get(card, ())
            why = " ".join(f"{self.screen.reason_text(refusal)} ({refusal.clause.key})" for refusal in refusals)
            table.add_row(
                self.card_style.card(card, dimmed=bool(why), copies=copies),
                card_name(card, pack, translator.text),
                self.card_style.count_text((card,), self.screen.trump) or say("nothing"),
                self.card_style.text(say("no", why=why)) if why else Text(say("may be played"), style="green"),
            )
        self.out.print(Padding(table, (0, 0, 0, 2), expand=False))
