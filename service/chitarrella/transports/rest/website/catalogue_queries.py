"""What the pages ask of the catalogue."""

from __future__ import annotations

from typing import Final

from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.v1.catalogue_pb2 import GetGameRequest, GetGameResponse, ListGamesRequest

SERVICE: Final = "/chitarrella.v1.CatalogueService"
"""The path of the service."""


def find_game(dispatcher: Dispatcher, game_id: str, caller: Caller) -> GetGameResponse:
    """Return a game, described in the language of ``caller``. Raises `errors.NotFound`."""
    found: GetGameResponse = dispatcher.answer(f"{SERVICE}/GetGame", GetGameRequest(game_id=game_id), caller)
    return found


def all_games(dispatcher: Dispatcher, caller: Caller) -> list[GetGameResponse]:
    """Return every game of the catalogue, described in the language of ``caller``."""
    games: list[GetGameResponse] = []
    token = ""
    while True:
        page = dispatcher.answer(f"{SERVICE}/ListGames", ListGamesRequest(page_token=token), caller)
        games += [find_game(dispatcher, summary.game_id, caller) for summary in page.games]
        if not (token := page.next_page_token):
            return games
