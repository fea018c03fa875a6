"""The move forms of each game, fetched from the catalogue once; they are needed to parse moves given as text."""

from __future__ import annotations

from chitarrella.v1.catalogue_pb2 import GetGameRequest
from chitarrella_client import decoders
from chitarrella_client.moves import Forms
from chitarrella_client.sync.transport import Transport


class MoveForms:
    """A cache of move forms by game."""

    def __init__(self, transport: Transport) -> None:
        """Fetch over ``transport``."""
        self._transport = transport
        self._forms: dict[str, Forms] = {"": {}}

    def get(self, game: str) -> Forms:
        """Return the forms of a game by verb; none for the empty key."""
        if game not in self._forms:
            request = GetGameRequest(game=game)
            found = self._transport.call(self._transport.catalogue.GetGame, request, decoders.game)
            self._forms[game] = {form.verb: form for form in found.moves}
        return self._forms[game]
