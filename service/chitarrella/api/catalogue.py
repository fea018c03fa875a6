"""CatalogueService: list and describe games."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.converters import game_message, read_page_token, summary_message, write_page_token
from chitarrella.catalogue.registry import Catalogue, RuleSet, UnknownEdition, UnknownGame
from chitarrella.v1.catalogue_pb2 import GetGameRequest, GetGameResponse, ListGamesRequest, ListGamesResponse

DEFAULT_PAGE_SIZE = 100  # games on a page if the caller names no size


class CatalogueServicer:
    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def ListGames(self, request: ListGamesRequest, caller: Caller) -> ListGamesResponse:
        games = list(self._catalogue)
        keys = [game.key for game in games]
        last = read_page_token("ListGames", request.page_token, keys.__contains__)
        begin = bisect_right(keys, last)
        page = games[begin : begin + (request.page_size or DEFAULT_PAGE_SIZE)]
        more = begin + len(page) < len(games)
        return ListGamesResponse(
            games=[summary_message(game, self._catalogue.origin(game.key), caller.translator) for game in page],
            next_page_token=write_page_token("ListGames", page[-1].key if more else ""),
        )

    def GetGame(self, request: GetGameRequest, caller: Caller) -> GetGameResponse:
        try:
            game = self._catalogue.game(request.game_id, request.edition)
        except UnknownGame as error:
            raise errors.NotFound("unknown_game", str(error), "game_id") from error
        except UnknownEdition as error:
            raise errors.NotPossibleNow("edition_not_supported", str(error), "edition") from error
        tables = {
            players: self._catalogue.game_for(RuleSet(game.key, players, (), game.edition))
            for players in sorted(game.seatings)
        }
        specs = self._catalogue.move_specs(game.key, game.edition)
        reasons = self._catalogue.reasons(game.key, game.edition)
        has_edition = partial(self._catalogue.has_edition, game.key)
        origin = self._catalogue.origin(game.key)
        return game_message(tables[max(tables)], origin, tables, specs, reasons, has_edition, caller.translator)
