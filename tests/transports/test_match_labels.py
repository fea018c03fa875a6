"""A platform gives a match its own id, labels and names of players, and finds it by them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from chitarrella.storage.embedded_valkey import EmbeddedValkey
from tests.transports.platforms import Platform, platform_service, platforms

NAMES = [{"seat": 1, "name": "Zoë <b>Rossi</b>"}, {"seat": 0, "name": "Ada"}]
GIVEN: dict[str, Any] = {
    "externalId": "game/7",
    "labels": {"cup": "spring", "round": "a=b"},
    "playerNames": NAMES,
}
SHOWN = {**GIVEN, "playerNames": NAMES[::-1]}
HIDDEN = {"externalId": "", "labels": {}}


@pytest.fixture(scope="module")
def callers(valkey: EmbeddedValkey) -> Iterator[tuple[Platform, Platform]]:
    """Two platforms of one service."""
    with platform_service(valkey.url, "labels") as wired, platforms(wired) as both:
        yield both


def shown(response: httpx.Response) -> dict[str, Any]:
    """What a response says of the labels of a match."""
    assert 200 == response.status_code, response.text
    return {name: response.json()[name] for name in GIVEN}


def test_labels_are_for_the_referee_and_the_platform(callers: tuple[Platform, Platform]) -> None:
    """Everybody who may see a match reads its names; its id and labels only the referee and its platform."""
    acme, club = callers
    created = acme.create(**GIVEN)
    path = f"matches/{created['matchId']}"
    assert SHOWN == shown(acme.get(path))
    assert SHOWN == shown(acme.get(path, created["seatKeys"][0]["key"]))
    assert SHOWN == shown(club.get(path, created["refereeKey"]))
    assert SHOWN == shown(club.get(path, created["refereeKey"], seat=1))
    assert SHOWN | HIDDEN == shown(club.get(path))
    assert SHOWN | HIDDEN == shown(club.get(path, created["seatKeys"][0]["key"]))


def test_list_is_filtered_by_every_field(callers: tuple[Platform, Platform]) -> None:
    """Each filter finds the match, all of them together too, and none finds that of another platform."""
    acme, club = callers
    match = acme.create(**{**GIVEN, "externalId": "filtered", "labels": {"cup": "autumn", "round": "a=b"}})["matchId"]
    acme.create(labels={"cup": "autumn"})
    club.create(externalId="filtered", labels={"cup": "autumn"})
    filters: list[dict[str, Any]] = [
        {"externalId": "filtered"},
        {"labels": ["round=a=b", "cup=autumn"]},
        {"external_id": "filtered", "labels": "cup=autumn", "player_name": "Ada"},
    ]
    for wanted in filters:
        (found,) = acme.get("matches", **wanted).json()["matches"]
        assert match == found["matchId"]
        assert SHOWN["playerNames"] == found["playerNames"]
        assert ("filtered", "autumn") == (found["externalId"], found["labels"]["cup"])
    for wanted in ({"externalId": "filtered"}, {"labels": "cup=autumn"}, {"playerName": "Ada"}):
        assert match not in club.get("matches", **wanted).text


def test_list_says_which_matches_are_tests(callers: tuple[Platform, Platform]) -> None:
    """A match of the sandbox is marked in the list as it is when read alone; a real one is not."""
    acme, _ = callers
    for sandbox in ({}, {"sandbox": {"seed": "list"}}):
        match = acme.create(externalId="marked", **sandbox)["matchId"]
        listed = {one["matchId"]: one["sandbox"] for one in acme.get("matches", externalId="marked").json()["matches"]}
        assert bool(sandbox) == listed[match] == acme.get(f"matches/{match}").json()["sandbox"]


def test_page_token_belongs_to_its_filters(callers: tuple[Platform, Platform]) -> None:
    """A token goes on where its page ended, and is refused with other filters; the order of labels is free."""
    acme, _ = callers
    created = {acme.create(labels={"cup": "paged", "round": "1"})["matchId"] for _ in range(5)}
    wanted: dict[str, Any] = {"labels": ["cup=paged", "round=1"], "page_size": 2}
    found, token = [], ""
    while True:
        page = acme.get("matches", **wanted, page_token=token).json()
        found += [one["matchId"] for one in page["matches"]]
        wanted["labels"] = wanted["labels"][::-1]
        token = page["nextPageToken"] or token
        if not page["nextPageToken"]:
            break
    assert (5, created) == (len(found), set(found))
    everything = acme.get("matches", page_size=1).json()["nextPageToken"]
    for other, of_other in (
        ({}, token),
        ({"labels": "cup=paged"}, token),
        ({"labels": ["cup=paged", "round=2"]}, token),
        ({"playerName": "paged"}, token),
        ({"labels": "cup=paged"}, everything),
    ):
        refused = acme.get("matches", **other, page_token=of_other)
        assert (400, "bad_request", "page_token") == (refused.status_code, *map(refused.json().get, ("code", "field")))


def test_imported_match_takes_them_too(callers: tuple[Platform, Platform]) -> None:
    """A match from a record has the labels that the import gives; the record has no name."""
    acme, _ = callers
    created = acme.create(**GIVEN)
    record = acme.get(f"matches/{created['matchId']}/record", created["refereeKey"]).json()["record"]
    assert not any(one["name"] in record for one in NAMES)
    imported = acme.post("matches:import", record=record, **{**GIVEN, "externalId": "imported"}).json()["created"]
    assert SHOWN | {"externalId": "imported"} == shown(acme.get(f"matches/{imported['matchId']}"))


@pytest.mark.parametrize(
    ("given", "code", "field"),
    [
        ({"externalId": "x" * 101}, "bad_request", "external_id"),
        ({"externalId": "x\n"}, "bad_request", "external_id"),
        ({"labels": {"Cup": "x"}}, "bad_request", "labels.Cup"),
        ({"labels": {"c" * 5000: "x"}}, "bad_request", f"labels.{'c' * 100}"),
        ({"labels": {"cup": "\u0085"}}, "bad_request", "labels.cup"),
        ({"labels": {f"l{number}": "" for number in range(17)}}, "bad_request", "labels"),
        ({"playerNames": [{"seat": 0}]}, "bad_request", "player_names[0].name"),
        ({"playerNames": [{"seat": 0, "name": "A\x7f"}]}, "bad_request", "player_names[0].name"),
        ({"playerNames": [{"seat": 0, "name": "x" * 61}]}, "bad_request", "player_names[0].name"),
        ({"playerNames": [{"seat": 0, "name": "A"}] * 2}, "bad_request", "player_names[1].seat"),
        ({"playerNames": [{"seat": 0, "name": "A"}, {"seat": 2, "name": "B"}]}, "no_such_seat", "player_names[1].seat"),
        (
            {"ruleSet": {"gameId": "coech", "players": 3}, "playerNames": [{"seat": 2, "name": "A"}]},
            "no_such_seat",
            "player_names[0].seat",
        ),
    ],
)
def test_bad_labels_are_refused(
    callers: tuple[Platform, Platform], given: dict[str, Any], code: str, field: str
) -> None:
    """What the contract does not allow is refused with the field, and nothing is created or imported."""
    acme, _ = callers
    before = acme.get("matches").json()["matches"][:1]
    refused = acme.post("matches", **{"ruleSet": {"gameId": "briscola"}, **given})
    assert (400, code, field) == (refused.status_code, *map(refused.json().get, ("code", "field"))), refused.text
    if "ruleSet" not in given:
        record = acme.get(f"matches/{(made := acme.create())['matchId']}/record", made["refereeKey"]).json()["record"]
        before = acme.get("matches").json()["matches"][:1]
        refused = acme.post("matches:import", record=record, **given)
        assert (400, code, field) == (refused.status_code, *map(refused.json().get, ("code", "field")))
    assert before == acme.get("matches").json()["matches"][:1]


@pytest.mark.parametrize("label", ["cup", "=x", "Cup=x", "cup=\n", f"cup={'x' * 101}"])
def test_bad_filter_is_refused(callers: tuple[Platform, Platform], label: str) -> None:
    """A filter that no label can fit is refused."""
    refused = callers[0].get("matches", labels=["fine=x", label])
    assert (400, "bad_request", "labels[1]") == (refused.status_code, *map(refused.json().get, ("code", "field")))


def test_names_are_not_logged(
    callers: tuple[Platform, Platform], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """No log line and no metric has a name, whether it is created, listed, refused or deleted."""
    acme, _ = callers
    named = {"playerNames": [{"seat": 0, "name": "Filomena"}]}
    with caplog.at_level(logging.DEBUG):
        created = acme.create(**named)
        acme.get("matches", player_name="Filomena")
        acme.get("matches", player_name="Filomena", page_token="Filomena")
        assert (
            "Filomena"
            not in acme.post("matches", ruleSet={"gameId": "briscola"}, playerNames=[*named["playerNames"]] * 2).text
        )
        acme.delete(f"matches/{created['matchId']}", created["refereeKey"])
    lines = [one.getMessage() for one in caplog.records if not one.name.startswith("http")]  # not those of the caller
    assert "CreateMatch" in (written := "\n".join((*capfd.readouterr(), *lines)))
    assert "Filomena" not in written
    assert "Filomena" not in httpx.get(f"{acme.url}/metrics").text
    assert [] == acme.get("matches", player_name="Filomena").json()["matches"]
