"""Archives of files of the repository: those that are committed, and new ones that git does not ignore.

`python archive.py ROOT OUT PATTERN ...` makes a tar archive with one folder around the files that the patterns name.
`python archive.py --go FOLDER VERSION OUT` makes of a Go module the files of a module proxy (GOPROXY=file://OUT).
Equal files make equal archives.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

LICENSE = Path(__file__).parents[2] / "LICENSE"


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


def module_files(home: Path) -> list[Path]:
    """The files of the Go module in a folder, without those of modules inside it, as Go takes them of a tag."""
    paths = chosen(home, ["."])
    inner = [path.parent for path in paths if path.name == "go.mod" and path.parent != Path()]
    return [path for path in paths if not any(path.is_relative_to(one) for one in inner)]


def write_proxy(home: Path, version: str, out: Path) -> None:
    """Write what a proxy answers about one version of the module in ``home``; Go adds the licence at the root."""
    go_mod = (home / "go.mod").read_text(encoding="utf-8")
    module = go_mod.split()[1]
    folder = out / module / "@v"
    folder.mkdir(parents=True)
    (folder / "list").write_text(f"{version}\n")
    (folder / f"{version}.info").write_text(json.dumps({"Version": version}))
    (folder / f"{version}.mod").write_text(go_mod)
    with zipfile.ZipFile(folder / f"{version}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in {"LICENSE": LICENSE, **{path.as_posix(): home / path for path in module_files(home)}}.items():
            # Without the time of the file: equal files make equal zips.
            member = zipfile.ZipInfo(f"{module}@{version}/{name}")
            archive.writestr(member, path.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    if sys.argv[1] == "--go":
        write_proxy(Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
    else:
        write(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
