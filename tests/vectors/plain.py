"""Briscola and Briscolone for two, counted by a plain program that was written after the README of the vectors.

It uses nothing of the engine: not its cards, not its notation, not its way to count. What it makes of the perft files
of these games has to be, line for line, what stands there.
"""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain
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


def knows(game: str, players: int, options: dict[str, str]) -> bool:
    """Whether this program plays a rule set: nobody may exchange the turn-up."""
    return game in ("briscola", "briscolone") and players == 2 and "deuce_exchange" not in options


class Counted(NamedTuple):
    """A case: what is said of its rule set and of itself, and its counts line by line."""

    said: dict[str, str]
    counts: list[str]

    @property
    def steps(self) -> list[int]:
        return [int(step) for step in self.said["pack"].removeprefix("stride ").split()]


def read(text: str) -> Iterator[Counted]:
    """Read the cases of a file, without those that are counted over every pack."""
    head, *sections = text.split("\nplayers ")
    for section in sections:
        agreed, *cases = f"players {section}".split("\ncase ")
        rows = [line.removeprefix("option ") for line in f"{head}\n{agreed}".splitlines() if line and line[0] != "#"]
        for case in cases:
            lines = [" ".join(line.split()) for line in case.splitlines()[1:] if line]
            counts = [line for line in lines if line.split()[0] in ("level", "ends", "divide")]
            said = dict(line.split(" ", 1) for line in [*rows, *lines] if line not in counts)
            if "chance" not in said:
                yield Counted(said, counts)


def counted(asked: Counted) -> Iterator[str]:
    said = asked.said
    usual, trumps = {"briscola": ("3", True), "briscolone": ("5", False)}[said["game"]]
    packets = [int(number) for number in said.get("deal_packets", usual).split("-")]
    depth = 99 if said["depth"] == "all" else int(said["depth"])
    eldest = 1 - int(said.get("first_dealer", 0))
    for number, step in enumerate(asked.steps, 1):
        t = deal(step, eldest, packets, trumps)
        for decision in range(int(said.get("played", 0)) if number == len(asked.steps) else 40):
            cards = choices(t)
            t = after(t, cards[(7 * decision + 3) % len(cards)])
        eldest = 1 - eldest
    yield from lines(t, depth)
    for card in choices(t) if depth else ():
        below = levels(after(t, card), depth - 1)
        yield f"divide play_card {card} nodes {sum(map(len, below))} leaves {sum(is_over(t) for t in chain(*below))}"


def is_over(t: Deal) -> bool:
    return not any(t.hands)


def levels(t: Deal, depth: int) -> list[list[Deal]]:
    """What can be after no decision, after one, and so on."""
    found = [[t]]
    while len(found) <= depth and (level := [after(t, card) for t in found[-1] for card in choices(t)]):
        found.append(level)
    return found


def lines(t: Deal, depth: int) -> Iterator[str]:
    results = Counter[tuple[int, int]]()
    for at, level in enumerate(levels(t, depth)):
        over = [t.points for t in level if is_over(t)]
        goes_on = at < depth
        forced = sum(len(choices(t)) == 1 for t in level) * goes_on
        refused = sum(map(exchanges, level)) * goes_on
        clause = f"BR-5.7/exchange_not_available:{refused}" if refused else "-"
        yield f"level {at} {len(level)} {len(over)} {forced} {clause}"
        results.update(over)
    if results:
        won, lost = (sum(n for points, n in results.items() if points[seat] > 60) for seat in (0, 1))
        text = "".join(f"{a},{b}={results[a, b]}\n" for a, b in sorted(results))
        drawn = results[60, 60]
        yield f"ends won {won} drawn {drawn} lost {lost} results {sha256(text.encode()).hexdigest()[:16]}"
