"""An S3-compatible server: versitygw, which keeps objects as files and checks signatures, built from its Go module."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.servers import free_port, spawn, until

MODULE = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"
FOLDER = Path(__file__).parents[2] / "build" / "s3"
BUCKET = "records"


def server_binary() -> Path:
    """The server, built at the first call; skips the test where there is no Go."""
    if shutil.which("go") is None:
        pytest.skip("s3: there is no Go on the PATH to build the server with")
    binary = FOLDER / MODULE.replace("/", "-") / "versitygw"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other test processes wait for this one
        if not binary.exists():
            environment = {**os.environ, "GOBIN": str(binary.parent), "CGO_ENABLED": "0"}
            subprocess.run(["go", "install", "-trimpath", MODULE], check=True, env=environment, capture_output=True)
    return binary


class S3Server:
    """A running server with an empty bucket."""

    def __init__(self, folder: Path) -> None:
        """Start it and wait until it listens."""
        self.objects = folder / "objects" / BUCKET
        (folder / "metadata").mkdir(parents=True)
        self.objects.mkdir(parents=True)
        self.access_key, self.secret_key = secrets.token_hex(8), secrets.token_hex(16)
        self._port = free_port()
        self._folder = folder
        self.start()

    def start(self) -> None:
        """Start the process, or restart it on its objects."""
        keys = {"ROOT_ACCESS_KEY_ID": self.access_key, "ROOT_SECRET_ACCESS_KEY": self.secret_key}
        posix = ("posix", "--sidecar", str(self._folder / "metadata"), str(self._folder / "objects"))
        self.process = spawn(
            [str(server_binary()), "--port", f"127.0.0.1:{self._port}", "--quiet", *posix],
            env={**os.environ, **keys},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self._listens, "the server listens")

    def _listens(self) -> bool:
        assert self.process.poll() is None, "the server has ended"
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), 1):
            return True
        return False

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which the AWS tools reach it."""
        return {
            "AWS_ENDPOINT": f"http://127.0.0.1:{self._port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": self.access_key,
            "AWS_SECRET_ACCESS_KEY": self.secret_key,
        }

    def records(self) -> dict[str, str]:
        """The objects of the bucket by their names."""
        return {str(path.relative_to(self.objects)): path.read_text() for path in self.objects.rglob("*.txt")}

    def kill(self) -> None:
        """Kill the process. Idempotent."""
        self.process.kill()
        self.process.wait()
