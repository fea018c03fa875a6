"""The services of the contract, composed of their servicers."""

from __future__ import annotations

from chitarrella.api.admin import AdminServicer
from chitarrella.api.api_keys import ApiKeys
from chitarrella.api.catalogue import CatalogueServicer
from chitarrella.api.closed_api_keys import ClosedApiKeys
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.api.draining import Draining
from chitarrella.api.match_lifecycle import MatchLifecycleServicer
from chitarrella.api.match_operations import MatchOperationsServicer
from chitarrella.api.matches import MatchServicer
from chitarrella.api.platform_matches import PlatformMatchServicer
from chitarrella.api.rules import RulesServicer
from chitarrella.api.shuffles import ShuffleServicer
from chitarrella.api.tokens import TokenVerifier
from chitarrella.api.tracing import CallTracer
from chitarrella.api.webhooks import WebhookServicer
from chitarrella.catalogue.registry import Catalogue
from chitarrella.i18n.translator import add_texts
from chitarrella.limits.limiter import RateLimiter
from chitarrella.limits.watches import WatchCounter
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.platform_watching import PlatformHub
from chitarrella.matches.service import MatchService
from chitarrella.matches.signing import Signer
from chitarrella.matches.watching import WatchHub
from chitarrella.matches.webhook_service import WebhookService


def make_dispatcher(
    catalogue: Catalogue,
    matches: MatchService,
    operations: MatchOperations,
    hub: WatchHub,
    platform_hub: PlatformHub,
    *,
    signer: Signer | None = None,
    api_keys: ApiKeys | None = None,
    closed_api_keys: ClosedApiKeys | None = None,
    draining: Draining | None = None,
    tokens: TokenVerifier | None = None,
    webhooks: WebhookService | None = None,
    sandbox: bool = False,
    limiter: RateLimiter | None = None,
    watches: WatchCounter | None = None,
    tracer: CallTracer | None = None,
) -> Dispatcher:
    """Compose the servicers of all services.

    ``signer`` signs the records of finished matches; without ``api_keys`` everybody may call, without
    ``tokens`` no token is accepted, without ``webhooks`` no caller has any, and without ``limiter`` and ``watches``
    calls have no limit. The workers of a node share ``draining``. ``tracer`` makes a span of each call. With
    ``sandbox`` a match can be created as a test.
    """
    add_texts(catalogue)
    return Dispatcher(
        {
            "CatalogueService": [CatalogueServicer(catalogue)],
            "RulesService": [RulesServicer(catalogue)],
            "MatchService": [
                MatchLifecycleServicer(matches, sandbox=sandbox),
                MatchServicer(matches, hub, signer),
                PlatformMatchServicer(matches.lists, platform_hub),
                MatchOperationsServicer(matches, operations),
                ShuffleServicer(matches),
            ],
            "WebhookService": [WebhookServicer(webhooks)],
            "AdminService": [AdminServicer(api_keys or ApiKeys(), closed_api_keys, draining or Draining())],
        },
        api_keys,
        tokens,
        limiter,
        watches,
        tracer,
        closed_api_keys,
    )
