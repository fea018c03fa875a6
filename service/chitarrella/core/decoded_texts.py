"""Values by the text that stands for them: a lookup is faster than to parse a number or a record once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CACHE_SIZE = 4096
"""How many records of one kind, such as tricks, are cached, and how many fields of one kind of position."""


class NumbersByText(dict[str, int]):
    """Nearly all numbers of a position, by their text; the lookup of any other text parses it."""

    def __missing__(self, text: str) -> int:
        """Parse a number; raises `ValueError`."""
        if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 17:
            raise ValueError(f"{text[:24]!r} is no whole number")
        return int(text)


NUMBERS = NumbersByText({str(number): number for number in range(256)})
"""The numbers of positions, by their text."""


class DecodedByText(dict[str, Any]):
    """What was decoded lately, by its text; the lookup of any other text decodes it.

    Texts of more than ``longest`` characters are not kept, and never more than `CACHE_SIZE`.
    """

    def __init__(self, decode: Callable[[str], Any], longest: int) -> None:
        """Decode with ``decode``."""
        super().__init__()
        self._decode, self._longest = decode, longest

    def __missing__(self, text: str) -> Any:
        """Decode a text; raises what ``decode`` raises."""
        decoded = self._decode(text)
        if len(text) <= self._longest:
            if len(self) >= CACHE_SIZE:
                self.clear()
            self[text] = decoded
        return decoded
