"""A match in a terminal, as one viewer sees it: events, hands, the trick, facts and scores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from chitarrella.core.cards import Card, UnknownCard
from chitarrella.core.game import AnyGame, turn_order
from chitarrella.core.model import Event, Fact, Move, MoveSpec, Refusal, Seat, View, Viewer, ZoneView
from chitarrella.core.notation import MalformedMove, format_move, parse_move
from chitarrella.i18n.narration import TEXTS, capital, card_name, narrate, shares_text, who, word_of
from chitarrella.i18n.translator import ENGLISH, Translator
from chitarrella_terminal.card_style import BACK, LABEL, CardStyle

LAID_OUT_ZONES: Final = frozenset({"hand", "trick", "taken", "turn_up", "stock"})
"""Zones with a place of their own on the screen; all others are listed."""

COLUMN_FACTS: Final = frozenset({"net"})  # facts with amounts by person that get a column

MAX_MOVES: Final = 40  # so many moves are listed; of the others only the number is printed
MAX_CARDS: Final = 8  # a refused move with more cards is printed without them


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
        self.trump = ""  # the trump suit, once an event or a view has named it

    def print_events(self, events: Iterable[Event]) -> None:
        """Print events as sentences, those of one kind in one paragraph."""
        lines: list[tuple[str, list[str]]] = []
        for event in events:
            if event.kind == "dealt" and event.hidden:
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
        text = self.card_style.text(self.reason_text(refusal)).append(f"\n{self.clause_text(refusal)}", "italic")
        self.out.print(Padding(text, (0, 0, 0, 4), expand=False))

    def reason_text(self, refusal: Refusal) -> str:
        return self.translator.reason(refusal, self.game.pack)

    def clause_text(self, refusal: Refusal) -> str:
        clause = refusal.clause
        return f"{clause.key}: {self.translator.clause(clause)} ({self.translator.source(clause.source)})"

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
        parts = [Text(self.translator.title(self.game), style="bold")]
        for fact in view.facts:
            if fact.seat is None and fact.name not in ("dealer", "stock") and not isinstance(fact.value, tuple):
                parts.append(self.card_style.text(f"{self.translator.fact(fact.name)} {self._value(fact)}"))
        stock = next((fact.value for fact in view.facts if fact.name == "stock"), 0)
        if stock:
            parts.append(Text(self.translator.play_text("stock", number=stock)))
        return Text(" · ").join(parts)

    def _value(self, fact: Fact) -> str:
        if fact.name in TEXTS["flags"]:
            return self.translator.play_text("yes")
        value = str(fact.value)
        return value if isinstance(fact.value, Card) else word_of(value, self.game.pack, self.translator.text)

    def _seats(self, view: View, *, own: bool) -> Table:
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
        first = self.viewer if self.viewer is not None and self.viewer >= 0 else 0
        return [(first + place) % self.game.seats for place in range(self.game.seats)]

    def _label(self, seat: Seat) -> str:
        owner, say = self.game.controller(seat), self.translator.play_text
        if owner != seat:
            return say("your dummy name" if owner == self.viewer else "dummy name", seat=seat, owner=owner)
        if seat == self.viewer:
            return say("you name", seat=seat)
        is_partner = self.viewer is not None and self.game.partner(seat) == self.viewer
        return say("partner name" if is_partner else "seat name", seat=seat)

    def _zone(self, zone: ZoneView) -> Text:
        if not zone.cards:
            return Text(BACK * zone.size, style="dim")
        line = [self.card_style.card(card, copies=copies) for card, copies in self.card_style.grouped(zone.cards)]
        return Text(" ").join(line)

    def _trick(self, view: View, trick: ZoneView) -> Text:
        line = Text(f"  {self.translator.play_text('trick'):<{LABEL}}")
        seats = () if trick.leader is None else turn_order(view, self.game.seats, trick.leader)
        if "play_card" not in self.game.move_specs:
            seats = seats[:1]  # tricks of several cards a seat: an unfinished one holds the cards that were led
        for place, card in enumerate(trick.cards):
            text = f"{capital(who(seats[place], self.viewer, self.translator.text))} " if place < len(seats) else ""
            line.append("   " if place else "").append(text).append_text(self.card_style.card(card))
        return line

    def print_menu(self, view: View, menu: Sequence[Move]) -> None:
        """Print the hands that the viewer plays, playable cards with numbers, others dimmed; then all other moves."""
        plays: dict[tuple[Seat | None, tuple[Card, ...]], int] = {}
        for number, move in enumerate(menu, 1):
            if len(move.cards) == 1 and not move.choice:
                plays.setdefault((move.seat, move.cards), number)
        named: set[int] = set()
        for zone in view.zones:
            if zone.name == "hand" and zone.seat is not None and self.game.controller(zone.seat) == self.viewer:
                dummy = None if zone.seat == self.viewer else zone.seat
                here = {cards[0]: number for (seat, cards), number in plays.items() if seat == dummy}
                named.update(number for card, number in here.items() if card in zone.cards)
                self.out.print(self._hand(zone, here))
        self._print_other_moves([(number, move) for number, move in enumerate(menu, 1) if number not in named])

    def _hand(self, zone: ZoneView, numbers: Mapping[Card, int]) -> Text:
        say = self.translator.play_text
        whose = say("your hand") if zone.seat == self.viewer else say("dummy hand", seat=zone.seat)
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
                line.append(f"   {self.translator.move_spec(self.game, self.game.move_specs[move.verb])}", style="dim")
            last_verb = move.verb
            self.out.print(line)
        if len(moves) > MAX_MOVES:
            self.out.print(self.translator.play_text("more moves", number=len(moves) - MAX_MOVES))

    def print_refused_move(self, move: Move, refusals: Sequence[Refusal], menu: Sequence[Move]) -> None:
        phrase, many = self.translator.cli_text, len(move.cards)
        text = format_move(move) if many <= MAX_CARDS else phrase("many cards", verb=move.verb, number=many)
        self.out.print(self.card_style.text(f"  {phrase('refused', move=text)}", "bold red"))
        for refusal in refusals:
            self.print_refusal(refusal)
        instead = Text(f"  {phrase('you may'):<{LABEL}}")
        for number, other in enumerate(menu[:MAX_MOVES], 1):
            words = " ".join([*other.cards, other.choice]) if other.verb == "play_card" else format_move(other)
            instead.append_text(self.card_style.text(f"{number}:{words.strip()}   "))
        self.out.print(instead)

    def print_explanations(self, zone: ZoneView, refusals_by_card: Mapping[Card, Sequence[Refusal]]) -> None:
        """Print for every card of a hand its name, what it counts, and why it may not be played."""
        translator = self.translator
        say, pack = translator.play_text, self.game.pack
        heads = (say("card"), say("name"), say("counts"), "")
        table = Table(*heads, box=None, header_style="dim", pad_edge=False)
        if not refusals_by_card:  # no move names a card
            held = ", ".join(card_name(card, pack, translator.text) for card in zone.cards)
            self.out.print(self.card_style.text(say("you hold", cards=held or translator.noun("no card"))))
            return
        for card, copies in self.card_style.grouped(zone.cards):
            refusals = refusals_by_card.get(card, ())
            why = " ".join(f"{self.reason_text(refusal)} ({refusal.clause.key})" for refusal in refusals)
            table.add_row(
                self.card_style.card(card, dimmed=bool(why), copies=copies),
                card_name(card, pack, translator.text),
                self.card_style.count_text((card,), self.trump) or say("nothing"),
                self.card_style.text(say("no", why=why)) if why else Text(say("may be played"), style="green"),
            )
        self.out.print(Padding(table, (0, 0, 0, 2), expand=False))


class InvalidInput(ValueError):
    """Input that is no move, with the reason."""


def parse_number(menu: list[Move], text: str, translator: Translator) -> Move:
    number = int(text) if len(text) < 6 else 0
    if not 0 < number <= len(menu):
        raise InvalidInput(translator.play_text("no such number", number=text[:12], last=len(menu)))
    return menu[number - 1]


def ordered_moves(game: AnyGame, card_style: CardStyle, moves: Sequence[Move]) -> list[Move]:
    """Return legal moves in the order of their numbers: by verb, then by cards in the order of the hand."""
    verbs = {verb: place for place, verb in enumerate(game.move_specs)}
    return sorted(moves, key=lambda move: (verbs[move.verb], [card_style.places[card] for card in move.cards]))


def parse_input(game: AnyGame, card_style: CardStyle, turn: Seat, you: Seat, menu: list[Move], text: str) -> Move:
    """Parse ``text`` at the turn of ``turn``, a seat that ``you`` play; raises `InvalidInput`.

    ``menu`` holds the legal moves in order. The result may be an illegal move.
    """
    if text.isdecimal():
        return parse_number(menu, text, card_style.translator)
    words = text.split()
    try:
        spec = game.move_specs.get(words[0].lower())
        if spec is not None:
            return _with_dummy_seat(turn, you, game, spec, _parse_verb(game, card_style, spec, words[1:]))
        return _parse_cards(game, card_style, turn, you, menu, words)
    except MalformedMove as error:
        raise InvalidInput(error.message) from None
    except UnknownCard as error:
        raise InvalidInput(str(error)) from None


def _parse_verb(game: AnyGame, card_style: CardStyle, spec: MoveSpec, words: list[str]) -> Move:
    """Parse a move in full notation; the case of letters does not matter."""
    if spec.cards[1]:
        words = [_spelling(card_style.pack.faces, word) for word in words]
    elif spec.choices:
        words = [_spelling(spec.choices, word) for word in words]
    return parse_move(game, " ".join([spec.verb, *words]))


def _parse_cards(
    game: AnyGame, card_style: CardStyle, turn: Seat, you: Seat, menu: list[Move], words: list[str]
) -> Move:
    """Parse cards, with the choice that goes with them.

    Returns the legal move with these cards; else a move that takes as many cards, of a verb that is legal if possible.
    """
    said = sorted(map(str.casefold, words))
    for move in menu:
        if move.cards and said == sorted(map(str.casefold, filter(None, (*move.cards, move.choice)))):
            return move
    try:
        cards = sorted(map(card_style.parse_card, words), key=card_style.places.__getitem__)
    except UnknownCard as error:
        pack = card_style.translator.pack(game.pack.name)
        reason = card_style.translator.play_text("neither", word=repr(error.word[:24]), pack=pack)
        raise InvalidInput(reason) from None
    due = {move.verb for move in menu}
    for spec in sorted(game.move_specs.values(), key=lambda spec: spec.verb not in due):
        least, most = spec.cards
        if not spec.by_chance and least <= len(cards) <= most:
            return _with_dummy_seat(turn, you, game, spec, parse_move(game, " ".join([spec.verb, *cards])))
    raise InvalidInput(card_style.translator.play_text("no such move", number=len(cards)))


def _with_dummy_seat(turn: Seat, you: Seat, game: AnyGame, spec: MoveSpec, move: Move) -> Move:
    """Return ``move`` with the seat of the dummy on turn, if the player has left it out."""
    dummy = turn != you and move.seat is None and spec.seat and not spec.out_of_turn
    return move._replace(seat=turn) if dummy else move


def _spelling(known: Iterable[str], word: str) -> str:
    """Return the one of the ``known`` words that ``word`` is, ignoring case; else ``word``."""
    return next((other for other in known if other.casefold() == word.casefold()), word)
