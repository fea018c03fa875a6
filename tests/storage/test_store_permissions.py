"""A store whose user may not run every command: the probe fails, and the log says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from chitarrella.storage.redis_store import RedisStore, connect
from tests.loop_stores import WRAPS, Wrap, loop_store
from tests.servers import Server, redis_7, redis_8
from tests.storage.rows import away


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("command", ["hset", "lpos", "zadd", "publish", "spublish", "evalsha"])
def test_probe_finds_what_a_user_may_not_do(
    server: Server, wrap: Wrap, command: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the store may not use a command, the probe fails, and the log names it; with it, it leaves nothing."""
    store = wrap(RedisStore(connect(server.url)))
    store.probe()
    assert 0 == server.ask("DBSIZE")
    server.ask("ACL", "SETUSER", "default", f"-{command}")
    away(store.probe)
    server.ask("ACL", "SETUSER", "default", f"+{command}")
    error = "NoPermissionError" if command == "evalsha" else "ResponseError ACL"
    assert [f"the store refuses a command: {error} {command}"] == caplog.messages
    store.probe()
    store.close()


@pytest.mark.parametrize("kind", ["redis-8", "redis-7"])
def test_log_names_the_acl_where_a_script_may_not_run_a_command(
    tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says that the user may not do it also where Redis 7.0 does not name the command."""
    path = redis_8() if kind == "redis-8" else redis_7()
    if path is None:
        pytest.skip("redis-7: there is no Redis 7 on the PATH; on Debian: apt-get install redis-server")
    server = Server(path, tmp_path)
    server.ask("ACL", "SETUSER", "default", "-spublish")
    store = RedisStore(connect(server.url))
    for one in (store, loop_store(store)):
        away(one.probe)
    command = " spublish" if kind == "redis-8" else ""
    assert [f"the store refuses a command: ResponseError ACL{command}"] * 2 == caplog.messages
    store.close()
    server.kill()
