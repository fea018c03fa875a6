"""Many matches are read in one call, each as its caller may see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from chitarrella.storage.embedded_valkey import EmbeddedValkey
from tests.transports.platforms import Platform, platform_service, platforms


@pytest.fixture(scope="module")
def callers(valkey: EmbeddedValkey) -> Iterator[tuple[Platform, Platform]]:
    """Two platforms of one service."""
    with platform_service(valkey.url, "batch") as wired, platforms(wired) as both:
        yield both


def found(response: httpx.Response) -> list[dict[str, Any]]:
    """The results of a batch."""
    assert 200 == response.status_code, response.text
    results: list[dict[str, Any]] = response.json()["matches"]
    return results


def test_each_match_is_that_of_a_single_call(callers: tuple[Platform, Platform]) -> None:
    """A batch has the matches in the order asked for, each as GetMatch returns it; an unknown id fails for itself."""
    acme, _ = callers
    created = [acme.create() for _ in range(3)]
    signals = acme.create(ruleSet={"gameId": "briscola", "players": 4, "options": {"signals": "free"}})
    signal = {"move": {"verb": "signal", "choice": "A"}}
    assert 200 == acme.post(f"matches/{signals['matchId']}/moves", signals["seatKeys"][0]["key"], **signal).status_code
    ids = [one["matchId"] for one in (*created, signals, created[0])]
    results = found(acme.get("matches:batchGet", match_ids=[*ids, "nobody"]))
    assert [acme.get(f"matches/{match}").json() for match in ids] == [one["match"] for one in results[:-1]]
    assert ("no_such_match", "match_id") == (results[-1]["error"]["code"], results[-1]["error"]["field"])


def test_key_counts_at_its_own_match_only(callers: tuple[Platform, Platform]) -> None:
    """The key of a seat gives the view of that seat at its match, and the view of the public at the others."""
    acme, _ = callers
    first, second = acme.create(), acme.create()
    ids = [first["matchId"], second["matchId"]]
    key = first["seatKeys"][1]["key"]
    own, other = (one["match"] for one in found(acme.get("matches:batchGet", key, match_ids=ids)))
    assert acme.get(f"matches/{ids[0]}", key).json() == own
    assert (1, None) == (own["seat"], other.get("seat"))
    assert acme.get(f"matches/{ids[1]}").json() == other
    whole, public = (one["match"] for one in found(acme.get("matches:batchGet", first["refereeKey"], match_ids=ids)))
    assert acme.get(f"matches/{ids[0]}", first["refereeKey"]).json() == whole
    assert acme.get(f"matches/{ids[1]}").json() == public


def test_private_match_is_shown_to_its_keys_and_its_platform(callers: tuple[Platform, Platform]) -> None:
    """A private match does not exist for others; its platform sees it as the public would see an open one."""
    acme, club = callers
    hidden = acme.create(private=True, externalId="hidden", playerNames=[{"seat": 0, "name": "Ada"}])
    match = hidden["matchId"]
    (own,) = found(acme.get("matches:batchGet", match_ids=match))
    assert ("hidden", "Ada") == (own["match"]["externalId"], own["match"]["playerNames"][0]["name"])
    assert own["match"]["view"] == hidden["view"]
    (unknown, nobody) = found(club.get("matches:batchGet", match_ids=[match, "nobody"]))
    assert unknown == nobody
    (shown,) = found(club.get("matches:batchGet", hidden["seatKeys"][0]["key"], match_ids=match))
    assert (0, "", "Ada") == (
        shown["match"]["seat"],
        shown["match"]["externalId"],
        shown["match"]["playerNames"][0]["name"],
    )
    assert own["match"] == acme.get(f"matches/{match}").json()
    assert 200 == acme.get(f"matches/{match}/events").status_code
    assert 404 == acme.get(f"matches/{match}", "wrong-key").status_code
    assert 404 == club.get(f"matches/{match}").status_code


@pytest.mark.parametrize(
    ("ids", "field"), [([], "match_ids"), (["x"] * 101, "match_ids"), (["x", "y" * 41], "match_ids[1]")]
)
def test_bad_batch_is_refused(callers: tuple[Platform, Platform], ids: list[str], field: str) -> None:
    """No id, too many, or one that is too long: the call is refused as a whole, with the field."""
    refused = callers[0].get("matches:batchGet", match_ids=ids)
    assert (400, "bad_request", field) == (refused.status_code, *map(refused.json().get, ("code", "field")))
