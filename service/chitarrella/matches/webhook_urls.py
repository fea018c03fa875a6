"""Which URLs and addresses a webhook may have: no platform can make the service call into its own network."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

LOCALHOST = "localhost"
"""The name of this machine, which is refused like its addresses."""
NAT64 = IPv6Network("64:ff9b::/96")
"""Addresses behind which a gateway calls the IPv4 address in their last 32 bits (RFC 6052)."""


def is_http_url(url: str) -> bool:
    """Whether a text is an http or https URL with a host."""
    try:
        parts = urlsplit(url)
        has_port = parts.port is None or parts.port >= 0
    except ValueError:  # brackets around no IPv6 address, or a port that is no number
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and has_port


def has_credentials(url: str) -> bool:
    """Whether a URL holds a user name or a password."""
    return "@" in urlsplit(url).netloc


def names_forbidden_address(url: str) -> bool:
    """Whether the host of a URL is an address, in any spelling, that is not public, or a name of this machine.

    ``localhost`` and the names below it stand for this machine everywhere (RFC 6761). No other name is resolved.
    """
    host = (urlsplit(url).hostname or "").rstrip(".")  # in small letters
    if host == LOCALHOST or host.endswith(f".{LOCALHOST}"):
        return True
    try:
        return not is_public(ip_address(host))
    except ValueError:
        pass
    try:
        return not is_public(IPv4Address(socket.inet_aton(host)))  # "127.1", "0x7f000001", "2130706433"
    except OSError:
        return False


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the internet: not private, of this machine, of a link, multicast or reserved.

    An IPv6 address that stands for an IPv4 address is as public as that one.
    """
    if isinstance(address, IPv6Address):
        inner = _ipv4_within(address)
        if inner is not None:
            return is_public(inner)
        if address.is_site_local:
            return False
    return address.is_global and not (
        address.is_multicast
        or address.is_reserved
        or address.is_loopback
        or address.is_link_local
        or address.is_unspecified
        or address.is_private
    )


def _ipv4_within(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that packets to an IPv6 address may be sent to; None where it stands for itself."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address.sixtofour is not None:
        return address.sixtofour
    return address.teredo[1] if address.teredo is not None else None
