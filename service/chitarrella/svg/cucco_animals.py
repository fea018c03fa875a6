"""The picture cards of the Cucco pack with animals: the cat, the horse, the cuckoo and the lion."""

from __future__ import annotations

from chitarrella.svg.palette import BLUE, BROWN, GREEN, GREY, INK, RED, SKIN, SKY, WHITE, YELLOW
from chitarrella.svg.shapes import circle, ellipse, group, inked, path, placement, rosette


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
