"""What may be observed about matches: counts by game. No match, seat, card or move is named."""

from __future__ import annotations


class MatchObserver:
    """Methods that do nothing, called in any thread after what they report is in the store."""

    def match_created(self, game: str) -> None: ...

    def moves_played(self, game: str, count: int) -> None:
        """Moves were appended to a match, or what its referee did; packs and lots are not counted."""

    def move_refused(self, game: str, codes: tuple[str, ...]) -> None: ...

    def match_finished(self, game: str) -> None: ...

    def match_aborted(self, game: str) -> None: ...
