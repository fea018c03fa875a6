"""What the verbs of each game take, asked of the catalogue once; it is what text is read by."""

from __future__ import annotations

from chitarrella_client import reading
from chitarrella_client.aio.line import AsyncLine
from chitarrella_client.moves import Forms
from chitarrella_client.v1.catalogue_pb2 import GetGameRequest


class AsyncVerbs:
    """The forms of games, by game."""

    def __init__(self, line: AsyncLine) -> None:
        """Ask over ``line``."""
        self._line = line
        self._known: dict[str, Forms] = {"": {}}

    async def of(self, game: str) -> Forms:
        """Give the forms of a game; those of no game are none."""
        if game not in self._known:
            request = GetGameRequest(game=game)
            found = await self._line.ask(self._line.catalogue.GetGame, request, reading.game)
            self._known[game] = {form.verb: form for form in found.moves}
        return self._known[game]
