"""Mistakes of callers, and what no text of the client shows."""

import gc
import pprint
import re
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import chitarrella_client
from chitarrella_client import AsyncChitarrella, Chitarrella, CreatedWebhook, Match, Webhook, errors
from chitarrella_client.connection import Secret
from tests.client.conftest import Opens, serve
from tests.server.process import Service, watchers
from tests.servers import until

WRONG = r"""
client.create_match("cucu", pack_source="client") ! pack_source takes 'service' or 'referee' or 'shared', not 'client'
client.create_match("cucu", bots=["greedy"]) ! bots takes bots by seat, such as {1: 'greedy'}, or BotSeats, not list
client.create_match("cucu", bots=[c.BotSeat(1, "easy", delay=1)]) ! delay takes a timedelta or None, not 1
client.create_match("cucu", clock=3) ! clock takes seconds for a move, for the bank, and added, such as (0, 300, 5)
client.import_match("", player_names=["Ada"]) ! player_names takes names by seat, such as {0: 'Ada'}, not list
client.create_match("cucu", players="3") ! players takes a whole number, not text
client.create_match("cucu", players=-1) ! players takes a whole number, not -1, which is out of range
client.create_match(c.RuleSet("cucu", players="3")) ! players takes a whole number, not text
c.ask.start_game("cucu", options=[]) ! options takes a mapping of text to text or a whole number or True or False
client.create_match("cucu", plyers=2) ! create_match() has no argument 'plyers'; did you mean players?
client.create_match() ! create_match(): missing a required argument: 'game'
client.match("m").play("show", card="Ab") ! play() has no argument 'card'; did you mean cards?
client.create_match("cucu").play("x Ab", cards="Ab") ! a move with arguments of its own takes no others
client.match("m").play(c.Move("x", "Ab")) ! cards takes a list, of which each is text, not text
client.rules.legal_moves(c.PartialPosition("harjan", hands=[])) ! hands takes a mapping of a whole number to text
client.get_matches("abc") ! match_ids takes a list, of which each is text, not text
client.match("m", "secret\n") ! the key has a character that no key has, such as a line break
client.match("m").as_seat("secret") ! seat takes a whole number or None, not text
"""
"""Wrong calls, and how their errors begin."""


@pytest.mark.parametrize("line", WRONG.split("\n")[1:-1], ids=lambda line: line.partition(" ! ")[0])
def test_wrong_argument_names_itself(line: str, client: Chitarrella) -> None:
    """A wrong argument is refused before the call, by its name and what it takes, without its text."""
    wrong, _, says = line.partition(" ! ")
    with pytest.raises((TypeError, ValueError), match=rf"^{re.escape(says)}") as refused:
        eval(wrong, {"client": client, "c": chitarrella_client})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("client", [Chitarrella, AsyncChitarrella])
def test_address(client: type[Any]) -> None:
    """A text that is no address is refused at once; every address that gRPC can connect to is taken."""
    for target in ("http://127.0.0.1:50051", "127.0.0.1:50051/v1", "127.0.0.1", "::1", "127.0.0.1:99999", "[::1]"):
        with pytest.raises(ValueError, match=r"leave out http://|has no port|is no number from 1 to 65535"):
            client(target)
    for target in ("[::1]:50051", "unix:/run/chitarrella", "dns:///rules.example:50051"):
        client(target)


def test_wrong_port_and_tls(opens: Opens, service: Service) -> None:
    """Where REST is and no gRPC, or no TLS, the error says so; after `close` that the client is closed."""
    rest = service.rest.removeprefix("http://")
    for client, says in (opens(rest, retries=0), "port of REST"), (opens(tls=True, retries=0), "leave out ``tls``"):
        with pytest.raises(errors.Unavailable, match=says):
            client.game("briscola")
        client.close()
        with pytest.raises(RuntimeError, match="the client is closed"):
            client.game("briscola")


def parts(thing: Any, seen: dict[int, Any]) -> Iterator[Any]:
    """Yield an object with everything of this package that it holds, and the containers of that."""
    held = list(thing.items()) if hasattr(thing, "items") else list(thing) if isinstance(thing, tuple | list) else []
    if type(thing).__module__.startswith("chitarrella_client") and not isinstance(thing, Secret):
        held += getattr(thing, "__dict__", {}).values()
        held += [getattr(thing, name, None) for name in getattr(type(thing), "__slots__", ())]
    if held and id(thing) not in seen:
        seen[id(thing)] = thing
        yield thing
        for part in held:
            yield from parts(part, seen)


def printed(thing: Any) -> str:
    """All the ways in which an object, or what it holds, comes into a text by itself."""
    inner = getattr(thing, "__dict__", {})
    return f"{thing} {thing!r} {[thing]} {pprint.pformat(thing)} {inner} {pprint.pformat(inner)}"


def test_no_text_shows_a_key(opens: Opens) -> None:
    """No object, container or exception shows a key, however it is printed; the attributes that are keys give it."""
    client = opens(api_key="the-platform-key")
    match = client.create_match("briscola")
    seat, watch = match.as_seat(0), client.match(match.id, match.key).watch()
    failed: list[BaseException] = []
    for call in (client.match(match.id, "the-secret").get, client.match("m", match.key).abort):
        with pytest.raises(errors.ChitarrellaError) as caught:
            call()
        failed.append(caught.value)
    things = [getattr(one, "_inner", one) for one in (client, match, seat, watch)]
    things.append(CreatedWebhook(Webhook("w", "https://example.org"), Secret("the-secret")))
    found = [part for thing in things for part in parts(thing, {})]
    assert {"Connection", "SeatAccess", "CreatedWebhook", "mappingproxy"} <= {type(part).__name__ for part in found}
    text = " ".join(map(printed, [*found, *failed]))
    for error in failed:
        frames = traceback.TracebackException.from_exception(error, capture_locals=True).stack
        text += str([frame.locals for frame in frames if re.search("chitarrella_client|/grpc/", frame.filename)])
    for key in (match.key, *match.keys.values(), seat.key, "the-platform-key", "the-secret"):
        assert len(str(key)) > 9
        assert key not in text


# ---------------------------------------------------------------------- watches that are dropped


def leave(match: Match, how: str) -> None:
    """Watch, and stop in one of the ways in which a program stops."""
    held: list[Any] = [match.watch()]
    if how == "garbage":
        held.append(held)
    for _ in held[0]:
        if how == "break":
            break
        if how == "exception":
            raise ZeroDivisionError
        return


def test_dropped_watch_ends_its_call(opens: Opens, tmp_path: Path) -> None:
    """A watch that is left in any way without being closed leaves no call behind, neither here nor in the service."""
    service = serve(tmp_path)
    seat = opens(service.grpc).create_match("briscola").as_seat(0)
    for how in ("break", "return", "exception", "garbage") * 5:
        with suppress(ZeroDivisionError):
            leave(seat, how)
    gc.collect()
    until(lambda: 0 == watchers(service), "no watcher is left")
    assert 1 == seat.get().revision
    service.clear_away()
