"""CatalogueService: which games there are."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.catalogue import Catalogue, EditionNotKept, UnknownGame
from chitarrella.comparing import Table, alike, differences
from chitarrella.option import seated
from chitarrella.v1.catalogue_pb2 import (
    CompareGamesRequest,
    CompareGamesResponse,
    GetGameRequest,
    GetGameResponse,
    ListGamesRequest,
    ListGamesResponse,
)
from chitarrella.v1.table_pb2 import Agreement as AgreementMessage
from chitarrella.wire import read_agreement, read_game
from chitarrella.wire_book import difference_message, game_message, summary_message

PAGE = 100


class CatalogueApi:
    """The answers of CatalogueService."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Answer from ``catalogue``."""
        self._catalogue = catalogue

    def ListGames(self, request: ListGamesRequest, caller: Caller) -> ListGamesResponse:
        """List the games, a page at a time; a page token is the key of the last game seen."""
        games = list(self._catalogue)
        keys = [game.key for game in games]
        if request.page_token and request.page_token not in keys:
            raise errors.BadRequest("bad_request", "This is no page_token of this call.", "page_token")
        begin = bisect_right(keys, request.page_token)
        page = games[begin : begin + (request.page_size or PAGE)]
        more = begin + len(page) < len(games)
        return ListGamesResponse(
            games=[summary_message(game, caller.tongue) for game in page], next_page_token=page[-1].key if more else ""
        )

    def GetGame(self, request: GetGameRequest, caller: Caller) -> GetGameResponse:
        """Describe one game."""
        try:
            game = self._catalogue.game(request.game, request.edition)
        except UnknownGame as error:
            raise errors.NotFound("unknown_game", str(error), "game") from error
        except EditionNotKept as error:
            raise errors.NotPossibleNow("edition_not_kept", str(error), "edition") from error
        table = seated(game, max(game.seatings), {})
        forms, reasons = self._catalogue.forms(game.key, game.edition), self._catalogue.reasons(game.key, game.edition)
        return game_message(table, forms, reasons, partial(self._catalogue.keeps, game.key), caller.tongue)

    def CompareGames(self, request: CompareGamesRequest, caller: Caller) -> CompareGamesResponse:
        """Tell two games, or two agreements on one, apart."""
        first, second = self._table(request.first, "first"), self._table(request.second, "second")
        return CompareGamesResponse(
            differences=[difference_message(one, caller.tongue) for one in differences(first, second)],
            clauses_alike=alike(first, second),
        )

    def _table(self, message: AgreementMessage, field: str) -> Table:
        game = read_game(self._catalogue, message, field)
        agreement = self._catalogue.settle(read_agreement(message))
        return Table(game, agreement.players, dict(agreement.options))
