"""No card leaks through the running service: deal otherwise what somebody cannot see, and no byte that he gets changes.

Two services keep one match under the same id, with the same keys and the same secrets; the same moves are made in both,
and only cards that some role cannot see lie otherwise. Whatever that role asks, over whatever transport, both must
answer the same. The number of deals is small here; ``CHITARRELLA_DEALS=20 pytest tests/transports/test_secrecy.py``
compares more.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from tests.transports.compare_answers import DEALS, MOST, compare
from tests.transports.paired_matches import Pair, find_twins, persons, silenced, two_services
from tests.walks import CATALOGUE, name, walk


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
    seats = persons(played.game)
    found = 0
    for viewer in (None, *(seats if DEALS else rng.sample(seats, 1))):
        if (twins := find_twins(played, viewer, rng)) is not None:
            found += 1
            others = [other for other in twins.viewer if other != viewer]
            compare(pair, twins, [viewer, *rng.sample(others, min(MOST // 2, len(others)))], rng)
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
