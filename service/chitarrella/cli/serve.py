"""The command ``serve``: runs the service, with an embedded Valkey unless the URL of a store is given."""

from __future__ import annotations

import json
import logging
import math
import os
import re
import signal
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

import click

from chitarrella.api.api_keys import InvalidApiKeys, InvalidTokenKeys, parse_api_keys, parse_token_keys
from chitarrella.catalogue.registry import ALL, GROUP, NONE, normalized
from chitarrella.cli.common import FILE, PREFIX
from chitarrella.i18n.translator import LANGUAGES, MissingCatalogueError, translator_for
from chitarrella.matches.chance import load_signer
from chitarrella.runtime.logs import configure_logging
from chitarrella.runtime.telemetry import shared_metrics
from chitarrella.server.edge import CertificateError, Edge, EdgeError
from chitarrella.server.process import MAX_DEFAULT_WORKERS, default_workers, reserve, tune_gc
from chitarrella.server.settings import Settings, check_otlp, host_and_port, unix_path
from chitarrella.server.supervisor import Supervisor, run_worker
from chitarrella.server.worker import GRACE_SECONDS, open_store
from chitarrella.storage.archive import open_archive
from chitarrella.storage.counters import parse_rate
from chitarrella.storage.embedded_valkey import FSYNC, EmbeddedStoreError, EmbeddedValkey
from chitarrella.storage.redis_store import check_servers, connect
from chitarrella.storage.rows import StoreError
from chitarrella.transports.rest.api_documents.documents import EXAMPLES
from chitarrella.transports.rest.middleware import parse_header_names, parse_origins, parse_public_url
from chitarrella.transports.webhooks.messages import InvalidWebhooks, parse_webhooks

DEFAULTS: Final = Settings()  # the settings without any option
MAX_SECONDS: Final = 100 * 365 * 24 * 3600
"""The longest duration of an option, a hundred years; stores do not take one without a bound."""


class FiniteRange(click.FloatRange):
    """A number in a range, neither NaN nor infinite."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


def missing_packages(selection: str) -> list[str]:
    """Return the names in a selection that no installed package with games has."""
    if selection in {ALL, NONE}:
        return []
    installed = {normalized(entry.dist.name) for entry in entry_points(group=GROUP) if entry.dist}
    chosen = dict.fromkeys(map(normalized, filter(str.strip, selection.split(","))))
    return [name for name in chosen if name not in installed]


_KUBERNETES: Final = re.compile(r"CHITARRELLA_(\w+_)?(SERVICE|PORT)(_\w+)?")
"""Variables that Kubernetes sets for services whose names begin so."""


def unread(command: click.Command, names: Iterable[str]) -> Iterator[str]:
    """Yield those of the variables ``names`` that begin like ours and set no option of ``command``."""
    known = {option.envvar for option in command.params}
    for name in names:
        if name.startswith(PREFIX) and name not in known and not _KUBERNETES.fullmatch(name):
            yield name


LOG = logging.getLogger("chitarrella")
ADDRESSES = ("grpc", "rest", "admin")  # the settings of the ports, in the order in which a worker tells them
LEVELS = ("debug", "info", "warning", "error")  # the levels of the log, the most talkative first


def option(
    name: str,
    help_text: str | None = None,
    *,
    field: str = "",
    suffix: str = "",
    check: Callable[[str], object] | None = None,
    **more: Any,
) -> click.Option:
    """Return an option with the default of the setting ``field``, by default that of its own name.

    ``suffix`` ends the name of its variable. ``check`` raises `ValueError` for a value that it cannot read.
    """

    def validate(_: click.Context, __: click.Parameter, value: str) -> str:
        try:
            if check:
                check(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error
        return value

    field = field or name.replace("-", "_")
    default = getattr(DEFAULTS, field, None)
    if default is not None:
        more = {"default": default, "show_default": default != "" and not isinstance(default, bool), **more}
    variable = f"{PREFIX}{name.replace('-', '_').upper()}{suffix}"
    names = [f"--{name}", field]
    return click.Option(names, envvar=variable, show_envvar=True, help=help_text, callback=validate, **more)


def place(address: str) -> object:
    """Parse ``host:port`` or ``unix:/path``. Raises `ValueError` for anything else."""
    return unix_path(address) or host_and_port(address)


LIFETIME, COUNT = click.IntRange(60, MAX_SECONDS), click.IntRange(0)
OPTIONS: Final = [
    option("grpc", "Address of gRPC: host:port, of which port 0 takes a free one, or unix:/path.",
           suffix="_ADDRESS", check=place),
    option("rest", "Address of REST, Connect, gRPC-Web and the docs.", suffix="_ADDRESS", check=place),
    option("admin", "Address of health checks and metrics alone; by default only REST has them.",
           suffix="_ADDRESS", check=lambda text: text and place(text)),
    option("edge", "Put Envoy in front of the workers: every protocol at every port, TLS, limits for strangers.",
           is_flag=True),
    option("http3", "Let the edge speak HTTP/3 too, at the UDP port of REST; only with TLS.", is_flag=True),
    option("public-url", "The URL under which callers reach REST, such as https://cards.example.",
           check=parse_public_url),
    option("cors-allowed-origins", "Origins whose pages may call REST; commas between.", check=parse_origins),
    option("cors-allowed-headers", "Further headers that these pages may send.", check=parse_header_names),
    option("redis-url", "The Redis or Valkey that stores the matches; by default one is started, see --data."),
    option("data", "Data folder of the embedded Valkey.", type=click.Path(file_okay=False, path_type=Path)),
    option("fsync", "When the embedded Valkey writes moves through to the disk.", type=click.Choice(FSYNC)),
    option("wait-replicas", "Replicas of the store that must have a move before the answer.",
           type=click.IntRange(0, 10)),
    option("wait-disk", "Answer a move when it is on the disks of store and replicas (Redis 7.2, Valkey).",
           is_flag=True),
    option("prefix", "Prefix of every key in the store."),
    option("workers", "Number of processes, which share the ports (Linux).", type=click.IntRange(1, 64),
           default=default_workers,
           show_default=f"the processors that affinity and cgroup leave it, {MAX_DEFAULT_WORKERS} at most"),
    option("expires", "Seconds without a move, or after the clock's end, to deletion.", type=LIFETIME),
    option("anonymous-expires", "The same for matches without an API key; --expires at most.", type=LIFETIME),
    option("search-budget", "Processor seconds for which the bots of a match may search; 0 for none.",
           type=click.IntRange(0, MAX_SECONDS)),
    option("tls-cert", "Speak TLS with this certificate chain (PEM); only with --edge.",
           suffix="_FILE", type=FILE),
    option("tls-key", "The private key of the certificate (PEM, not encrypted).", suffix="_FILE", type=FILE),
    option("tls-client-ca", "Serve only clients with a certificate of these CAs (mTLS).", suffix="_FILE", type=FILE),
    option("trusted-proxies", "Proxies before the service that add to X-Forwarded-For.",
           show_default=False, type=click.IntRange(0, 10)),
    option("rate-platform", "Calls of a platform; 0 for no limit.", check=parse_rate),
    option("rate-anonymous", "Calls of an address without an API key; 0 for no limit.", check=parse_rate),
    option("open-matches-platform", "Open matches of a platform; 0 for no cap.", type=COUNT),
    option("open-matches-anonymous", "Open matches of an address without an API key; 0 for no cap.", type=COUNT),
    option("bot-matches-platform", "Open matches of a platform in which bots play; 0 for no cap.", type=COUNT),
    option("bot-matches-anonymous", "The same of an address without an API key; 0 for no cap.", type=COUNT),
    option("watches-platform", "Live watches of a platform at a worker; 0 for no cap.", type=COUNT),
    option("watches-anonymous", "Live watches of an address without an API key at a worker; 0 for no cap.", type=COUNT),
    option("max-expires", "The most seconds without a move that a call may ask for.", type=LIFETIME),
    option("heartbeat", "Seconds without an update after which a watcher gets a heartbeat.",
           type=FiniteRange(0.1, 3600)),
    option("read-timeout", "Seconds to wait for a body and the next request; at the edge for headers and messages too.",
           type=FiniteRange(1, 600)),
    option("drain", "Seconds after SIGTERM of answering while not ready any more.", type=FiniteRange(0, 600)),
    option("log-level", "Log level; the log is JSON on the standard error.", type=click.Choice(LEVELS)),
    option("sandbox", "Let platforms create test matches, with shuffles and a clock that they set.", is_flag=True),
    option("game-packages", "Installed packages whose games are served: all, none, or names with commas between."),
    option("archive", "Where finished matches are kept for good: file:///FOLDER or s3://BUCKET/PREFIX.",
           check=lambda url: url and open_archive(url)),
    option("archived-expires", "Seconds for which the store keeps a match once it is in the archive.",
           type=click.IntRange(1, MAX_SECONDS)),
    option("api-keys", "The lines of --api-keys-file; semicolons or line breaks between.", hidden=True),
    option("api-keys-file", "Serve only platforms with an API key in this file; see 'chitarrella key'.", type=FILE),
    option("signing-key-file", "Sign finished records with this Ed25519 key: openssl genpkey -algorithm ed25519.",
           field="signing_key", type=FILE),
    option("webhooks", "The lines of --webhooks-file; line breaks between.", hidden=True),
    option("webhooks-file", "Call the webhooks in this file: PLATFORM URL SECRET on each line.", type=FILE),
    option("token-keys", "The lines of --token-keys-file; semicolons between.", hidden=True),
    option("token-keys-file", "Accept tokens signed with a platform's key in this file; see 'chitarrella token-key'.",
           type=FILE),
    option("token-audience", "The audience that tokens name; by default the public URL, else 'chitarrella'."),
    option("webhooks-allow-private", "Call webhooks at any address, also of this machine and its network.",
           is_flag=True),
]  # fmt: skip


@click.command(
    epilog="Every option can be set as an environment variable too, by the name beside it. A Sentinel is named "
    "redis+sentinel://host:26379,host:26379/SERVICE, a cluster redis+cluster://host:6379,host:6379.",
    params=OPTIONS,
)
def command(**given: Any) -> None:
    """Serve the rules and matches over gRPC, REST, Connect and gRPC-Web."""
    for name in ("api_keys", "webhooks", "token_keys"):
        file = given.pop(f"{name}_file")
        # so that the first line counts as 1
        given[name] = "\n".join(filter(None, (given[name], file.read_text() if file else "")))
    settings = Settings(**given)  # click has checked the types
    try:
        check(settings)
    except (InvalidApiKeys, MissingCatalogueError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    check_edge(settings)
    configure_logging(settings.log_level)
    check_variables()
    redis_url = settings.redis_url
    with ExitStack() as stack:
        if not redis_url:
            try:
                embedded = EmbeddedValkey(settings.data, settings.fsync)
            except (EmbeddedStoreError, OSError) as error:
                raise failed(error) from error
            stack.callback(embedded.stop)
            stack.enter_context(stop_with_store(embedded))
            redis_url = embedded.url
        try:
            check_store(settings, redis_url)
            if settings.workers == 1 and not settings.edge:
                run_worker(
                    settings, redis_url, lambda *ports: print_addresses(with_ports(settings, *ports)), share=False
                )
            else:
                run_workers(settings, redis_url)
        except (OSError, RuntimeError, ValueError, StoreError) as error:
            raise failed(error) from error


def check(settings: Settings) -> None:
    """Check what an option cannot check alone. Raises `ValueError`, `MissingCatalogueError`."""
    known = {line.name for line in parse_api_keys(settings.api_keys)}
    if unknown := {hook.platform for hook in parse_webhooks(settings.webhooks)} - known:
        raise InvalidWebhooks(f"the webhooks name {min(unknown)}, a platform without an API key")
    if unknown := {key.platform for key in parse_token_keys(settings.token_keys)} - known:
        raise InvalidTokenKeys(f"the token keys name {min(unknown)}, a platform without an API key")
    if settings.signing_key:
        load_signer(settings.signing_key)
    check_otlp(os.environ)
    if settings.expires > settings.max_expires:
        raise ValueError(f"--expires is {settings.expires} seconds, more than --max-expires: {settings.max_expires}")
    if missing := missing_packages(settings.game_packages):
        raise ValueError(f"--game-packages names {missing[0]}, which is not installed, or has no games")
    for language in LANGUAGES:
        translator_for(language)


def check_variables() -> None:
    """Warn of variables that set nothing; ends the service where one may have been meant for TLS."""
    for name in unread(command, os.environ):
        if name.startswith(f"{PREFIX}TLS"):
            raise failed(f"no option is set by {name}: see 'chitarrella serve --help'")
        LOG.warning("no option is set by %s: see 'chitarrella serve --help'", name)


def failed(error: Exception | str) -> SystemExit:
    """Log why the service ends; returns the exception that ends it."""
    LOG.critical("the service ends: %s", error)
    return SystemExit(1)


def check_store(settings: Settings, redis_url: str) -> None:
    store = open_store(settings, redis_url)
    try:
        for warning in check_servers(store.connection):
            LOG.warning("%s", warning)
        store.connection.check_durability()
    except StoreError as error:
        LOG.warning("the store does not answer: %s", error)
    finally:
        store.close()


@contextmanager
def stop_with_store(embedded: EmbeddedValkey) -> Iterator[None]:
    """Stop the service with an error if the embedded store ends, so that a supervisor can restart both."""
    lost = threading.Event()

    def watch() -> None:
        if embedded.wait():
            lost.set()
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="embedded", daemon=True).start()
    yield
    if lost.is_set():
        raise failed(f"the embedded Valkey has ended; see valkey.log in {embedded.folder}")


def check_edge(settings: Settings) -> None:
    """Raises `click.ClickException` for settings of TLS and ports that do not go together."""
    of_edge = ("tls-cert", "tls-key", "tls-client-ca", "http3")
    names = [f"--{name}" for name in of_edge if getattr(settings, name.replace("-", "_"))]
    if names and not settings.edge:
        raise click.ClickException(f"{names[0]} needs --edge: the workers speak plain text")
    if names and not (settings.tls_cert and settings.tls_key):
        raise click.ClickException("TLS needs both a certificate and its key")
    places = [address for name in ADDRESSES if (address := getattr(settings, name)) and not address.endswith(":0")]
    if twice := {one for one in places if places.count(one) > 1 and not (settings.edge and one != settings.admin)}:
        raise click.ClickException(f"{min(twice)} is named for two ports; only --edge has one for gRPC and REST")


def run_workers(settings: Settings, redis_url: str) -> None:
    """Run several workers on the same ports, or behind the edge, until SIGTERM or SIGINT."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    connect(redis_url).close()  # fails here for an invalid URL, not in every worker
    sockets = dict[str, socket.socket]()  # keep the ports while it runs
    for name in ADDRESSES:
        address = getattr(settings, name)
        if address and not unix_path(address) and address not in [getattr(settings, other) for other in sockets]:
            sockets[name] = reserve(address)
            settings = with_port(settings, name, sockets[name].getsockname()[1])
    try:
        public = list(dict.fromkeys([settings.rest, settings.grpc]))
        edge = Edge(settings, public, settings.admin) if settings.edge else None
    except (CertificateError, EdgeError) as error:
        raise click.ClickException(str(error)) from error
    tune_gc()  # what the workers share with this process stays shared
    with shared_metrics():
        supervisor = Supervisor(edge.worker_settings if edge else settings, redis_url)
        try:
            if supervisor.wait_until_listening(stop):
                if edge:
                    edge.start()
                print_addresses(settings if edge else settings.of_worker(0))
                supervisor.run(stop, edge.check if edge else lambda: None)
                if edge:
                    supervisor.drain()
                    edge.drain()
        finally:
            supervisor.stop()
            if edge:
                edge.stop(GRACE_SECONDS)


def with_ports(settings: Settings, *ports: int) -> Settings:
    """The settings with the ports that a worker has told, in the order of `ADDRESSES`."""
    for name, port in zip(ADDRESSES, ports, strict=False):  # without a port for operators there are two
        settings = with_port(settings, name, port)
    return settings


def with_port(settings: Settings, name: str, port: int) -> Settings:
    """The settings with the port that an address has got; a Unix socket stays as it is."""
    address: str = getattr(settings, name)
    if unix_path(address):
        return settings
    return replace(settings, **{name: f"{address.rpartition(':')[0]}:{port}"})  # type: ignore[arg-type]  # a text


def print_addresses(settings: Settings) -> None:
    path = unix_path(settings.rest)
    place = f"{'https' if settings.tls_cert else 'http'}://{settings.rest}"
    store = settings.redis_url.rpartition("@")[2] or f"its own, in {settings.data.resolve()}"
    operators = f"admin  http://{settings.admin}\n" if settings.admin else ""
    docs = "" if path else f"docs   {place}/docs\n"
    click.echo(f"gRPC   {settings.grpc}\nREST   {settings.rest if path else place}")
    click.echo(f"{docs}{operators}store  {store}\n")
    asked = f"--unix-socket {path} http://localhost" if path else place
    key = " -H 'x-api-key: KEY'" if settings.api_keys else ""
    click.echo(f"try    curl -s {asked}/v1/rules:resolveTrick{key} -H 'content-type: application/json' \\")
    click.echo(f"         -d '{json.dumps(EXAMPLES['ResolveTrick'])}'")
    click.echo("\nCtrl-C stops.")
