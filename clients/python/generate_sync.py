"""Generate the synchronous client from the asyncio one: `python clients/python/generate_sync.py`.

The two differ only in "async" and "await", so only src/chitarrella_client/aio is written by hand.  The exception is
transport.py, which uses gRPC's two different APIs and is written twice.  Needs ruff, for import order and format.

`--check` writes nothing, prints each file that differs, and exits 1 if one does.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "src/chitarrella_client"
HANDWRITTEN = "transport.py"

REPLACEMENTS = (
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    (r"\bchitarrella_client\.aio\b", "chitarrella_client.sync"),
    (r"\bgrpc\.aio\.Channel\b", "grpc.Channel"),
    (r"\bThe asyncio client\b", "The synchronous client"),
)
"""Patterns of asyncio code, and what replaces them."""


def main() -> int:
    """Write the generated modules, or check them. Returns the exit status."""
    check = sys.argv[1:] == ["--check"]
    stale = []
    for source in sorted((PACKAGE / "aio").glob("*.py")):
        path = PACKAGE / "sync" / source.name
        if source.name == HANDWRITTEN:
            continue
        text = synchronous(source)
        if not path.is_file() or path.read_text() != text:
            stale.append(path.name)
            if not check:
                path.write_text(text)
    for name in stale:
        print(f"{'not up to date' if check else 'brought up to date'}: sync/{name}")
    return int(check and bool(stale))


def synchronous(source: Path) -> str:
    """Return the source of a module without asyncio, formatted."""
    text = source.read_text()
    for pattern, replacement in REPLACEMENTS:
        text = re.sub(pattern, replacement, text)
    path = PACKAGE / "sync" / source.name
    for command in (["check", "--select=I", "--fix"], ["format"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--quiet", f"--stdin-filename={path}", "-"]
        text = subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout
    return text


if __name__ == "__main__":
    sys.exit(main())
