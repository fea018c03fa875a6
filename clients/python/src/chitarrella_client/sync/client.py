"""The client: the catalogue, the rules, and the door to matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Self, Unpack

import grpc

from chitarrella_client import reading, requests
from chitarrella_client.answers import MatchSummary, Position
from chitarrella_client.catalogue import Comparison, Game, GameSummary
from chitarrella_client.connection import TLS, connection
from chitarrella_client.requests import Agreed, Holder
from chitarrella_client.sync.line import Line
from chitarrella_client.sync.match import Match
from chitarrella_client.sync.rules import Rules
from chitarrella_client.sync.verbs import Verbs
from chitarrella_client.table import Agreement
from chitarrella_client.v1.catalogue_pb2 import CompareGamesRequest, GetGameRequest, ListGamesRequest
from chitarrella_client.v1.matches_pb2 import CreateMatchResponse, ListMatchesRequest

NO_BOTS: Mapping[int, str] = MappingProxyType({})


class Chitarrella:
    """A client of the service at ``target``, which is "host:port", or a channel that leads to it.

    ``timeout`` is how many seconds one try of a call may take, ``retries`` how often a call that got lost is repeated;
    that is safe for every call.  ``tls`` is True, or the credentials of the channel.  ``key`` is the one that `match`
    shows where no other is given, ``api_key`` the platform's, where the service is not for everybody.
    Clauses and refusals are told in ``language``: "en", "it" or "de", or what a browser sends as Accept-Language.
    """

    def __init__(
        self,
        target: str | grpc.Channel,
        key: str | None = None,
        *,
        tls: TLS = False,
        timeout: float | None = 10.0,
        retries: int = 4,
        api_key: str = "",
        language: str = "",
    ) -> None:
        """Prepare to connect; that is done with the first call."""
        self._line = Line(connection(target, tls, timeout, retries, api_key, language))
        self._verbs = Verbs(self._line)
        self._key = key or ""
        self.rules = Rules(self._line, self._verbs)
        """Questions about positions and cards."""

    def games(self) -> Iterator[GameSummary]:
        """Go through the games in the order of their keys."""
        token, more = "", True
        while more:
            request = ListGamesRequest(page_token=token)
            page = self._line.ask(self._line.catalogue.ListGames, request, lambda answer: answer)
            for game in page.games:
                yield reading.game_summary(game)
            token = page.next_page_token
            more = bool(token)

    def game(self, key: str, edition: int = 0) -> Game:
        """Describe a game: pack, options, moves, reasons, and the rule book, of the current or another edition."""
        request = GetGameRequest(game=key, edition=edition)
        return self._line.ask(self._line.catalogue.GetGame, request, reading.game)

    def compare(self, first: str | Agreement, second: str | Agreement) -> Comparison:
        """Tell two games, or two agreements on one, apart."""
        request = CompareGamesRequest(
            first=requests.agreement_message(first, {}), second=requests.agreement_message(second, {})
        )
        return self._line.ask(self._line.catalogue.CompareGames, request, reading.comparison)

    def create_match(
        self,
        game: str | Agreement,
        *,
        pack: str | Iterable[str] = (),
        position: Position | str = "",
        packs: requests.Packs = "service",
        private: bool = False,
        clock: tuple[int, int] = (0, 0),
        bots: Mapping[int, str] = NO_BOTS,
        expires_after_seconds: int = 0,
        request_id: str = "",
        **agreed: Unpack[Agreed],
    ) -> Match:
        """Open a match; what comes back is bound to the referee's key and has the ``keys`` of all seats.

        The service shuffles, unless the ``pack`` of the first deal is given, first card first.  With ``packs`` of the
        "referee" every pack is handed in as a move; "shared" ones are dealt when every seat has said
        `Match.contribute`.  Into a ``private`` match nobody can look without one of its keys.  ``clock`` is how many
        seconds a decision may take, and how many each seat has in its bank beside that.  ``bots`` play seats, such as
        ``{1: "greedy"}``.  The match is forgotten ``expires_after_seconds`` after its last move, or when its clock has
        run out (0: the service's default).  A ``request_id`` is for who wants to repeat the call later, or from another
        process: it must be one that nobody guesses.
        """
        agreement = requests.agreement_message(game, agreed)
        request = requests.create_match(
            agreement, pack, position, packs, private, clock, bots, expires_after_seconds, request_id
        )

        return self._line.ask(
            self._line.matches.CreateMatch, request, lambda answer: self._opened(answer, agreement.game)
        )

    def import_match(
        self,
        record: str,
        moves: int | None = None,
        *,
        packs: requests.Packs = "service",
        private: bool = False,
        clock: tuple[int, int] = (0, 0),
        bots: Mapping[int, str] = NO_BOTS,
        expires_after_seconds: int = 0,
        request_id: str = "",
    ) -> Match:
        """Open a match from a record, or from the first ``moves`` of it, to look at it or to play on from there."""
        request = requests.import_match(record, moves, packs, private, clock, bots, expires_after_seconds, request_id)
        return self._line.ask(self._line.matches.ImportMatch, request, lambda answer: self._opened(answer.opened))

    def _opened(self, response: CreateMatchResponse, game: str = "") -> Match:
        keys = MappingProxyType({one.seat: one.key for one in response.seat_keys})
        return Match(self._line, self._verbs, Holder(response.match, response.referee_key), game, keys)

    def matches(self) -> Iterator[MatchSummary]:
        """Go through the matches that the platform of the API key has opened, the latest first."""
        token, more = "", True
        while more:
            request = ListMatchesRequest(page_token=token)
            page = self._line.ask(self._line.matches.ListMatches, request, lambda answer: answer)
            for match in page.matches:
                yield reading.match_summary(match)
            token = page.next_page_token
            more = bool(token)

    def match(self, match: str, key: str | None = None) -> Match:
        """Bind to a match by its name and a key: a seat's, the referee's, or, without one, with the public's eyes."""
        return Match(self._line, self._verbs, Holder(match, self._key if key is None else key))

    def close(self) -> None:
        """Hang up; whatever is under way ends."""
        self._line.close()

    def __enter__(self) -> Self:
        """Stay connected until the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up."""
        self.close()
