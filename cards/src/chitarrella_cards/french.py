"""The French pack: one set of drawings for the packs of 52, 40, 36 and 32 cards."""

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
    group,
    inked,
    label,
    lettering,
    path,
    placement,
    rosette,
    use,
    young_face,
)

SHAPES: Final = {  # the outline of each suit's sign, about the origin and some 20 wide
    "c": "M-1.5 4C-3 8-10 7-10 2C-10-2-6-3.5-4-2C-6-5-5-11 0-11C5-11 6-5 4-2C6-3.5 10-2 10 2C10 7 3 8 1.5 4"
    "Q1.5 9 4 11H-4Q-1.5 9-1.5 4Z",
    "d": "M0-11.5Q4-5 8.5 0Q4 5 0 11.5Q-4 5-8.5 0Q-4-5 0-11.5Z",
    "h": "M0 10C-4 4-10 1-10-5C-10-11-2-11.5 0-5C2-11.5 10-11 10-5C10 1 4 4 0 10Z",
    "s": "M0-11C4-5 10-1 10 4C10 9.5 3 9.5 1 5Q1.5 9 4 11H-4Q-1.5 9-1 5C-3 9.5-10 9.5-10 4C-10-1-4-5 0-11Z",
}
COLOURS: Final = {"c": INK, "d": RED, "h": RED, "s": INK}  # the colour of each suit

LEFT, MIDDLE, RIGHT = 38, 60, 82  # the columns of signs
TOP, CENTRE, BOTTOM = 32, 84, 136  # the rows of signs, where there are three


def sides(*heights: float) -> tuple[tuple[float, float], ...]:
    """Return the places left and right at each of the ``heights``."""
    return tuple((x, y) for y in heights for x in (LEFT, RIGHT))


PLACES: Final = {  # where the signs of each rank lie
    "2": ((MIDDLE, TOP), (MIDDLE, BOTTOM)),
    "3": ((MIDDLE, TOP), (MIDDLE, CENTRE), (MIDDLE, BOTTOM)),
    "4": sides(TOP, BOTTOM),
    "5": (*sides(TOP, BOTTOM), (MIDDLE, CENTRE)),
    "6": sides(TOP, CENTRE, BOTTOM),
    "7": (*sides(TOP, CENTRE, BOTTOM), (MIDDLE, 58)),
    "8": (*sides(TOP, CENTRE, BOTTOM), (MIDDLE, 58), (MIDDLE, 110)),
    "9": (*sides(TOP, 66.7, 101.3, BOTTOM), (MIDDLE, CENTRE)),
    "T": (*sides(TOP, 66.7, 101.3, BOTTOM), (MIDDLE, 49.3), (MIDDLE, 118.7)),
}


def sign_id(suit: str) -> str:
    """Return the id of a suit's sign."""
    return f"french-{suit}"


def sign(suit: str) -> str:
    """Return the sign of a suit."""
    return path(SHAPES[suit], COLOURS[suit])


def number_card(rank: str, suit: str) -> str:
    """Return the signs of a card from ace to ten; those in the lower half stand upside down."""
    if rank == "A":
        return ace(suit)
    scale = 1.1 if rank in "9T" else 1.3
    return "".join(use(sign_id(suit), placement(x, y, 180 if y > CENTRE else 0, scale)) for x, y in PLACES[rank])


def ace(suit: str) -> str:
    """Return the large sign of an ace, with a rosette in it; that of spades is larger."""
    scale = 4.2 if suit == "s" else 3
    ornament = path(rosette(8, 11), PAPER) + path(rosette(8, 7), COLOURS[suit]) + path(rosette(8, 4), YELLOW)
    inner = group(ornament, transform=placement(MIDDLE, CENTRE + (4 if suit == "s" else 0), scale=scale / 3.2))
    return use(sign_id(suit), placement(MIDDLE, CENTRE, scale=scale)) + inner


DRESSES: Final = {  # the dress of each suit
    "c": Dress(GREEN, YELLOW, RED, BROWN, ""),
    "d": Dress(RED, BLUE, YELLOW, BROWN, ""),
    "h": Dress(YELLOW, RED, BLUE, YELLOW, ""),
    "s": Dress(BLUE, RED, YELLOW, INK, ""),
}

SWORD: Final = (  # a sword, point up, about the hand that holds it
    path("M-2.5 0V-50L0-56L2.5-50V0Z", SKY) + path("M-8 0H8V4H-8Z", YELLOW) + path("M0-2V-52", stroke_width=1)
)
AXE: Final = path("M-1.5 8V-54H1.5V8Z", BROWN) + path("M1-52C10-56 12-34 1-36ZM-1-48L-8-44L-1-40Z", SKY)
"""An axe of war."""
ORB: Final = (  # a globe with a cross
    circle(0, -12, 9, YELLOW)
    + path("M-9-12H9M0-12V-21", stroke=RED, stroke_width=2.5)
    + path("M-1.5-21V-25H-5V-28H-1.5V-32H1.5V-28H5V-25H1.5V-21Z", YELLOW)
)
SCEPTRE: Final = path("M-1.5 8V-36H1.5V8Z", YELLOW) + path("M0-36C-8-42-6-50 0-56C6-50 8-42 0-36Z", RED)
"""A sceptre with a bud at its top."""
ROSE: Final = path("M0 6V-22M0-6C-10-8-10-16-10-18C-4-18 0-12 0-6Z", GREEN) + group(  # a rose with a leaf
    path(rosette(6, 10), RED), circle(0, 0, 4, YELLOW), transform="translate(0 -30)"
)
LILY: Final = path("M0 6V-24M0-6C10-8 10-16 10-18C4-18 0-12 0-6Z", GREEN) + path(  # a pale lily
    "M0-22C-10-26-10-36-9-42L-3-36L0-46L3-36L9-42C10-36 10-26 0-22Z", SKY
)
HALBERD: Final = path("M-1.5 8V-44H1.5V8Z", BROWN) + path(  # a halberd
    "M0-58L-4-44H4ZM2-42C12-44 10-30 2-30ZM-2-40L-8-38L-2-33Z", SKY
)
LEAF: Final = path("M0 8V-20", stroke_width=2) + path("M0-14C-12-22-10-38 0-50C10-38 12-22 0-14ZM0-14V-40", GREEN)
"""A great leaf on a stalk."""

STUDS: Final = "".join(  # small lozenges on a coat
    f"M{x} {y}l1.8 2.5-1.8 2.5-1.8-2.5z" for x, y in ((28, 73), (92, 73), (46, 70), (74, 70), (46, 76), (74, 76))
)

ATTRIBUTES: Final = {  # what each figure holds, about its hand
    "Kc": ORB, "Kd": AXE, "Kh": SWORD, "Ks": SCEPTRE,
    "Qc": ROSE, "Qd": LILY, "Qh": ROSE, "Qs": SCEPTRE,
    "Jc": LEAF, "Jd": HALBERD, "Jh": LEAF, "Js": HALBERD,
}  # fmt: skip


def half_id(card: str) -> str:
    """Return the id of the upper half of a figure."""
    return f"french-{card}-half"


def half(rank: str, suit: str) -> str:
    """Return the upper half of a figure, in the frame from (23, 14) to (97, 84)."""
    dress = DRESSES[suit]
    draw = {"J": _jack, "Q": _queen, "K": _king}[rank]
    return inked(
        draw(dress, suit),
        group(ATTRIBUTES[rank + suit], transform="translate(87 76)"),
        path("M79 84V78C81 74 83 72 87 72C93 72 94 77 92 84Z", SKIN),
        path("M88 76L93 78M87 80L92 81", stroke_width=1),
        path("M76 84L79 74L84 84Z", dress.trim),
        use(sign_id(suit), placement(33, 26, scale=0.8)).replace("<use", '<use stroke="none"'),
        stroke_width=1.3,
    )


def court(rank: str, suit: str) -> str:
    """Return a figure in its frame."""
    name = half_id(rank + suit)
    return (
        box(23, 14, (74, 140), WHITE)
        + use(name)
        + use(name, "rotate(180 60 84)")
        + box(23, 14, (74, 140), stroke=INK, stroke_width=1.3)
    )


def _bust(dress: Dress) -> str:
    return (
        path("M23 84V73C29 67 42 65 50 64H70C78 65 91 67 97 73V84Z", dress.coat)
        + path("M37 67.5L32 84H40L44 65.5ZM83 67.5L88 84H80L76 65.5Z", dress.trim)
        + path("M50 64L48 84H72L70 64L60 74Z", dress.lining)
        + path(STUDS, dress.trim, stroke_width=1)
        + path("M60 74L63 77.5L60 81L57 77.5Z", dress.trim, stroke_width=1)
        + path("M23 81H97V84H23Z", dress.trim, stroke_width=1)
    )


def _king(dress: Dress, suit: str) -> str:
    beard = GREY if suit in "sd" else BROWN
    return (
        _bust(dress)
        + path("M47 38C42 46 41 58 45 64C41 66 44 71 49 68H71C76 71 79 66 75 64C79 58 78 46 73 38Z", beard)
        + path("M44 66Q60 84 76 66L79 71Q60 92 41 71Z", WHITE)
        + path("M47 71l-1 3M54 75v4M60 77v4M66 75v4M73 71l1 3", stroke_width=1.8)
        + group(young_face(), transform="translate(60 46)")
        + path("M49 46C49 62 52 70 60 76C68 70 71 62 71 46C70 51 67 54 61 53C54 54 51 51 49 46Z", beard)
        + path("M54 53.5C57 50 64 50 68 53.5C64 56 63 54 61 54C59 54 57 56 54 53.5Z", beard)
        + path("M57 63q1 6 3 10M64 63q-1 6-3 10", stroke_width=1)
        + path("M58.5 57.5h5", stroke=RED)
        + path("M45 39L41 20L50 28L53 17L60 27L67 17L70 28L79 20L75 39Q60 33 45 39Z", YELLOW)
        + "".join(circle(x, y, 2, RED, stroke_width=1) for x, y in ((41, 20), (53, 17), (67, 17), (79, 20)))
        + path("M45 39Q60 33 75 39V43Q60 37 45 43Z", dress.trim)
    )


def _queen(dress: Dress, suit: str) -> str:
    return (
        path("M46 30C36 44 36 62 38 72H82C84 62 84 44 74 30Z", dress.coat)
        + _bust(dress)
        + path("M47 38C42 50 40 60 44 70H53L52 58H68L67 70H76C80 60 78 50 73 38Z", dress.hair)
        + path("M43 54q4 3 8 0M42 61q5 3 10 0M69 54q4 3 8 0M68 61q5 3 10 0", stroke_width=1)
        + path("M55 56V66Q60 76 66 66V56Z", SKIN)
        + path("M50 64Q60 82 70 64L73 67Q60 88 47 67Z", WHITE)
        + path("M54 65Q60 72 66 65", stroke=YELLOW, stroke_width=2)
        + group(young_face(), transform="translate(60 46)")
        + path("M48 44C48 34 56 32 60 36C64 32 72 34 72 44C68 42 63 40 60 37C57 40 52 42 48 44Z", dress.hair)
        + path("M49 33L47 21L54 26L60 17L66 26L73 21L71 33Q60 29 49 33Z", YELLOW)
        + "".join(circle(x, y, 2, RED, stroke_width=1) for x, y in ((47, 20), (60, 17), (73, 20)))
        + path("M49 33Q60 29 71 33V36.5Q60 32.5 49 36.5Z", dress.trim)
    )


def _jack(dress: Dress, suit: str) -> str:
    return (
        _bust(dress)
        + path("M47 40C44 50 44 58 46 64C52 66 68 66 74 64C76 58 76 50 73 40Z", dress.hair)
        + path("M46 56q4 4 6 6M74 56q-4 4-6 6", stroke_width=1)
        + path("M55 56V66Q60 72 66 66V56Z", SKIN)
        + path("M49 65Q60 76 71 65L73 69Q60 82 47 69Z", PAPER)
        + group(young_face(), transform="translate(60 46)")
        + path("M47 42C46 48 47 54 48 57L51 52L51 42ZM73 42C74 48 73 54 72 57L69.5 52V42Z", dress.hair)
        + path("M44 38C42 30 46 22 60 22C74 22 78 30 76 38Q60 32 44 38Z", dress.coat)
        + path("M42 36Q60 29 78 36L77 42Q60 34 43 42Z", dress.lining)
        + path("M62 31C60 22 68 17 78 20C74 22 76 28 70 28C70 32 66 33 62 31Z", WHITE)
        + circle(62, 32, 2.5, dress.trim)
    )


COURTS: Final = "JQK"  # the ranks with a figure


def definitions(card: Card) -> dict[str, str]:
    """Return what the face of ``card`` copies, by its id."""
    parts = {sign_id(card.suit): sign(card.suit)}
    if card.rank in COURTS:
        parts[half_id(card)] = half(card.rank, card.suit)
    return parts


def face(card: Card) -> str:
    """Return the face of ``card``."""
    is_court = card.rank in COURTS
    drawn = court(card.rank, card.suit) if is_court else number_card(card.rank, card.suit)
    return drawn + index(card)


def index(card: Card) -> str:
    """Return the index of ``card`` in two corners: rank, and the sign of the suit beneath."""
    rank, x, size = ("10", 15, 15) if card.rank == "T" else (card.rank, 13, 20)
    sign = use(sign_id(card.suit), placement(13, 41, scale=0.7))
    one = lettering(rank, x, 8, size, COLOURS[card.suit]) + sign
    return label(one, group(one, transform="rotate(180 60 84)"))
