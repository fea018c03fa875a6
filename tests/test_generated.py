"""Generated code is what its sources of today generate: the contract's code, the client's synchronous version."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("script", ["proto/generate.py", "clients/python/generate_sync.py"])
def test_generated_code_is_fresh(script: str) -> None:
    """Generating again gives every committed file, to the letter."""
    done = subprocess.run([sys.executable, script, "--check"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr), done.stdout
