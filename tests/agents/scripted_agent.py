"""A scripted agent: it plays by the tools alone, and keeps every text that it was shown."""

import json
import re
from typing import Any

from mcp import Client


class ScriptedAgent:
    def __init__(self, client: Client) -> None:
        self._client = client
        self.shown: set[str] = set()
        """Every word that the tools returned; a card is a word."""

    async def ask(self, tool: str, **arguments: Any) -> Any:
        """Call a tool and return its result, which is no error; the text and the data of it are the same."""
        result = await self._client.call_tool(tool, arguments)
        self.shown |= set(re.findall(r"\w+", result.model_dump_json()))
        assert not result.is_error, result.content
        (content,) = result.content
        assert content.type == "text"
        assert without_empty(result.structured_content) == json.loads(content.text)
        return result.structured_content

    async def fail(self, tool: str, **arguments: Any) -> Any:
        result = await self._client.call_tool(tool, arguments)
        self.shown |= set(re.findall(r"\w+", result.model_dump_json()))
        assert result.is_error, result.content
        assert result.structured_content is not None
        return result.structured_content["code"]

    async def play_first(self, view: Any) -> Any:
        """Make the first legal move of a view and return the view after it."""
        played = await self.ask("play_move", move=view["legal_moves"][0])
        assert played["accepted"], played
        return played["match"]


def without_empty(data: Any) -> Any:
    """Plain data without the keys that are None or empty, as models read it."""
    if isinstance(data, dict):
        return {key: without_empty(value) for key, value in data.items() if value not in (None, "", [], {})}
    return [without_empty(value) for value in data] if isinstance(data, list) else data


def hand_of(view: Any, seat: int) -> list[str]:
    (zone,) = (one for one in view["zones"] if (one["name"], one["seat"]) == ("hand", seat))
    cards: list[str] = zone["cards"]
    return cards
