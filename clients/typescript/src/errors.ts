/**
 * The errors, with machine-readable codes.
 *
 * Every error is a `ChitarrellaError`; `StaleRevision`, `MovesLost` and `Refused` have more fields. A lost call is
 * "unavailable"; any other error without details of the service has the name of its gRPC status as its code.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import type { Status } from "./gen/google/rpc/status_pb.js";
import type { Refusal } from "./types.js";

/** The reason of an error: `ChitarrellaError.code`. */
export const ErrorCode = {
  /** A field of the request is invalid; `violations` names all of them. */
  BadRequest: "bad_request",
  UnknownGame: "unknown_game",
  UnknownCard: "unknown_card",
  UnknownSuit: "unknown_suit",
  /** Not a move of the game at all. */
  MalformedMove: "malformed_move",
  BadPosition: "bad_position",
  BadPlayers: "bad_players",
  BadOption: "bad_option",
  BadCards: "bad_cards",
  BadCursor: "bad_cursor",
  /** The text is no record, or one of its moves is refused. */
  BadRecord: "bad_record",
  NoSuchSeat: "no_such_seat",
  /** The game is not played in tricks, so the question has no answer. */
  NoTricks: "no_tricks",
  /** The key is unknown to this match, or was replaced. */
  BadKey: "bad_key",
  /** The call needs a key. */
  KeyNeeded: "key_needed",
  /** The token of a platform is not valid; `field` names the claim. */
  BadToken: "bad_token",
  /** The token of a platform is for another service. */
  BadAudience: "bad_audience",
  /** The token of a platform has expired; a watch ends with this code. */
  TokenExpired: "token_expired",
  TokenNotYetValid: "token_not_yet_valid",
  /** The service requires an API key. */
  ApiKeyNeeded: "api_key_needed",
  BadApiKey: "bad_api_key",
  /** The call needs the API key of a platform. */
  PlatformOnly: "platform_only",
  /** The API key does not allow this call. */
  OutOfScope: "out_of_scope",
  /** The key is that of another seat. */
  NotYourSeat: "not_your_seat",
  RefereeOnly: "referee_only",
  /** The match does not exist, or was deleted. */
  NoSuchMatch: "no_such_match",
  NoSuchWebhook: "no_such_webhook",
  /** The webhook has no such delivery, or it is no longer kept. */
  NoSuchDelivery: "no_such_delivery",
  /** The settings of the service have no such API key. */
  NoSuchApiKey: "no_such_api_key",
  /** The webhook stands in the settings of the service; no call changes it. */
  WebhookConfigured: "webhook_configured",
  /** No clock runs at this match now. */
  NoClock: "no_clock",
  /** The service creates no tests. */
  SandboxOff: "sandbox_off",
  /** The match is no test, so its clock cannot be advanced. */
  NotASandbox: "not_a_sandbox",
  /** No shuffle awaits seeds of the seats. */
  NoShufflePending: "no_shuffle_pending",
  /** The seat has already added another seed to this shuffle. */
  AlreadyContributed: "already_contributed",
  NoSuchBot: "no_such_bot",
  /** No decision was made since the last shuffle, or there is no request. */
  NothingToTakeBack: "nothing_to_take_back",
  AlreadyDeclined: "already_declined",
  /** The last decision was made by another seat. */
  NotYourDecision: "not_your_decision",
  /** The decision moved a hidden card, so it cannot be taken back. */
  CardsWereSeen: "cards_were_seen",
  /** The match is finished; for a move this is the refusal `match_over`. */
  MatchFinished: "match_finished",
  /** The match does not allow it. */
  Restricted: "restricted",
  /** The call is allowed only when the match is finished. */
  MatchRunning: "match_running",
  /** The match was aborted. */
  MatchAborted: "match_aborted",
  EditionNotSupported: "edition_not_supported",
  /** The service does not have the game of the match now; the match is kept. */
  GameNotInstalled: "game_not_installed",
  /** The match has another revision than the expected one: a `StaleRevision`. */
  StaleRevision: "stale_revision",
  /** The service has lost acknowledged moves; read the match again. A `MovesLost`. */
  MovesLost: "moves_lost",
  /** The request id was used before, for something else. */
  RequestReused: "request_reused",
  /** A limit is reached; the call may succeed later. */
  TooMany: "too_many",
  /** Too many calls in a time; a retry after the time in RetryInfo succeeds. */
  RateLimited: "rate_limited",
  /** The platform or address has as much at a time as it may have. */
  QuotaExceeded: "quota_exceeded",
  /** The platform has as many webhooks as it may have. */
  TooManyWebhooks: "too_many_webhooks",
  /** The request is too large. */
  TooLarge: "too_large",
  /** A watcher did not keep up; `watch` resumes from its cursor by itself. */
  TooSlow: "too_slow",
  StoreDown: "store_down",
  /** Too many calls are waiting at this worker of the service; another one may be free. */
  Overloaded: "overloaded",
  /** This worker of the service is stopping; another one will answer. */
  ShuttingDown: "shutting_down",
  /** A fault of the service itself. */
  Internal: "internal",
  /** The service could not be reached, or the response was lost; made by the client. */
  Unavailable: "unavailable",
  /** No response in time; made by the client. */
  DeadlineExceeded: "deadline_exceeded",
} as const;

/** One of the codes known to this client. */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** The reason of a refusal, common to many games: `Refusal.code`. `client.game(id).reasons` has those of a game. */
export const RefusalCode = {
  MatchOver: "match_over",
  WrongPhase: "wrong_phase",
  NotYourTurn: "not_your_turn",
  NotInHand: "not_in_hand",
  BadPack: "bad_pack",
  BadDealer: "bad_dealer",
  MustFollowSuit: "must_follow_suit",
} as const;

/** One of the refusal codes common to many games. */
export type RefusalCode = (typeof RefusalCode)[keyof typeof RefusalCode];

/** A known code, or any other of a newer service or of a game; editors complete the known ones. */
export type Open<C extends string> = C | (string & {});

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
  /** False if the call or its response was lost, or nothing was sent. */
  readonly fromService: boolean;
  readonly #requestId: string;

  /** Creates an error. */
  constructor(code: Open<ErrorCode>, message: string, more: ErrorFields = {}) {
    super(message, { cause: more.cause });
    this.code = code;
    this.field = more.field ?? "";
    this.violations = more.violations ?? [];
    this.details = more.details ?? {};
    this.status = more.status;
    this.fromService = more.fromService ?? true;
    this.#requestId = more.requestId ?? "";
  }

  /**
   * The request id of the failed writing call: repeating the call with it has no second effect. With that of a creation
   * the keys are returned, so that no log shows it.
   */
  get requestId(): string {
    return this.#requestId;
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

/** The error of an argument: nothing was sent. */
export function mistake(field: string, message: string): ChitarrellaError {
  return new ChitarrellaError(ErrorCode.BadRequest, message, { field, fromService: false });
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

const OTHER_PORT =
  "The address does not speak this protocol: Connect and gRPC-Web are at that of REST, gRPC has its own.";
const NO_TLS = "The address does not speak TLS: its URL begins with http://.";

/** How calls fail at a wrong address: the code of the library, or the message. A retry fails in the same way. */
const WRONG_ADDRESS: ReadonlyMap<unknown, string> = new Map([
  ["HPE_INVALID_CONSTANT", OTHER_PORT],
  ["Protocol error", OTHER_PORT],
  ["HTTP 404", OTHER_PORT],
  ["HTTP 415", OTHER_PORT],
  ["EPROTO", NO_TLS],
  ["ERR_SSL_WRONG_VERSION_NUMBER", NO_TLS],
]);

/** How a connection ends that was cut, but also one to an address with another protocol. */
const CUT: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE", "http/2 stream closed with error code CANCEL (0x8)"]);

/** The code of the library below, or the message. */
function reasonOf({ cause, rawMessage }: ConnectError): unknown {
  const { code } = (cause ?? {}) as { code?: unknown };
  return code === undefined || code === "ERR_HTTP2_ERROR" ? rawMessage : code;
}

/** The message of an error; that of a cut connection says what else it may be. */
function messageOf(failed: ConnectError): string {
  const message = failed.rawMessage || statusName(failed.code);
  return CUT.has(reasonOf(failed)) ? `The connection was cut, or is to another port or scheme: ${message}.` : message;
}

/** Converts the error of a failed call, with the error details of the service if there are any. */
export function readError(failure: unknown, requestId = ""): ChitarrellaError {
  if (failure instanceof ChitarrellaError) {
    return failure;
  }
  const failed = ConnectError.from(failure);
  const wrongAddress = WRONG_ADDRESS.get(reasonOf(failed));
  if (wrongAddress !== undefined) {
    return mistake("url", wrongAddress);
  }
  const info = failed.findDetails(ErrorInfoSchema).find((one) => one.domain === DOMAIN);
  const { field, ...details } = info?.metadata ?? {};
  const violations = failed.findDetails(BadRequestSchema).flatMap((one) => one.fieldViolations);
  const code = info?.reason ?? bareCode(failed);
  return makeError(code, messageOf(failed), {
    field: field ?? violations[0]?.field ?? "",
    violations: violations.map((one) => ({ field: one.field, message: one.description })),
    details,
    status: failed.code,
    requestId,
    fromService: info !== undefined,
    cause: failed,
  });
}

/** Converts the error of one item of a batch, such as an `Answer`. */
export function errorOfStatus({ code, message, details }: Status): ChitarrellaError {
  const failed = new ConnectError(message, code);
  failed.details = details.map(({ typeUrl, value }) => ({ type: typeUrl.replace(/.*\//, ""), value }));
  return readError(failed);
}

/** The code of an error without error details of the service. */
function bareCode({ code }: ConnectError): string {
  return CONNECTION_ERRORS.has(code) ? ErrorCode.Unavailable : statusName(code);
}

/** The name of a status in snake case: "deadline_exceeded". */
function statusName(code: Code): string {
  return Code[code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}
