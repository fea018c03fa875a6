"""The picture cards of the Cucco pack with people and things: Matto, Mascherone, Secchia, Nulla, tavern, hunter."""

from __future__ import annotations

import math

from chitarrella.svg.figures import face
from chitarrella.svg.palette import BLUE, BROWN, GREEN, GREY, INK, PAPER, RED, SKIN, SKY, WHITE, YELLOW
from chitarrella.svg.shapes import box, circle, ellipse, group, inked, path, placement


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
            face(),
            path("M-11 2C-13-14 12-14 11 2L14-6C12-16-12-16-14-6Z", BLUE),
            transform="translate(88 22) scale(.7)",
        ),
        path("M32 70L38 62L44 72L50 63L56 72L62 62L68 70L60 80L50 74L40 80Z", GREEN),
        group(face(), transform="translate(50 50) scale(1.1)"),
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
            face(),
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
