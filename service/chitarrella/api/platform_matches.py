"""The part of MatchService for all matches of a platform: one list, and one stream."""

from __future__ import annotations

from collections.abc import Callable

from chitarrella.api.api_keys import check_admin, platform_only
from chitarrella.api.caller import Caller
from chitarrella.api.converters import rule_set_message, timestamp_message
from chitarrella.api.match_labels import player_name_messages, read_filter
from chitarrella.api.page_tokens import read_page_token, write_page_token
from chitarrella.api.streams import PlatformStream
from chitarrella.matches.match_lists import MatchLists
from chitarrella.matches.model import Snapshot
from chitarrella.matches.platform_watching import PlatformHub
from chitarrella.storage.rows import is_index_entry
from chitarrella.v1 import matches_pb2 as pb

DEFAULT_PAGE_SIZE = 50
"""Matches on a page if the caller names no size."""


class PlatformMatchServicer:
    """Implements listing and watching the matches of the caller's platform."""

    def __init__(self, lists: MatchLists, hub: PlatformHub) -> None:
        """List by ``lists``; ``hub`` serves watchers."""
        self._lists = lists
        self._hub = hub

    def ListMatches(self, request: pb.ListMatchesRequest, caller: Caller) -> pb.ListMatchesResponse:
        """List the matches of a platform that fit the filters, in pages, the latest first.

        It is that of the caller; an administrator may name any.
        """
        if request.platform:
            check_admin(caller.is_admin, "platform")
        platform, wanted = request.platform or _platform_of(caller), read_filter(request)
        # A token is for its filters and the platform that was named.
        method = " ".join(filter(None, ("ListMatches", request.platform, self._lists.filter_digest(platform, wanted))))
        last = read_page_token(method, request.page_token, is_index_entry)
        found, following = self._lists.page(platform, last, request.page_size or DEFAULT_PAGE_SIZE, wanted)
        return pb.ListMatchesResponse(
            matches=[_summary_message(*one) for one in found], next_page_token=write_page_token(method, following)
        )

    def WatchMatches(
        self, request: pb.WatchMatchesRequest, caller: Caller, notify: Callable[[], None]
    ) -> PlatformStream:
        """Watch the matches of the caller's platform; ``notify`` is called when the stream has something to take."""
        return PlatformStream(self._hub.watch(_platform_of(caller), notify))


def _platform_of(caller: Caller) -> str:
    """Return the platform of the caller's API key; raises `errors.NotAllowed` where the service has no platforms."""
    if not caller.platform:
        raise platform_only()
    return caller.platform


def _summary_message(match: str, snapshot: Snapshot) -> pb.MatchSummary:
    """Convert a match to its summary."""
    return pb.MatchSummary(
        match_id=match,
        rule_set=rule_set_message(snapshot.metadata.rule_set),
        revision=snapshot.row.revision,
        create_time=timestamp_message(snapshot.metadata.created_at * 1000),
        finished=snapshot.game.is_finished(snapshot.position),
        aborted=snapshot.row.aborted,
        private=snapshot.metadata.private,
        sandbox=snapshot.metadata.sandbox,
        external_id=snapshot.metadata.external_id,
        labels=dict(snapshot.metadata.labels),
        player_names=player_name_messages(snapshot.metadata),
    )
