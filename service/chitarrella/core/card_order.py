"""The places of cards in an order: whole numbers from 1, however the rules of a game write their strengths."""

from __future__ import annotations

from collections.abc import Iterable


def places(strengths: Iterable[int]) -> dict[int, int]:
    """Map each of ``strengths`` to its place among them: 1 is the lowest, and equal strengths have one place."""
    return {strength: place for place, strength in enumerate(sorted(set(strengths)), 1)}
