"""Cards as short text with symbols, such as ``10♥`` or ``A🪙``."""

from __future__ import annotations

from typing import Final

SUITS: Final = {
    "Italian": {"b": "🪄", "c": "🏆", "d": "🪙", "s": "🗡️"},
    "French": {"c": "♣", "d": "♦", "h": "♥", "s": "♠"},
}
CUCCO: Final = {
    "MAT": "🃏", "MAS": "🎭", "SEC": "🪣", "NUL": "0️⃣", "XI": "🏠",
    "XII": "🐈", "XIII": "🐎", "XIV": "🏹", "XV": "🐦", "LEO": "🦁",
}  # fmt: skip
"""The symbols of the picture cards of the Cucco pack."""


def card_image(card: str, pack: str) -> str:
    """Return a card with its symbol; a text that is no card of the pack is returned as it is.

    ``pack`` is the name of the pack in the catalogue.
    """
    kind = pack.partition(" ")[0]
    if kind == "Cucco":
        return f"{CUCCO[card]} {card}" if card in CUCCO else card
    rank, suit = card[:-1], SUITS.get(kind, {}).get(card[-1:], "")
    return f"{'10' if rank == 'T' else rank}{suit}" if suit else card
