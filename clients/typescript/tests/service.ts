/** A service in the memory of the test, which says what it is told to say. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport, type ServiceImpl } from "@connectrpc/connect";
import { CatalogueService, type GetMatchResponseSchema, MatchService, Waiting } from "chitarrella-client/v1";
import { Chitarrella } from "#dist/client.js";
import { BadRequestSchema, ErrorInfoSchema } from "#dist/gen/google/rpc/error_details_pb.js";
import { Line, type Settings } from "#dist/line.js";

/** What of the services is there. */
export type Said = Partial<ServiceImpl<typeof MatchService>> & Partial<ServiceImpl<typeof CatalogueService>>;

/** A client of such a service. */
export function clientOf(said: Said, settings: Settings = {}): Chitarrella {
  const transport = createRouterTransport((router) => {
    router.service(MatchService, said);
    router.service(CatalogueService, said);
  });
  return new Chitarrella(new Line(transport, settings));
}

/** An error as the service sends it. */
export function failure(status: Code, reason: string, metadata: Record<string, string> = {}): ConnectError {
  const info = { desc: ErrorInfoSchema, value: { reason, domain: "chitarrella", metadata } };
  const fieldViolations = [{ field: "move.verb", description: "is no verb" }];
  const details =
    status === Code.InvalidArgument ? [info, { desc: BadRequestSchema, value: { fieldViolations } }] : [info];
  return new ConnectError("A sentence.", status, undefined, details);
}

/** A failure on the way, as a transport tells it. */
export function lost(status: Code = Code.Unavailable): ConnectError {
  return new ConnectError("socket hang up", status);
}

/** How a match stands. */
export function standing(over: boolean, cursor: string): MessageInitShape<typeof GetMatchResponseSchema> {
  return { match: "m", cursor, view: { phase: "play", waiting: over ? Waiting.NOBODY : Waiting.SEAT } };
}
