"""The address of a caller over HTTP, behind the proxies that the operator trusts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chitarrella.api.addresses import forwarded_address, network_of
from chitarrella.transports.rest.wsgi import Scope

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment


class TrustedProxies:
    """So many proxies in front, each of which appends to X-Forwarded-For."""

    def __init__(self, number: int) -> None:
        """Trust ``number`` proxies; 0 for none."""
        self._number = number

    @property
    def any(self) -> bool:
        """Whether the address of a caller is not that of its connection."""
        return self._number > 0

    def address(self, environ: WSGIEnvironment) -> str:
        """Return the address of the caller of a request."""
        return forwarded_address(environ["REMOTE_ADDR"], environ.get("HTTP_X_FORWARDED_FOR"), self._number)

    def network(self, scope: Scope) -> str:
        """Return the network of the caller of a request."""
        forwarded_for = None
        if self.any:
            values = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
            forwarded_for = ",".join(values)
        return network_of(forwarded_address(scope["client"][0], forwarded_for, self._number))
