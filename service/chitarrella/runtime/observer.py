"""What may be observed about matches: counts by game. No match, seat, card or move is named."""

from __future__ import annotations


class MatchObserver:
    """Base class with no-op methods; any worker may call them.

    They are called in any thread, after what they report is in the store. ``game`` is the id of a game.
    """

    def match_created(self, game: str) -> None:
        """A match was created."""

    def moves_played(self, game: str, count: int) -> None:
        """Moves were appended to a match, or what its referee did; packs and lots are not counted."""

    def move_refused(self, game: str, codes: tuple[str, ...]) -> None:
        """A move was refused for these reasons."""

    def match_finished(self, game: str) -> None:
        """The last move of a match was played."""

    def match_aborted(self, game: str) -> None:
        """A match was ended before it was decided."""
