"""The bot, against a live service and a stand-in of the Bot API."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from examples.programs import Program, Service
from tests.servers import until

HERE = Path(__file__).resolve().parent
TOKEN = "12345:the-token-of-the-bot"
ANNA, BRUNO = 101, 102
KEY = re.compile(r"[0-9a-f]{40}")
"""The form of a key of the service."""


class BotApi(ThreadingHTTPServer):
    """Answers `getUpdates`, which waits for updates, and `sendMessage`, as the Bot API does."""

    daemon_threads = False  # closing waits for them

    def __init__(self) -> None:
        """Listen on a free port of the loopback."""
        self.changed = threading.Condition()
        self.updates: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        self.closing = False
        self.overloaded = 0
        """How many calls are answered by an error that passes."""
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"

    def write(self, chat: int, text: str, kind: str = "private") -> None:
        """Send the bot a text from a chat."""
        with self.changed:
            message = {"chat": {"id": chat, "type": kind}, "text": text}
            self.updates.append({"update_id": len(self.updates) + 1, "message": message})
            self.changed.notify_all()

    def texts(self, chat: int) -> list[str]:
        """What a chat has received."""
        return [message["text"] for message in self.sent if message["chat_id"] == chat]

    def sent_after(self, count: int) -> list[dict[str, Any]]:
        """Wait until the bot has sent more than so many messages, and return the new ones."""
        return until(lambda: self.sent[count:], "the bot writes")

    def wait_for(self, chat: int, text: str) -> str:
        """Wait until a chat has received a message with a text in it, and return the message."""
        return until(lambda: next((one for one in self.texts(chat) if text in one), ""), f"{chat} receives {text!r}")


class Handler(BaseHTTPRequestHandler):
    """One request of the bot."""

    protocol_version = "HTTP/1.1"
    server: BotApi

    def do_POST(self) -> None:
        """Answer a call."""
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        *_, token, method = self.path.split("/")
        if token != f"bot{TOKEN}":
            self.answer({"ok": False, "error_code": 401, "description": "Unauthorized"}, 401)
        elif self.server.overloaded:
            self.server.overloaded -= 1
            retry = {"retry_after": 0}
            self.answer({"ok": False, "error_code": 429, "description": "Retry", "parameters": retry}, 429)
        elif method == "getUpdates":
            self.answer({"ok": True, "result": self.updates(request)})
        else:
            self.server.sent.append(request)
            self.answer({"ok": True, "result": {"message_id": len(self.server.sent)}})

    def updates(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        """The updates from an offset on, as soon as there are any."""
        with self.server.changed:
            self.server.changed.wait_for(
                lambda: self.server.closing or len(self.server.updates) >= request["offset"], request["timeout"]
            )
            return self.server.updates[max(request["offset"] - 1, 0) :]

    def answer(self, body: dict[str, Any], status: int = 200) -> None:
        """Send JSON."""
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Log nothing: the address has the token."""


@pytest.fixture
def api() -> Iterator[BotApi]:
    """A Bot API that runs."""
    server = BotApi()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    with server.changed:
        server.closing = True
        server.changed.notify_all()
    server.shutdown()
    server.server_close()


@pytest.fixture
def bot(api: BotApi, service: Service, start: Callable[..., Program]) -> Iterator[Program]:
    """The bot, which runs; it writes no error."""
    bot = run(start, service.grpc, BOT_API=api.url, BOT_TOKEN=TOKEN)
    yield bot
    assert "" == bot.output


def run(start: Callable[..., Program], address: str, **settings: str) -> Program:
    """Start the bot."""
    return start([sys.executable, "bot.py"], HERE, CHITARRELLA=address, **settings)


def play_out(api: BotApi, *chats: int) -> None:
    """Press the first button of each keyboard until every chat knows how the match ended."""
    seen = 0
    while any("You have" not in api.texts(chat)[-1] for chat in chats):
        messages = api.sent_after(seen)
        seen += len(messages)
        for message in messages:
            if buttons := message["reply_markup"].get("keyboard"):
                api.write(message["chat_id"], buttons[0][0])


@pytest.mark.usefixtures("bot")
def test_two_chats_play_each_other(api: BotApi) -> None:
    """Two chats play a match out: neither reads the other's cards before they are played, nor any key."""
    api.overloaded = 2
    api.write(ANNA, "/open")
    code = api.wait_for(ANNA, "/join").split()[-1]
    api.write(BRUNO, f"/join {code}")
    first = api.wait_for(BRUNO, "Your turn")  # seat 0 deals, seat 1 leads
    assert [] == [text for text in api.texts(ANNA) if "Your turn" in text]
    hand = re.findall(r"\((\w+)\)", first.splitlines()[-1])
    assert 3 == len(hand)
    play_out(api, ANNA, BRUNO)
    assert {"You have won.", "You have lost."} == {api.texts(ANNA)[-1], api.texts(BRUNO)[-1]}
    tricks = sum(text.count("You take") for chat in (ANNA, BRUNO) for text in api.texts(chat))
    assert (True, 0) == (tricks > 0, tricks % 20), "a deal that is drawn is followed by another"
    before, played, _ = "\n".join(api.texts(ANNA)).partition("The other player plays")
    assert played
    assert not any(f"({card})" in before for card in hand)
    assert not any(KEY.search(json.dumps(message)) for message in api.sent)


@pytest.mark.usefixtures("bot")
def test_a_chat_plays_a_bot_of_the_service(api: BotApi) -> None:
    """One chat plays a bot, is told why a move is refused, and may leave and begin again."""
    api.write(ANNA, "/play")
    api.wait_for(ANNA, "Your turn")
    api.write(ANNA, "Zz")
    api.wait_for(ANNA, "'Zz' is no card of the Italian pack")
    api.write(ANNA, "/quit")
    api.wait_for(ANNA, "The table is closed.")
    played = len(api.sent)
    api.write(ANNA, "/play")
    turn = until(lambda: [one for one in api.sent[played:] if "Your turn" in one["text"]], "it is Anna's turn")
    api.write(ANNA, turn[0]["reply_markup"]["keyboard"][0][0])
    until(lambda: [one for one in api.sent[played:] if "the trick." in one["text"]], "the bot has played too")


@pytest.mark.usefixtures("bot")
def test_what_the_bot_does_not_do(api: BotApi) -> None:
    """A wrong word is answered with the help, a wrong code with a message, and a group not at all."""
    api.write(-1, "/play", "supergroup")
    api.write(ANNA, "hello")
    api.wait_for(ANNA, "/join CODE")
    api.write(ANNA, "/join 123456")
    api.wait_for(ANNA, "There is no such table.")
    assert [] == api.texts(-1)


def test_one_bad_update_ends_nothing_else(api: BotApi, service: Service, start: Callable[..., Program]) -> None:
    """Blank texts, other kinds of updates and malformed ones are passed over, and a table goes on."""
    bot = run(start, service.grpc, BOT_API=api.url, BOT_TOKEN=TOKEN)
    api.write(ANNA, "/play")
    api.wait_for(ANNA, "Your turn")
    blank = {"chat": {"id": ANNA, "type": "private"}, "text": " \n"}
    with api.changed:
        messages: tuple[Any, ...] = (blank, {"sticker": {}}, {}, None, {"text": 5})
        for message in messages:
            api.updates.append({"update_id": len(api.updates) + 1, "message": message})
    api.write(ANNA, "Zz")
    api.wait_for(ANNA, "'Zz' is no card of the Italian pack")
    assert "update 5: AttributeError\nupdate 6: AttributeError\n" == bot.output


def test_the_bot_ends_with_a_clear_error(api: BotApi, service: Service, start: Callable[..., Program]) -> None:
    """A token that is missing or refused ends the bot with one line, which does not hold the token."""
    for token, line in (
        ("12345:wrong", "getUpdates: 401 Unauthorized"),
        ("", "Set BOT_TOKEN to the token of the bot."),
    ):
        bot = run(start, service.grpc, BOT_API=api.url, BOT_TOKEN=token)
        assert (1, f"{line}\n") == (bot.exit_status(), bot.output)
