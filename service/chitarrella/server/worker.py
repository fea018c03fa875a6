"""The composition root: wires the parts of a worker and runs it until it is stopped.

A worker is one process: gRPC and HTTP on one asyncio loop, in front of one dispatcher and one store.
Several workers share the ports and the store, and nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from ctypes import c_bool
from functools import partial
from typing import TYPE_CHECKING

from chitarrella import errors
from chitarrella.api.admin import draining_flag
from chitarrella.api.api_keys import (
    DEFAULT_AUDIENCE,
    ApiKeys,
    ClosedApiKeys,
    TokenVerifier,
    parse_api_keys,
    parse_token_keys,
)
from chitarrella.api.call_threads import AsyncCalls
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.api.hosting import MatchHost
from chitarrella.catalogue.registry import Catalogue, open_catalogue
from chitarrella.matches.archive import ArchivedMatches, Archiver
from chitarrella.matches.chance import load_signer
from chitarrella.matches.clock import now_ms
from chitarrella.matches.log_writer import OnAppend
from chitarrella.matches.model import MatchLimits, RunLong
from chitarrella.matches.service import MatchService
from chitarrella.matches.webhooks import WebhookRegistry, WebhookService
from chitarrella.runtime.limiter import RateLimiter, WatchCounter
from chitarrella.runtime.telemetry import Telemetry
from chitarrella.runtime.threads import BoundedExecutor, FairPool
from chitarrella.server.process import bind, tune_gc
from chitarrella.server.settings import Settings, open_otlp
from chitarrella.storage.archive import ArchiveQueue, MatchCopyStore, open_archive
from chitarrella.storage.counters import ClosedApiKeyStore, OpenMatchStore, RateStore, parse_rate
from chitarrella.storage.pipelined_client import run_long, run_on_loop
from chitarrella.storage.redis_connection import Durability, ObserveCommand
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import Backlog, StoreError
from chitarrella.storage.webhooks import Outbox, WebhookStore, WebhookStores
from chitarrella.transports.grpc_server import GrpcServer
from chitarrella.transports.http_server import AsgiApp, HttpServer
from chitarrella.transports.rest.app import HttpApp, make_admin_app, make_app
from chitarrella.transports.rest.flask_bridge import AdminApp
from chitarrella.transports.rest.middleware import Cors, parse_public_url
from chitarrella.transports.rest.problems import MALFORMED
from chitarrella.transports.rest.website.website import add_website
from chitarrella.transports.webhooks.delivery import HttpSender, WebhookDispatcher, enqueue_updates
from chitarrella.transports.webhooks.messages import parse_webhooks

if TYPE_CHECKING:
    from chitarrella.server.otlp import OtlpTelemetry


def observe_commands(telemetry: Telemetry, otlp: OtlpTelemetry | None) -> ObserveCommand:
    if otlp is None:
        return telemetry.store_command
    make_span = otlp.observe_command

    def observe(command: str, seconds: float, error: str) -> None:
        telemetry.store_command(command, seconds, error)
        make_span(command, seconds, error)

    return observe


def open_archived(settings: Settings, store: RedisStore, run_long: RunLong[bool]) -> ArchivedMatches | None:
    """The archive, where there is one. Raises `ValueError` for its URL."""
    if not settings.archive:
        return None
    queue, copies = ArchiveQueue(store.connection), MatchCopyStore(store.connection)
    return ArchivedMatches(open_archive(settings.archive), queue, copies, run_long, settings.archived_expires)


def token_audience(settings: Settings) -> str:
    return settings.token_audience or parse_public_url(settings.public_url) or DEFAULT_AUDIENCE


POLL_SECONDS = 0.25  # seconds between two readings of the state that the workers of a node share
LOG = logging.getLogger("chitarrella")


class Readiness:
    def __init__(self, draining: c_bool, probe: Callable[[], None]) -> None:
        """Ready while the node is not drained and ``probe``, which asks the store, raises nothing."""
        self._draining = draining
        self._probe = probe
        self._is_stopping = False
        self.is_listening: Callable[[], bool] = lambda: True  # whether the gRPC port accepts calls

    @property
    def is_in_service(self) -> bool:
        """Whether load balancers should send calls to this worker, as far as it depends on the worker."""
        return not (self._is_stopping or self._draining.value)

    def stop(self) -> None:
        self._is_stopping = True

    def check(self) -> None:
        """Raise `errors.ShuttingDown` where the worker is out of service or not listening, and faults of the store."""
        if not (self.is_in_service and self.is_listening()):
            raise errors.ShuttingDown()
        self._probe()

    async def report(self, set_serving: Callable[..., None]) -> None:
        was_serving = True
        while True:
            if self.is_in_service != was_serving:
                was_serving = self.is_in_service
                LOG.info("this worker is %s", "in service again" if was_serving else "out of service")
                set_serving(is_serving=was_serving)
            await asyncio.sleep(POLL_SECONDS)


SAMPLE_SECONDS = 10.0  # seconds between two measurements
# Errors after which a gauge keeps its value: that the store does not answer is measured elsewhere.
NO_STORE = (StoreError, errors.StoreUnavailable)


class QueueSampler:
    def __init__(
        self,
        telemetry: Telemetry,
        open_matches: Callable[[], int],
        deliveries: Callable[[], Backlog],
        archive: Callable[[], Backlog],
    ) -> None:
        self._set, self._open_matches = telemetry.set, open_matches
        self._queues = {"webhook_deliveries": deliveries, "archive_matches": archive}

    def sample(self) -> None:
        with suppress(*NO_STORE):
            self._set("matches_open", self._open_matches())
        for name, read in self._queues.items():
            with suppress(*NO_STORE):
                backlog = read()
                self._set(f"{name}_waiting", backlog.waiting)
                self._set(f"{name}_oldest_seconds", backlog.seconds(now_ms()))

    async def run(self) -> None:
        """Sample until cancelled; not at once, a store that starts late fails often enough for its breaker."""
        while True:
            await asyncio.sleep(SAMPLE_SECONDS)
            await asyncio.to_thread(self.sample)


RATE_THREADS = 2  # threads that fetch the next block of calls for a platform or an address
BOT_THREADS = 3  # searches of bots at the same time, on the processor time that calls leave free; of one owner two
ADMIN_THREADS = 4  # of operators' requests, each of which may wait for the store, so many are answered at the same time
GRACE_SECONDS = 5.0  # for so long a worker that stops lets calls in progress finish


class Worker:
    def __init__(
        self,
        settings: Settings,
        redis_url: str,
        restarts: Callable[[], int] = lambda: 0,
        draining: c_bool | None = None,
    ) -> None:
        """Send nothing to the store yet. ``restarts`` returns how many workers were replaced so far."""
        self.settings = settings
        self.draining = draining_flag() if draining is None else draining
        self.telemetry = Telemetry(restarts)
        self.otlp = open_otlp(os.environ)
        self.store = open_store(settings, redis_url, observe_commands(self.telemetry, self.otlp))
        self.readiness = Readiness(self.draining, self.store.probe)
        catalogue = open_catalogue(settings.game_packages)
        self._add_website = partial(add_website, catalogue)
        for refused in catalogue.refused:
            LOG.error("%s", refused)
        stores = WebhookStores(WebhookStore(self.store.connection), Outbox(self.store.connection))
        registry = WebhookRegistry(stores.webhooks, parse_webhooks(settings.webhooks))
        self.call_threads = BoundedExecutor()
        self._run_long = partial(run_long, threads=self.call_threads)
        self.calls = AsyncCalls(self.call_threads, run_on_loop)
        archived = open_archived(settings, self.store, self._run_long)
        matches = self._match_service(catalogue, enqueue_updates(stores.outbox, registry), archived)
        self._open_matches = matches.open_matches
        self.host = MatchHost(matches, self.telemetry.bot_move, FairPool("bot", BOT_THREADS))
        watching = self.host.hub, self.host.platform_hub
        text = "Open watches of matches and of platforms."
        self.telemetry.gauge("watchers", text, lambda: sum(hub.count() for hub in watching))
        allow_private = settings.webhooks_allow_private
        sender = HttpSender(allow_private=allow_private)
        self.webhooks = WebhookDispatcher(
            matches, stores, registry, sender, partial(self.telemetry.count, "webhook_deliveries")
        )
        webhooks = WebhookService(
            stores, registry, matches.repository, self.store.secret, self.webhooks.test, allow_private=allow_private
        )
        self._signer = load_signer(settings.signing_key) if settings.signing_key else None
        self.closed_api_keys = ClosedApiKeys(ClosedApiKeyStore(self.store.connection))
        self.rate_threads = ThreadPoolExecutor(RATE_THREADS, thread_name_prefix="rates")
        self.dispatcher = self._make_dispatcher(matches, webhooks)
        self.archiver = archived and Archiver(matches.repository, archived, self._signer)
        self._observe_waiting()
        self.queues = QueueSampler(
            self.telemetry,
            matches.open_matches.count,
            lambda: stores.outbox.backlog(registry.active()),
            self.archiver.backlog if self.archiver else Backlog,
        )

    def _observe_waiting(self) -> None:
        """Sample how many searches and calls wait, and for how long the oldest of them has."""
        searches = self.host.scheduler.waiting_searches
        threads, long, suspended = self.call_threads, self.calls.long, self.calls.suspended
        gauge = self.telemetry.gauge
        gauge("bot_searches_waiting", "Searches of bots that wait.", lambda: searches()[0], "livemax")
        text = "Seconds for which the oldest waiting search has waited."
        gauge("bot_searches_oldest_seconds", text, lambda: searches()[1], "livemax")
        gauge("calls_waiting", "Calls that wait for a thread.", lambda: threads.waiting + len(long.waiting))

        def oldest_seconds() -> float:
            return max(threads.oldest_seconds(), *(time.monotonic() - job.since for job in long.waiting[:1]), 0.0)

        gauge("calls_suspended", "Calls that wait for the store.", lambda: len(suspended))
        text = "Seconds for which the oldest call that waits for {} has waited."
        gauge("calls_waiting_oldest_seconds", text.format("a thread"), oldest_seconds, "livemax")
        gauge("calls_suspended_oldest_seconds", text.format("the store"), suspended.oldest_seconds, "livemax")

    def _match_service(
        self, catalogue: Catalogue, on_append: OnAppend, archived: ArchivedMatches | None
    ) -> MatchService:
        settings = self.settings
        limits = MatchLimits(
            settings.expires,
            settings.anonymous_expires,
            settings.search_budget,
            settings.max_expires,
            settings.open_matches_platform,
            settings.open_matches_anonymous,
            settings.bot_matches_platform,
            settings.bot_matches_anonymous,
        )
        return MatchService(
            catalogue,
            self.store,
            limits,
            on_append,
            self.telemetry.count,
            OpenMatchStore(self.store.connection),
            self._run_long,
            archived,
        )

    def _make_dispatcher(self, matches: MatchService, webhooks: WebhookService) -> Dispatcher:
        settings = self.settings
        limiter = RateLimiter(
            RateStore(self.store.connection),
            matches.derive,
            self.rate_threads.submit,
            platform=parse_rate(settings.rate_platform),
            address=parse_rate(settings.rate_anonymous),
        )
        return self.host.dispatcher(
            signer=self._signer,
            api_keys=ApiKeys(parse_api_keys(settings.api_keys), self.closed_api_keys),
            closed_api_keys=self.closed_api_keys,
            draining=self.draining,
            sandbox=settings.sandbox,
            tokens=TokenVerifier(parse_token_keys(settings.token_keys), token_audience(settings)),
            webhooks=webhooks,
            limiter=limiter,
            watches=WatchCounter(platform=settings.watches_platform, address=settings.watches_anonymous),
            start_span=self.otlp.start if self.otlp else None,
        )

    async def run(self, listening: Callable[..., None], stop: asyncio.Event, *, share: bool) -> None:
        """Serve until ``stop`` is set. ``listening`` gets the ports of gRPC, HTTP and, if any, of operators."""
        self.dispatcher.warm_up()
        if self.settings.api_keys:
            await asyncio.to_thread(self.closed_api_keys.start)
        tune_gc()
        grpc_server = GrpcServer(
            self.dispatcher,
            self.settings.grpc,
            observe=self.telemetry.request,
            calls=self.calls,
            heartbeat=self.settings.heartbeat,
            read_timeout=self.settings.read_timeout,
            reuse_port=share,
            trusted_proxies=self.settings.trusted_proxies,
        )
        http = self._http_servers(share=share)
        await grpc_server.start()
        self.readiness.is_listening = lambda: grpc_server.is_listening
        for http_server in http:
            await http_server.start()
        if self.archiver:
            self.archiver.start()
        self.host.scheduler.start()
        self.webhooks.start()
        following = [self.telemetry.run(), self.queues.run(), self.readiness.report(grpc_server.set_serving)]
        background = [asyncio.create_task(one) for one in following]
        listening(grpc_server.port, *(http_server.port for http_server in http))
        await stop.wait()
        self.readiness.stop()
        grpc_server.set_serving(is_serving=False)
        await asyncio.sleep(self.settings.drain)
        for task in background:
            task.cancel()
        if self.archiver:
            await asyncio.to_thread(self.archiver.close)
        for part in (self.host, self.webhooks):
            await asyncio.to_thread(part.close)  # calls are still answered
        await asyncio.gather(grpc_server.stop(GRACE_SECONDS), *(one.stop(GRACE_SECONDS) for one in http))
        await asyncio.to_thread(self._open_matches.flush)
        await asyncio.to_thread(self.closed_api_keys.close)
        self.call_threads.shutdown(wait=False, cancel_futures=True)
        self.calls.long.shutdown()
        self.rate_threads.shutdown(wait=False, cancel_futures=True)
        self.store.close()
        if self.otlp:
            await asyncio.to_thread(self.otlp.close)

    def _http_app(self) -> HttpApp:
        settings = self.settings
        cors = Cors(settings.cors_allowed_origins, settings.cors_allowed_headers)
        public_url = parse_public_url(settings.public_url)
        return HttpApp(
            make_app(
                self.dispatcher, self.telemetry, self._add_website, ready=self.readiness.check, public_url=public_url
            ),
            self.dispatcher,
            self.telemetry.request,
            calls=self.calls,
            heartbeat=settings.heartbeat,
            read_timeout=settings.read_timeout,
            cors=cors,
            trusted_proxies=settings.trusted_proxies,
        )

    def _http_servers(self, *, share: bool) -> list[HttpServer]:
        """Bind the HTTP port, and that for operators if there is one, which stays in plain text."""
        settings = self.settings

        def serve(app: AsgiApp, address: str) -> HttpServer:
            sock = bind(address, share=share)
            return HttpServer(app, sock, keep_alive=settings.read_timeout, malformed=MALFORMED)

        servers = [serve(self._http_app(), settings.rest)]
        if settings.admin:
            admin = make_admin_app(self.telemetry, self.readiness.check, parse_public_url(settings.public_url))
            servers.append(serve(AdminApp(admin, ADMIN_THREADS, self.telemetry.request), settings.admin))
        return servers


def open_store(settings: Settings, redis_url: str, observe: ObserveCommand = lambda *_: None) -> RedisStore:
    """Open the store. Raises `ValueError` for a URL, `StoreError` for a cluster that does not answer."""
    durability = Durability(settings.wait_replicas, settings.wait_disk)
    return RedisStore(connect(redis_url), settings.prefix, durability, observe)
