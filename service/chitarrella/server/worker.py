"""The composition root: wires the parts of a worker and runs it until it is stopped.

A worker is one process: gRPC and HTTP on one asyncio loop, in front of one dispatcher and one store.
Several workers share the ports and the store, and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from chitarrella.api.api_keys import ApiKeys, parse_api_keys
from chitarrella.api.closed_api_keys import ClosedApiKeys
from chitarrella.api.executor import BoundedExecutor
from chitarrella.api.services import make_dispatcher
from chitarrella.api.telemetry import Telemetry
from chitarrella.api.tokens import DEFAULT_AUDIENCE, TokenVerifier, parse_token_keys
from chitarrella.catalogue.registry import Catalogue
from chitarrella.limits.limiter import RateLimiter
from chitarrella.limits.watches import WatchCounter
from chitarrella.matches.archive import Archiver
from chitarrella.matches.bot_moves import choose_move
from chitarrella.matches.model import MatchLimits
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.outbox import WebhookStores
from chitarrella.matches.platform_watching import PlatformHub
from chitarrella.matches.scheduler import Scheduler
from chitarrella.matches.service import MatchService
from chitarrella.matches.signing import load_signer
from chitarrella.matches.watching import WatchHub
from chitarrella.matches.webhook_registry import WebhookRegistry
from chitarrella.matches.webhook_service import WebhookService
from chitarrella.server.certificate_check import check_certificates
from chitarrella.server.settings import Settings, host_and_port
from chitarrella.storage.archive import open_archive
from chitarrella.storage.redis_archive import RedisArchiveQueue
from chitarrella.storage.redis_closed_api_keys import RedisClosedApiKeys
from chitarrella.storage.redis_connection import Durability, ObserveCommand
from chitarrella.storage.redis_open_matches import RedisOpenMatches
from chitarrella.storage.redis_outbox import RedisOutbox
from chitarrella.storage.redis_rates import RedisRateStore, parse_rate
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.redis_webhooks import RedisWebhookStore
from chitarrella.transports.certificates import CertificateError, CertificateFiles, TlsFiles
from chitarrella.transports.grpc_server.server import GrpcServer
from chitarrella.transports.http_server.server import HttpServer
from chitarrella.transports.rest.app import make_admin_app, make_app
from chitarrella.transports.rest.asgi import HttpApp
from chitarrella.transports.rest.cors import Cors
from chitarrella.transports.rest.origins import parse_public_url
from chitarrella.transports.rest.wsgi import WsgiBridge
from chitarrella.transports.webhooks.config import parse_webhooks
from chitarrella.transports.webhooks.dispatcher import WebhookDispatcher, enqueue_updates
from chitarrella.transports.webhooks.sender import HttpSender

RATE_THREADS = 2
"""Threads that fetch the next block of calls for a platform or an address."""
BOT_THREADS = 2
"""Searches of bots at the same time, on the processor time that calls leave free."""
ADMIN_THREADS = 4
"""Of operators' requests, each of which may wait for the store, so many are answered at the same time."""
GRACE_SECONDS = 5.0


class Worker:
    """One worker, wired from its parts."""

    def __init__(self, settings: Settings, redis_url: str, restarts: Callable[[], int] = lambda: 0) -> None:
        """Wire the parts; nothing listens and nothing is sent to the store yet.

        ``restarts`` returns how many workers were replaced so far.
        """
        self.settings = settings
        self.certificates = open_certificates(settings)
        self.telemetry = Telemetry(restarts)
        self.store = open_store(settings, redis_url, self.telemetry.store.observe)
        catalogue = Catalogue()
        webhook_store = RedisWebhookStore(self.store.connection)
        stores = WebhookStores(webhook_store, webhook_store, RedisOutbox(self.store.connection))
        registry = WebhookRegistry(webhook_store, parse_webhooks(settings.webhooks))
        on_append, open_matches = enqueue_updates(stores.outbox, registry), RedisOpenMatches(self.store.connection)
        matches = MatchService(
            catalogue, self.store, match_limits(settings), on_append, self.telemetry.matches, open_matches
        )
        operations = MatchOperations(matches, choose_move, self.telemetry.bot_move)
        self.hub = WatchHub(matches.repository, self.store.subscriptions)
        self.platform_hub = PlatformHub(matches.repository, self.store.subscriptions)
        self.telemetry.gauge(
            "watchers", "Open watches of matches.", lambda: self.hub.count() + self.platform_hub.count()
        )
        allow_private = settings.webhooks_allow_private
        http_sender = HttpSender(allow_private=allow_private)
        self.webhooks = WebhookDispatcher(matches, stores, registry, http_sender, self.telemetry.webhook)
        self.closed_api_keys = ClosedApiKeys(RedisClosedApiKeys(self.store.connection))
        self.call_threads = BoundedExecutor()
        self.telemetry.gauge("calls_waiting", "Calls that wait for a thread.", lambda: self.call_threads.waiting)
        self.rate_threads = ThreadPoolExecutor(RATE_THREADS, thread_name_prefix="rates")
        self.dispatcher = make_dispatcher(
            catalogue,
            matches,
            operations,
            self.hub,
            self.platform_hub,
            signer=load_signer(settings.signing_key) if settings.signing_key else None,
            api_keys=ApiKeys(parse_api_keys(settings.api_keys), self.closed_api_keys),
            closed_api_keys=self.closed_api_keys,
            sandbox=settings.sandbox,
            tokens=TokenVerifier(parse_token_keys(settings.token_keys), token_audience(settings)),
            webhooks=WebhookService(
                stores,
                registry,
                matches.repository,
                self.store.secret,
                self.webhooks.test,
                allow_private=allow_private,
            ),
            limiter=RateLimiter(
                RedisRateStore(self.store.connection),
                matches.derive,
                self.rate_threads.submit,
                platform=parse_rate(settings.rate_platform),
                address=parse_rate(settings.rate_anonymous),
            ),
            watches=WatchCounter(platform=settings.watches_platform, address=settings.watches_anonymous),
        )
        self.archiver = open_archiver(settings, self.store, matches)
        self.scheduler = Scheduler(operations, self.store, BOT_THREADS)
        self.telemetry.observe_searches(self.scheduler.waiting_searches)

    async def run(self, listening: Callable[..., None], stop: asyncio.Event, *, share: bool) -> None:
        """Serve until ``stop`` is set.

        ``listening`` is called with the ports of gRPC, HTTP and, if there is one, of operators, once all are open.
        """
        self.dispatcher.warm_up()
        await asyncio.to_thread(self.closed_api_keys.start)
        tune_gc()
        grpc_server = GrpcServer(
            self.dispatcher,
            self.settings.grpc,
            observe=self.telemetry.request,
            threads=self.call_threads,
            heartbeat=self.settings.heartbeat,
            reuse_port=share,
            certificates=self.certificates,
        )
        http = self._http_servers(share=share)
        await grpc_server.start()
        for http_server in http:
            await http_server.start()
        if self.archiver:
            self.archiver.start()
        self.scheduler.start()
        self.webhooks.start()
        background = [asyncio.create_task(self.telemetry.run())]
        if self.certificates:
            background.append(asyncio.create_task(self.certificates.run(http[0].reload)))
        listening(grpc_server.port, *(http_server.port for http_server in http))
        await stop.wait()
        for task in background:
            task.cancel()
        await grpc_server.drain()
        if self.archiver:
            await asyncio.to_thread(self.archiver.close)
        for part in (self.scheduler, self.webhooks, self.hub, self.platform_hub):
            await asyncio.to_thread(part.close)  # calls are still answered
        await asyncio.gather(grpc_server.stop(GRACE_SECONDS), *(one.stop(GRACE_SECONDS) for one in http))
        self.closed_api_keys.close()
        self.call_threads.shutdown(wait=False, cancel_futures=True)
        self.rate_threads.shutdown(wait=False, cancel_futures=True)
        self.store.close()

    def _http_app(self) -> HttpApp:
        """Compose what answers at the HTTP port."""
        settings = self.settings
        cors = Cors(settings.cors_allowed_origins, settings.cors_allowed_headers)
        public_url = parse_public_url(settings.public_url)
        return HttpApp(
            make_app(self.dispatcher, self.telemetry, ready=self.store.probe, public_url=public_url, cors=cors),
            self.dispatcher,
            self.telemetry.request,
            threads=self.call_threads,
            heartbeat=settings.heartbeat,
            read_timeout=settings.read_timeout,
            cors=cors,
            trusted_proxies=settings.trusted_proxies,
        )

    def _http_servers(self, *, share: bool) -> list[HttpServer]:
        """Bind the HTTP port, and that for operators if there is one, which stays in plain text."""
        settings = self.settings
        sock = bind(settings.rest, share=share)
        servers = [
            HttpServer(self._http_app(), sock, read_timeout=settings.read_timeout, certificates=self.certificates)
        ]
        if settings.admin:
            admin = make_admin_app(self.telemetry, self.store.probe, parse_public_url(settings.public_url))
            servers.append(HttpServer(WsgiBridge(admin, ADMIN_THREADS), bind(settings.admin, share=share)))
        return servers


def open_store(settings: Settings, redis_url: str, observe: ObserveCommand = lambda *_: None) -> RedisStore:
    """Open the store. Raises `ValueError` for an invalid URL, `StoreError` for a cluster that does not answer."""
    durability = Durability(settings.wait_replicas, settings.wait_disk)
    return RedisStore(connect(redis_url), settings.prefix, durability, observe)


def open_certificates(settings: Settings) -> CertificateFiles | None:
    """Read the certificates where the service speaks TLS. Raises `CertificateError`."""
    if not (settings.tls_cert or settings.tls_key or settings.tls_client_ca):
        return None
    if not (settings.tls_cert and settings.tls_key):
        raise CertificateError("TLS needs both a certificate and its key")
    files = TlsFiles(settings.tls_cert, settings.tls_key, settings.tls_client_ca)
    return CertificateFiles(files, check_certificates)


def open_archiver(settings: Settings, store: RedisStore, matches: MatchService) -> Archiver | None:
    """Create the archiver of a worker where there is an archive. Raises `ValueError` for an invalid URL."""
    if not settings.archive:
        return None
    signer = load_signer(settings.signing_key) if settings.signing_key else None
    queue = RedisArchiveQueue(store.connection)
    archiver = Archiver(matches.repository, queue, open_archive(settings.archive), signer)
    matches.writer.on_finish = archiver.finishing
    return archiver


def match_limits(settings: Settings) -> MatchLimits:
    """Return what the settings allow matches to use."""
    return MatchLimits(
        settings.expires,
        settings.anonymous_expires,
        settings.search_budget,
        settings.max_expires,
        settings.open_matches_platform,
        settings.open_matches_anonymous,
    )


def token_audience(settings: Settings) -> str:
    """Return the audience that tokens must name: as set, else the public URL where it is known."""
    return settings.token_audience or parse_public_url(settings.public_url) or DEFAULT_AUDIENCE


def tune_gc() -> None:
    """Freeze long-lived objects and run the garbage collector rarely.

    Most garbage of a worker is freed by reference counts. A full collection would pause it for a tenth of a second to
    scan thousands of cached positions.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)


def raise_file_limit() -> None:
    """Allow this process as many open files as the system lets it: every connection is one."""
    with contextlib.suppress(ImportError):
        import resource  # noqa: PLC0415 - not available on every system

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(OSError, ValueError):  # macOS says "unlimited", and means less
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def bind(address: str, *, share: bool) -> socket.socket:
    """Bind the HTTP port; with ``share`` other workers may bind the same one. Raises `OSError` with the address."""
    host, port = host_and_port(address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if share:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise OSError(f"cannot listen at {address}: {error.strerror or error}") from error
    return sock


def event_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    """Return the factory of the event loop: uvloop where installed, some ten percent cheaper a call."""
    if sys.platform != "win32":
        with contextlib.suppress(ImportError):
            import uvloop  # noqa: PLC0415 - not available on every system

            return uvloop.new_event_loop
    return asyncio.new_event_loop
