"""Settings of the service. Flags take precedence over environment variables, these over the defaults."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """All settings of a running service; deploy/README.md explains them. Durations are in seconds."""

    grpc: str = "127.0.0.1:50051"
    rest: str = "127.0.0.1:8080"
    admin: str = ""
    redis_url: str = ""
    data: Path = Path("data")
    fsync: str = "always"
    wait_replicas: int = 0
    wait_disk: bool = False
    prefix: str = "chitarrella"
    workers: int = 1
    expires: int = 7 * 24 * 3600
    anonymous_expires: int = 24 * 3600
    search_budget: int = 3600
    trusted_proxies: int = 0
    rate_platform: str = "1000/s burst 5000"
    rate_anonymous: str = "500/s burst 2500"
    open_matches_platform: int = 100_000
    open_matches_anonymous: int = 1000
    bot_matches_platform: int = 20_000
    bot_matches_anonymous: int = 200
    watches_platform: int = 10_000
    watches_anonymous: int = 2000
    max_expires: int = 365 * 24 * 3600
    heartbeat: float = 15.0
    read_timeout: float = 30.0
    drain: float = 0.0
    log_level: str = "info"
    api_keys: str = ""
    signing_key: Path | None = None
    webhooks: str = ""
    token_keys: str = ""
    token_audience: str = ""
    webhooks_allow_private: bool = False
    public_url: str = ""
    sandbox: bool = False
    game_packages: str = "all"
    archive: str = ""
    archived_expires: int = 3600
    cors_allowed_origins: str = "*"
    cors_allowed_headers: str = ""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    tls_client_ca: Path | None = None


def host_and_port(address: str) -> tuple[str, int]:
    """Split ``host:port``; brackets around an IPv6 address are removed. Raises `ValueError`."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise ValueError(f"{address!r} is not host:port")
    return host.strip("[]"), int(port)
