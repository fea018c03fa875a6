"""The asyncio face as if it were the face for threads, so that one test holds for both."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

from chitarrella_client import AsyncChitarrella


class Loop:
    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, awaited: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(awaited, self._loop).result(60)

    def call(self, function: Any, *arguments: Any, **named: Any) -> Any:
        """Call on the loop something that is not awaited, and wait for the result if it is."""

        async def calling() -> Any:
            result = function(*arguments, **named)
            return await result if inspect.isawaitable(result) else result

        return self.run(calling())

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()


class Blocking:
    """Anything of the asyncio face; awaits what is to be awaited."""

    def __init__(self, inner: Any, loop: Loop) -> None:
        self._inner = inner
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        """The attribute of the wrapped object, itself wrapped."""
        return self._wrapped(getattr(self._inner, name))

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call what is inside, and wait for the end of it."""
        return self._wrapped(self._loop.call(self._inner, *arguments, **named))

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            return self._wrapped(self._loop.call(self._inner.__anext__))
        except StopAsyncIteration:
            raise StopIteration from None

    def __enter__(self) -> Blocking:
        self._loop.call(self._inner.__aenter__)
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call(self._inner.__aexit__, *error)

    def __repr__(self) -> str:
        return repr(self._inner)

    def _wrapped(self, value: Any) -> Any:
        ours = type(value).__module__.startswith("chitarrella_client.aio")
        return Blocking(value, self._loop) if ours or callable(value) or isinstance(value, AsyncIterator) else value


def blocking(loop: Loop, address: str, *arguments: Any, **named: Any) -> Any:
    """Open the asyncio face; it has the methods of the face for threads."""
    return Blocking(AsyncChitarrella(address, *arguments, **named), loop)
