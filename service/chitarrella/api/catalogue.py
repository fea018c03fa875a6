"""CatalogueService: which games there are."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.catalogue import Catalogue, EditionNotKept, UnknownGame
from chitarrella.option import seated
from chitarrella.v1.catalogue_pb2 import GetGameRequest, GetGameResponse, ListGamesRequest, ListGamesResponse
from chitarrella.wire import game_message, summary_message

PAGE = 100


class CatalogueApi:
    """The answers of CatalogueService."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Answer from ``catalogue``."""
        self._catalogue = catalogue

    def ListGames(self, request: ListGamesRequest, caller: Caller) -> ListGamesResponse:
        """List the games, a page at a time; a page token is the key of the last game seen."""
        games = list(self._catalogue)
        begin = bisect_right([game.key for game in games], request.page_token)
        page = games[begin : begin + (request.page_size or PAGE)]
        more = begin + len(page) < len(games)
        return ListGamesResponse(games=map(summary_message, page), next_page_token=page[-1].key if more else "")

    def GetGame(self, request: GetGameRequest, caller: Caller) -> GetGameResponse:
        """Describe one game."""
        try:
            game = self._catalogue.game(request.game, request.edition)
        except UnknownGame as error:
            raise errors.NotFound("unknown_game", str(error), "game") from error
        except EditionNotKept as error:
            raise errors.NotPossibleNow("edition_not_kept", str(error), "edition") from error
        return game_message(seated(game, max(game.seatings), {}), partial(self._catalogue.keeps, game.key))
