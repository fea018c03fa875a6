"""A worker that serves two platforms, and calls to it without a transport."""

from collections.abc import Callable
from typing import Any

from chitarrella import errors, v1
from chitarrella.api.api_keys import digest_of
from chitarrella.api.caller import Caller
from chitarrella.server.settings import Settings
from chitarrella.server.worker import Worker
from tests.transports.all_transports import RPCS, Failed
from tests.transports.conftest import WiredService
from tests.walks import CATALOGUE
from tests.webhooks.receiver import MOVES

ACME, CLUB, READER = "the-key-of-acme", "the-key-of-the-club", "a-key-for-rules"
API_KEYS = ";".join(
    f"{name} {scopes} {digest_of(key)}"
    for name, scopes, key in (("acme", "all", ACME), ("club", "all", CLUB), ("reader", "rules", READER))
)
SHORT = v1.RuleSet(game_id="briscola", options={"rubber_games": "1"})

StartWorker = Callable[..., "PlatformWorker"]  # starts one more worker on the store of the test


class PlatformWorker:
    def __init__(self, url: str, webhooks: str = "", *, allow_private: bool = True) -> None:
        settings = Settings(api_keys=API_KEYS, webhooks=webhooks, webhooks_allow_private=allow_private)
        self.parts = Worker(settings, url)
        hubs = self.parts.host.hub, self.parts.host.platform_hub
        self.wired = WiredService(self.parts.store, *hubs, self.parts.dispatcher, self.parts.calls, CATALOGUE)
        self.parts.webhooks.start()

    def call(self, rpc: str, api_key: str = ACME, key: str = "", **fields: Any) -> Any:
        """Call an rpc with the fields of its request; gives the response or the error."""
        caller = Caller(key, api_key=api_key)
        try:
            return self.parts.dispatcher.call(RPCS[rpc].path, RPCS[rpc].request(**fields), caller)
        except errors.ChitarrellaError as error:
            return Failed(error.code, error.field)

    def create(self, url: str, **fields: Any) -> v1.CreateWebhookResponse:
        made = self.call("CreateWebhook", url=url, **{"event_types": MOVES, **fields})
        assert isinstance(made, v1.CreateWebhookResponse), made
        return made

    def deliveries(self, webhook_id: str, **fields: Any) -> list[v1.Delivery]:
        return list(self.call("ListDeliveries", webhook_id=webhook_id, **fields).deliveries)

    def open_match(self, api_key: str = ACME) -> v1.CreatedMatch:
        made = self.call("CreateMatch", api_key, rule_set=SHORT)
        assert isinstance(made, v1.CreatedMatch), made
        return made

    def close(self) -> None:
        self.parts.webhooks.close()
        self.parts.host.close()
        self.parts.store.close()
