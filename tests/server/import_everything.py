"""Imports every module of the package with an audit hook, and prints the side effects as JSON."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import sys
import threading
from pathlib import Path
from typing import Any

PACKAGE = "chitarrella"
NETWORK = ("socket.__new__", "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname")
PROCESSES = ("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn")

SIDE_EFFECTS = """
import os, socket, subprocess, sys, threading
os.environ.get("HOME"), os.getenv("HOME"), os.environ["PATH"], "HOME" in os.environ
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("127.0.0.1", 9))
subprocess.run([sys.executable, "--version"], capture_output=True)
threading.Thread(target=threading.Event().wait, daemon=True).start()
"""
"""Effects that no import may have; run on request, to test that they are detected."""


def main() -> None:
    """Install the hook, import, and print."""
    snapshot: dict[str, list[str]] = {"network": [], "processes": [], "environment": [], "modules": []}

    def watch(event: str, _: object) -> None:
        if event in NETWORK:
            snapshot["network"].append(event)
        elif event in PROCESSES:
            snapshot["processes"].append(event)

    environment: Any = type(os.environ)
    read = environment.__getitem__

    def reading(self: Any, name: str) -> str:
        frame = sys._getframe(1)
        while frame.f_back and frame.f_globals["__name__"] in ("os", "_collections_abc", "collections.abc"):
            frame = frame.f_back
        if frame.f_globals["__name__"].startswith(PACKAGE):
            snapshot["environment"].append(f"{frame.f_globals['__name__']} {name}")
        return str(read(self, name))

    sys.addaudithook(watch)
    environment.__getitem__ = reading
    package = importlib.import_module(PACKAGE)
    for found in pkgutil.walk_packages(package.__path__, f"{PACKAGE}."):
        importlib.import_module(found.name)
        snapshot["modules"].append(found.name)
    if sys.argv[1:] == ["cause_side_effects"]:
        exec(SIDE_EFFECTS, {"__name__": f"{PACKAGE}.side_effects"})
    threads = len(list(Path("/proc/self/task").iterdir())) if sys.platform == "linux" else threading.active_count()
    print(json.dumps({**snapshot, "threads": threads}))


if __name__ == "__main__":
    main()
