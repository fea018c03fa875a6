"""No card leaks through the running service: deal otherwise what somebody cannot see, and no byte that he gets changes.

Two services keep one match under the same id, with the same keys and the same secrets; the same moves are made in both,
and only cards that some role cannot see lie otherwise. Whatever that role asks, over whatever transport, both must
answer the same. The number of deals is small here; ``CHITARRELLA_DEALS=20 pytest tests/transports/test_secrecy.py``
compares more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Hand
from chitarrella.core.game import AnyGame, play, view_for
from chitarrella.core.model import CHANCE, Event
from chitarrella.core.provable_shuffle import commit, derive_nonce
from chitarrella.matches.chance import supply
from chitarrella.matches.history import parse_entry
from chitarrella.matches.metadata import ControlState, MatchMetadata, decode_metadata
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import Appended, NewEntries
from chitarrella.v1 import matches_pb2 as pb
from chitarrella_testing.secrecy_laws import visible_events
from tests.transports.paired_matches import (
    DEALS,
    MOST,
    Opening,
    Pair,
    Twins,
    call,
    compare,
    create,
    find_twins,
    interrogate,
    keys_of,
    move_request,
    opening,
    persons,
    silenced,
    twins_of,
    two_services,
)
from tests.transports.raw_transports import STREAMS, Answer, Asked, written
from tests.transports.test_secrecy_log import INSTANT, Running, a_card, begun, is_fault, running
from tests.walks import CATALOGUE, Step, Walk, choose, name, walk


def tables() -> list[RuleSet]:
    """Every game as it stands in the book, and with as many players as it takes."""
    found = [RuleSet(game.key, players) for game in CATALOGUE for players in (0, max(game.seatings))]
    return list(dict.fromkeys(CATALOGUE.normalize(rule_set)._replace(options=(), edition=0) for rule_set in found))


@pytest.fixture(scope="module")
def pair(valkey: EmbeddedValkey) -> Iterator[Pair]:
    """Two services, and a caller who compares them."""
    with two_services(valkey.url) as made:
        yield made


@pytest.mark.parametrize("number", range(max(DEALS, 1)))
@pytest.mark.parametrize("rule_set", tables(), ids=name)
def test_answers_do_not_depend_on_hidden_cards(pair: Pair, rule_set: RuleSet, number: int) -> None:
    """If what a role cannot see had been dealt otherwise, every answer of the service to it would be the same."""
    rng = Random(f"secrecy {name(rule_set)} {number}")
    played = walk(rule_set, f"secrecy {number}", deals=2)
    seats, found = persons(played.game), 0
    for viewer in (None, *seats) if DEALS else (rng.choice(seats), None):
        if (twins := find_twins(played, viewer, rng)) is not None and (DEALS or not found):
            found += 1
            others = [other for other in twins.viewer if other != viewer]
            compare(pair, twins, [viewer, *others[: MOST // 2 or 1]], rng)
    assert found, "nothing could be dealt otherwise, so nothing was compared"


def test_signals_leave_no_trace_for_others(pair: Pair) -> None:
    """Whether a partner has given a signal or shown a hand, no answer of the service tells anybody else."""
    found = 0
    for rule_set in tables():
        for number in range(max(DEALS, 1)):
            rng = Random(f"silence {name(rule_set)} {number}")
            if (twins := silenced(walk(rule_set, f"silence {number}"), rng)) is not None:
                found += 1
                compare(pair, twins, list(twins.viewer) if DEALS else [None, twins.viewer[-1]], rng)
    assert found >= max(DEALS, 1), "nobody told his partner anything"


# ---------------------------------------------------------------------- secrecy drawn


GAMES = [game.key for game in CATALOGUE]
SOURCES = {"service": pb.PACK_SOURCE_SERVICE, "shared": pb.PACK_SOURCE_SHARED}
DRAWN = [(game, source) for game in GAMES for source in SOURCES][:: 1 if DEALS else 3]
"""Every game, with the service alone and with seeds of the seats; here every third of these."""
STEP = 1 if DEALS else 2
"""Here one deal runs in every second game and is over in the others, because what is drawn is not up to the game."""
TRIES = 5
SEEDS = 20_000
"""How many seeds are tried until one is found whose deal looks the same to everybody."""


@pytest.mark.parametrize("game", GAMES[::STEP])
def test_answers_with_one_seed_do_not_depend_on_hidden_cards(pair: Pair, game: str) -> None:
    """With one seed, and first packs that differ where nobody sees, all answers about the running deal are the same."""
    assert compare_secrecy_drawn(pair, game, beyond=False)


def test_answers_after_the_deal_do_not_depend_on_hidden_cards(pair: Pair) -> None:
    """Cards that nobody was shown stay unknown when their deal is over and the service has shuffled the next pack."""
    assert [game for game in GAMES[1::STEP] if compare_secrecy_drawn(pair, game, beyond=True)]


def compare_secrecy_drawn(pair: Pair, game: str, *, beyond: bool) -> bool:
    """Play after two packs that differ where a viewer cannot see, and compare the answers that it gets.

    False where nothing can be dealt otherwise: in the first deal, or where the match goes ``beyond`` it, of that deal.
    """
    plan, rng = walk(RuleSet(game), "drawn"), Random(game)
    request = create(plan, pb.PACK_SOURCE_SERVICE)
    first = next(move.cards for _, move in plan.moves if move.cards)
    found: list[Twins] = []

    def deal(header: MatchMetadata) -> tuple[Opening, Opening]:
        header = header._replace(seed=sha256(game.encode()).hexdigest())
        one = drawn(plan.game, header, ControlState(), first)
        for _ in range(TRIES):
            found.extend(dealt_otherwise(played_on(plan, header, one[1], rng, beyond=beyond), rng, beyond=beyond))
        pack = next((move.cards for _, move in found[0].courses[1] if move and move.cards), ()) if found else first
        return one, drawn(plan.game, header, ControlState(), pack)

    opened = pair.open_dealt(request, deal)
    if not found:
        return False
    for actor, move, other, _ in found[0].positions():
        if actor != CHANCE:  # the service itself supplies what chance has to
            requests = move_request(opened.match_id, actor, move), move_request(opened.match_id, actor, other)
            pair.send_both("PlayMove", requests, opened.referee_key)
    viewer = list(dict.fromkeys([found[0].viewer[0], found[0].viewer[-1]]))
    for one in viewer:
        check_shuffles(pair, opened.match_id, keys_of(opened)[one], rng)
    interrogate(pair, opened, plan.game, viewer, rng)
    return True


def check_shuffles(pair: Pair, match: str, key: str, rng: Random) -> None:
    """Check that the order of the pack is secret, and that of it and of the next only a commitment is published.

    The nonces of both must not appear in an answer from now on.
    """
    answer = pair.same(Asked("ListShuffles", pb.ListShufflesRequest(match_id=match), key), rng, "grpc")
    answered = pb.ListShufflesResponse.FromString(answer.body)
    seeds = [decode_metadata(wired.store.matches.load(match)[0].metadata).seed for wired in pair.services]
    last = next(one for one in reversed(answered.shuffles) if not one.lots)
    assert ("", []) == (last.nonce, list(last.cards))
    for one in answered.shuffles:
        assert ("" if one.supplied else commit(derive_nonce(seeds[0], one.number))) == one.commitment
    after = len(answered.shuffles) + 1
    assert commit(derive_nonce(seeds[0], after)) == answered.next_commitment
    pair.never_say(derive_nonce(seed, number) for seed in seeds for number in range(last.number, after + 5))


def played_on(plan: Walk, header: MatchMetadata, lines: tuple[str, ...], rng: Random, *, beyond: bool) -> Walk:
    """Play at random after the first lines of a match, with what the service will supply from the match's seed.

    Stops in the middle of the first deal, or ``beyond`` it, in the next one.
    """
    game, p, steps = plan.game, plan.game.start(), list[Step]()
    control, packs, left = ControlState(shuffles=len(lines)), 0, rng.randint(3, 15)
    coming = [parse_entry(game, line) for line in lines]
    while coming or left:
        actor, move = coming.pop(0) if coming else choose(game, p, rng)
        after, events = play(game, p, actor, move)
        packs += actor == CHANCE and bool(move.cards)
        if game.is_finished(after) or (packs > 1 and not beyond):
            break
        steps.append(Step(p, actor, move, events, after))
        p, left = after, left - (actor != CHANCE and (packs > 1 or not beyond))
        if not coming:
            dealt = supply(game, p, header, control)
            control, coming = dealt.control, [parse_entry(game, line) for line in dealt.entries]
    if not beyond and game.turn(p) == CHANCE:
        steps.pop()  # the service would deal at once
    return plan._replace(game=game, steps=tuple(steps))


def dealt_otherwise(played: Walk, rng: Random, *, beyond: bool) -> Iterator[Twins]:
    """Exchange what a viewer has not seen of the first pack."""
    packs = [place for place, (actor, move) in enumerate(played.moves) if actor == CHANCE and move.cards]
    if (len(packs) > 1) != beyond:
        return
    upto = packs[1] if beyond else len(played.moves)
    for viewer in rng.sample([None, *persons(played.game)], 1 + len(persons(played.game))):
        if (twins := twins_of(played, upto, len(played.moves), viewer, rng)) is not None:
            yield twins


def drawn(game: AnyGame, header: MatchMetadata, control: ControlState, pack: Hand = ()) -> Opening:
    """The first page of a match and its first moves, with a pack or with what the service draws."""
    return opening(game, header, supply(game, game.start(), header, control, pack))


# ---------------------------------------------------------------------- opening


@pytest.mark.parametrize("game", GAMES)
def test_create_answer_shows_no_hidden_card(pair: Pair, game: str) -> None:
    """The answer to an opened match shows no card that lies hidden, whichever pack was supplied."""
    plan = walk(RuleSet(game), "drawn")
    dealt = next(place for place, (_, move) in enumerate(plan.moves, 1) if move.cards)
    twins = twins_of(plan, dealt, dealt, None, Random(game))
    assert twins
    answers = []
    for course in twins.courses:
        request = create(plan, pb.PACK_SOURCE_SERVICE)
        request.position = plan.game.encode(plan.positions[dealt - 1])  # behind the lot, where one is drawn
        request.pack.extend(course[-1][1].cards if course[-1][1] else ())
        answers.append(call(pair.services[0], "CreateMatch", request))
    assert answers[0].view == answers[1].view
    assert answers[0].revision == answers[1].revision
    assert all(answer.view.phase != "deal" for answer in answers)


# ---------------------------------------------------------------------- other seeds


@pytest.mark.parametrize(("game", "source"), DRAWN)
def test_commitment_reveals_no_card(pair: Pair, game: str, source: str) -> None:
    """Two deals shuffled by the service with different seeds look the same to the public, but for the commitments."""
    plan, rng = walk(RuleSet(game), "drawn"), Random(game)
    client_seeds = tuple((seat, f"seed of {seat}") for seat in persons(plan.game))
    said = ControlState(client_seeds=client_seeds if source == "shared" else ())

    def deal(header: MatchMetadata) -> tuple[Opening, Opening]:
        header = header._replace(seed=sha256(game.encode()).hexdigest())
        snapshot = public_view(plan.game, header, said)
        others = (header._replace(seed=f"{seed:064x}") for seed in range(SEEDS))
        other = next(other for other in others if snapshot == public_view(plan.game, other, said))
        return drawn(plan.game, header, ControlState()), drawn(plan.game, other, ControlState())

    opened = pair.open_dealt(create(plan, SOURCES[source]), deal)
    for seat, seed in said.client_seeds * (
        2 if plan.moves[0][1].amount is not None else 1
    ):  # for a lot, then for the pack
        answer = pb.ContributeSeedRequest(match_id=opened.match_id, seat=seat, client_seed=seed)
        pair.send_both("ContributeSeed", (answer, answer), opened.referee_key)
    pages = [wired.store.matches.load(opened.match_id)[0] for wired in pair.services]
    assert pages[0].position != pages[1].position, "the cards are the same"
    with pair.blurred(without_promises):
        check_shuffles(pair, opened.match_id, "", rng)
        interrogate(pair, opened, plan.game, [None], rng)


def public_view(game: AnyGame, header: MatchMetadata, said: ControlState) -> Any:
    """Return the views and events of everybody when the first pack has been dealt."""
    p, answer, shuffles = game.start(), list[Event](), 0
    while game.turn(p) == CHANCE:
        dealt = supply(game, p, header, said._replace(shuffles=shuffles))
        p, shuffles = dealt.position, dealt.control.shuffles
        answer += [event for events in dealt.events for event in events]
    return view_for(game, p, None), visible_events(tuple(answer), None)


def without_promises(answer: Answer) -> Answer:
    """Leave out the commitments, which are as long as a SHA-256, and the tag that follows from them."""
    headers = tuple(header for header in answer.headers if header[0] != "etag")
    return Answer(answer.status, headers, re.sub(rb"[0-9a-f]{64}", b"promised", answer.body))


# ---------------------------------------------------------------------- secrecy unreadable


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
