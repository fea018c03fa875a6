"""A chat bot with tables of Briscola: two chats play each other, or one plays a bot of the service.

It speaks the Bot API of Telegram, by long polling. The keys of the seats stay in this process.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

import httpx

from chitarrella_client import AsyncChitarrella, AsyncMatch, ChitarrellaError, Event, card_images

POLL_SECONDS = 30
HELP = "/play: play a bot. /open: open a table. /join CODE: join it. /quit: leave. Ab, or another card: play it."


class BotApiError(Exception):
    """The Bot API refused a call."""


class Player(NamedTuple):
    """A chat at a seat: the match with the key of the seat and with the referee's, and the task that sends updates."""

    match: AsyncMatch
    referee: AsyncMatch
    task: asyncio.Task[None]


class Bot:
    """The tables, by the chats that play at them."""

    def __init__(self, api: httpx.AsyncClient, client: AsyncChitarrella) -> None:
        self.api, self.client = api, client
        self.open_tables: dict[str, int] = {}
        self.players: dict[int, Player] = {}

    async def call(self, method: str, **parameters: Any) -> Any:
        """Call a method of the Bot API, again if it fails for now; no error has the address, which has the token."""
        while True:
            try:
                answer = (await self.api.post(method, json=parameters)).json()
            except (httpx.TransportError, ValueError):  # no connection, or not the Bot API
                answer = {"ok": False, "error_code": 503}
            if answer["ok"]:
                return answer["result"]
            if answer["error_code"] != 429 and answer["error_code"] < 500:
                raise BotApiError(f"{method}: {answer['error_code']} {answer['description']}")
            await asyncio.sleep(answer.get("parameters", {}).get("retry_after", 1))

    async def send(self, chat: int, text: str, buttons: Iterable[str] = ()) -> None:
        """Send a text; a button sends its own text back."""
        keyboard = {"keyboard": [list(buttons)], "resize_keyboard": True} if buttons else {"remove_keyboard": True}
        try:
            await self.call("sendMessage", chat_id=chat, text=text, reply_markup=keyboard)
        except BotApiError as error:  # such as a chat that has blocked the bot
            print(error, file=sys.stderr)

    async def run(self) -> None:
        """Answer one message after the other."""
        offset = 0
        while True:
            for update in await self.call("getUpdates", offset=offset, timeout=POLL_SECONDS):
                offset = update["update_id"] + 1
                try:
                    await self.take(update)
                except Exception as error:  # one update that cannot be read, or a fault, ends no other table
                    print(f"update {update['update_id']}: {type(error).__name__}", file=sys.stderr)

    async def take(self, update: dict[str, Any]) -> None:
        """Answer an update if it is a text from one person: a group would see the hand."""
        message = update.get("message", {})
        if message.get("text", "").strip() and message["chat"]["type"] == "private":
            chat = message["chat"]["id"]
            try:
                await self.answer(chat, *message["text"].split()[:2])
            except ChitarrellaError as error:
                await self.send(chat, error.message)

    async def answer(self, chat: int, word: str, code: str = "") -> None:
        """Answer a message."""
        player, opener = self.players.get(chat), self.open_tables.get(code, chat)
        if player and word == "/quit":
            await player.referee.abort()  # which ends both watches
        elif player:
            result = await player.match.play("play_card", cards=word)
            if not result.accepted:
                await self.send(chat, result.refusals[0].message)
        elif word == "/play":
            await self.begin(chat)
        elif word == "/open":
            code = secrets.token_hex(3)
            self.open_tables[code] = chat
            await self.send(chat, f"The other player writes: /join {code}")
        elif word == "/join" and opener != chat and opener not in self.players:
            await self.begin(opener, chat)
        else:
            await self.send(chat, "There is no such table." if word == "/join" else HELP)

    async def begin(self, *chats: int) -> None:
        """Create a match of two chats, or of one and a bot."""
        options, bots = {"rubber_games": 1}, {1: "greedy"} if len(chats) == 1 else {}
        referee = await self.client.create_match("briscola", players=2, options=options, private=True, bots=bots)
        self.open_tables = {code: chat for code, chat in self.open_tables.items() if chat not in chats}
        for seat, chat in enumerate(chats):
            match = self.client.match(referee.id, referee.keys[seat])
            self.players[chat] = Player(match, referee, asyncio.create_task(self.follow(chat, match, seat)))

    async def follow(self, chat: int, match: AsyncMatch, seat: int) -> None:
        """Send a chat what its seat sees, until the match is finished or aborted."""
        try:
            async for update in match.watch():
                state = await match.get()
                lines = [line for event in update.events if (line := sentence(event, seat))]
                # If the match has gone on, another update follows.
                on_turn = state.view.turn == seat and state.revision == update.revision
                hand = state.view.zone("hand", seat).cards if on_turn else ()
                if on_turn:
                    lines.append(f"Your turn; {state.view.fact('trump')} are trumps. Your cards: {named(hand)}")
                if lines:
                    await self.send(chat, "\n".join(lines), hand)
            outcome = (await match.get()).view.outcome
            won = outcome is not None and seat in outcome.winners
            text = f"You have {'won' if won else 'lost'}." if outcome else "The table is closed."
        except ChitarrellaError as error:
            text = f"The table is lost: {error.message}"
        finally:
            del self.players[chat]
        await self.send(chat, text)


def named(cards: Iterable[str]) -> str:
    """Cards with their symbols and names."""
    return ", ".join(f"{card_images.card_image(card, 'Italian')} ({card})" for card in cards)


def sentence(event: Event, seat: int) -> str:
    """What the player at a seat reads of an event; may be empty."""
    if event.kind == "card_played" and event.seat != seat:
        return f"The other player plays {named(event.cards)}."
    return f"{'You take' if event.seat == seat else 'The other player takes'} the trick." * (
        event.kind == "trick_taken"
    )


async def main() -> None:
    """Run until something fails that will not pass."""
    if not (token := os.environ.get("BOT_TOKEN")):
        sys.exit("Set BOT_TOKEN to the token of the bot.")
    url = f"{os.environ.get('BOT_API', 'https://api.telegram.org')}/bot{token}/"
    address = os.environ.get("CHITARRELLA", "127.0.0.1:50051")
    async with httpx.AsyncClient(base_url=url, timeout=POLL_SECONDS + 10) as api, AsyncChitarrella(address) as client:
        try:
            await client.game("briscola")  # fails now rather than at the first table
            await Bot(api, client).run()
        except (BotApiError, ChitarrellaError) as error:
            sys.exit(str(error))


if __name__ == "__main__":
    asyncio.run(main())
