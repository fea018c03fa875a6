"""``chitarrella serve``: the service, with a real store of its own unless another is named."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Semaphore
from pathlib import Path
from typing import cast

import click

from chitarrella.embedded import EmbeddedFailed, EmbeddedValkey
from chitarrella.observation import log_to_stderr
from chitarrella.platforms import BadKeys, read_lines
from chitarrella.proving import read_signer
from chitarrella.redis_store import connect
from chitarrella.settings import Settings, host_and_port
from chitarrella.store import StoreAway
from chitarrella.webhooks import BadWebhooks, read_webhooks
from chitarrella.worker import Worker, bound, event_loop

DEFAULTS = Settings()
SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_TO_STOP = 15.0
LEVELS = ("debug", "info", "warning", "error")


def address(_: click.Context, __: click.Parameter, value: str) -> str:
    """Check an address on the command line."""
    try:
        host_and_port(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return value


@click.command(
    epilog="Every option can be set as an environment variable too, such as CHITARRELLA_REDIS_URL; the addresses are "
    "CHITARRELLA_GRPC_ADDRESS and CHITARRELLA_REST_ADDRESS. A Sentinel is named "
    "redis+sentinel://host:26379,host:26379/SERVICE, a cluster redis+cluster://host:6379,host:6379."
)
@click.option("--grpc", envvar="CHITARRELLA_GRPC_ADDRESS", default=DEFAULTS.grpc, callback=address, show_default=True,
              help="Where gRPC listens; port 0 takes a free one.")  # fmt: skip
@click.option("--rest", envvar="CHITARRELLA_REST_ADDRESS", default=DEFAULTS.rest, callback=address, show_default=True,
              help="Where REST, Connect, gRPC-Web and the docs listen.")  # fmt: skip
@click.option("--redis-url", envvar="CHITARRELLA_REDIS_URL", default="",
              help="The Redis or Valkey that keeps the matches; without it one is started, see --data.")  # fmt: skip
@click.option("--data", envvar="CHITARRELLA_DATA", type=click.Path(file_okay=False, path_type=Path),
              default=DEFAULTS.data, show_default=True, help="Where the store of its own keeps its data.")  # fmt: skip
@click.option("--prefix", envvar="CHITARRELLA_PREFIX", default=DEFAULTS.prefix, show_default=True,
              help="What every key in the store begins with.")  # fmt: skip
@click.option("--workers", envvar="CHITARRELLA_WORKERS", type=click.IntRange(1, 64), default=1, show_default=True,
              help="Processes that share the ports (Linux).")  # fmt: skip
@click.option("--expires", envvar="CHITARRELLA_EXPIRES", type=click.IntRange(60), default=DEFAULTS.expires,
              show_default=True, help="Seconds after a move, or the clock's end, to forget a match.")  # fmt: skip
@click.option("--heartbeat", envvar="CHITARRELLA_HEARTBEAT", type=click.FloatRange(0.1), default=DEFAULTS.heartbeat,
              show_default=True, help="Seconds of silence after which a watcher hears a heartbeat.")  # fmt: skip
@click.option("--log-level", envvar="CHITARRELLA_LOG_LEVEL", type=click.Choice(LEVELS), default="info",
              show_default=True, help="How much is logged, as JSON on the standard error.")  # fmt: skip
@click.option("--api-keys", envvar="CHITARRELLA_API_KEYS", default="", hidden=True)
@click.option("--api-keys-file", envvar="CHITARRELLA_API_KEYS_FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Serve only platforms whose API keys stand here; see 'chitarrella key'.")  # fmt: skip
@click.option("--signing-key-file", "signing_key", envvar="CHITARRELLA_SIGNING_KEY_FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Sign finished records with this Ed25519 key: openssl genpkey -algorithm ed25519.")  # fmt: skip
@click.option("--webhooks", envvar="CHITARRELLA_WEBHOOKS", default="", hidden=True)
@click.option("--webhooks-file", envvar="CHITARRELLA_WEBHOOKS_FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Tell the webhooks of platforms that stand here, PLATFORM URL SECRET a line.")  # fmt: skip
def command(
    redis_url: str,
    data: Path,
    api_keys: str,
    api_keys_file: Path | None,
    webhooks: str,
    webhooks_file: Path | None,
    **rest: object,
) -> None:
    """Serve the rules, and matches, over gRPC, REST, Connect and gRPC-Web."""
    keys = f"{api_keys}\n{api_keys_file.read_text() if api_keys_file else ''}"
    hooks = f"{webhooks}\n{webhooks_file.read_text() if webhooks_file else ''}"
    try:
        known = {line.name for line in read_lines(keys)}
        if unknown := {hook.platform for hook in read_webhooks(hooks)} - known:
            raise BadWebhooks(f"the webhooks name {min(unknown)}, a platform without an API key")
        if rest["signing_key"]:
            read_signer(cast(Path, rest["signing_key"]))
    except (BadKeys, ValueError) as error:
        raise click.ClickException(str(error)) from error
    given = {"redis_url": redis_url, "data": data, "api_keys": keys, "webhooks": hooks, **rest}
    settings = Settings(**given)  # type: ignore[arg-type]  # click has checked the types
    log_to_stderr(settings.log_level)
    with ExitStack() as stack:
        if not redis_url:
            try:
                embedded = EmbeddedValkey(data)
            except (EmbeddedFailed, OSError) as error:
                raise click.ClickException(str(error)) from error
            stack.callback(embedded.stop)
            stack.enter_context(ended_with(embedded))
            redis_url = embedded.url
        try:
            if settings.workers == 1:
                work(settings, redis_url, partial(greet, settings), share=False)
            else:
                work_together(settings, redis_url)
        except (OSError, RuntimeError, ValueError, StoreAway) as error:
            raise click.ClickException(str(error)) from error


@contextmanager
def ended_with(embedded: EmbeddedValkey) -> Iterator[None]:
    """Stop the service when its own store ends unasked: it cannot come back, and whoever supervises must know."""
    lost = threading.Event()

    def watch() -> None:
        if embedded.wait():
            lost.set()
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="embedded", daemon=True).start()
    yield
    if lost.is_set():
        raise click.ClickException(f"the embedded Valkey has ended; see valkey.log in {embedded.folder}")


def work(settings: Settings, redis_url: str, listening: Callable[[int, int], None], *, share: bool) -> None:
    """Run one worker until a signal says stop; ``listening`` is told its ports when it does."""

    async def run() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        await Worker(settings, redis_url).run(listening, stop, share=share)

    with asyncio.Runner(loop_factory=event_loop()) as runner:
        runner.run(run())


def work_together(settings: Settings, redis_url: str) -> None:
    """Run several workers on the same ports; when one fails it is replaced, when told to stop all are."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    connect(redis_url).close()  # an address that cannot be read is found out here, not in every worker
    grpc, rest = bound(settings.grpc, share=True), bound(settings.rest, share=True)
    ports = grpc.getsockname()[1], rest.getsockname()[1]
    settings = replace(
        settings,
        grpc=f"{settings.grpc.rpartition(':')[0]}:{ports[0]}",
        rest=f"{settings.rest.rpartition(':')[0]}:{ports[1]}",
    )
    workers = Workers(settings, redis_url)
    try:
        if workers.begin(stop):
            greet(settings, *ports)
        while not stop.wait(SECONDS_BETWEEN_LOOKS):
            workers.replace()
    finally:
        workers.stop()


class Workers:
    """The worker processes of one service."""

    def __init__(self, settings: Settings, redis_url: str) -> None:
        """Start as many as ``settings`` say."""
        self._spawn = multiprocessing.get_context("spawn")
        self._listening = self._spawn.Semaphore(0)
        self._work = (settings, redis_url, self._listening)
        self._processes = [self._one() for _ in range(settings.workers)]

    def _one(self) -> SpawnProcess:
        process = self._spawn.Process(target=_work_silently, args=self._work)
        process.start()
        return process

    def begin(self, stop: threading.Event) -> bool:
        """Wait until all listen; False where ``stop`` comes first, `RuntimeError` where one of them ends."""
        for _ in self._processes:
            while not self._listening.acquire(timeout=SECONDS_BETWEEN_LOOKS):
                if stop.is_set():
                    return False
                if not all(process.is_alive() for process in self._processes):
                    raise RuntimeError("a worker has failed to start; the log says why")
        return True

    def replace(self) -> None:
        """Start another one for each that has ended."""
        self._processes = [process if process.is_alive() else self._one() for process in self._processes]

    def stop(self) -> None:
        """Tell all of them to stop, and wait for it."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join(SECONDS_TO_STOP)
            process.kill()


def _work_silently(settings: Settings, redis_url: str, listening: Semaphore) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    log_to_stderr(settings.log_level)
    work(settings, redis_url, lambda *_: listening.release(), share=True)


def _end_with_parent() -> None:
    """Stop this worker when the process that started it has ended without a word."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def greet(settings: Settings, grpc: int, rest: int) -> None:
    """Say where the service listens, and one line to try."""
    grpc_host, rest_host = (address.rpartition(":")[0] for address in (settings.grpc, settings.rest))
    place = f"http://{rest_host}:{rest}"
    store = settings.redis_url.rpartition("@")[2] or f"its own, in {settings.data.resolve()}"
    click.echo(f"gRPC   {grpc_host}:{grpc}\nREST   {place}\ndocs   {place}/docs\nstore  {store}\n")
    click.echo(f"try    curl -s {place}/v1/rules:trick -H 'content-type: application/json' \\")
    click.echo("""         -d '{"agreement": {"game": "briscola"}, "cards": ["5c", "3s"], "trump": "d"}'""")
    click.echo("\nCtrl-C stops.")
    sys.stdout.flush()
