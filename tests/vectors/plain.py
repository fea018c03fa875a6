"""Briscola and Briscolone for two, counted by a plain program that was written after the README of the vectors.

It uses nothing of the engine: not its cards, not its notation, not its way to count. What it makes of the perft files
of these games has to be, line for line, what stands there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

PACK = [rank + suit for suit in "bcds" for rank in "A234567FCR"]
STRENGTH = "24567FCR3A"
WORTH = {"A": 11, "3": 10, "R": 4, "C": 3, "F": 2}


class Deal(NamedTuple):
    """A deal on the table: hands, what is left to draw, trumps, the card led, whose turn it is, points."""

    hands: tuple[tuple[str, ...], tuple[str, ...]]
    stock: tuple[str, ...]
    trump: str
    led: str
    turn: int
    points: tuple[int, int]


def deal(step: int, eldest: int, packets: list[int], trumps: bool) -> Deal:
    """Deal the stride pack of a step."""
    pack = [PACK[step * place % 40] for place in range(40)]
    hands: list[list[str]] = [[], []]
    for packet in packets:
        for seat in (eldest, 1 - eldest):
            hands[seat] += pack[:packet]
            del pack[:packet]
    if trumps:
        pack.append(pack.pop(0))
    return Deal((tuple(hands[0]), tuple(hands[1])), tuple(pack), pack[-1][1] if trumps else "", "", eldest, (0, 0))


def choices(t: Deal) -> list[str]:
    """The cards that may be played, in canonical order."""
    return sorted(t.hands[t.turn], key=PACK.index)


def exchanges(t: Deal) -> bool:
    """Whether the seat on turn could try to lay down the Two of trumps for the turn-up, which is not agreed here."""
    return f"2{t.trump}" in t.hands[t.turn]


def after(t: Deal, card: str) -> Deal:
    """Play a card; after the second one the trick is taken and both draw."""
    hands = [list(hand) for hand in t.hands]
    hands[t.turn].remove(card)
    if not t.led:
        return t._replace(hands=(tuple(hands[0]), tuple(hands[1])), led=card, turn=1 - t.turn)
    stronger = card[1] == t.led[1] and STRENGTH.index(card[0]) > STRENGTH.index(t.led[0])
    trumped = card[1] == t.trump != t.led[1]
    winner = t.turn if stronger or trumped else 1 - t.turn
    points = list(t.points)
    points[winner] += WORTH.get(card[0], 0) + WORTH.get(t.led[0], 0)
    stock = t.stock
    if stock:
        hands[winner].append(stock[0])
        hands[1 - winner].append(stock[1])
        stock = stock[2:]
    return Deal((tuple(hands[0]), tuple(hands[1])), stock, t.trump, "", winner, (points[0], points[1]))


class Counted(NamedTuple):
    """A line of a deal: the steps of the packs, decisions made before and decisions to go on, and its counts."""

    steps: list[int]
    played: int
    depth: int
    counts: list[str]


class Section(NamedTuple):
    """What is said of a rule set, and its deals."""

    said: dict[str, str]
    deals: list[Counted]


def read(text: str) -> list[Section]:
    """Read the rule sets of a file, as far as they have lines of deals."""
    head, *blocks = text.split("\nplayers ")
    game = dict(line.split(" ", 1) for line in head.splitlines() if line and line[0] != "#")
    sections = []
    for block in blocks:
        said, deals = dict(game), list[Counted]()
        for line in f"players {block}".split("\ncase ")[0].splitlines():
            word, _, rest = line.partition(" ")
            if word == "deal":
                deals.append(read_deal(rest))
            elif word:
                name, _, value = line.removeprefix("option ").partition(" ")
                said[name] = value
        if deals:
            sections.append(Section(said, deals))
    return sections


def read_deal(text: str) -> Counted:
    """Read the line of a deal."""
    first, *counts = text.split(" | ")
    words = first.split()
    numbers = {name: int(words[words.index(name) + 1]) for name in ("played", "depth") if name in words}
    named = [words.index(name) for name in numbers]
    steps = [int(word) for word in words[: min([len(words), *named])]]
    return Counted(steps, numbers.get("played", 0), numbers.get("depth", 99), counts)


def counted(said: dict[str, str], asked: Counted) -> Iterator[str]:
    """Count a deal again."""
    usual = {"briscola": ("3", True), "briscolone": ("5", False)}[said["game"]]
    packets = [int(number) for number in said.get("deal_packets", usual[0]).split("-")]
    eldest = 1 - int(said.get("first_dealer", 0))
    for number, step in enumerate(asked.steps, 1):
        t = deal(step, eldest, packets, usual[1])
        for decision in range(asked.played if number == len(asked.steps) else 40):
            cards = choices(t)
            t = after(t, cards[(7 * decision + 3) % len(cards)])
        eldest = 1 - eldest
    yield from parts(t, asked.depth)


def parts(t: Deal, depth: int) -> Iterator[str]:
    """The counts from here on."""
    level, results = [t], Counter[tuple[int, int]]()
    nodes = []
    forced = refused = 0
    for at in range(depth + 1):
        nodes.append(len(level))
        results.update(t.points for t in level if not any(t.hands))
        if at < depth:
            forced += sum(len(choices(t)) == 1 for t in level)
            refused += sum(map(exchanges, level))
        level = [after(t, card) for t in level for card in choices(t)] if at < depth else []
        if not level:
            break
    yield f"nodes {' '.join(map(str, nodes))}"
    yield f"leaves {results.total()}"
    yield f"forced {forced}"
    if refused:
        yield f"refused BR-5.7/exchange_not_available:{refused}"
    if results:
        won, lost = (sum(n for points, n in results.items() if points[seat] > 60) for seat in (0, 1))
        text = "".join(f"{a},{b}={results[a, b]}\n" for a, b in sorted(results))
        drawn = results[60, 60]
        yield f"ends won {won} drawn {drawn} lost {lost} results {sha256(text.encode()).hexdigest()[:16]}"
