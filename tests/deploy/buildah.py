"""Images without a registry: a base of Debian packages, and what buildah makes of a Dockerfile on top of it."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

PROGRAMS = {"buildah": "buildah", "mmdebstrap": "mmdebstrap", "unshare": "util-linux", "chroot": "coreutils"}
"""The programs that an image check runs, each with its Debian package."""
HOST_FILES = ("/etc/ssl/certs", "/etc/pip.conf")
"""What a build reads of this machine and does not keep: where pip finds packages, and which certificates it trusts."""


class Unavailable(RuntimeError):
    """A machine that cannot build images; the message says why."""


def require_tools() -> None:
    """Raise `Unavailable` unless this process is root and has the programs."""
    if os.geteuid() != 0:
        raise Unavailable("an image is built and run by root: mounts and chroot need it")
    if missing := [package for program, package in PROGRAMS.items() if shutil.which(program) is None]:
        raise Unavailable(f"missing; on Debian: apt-get install {' '.join(missing)}")


def make_base(suite: str, path: Path) -> None:
    partial = path.with_suffix(".partial")
    command = [
        "mmdebstrap", "--quiet", "--variant=minbase", "--format=tar", "--include=python3-venv", suite, str(partial),
    ]  # fmt: skip
    subprocess.run(command, check=True)
    partial.rename(path)


class Buildah:
    """Images and containers in a folder of their own, as plain folders (VFS)."""

    def __init__(self, folder: Path) -> None:
        """Use ``folder`` as the store; `close` removes it."""
        self._folder = folder
        self._command = [
            "buildah", "--root", str(folder / "root"), "--runroot", str(folder / "run"), "--storage-driver", "vfs",
        ]  # fmt: skip

    def run(self, *arguments: str) -> str:
        """Run a command of buildah and return its standard output. Raises `CalledProcessError`."""
        done = subprocess.run([*self._command, *arguments], stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout.strip()

    def import_tar(self, path: Path, tag: str) -> None:
        """Make an image of one layer."""
        container = self.run("from", "scratch")
        self.run("add", "--quiet", container, str(path), "/")
        self.run("commit", "--quiet", container, tag)
        self.run("rm", container)

    def build(self, context: Path, tag: str, **arguments: str) -> None:
        """Build the Dockerfile of a folder, with its build arguments in capital letters.

        The format is Docker's, because OCI images have no health check.
        """
        options = [f"--build-arg={name}={value}" for name, value in arguments.items()]
        options += [f"--volume={path}:{path}:ro" for path in HOST_FILES if Path(path).exists()]
        self.run("build", "--isolation=chroot", "--format=docker", *options, f"--tag={tag}", str(context))

    def save(self, image: str, path: Path, name: str) -> None:
        """Write an image to a file in Docker's format, under a name that it has when it is loaded."""
        self.run("push", "--quiet", image, f"docker-archive:{path}:{name}")

    def load(self, path: Path) -> str:
        """Read the image of such a file; returns its id."""
        return self.run("pull", "--quiet", f"docker-archive:{path}")

    def config(self, image: str) -> dict[str, Any]:
        """The settings of an image, as Docker names them: `Env`, `User`, `Labels` and so on."""
        inspected: dict[str, Any] = json.loads(self.run("inspect", "--type=image", image))
        config: dict[str, Any] = inspected["Docker"]["config"]
        return config

    def mount(self, image: str) -> Path:
        return Path(self.run("mount", self.run("from", "--pull-never", image)))

    def close(self) -> None:
        """Remove the store; files of others that are still mounted in it are not removed, but an error."""
        mounts = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
        if busy := [mount for mount in mounts if Path(mount).is_relative_to(self._folder)]:
            raise RuntimeError(f"still mounted: {', '.join(busy)}")
        shutil.rmtree(self._folder, ignore_errors=True)
