"""Pictures of cards as text: rank and suit as the players know them, such as ``10♥`` or ``A🪙``."""

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
"""What is to be seen on the pictures of the Cucco pack."""


def picture(card: str, pack: str) -> str:
    """Give the picture of a card of a pack, which is named as the catalogue names it; of what is none, the text."""
    kind = pack.partition(" ")[0]
    if kind == "Cucco":
        return f"{CUCCO[card]} {card}" if card in CUCCO else card
    rank, suit = card[:-1], SUITS.get(kind, {}).get(card[-1:], "")
    return f"{'10' if rank == 'T' else rank}{suit}" if suit else card
