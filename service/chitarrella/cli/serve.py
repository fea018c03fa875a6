"""The command ``serve``: runs the service, with an embedded Valkey unless the URL of a store is given."""

from __future__ import annotations

import json
import logging
import math
import os
import re
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, cast

import click

from chitarrella.api.api_keys import InvalidApiKeys, InvalidTokenKeys, parse_api_keys, parse_token_keys
from chitarrella.catalogue.registry import ALL, GROUP, NONE, normalized
from chitarrella.cli.common import FILE, GAME_PACKAGES, PREFIX
from chitarrella.i18n.translator import LANGUAGES, MissingCatalogueError, translator_for
from chitarrella.matches.chance import load_signer
from chitarrella.runtime.logs import configure_logging
from chitarrella.runtime.telemetry import shared_metrics
from chitarrella.server.process import reserve
from chitarrella.server.settings import Settings, check_otlp, host_and_port
from chitarrella.server.supervisor import Supervisor, run_worker
from chitarrella.server.worker import open_certificates, open_store
from chitarrella.storage.archive import check_archive
from chitarrella.storage.counters import parse_rate
from chitarrella.storage.embedded_valkey import FSYNC, EmbeddedStoreError, EmbeddedValkey
from chitarrella.storage.redis_store import check_servers, connect
from chitarrella.storage.rows import StoreError
from chitarrella.transports.rest.api_documents.schemas import EXAMPLES
from chitarrella.transports.rest.middleware import parse_header_names, parse_origins, parse_public_url
from chitarrella.transports.webhooks.messages import InvalidWebhooks, parse_webhooks

DEFAULTS: Final = Settings()  # the settings without any option
MAX_SECONDS: Final = 100 * 365 * 24 * 3600
"""The longest duration of an option, a hundred years; stores do not take one without a bound."""


def _rate(_: click.Context, __: click.Parameter, value: str) -> str:
    try:
        parse_rate(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return value


LIMIT_OPTIONS: Final = (  # the options of `serve` that limit callers
    click.option("--trusted-proxies", envvar="CHITARRELLA_TRUSTED_PROXIES", type=click.IntRange(0, 10),
                 default=DEFAULTS.trusted_proxies, help="Proxies before REST that add to X-Forwarded-For."),
    click.option("--rate-platform", envvar="CHITARRELLA_RATE_PLATFORM", default=DEFAULTS.rate_platform, callback=_rate,
                 show_default=True, help="Calls of a platform; 0 for no limit."),
    click.option("--rate-anonymous", envvar="CHITARRELLA_RATE_ANONYMOUS", default=DEFAULTS.rate_anonymous,
                 callback=_rate, show_default=True, help="Calls of an address without an API key; 0 for no limit."),
    click.option("--open-matches-platform", envvar="CHITARRELLA_OPEN_MATCHES_PLATFORM", type=click.IntRange(0),
                 default=DEFAULTS.open_matches_platform, show_default=True,
                 help="Open matches of a platform; 0 for no cap."),
    click.option("--open-matches-anonymous", envvar="CHITARRELLA_OPEN_MATCHES_ANONYMOUS", type=click.IntRange(0),
                 default=DEFAULTS.open_matches_anonymous, show_default=True,
                 help="Open matches of an address without an API key; 0 for no cap."),
    click.option("--bot-matches-platform", envvar="CHITARRELLA_BOT_MATCHES_PLATFORM", type=click.IntRange(0),
                 default=DEFAULTS.bot_matches_platform, show_default=True,
                 help="Open matches of a platform in which bots play; 0 for no cap."),
    click.option("--bot-matches-anonymous", envvar="CHITARRELLA_BOT_MATCHES_ANONYMOUS", type=click.IntRange(0),
                 default=DEFAULTS.bot_matches_anonymous, show_default=True,
                 help="The same of an address without an API key; 0 for no cap."),
    click.option("--watches-platform", envvar="CHITARRELLA_WATCHES_PLATFORM", type=click.IntRange(0),
                 default=DEFAULTS.watches_platform, show_default=True,
                 help="Live watches of a platform at a worker; 0 for no cap."),
    click.option("--watches-anonymous", envvar="CHITARRELLA_WATCHES_ANONYMOUS", type=click.IntRange(0),
                 default=DEFAULTS.watches_anonymous, show_default=True,
                 help="Live watches of an address without an API key at a worker; 0 for no cap."),
    click.option("--max-expires", envvar="CHITARRELLA_MAX_EXPIRES", type=click.IntRange(60, MAX_SECONDS),
                 default=DEFAULTS.max_expires, show_default=True,
                 help="The most seconds from a move to deletion that a call may ask for."),
)  # fmt: skip


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(LIMIT_OPTIONS):
        command = option(command)
    return command


TLS_OPTIONS: Final = (  # the options of `serve` for TLS
    click.option("--tls-cert", envvar="CHITARRELLA_TLS_CERT_FILE", type=FILE,
                 help="Speak TLS with this certificate chain (PEM), on the ports of gRPC and REST."),
    click.option("--tls-key", envvar="CHITARRELLA_TLS_KEY_FILE", type=FILE,
                 help="The private key of the certificate (PEM, not encrypted)."),
    click.option("--tls-client-ca", envvar="CHITARRELLA_TLS_CLIENT_CA_FILE", type=FILE,
                 help="Serve only clients with a certificate of these CAs (mTLS)."),
)  # fmt: skip


def tls_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(TLS_OPTIONS):
        command = option(command)
    return command


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


def show_variables(command: click.Command) -> click.Command:
    """Show in the help of each option the variable that sets it."""
    for option in command.params:
        if isinstance(option, click.Option) and option.envvar:
            option.show_envvar = True
    return command


def unread(command: click.Command, names: Iterable[str]) -> Iterator[str]:
    """Yield those of the variables ``names`` that begin like ours and set no option of ``command``."""
    known = {option.envvar for option in command.params}
    for name in names:
        if name.startswith(PREFIX) and name not in known and not _KUBERNETES.fullmatch(name):
            yield name


LOG = logging.getLogger("chitarrella")
ADDRESSES = ("grpc", "rest", "admin")  # the settings of the ports, in the order in which a worker tells them
LEVELS = ("debug", "info", "warning", "error")  # the levels of the log, the most talkative first


def checked(parse: Callable[[str], object]) -> Callable[[click.Context, click.Parameter, str], str]:
    """Return the validation of an option whose value ``parse`` can read; it raises `ValueError` otherwise."""

    def validate(_: click.Context, __: click.Parameter, value: str) -> str:
        try:
            parse(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error
        return value

    return validate


@click.command(
    epilog="Every option can be set as an environment variable too, by the name beside it. A Sentinel is named "
    "redis+sentinel://host:26379,host:26379/SERVICE, a cluster redis+cluster://host:6379,host:6379."
)
@click.option("--grpc", envvar="CHITARRELLA_GRPC_ADDRESS", default=DEFAULTS.grpc,
              callback=checked(host_and_port), show_default=True,
              help="Address of gRPC; port 0 takes a free port.")  # fmt: skip
@click.option("--rest", envvar="CHITARRELLA_REST_ADDRESS", default=DEFAULTS.rest,
              callback=checked(host_and_port), show_default=True,
              help="Address of REST, Connect, gRPC-Web and the docs.")  # fmt: skip
@click.option("--admin", envvar="CHITARRELLA_ADMIN_ADDRESS", default="",
              callback=checked(lambda text: text and host_and_port(text)),
              help="Address of health checks and metrics alone; by default only REST has them.")  # fmt: skip
@click.option("--public-url", envvar="CHITARRELLA_PUBLIC_URL", default="", callback=checked(parse_public_url),
              help="The URL under which callers reach REST, such as https://cards.example.")  # fmt: skip
@click.option("--cors-allowed-origins", envvar="CHITARRELLA_CORS_ALLOWED_ORIGINS", default="*", show_default=True,
              callback=checked(parse_origins), help="Origins whose pages may call REST; commas between.")  # fmt: skip
@click.option("--cors-allowed-headers", envvar="CHITARRELLA_CORS_ALLOWED_HEADERS", default="",
              callback=checked(parse_header_names), help="Further headers that these pages may send.")  # fmt: skip
@click.option("--redis-url", envvar="CHITARRELLA_REDIS_URL", default="",
              help="The Redis or Valkey that stores the matches; by default one is started, see --data.")  # fmt: skip
@click.option("--data", envvar="CHITARRELLA_DATA", type=click.Path(file_okay=False, path_type=Path),
              default=DEFAULTS.data, show_default=True, help="Data folder of the embedded Valkey.")  # fmt: skip
@click.option("--fsync", envvar="CHITARRELLA_FSYNC", type=click.Choice(FSYNC), default=DEFAULTS.fsync,
              show_default=True, help="When the embedded Valkey writes moves through to the disk.")  # fmt: skip
@click.option("--wait-replicas", envvar="CHITARRELLA_WAIT_REPLICAS", type=click.IntRange(0, 10), default=0,
              show_default=True, help="Replicas of the store that must have a move before the answer.")  # fmt: skip
@click.option("--wait-disk", envvar="CHITARRELLA_WAIT_DISK", is_flag=True,
              help="Answer a move when it is on the disks of store and replicas (Redis 7.2, Valkey).")  # fmt: skip
@click.option("--prefix", envvar="CHITARRELLA_PREFIX", default=DEFAULTS.prefix, show_default=True,
              help="Prefix of every key in the store.")  # fmt: skip
@click.option("--workers", envvar="CHITARRELLA_WORKERS", type=click.IntRange(1, 64), default=1, show_default=True,
              help="Number of processes, which share the ports (Linux).")  # fmt: skip
@click.option("--expires", envvar="CHITARRELLA_EXPIRES", type=click.IntRange(60, MAX_SECONDS), default=DEFAULTS.expires,
              show_default=True, help="Seconds from a move, or the clock's end, to deletion.")  # fmt: skip
@click.option("--anonymous-expires", envvar="CHITARRELLA_ANONYMOUS_EXPIRES", default=86400,
              type=click.IntRange(60, MAX_SECONDS), show_default=True,
              help="The same for matches without an API key; --expires at most.")  # fmt: skip
@click.option("--search-budget", envvar="CHITARRELLA_SEARCH_BUDGET", default=3600,
              type=click.IntRange(0, MAX_SECONDS), show_default=True,
              help="Processor seconds of search for the bots of a match.")  # fmt: skip
@tls_options
@limit_options
@click.option("--heartbeat", envvar="CHITARRELLA_HEARTBEAT", type=FiniteRange(0.1, 3600), default=DEFAULTS.heartbeat,
              show_default=True, help="Seconds without an update after which a watcher gets a heartbeat.")  # fmt: skip
@click.option("--read-timeout", envvar="CHITARRELLA_READ_TIMEOUT", type=FiniteRange(1, 600),
              default=DEFAULTS.read_timeout, show_default=True,
              help="Seconds that HTTP waits for headers, a body, the next request; gRPC for a message.")  # fmt: skip
@click.option("--drain", envvar="CHITARRELLA_DRAIN", type=FiniteRange(0, 600), default=DEFAULTS.drain,
              show_default=True, help="Seconds after SIGTERM of answering while not ready any more.")  # fmt: skip
@click.option("--log-level", envvar="CHITARRELLA_LOG_LEVEL", type=click.Choice(LEVELS), default="info",
              show_default=True, help="Log level; the log is JSON on the standard error.")  # fmt: skip
@click.option("--sandbox", envvar="CHITARRELLA_SANDBOX", is_flag=True,
              help="Let platforms create test matches, with shuffles and a clock that they set.")  # fmt: skip
@click.option("--game-packages", envvar=GAME_PACKAGES, default=ALL, show_default=True,
              help="Installed packages whose games are served: all, none, or names with commas between.")  # fmt: skip
@click.option("--archive", envvar="CHITARRELLA_ARCHIVE", default="", callback=checked(check_archive),
              help="Where finished matches are kept for good: file:///FOLDER or s3://BUCKET/PREFIX.")  # fmt: skip
@click.option("--archived-expires", envvar="CHITARRELLA_ARCHIVED_EXPIRES", type=click.IntRange(1, MAX_SECONDS),
              default=DEFAULTS.archived_expires, show_default=True,
              help="Seconds for which the store keeps a match once it is in the archive.")  # fmt: skip
@click.option("--api-keys", envvar="CHITARRELLA_API_KEYS", default="", hidden=True)
@click.option("--api-keys-file", envvar="CHITARRELLA_API_KEYS_FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Serve only platforms with an API key in this file; see 'chitarrella key'.")  # fmt: skip
@click.option("--signing-key-file", "signing_key", envvar="CHITARRELLA_SIGNING_KEY_FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Sign finished records with this Ed25519 key: openssl genpkey -algorithm ed25519.")  # fmt: skip
@click.option("--webhooks", envvar="CHITARRELLA_WEBHOOKS", default="", hidden=True)
@click.option("--webhooks-file", envvar="CHITARRELLA_WEBHOOKS_FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Call the webhooks in this file: PLATFORM URL SECRET on each line.")  # fmt: skip
@click.option("--token-keys", envvar="CHITARRELLA_TOKEN_KEYS", default="", hidden=True)
@click.option("--token-keys-file", envvar="CHITARRELLA_TOKEN_KEYS_FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Accept tokens signed with a platform's key in this file; see 'chitarrella token-key'.")  # fmt: skip
@click.option("--token-audience", envvar="CHITARRELLA_TOKEN_AUDIENCE", default="",
              help="The audience that tokens name; by default the public URL, else 'chitarrella'.")  # fmt: skip
@click.option("--webhooks-allow-private", envvar="CHITARRELLA_WEBHOOKS_ALLOW_PRIVATE", is_flag=True,
              help="Call webhooks at any address, also of this machine and its network.")  # fmt: skip
def command(
    redis_url: str,
    data: Path,
    api_keys: str,
    api_keys_file: Path | None,
    webhooks: str,
    webhooks_file: Path | None,
    token_keys: str,
    token_keys_file: Path | None,
    **rest: object,
) -> None:
    """Serve the rules and matches over gRPC, REST, Connect and gRPC-Web."""
    keys, hooks = joined_lines(api_keys, api_keys_file), joined_lines(webhooks, webhooks_file)
    tokens = joined_lines(token_keys, token_keys_file)
    try:
        known = {line.name for line in parse_api_keys(keys)}
        if unknown := {hook.platform for hook in parse_webhooks(hooks)} - known:
            raise InvalidWebhooks(f"the webhooks name {min(unknown)}, a platform without an API key")
        if unknown := {key.platform for key in parse_token_keys(tokens)} - known:
            raise InvalidTokenKeys(f"the token keys name {min(unknown)}, a platform without an API key")
        if rest["signing_key"]:
            load_signer(cast(Path, rest["signing_key"]))
        check_otlp(os.environ)
        check_expiry(cast(int, rest["expires"]), cast(int, rest["max_expires"]))
        if missing := missing_packages(str(rest["game_packages"])):
            raise ValueError(f"--game-packages names {missing[0]}, which is not installed, or has no games")
        for language in LANGUAGES:
            translator_for(language)
    except (InvalidApiKeys, MissingCatalogueError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    given = {"redis_url": redis_url, "data": data, "api_keys": keys, "webhooks": hooks, "token_keys": tokens, **rest}
    settings = Settings(**given)  # type: ignore[arg-type]  # click has checked the types
    try:
        open_certificates(settings)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    configure_logging(settings.log_level)
    check_variables()
    with ExitStack() as stack:
        if not redis_url:
            try:
                embedded = EmbeddedValkey(data, settings.fsync)
            except (EmbeddedStoreError, OSError) as error:
                raise failed(error) from error
            stack.callback(embedded.stop)
            stack.enter_context(stop_with_store(embedded))
            redis_url = embedded.url
        try:
            check_store(settings, redis_url)
            if settings.workers == 1:
                run_worker(settings, redis_url, partial(print_addresses, settings), share=False)
            else:
                run_workers(settings, redis_url)
        except (OSError, RuntimeError, ValueError, StoreError) as error:
            raise failed(error) from error


show_variables(command)


def check_expiry(expires: int, max_expires: int) -> None:
    if expires > max_expires:
        raise ValueError(f"--expires is {expires} seconds, more than --max-expires: {max_expires}")


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


def joined_lines(text: str, file: Path | None) -> str:
    return "\n".join(filter(None, (text, file.read_text() if file else "")))  # so that the first line counts as 1


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


def run_workers(settings: Settings, redis_url: str) -> None:
    """Run several workers on the same ports until SIGTERM or SIGINT."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    connect(redis_url).close()  # fails here for an invalid URL, not in every worker
    addresses = {name: getattr(settings, name) for name in ADDRESSES if getattr(settings, name)}
    sockets = {name: reserve(address) for name, address in addresses.items()}  # keep the ports while it runs
    ports = {name: sock.getsockname()[1] for name, sock in sockets.items()}
    found = {name: f"{at.rpartition(':')[0]}:{ports[name]}" for name, at in addresses.items()}
    settings = replace(settings, **cast(Any, found))
    with shared_metrics():
        supervisor = Supervisor(settings, redis_url)
        try:
            if supervisor.wait_until_listening(stop):
                print_addresses(settings, *ports.values())
                supervisor.run(stop)
        finally:
            supervisor.stop()


def print_addresses(settings: Settings, grpc: int, rest: int, admin: int = 0) -> None:
    grpc_host, rest_host = (address.rpartition(":")[0] for address in (settings.grpc, settings.rest))
    place = f"{'https' if settings.tls_cert else 'http'}://{rest_host}:{rest}"
    store = settings.redis_url.rpartition("@")[2] or f"its own, in {settings.data.resolve()}"
    operators = f"admin  http://{settings.admin.rpartition(':')[0]}:{admin}\n" if admin else ""
    click.echo(f"gRPC   {grpc_host}:{grpc}\nREST   {place}\ndocs   {place}/docs\n{operators}store  {store}\n")
    click.echo(f"try    curl -s {place}/v1/rules:resolveTrick -H 'content-type: application/json' \\")
    click.echo(f"         -d '{json.dumps(EXAMPLES['ResolveTrick'])}'")
    click.echo("\nCtrl-C stops.")
