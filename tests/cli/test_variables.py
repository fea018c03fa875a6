"""Options of ``serve`` as environment variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from chitarrella.cli.serve import command
from chitarrella.cli.variables import unread
from tests.cli.run_command import invoke, process


def test_help_names_the_variable_of_each_option() -> None:
    """The help of serve shows beside each option the variable that sets it, whatever it is called."""
    shown = "".join(invoke("serve", "--help").output.split())
    variables = [option.envvar for option in command.params if not getattr(option, "hidden", False) and option.envvar]
    assert 30 < len(variables)
    assert [] == [name for name in variables if f"envvar:{name}" not in shown]


def test_variables_that_set_nothing_are_found() -> None:
    """A variable that begins like ours and is no option's is found; those that Kubernetes sets are not."""
    names = ["CHITARRELLA_PREFIX", "CHITARRELLA_PREFX", "CHITARRELLA_SERVICE_HOST", "CHITARRELLA_PORT_8080_TCP", "HOME"]
    assert ["CHITARRELLA_PREFX"] == list(unread(command, names))


def test_variable_that_may_be_meant_for_tls_ends_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service does not start in plain text where a variable with a wrong name may have been meant for TLS."""
    monkeypatch.setenv("CHITARRELLA_TLS_CERT", str(tmp_path / "cert.pem"))
    done = process("serve", "--data", str(tmp_path / "data"), "--rest", "127.0.0.1:0", "--grpc", "127.0.0.1:0")
    assert 1 == done.returncode
    assert "no option is set by CHITARRELLA_TLS_CERT" in done.stderr
