"""The address of a caller, as a transport knows it; logs, metrics and answers never hold it."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

IPV6_PREFIX = 64
"""The length of the prefix that a provider gives to one customer, who can use every address in it."""


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """Return what an address counts as: an IPv4 address itself, an IPv6 address its first 64 bits.

    Empty for what is no address, such as the path of a socket.
    """
    ip = _parse(address)
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(IPv6Network((int(ip), IPV6_PREFIX), strict=False))
    return str(ip) if ip is not None else ""


def forwarded_address(peer: str, forwarded_for: str | None, trusted_proxies: int) -> str:
    """Return the address of the caller behind so many proxies, each of which adds its own peer to X-Forwarded-For.

    What stands further to the left comes from the caller, and may be invented. The address is that of ``peer`` where
    the header has fewer elements, or no address in that place.
    """
    if not trusted_proxies or not forwarded_for:
        return peer
    elements = forwarded_for.rsplit(",", trusted_proxies)
    if len(elements) < trusted_proxies:
        return peer
    address = _without_port(elements[-trusted_proxies].strip())
    return address if _parse(address) is not None else peer


def _without_port(text: str) -> str:
    """Return an address without the port that some proxies write behind it, and without brackets."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _parse(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(address.partition("%")[0])
    except ValueError:
        return None
