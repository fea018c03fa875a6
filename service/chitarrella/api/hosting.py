"""The parts that host matches and answer every rpc, put together for a worker, and for a channel without a server."""

from __future__ import annotations

from ctypes import c_bool

from chitarrella.api.admin import AdminServicer, WebhookServicer, draining_flag
from chitarrella.api.api_keys import ApiKeys, ClosedApiKeys, TokenVerifier
from chitarrella.api.caller import StartSpan
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.api.match_operations import MatchOperationsServicer, PlatformMatchServicer
from chitarrella.api.matches import MatchLifecycleServicer, MatchServicer
from chitarrella.api.rules import CatalogueServicer, RulesServicer
from chitarrella.i18n.translator import add_texts
from chitarrella.matches.chance import Signer
from chitarrella.matches.log_writer import choose_move
from chitarrella.matches.operations import MatchOperations, ObserveBotMove
from chitarrella.matches.scheduler import Scheduler
from chitarrella.matches.service import MatchService
from chitarrella.matches.watching import PlatformHub, WatchHub
from chitarrella.matches.webhooks import WebhookService
from chitarrella.runtime.limiter import RateLimiter, WatchCounter
from chitarrella.runtime.threads import FairPool


class MatchHost:
    """Matches with their bots, clocks and watchers. Its scheduler is started by who needs it."""

    def __init__(
        self,
        matches: MatchService,
        observe: ObserveBotMove = lambda *_: None,
        searching: FairPool | None = None,
    ) -> None:
        """Bots search in the pool ``searching``, as `Scheduler` says."""
        self._matches = matches
        self.operations = MatchOperations(matches, choose_move, observe)
        self.hub = WatchHub(matches.repository, matches.store.subscriptions)
        self.platform_hub = PlatformHub(matches.repository, matches.store.subscriptions)
        self.scheduler = Scheduler(self.operations, matches.store, searching)

    def dispatcher(
        self,
        *,
        signer: Signer | None = None,
        api_keys: ApiKeys | None = None,
        closed_api_keys: ClosedApiKeys | None = None,
        draining: c_bool | None = None,
        tokens: TokenVerifier | None = None,
        webhooks: WebhookService | None = None,
        sandbox: bool = False,
        limiter: RateLimiter | None = None,
        watches: WatchCounter | None = None,
        start_span: StartSpan | None = None,
    ) -> Dispatcher:
        """Compose the servicers of all services; what is None is off, or open to everybody."""
        matches, catalogue = self._matches, self._matches.repository.catalogue
        add_texts(catalogue)
        return Dispatcher(
            {
                "CatalogueService": [CatalogueServicer(catalogue)],
                "RulesService": [RulesServicer(catalogue)],
                "MatchService": [
                    MatchLifecycleServicer(matches, sandbox=sandbox),
                    MatchServicer(matches, self.hub, signer),
                    PlatformMatchServicer(matches.lists, self.platform_hub),
                    MatchOperationsServicer(matches, self.operations),
                ],
                "WebhookService": [WebhookServicer(webhooks)],
                "AdminService": [
                    AdminServicer(
                        api_keys or ApiKeys(), closed_api_keys, draining_flag() if draining is None else draining
                    )
                ],
            },
            api_keys,
            tokens,
            limiter,
            watches,
            start_span,
            closed_api_keys,
            matches.repository.presence.note,
        )

    def close(self) -> None:
        """End the scheduler and all watches."""
        for part in (self.scheduler, self.hub, self.platform_hub):
            part.close()
