"""A match that cannot be read ends without a card in the log or the answer."""

from __future__ import annotations

from random import Random

from chitarrella.catalogue.registry import RuleSet
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import Appended, NewEntries
from chitarrella.v1 import matches_pb2 as pb
from tests.transports.raw_transports import STREAMS, Asked
from tests.transports.test_secrecy_log import INSTANT, Running, a_card, begun, is_fault, running, written

__all__ = ["running"]


def test_unreadable_match_ends_without_naming_a_card(running: Running) -> None:
    """Where a move in the store breaks the rules, those who watch are told of a fault, and not which card it was."""
    rng = Random("watch")
    match = begun(running.line, RuleSet("briscola"), 12, rng)
    pattern, name = a_card(match), match.opened.match_id
    watching = []
    for role in match.roles:
        known = running.line.ask("rest", Asked("ListEvents", pb.ListEventsRequest(match_id=name), role.key))
        for transport in STREAMS:
            begin = running.line.watch(transport, Asked("WatchMatch", pb.WatchMatchRequest(match_id=name), role.key))
            watching.append((set(pattern.findall(written(known))), begin))
    store = RedisStore(connect(running.server.url))
    page, _ = store.matches.load(name)
    held = next(zone.cards[0] for zone in match.walk.game.zones(match.position) if zone.name == "stock")
    entries = NewEntries(
        (f"{match.walk.game.turn(match.position)} play_card {held}",), page.position, page.revision + 1
    )
    assert isinstance(store.matches.append(name, page, entries, "", 600), Appended)
    store.close()
    for known_cards, end in watching:
        answer = end()
        assert is_fault(answer)
        assert set(pattern.findall(written(answer))) <= known_cards - {held}
    running.service.stop()
    log = INSTANT.sub("", running.service.log())
    assert "a match cannot be replayed: IllegalMove" in log
    assert [] == pattern.findall(log)
