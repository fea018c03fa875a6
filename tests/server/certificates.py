"""Certificates for a service under test, and clients that trust them."""

import ssl
import subprocess
from pathlib import Path

import grpc
import httpx
import trustme

from chitarrella.v1.questions_pb2 import StartGameRequest
from chitarrella.v1.rules_pb2_grpc import RulesServiceStub
from chitarrella.v1.table_pb2 import RuleSet

HOST = "localhost"


class Authority:
    """A CA, the files of the service's certificate, and those of a client of it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.ca = trustme.CA()
        self.certificate, self.key, self.root = folder / "cert.pem", folder / "key.pem", folder / "ca.pem"
        self.ca.cert_pem.write_to_path(str(self.root))
        self.client = self.ca.issue_cert("client@cards.example")
        self.renew()

    @property
    def flags(self) -> tuple[str, ...]:
        return ("--edge", "--tls-cert", str(self.certificate), "--tls-key", str(self.key))

    def renew(self, ca: trustme.CA | None = None) -> None:
        """Replace both files, each at once; by default with a certificate of this CA."""
        issued = (ca or self.ca).issue_cert(HOST, "127.0.0.1")
        replace(self.key, issued.private_key_pem.bytes())
        replace(self.certificate, b"".join(part.bytes() for part in issued.cert_chain_pems))

    def context(self, *, client: bool = False) -> ssl.SSLContext:
        """The TLS of a client that trusts the CA, with a certificate of its own or without."""
        context = ssl.create_default_context()
        self.ca.configure_trust(context)
        if client:
            self.client.configure_cert(context)
        return context

    def http(self, *, client: bool = False, http2: bool = False) -> httpx.Client:
        return httpx.Client(verify=self.context(client=client), http2=http2, timeout=10)

    def channel(self, address: str, *, client: bool = False) -> grpc.Channel:
        chain = self.client.cert_chain_pems[0].bytes() if client else None
        key = self.client.private_key_pem.bytes() if client else None
        credentials = grpc.ssl_channel_credentials(self.ca.cert_pem.bytes(), key, chain)
        return grpc.secure_channel(address, credentials, [("grpc.use_local_subchannel_pool", 1)])

    def shown(self, address: str) -> bytes:
        """The certificate that a new connection is shown, whoever has issued it.

        Empty if the connection is cut, as it is if its handshake is in progress while the certificate is replaced.
        """
        host, _, port = address.rpartition(":")
        try:
            return ssl.get_server_certificate((host, int(port))).encode()
        except (ssl.SSLEOFError, ConnectionResetError):
            return b""


def on_another_curve(folder: Path) -> tuple[bytes, bytes]:
    """A certificate and its key on a curve that OpenSSL knows and Envoy does not."""
    how = "-newkey ec -pkeyopt ec_paramgen_curve:secp256k1 -nodes -subj /CN=localhost -keyout k.pem -out c.pem"
    folder.mkdir()
    subprocess.run(["openssl", "req", "-x509", *how.split()], cwd=folder, check=True, capture_output=True)
    return (folder / "c.pem").read_bytes(), (folder / "k.pem").read_bytes()


def replace(file: Path, content: bytes) -> None:
    new = file.with_suffix(".new")
    new.write_bytes(content)
    new.replace(file)


def start_game(authority: Authority, address: str, *, client: bool = False) -> None:
    """Make a call over a new connection of gRPC."""
    with authority.channel(address, client=client) as channel:
        asked = StartGameRequest(rule_set=RuleSet(game_id="briscola"))
        RulesServiceStub(channel).StartGame(asked, timeout=10)


def version(authority: Authority, url: str, *, client: bool = False, http2: bool = False) -> str:
    """Fetch a page over a new connection; return the version of HTTP that was chosen."""
    with authority.http(client=client, http2=http2) as http:
        return http.get(f"{url}/healthz").raise_for_status().http_version
