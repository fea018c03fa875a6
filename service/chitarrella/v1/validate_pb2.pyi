"""Untyped: see proto/generate.py."""

from typing import Any

def __getattr__(name: str) -> Any: ...
