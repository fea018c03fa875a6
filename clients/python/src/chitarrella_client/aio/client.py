"""The client: the catalogue, stateless questions about the rules, and access to matches."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Self, Unpack

import grpc

from chitarrella.v1 import match_pb2
from chitarrella.v1.catalogue_pb2 import GetGameRequest, ListGamesRequest
from chitarrella.v1.match_requests_pb2 import (
    BatchGetMatchesRequest,
    CreatedMatch,
    CreateMatchRequest,
    ImportMatchRequest,
    ListMatchesRequest,
)
from chitarrella_client import decoders, requests
from chitarrella_client.aio.match import AsyncMatch
from chitarrella_client.aio.rules import AsyncMoveSpecCache, AsyncRules
from chitarrella_client.aio.transport import AsyncTransport
from chitarrella_client.aio.webhooks import AsyncWebhooks
from chitarrella_client.arguments import checked
from chitarrella_client.catalogue import Game, GameSummary
from chitarrella_client.connection import TLS, Secret, connection
from chitarrella_client.errors import read_error
from chitarrella_client.moves import split_cards
from chitarrella_client.positions import Position
from chitarrella_client.requests import NO_LABELS, NO_NAMES, RuleSetArguments, SeatAccess, Seconds
from chitarrella_client.responses import MatchDetails, MatchResult, MatchState, PlatformUpdate
from chitarrella_client.types import RuleSet

NO_BOTS: Mapping[int, str] = MappingProxyType({})


@checked
class AsyncChitarrella:
    """A client of the service at ``target``: "host:port", or a gRPC channel.

    ``key``: the key of a seat or the referee that `match` uses where no other is given.
    ``tls``: True, or the credentials of the channel.
    ``timeout``: seconds for one attempt of a call (None: no limit).
    ``retries``: how often a lost call is retried; this is safe for every call.
    ``api_key``: the key of the platform, where the service requires one.
    ``language``: of clauses and refusals: "en", "it" or "de", or an Accept-Language header as a browser sends it.
    """

    def __init__(
        self,
        target: str | grpc.aio.Channel,
        key: str | None = None,
        *,
        tls: TLS = False,
        timeout: float | None = 10.0,
        retries: int = 4,
        api_key: str = "",
        language: str = "",
    ) -> None:
        """Keep the settings; the connection is opened with the first call. Raises `ValueError` for a wrong target."""
        self._transport = AsyncTransport(connection(target, tls, timeout, retries, api_key, language))
        self._move_specs = AsyncMoveSpecCache(self._transport)
        self._key = Secret(key or "")
        self.rules = AsyncRules(self._transport, self._move_specs)
        """Stateless questions about positions and cards."""
        self.webhooks = AsyncWebhooks(self._transport)
        """The webhooks of the platform of the API key."""

    async def games(self) -> AsyncIterator[GameSummary]:
        """Iterate over the games, in the order of their keys."""
        token, more = "", True
        while more:
            request = ListGamesRequest(page_token=token)
            page = await self._transport.call(self._transport.catalogue.ListGames, request, lambda response: response)
            for game in page.games:
                yield decoders.game_summary(game)
            token = page.next_page_token
            more = bool(token)

    async def game(
        self, game_id: str, edition: int = 0, players: int = 0, options: Mapping[str, str | int | bool] | None = None
    ) -> Game:
        """Return a game with its pack, options, moves, reasons, events and rule book; edition 0 is the current one.

        With ``players`` or ``options`` cards, zones, moves and options are those of this rule set.
        """
        chosen = [f"{name}={requests.option_text(value)}" for name, value in (options or {}).items()]
        request = GetGameRequest(game_id=game_id, edition=edition, players=players, options=chosen)
        return await self._transport.call(self._transport.catalogue.GetGame, request, decoders.game)

    async def create_match(
        self,
        game: str | RuleSet,
        *,
        pack: str | Iterable[str] = (),
        position: Position | str = "",
        pack_source: requests.PackSource = "service",
        private: bool = False,
        clock: requests.Clock = (0, 0),
        bots: requests.Bots = NO_BOTS,
        expire_after: Seconds = 0,
        request_id: str = "",
        sandbox: str | None = None,
        external_id: str = "",
        labels: Mapping[str, str] = NO_LABELS,
        player_names: requests.PlayerNames = NO_NAMES,
        restrictions: Iterable[requests.Restriction] = (),
        **rule_set: Unpack[RuleSetArguments],
    ) -> AsyncMatch:
        """Create a match. The result is bound to the referee's key and holds the ``keys`` of all seats.

        ``pack``: the first pack that is needed, first card first; by default it is shuffled.
        ``position``: the position to begin from; by default the beginning.
        ``pack_source``: who supplies packs and lots: the "service"; the "referee", as moves; or "shared", where the
        service shuffles when every person has added a seed (`Match.contribute_seed`).
        ``private``: the match can be seen only with one of its keys.
        ``clock``: the time for each decision, and the bank of each seat, in seconds or as a timedelta; (0, 0) for no
        limit.
        ``bots``: bots by seat, such as ``{1: "greedy"}``, or `BotSeat` objects.
        ``expire_after``: after what time without a move, or after its last deadline, the match is deleted: at least a
        minute; 0 for the default of the service.
        ``request_id``: for repeating the call later or from another process; it must be one that nobody can guess.
        ``sandbox``: makes the match a test, where the service allows tests: the same rule set and seed give the same
        deals, "" shuffles by chance; and the clock stands still until `Match.advance_clock`. None for a real match.
        ``external_id``: the platform's own id of the match.
        ``labels``: the platform's own labels, such as ``{"cup": "spring"}``; `matches` finds the match by them.
        ``player_names``: the names of the players by seat. Everybody who may see the match sees them.
        ``restrictions``: what is not allowed there, such as ``["no_takebacks"]``.
        """
        request = requests.new_match(
            CreateMatchRequest, pack_source, private, clock, bots, expire_after, request_id, sandbox,
            external_id, labels, player_names, restrictions,
        )  # fmt: skip
        message = requests.rule_set_message(game, rule_set)
        request.MergeFrom(CreateMatchRequest(rule_set=message, pack=split_cards(pack), position=str(position)))
        return await self._transport.call(
            self._transport.matches.CreateMatch,
            request,
            lambda response: self._created_match(response, message.game_id),
        )

    async def import_match(
        self,
        record: str,
        move_count: int | None = None,
        *,
        pack_source: requests.PackSource = "service",
        private: bool = False,
        clock: requests.Clock = (0, 0),
        bots: requests.Bots = NO_BOTS,
        expire_after: Seconds = 0,
        request_id: str = "",
        sandbox: str | None = None,
        external_id: str = "",
        labels: Mapping[str, str] = NO_LABELS,
        player_names: requests.PlayerNames = NO_NAMES,
        restrictions: Iterable[requests.Restriction] = (),
    ) -> AsyncMatch:
        """Create a match from a record, or from its first ``move_count`` moves; the rest as in `create_match`."""
        request = requests.new_match(
            ImportMatchRequest, pack_source, private, clock, bots, expire_after, request_id, sandbox,
            external_id, labels, player_names, restrictions,
        )  # fmt: skip
        request.MergeFrom(ImportMatchRequest(record=record, move_count=move_count))
        return await self._transport.call(self._transport.matches.ImportMatch, request, self._created_match)

    def _created_match(self, response: CreatedMatch, game_id: str = "") -> AsyncMatch:
        keys = MappingProxyType({one.seat: Secret(one.key) for one in response.seat_keys})
        access = SeatAccess(response.match.match_id, Secret(response.referee_key))
        match = AsyncMatch(self._transport, self._move_specs, access, game_id, keys)
        match.spectator_key = Secret(response.spectator_key)
        return match

    async def matches(
        self,
        *,
        external_id: str = "",
        labels: Mapping[str, str] = NO_LABELS,
        player_name: str = "",
        state: MatchState = MatchState.UNKNOWN,
        game: str = "",
        created_after: datetime | None = None,
        ended_after: datetime | None = None,
        winner_name: str = "",
        ascending: bool = False,
    ) -> AsyncIterator[MatchDetails]:
        """Iterate over the matches that the platform of the API key has created, the latest first.

        With filters, over those that have this ``external_id``, all of these ``labels``, a player of this name, this
        ``state`` and ``game``, and were created, have ended or were won so. ``ascending``: the earliest first.
        """
        request = ListMatchesRequest(
            external_id=external_id,
            labels=[f"{key}={value}" for key, value in labels.items()],
            player_name=player_name,
            state=match_pb2.MatchState.Name(state.value),
            game_id=game,
            created_after=created_after,
            ended_after=ended_after,
            winner_name=winner_name,
            ascending=ascending,
        )
        more = True
        while more:
            page = await self._transport.call(self._transport.matches.ListMatches, request, lambda response: response)
            for match in page.matches:
                yield decoders.match_details(match)
            request.page_token = page.next_page_token
            more = bool(page.next_page_token)

    async def get_matches(self, match_ids: Iterable[str], key: str | None = None) -> tuple[MatchResult, ...]:
        """Return the states of at most 100 matches, in the same order; each is found or has its error.

        ``key``: the key of a seat or the referee, which counts at its own match, not at the others.
        """
        request = BatchGetMatchesRequest(match_ids=match_ids)
        shown = self._key if key is None else key
        return await self._transport.call(
            self._transport.matches.BatchGetMatches, request, decoders.match_results, shown
        )

    async def watch_matches(self) -> AsyncIterator[PlatformUpdate | None]:
        """Iterate over the updates of all matches of the platform of the API key from now on; None is a heartbeat.

        The first item is a heartbeat: what happens after it is received. The call is not repeated when it is cut off,
        because updates may be missing then: it raises, and `matches` and `Match.events` return what was missed.
        """
        stream = self._transport.watch_matches()
        try:
            while (message := await stream.read()) is not None:
                yield decoders.platform_update(message) if message.match_id else None
        except grpc.RpcError as problem:
            raise read_error(problem)  # noqa: B904 - it has the cause that the reader needs
        finally:
            stream.cancel()

    def match(self, match_id: str, key: str | None = None) -> AsyncMatch:
        """Return a match by its id, with the key of a seat or the referee; without a key, as the public sees it."""
        access = SeatAccess(match_id, self._key if key is None else Secret(key))
        self._transport.connection.metadata(access.key)  # raises for what is no key
        return AsyncMatch(self._transport, self._move_specs, access)

    async def close(self) -> None:
        """Close the connection; calls in progress end."""
        await self._transport.close()

    async def __aenter__(self) -> Self:
        """Stay connected until the end of the block."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connection."""
        await self.close()
