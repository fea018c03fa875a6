"""A hook of hatchling: translations, ``locale/*.po``, are compiled when a package is built or installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

from chitarrella_testing.texts import compile_translations


class CompileTranslations(BuildHookInterface[Any]):
    """The hook ``chitarrella`` in pyproject.toml."""

    PLUGIN_NAME = "chitarrella"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files of the wheel are collected."""
        for folder in Path(self.root, "src").glob("*/locale"):
            compile_translations(folder)


@hookimpl
def hatch_register_build_hook() -> type[CompileTranslations]:
    """Name the hook."""
    return CompileTranslations
