"""The suits of the Italian pack: batons, cups, coins and swords, from ace to seven."""

from __future__ import annotations

from typing import Final

from chitarrella.svg.palette import BLUE, BROWN, GREEN, INK, PAPER, RED, SKIN, SKY, WHITE, YELLOW
from chitarrella.svg.shapes import box, circle, ellipse, group, inked, number, path, placement, rosette, star, use

COIN: Final = "italian-coin"
"""The id of a coin."""
CUP: Final = "italian-cup"
"""The id of a cup."""
SWORD: Final = "italian-sword"
"""The id of a straight sword."""
BATON: Final = "italian-baton"
"""The id of a baton."""


def coin() -> str:
    """Return a coin of radius 15 about the origin: a rosette in a ring."""
    return (
        circle(0, 0, 15, YELLOW)
        + circle(0, 0, 12, stroke_width=1)
        + path(rosette(8, 11), RED, stroke_width=1)
        + circle(0, 0, 4, BLUE, stroke_width=1)
        + circle(0, 0, 1.5, YELLOW, stroke_width=0.8)
    )


def cup() -> str:
    """Return a covered chalice, 30 wide and 44 high, about the origin."""
    return (
        path("M-4 5L-3 13Q-11 16-12 22H12Q11 16 3 13L4 5Z", YELLOW)
        + path("M-14-12C-14 2-7 7 0 7C7 7 14 2 14-12Z", YELLOW)
        + path("M-13-6C-12 2-6 5 0 5C6 5 12 2 13-6Z", RED, stroke_width=1)
        + path("M-8-5L-4 4M0-5V5M8-5L4 4", stroke=YELLOW, stroke_width=2)
        + ellipse(0, -12, (15, 4.5), YELLOW)
        + ellipse(0, -12, (11, 2.5), BLUE, stroke_width=1)
        + ellipse(0, 10, (5, 2.2), RED, stroke_width=1)
        + path("M-9 19H9", stroke_width=1)
    )


def sword() -> str:
    """Return a straight sword, 170 high, point up, about the origin."""
    return (
        path("M-3.5 56V-76L0-85L3.5-76V56Z", SKY)
        + path("M0 56V-82", stroke_width=1)
        + path("M-3 61H3V76H-3Z", RED)
        + path("M-15 55C-15 60-12 61-9 60H9C12 61 15 60 15 55C9 57-9 57-15 55Z", YELLOW)
        + circle(0, 79, 5, YELLOW)
    )


def baton(shaft: str = RED, head: str = GREEN) -> str:
    """Return a turned staff, 176 high, about the origin, in the colours ``shaft`` and ``head``."""
    half = (
        path("M-3 2L-5-56H5L3 2Z", shaft)
        + path("M-2.5-10H2.5M-3.5-38H3.5", stroke=YELLOW, stroke_width=3)
        + path("M-5-56C-9-62-9-72-5-77H5C9-72 9-62 5-56Z", head)
        + path("M-7-60H7M-7.5-72H7.5", stroke=YELLOW, stroke_width=2)
        + path("M-5-77C-7-84-3-88 0-88C3-88 7-84 5-77Z", YELLOW)
    )
    return half + group(half, transform="rotate(180)") + box(-5, -6, (10, 12), YELLOW)


PLACES: Final = {
    2: ((50, 54), (50, 146)),
    3: ((50, 39), (50, 100), (50, 161)),
    4: ((29, 45), (71, 45), (29, 155), (71, 155)),
    5: ((29, 42), (71, 42), (50, 100), (29, 158), (71, 158)),
    6: ((29, 38), (71, 38), (29, 100), (71, 100), (29, 162), (71, 162)),
    7: ((29, 35), (71, 35), (50, 77), (29, 119), (71, 119), (29, 165), (71, 165)),
}
"""Where the coins or cups of a card lie."""
SCALES: Final = {2: 1.8, 3: 1.6, 4: 1.3, 5: 1.2, 6: 1.2, 7: 1.1}
"""How large they are."""

SPRAY: Final = path("M0 0C8-10 20-6 24 4C14 6 8 4 0 0ZM0 0C8 10 20 14 26 8M0 0C-2-8 4-16 10-16C10-8 6-4 0 0Z", GREEN)
"""A leaf and a bud, to the right of the origin."""


def sprays(*places: tuple[float, float], scale: float = 0.7) -> str:
    """Return pairs of leaves, each about one of the ``places``."""
    return group(
        *(
            group(
                SPRAY, group(SPRAY, transform="scale(-1)"), circle(0, 0, 4, RED), transform=placement(x, y, scale=scale)
            )
            for x, y in places
        ),
        stroke_width=1.5,
    )


DECORATED: Final = {2: ((50, 100),), 4: ((50, 100),), 3: (), 5: (), 6: ((50, 69), (50, 131)), 7: ()}  # fmt: skip
"""Where leaves grow between the coins or cups of a card."""


def rows(name: str, count: int) -> str:
    """Return ``count`` coins or cups."""
    scale = SCALES[count] * (0.85 if name == CUP else 1)
    pips = "".join(use(name, placement(x, y, scale=scale)) for x, y in PLACES[count])
    return inked(sprays(*DECORATED[count], scale=1 if count < 5 else 0.5), pips)


END: Final = 0.7
"""Where a curved sword ends, right of the centre, as a share of how far its middle is left of it."""


def blade(shift: float) -> tuple[str, str]:
    """Return a curved blade whose middle is left of the centre by ``shift``: its lower and its upper half."""
    side, end = number(50 - shift), number(50 + shift * END)
    return f"M{end} 180Q{side} 150 {side} 100", f"M{side} 100Q{side} 50 {end} 20"


def steel(data: str) -> str:
    """Return the blades along some lines: their outline, and the metal within."""
    edges, metal = (path(data, stroke=ink, stroke_width=width) for ink, width in ((INK, 8), (SKY, 5)))
    return group(edges, metal, stroke_linecap="butt")


def swords(count: int) -> str:
    """Return ``count`` swords: curved ones that are intertwined, and where they are odd a straight one between them."""
    shifts = {1: (34,), 2: (26, 38), 3: (18, 29, 40)}[count // 2]
    mirror = placement(100, 0, flip=True)
    lower, upper = (steel("".join(halves)) for halves in zip(*map(blade, shifts), strict=True))
    lattice = lower + group(upper, transform=mirror) + group(lower, transform=mirror) + upper
    ends = [(50 + shift * END, 3 * shift**0.8) for shift in shifts]
    hilts = "".join(
        path("M-8-1C-8-5 8-5 8-1L3 0V8H-3V0Z", YELLOW, transform=placement(end, 179, -turn)) for end, turn in ends
    )
    tips = "".join(path("M-3.3 1L0-9L3.3 1", SKY, transform=placement(end, 20, turn)) for end, turn in ends)
    lattice += tips + group(tips, transform=mirror)
    middle = use(SWORD, placement(50, 100, scale=0.95)) if count % 2 else flower() if count < 5 else ""
    return inked(lattice, hilts, group(hilts, transform=mirror), middle)


def flower() -> str:
    """Return a rose on a stem, in the middle of the card."""
    return group(
        path("M0 6V50M0 44C-14 40-14 28-12 24C-4 26 0 34 0 44ZM0 36C14 32 14 20 12 16C4 18 0 26 0 36Z", GREEN),
        path(rosette(6, 11), RED),
        circle(0, 0, 4.5, YELLOW),
        transform="translate(50 84)",
    )


def batons(count: int) -> str:
    """Return ``count`` crossed batons, and where they are odd an upright one between them."""
    shifts = {1: (0,), 2: (-8, 8), 3: (-14, 0, 14)}[count // 2]
    scale = 0.95
    one = [placement(50 + shift, 100, 17.5, scale) for shift in shifts]
    two = [placement(50 + shift, 100, -17.5, scale) for shift in shifts]
    crossed = "".join(use(BATON, where) for where in (*one, *two))
    middle = group(baton(BLUE, RED), transform=placement(50, 100, scale=scale)) if count % 2 else ""
    return inked(crossed, middle)


def ribbon(y: float) -> str:
    """Return a banner across the card at the height ``y``."""
    return group(
        path("M-42-4L-32 0L-42 8V20L-24 16V4ZM42-4L32 0L42 8V20L24 16V4Z", YELLOW),
        path("M-34-6Q0-16 34-6V8Q0-2-34 8Z", PAPER),
        path("M-26-2Q0-9 26-2", stroke=RED, stroke_width=2),
        transform=placement(50, y),
    )


def ace_of_coins() -> str:
    """Return one great coin with the face of the sun, between leaves."""
    face = path("M-6-3q2-2 4 0M2-3q2-2 4 0M0-1L-1.5 4H1M-4 7Q0 10 4 7", stroke_width=1.3)
    return inked(
        sprays((50, 38), (50, 162), scale=1.2),
        group(
            *(circle(0, 0, 41, YELLOW), circle(0, 0, 35.5, RED)),
            *(path(star(16, 34, 18), YELLOW), circle(0, 0, 15.5, SKIN), face),
            transform="translate(50 100)",
        ),
    )


def ace_of_cups() -> str:
    """Return a fountain: a great cup with water that springs from it."""
    water = "".join(path(f"M0-16C{x}-44 {2 * x}-40 {2 * x}-8", stroke=BLUE, stroke_width=2.5) for x in (-16, -9, 9, 16))
    return inked(
        group(
            water,
            path("M0-12V-38", stroke=BLUE, stroke_width=2.5),
            circle(0, -42, 5, RED),
            transform="translate(50 72) scale(1.1)",
        ),
        group(cup(), transform="translate(50 112) scale(2.6)", stroke_width=0.8),
        path(rosette(8, 9), WHITE, transform="translate(50 112)"),
        path("M12 184Q50 168 88 184Z", GREEN),
    )


def ace_of_swords() -> str:
    """Return a hand that holds a sword upright, through a crown, between two branches."""
    leaf = path("M0 0C-7-5-7-12 0-17C7-12 7-5 0 0Z", GREEN, stroke_width=1.2)
    sides = ((30, 140, 60, 30), (24, 127, 55, 35), (20, 111, 40, 40))
    turns = ((17, 94, -4), *((x, y, turn) for x, y, left, right in sides for turn in (-left, right)))
    branch = path("M38 150C26 140 20 118 17 94") + "".join(group(leaf, transform=placement(*place)) for place in turns)
    return inked(
        branch + group(branch, transform=placement(100, 0, flip=True)),
        use(SWORD, "translate(50 98)"),
        path("M27 54L22 28L36 42L42 24L50 40L58 24L64 42L78 28L73 54Q50 45 27 54Z", YELLOW),
        path("M27 54Q50 45 73 54V61Q50 52 27 61Z", RED),
        *(circle(x, y, 3, RED, stroke_width=1) for x, y in ((22, 27), (42, 23), (58, 23), (78, 27))),
        path("M50 50V66", stroke=SKY, stroke_width=5, stroke_linecap="butt"),
        path("M38 176L30 195H70L62 176Q50 184 38 176Z", BLUE) + path("M44 181L42 195M56 181L58 195", stroke=YELLOW),
        path("M36 172Q50 182 64 172L66 179Q50 189 34 179Z", WHITE),
        path("M40 160C36 164 38 172 42 175Q50 179 59 175C63 170 62 160 58 159Z", SKIN),
        path("M41 164.5H58M42 169.5H58", stroke_width=1),
    )


def ace_of_batons() -> str:
    """Return a great knotted club with leaves and a banner."""
    leaf = path("M0 0C-16 0-22-14-20-26C-6-24 0-14 0 0ZM0 0L-13-17", GREEN)
    return inked(
        group(leaf, transform="translate(34 66)") + group(leaf, transform="translate(64 88) scale(-1 1)"),
        group(leaf, transform="translate(40 158)") + group(leaf, transform="translate(60 166) scale(-1 1)"),
        path("M41 182L37 120L28 60C22 22 40 14 50 14C60 14 78 22 72 60L63 120L59 182Z", BROWN),
        path("M44 176L41 120M54 176L57 126M38 66Q34 40 42 30M63 62Q66 40 60 30M50 100V76", stroke_width=1),
        *(ellipse(x, y, (5, 6.5), YELLOW) for x, y in ((50, 42), (37, 84), (60, 80), (48, 152))),
        *(path("M-2-2q2 3 0 5", stroke_width=1, transform=placement(x, y)) for x, y in ((51, 42), (38, 84), (61, 80))),
        path("M39 182H61L63 190H37Z", RED),
        ribbon(118),
    )


ACES: Final = {"b": ace_of_batons, "c": ace_of_cups, "d": ace_of_coins, "s": ace_of_swords}
"""The drawing of each ace."""
PARTS: Final = {"b": (BATON, baton), "c": (CUP, cup), "d": (COIN, coin), "s": (SWORD, sword)}
"""The id of a suit's sign, and its drawing."""


def number_card(rank: str, suit: str) -> str:
    """Return the face of a card from ace to seven, without its frame."""
    if rank == "A":
        return ACES[suit]()
    count = int(rank)
    if suit in "cd":
        return rows(PARTS[suit][0], count)
    return swords(count) if suit == "s" else batons(count)
