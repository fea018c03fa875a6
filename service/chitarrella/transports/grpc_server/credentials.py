"""TLS of the gRPC server: credentials that follow the certificates of the service."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import grpc

from chitarrella.transports.certificates import CertificateError, CertificateFiles, Certificates


def server_credentials(files: CertificateFiles) -> grpc.ServerCredentials:
    """Return credentials by which each new connection is given the certificates of that moment."""
    return _Credentials(files).make()


def check_credentials(certificates: Certificates) -> None:
    """Check that gRPC can serve certificates. Raises `CertificateError`."""
    pairs = [(certificates.key, certificates.certificate)]
    is_mutual = certificates.client_ca is not None
    server = grpc.server(ThreadPoolExecutor(1))
    try:
        server.add_secure_port(
            "127.0.0.1:0", grpc.ssl_server_credentials(pairs, certificates.client_ca, require_client_auth=is_mutual)
        )
    except RuntimeError as error:
        raise CertificateError("gRPC cannot use the certificate") from error
    finally:
        server.stop(None)


class _Credentials:
    """Credentials, and the certificates that gRPC was given last."""

    def __init__(self, files: CertificateFiles) -> None:
        self._files = files
        self._given = files.current

    def make(self) -> grpc.ServerCredentials:
        is_mutual = self._given.client_ca is not None
        fetch = cast(Callable[[], grpc.ServerCertificateConfiguration], self._fetch)  # the stub leaves out None
        return grpc.dynamic_ssl_server_credentials(_configuration(self._given), fetch, is_mutual)

    def _fetch(self) -> grpc.ServerCertificateConfiguration | None:
        """Return certificates that gRPC has not yet, None where it has the present ones; called at each handshake."""
        current = self._files.current
        if current is self._given:
            return None
        self._given = current
        return _configuration(current)


def _configuration(certificates: Certificates) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration(
        [(certificates.key, certificates.certificate)], certificates.client_ca
    )
