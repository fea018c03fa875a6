"""`python archive.py ROOT OUT PATH ...`: files of the repository as a tar archive, with one folder around them.

Taken are committed and new files, which git does not ignore, by its patterns of paths. Equal files make equal archives:
they are sorted, belong to nobody, and have the time that SOURCE_DATE_EPOCH names.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tarfile
from pathlib import Path


def chosen(root: Path, patterns: list[str]) -> list[Path]:
    """The files below ``root`` that the patterns name, which git does not ignore."""
    command = ["git", "-c", f"safe.directory={root}", "ls-files", "--cached", "--others", "--exclude-standard", "--"]
    listed = subprocess.run([*command, *patterns], cwd=root, capture_output=True, text=True, check=True).stdout
    return [path for path in sorted(map(Path, set(listed.splitlines()))) if (root / path).is_file()]


def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A member of an archive without what differs from machine to machine."""
    member.mtime = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    member.mode = 0o755 if member.mode & 0o100 else 0o644
    return member


def write(root: Path, out: Path, patterns: list[str], added: dict[Path, str] | None = None) -> None:
    """Write an archive; the folder in it has its name. ``added`` are other files, with their paths in the folder."""
    folder = out.name.removesuffix(".tar.gz")
    with (
        out.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        files = {root / path: path.as_posix() for path in chosen(root, patterns)} | (added or {})
        for path, name in files.items():
            archive.add(path, f"{folder}/{name}", recursive=False, filter=plain)


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
