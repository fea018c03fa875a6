"""Make the face for threads out of the face for asyncio: `python clients/python/faces.py`.

The two differ in nothing but "await", so only one of them is written by hand: what is in src/chitarrella_client/aio.
Only line.py, which speaks to the two kinds of gRPC, is written twice.  Needs ruff, for the format.

`--check` writes nothing, names each file that differs, and exits 1 if one does.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "src/chitarrella_client"
BY_HAND = "line.py"

WORDS = (
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    (r"\bchitarrella_client\.aio\b", "chitarrella_client.sync"),
    (r"\bgrpc\.aio\.Channel\b", "grpc.Channel"),
    (r"\bThe asyncio face\b", "The face for threads"),
)
"""What is said in asyncio, and how it is said without."""


def main() -> int:
    """Write the face, or check it; the exit status says whether all is well."""
    check = sys.argv[1:] == ["--check"]
    stale = []
    for source in sorted((PACKAGE / "aio").glob("*.py")):
        path = PACKAGE / "sync" / source.name
        if source.name == BY_HAND:
            continue
        text = plain(source)
        if not path.is_file() or path.read_text() != text:
            stale.append(path.name)
            if not check:
                path.write_text(text)
    for name in stale:
        print(f"{'not up to date' if check else 'brought up to date'}: sync/{name}")
    return int(check and bool(stale))


def plain(source: Path) -> str:
    """Give a module as it reads without asyncio."""
    text = source.read_text()
    for pattern, instead in WORDS:
        text = re.sub(pattern, instead, text)
    path = PACKAGE / "sync" / source.name
    for command in (["check", "--select=I", "--fix"], ["format"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--quiet", f"--stdin-filename={path}", "-"]
        text = subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout
    return text


if __name__ == "__main__":
    sys.exit(main())
