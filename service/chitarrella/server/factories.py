"""The parts of a worker that its settings decide: each is made from them alone, or from the parts before it."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import TYPE_CHECKING

from chitarrella.api.metrics import StoreMetrics
from chitarrella.api.tokens import DEFAULT_AUDIENCE
from chitarrella.limits.limiter import RateLimiter
from chitarrella.matches.archive import Archiver
from chitarrella.matches.archived_matches import ArchivedMatches
from chitarrella.matches.model import MatchLimits, RunLong
from chitarrella.matches.service import MatchService
from chitarrella.matches.signing import load_signer
from chitarrella.server.certificate_check import check_certificates
from chitarrella.server.settings import Settings
from chitarrella.storage.archive import ArchiveQueue, MatchCopyStore, open_archive
from chitarrella.storage.counters import RateStore, parse_rate
from chitarrella.storage.redis_connection import ObserveCommand
from chitarrella.storage.redis_store import RedisStore
from chitarrella.transports.certificates import CertificateError, CertificateFiles, TlsFiles
from chitarrella.transports.rest.origins import parse_public_url

if TYPE_CHECKING:
    from chitarrella.server.otlp import OtlpTelemetry


def observe_commands(metrics: StoreMetrics, otlp: OtlpTelemetry | None) -> ObserveCommand:
    """Return what is called after every command to the store: it counts it, and makes a span of it if asked to."""
    if otlp is None:
        return metrics.observe
    make_span = otlp.observe_command

    def observe(command: str, seconds: float, error: str) -> None:
        metrics.observe(command, seconds, error)
        make_span(command, seconds, error)

    return observe


def open_certificates(settings: Settings) -> CertificateFiles | None:
    """Read the certificates where the service speaks TLS. Raises `CertificateError`."""
    if not (settings.tls_cert or settings.tls_key or settings.tls_client_ca):
        return None
    if not (settings.tls_cert and settings.tls_key):
        raise CertificateError("TLS needs both a certificate and its key")
    files = TlsFiles(settings.tls_cert, settings.tls_key, settings.tls_client_ca)
    return CertificateFiles(files, check_certificates)


def open_archiver(settings: Settings, store: RedisStore, matches: MatchService, run_long: RunLong) -> Archiver | None:
    """Create the archiver of a worker where there is an archive, and let its matches be found there.

    Raises `ValueError` for an invalid URL.
    """
    if not settings.archive:
        return None
    signer = load_signer(settings.signing_key) if settings.signing_key else None
    queue, copies = ArchiveQueue(store.connection), MatchCopyStore(store.connection)
    archive = open_archive(settings.archive)
    archiver = Archiver(matches.repository, queue, copies, archive, signer, settings.archived_expires)
    archived = ArchivedMatches(archive, copies, run_long, settings.archived_expires)
    matches.writer.on_finish = archiver.finishing
    matches.repository.restore_archived = archived.restore
    matches.on_delete = archived.delete
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
        settings.bot_matches_platform,
        settings.bot_matches_anonymous,
    )


def token_audience(settings: Settings) -> str:
    """Return the audience that tokens must name: as set, else the public URL where it is known."""
    return settings.token_audience or parse_public_url(settings.public_url) or DEFAULT_AUDIENCE


def rate_limiter(settings: Settings, store: RedisStore, matches: MatchService, threads: Executor) -> RateLimiter:
    """Create the limiter of the rates of calls, which asks the store in ``threads``."""
    return RateLimiter(
        RateStore(store.connection),
        matches.derive,
        threads.submit,
        platform=parse_rate(settings.rate_platform),
        address=parse_rate(settings.rate_anonymous),
    )
