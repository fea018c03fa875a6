"""What a worker asks of its process and of the system: sockets, open files, memory, the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache

from chitarrella.server.settings import host_and_port
from chitarrella.transports.certificates import CertificateError, CertificateFiles, Certificates
from chitarrella.transports.grpc_server import check_credentials
from chitarrella.transports.http_server import HttpServer


def tune_gc() -> None:
    """Collect garbage rarely: reference counts free most of it, and a full collection would pause a worker for long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)


def raise_file_limit() -> None:
    with contextlib.suppress(ImportError):
        import resource  # noqa: PLC0415 - not available on every system

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(OSError, ValueError):  # macOS says "unlimited", and means less
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def bind(address: str, *, share: bool) -> socket.socket:
    """Bind the HTTP port; with ``share`` other workers may bind the same one. Raises `OSError` with the address."""
    return _bound(address, socket.SO_REUSEADDR, *([socket.SO_REUSEPORT] if share else []))


def _bound(address: str, *options: int) -> socket.socket:
    host, port = host_and_port(address)
    sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        for option in options:
            sock.setsockopt(socket.SOL_SOCKET, option, 1)
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise OSError(f"cannot listen at {address}: {error.strerror or error}") from error
    return sock


def reserve(address: str) -> socket.socket:
    """Bind a port for the workers that will share it, so that no other service does. Raises `OSError`.

    A socket that shares nothing finds out whether another service listens. The one that is kept does not reuse the
    address, so that another service fails at it too while the workers start; after a restart the system may ask for it.
    """
    bind(address, share=False).close()
    try:
        return _bound(address, socket.SO_REUSEPORT)
    except OSError:
        return bind(address, share=True)


def event_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    """Return the factory of the event loop: uvloop where installed, some ten percent cheaper a call."""
    if sys.platform != "win32":
        with contextlib.suppress(ImportError):
            import uvloop  # noqa: PLC0415 - not available on every system

            return uvloop.new_event_loop
    return asyncio.new_event_loop


# The check of certificates before they are served


TIMEOUT_SECONDS = 60.0  # generous: the process takes less than a second where the processor is free


@lru_cache(maxsize=1)  # the command checks what its only worker then reads
def check_certificates(certificates: Certificates) -> None:
    """Check that both servers can serve certificates. Raises `CertificateError`."""
    _check_by_openssl(certificates)
    content = [_text(certificates.certificate), _text(certificates.key)]
    content += [_text(certificates.client_ca)] if certificates.client_ca else []
    command = [sys.executable, "-m", __name__]
    try:
        found = subprocess.run(
            command, input=json.dumps(content), capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CertificateError(f"the certificate cannot be checked: {type(error).__name__}") from error
    if found.returncode:
        reason = re.search(r"on an `Err` value: (.+)", found.stderr)  # how granian aborts
        last_line = found.stderr.strip().rpartition("\n")[2]
        raise CertificateError(f"the certificate cannot be served: {reason[1] if reason else last_line}")


def _check_by_openssl(certificates: Certificates) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with certificates.as_files() as files:
        try:
            context.load_cert_chain(files.certificate, files.key, password=_no_password)
        except (ssl.SSLError, ValueError) as error:
            raise CertificateError(f"the certificate and its key cannot be used: {_reason(error)}") from error
        if files.client_ca:
            try:
                context.load_verify_locations(files.client_ca)
            except (ssl.SSLError, ValueError) as error:
                raise CertificateError(f"the client CA cannot be used: {_reason(error)}") from error


def _no_password() -> str:
    raise CertificateError("the key is encrypted")


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", None)
    return str(reason).lower().replace("_", " ") if reason else str(error) or type(error).__name__


def _text(content: bytes) -> str:
    return content.decode("latin-1")


async def _serve_once(certificates: Certificates) -> None:
    """Serve certificates over HTTP at a free port of the loopback until one client has seen them."""
    with certificates.as_files() as files:
        server = HttpServer(
            _no_app, socket.create_server(("127.0.0.1", 0)), certificates=CertificateFiles(files, lambda _: None)
        )
        await server.start()
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # only whether there is a handshake counts
        _, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=context)
        writer.close()
        await server.stop(0)


async def _no_app(*_: object) -> None:
    raise RuntimeError("nothing is asked here")


def main() -> None:
    """Check the certificates that come by the standard input, as a JSON array of texts."""
    with contextlib.suppress(ImportError):
        import resource  # noqa: PLC0415 - not available on every system

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would hold the key
    certificates = Certificates(*(text.encode("latin-1") for text in json.load(sys.stdin)))
    try:
        check_credentials(certificates)
    except CertificateError as error:
        sys.exit(str(error))
    asyncio.run(_serve_once(certificates))
    os._exit(0)  # a thread of granian that calls Python while it is being finalized would abort the process


if __name__ == "__main__":
    main()
