"""The Cucco pack: ten numbers in a wreath, and ten pictures with their names beneath."""

from __future__ import annotations

import math
from typing import Final

from chitarrella.core.cards import CUCCO, Card
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
    use,
    young_face,
)


def cat() -> str:
    """Return the cat: it sits, and shows its teeth and claws."""
    pupil = ellipse(0, 0, (6, 5), YELLOW) + ellipse(0, 0, (1.5, 4.5), INK)
    return inked(
        path("M5.5 156C26 145 74 145 94.5 156Z", GREEN),
        path("M70 140C96 146 98 116 86 104C80 96 84 84 90 84C80 78 72 92 78 106C86 120 82 130 68 126Z", INK),
        path("M30 80C18 104 16 132 26 148H74C84 132 82 104 70 80Z", INK),
        path("M50 92C40 100 40 130 44 148H56C60 130 60 100 50 92Z", GREY),
        path(
            "M30 148C26 130 34 118 38 124C42 132 42 142 42 148ZM70 148C74 130 66 118 62 124C58 132 58 142 58 148Z", INK
        ),
        path("M30 148v-4M35 148v-5M39 148v-4M70 148v-4M65 148v-5M61 148v-4", stroke=WHITE),
        path("M22 58L20 22L40 36Q50 33 60 36L80 22L78 58C82 82 66 94 50 94C34 94 18 82 22 58Z", INK),
        path("M26 46L25 32L35 39ZM74 46L75 32L65 39Z", SKIN),
        group(pupil, transform="translate(37 60)") + group(pupil, transform="translate(63 60)"),
        path("M50 66C36 66 30 76 34 82C40 90 60 90 66 82C70 76 64 66 50 66Z", GREY),
        path("M46 68H54L50 73Z", RED) + path("M50 73V76"),
        path("M39 78C46 74 54 74 61 78C60 90 40 90 39 78Z", RED),
        path("M42 77L44 82L46 76.2M54 76.2L56 82L58 77", WHITE, stroke_width=1),
        path("M32 74L8 68M32 78L8 80M68 74L92 68M68 78L92 80", stroke=GREY, stroke_width=1.2),
    )


def horse() -> str:
    """Return the horse: it leaps over a fence."""
    return inked(
        path("M5.5 156C26 145 74 145 94.5 156Z", GREEN),
        path("M89 90C99 96 97 116 91 126C88 116 86 106 83 100Z", RED),
        path("M40 80L24 72L16 76L12 96L19 98L23 84L44 96ZM70 96L78 120L72 138L79 140L87 120L88 100Z", GREY),
        path("M12 150V112H20V150ZM44 150V112H52V150ZM6 118H60V126H6ZM6 134H60V142H6Z", BROWN),
        path(
            "M8 56C4 52 4 47 7 42L18 26L19 17L25 24C36 24 43 36 47 50C58 52 72 62 82 74C92 80 95 92 92 104"
            "C91 112 88 118 86 122L92 140L85 143L77 124C72 118 70 112 67 106C56 104 48 98 41 88L21 91L27 104L21 107"
            "L11 89L13 84L29 74C25 68 23 62 24 56C21 53 19 52 17 54C15 59 11 59 8 56Z",
            WHITE,
        ),
        path(
            "M27 101L28 106L20 110L18 105ZM91 137L94 143L84 146L83 140Z"
            "M12 92L19 94L18 100L11 99ZM74 133L80 135L79 142L71 140Z",
            INK,
        ),
        path("M19 18C31 16 45 32 52 54L43 48C41 38 35 32 23 28Z", RED),
        path("M22 27q6 4 10 2M28 33q6 2 9 0M34 40q5 1 8-1", stroke_width=1),
        path("M44 86C42 76 40 70 34 66M70 104C70 94 76 86 84 84", stroke_width=1),
        circle(17, 36, 1.8, INK),
        path("M9 55q2 1 4-1M9 46q-1-2 1-3"),
    )


def cuckoo() -> str:
    """Return the cuckoo, crowned, on a branch."""
    leaf = path("M0 0C-4-10 2-20 12-22C14-12 10-2 0 0ZM0 0L9-16", GREEN)
    return inked(
        path("M5.5 126C30 120 60 128 94.5 112V121C64 136 30 130 5.5 134Z", BROWN),
        group(leaf, transform="translate(14 127)") + group(leaf, transform="translate(30 130) rotate(150)"),
        group(leaf, transform="translate(78 126) rotate(120)"),
        path("M62 104L86 146L74 142L70 152L50 112Z", BLUE) + path("M62 116L74 142M72 132l4-2M67 124l4-2", stroke=WHITE),
        path("M40 112L38 124M48 112L47 124", stroke=YELLOW, stroke_width=3.5),
        path(
            "M24 54C24 36 48 30 58 46C68 60 76 88 72 112C58 122 38 118 32 100C28 86 32 74 27 66C25 62 24 58 24 54Z", SKY
        ),
        path("M30 76C42 80 56 96 56 116C44 118 35 110 32 100C29 90 31 82 30 76Z", WHITE),
        path("M32 84q8-2 12 2M32 92q10-3 17 2M33 100q12-3 21 2M37 108q10-3 19 1", stroke_width=2),
        path("M48 62C66 66 78 90 78 128C62 120 46 100 44 78Z", BLUE),
        path("M54 74C62 82 68 98 70 116M50 80C54 92 60 104 66 112", stroke=SKY),
        path("M25 50L6 44L24 58Z", YELLOW) + path("M24 58L10 62L27 64Z", YELLOW),
        circle(36, 52, 5, YELLOW) + circle(35, 52, 2.2, INK),
        path("M30 36L24 16L33 24L40 10L46 22L56 12L54 34Q42 26 30 36Z", YELLOW),
        *(circle(x, y, 2.4, RED, stroke_width=1) for x, y in ((24, 15), (40, 10), (56, 12))),
    )


def lion() -> str:
    """Return the lion: it sits, with its mane about its face."""
    tuft = path("M0 0C-12-4-12-18 0-24C12-18 12-4 0 0Z", BROWN)
    return inked(
        path("M5.5 156C26 145 74 145 94.5 156Z", GREEN),
        path("M74 138C92 140 94 116 86 104C82 96 84 88 88 82", stroke_width=7),
        path("M74 138C92 140 94 116 86 104C82 96 84 88 88 82", stroke=YELLOW, stroke_width=4),
        group(tuft, transform="translate(88 84)"),
        path("M28 90C20 116 18 136 24 148H76C82 136 80 116 72 90Z", YELLOW),
        path("M34 148C28 130 32 112 38 106M66 148C72 130 68 112 62 106M50 116V140"),
        path("M30 148C28 140 46 138 47 148ZM53 148C54 138 72 140 70 148Z", YELLOW),
        path("M35 148v-4M41 148v-4M59 148v-4M65 148v-4"),
        *(
            path(rosette(14, radius, 0.75), colour, transform="translate(50 64)")
            for radius, colour in ((41, BROWN), (33, BROWN))
        ),
        circle(28, 42, 7, YELLOW) + circle(72, 42, 7, YELLOW),
        path("M30 58C28 40 40 36 50 38C60 36 72 40 70 58C72 76 62 88 50 90C38 88 28 76 30 58Z", YELLOW),
        path("M34 54C38 49 43 51 45 56M66 54C62 49 57 51 55 56", stroke_width=2.5),
        circle(40, 59, 2.4, INK) + circle(60, 59, 2.4, INK),
        path("M45 56C46 64 44 68 43 70M55 56C54 64 56 68 57 70"),
        path("M43 70C46 66 54 66 57 70L50 76Z", INK),
        path("M50 76C46 84 38 82 36 76M50 76C54 84 62 82 64 76"),
        path("M45 82C48 80 52 80 55 82C54 92 46 92 45 82Z", RED),
        group(*(path("M0 0v3", transform=placement(x, 76)) for x in (40, 44, 56, 60)), stroke_width=1.2),
    )


def fool() -> str:
    """Return the Matto: a jester with a bauble."""
    return inked(
        path("M5.5 156C26 145 74 145 94.5 156Z", GREEN),
        path("M38 104L30 126L34 144L43 144L42 128L50 112ZM50 112L60 124L74 132L78 124L66 116L62 104Z", YELLOW),
        path("M50 112L60 124L74 132L78 124L66 116L62 104Z", RED),
        path(
            "M34 142C28 144 22 140 20 144C20 150 30 150 43 149V144ZM72 133C78 134 80 142 84 140C88 136 84 128 78 122Z",
            BLUE,
        ),
        path("M34 70C30 86 34 98 32 110L41 118L50 112V66Z", RED),
        path("M50 66V112L59 118L68 110C66 98 70 86 66 70Z", YELLOW),
        path("M35 70C24 72 20 82 14 88L20 96L36 90Z", YELLOW),
        path("M64 70C74 72 80 66 84 58L91 64C88 78 78 88 66 88Z", RED),
        circle(16, 92, 4.5, SKIN),
        path("M88 20L86 92", stroke=BROWN, stroke_width=4),
        circle(87.5, 60, 5, SKIN),
        group(
            young_face(),
            path("M-11 2C-13-14 12-14 11 2L14-6C12-16-12-16-14-6Z", BLUE),
            transform="translate(88 22) scale(.7)",
        ),
        path("M32 70L38 62L44 72L50 63L56 72L62 62L68 70L60 80L50 74L40 80Z", GREEN),
        group(young_face(), transform="translate(50 50) scale(1.1)"),
        path("M37 54C34 34 44 28 50 30V40C42 40 40 46 39 56ZM50 30C40 20 22 24 18 42C26 36 34 38 38 44Z", RED),
        path("M63 54C66 34 56 28 50 30V40C58 40 60 46 61 56ZM50 30C60 20 78 24 82 44C74 38 66 38 62 44Z", YELLOW),
        *(circle(x, y, 3, YELLOW) for x, y in ((18, 44), (81, 46), (40, 81), (60, 81), (50, 76), (21, 142), (84, 139))),
    )


def mask() -> str:
    """Return the Mascherone: a grotesque face of stone, with leaves for hair."""
    leaf = path("M0 0C-12-10-10-28 0-40C10-28 12-10 0 0ZM0 0V-30", GREEN)
    turns = (-120, 120, -95, 95, -70, 70, -46, 46, -23, 23, 0)
    sizes = (round(1.1 + 0.6 * math.cos(math.radians(turn)) ** 4, 2) for turn in turns)
    crown = "".join(group(leaf, transform=placement(50, 78, *each)) for each in zip(turns, sizes, strict=True))
    pupil = ellipse(0, 0, (9, 7), WHITE) + circle(0, 1, 3.5, INK)
    return inked(
        crown,
        path(
            "M20 66C18 38 36 32 50 34C64 32 82 38 80 66C84 84 78 100 70 112C64 124 58 130 50 130C42 130 36 124 30 112"
            "C22 100 16 84 20 66Z",
            GREY,
        ),
        path("M24 58C30 44 42 48 47 60C40 56 32 56 24 58ZM76 58C70 44 58 48 53 60C60 56 68 56 76 58Z", BROWN),
        group(pupil, transform="translate(36 66)") + group(pupil, transform="translate(64 66)"),
        path("M45 58C46 72 36 82 40 86C44 90 56 90 60 86C64 82 54 72 55 58", GREY),
        path("M43 86q3-3 5 0M52 86q3-3 5 0M26 80q4 8 2 16M74 80q-4 8-2 16M44 44q6 4 12 0M40 39q10 5 20 0"),
        path("M28 94C40 100 60 100 72 94C70 112 60 120 50 120C40 120 30 112 28 94Z", INK),
        path("M34 97L36 104L41 104L42 98.5M58 98.5L59 104L64 104L66 97", WHITE),
        path("M40 110C42 106 58 106 60 110C62 130 58 144 50 144C42 144 38 130 40 110Z", RED),
        path("M50 112V134"),
    )


def bucket() -> str:
    """Return the Secchia: a bucket of staves with hoops and a rope."""
    return inked(
        path("M50 12V30", stroke=BROWN, stroke_width=5),
        path("M22 72C20 16 80 16 78 72", stroke_width=6)
        + path("M22 72C20 16 80 16 78 72", stroke=YELLOW, stroke_width=3),
        path("M16 70L28 142Q50 152 72 142L84 70Z", BROWN),
        path("M30 78L38 146M43 80L46 148M57 80L54 148M70 78L62 146"),
        ellipse(50, 70, (34, 10), BROWN) + ellipse(50, 71, (29, 7), SKY),
        path("M30 71q6-4 10 0t10 0t10 0", stroke=BLUE),
        path("M18.5 86Q50 102 81.5 86L80 96Q50 112 20 96ZM24 120Q50 134 76 120L74 130Q50 144 26 130Z", GREY),
        circle(22, 70, 4, GREY) + circle(78, 70, 4, GREY),
        path("M10 104C4 114 6 120 10 120C14 120 16 114 10 104ZM90 112C84 122 86 128 90 128C94 128 96 122 90 112Z", SKY),
    )


def zero() -> str:
    """Return the Nulla: a great nought, richly set, with nothing in it."""
    studs = "".join(
        circle(50 + x, 80 + y, 4, YELLOW)
        for x, y in (
            (0, -52),
            (19, -42),
            (30, -15),
            (30, 15),
            (19, 42),
            (0, 52),
            (-19, 42),
            (-30, 15),
            (-30, -15),
            (-19, -42),
        )
    )
    curl = path("M0 0C10-2 18-10 14-16C8-20 4-12 10-10M0 0C2-10 10-18 16-14", stroke=GREEN, stroke_width=3)
    return inked(
        *(
            group(curl, transform=placement(x, y, turn))
            for x, y, turn in ((76, 32, 0), (24, 32, -90), (76, 128, 90), (24, 128, 180))
        ),
        ellipse(50, 80, (39, 62), RED),
        ellipse(50, 80, (35, 58), stroke=YELLOW, stroke_width=2),
        ellipse(50, 80, (22, 42), PAPER),
        ellipse(50, 80, (25, 46), stroke=YELLOW, stroke_width=2),
        studs,
    )


def tavern() -> str:
    """Return the inn: a building with a vine, and a cup for its sign."""
    return inked(
        path("M6.5 156C26 143 74 143 95.5 156Z", GREEN),
        box(18, 66, (60, 80), PAPER),
        path("M8 68L26 34H72L90 68Z", RED),
        path("M14 58H84M19 48H79M23 40H75M30 68V58M46 68V58M62 68V58M38 58V48M54 58V48M70 58V48M46 48V40M60 48V40"),
        path("M58 34V16H68V34ZM56 12H70V18H56Z", BROWN),
        path("M38 146V112C38 96 62 96 62 112V146Z", BROWN) + path("M50 101V146") + circle(58, 126, 1.8, YELLOW),
        *(box(x, 78, (13, 16), SKY) + path(f"M{x + 6.5} 78V94M{x} 86H{x + 13}") for x in (22, 61)),
        path("M30 112C26 96 40 90 50 92C60 90 74 96 70 112C68 100 60 98 50 98C40 98 32 100 30 112Z", GREEN),
        *(
            circle(x, y, 2.6, RED, stroke_width=1)
            for x, y in ((33, 104), (38, 97), (46, 94), (55, 95), (63, 98), (68, 105))
        ),
        path("M78 92H96M92 92V98", stroke_width=3) + box(80, 98, (16, 22), YELLOW),
        path("M83 103H93C93 110 90 111 89 112V115H92V117H84V115H87V112C86 111 83 110 83 103Z", RED, stroke_width=1),
        transform="translate(-1 0)",
    )


def hunter() -> str:
    """Return the hunter, who fires his gun, with a hound at his feet."""
    return inked(
        path("M5.5 156C26 145 74 145 94.5 156Z", GREEN),
        path("M54 106L50 128L50 146H60L64 120ZM66 106L72 126L74 146H84L82 122L78 104Z", BROWN),
        path("M50 136H60V148H42C44 142 48 144 50 142ZM74 136H84V148H66C68 142 72 144 74 142Z", INK),
        path("M52 70C58 64 74 64 80 70L86 116Q66 124 46 116Z", GREEN),
        path("M64 66V119M50 96H82", stroke_width=1) + path("M49 94L84 94V100L49 100Z", YELLOW),
        path("M56 68L82 96L78 100L52 74Z", RED),
        path("M8 69H60L84 78L82 86L70 82L58 74H8Z", BROWN) + box(6, 68, (40, 4), GREY),
        path("M54 72C44 72 34 80 32 86L38 92C46 90 52 88 56 84Z", GREEN),
        path("M78 72C88 74 90 90 80 94L68 88L70 80L76 82Z", GREEN),
        circle(36, 76, 4.5, SKIN) + circle(68, 83, 4.5, SKIN),
        group(
            path("M-13-2C-14-14 12-14 13-2C14 6 12 10 10 13L-10 13C-13 8-13 4-13-2Z", BROWN),
            young_face(),
            path("M-8 8C-6 18 6 18 8 8C4 11-4 11-8 8Z", BROWN),
            path("M-20-7C-8-14 8-14 20-7C12-3-12-3-20-7Z", GREEN),
            path("M-11-9C-10-24 10-24 11-9Q0-13-11-9Z", GREEN) + path("M-11-9Q0-13 11-9V-12Q0-17-11-12Z", RED),
            path("M-9-14C-20-22-22-34-14-38C-8-32-6-24-9-14Z", YELLOW),
            transform="translate(64 50) scale(-1 1)",
        ),
        path(
            "M8 70C-2 74-2 62 4 60C2 52 12 50 14 56C22 54 22 64 16 64C16 70 12 72 8 70Z",
            PAPER,
            transform="translate(3 2)",
        ),
        path(
            "M8 132C8 124 14 120 20 124C28 122 36 124 40 130C46 122 46 118 48 116C50 124 46 134 42 136V148H38L36 138"
            "L22 138L20 148H16L15 136C10 138 6 136 8 132Z",
            WHITE,
        ),
        path("M18 124C24 126 24 134 20 136Z", BROWN) + circle(12.5, 128, 1, INK) + circle(8, 131, 1.5, INK),
        transform="translate(2 0)",
    )


ROSE: Final = "cucco-rose"  # the id of a rose
NUMERALS: Final = {  # the lines of each letter about its middle, and how wide it is
    "I": ("M0-15V15M-5-15H5M-5 15H5", 9),
    "V": ("M-8-15L0 15L8-15M-12-15H-4M4-15H12", 18),
    "X": ("M-8-15L8 15M8-15L-8 15M-12-15H-4M4-15H12M-12 15H-4M4 15H12", 18),
}
HEIGHT, WIDTH, LIMIT = 90, 50, 46  # the middle of a card, and the most that a numeral may be wide


def rose() -> str:
    """Return a rose of radius 9 about the origin."""
    return path(rosette(5, 10), RED) + circle(0, 0, 3.2, YELLOW)


def numeral(text: str, ink: str = INK) -> str:
    """Return a Roman numeral about the origin, narrowed where it would be too wide."""
    widths = [NUMERALS[letter][1] for letter in text]
    total = sum(widths)
    middles = [sum(widths[:place]) + width / 2 - total / 2 for place, width in enumerate(widths)]
    letters = (path(NUMERALS[letter][0], transform=placement(x)) for letter, x in zip(text, middles, strict=True))
    narrow = min(1, LIMIT / (total + 6))
    lines = group(*letters, stroke=ink, stroke_width=4, stroke_linecap="square")
    return group(lines, transform=f"scale({narrow:.2g} 1.1)" if narrow < 1 else "scale(1.2)")


def wreath(roses: int) -> str:
    """Return a wreath of leaves about the middle of the card, with ``roses`` evenly along it."""
    leaves = "".join(leaf(*along(place / 36 + 1 / 72), 40 if place % 2 else -40) for place in range(36))
    flowers = (use(ROSE, placement(*along(place / roses)[:2])) for place in range(roses))
    return path(leaves, GREEN, stroke_width=1) + "".join(flowers)


def leaf(x: float, y: float, turn: float, aside: float) -> str:
    """Return path data of a leaf that grows from (``x``, ``y``), ``aside`` of the direction ``turn``, in degrees."""
    angle, bend = math.radians(turn + aside), math.copysign(8, aside)
    cos, sin = math.cos(angle), math.sin(angle)
    points = ((bend, 5), (bend / 2, 14), (-bend / 2, 9), (0, 0))
    bulge, tip, inner, root = (f"{number(x + a * cos + b * sin)} {number(y + a * sin - b * cos)}" for a, b in points)
    return f"M{root}Q{bulge} {tip}Q{inner} {root}"


def tulips(ink: str) -> str:
    """Return the flowers above and under the numeral."""
    one = path("M0 0V-18M0-2C-12-4-14-14-12-20C-6-18-2-10 0-2C2-10 6-18 12-20C14-14 12-4 0-2Z", GREEN) + path(
        "M0-16C-8-20-8-30-7-35L-3-29L0-38L3-29L7-35C8-30 8-20 0-16Z", ink
    )
    return group(one, transform=f"translate({WIDTH} 66)") + group(
        one, transform=f"rotate(180) translate(-{WIDTH} -114)"
    )


def along(share: float) -> tuple[float, float, float]:
    """Return a point of the wreath, ``share`` of the way round from the top, and the direction there in degrees."""
    angle = math.tau * share
    x, y = 33 * math.sin(angle), -72 * math.cos(angle)
    return WIDTH + x, HEIGHT + y, math.degrees(math.atan2(72 * math.sin(angle), 34 * math.cos(angle))) + 90


def number_card(rank: str, value: int) -> str:
    """Return the face of the card of ``value``, without its frame."""
    ground, ink = ((PAPER, BLUE), (SKY, RED), (YELLOW, BLUE), (SKIN, RED))[value % 4]
    return inked(
        ellipse(WIDTH, HEIGHT, (34, 72), ground),
        wreath(value),
        tulips(ink),
        ellipse(WIDTH, HEIGHT, (29, 26), PAPER),
        ellipse(WIDTH, HEIGHT, (26.5, 23.5), stroke=RED),
        label(use(f"cucco-{rank}", placement(WIDTH, HEIGHT))),
    )


PICTURES: Final = {  # what is written under each picture, and the picture
    "MAT": ("MATTO", fool),
    "MAS": ("MASCHERONE", mask),
    "SEC": ("SECCHIA", bucket),
    "NUL": ("NULLA", zero),
    "XI": ("XI TAVERNA", tavern),
    "XII": ("XII GNAF", cat),
    "XIII": ("XIII SALTA", horse),
    "XIV": ("XIV BUM", hunter),
    "XV": ("XV CUCCO", cuckoo),
    "LEO": ("LEONE", lion),
}


def definitions(card: Card) -> dict[str, str]:
    """Return what the face of ``card`` copies, by its id."""
    return {} if card in PICTURES else {ROSE: rose(), f"cucco-{card}": numeral(card)}


def face(card: Card) -> str:
    """Return the face of ``card``."""
    frame = box(4.5, 4.5, (91, 171), rx=4, stroke=RED, stroke_width=2)
    if card not in PICTURES:
        return frame + number_card(card, CUCCO.ranks.index(card) + 1) + index(use(f"cucco-{card}"))
    name, draw = PICTURES[card]
    return frame + draw() + name_under(name) + (index(numeral(card)) if " " in name else "")


def index(drawn: str) -> str:
    """Return a numeral, small in the upper left corner, where cards that overlap still show it."""
    return label(box(6, 6, (28, 24), PAPER, rx=3), inked(drawn, transform="translate(20 18) scale(.5)"))


def name_under(name: str) -> str:
    """Return the strip with the name of a picture."""
    return box(4.5, 156, (91, 19.5), PAPER, stroke=RED, stroke_width=2) + label(lettering(name, 50, 161.5, 8.5, INK))
