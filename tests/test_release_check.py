"""`make release-check` covers every client that is played, and notices what fails."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from clients.release.go.module_proxy import write_proxy
from clients.release.run import CHECKS, HERE, call, last_step

ROOT = Path(__file__).parent.parent


def test_every_played_client_is_checked() -> None:
    """Each client that plays the scenarios has an application, which names its steps."""
    clients = json.loads((ROOT / "clients/conformance/clients.json").read_text())
    played = {Path(client.get("folder", name.partition("-")[0])).name for name, client in clients.items()}
    assert played == {check.folder for check in CHECKS.values()}
    for check in CHECKS.values():
        script = (HERE / check.folder / check.script[0]).read_text()
        assert "\nstep install\n" in script
        assert "\nstep play\n" in script


def test_failed_step_is_reported(tmp_path: Path) -> None:
    """A script ends at the first command that fails, with its status, and the log has the step of the command."""
    (tmp_path / "check.sh").write_text('test "$2" = wheel\nstep install\n(exit 7)\nstep play\n')
    log = tmp_path / "log"
    assert 7 == call(("check.sh", "wheel"), tmp_path, {"APPLICATION": str(tmp_path)}, log)
    assert "install" == last_step(log)
    assert 1 == call(("check.sh", "sdist"), tmp_path, {"APPLICATION": str(tmp_path)}, log)
    assert "build" == last_step(log)


def test_go_module_has_no_other_module(tmp_path: Path) -> None:
    """The zip of the Go module has its generated code and its license, and nothing of the module of its tools."""
    write_proxy(ROOT / "clients/go", "v0.1.0", tmp_path)
    (path,) = tmp_path.rglob("*.zip")
    module = "github.com/chitarrella/chitarrella/clients/go"
    assert tmp_path / module / "@v" / "v0.1.0.zip" == path
    with zipfile.ZipFile(path) as archive:
        names = {name.removeprefix(f"{module}@v0.1.0/") for name in archive.namelist()}
    assert {"go.mod", "LICENSE", "client.go", "gen/chitarrella/v1/matches.pb.go"} <= names
    assert [] == [name for name in names if name.startswith(("tools/", module))]
