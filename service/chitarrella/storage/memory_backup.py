"""What a backup copies, in the memory of one process: matches and webhooks as copies, which no service plays on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chitarrella.matches.backup import MatchCopy, WebhookCopy


class MemoryBackup:
    """Copies of matches and of webhooks, and a secret."""

    def __init__(self) -> None:
        """Create an empty store without a secret."""
        self._secret = ""
        self._matches: dict[str, MatchCopy] = {}
        self._webhooks: dict[str, WebhookCopy] = {}

    def get_secret(self) -> str:
        """The secret of the store."""
        return self._secret

    def set_secret(self, secret: str) -> None:
        """Replace the secret of the store."""
        self._secret = secret

    def estimate(self) -> int:
        """How many matches there are."""
        return len(self._matches)

    def matches(self) -> Iterator[MatchCopy]:
        """Copy every match."""
        yield from list(self._matches.values())

    def webhooks(self) -> Iterator[WebhookCopy]:
        """Copy every webhook."""
        yield from list(self._webhooks.values())

    def existing_matches(self, matches: Sequence[str]) -> int:
        """How many of these matches exist."""
        return sum(match in self._matches for match in matches)

    def has_webhook(self, webhook: WebhookCopy) -> bool:
        """Whether there is a webhook of this id."""
        return webhook.webhook_id in self._webhooks

    def put_matches(self, matches: Sequence[MatchCopy], *, replace: bool) -> int:
        """Store matches."""
        kept = self._matches
        stored = [one for one in matches if replace or kept.get(one.match, one).row["digest"] == one.row["digest"]]
        self._matches.update((one.match, one) for one in stored)
        return len(stored)

    def put_webhook(self, webhook: WebhookCopy) -> None:
        """Store a webhook."""
        self._webhooks[webhook.webhook_id] = webhook
