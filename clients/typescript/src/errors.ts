/**
 * The errors, with machine-readable codes.
 *
 * Every error is a `ChitarrellaError`; `StaleRevision`, `MovesLost` and `Refused` have more fields. A lost call is
 * "unavailable"; any other error without details of the service has the name of its gRPC status as its code.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorCode, type Open } from "./codes.js";
import { BadRequestSchema, ErrorInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import type { Refusal } from "./types.js";

const DOMAIN = "chitarrella";

/** Statuses of a broken connection, which differ by transport. An error of the service has error details. */
const CONNECTION_ERRORS: ReadonlySet<Code> = new Set([
  Code.Aborted,
  Code.Canceled,
  Code.DataLoss,
  Code.Internal,
  Code.InvalidArgument, // a truncated response
  Code.Unavailable,
  Code.Unknown,
]);

/** An invalid field, and why it is invalid. */
export interface Violation {
  readonly field: string;
  readonly message: string;
}

/** The optional fields of an error. */
export interface ErrorFields {
  readonly field?: string;
  readonly violations?: readonly Violation[];
  readonly details?: Readonly<Record<string, string>>;
  readonly status?: Code;
  readonly requestId?: string;
  readonly fromService?: boolean;
  readonly cause?: unknown;
}

/** The error of a call: a machine-readable `code`, an English message, and the invalid `field`, if any. */
export class ChitarrellaError extends Error {
  override readonly name: string = "ChitarrellaError";
  /** The machine-readable reason. */
  readonly code: Open<ErrorCode>;
  /** The path of the invalid field; "" for none. */
  readonly field: string;
  /** All invalid fields. */
  readonly violations: readonly Violation[];
  /** Other values by name. */
  readonly details: Readonly<Record<string, string>>;
  /** The gRPC status; undefined if no call was made. */
  readonly status: Code | undefined;
  /** The request id of the failed writing call: repeating the call with it has no second effect. */
  readonly requestId: string;
  /** False if the call or its response was lost. */
  readonly fromService: boolean;

  /** Creates an error. */
  constructor(code: Open<ErrorCode>, message: string, more: ErrorFields = {}) {
    super(message, { cause: more.cause });
    this.code = code;
    this.field = more.field ?? "";
    this.violations = more.violations ?? [];
    this.details = more.details ?? {};
    this.status = more.status;
    this.requestId = more.requestId ?? "";
    this.fromService = more.fromService ?? true;
  }

  /** The name, the message and the code. */
  override toString(): string {
    return `${this.name}: ${this.message} [${this.code}]`;
  }
}

/** The match has another revision than the expected one. */
export class StaleRevision extends ChitarrellaError {
  override readonly name: string = "StaleRevision";

  /** The current revision. */
  get revision(): number | undefined {
    return this.details["revision"] === undefined ? undefined : Number(this.details["revision"]);
  }

  /** Whether the move would be accepted at the current revision, if known. */
  get stillLegal(): boolean | undefined {
    return this.details["still_legal"] === undefined ? undefined : this.details["still_legal"] === "true";
  }
}

/**
 * The match went back, or never reached the expected revision. It is a `StaleRevision`, because the caller does the same:
 * read the match again, and decide anew with a new request id.
 */
export class MovesLost extends StaleRevision {
  override readonly name = "MovesLost";
}

/** A refused move; thrown by `playOrThrow` only. `code` is that of the first refusal. */
export class Refused extends ChitarrellaError {
  override readonly name = "Refused";

  /** Has the refusals and the revision of the response. */
  constructor(
    readonly refusals: readonly Refusal[],
    readonly revision: number,
  ) {
    super(refusals[0]?.code ?? "refused", refusals.map((refusal) => refusal.message).join(" "));
  }
}

/** Creates the error of the class for a code. */
export function makeError(code: string, message: string, more: ErrorFields = {}): ChitarrellaError {
  const kinds: Record<string, typeof ChitarrellaError> = {
    [ErrorCode.StaleRevision]: StaleRevision,
    [ErrorCode.MovesLost]: MovesLost,
  };
  const kind = kinds[code] ?? ChitarrellaError;
  return new kind(code, message, more);
}

/** Converts the error of a failed call, with the error details of the service if there are any. */
export function readError(failure: unknown, requestId = ""): ChitarrellaError {
  if (failure instanceof ChitarrellaError) {
    return failure;
  }
  const failed = ConnectError.from(failure);
  const info = failed.findDetails(ErrorInfoSchema).find((one) => one.domain === DOMAIN);
  const { field, ...details } = info?.metadata ?? {};
  const violations = failed.findDetails(BadRequestSchema).flatMap((one) => one.fieldViolations);
  const code = info?.reason ?? bareCode(failed);
  return makeError(code, failed.rawMessage || statusName(failed.code), {
    field: field ?? violations[0]?.field ?? "",
    violations: violations.map((one) => ({ field: one.field, message: one.description })),
    details,
    status: failed.code,
    requestId,
    fromService: info !== undefined,
    cause: failed,
  });
}

/** The code of an error without error details of the service. */
function bareCode({ code }: ConnectError): string {
  return CONNECTION_ERRORS.has(code) ? ErrorCode.Unavailable : statusName(code);
}

/** The name of a status in snake case: "deadline_exceeded". */
function statusName(code: Code): string {
  return Code[code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}
