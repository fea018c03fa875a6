"""The fixtures that these tests use, and an S3-compatible server: that of rclone, which checks signatures."""

import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.servers import free_port, spawn, until
from tests.stores import start_service, store, url

__all__ = ["start_service", "store", "url"]

RCLONE = Path(sys.executable).with_name("rclone")
BUCKET = "records"


class S3Server:
    """A running server with an empty bucket."""

    def __init__(self, folder: Path) -> None:
        self.objects = folder / "objects" / BUCKET
        self.objects.mkdir(parents=True)
        self.access_key, self.secret_key = secrets.token_hex(8), secrets.token_hex(16)
        self._port = free_port()
        self.start()

    def start(self) -> None:
        address, keys = f"127.0.0.1:{self._port}", f"{self.access_key},{self.secret_key}"
        flags = ["--config=", f"--addr={address}", f"--auth-key={keys}", "--vfs-write-back=0"]
        command = [str(RCLONE), "serve", "s3", *flags, str(self.objects.parent)]
        self.process = spawn(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self._listens, "the server listens")

    def _listens(self) -> bool:
        assert self.process.poll() is None, "the server has ended"
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), 1):
            return True
        return False

    @property
    def environment(self) -> dict[str, str]:
        return {
            "AWS_ENDPOINT": f"http://127.0.0.1:{self._port}", "AWS_ALLOW_HTTP": "true", "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": self.access_key, "AWS_SECRET_ACCESS_KEY": self.secret_key,
        }  # fmt: skip

    def records(self) -> dict[str, str]:
        return {str(path.relative_to(self.objects)): path.read_text() for path in self.objects.rglob("*.txt")}

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def s3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    """An S3-compatible server with an empty bucket, which this process reaches."""
    made = S3Server(tmp_path / "s3")
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    yield made
    made.kill()
