"""The Lua scripts of the store."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from hashlib import sha1
from pathlib import Path
from typing import Any

from redis.exceptions import AskError, NoScriptError

from chitarrella.storage.durability import SERVER_DECIDES, NotDurable
from chitarrella.storage.loop_calls import is_on_loop
from chitarrella.storage.redis_connection import RedisConnection

LOG = logging.getLogger("chitarrella")
SCRIPTS = Path(__file__).parent / "scripts"
"""The folder of the scripts."""


class Script:
    """A Lua script, sent by its digest, and in full to a server that does not know it.

    redis-py would send it to every node of a cluster then, and so to none where one of them is down.
    """

    def __init__(self, connection: RedisConnection, name: str, *, is_durable: bool = False) -> None:
        """Read the script ``name``; one that ``is_durable`` waits for the durability of ``connection``."""
        self._connection = connection
        self._name = name
        self._durability = connection.durability if is_durable else SERVER_DECIDES
        self._text = (SCRIPTS / f"{name}.lua").read_text()
        self._sha = sha1(self._text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: list[str], args: Sequence[str | int]) -> Any:
        """Run the script. Raises `StoreError`; `NotDurable` where its write has not reached what it must reach."""
        run = self._run_and_wait if self._durability.command else self._run
        return self._connection.execute(lambda: run(keys, args), keys[0], self._name)

    def _run(self, keys: list[str], args: Sequence[str | int]) -> Any:
        client = self._connection.client
        try:
            return client.evalsha(self._sha, len(keys), *keys, *args)
        except NoScriptError:
            return client.eval(self._text, len(keys), *keys, *args)

    def _run_and_wait(self, keys: list[str], args: Sequence[str | int]) -> Any:
        """Run the script and wait, in one round trip; on another connection it would not be waited for."""
        try:
            return self._send("EVALSHA", self._sha, keys, args)
        except NoScriptError:
            return self._send("EVAL", self._text, keys, args)

    def _send(self, command: str, script: str, keys: list[str], args: Sequence[str | int]) -> Any:
        write = (command, script, len(keys), *keys, *args)
        if is_on_loop():
            answer, waited = self._connection.loop_client().send_durably(write)
        else:
            answer, waited = self._send_in_pipeline(write, keys[0])
        for one in (answer, waited):
            if isinstance(one, Exception):
                raise one
        if not self._durability.is_reached(waited):
            LOG.warning("a write has not reached its replicas and disks in time")
            raise NotDurable("not durable")
        return answer

    def _send_in_pipeline(self, write: Sequence[str | int], key: str) -> Sequence[Any]:
        pipeline = self._connection.connection_of(key).pipeline(transaction=False)
        pipeline.execute_command(*write)
        pipeline.execute_command(*self._durability.command)
        answers: list[Any] = pipeline.execute(raise_on_error=False)
        if isinstance(answers[0], AskError):
            self._connection.client.nodes_manager.initialize()  # the key has moved: ask where it is now
        return answers
