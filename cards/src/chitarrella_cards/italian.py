"""The Italian pack: tall and narrow, with crossed batons and intertwined swords as in the north-east."""

from __future__ import annotations

from typing import Final

from chitarrella.core.cards import Card
from chitarrella_cards.shapes import (
    BLUE,
    BROWN,
    GREEN,
    GREY,
    INK,
    PAPER,
    RED,
    SKIN,
    SKY,
    WHITE,
    YELLOW,
    Dress,
    box,
    circle,
    ellipse,
    group,
    inked,
    label,
    lettering,
    number,
    path,
    placement,
    rosette,
    star,
    use,
    young_face,
)

COIN: Final = "italian-coin"  # the id of a coin
CUP: Final = "italian-cup"  # the id of a cup
SWORD: Final = "italian-sword"  # the id of a straight sword
BATON: Final = "italian-baton"  # the id of a baton


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


PLACES: Final = {  # where the coins or cups of a card lie
    2: ((50, 54), (50, 146)),
    3: ((50, 39), (50, 100), (50, 161)),
    4: ((29, 45), (71, 45), (29, 155), (71, 155)),
    5: ((29, 42), (71, 42), (50, 100), (29, 158), (71, 158)),
    6: ((29, 38), (71, 38), (29, 100), (71, 100), (29, 162), (71, 162)),
    7: ((29, 35), (71, 35), (50, 77), (29, 119), (71, 119), (29, 165), (71, 165)),
}
SCALES: Final = {2: 1.8, 3: 1.6, 4: 1.3, 5: 1.2, 6: 1.2, 7: 1.1}  # how large they are

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


END: Final = 0.7  # where a curved sword ends, right of the centre, as a share of how far its middle is left of it


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


ACES: Final = {"b": ace_of_batons, "c": ace_of_cups, "d": ace_of_coins, "s": ace_of_swords}  # the drawing of each ace
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


DRESSES: Final = {  # the dress of each suit
    "b": Dress(GREEN, RED, YELLOW, BROWN, BROWN),
    "c": Dress(RED, BLUE, YELLOW, YELLOW, WHITE),
    "d": Dress(YELLOW, GREEN, RED, INK, GREY),
    "s": Dress(BLUE, YELLOW, RED, BROWN, YELLOW),
}

SABRE: Final = (  # the short sword of a figure, point up, about the hand that holds it
    path("M-3.5-8C-7-26-5-42 5-56C6-40 4-24 4-8Z", SKY)
    + path("M0-10C-2-26-1-36 3-48", stroke_width=1)
    + path("M-2.5-8H2.5V9H-2.5Z", RED)
    + path("M-11-10C-11-5-8-4-5-5H5C8-4 11-5 11-10C7-8-7-8-11-10Z", YELLOW)
    + circle(0, 10, 3, YELLOW)
)


def page(suit: str, baton: str = BATON) -> str:
    """Return the Fante: he stands on grass and lifts the sign of his suit. ``baton`` is the id of what batons are."""
    dress = DRESSES[suit]
    return inked(
        path("M5 195C14 184 24 187 30 184C42 181 56 187 66 184C78 182 88 186 95 195Z", GREEN),
        _legs(dress),
        _far_arm(dress),
        _doublet(dress),
        _page_head(dress),
        _sign(suit, 80, 66, baton),
        _near_arm(dress),
    )


def _legs(dress: Dress) -> str:
    return (
        path("M33 132L31 156C30 164 32 172 32 180H41C42 166 44 150 47 136Z", dress.lining)
        + path("M47 136C50 150 52 166 53 180H62C62 172 63 164 62 156L60 132Z", dress.trim)
        + path("M32 178C26 182 20 184 18 188H41V178ZM53 178V188H76C74 184 68 182 62 178Z", BROWN)
        + path("M31 158q5 3 11 0M52 158q5 3 11 0", stroke_width=2.5)
    )


def _far_arm(dress: Dress) -> str:
    return (
        path("M22 92L12 104L30 117L34 110L25 103L31 96Z", dress.lining)
        + path("M33 70C22 70 14 82 16 92C20 99 30 98 33 92Z", dress.coat)
        + path("M26 73q-3 10-1 22", stroke=dress.trim, stroke_width=2.5)
        + circle(33, 113, 4.5, SKIN)
    )


def _near_arm(dress: Dress) -> str:
    return (
        path("M68 92L76 88L85 70L77 67L66 82Z", dress.lining)
        + path("M59 70C69 68 80 78 78 90C72 97 64 95 60 90Z", dress.coat)
        + path("M66 72q6 10 3 22", stroke=dress.trim, stroke_width=2.5)
        + path("M76 70C74 64 78 61 82 62C87 62 88 68 86 72Z", SKIN)
        + path("M79 63V68M83 63V69", stroke_width=1)
    )


def _doublet(dress: Dress) -> str:
    return (
        path("M35 68C41 64 52 64 58 68L64 78L60 110H34L30 78Z", dress.coat)
        + path("M40 66L43 110H51L54 66Z", dress.lining)
        + "".join(circle(47, y, 1.6, dress.trim, stroke_width=0.8) for y in (78, 86, 94, 102))
        + path("M34 110L26 138Q47 148 68 138L60 110Z", dress.coat)
        + path("M41 112L36 142Q47 146 58 142L53 112Z", dress.lining)
        + path("M33 112L29 139M61 112L65 139", stroke=dress.trim, stroke_width=2.5)
        + path("M33 106H61V113H33Z", dress.trim)
        + path("M35 67C40 74 54 74 59 67L61 72C54 81 40 81 33 72Z", WHITE)
    )


def _page_head(dress: Dress) -> str:
    return (
        path("M33 54C29 36 62 34 61 52C62 62 61 66 59 69C50 66 42 66 35 69C33 66 32 60 33 54Z", dress.hair)
        + group(young_face(), transform="translate(48 54)")
        + path("M35 46C35 56 37 60 36 66L33 64C31 58 31 50 35 46Z", dress.hair)
        + path("M40 36C36 18 22 14 12 24C18 25 17 31 24 33C26 39 32 40 38 40Z", WHITE)
        + path("M38 38C32 28 25 25 18 25", stroke_width=1)
        + path("M29 46C24 34 36 25 48 27C60 28 68 36 63 46C54 41 40 41 29 46Z", dress.coat)
        + path("M29 46C40 41 54 41 63 46L62 49C52 45 40 45 31 49Z", dress.trim)
    )


def _sign(suit: str, x: float, y: float, baton: str) -> str:
    """Return the sign of the suit as a hand at (``x``, ``y``) holds it."""
    where = {
        "b": placement(x + 1, 98, 0, 0.98),
        "c": placement(x - 1, y - 23, 0, 0.95),
        "d": placement(x - 1, y - 18, 0, 1),
        "s": placement(x + 1, y),
    }
    return _placed_sign(suit, where[suit], baton)


def _placed_sign(suit: str, where: str, baton: str) -> str:
    return group(SABRE, transform=where) if suit == "s" else use(baton if suit == "b" else PARTS[suit][0], where)


def king(suit: str, baton: str = BATON) -> str:
    """Return the Re: he stands crowned and bearded, in a mantle with ermine."""
    dress = DRESSES[suit]
    beard = {"b": BROWN, "c": GREY, "d": BROWN, "s": GREY}[suit]
    return inked(
        path("M5 195C20 184 80 184 95 195Z", GREEN),
        _mantle(dress),
        _king_head(dress, beard),
        _sceptre(dress),
        _sign(suit, 82, 78, baton),
        _king_arm(dress),
    )


def _mantle(dress: Dress) -> str:
    flecks = "".join(
        f"M{x} {y}v3"
        for x, y in ((31, 108), (29, 124), (27, 142), (25, 160), (61, 108), (63, 124), (66, 142), (68, 160))
    )
    return (
        path("M30 78C18 84 14 130 8 188H84C80 130 76 84 62 78Z", dress.coat)
        + path("M36 82L28 186H64L57 82Z", dress.lining)
        + path("M38 92L20 186H28L41 116ZM54 92L72 186H64L51 116Z", WHITE)
        + path("M38 152Q46 158 54 152M36 164Q46 171 57 164M34 178Q46 184 60 178", stroke=dress.trim, stroke_width=2.5)
        + path("M39 118H53L54 126H38Z", dress.trim)
        + path("M28 77Q46 92 64 77L70 92Q46 116 22 92Z", WHITE)
        + path(flecks + "M30 88l1 4M38 94v4M54 94v4M62 88l-1 4M46 97v4", stroke_width=1.8)
    )


def _king_head(dress: Dress, beard: str) -> str:
    return (
        path("M31 50C28 70 32 80 36 82H58C62 80 64 70 61 50Z", beard)
        + group(young_face(), transform="translate(46 57)")
        + path("M35 56C35 76 38 92 46 100C54 92 57 76 57 56C56 62 53 65 47 64C40 65 37 62 35 56Z", beard)
        + path("M40 64.5C43 61 50 61 54 64.5C50 67 49 65 47 65C45 65 43 67 40 64.5Z", beard)
        + path("M43 69H51M42 74q1 10 4 18M50 74q-1 10-4 18", stroke_width=1)
        + path("M44.5 68.5h5", stroke=RED, stroke_width=1.5)
        + path("M31 50L24 24L36 36L38 18L46 33L54 18L56 36L68 24L61 50Q46 42 31 50Z", YELLOW)
        + "".join(circle(x, y, 2.5, RED, stroke_width=1) for x, y in ((24, 23), (38, 17), (54, 17), (68, 23)))
        + path("M31 50Q46 42 61 50L60 55Q46 47 32 55Z", dress.trim)
        + circle(46, 41, 2.6, BLUE, stroke_width=1)
    )


def _sceptre(dress: Dress) -> str:
    return (
        path("M14 72H18V150H14Z", YELLOW)
        + path("M16 52C22 58 22 64 16 70C10 64 10 58 16 52Z", RED)
        + path("M11 70H21V74H11Z", YELLOW)
        + path("M27 94C14 98 8 116 12 126L24 124L36 104Z", dress.coat)
        + path("M11 124L25 121L26 127L12 130Z", WHITE)
        + path("M12 129C10 134 12 140 17 140C22 140 25 134 23 128Z", SKIN)
    )


def _king_arm(dress: Dress) -> str:
    return (
        path("M64 92C74 92 84 104 88 112L80 120C72 122 62 114 60 106Z", dress.coat)
        + path("M78 120C88 120 92 108 89 92L79 94C80 102 78 106 76 108Z", dress.lining)
        + path("M78 89L90 87L91 93L79 96Z", WHITE)
        + path("M78 88C76 80 79 75 83 76C89 76 90 82 89 88Z", SKIN)
        + path("M81 77V82M85 77V83", stroke_width=1)
    )


def rider(suit: str, baton: str = BATON) -> str:
    """Return the Cavallo: a rider on a stepping horse, who lifts the sign of his suit."""
    dress = DRESSES[suit]
    return inked(
        path("M8 195C24 186 82 186 97 195Z", GREEN),
        _horse(dress),
        _rider_body(dress),
        _rider_sign(suit, baton),
        _rider_arm(dress),
        transform="translate(-2 0)",
    )


def _horse(dress: Dress) -> str:
    mane = BROWN if dress.horse != BROWN else INK
    return (
        path("M88 122C100 124 99 150 92 170C88 156 88 140 84 130Z", mane)
        + path("M36 140L40 158L36 188H27L31 160L24 142ZM66 146L60 160L62 188H53L54 158L56 144Z", dress.horse)
        + path(
            "M9 116C5 112 5 107 8 102L19 86L20 77L26 84C36 84 42 96 45 108C56 106 66 106 76 108C88 110 92 120 91 132"
            "C90 142 84 148 84 156L87 166L84 188H75L77 166L71 152C62 154 52 152 44 146L28 146C24 138 22 128 25 116"
            "C22 113 20 112 18 114C16 119 12 119 9 116Z",
            dress.horse,
        )
        + path("M30 138L12 144L13 160L20 164L21 152L40 150Z", dress.horse)
        + path("M13 159L20 163L17 169L9 165ZM75 183H85V188H75ZM27 183H37V188H27ZM53 183H62V188H53Z", INK)
        + path("M20 78C30 76 42 88 48 108L40 106C40 98 34 92 24 88Z", mane)
        + circle(22, 94, 1.6, INK, stroke_width=0.5)
        + path("M8 104L17 110M19 88L17 113M10 113q2 1 4 0", stroke=dress.trim, stroke_width=2)
        + path("M17 112Q30 120 44 104", stroke=dress.trim, stroke_width=2)
        + path("M43 107C54 104 66 104 75 108L77 134Q60 142 43 132Z", dress.lining)
        + path("M44 128Q60 137 76 130", stroke=dress.trim, stroke_width=3)
    )


def _rider_body(dress: Dress) -> str:
    return (
        path("M48 106C60 102 68 108 66 120L60 140L62 154L46 158L45 152L52 148L50 124Z", dress.coat)
        + path("M51 138L61 136L62 154L46 158L44 152L52 148Z", BROWN)
        + path("M44 72C50 67 62 67 68 72L72 84L70 110H46L42 84Z", dress.coat)
        + path("M50 70L53 110H61L63 70Z", dress.lining)
        + path("M44 102H71L73 116Q58 122 42 116Z", dress.coat)
        + path("M45 100H71V106H45Z", dress.trim)
        + path("M46 72C36 74 28 88 26 100L34 104C38 96 46 92 50 86Z", dress.coat)
        + circle(29, 104, 4.5, SKIN)
        + path("M46 70C50 77 62 77 67 70L68 75C62 83 50 83 44 75Z", WHITE)
        + group(
            path("M-15 0C-19-18 14-20 13-2C14 8 13 12 11 15C2 12-6 12-13 15C-15 12-16 6-15 0Z", dress.hair),
            young_face(),
            path("M-19-9C-16-18-8-24 0-24C8-24 15-18 17-9C6-14-8-14-19-9Z", dress.lining),
            path("M-19-9C-8-14 6-14 17-9L15-5C6-10-8-10-17-5Z", dress.trim),
            path("M6-23C14-38 28-36 34-26C27-26 26-20 16-19Z", WHITE),
            transform="translate(53 57) scale(-1 1)",
        )
    )


def _rider_sign(suit: str, baton: str) -> str:
    """Return the sign: batons and swords are shorter than those of the page."""
    where = {
        "b": placement(86, 74, 5, 0.7),
        "c": placement(84, 46, 0, 0.85),
        "d": placement(84, 50, scale=0.9),
        "s": placement(89, 70, 2),
    }
    return _placed_sign(suit, where[suit], baton)


def _rider_arm(dress: Dress) -> str:
    return (
        path("M66 72C76 72 82 82 80 92C76 98 70 98 66 92Z", dress.coat)
        + path("M72 94L81 90L91 76L83 70L74 82Z", dress.lining)
        + path("M82 74C80 68 84 65 88 66C93 66 93 72 91 76Z", SKIN)
    )


COURTS: Final = {"F": page, "C": rider, "R": king}  # the figure of each rank


def definitions(card: Card) -> dict[str, str]:
    """Return what the face of ``card`` copies, by its id."""
    name, draw = PARTS[card.suit]
    return {name: draw()}


# The signs beside the rank, about their middle: the great ones could not be told apart where a card is 40 pixels wide.
SMALL: Final = {
    "b": path("M-2.5 11L-5-6C-6-13 6-13 5-6L2.5 11Z", GREEN) + path("M-3-4H3M-2 4H2", stroke=YELLOW, stroke_width=2.5),
    "c": path("M-7.5-9H7.5C7.5-2 5-.5 2 1V5.5H6V9H-6V5.5H-2V1C-5-.5-7.5-2-7.5-9Z", RED),
    "d": circle(0, 0, 8.5, YELLOW) + circle(0, 0, 3, RED),
    "s": path("M0-11L3.2-7V3H-3.2V-7Z", SKY) + path("M-7.5 4H7.5M0 4V10", stroke=BLUE, stroke_width=3.2),
}


def face(card: Card) -> str:
    """Return the face of ``card`` beside its index."""
    draw = COURTS.get(card.rank)
    drawn = draw(card.suit) if draw else number_card(card.rank, card.suit)
    return group(drawn, transform=placement(10, 19 if draw else 10, scale=0.9)) + index(card.rank, card.suit)


def index(text: str, suit: str) -> str:
    """Return the index in the upper left corner: the rank, and the sign of the suit beneath."""
    sign = group(SMALL[suit], transform="translate(12 38)", stroke=INK, stroke_width=1.2, stroke_linejoin="round")
    return label(lettering(text, 12, 7, 18), sign)
