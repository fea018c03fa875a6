"""A container as deploy/kubernetes/ demands it: not root, no capability, all files read-only but /data and /tmp."""

import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any, Self

from tests.servers import spawn, until

MOUNTS = """
set -e
root=$1 data=$2
shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec chroot "$root" "$@"
"""
"""Mounts in a namespace of its own, which end with the process. Every step is an exec, so there is one process."""
ADDRESSES = re.compile(r"gRPC +\S+:(\d+)\nREST +http://\S+:(\d+)")


class Container:
    """A running command of an image; a context manager, which kills it."""

    def __init__(self, root: Path, config: dict[str, Any], data: Path, *command: str, **env: str) -> None:
        """Run ``command``, else that of the image, with its user and environment, and ``data`` as its volume."""
        user = config["User"]
        settings = [*config["Env"], *(f"{name}={value}" for name, value in env.items())]
        self.log = data.parent / f"{data.name}.log"
        with self.log.open("w") as log:
            self.process = spawn(
                [_path("unshare"), "--mount", "sh", "-c", MOUNTS, "sh", str(root), str(data),
                 "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--bounding-set=-all",
                 "--inh-caps=-all", "--no-new-privs", "env", "--ignore-environment", *settings,
                 *(command or config["Cmd"])],
                stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Kill the command if it still runs."""
        self.process.kill()
        self.process.wait()

    def ports(self) -> tuple[int, int]:
        until(lambda: "Ctrl-C" in self.output() or self.process.poll() is not None, "the service listens", 60)
        found = ADDRESSES.search(self.output())
        assert found, f"the service ended: {self.output()[-2000:]}"
        return int(found[1]), int(found[2])

    def output(self) -> str:
        return self.log.read_text()

    def wait(self) -> int:
        """The exit status of the command, after at most a minute."""
        return int(self.process.wait(60))

    def stop(self) -> int:
        """Send SIGTERM and return the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait()


def _path(program: str) -> str:
    path = shutil.which(program)
    assert path, f"{program} is missing"
    return path
