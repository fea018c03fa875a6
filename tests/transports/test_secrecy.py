"""No card leaks through the running service: deal otherwise what somebody cannot see, and no byte that he gets changes.

Two services keep one match under the same id, with the same keys and the same secrets; the same moves are made in both,
and only cards that some role cannot see lie otherwise. Whatever that role asks, over whatever transport, both must
answer the same. The number of deals is small here; ``CHITARRELLA_DEALS=20 pytest tests/transports/test_secrecy.py``
compares more.
"""

from collections.abc import Iterator
from hashlib import sha256
from random import Random

import pytest

from chitarrella import v1
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Hand
from chitarrella.core.game import AnyGame, play
from chitarrella.core.model import CHANCE
from chitarrella.core.provable_shuffle import commit, derive_nonce
from chitarrella.matches.chance import supply
from chitarrella.matches.history import parse_entry
from chitarrella.matches.metadata import ControlState, MatchMetadata, decode_metadata
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from tests.transports.all_transports import WithoutTransport
from tests.transports.paired_matches import (
    DEALS,
    MOST,
    Opening,
    Pair,
    Twins,
    compare,
    create,
    find_twins,
    interrogate,
    keys_of,
    move_request,
    opening,
    persons,
    twins_of,
    two_services,
)
from tests.transports.raw_transports import Asked
from tests.walks import CATALOGUE, Step, Walk, choose, name, walk


def tables() -> list[RuleSet]:
    """Every game as it stands in the book, and with as many players as it takes."""
    found = [RuleSet(game.key, players) for game in CATALOGUE for players in (0, max(game.entry.players))]
    return list(dict.fromkeys(CATALOGUE.normalize(rule_set)._replace(options=(), edition=0) for rule_set in found))


@pytest.fixture(scope="module")
def pair(valkey: EmbeddedValkey) -> Iterator[Pair]:
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


# ---------------------------------------------------------------------- secrecy drawn


GAMES = [game.key for game in CATALOGUE]
TRIES = 5


@pytest.mark.parametrize("game", GAMES[:: 1 if DEALS else 2])
def test_answers_with_one_seed_do_not_depend_on_hidden_cards(pair: Pair, game: str) -> None:
    """With one seed, and first packs that differ where nobody sees, all answers about the running deal are the same."""
    plan, rng = walk(RuleSet(game), "drawn"), Random(game)
    first = next(move.cards for _, move in plan.moves if move.cards)
    found: list[Twins] = []

    def deal(header: MatchMetadata) -> tuple[Opening, Opening]:
        header = header._replace(seed=sha256(game.encode()).hexdigest())
        one = drawn(plan.game, header, first)
        for _ in range(TRIES):
            played = played_on(plan, header, one[1], rng)
            for viewer in rng.sample([None, *persons(played.game)], 1 + len(persons(played.game))):
                if (twins := twins_of(played, len(played.moves), len(played.moves), viewer, rng)) is not None:
                    found.append(twins)
        pack = next(move.cards for _, move in found[0].courses[1] if move.cards)
        return one, drawn(plan.game, header, pack)

    opened = pair.open_dealt(create(plan, v1.PACK_SOURCE_SERVICE), deal)
    for actor, move, other, _ in found[0].positions():
        if actor != CHANCE:  # the service itself supplies what chance has to
            here, there = (move_request(opened.match.match_id, actor, made) for made in (move, other))
            pair.send_both("PlayMove", (here, there), opened.referee_key)
    viewer = list(dict.fromkeys([found[0].viewer[0], found[0].viewer[-1]]))
    for one in viewer:
        check_shuffles(pair, opened.match.match_id, keys_of(opened)[one], rng)
    interrogate(pair, opened, plan.game, viewer, rng)


@pytest.mark.parametrize("source", [v1.PACK_SOURCE_SERVICE, v1.PACK_SOURCE_SHARED])
def test_running_deal_shows_its_commitment_alone(pair: Pair, source: v1.PackSource) -> None:
    """Of the pack that the service has shuffled neither nonce nor cards are shown, whoever gave seeds for it."""
    ask = WithoutTransport(pair.services[0].api)
    for game in GAMES[::3]:
        made = ask("CreateMatch", create(walk(RuleSet(game), "drawn"), source))
        for one in (*made.seat_keys, *made.seat_keys) if source == v1.PACK_SOURCE_SHARED else ():  # a lot, and the pack
            ask("ContributeSeed", match_id=made.match.match_id, key=one.key, client_seed="mine")
        seed = decode_metadata(pair.services[0].store.matches.load(made.match.match_id)[0].metadata).seed
        last = ask("ListShuffles", match_id=made.match.match_id, key=made.referee_key).shuffles[-1]
        assert not last.lots
        assert ("", []) == (last.nonce, list(last.cards))
        assert commit(derive_nonce(seed, last.number)) == last.commitment


def check_shuffles(pair: Pair, match: str, key: str, rng: Random) -> None:
    """Check that the order of the pack is secret, and that of it and of the next only a commitment is published.

    The nonces of both must not appear in an answer from now on.
    """
    answer = pair.same(Asked("ListShuffles", v1.ListShufflesRequest(match_id=match), key), rng, "grpc")
    answered = v1.ListShufflesResponse.FromString(answer.body)
    seeds = [decode_metadata(wired.store.matches.load(match)[0].metadata).seed for wired in pair.services]
    last = next(one for one in reversed(answered.shuffles) if not one.lots)
    assert ("", []) == (last.nonce, list(last.cards))
    for one in answered.shuffles:
        assert ("" if one.supplied else commit(derive_nonce(seeds[0], one.number))) == one.commitment
    after = len(answered.shuffles) + 1
    assert commit(derive_nonce(seeds[0], after)) == answered.next_commitment
    pair.never_say(derive_nonce(seed, number) for seed in seeds for number in range(last.number, after + 5))


def played_on(plan: Walk, header: MatchMetadata, lines: tuple[str, ...], rng: Random) -> Walk:
    """Play at random after the first lines of a match, with the lots that the service draws; stop within the deal."""
    game, p, steps = plan.game, plan.game.start(), list[Step]()
    control, left = ControlState(shuffles=len(lines)), rng.randint(3, 15)
    coming = [parse_entry(game, line) for line in lines]
    while coming or left:
        actor, move = coming.pop(0) if coming else choose(game, p, rng)
        after, events = play(game, p, actor, move)
        packs = sum(step.actor == CHANCE and bool(step.move.cards) for step in steps)
        if game.is_finished(after) or (packs and actor == CHANCE and move.cards):
            break
        steps.append(Step(p, actor, move, events, after))
        p, left = after, left - (actor != CHANCE)
        if not coming:
            dealt = supply(game, p, header, control)
            control, coming = dealt.control, [parse_entry(game, line) for line in dealt.entries]
    if game.turn(p) == CHANCE:
        steps.pop()  # the service would deal at once
    return plan._replace(game=game, steps=tuple(steps))


def drawn(game: AnyGame, header: MatchMetadata, pack: Hand) -> Opening:
    """The first page of a match and its first moves, with a pack."""
    return opening(game, header, supply(game, game.start(), header, ControlState(), pack))
