"""The client: the catalogue, stateless questions about the rules, and access to matches."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from types import MappingProxyType
from typing import Self, Unpack

import grpc

from chitarrella.v1.catalogue_pb2 import GetGameRequest, ListGamesRequest
from chitarrella.v1.matches_pb2 import BatchGetMatchesRequest, CreateMatchResponse, ListMatchesRequest
from chitarrella_client import decoders, requests
from chitarrella_client.aio.match import AsyncMatch
from chitarrella_client.aio.rules import AsyncMoveSpecCache, AsyncRules
from chitarrella_client.aio.transport import AsyncTransport
from chitarrella_client.aio.webhooks import AsyncWebhooks
from chitarrella_client.arguments import checked
from chitarrella_client.catalogue import Game, GameSummary
from chitarrella_client.connection import TLS, Secret, connection
from chitarrella_client.errors import read_error
from chitarrella_client.positions import Position
from chitarrella_client.requests import RuleSetArguments, SeatAccess
from chitarrella_client.responses import FoundMatch, MatchSummary, PlatformUpdate
from chitarrella_client.types import RuleSet

NO_BOTS: Mapping[int, str] = MappingProxyType({})
NO_LABELS: Mapping[str, str] = MappingProxyType({})
NO_NAMES: Mapping[int, str] = MappingProxyType({})


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

    async def game(self, game_id: str, edition: int = 0) -> Game:
        """Return a game with its pack, options, moves, reasons and rule book; edition 0 is the current one."""
        request = GetGameRequest(game_id=game_id, edition=edition)
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
        expires_after_seconds: int = 0,
        request_id: str = "",
        sandbox: str | None = None,
        external_id: str = "",
        labels: Mapping[str, str] = NO_LABELS,
        player_names: requests.PlayerNames = NO_NAMES,
        **rule_set: Unpack[RuleSetArguments],
    ) -> AsyncMatch:
        """Create a match. The result is bound to the referee's key and holds the ``keys`` of all seats.

        ``pack``: the first pack that is needed, first card first; by default it is shuffled.
        ``position``: the position to begin from; by default the beginning.
        ``pack_source``: who supplies packs and lots: the "service"; the "referee", as moves; or "shared", where the
        service shuffles when every person has added a seed (`Match.contribute_seed`).
        ``private``: the match can be seen only with one of its keys.
        ``clock``: seconds for each decision, and seconds in the bank of each seat; (0, 0) for no limit.
        ``bots``: bots by seat, such as ``{1: "greedy"}``.
        ``expires_after_seconds``: after how many seconds without a move, or after its last deadline, the match is
        deleted; 0 for the default of the service.
        ``request_id``: for repeating the call later or from another process; it must be one that nobody can guess.
        ``sandbox``: makes the match a test, where the service allows tests: the same rule set and seed give the same
        deals, "" shuffles by chance; and the clock stands still until `Match.advance_clock`. None for a real match.
        ``external_id``: the platform's own id of the match.
        ``labels``: the platform's own labels, such as ``{"cup": "spring"}``; `matches` finds the match by them.
        ``player_names``: the names of the players by seat. Everybody who may see the match sees them.
        """
        message = requests.rule_set_message(game, rule_set)
        request = requests.create_match(
            message, pack, position, pack_source, private, clock, bots, expires_after_seconds, request_id, sandbox
        )
        requests.add_labels(request, external_id, labels, player_names)

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
        expires_after_seconds: int = 0,
        request_id: str = "",
        sandbox: str | None = None,
        external_id: str = "",
        labels: Mapping[str, str] = NO_LABELS,
        player_names: requests.PlayerNames = NO_NAMES,
    ) -> AsyncMatch:
        """Create a match from a record, or from its first ``move_count`` moves; the rest as in `create_match`."""
        request = requests.import_match(
            record, move_count, pack_source, private, clock, bots, expires_after_seconds, request_id, sandbox
        )
        requests.add_labels(request, external_id, labels, player_names)
        return await self._transport.call(
            self._transport.matches.ImportMatch, request, lambda response: self._created_match(response.created)
        )

    def _created_match(self, response: CreateMatchResponse, game_id: str = "") -> AsyncMatch:
        keys = MappingProxyType({one.seat: Secret(one.key) for one in response.seat_keys})
        access = SeatAccess(response.match_id, Secret(response.referee_key))
        return AsyncMatch(self._transport, self._move_specs, access, game_id, keys)

    async def matches(
        self, *, external_id: str = "", labels: Mapping[str, str] = NO_LABELS, player_name: str = ""
    ) -> AsyncIterator[MatchSummary]:
        """Iterate over the matches that the platform of the API key has created, the latest first.

        With filters, over those that have this ``external_id``, all of these ``labels``, and a player of this name.
        """
        texts = [f"{key}={value}" for key, value in labels.items()]
        token, more = "", True
        while more:
            request = ListMatchesRequest(
                page_token=token, external_id=external_id, labels=texts, player_name=player_name
            )
            page = await self._transport.call(self._transport.matches.ListMatches, request, lambda response: response)
            for match in page.matches:
                yield decoders.match_summary(match)
            token = page.next_page_token
            more = bool(token)

    async def get_matches(self, match_ids: Iterable[str], key: str | None = None) -> tuple[FoundMatch, ...]:
        """Return the states of at most 100 matches, in the same order; each is found or has its error.

        ``key``: the key of a seat or the referee, which counts at its own match, not at the others.
        """
        request = BatchGetMatchesRequest(match_ids=match_ids)
        shown = self._key if key is None else key
        return await self._transport.call(
            self._transport.matches.BatchGetMatches, request, decoders.found_matches, shown
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
