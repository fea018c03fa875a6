"""`python module_proxy.py ROOT FOLDER VERSION OUT`: a Go module as the files of a module proxy (GOPROXY=file://OUT).

The zip has the committed and the new files of the folder, without those of modules inside it, as Go makes it of a tag.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path


def module_files(home: Path) -> list[Path]:
    """The files of the module in the folder ``home``, which git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=home, capture_output=True, text=True, check=True).stdout.splitlines()
    paths = [Path(name) for name in listed]
    inner = [path.parent for path in paths if path.name == "go.mod" and path.parent != Path()]
    return [path for path in paths if (home / path).exists() and not any(path.is_relative_to(one) for one in inner)]


def write_proxy(home: Path, version: str, out: Path) -> None:
    """Write what a proxy answers about one version of the module in ``home``."""
    go_mod = (home / "go.mod").read_text(encoding="utf-8")
    module = go_mod.split()[1]
    folder = out / module / "@v"
    folder.mkdir(parents=True)
    (folder / "list").write_text(f"{version}\n")
    (folder / f"{version}.info").write_text(json.dumps({"Version": version}))
    (folder / f"{version}.mod").write_text(go_mod)
    with zipfile.ZipFile(folder / f"{version}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in module_files(home):
            # Without the time of the file: equal files make equal zips.
            member = zipfile.ZipInfo(f"{module}@{version}/{path.as_posix()}")
            archive.writestr(member, (home / path).read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    root, name, version, target = sys.argv[1:]
    write_proxy(Path(root) / name, version, Path(target))
