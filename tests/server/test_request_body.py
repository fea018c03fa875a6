"""Bodies of requests that are never finished: refused by a worker itself, also without the edge."""

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from chitarrella import errors
from chitarrella.transports.rest import request_body
from chitarrella.transports.rest.request_body import BodyReader

ADDRESS, OTHER = "192.0.2.1", "192.0.2.2"
PART = b" " * 1024**2


async def parts(*bodies: bytes) -> bytes:
    """Read the body of a request whose client sends these parts, and then nothing more."""
    return await BodyReader(300).read(sending(*bodies), "", ADDRESS)


def sending(*bodies: bytes) -> request_body.Receive:
    left = list(bodies)

    async def receive() -> MutableMapping[str, Any]:
        if not left:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": left.pop(0), "more_body": True}

    return receive


def test_body_that_comes_too_slowly_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that does not come at the least pace is refused long before the time for a whole body is over."""
    monkeypatch.setattr(request_body, "SLOW_SECONDS", 0.1)
    with pytest.raises(errors.BadRequest, match="too slowly"):
        asyncio.run(parts(b"{", b" "))


def test_greatest_unfinished_body_is_refused() -> None:
    """Where unfinished bodies have too many bytes, one of the address with most of them is refused, and no other."""
    reader = BodyReader(300)

    async def read_all() -> tuple[list[BaseException], bool]:
        small = asyncio.create_task(reader.read(sending(b"{"), "", OTHER))
        great = [asyncio.create_task(reader.read(sending(*[PART] * 3), "", ADDRESS)) for _ in range(30)]
        ended, _ = await asyncio.wait([small, *great], return_when=asyncio.FIRST_COMPLETED, timeout=20)
        is_small_refused = small.done()
        for task in (small, *great):
            task.cancel()
        await asyncio.gather(small, *great, return_exceptions=True)
        return [error for task in ended if (error := task.exception())], is_small_refused

    refused, is_small_refused = asyncio.run(read_all())
    assert refused
    assert all(isinstance(error, errors.Overloaded) for error in refused)
    assert not is_small_refused
