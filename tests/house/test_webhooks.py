"""Webhooks: what happens at a platform's matches is told to it, at least once, whatever falls over meanwhile."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from chitarrella import messenger
from chitarrella.catalogue import Catalogue
from chitarrella.game import legal
from chitarrella.games.briscolone import BRISCOLONE
from chitarrella.kept import Wish
from chitarrella.messenger import MOST_TRIES, Messenger, announcer, pause, wait_after
from chitarrella.platforms import digest_of
from chitarrella.redis_post import RedisPost
from chitarrella.redis_store import RedisStore
from chitarrella.referee import Referee
from chitarrella.store import StoreAway
from chitarrella.webhooks import BadWebhooks, Webhook, read_webhooks
from chitarrella_client import Chitarrella
from tests.house.endpoint import NEW, OLD, Endpoint
from tests.house.pages import Make
from tests.house.service import Serve
from tests.house.table import CATALOGUE, PARTNERS, SHORT, go_on, play_out
from tests.servers import until


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A webhook that works, until it is told otherwise."""
    made = Endpoint()
    yield made
    made.close()


class Office:
    """A referee whose matches are told of, and who delivers; the clock of the pauses is the test's."""

    def __init__(self, store: RedisStore, hook: Webhook) -> None:
        self.post, self.hook = RedisPost(store), hook
        self.referee = Referee(CATALOGUE, store, announce=announcer(self.post, [hook]))
        self.counted: list[str] = []
        self.messenger = self.of(self.referee)

    def of(self, referee: Referee) -> Messenger:
        """Give the messenger of a worker."""
        return Messenger(referee, self.post, [self.hook], lambda _, word: self.counted.append(word))

    def open(self, platform: str = "acme", **how: Any) -> str:
        """Open a match of a platform."""
        return self.referee.open(how.pop("agreement", SHORT), platform=platform, **how).match

    def deliver(self, *, patient: bool = False) -> list[str]:
        """Deliver what is there, and what waits for another try too where nobody is ``patient``."""
        begun = len(self.counted)
        for parcel in self.post.collect("acme", 1, pause if patient else lambda _: 0):
            self.messenger.deliver(self.hook, parcel)
        return self.counted[begun:]


@pytest.fixture
def office(make: Make, endpoint: Endpoint) -> Office:
    """A worker that tells ``endpoint``, on every kind of store."""
    return Office(make(), endpoint.hook)


def test_what_is_of_another_release_is_left_to_it(office: Office, endpoint: Endpoint) -> None:
    """A worker that does not know the game puts the parcel back, for one that does."""
    yesterday = ModuleType("yesterday")
    yesterday.GAMES = (BRISCOLONE,)  # type: ignore[attr-defined]  # a module is what it is given
    match = office.open()
    there = Referee(Catalogue(iter([yesterday])), office.referee.store)
    office.messenger, messenger = office.of(there), office.messenger
    assert ["edition_not_kept"] == office.deliver()
    office.messenger = messenger
    assert ["sent"] == office.deliver()
    assert {match} == {heard.name.partition(".")[0] for heard in endpoint.heard}


def test_what_is_told(office: Office, endpoint: Endpoint) -> None:
    """Every public move is told once, in order, as the public may know it, signed as the standard has it."""
    match = office.open()
    play_out(office.referee, match)
    moves = office.referee.see(match).page.revision
    while office.deliver():
        pass
    assert [f"{match}.{revision}" for revision in range(1, moves + 1)] == [heard.name for heard in endpoint.heard]
    story, lines = office.referee.chronicle(match)
    public = [[event.kind for event in events if event.known_to is None] for _, events in story.go_on(lines)]
    assert public == [[event["kind"] for event in heard.said["moved"]["events"]] for heard in endpoint.heard]
    assert [False] * (moves - 1) + [True] == [heard.said["over"] for heard in endpoint.heard]
    dealt = [event for event in endpoint.heard[0].said["moved"]["events"] if event["kind"] == "dealt"]
    assert dealt
    assert all(event["hidden"] and not event["cards"] for event in dealt)
    for secret in (OLD, NEW):
        Verifier(b64encode(secret).decode()).verify(endpoint.heard[0].body, endpoint.heard[0].headers)
    with pytest.raises(WebhookVerificationError):
        Verifier(b64encode(b"x" * 24).decode()).verify(endpoint.heard[0].body, endpoint.heard[0].headers)


def test_a_secret_is_not_told(office: Office, endpoint: Endpoint) -> None:
    """Of a signal to the partner a webhook hears nothing, not even that something was."""
    match = office.open(agreement=PARTNERS)
    while True:
        seen = office.referee.see(match)
        signals = [
            (seat, move) for seat in range(4) for move in legal(seen.game, seen.position, seat) if move.verb == "signal"
        ]
        if signals:
            break
        go_on(office.referee, match, 1)
    office.referee.play(match, Wish(*signals[0]))
    go_on(office.referee, match, 1)
    while office.deliver():
        pass
    assert "signal" not in " ".join(heard.body.decode() for heard in endpoint.heard)
    assert office.referee.see(match).page.revision == len(endpoint.heard) == len(office.referee.moves(match)) - 1


@pytest.mark.parametrize("status", [500, 302, 404, -1], ids=["fails", "points-elsewhere", "knows-nothing", "hangs"])
def test_again_until_it_is_there(office: Office, endpoint: Endpoint, status: int) -> None:
    """A webhook that fails or hangs is told again, later, under the same name; nothing is lost."""
    if status < 0:
        office.messenger._http.connection_pool_kw["timeout"] = 1.0
    endpoint.answers += [status, status]
    match = office.open()
    word = "timed_out" if status < 0 else "failed"
    assert [word] == office.deliver()
    assert [] == office.deliver(patient=True)
    go_on(office.referee, match, 1)
    assert [word, "sent"] == office.deliver()
    assert ["sent"] == office.deliver()
    assert [] == office.deliver()
    assert {f"{match}.1", f"{match}.2"} == set(endpoint.names())
    assert 3 == sum(heard.name.endswith(".1") for heard in endpoint.heard)


def test_the_pauses_grow() -> None:
    """From a second on each pause is twice the one before, up to an hour; after half a day it is given up."""
    assert [1_000, 2_000, 4_000, 8_000] == [wait_after(tries) for tries in range(1, 5)]
    assert 3_600_000 == wait_after(MOST_TRIES)
    assert 11 < sum(map(wait_after, range(1, MOST_TRIES))) / 3_600_000 < 13
    assert [10_000, 10_000, 16_000] == [pause(1), pause(4), pause(5)]


def test_a_pause_that_is_over(make: Make, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failure the next try comes when its pause is over, from whichever worker looks."""
    monkeypatch.setattr(messenger, "FIRST_PAUSE", 300)
    here, there = Office(make(), endpoint.hook), Office(make(), endpoint.hook)
    endpoint.answers.append(500)
    here.open()
    assert ["failed"] == here.deliver(patient=True)
    begun = time.monotonic()
    until(lambda: there.deliver(patient=True) == ["sent"], "another worker has sent it", 5)
    assert time.monotonic() - begun > 0.2


def test_given_up(office: Office, endpoint: Endpoint) -> None:
    """What was tried too often is given up, and what is gone for good at once."""
    endpoint.answers += [500, 410]
    match = office.open()
    (parcel,) = office.post.collect("acme", 1, lambda _: 0)
    assert (True, "given_up") == office.messenger.deliver(office.hook, parcel._replace(tries=MOST_TRIES))
    go_on(office.referee, match, 1)
    assert ["given_up"] == office.deliver()
    assert [] == office.deliver()


def test_a_worker_falls(office: Office, make: Make, endpoint: Endpoint) -> None:
    """What one worker has opened and never sent another one sends."""
    match = office.open()
    assert 1 == len(office.post.collect("acme", 1, pause))
    assert [] == office.post.collect("acme", 1, pause)
    other = Office(make(), endpoint.hook)
    assert ["sent"] == other.deliver()
    assert [f"{match}.1"] == endpoint.names()


def test_moves_that_never_came(office: Office, endpoint: Endpoint) -> None:
    """A parcel whose moves were never added is thrown away, but not before they had time to come."""
    match = office.open()
    office.deliver()
    office.post.announce("acme", match, 1, 2)
    assert ["nothing_yet"] * 4 == [word for _ in range(6) for word in office.deliver()]
    office.post.announce("acme", match, 1, 2)
    assert ["nothing_yet"] == office.deliver()
    go_on(office.referee, match, 1)
    assert ["sent", "sent"] == office.deliver()
    office.post.announce("acme", "no-such-match", 0, 1)
    assert ["nothing_yet"] * 4 == [word for _ in range(6) for word in office.deliver()]
    assert [f"{match}.1", f"{match}.2"] == endpoint.names()


def test_ended(office: Office, endpoint: Endpoint) -> None:
    """The end before the time is told too; a match of another platform, or of none, is nobody's business."""
    match = office.open()
    for platform in ("", "other"):
        go_on(office.referee, office.open(platform), 3)
    office.referee.end(match)
    office.deliver()
    assert [f"{match}.1", f"{match}.ended"] == endpoint.names()
    assert ("match.ended", True) == (endpoint.heard[-1].said["type"], endpoint.heard[-1].said["over"])


def test_a_store_that_has_lost_everything(office: Office, endpoint: Endpoint, raw: Any) -> None:
    """Where the group is gone with everything else it is made anew."""
    office.open()
    office.deliver()
    raw.flushall()
    match = office.open()
    with pytest.raises(StoreAway):
        office.deliver()
    assert ["sent"] == office.deliver()
    assert f"{match}.1" == endpoint.names()[-1]


@pytest.mark.parametrize(
    ("line", "because"),
    [
        ("acme http://x", "line 1 of the webhooks is not"),
        ("acme ftp://x whsec_" + "A" * 32, "no http or https URL"),
        ("acme http:// whsec_" + "A" * 32, "no http or https URL"),
        ("acme http://[::[1]/ whsec_" + "A" * 32, "line 1 of the webhooks names no http or https URL"),
        ("acme http://x whsec_AAAA", "base64 of 24 to 64 bytes"),
        ("acme http://x whsec_!!!", "base64 of 24 to 64 bytes"),
        (f"a http://x whsec_{'A' * 32}\na http://y whsec_{'A' * 32}", "two webhooks"),
    ],
)
def test_lines_that_say_nothing(line: str, because: str) -> None:
    """A line that cannot be read is named by its number, and its secret is not told."""
    with pytest.raises(BadWebhooks, match=because) as failed:
        read_webhooks(line)
    assert "AAAA" not in str(failed.value)
    assert "!!!" not in str(failed.value)


def test_a_service_with_webhooks(serve: Serve, endpoint: Endpoint) -> None:
    """From file to webhook: a platform's match is told as it is played, and the metrics count it."""
    key, folder = "a key of the platform", "settings"
    hook = f"acme {endpoint.url} whsec_{b64encode(NEW).decode()} # the only one"
    flags = ("--api-keys", f"acme all {digest_of(key)}", "--webhooks", hook)
    with Chitarrella(serve(*flags, folder=folder).grpc, api_key=key) as client:
        match = client.create_match("briscola")
        for _ in range(4):
            moves = match.moves()
            match.as_seat(moves.seat or 0).play(moves[0])
        until(lambda: len(endpoint.names()) == 5, "all was told", 10)
        match.end()
        until(lambda: f"{match.id}.ended" in endpoint.names(), "the end was told", 10)
    assert [f"{match.id}.{revision}" for revision in range(1, 6)] == sorted(endpoint.names())[:5]
