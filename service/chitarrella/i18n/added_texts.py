"""The English texts that games of other packages bring along, for events and facts that have none here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ADDED_SENTENCES: Final[dict[str, str]] = {}
"""Sentences by kind of event, or kind and word, as `chitarrella.i18n.narration.SENTENCES`."""
ADDED_FACT_NAMES: Final[dict[str, str]] = {}
"""Names of facts."""


def add_english(sentences: Mapping[str, str], fact_names: Mapping[str, str]) -> None:
    """Use further texts; where there are two, the first counts. Idempotent."""
    for added, more in ((ADDED_SENTENCES, sentences), (ADDED_FACT_NAMES, fact_names)):
        for key, text in more.items():
            added.setdefault(key, text)
