/**
 * What can go wrong, as one family of errors with codes to switch on.
 *
 * Everything is a `ChitarrellaError`; `StaleRevision` and `Refused` carry more. A call that was lost on its way is
 * "unavailable"; whatever else the service did not explain has the name of its gRPC status.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorCode, type Open } from "./codes.js";
import { BadRequestSchema, ErrorInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import type { Refusal } from "./table.js";

const DOMAIN = "chitarrella";

/** What a call may end with when its way is cut: no two transports agree on it. The service itself sends details. */
const LOST: ReadonlySet<Code> = new Set([
  Code.Aborted,
  Code.Canceled,
  Code.DataLoss,
  Code.Internal,
  Code.InvalidArgument, // an answer that was cut off in the middle
  Code.Unavailable,
  Code.Unknown,
]);

/** A field at fault, and what is wrong with it. */
export interface Violation {
  readonly field: string;
  readonly because: string;
}

/** The particulars of an error. */
export interface Particulars {
  readonly field?: string;
  readonly violations?: readonly Violation[];
  readonly details?: Readonly<Record<string, string>>;
  readonly status?: Code;
  readonly requestId?: string;
  readonly fromService?: boolean;
  readonly cause?: unknown;
}

/** What went wrong: a `code` to switch on, an English sentence, and the `field` at fault, if one is. */
export class ChitarrellaError extends Error {
  override readonly name: string = "ChitarrellaError";
  /** The reason code. */
  readonly code: Open<ErrorCode>;
  /** The same in an English sentence. */
  readonly because: string;
  /** The path of the field at fault; "" for none. */
  readonly field: string;
  /** Every field at fault. */
  readonly violations: readonly Violation[];
  /** Particulars by name. */
  readonly details: Readonly<Record<string, string>>;
  /** The gRPC status; undefined where no call was made. */
  readonly status: Code | undefined;
  /** That of the writing call that failed; the same call with it tells what came of it, and does nothing twice. */
  readonly requestId: string;
  /** False where the call failed on its way. */
  readonly fromService: boolean;

  /** Says what went wrong. */
  constructor(code: Open<ErrorCode>, because: string, more: Particulars = {}) {
    super(`${because} [${code}]`, { cause: more.cause });
    this.code = code;
    this.because = because;
    this.field = more.field ?? "";
    this.violations = more.violations ?? [];
    this.details = more.details ?? {};
    this.status = more.status;
    this.requestId = more.requestId ?? "";
    this.fromService = more.fromService ?? true;
  }
}

/** The table has moved on from the revision the caller built upon. */
export class StaleRevision extends ChitarrellaError {
  override readonly name = "StaleRevision";

  /** Where the table is now. */
  get revision(): number | undefined {
    return this.details["revision"] === undefined ? undefined : Number(this.details["revision"]);
  }

  /** Whether the move would be accepted there, if the service has said so. */
  get stillLegal(): boolean | undefined {
    return this.details["still_legal"] === undefined ? undefined : this.details["still_legal"] === "true";
  }
}

/** A move was refused; thrown by `playOrThrow` only. `code` and `because` are those of the first refusal. */
export class Refused extends ChitarrellaError {
  override readonly name = "Refused";

  /** Carries what the answer said: the clauses against the move, and the revision the table is still at. */
  constructor(
    readonly refusals: readonly Refusal[],
    readonly revision: number,
  ) {
    super(refusals[0]?.code ?? "refused", refusals.map((refusal) => refusal.because).join(" "));
  }
}

/** Makes the error that stands for a code. */
export function makeError(code: string, because: string, more: Particulars = {}): ChitarrellaError {
  const kind = code === ErrorCode.StaleRevision ? StaleRevision : ChitarrellaError;
  return new kind(code, because, more);
}

/** Makes an error of a failed call, from the details that the service sends or else from the bare status. */
export function readError(problem: unknown, requestId = ""): ChitarrellaError {
  if (problem instanceof ChitarrellaError) {
    return problem;
  }
  const failed = ConnectError.from(problem);
  const info = failed.findDetails(ErrorInfoSchema).find((one) => one.domain === DOMAIN);
  const { field, ...details } = info?.metadata ?? {};
  const violations = failed.findDetails(BadRequestSchema).flatMap((one) => one.fieldViolations);
  const code = info?.reason ?? (LOST.has(failed.code) ? ErrorCode.Unavailable : statusName(failed.code));
  return makeError(code, failed.rawMessage || statusName(failed.code), {
    field: field ?? violations[0]?.field ?? "",
    violations: violations.map((one) => ({ field: one.field, because: one.description })),
    details,
    status: failed.code,
    requestId,
    fromService: info !== undefined,
    cause: failed,
  });
}

/** Writes a status as gRPC does in small letters: "deadline_exceeded". */
function statusName(code: Code): string {
  return Code[code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}
