"""The Spanish pack: rough clubs, straight swords side by side, and a frame whose gaps tell the suit.

Signs, aces and figures are those of the Italian pack; the letters are the same, and the figures count 10 to 12.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from chitarrella.core.cards import Card
from chitarrella_cards.italian import ACES, COIN, COURTS, CUP, PARTS, SWORD
from chitarrella_cards.shapes import (
    GREEN,
    INK,
    YELLOW,
    ellipse,
    group,
    inked,
    label,
    lettering,
    number,
    path,
    placement,
    use,
)

CLUB: Final = "spanish-club"  # the id of a club
NUMBERS: Final = {"A": "1", "F": "10", "C": "11", "R": "12"}  # what the ranks without a figure are called in the index
GAPS: Final = {"d": 0, "c": 1, "s": 2, "b": 3}  # how many gaps the upper and the lower line of the frame have, by suit
LEFT, RIGHT, TOP, BOTTOM = 7, 113, 7, 179  # the frame

PLACES: Final = {  # where the coins or cups of a card lie
    2: ((60, 55), (60, 131)),
    3: ((60, 40), (60, 93), (60, 146)),
    4: ((36, 52), (84, 52), (36, 134), (84, 134)),
    5: ((36, 45), (84, 45), (60, 93), (36, 141), (84, 141)),
    6: ((38, 41), (82, 41), (38, 93), (82, 93), (38, 145), (82, 145)),
    7: ((34, 36), (86, 36), (60, 72), (34, 108), (86, 108), (34, 150), (86, 150)),
}
SCALES: Final = {2: 2, 3: 1.6, 4: 1.4, 5: 1.4, 6: 1.4, 7: 1.2}  # how large they are
COLUMNS: Final = {2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3), 7: (4, 3)}
"""How many swords or clubs stand in each row."""

KNOTS: Final = ((3, -62), (-3, -22), (2, 16), (-1, 52))  # where branches were cut off a club


def club() -> str:
    """Return a rough club, 176 high, about the origin."""
    return (
        path("M-5 88L-7 20L-13-58C-17-92 17-92 13-58L7 20L5 88Z", GREEN)
        + path("M-11-44L-19-52L-17-58L-9-54ZM10-20L18-29L15-34L8-28ZM-7 22L-14 15L-11 10L-6 14Z", GREEN)
        + "".join(ellipse(x, y, (3.5, 4.5), YELLOW, stroke_width=1) for x, y in KNOTS)
        + path("M-6-76q-3 8-1 16M8-46q1 10-2 18M-2 64v16", stroke_width=1)
    )


def definitions(card: Card) -> dict[str, str]:
    """Return what the face of ``card`` copies, by its id."""
    name, draw = (CLUB, club) if card.suit == "b" else PARTS[card.suit]
    return {name: draw()}


def face(card: Card) -> str:
    """Return the face of ``card``."""
    draw = COURTS.get(card.rank)
    if draw:
        shown = group(draw(card.suit, CLUB), transform=placement(17, 7, scale=0.86))
    elif card.rank == "A":
        shown = ace(card.suit)
    else:
        shown = number_card(int(card.rank), card.suit)
    return frame(card.suit) + shown + index(card)


def ace(suit: str) -> str:
    """Return the face of an ace: a club, or that of the Italian pack."""
    if suit == "b":
        return inked(use(CLUB, "translate(60 93) rotate(10) scale(1.6 .88)"))
    return group(ACES[suit](), transform=placement(15, 3, scale=0.9))


def number_card(count: int, suit: str) -> str:
    """Return the face of a card from two to seven."""
    if suit in "cd":
        name, shrink = (CUP, 0.78) if suit == "c" else (COIN, 1)
        return inked(*(use(name, placement(x, y, scale=SCALES[count] * shrink)) for x, y in PLACES[count]))
    name, widths = (CLUB, (1, 0.7)) if suit == "b" else (SWORD, (1, 0.9))
    rows = len(COLUMNS[count])
    size = f"scale({widths[rows - 1]} {0.85 if rows == 1 else 0.42})"
    signs = []
    for columns, y in zip(COLUMNS[count], (93,) if rows == 1 else (53, 133), strict=True):
        step = 30 if columns < 4 else 24
        places = (60 + step * (place - (columns - 1) / 2) for place in range(columns))
        signs += [use(name, placement(x, y) + size) for x in places]
    return inked(*signs, stroke_width=1.5 if rows == 1 else 2)


def frame(suit: str) -> str:
    """Return the frame, whose upper and lower lines have the gaps of the suit."""
    gaps = GAPS[suit]
    width = (RIGHT - LEFT) / (gaps + 1)
    edges = [LEFT + width * place for place in range(gaps + 2)]
    lines = "".join(
        f"M{number(begin + (4 if place else 0))} {y}H{number(end - (4 if place < gaps else 0))}"
        for y in (TOP, BOTTOM)
        for place, (begin, end) in enumerate(pairwise(edges))
    )
    return path(f"M{LEFT} {TOP}V{BOTTOM}M{RIGHT} {TOP}V{BOTTOM}{lines}", stroke=INK, stroke_width=1.5)


def index(card: Card) -> str:
    """Return the number of ``card`` in two corners."""
    text = NUMBERS.get(card.rank, card.rank)
    one = lettering(text, 14 + 2.5 * (len(text) - 1), 11, 9)
    return label(one, group(one, transform="rotate(180 60 93)"))
