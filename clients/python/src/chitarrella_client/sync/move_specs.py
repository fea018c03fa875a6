"""The move specs of each game, fetched from the catalogue once; they are needed to parse moves given as text."""

from __future__ import annotations

from chitarrella.v1.catalogue_pb2 import GetGameRequest
from chitarrella_client import decoders
from chitarrella_client.moves import MoveSpecs
from chitarrella_client.sync.transport import Transport


class MoveSpecCache:
    """A cache of move specs by game."""

    def __init__(self, transport: Transport) -> None:
        """Fetch over ``transport``."""
        self._transport = transport
        self._specs: dict[str, MoveSpecs] = {"": {}}

    def get(self, game_id: str) -> MoveSpecs:
        """Return the move specs of a game by verb; none for the empty key."""
        if game_id not in self._specs:
            request = GetGameRequest(game_id=game_id)
            game = self._transport.call(self._transport.catalogue.GetGame, request, decoders.game)
            self._specs[game_id] = {spec.verb: spec for spec in game.moves}
        return self._specs[game_id]
