"""Build step: compile the translations, ``locale/*.po``, to the ``locale/*.mo`` that the service reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTranslations(BuildHookInterface[Any]):
    """The hook named ``custom`` in pyproject.toml."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files of the wheel are collected."""
        for source in sorted(Path(self.root, "src").glob("*/locale/*.po")):
            with source.open("rb") as file, source.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, read_po(file, abort_invalid=True))
