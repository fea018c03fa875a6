/** An in-memory service with scripted responses. */

import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createRouterTransport, type ServiceImpl } from "@connectrpc/connect";
import { CatalogueService, MatchService, MatchState, RulesService, WebhookService } from "chitarrella-client/v1";
import { Chitarrella } from "#dist/client.js";
import { BadRequestSchema, ErrorInfoSchema } from "#dist/gen/google/rpc/error_details_pb.js";
import { RetryingTransport, type Settings } from "#dist/transport.js";

/** The implemented methods. */
export type Methods = Partial<ServiceImpl<typeof MatchService>> &
  Partial<ServiceImpl<typeof CatalogueService>> &
  Partial<ServiceImpl<typeof RulesService>> &
  Partial<ServiceImpl<typeof WebhookService>>;

/** A client of such a service. */
export function clientOf(methods: Methods, settings: Settings = {}): Chitarrella {
  const transport = createRouterTransport((router) => {
    router.service(MatchService, methods);
    router.service(CatalogueService, methods);
    router.service(RulesService, methods);
    router.service(WebhookService, methods);
  });
  return new Chitarrella(new RetryingTransport(transport, settings));
}

/** An error with details as the service sends it. */
export function failure(status: Code, reason: string, metadata: Record<string, string> = {}): ConnectError {
  const info = { desc: ErrorInfoSchema, value: { reason, domain: "chitarrella", metadata } };
  const fieldViolations = [{ field: "move.verb", description: "is no verb" }];
  const details =
    status === Code.InvalidArgument ? [info, { desc: BadRequestSchema, value: { fieldViolations } }] : [info];
  return new ConnectError("A sentence.", status, undefined, details);
}

/** A lost call, as a transport reports it. */
export function lost(status: Code = Code.Unavailable): ConnectError {
  return new ConnectError("socket hang up", status);
}

/** When every match was created. */
export const CREATED = new Date(1_700_000_000_000);

/** A match. */
export function matchOf(finished: boolean, cursor: string) {
  const state = finished ? MatchState.FINISHED : MatchState.OPEN;
  return { matchId: "m", cursor, state, createTime: timestampFromMs(CREATED.getTime()) };
}
