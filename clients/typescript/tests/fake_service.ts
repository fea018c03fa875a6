/** An in-memory service with scripted responses. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport, type ServiceImpl } from "@connectrpc/connect";
import {
  CatalogueService,
  type GetMatchResponseSchema,
  MatchService,
  RulesService,
  Waiting,
  WebhookService,
} from "chitarrella-client/v1";
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

/** The state of a match. */
export function matchState(finished: boolean, cursor: string): MessageInitShape<typeof GetMatchResponseSchema> {
  return { matchId: "m", cursor, view: { phase: "play", waiting: finished ? Waiting.NOBODY : Waiting.SEAT } };
}
