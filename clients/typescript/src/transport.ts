/**
 * Calls to the service over a transport, and their retries. Every call may be retried: reading changes nothing, and a
 * writing call carries a request id, under which it takes effect once.
 */

import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { ChitarrellaError, ErrorCode, mistake, readError } from "./errors.js";
import { MatchService } from "./gen/chitarrella/v1/matches_pb.js";
import { type Plain, plain } from "./plain.js";

const FIRST_DELAY_MS = 200;
const DELAY_FACTOR = 2.5;
const LONGEST_DELAY_MS = 3_000;

/** Codes of calls that may have gone unanswered, or that another worker or a restarted store can answer. */
export const RETRYABLE_CODES: ReadonlySet<string> = new Set([
  ErrorCode.DeadlineExceeded,
  ErrorCode.ShuttingDown,
  ErrorCode.StoreDown,
  ErrorCode.Unavailable,
]);

/** The pause after a number of consecutive failures, in milliseconds: exponential, with jitter. */
export function backoff(failures: number): number {
  const delay = FIRST_DELAY_MS * DELAY_FACTOR ** Math.min(failures - 1, 30);
  return Math.min(delay, LONGEST_DELAY_MS) * (0.8 + 0.4 * Math.random());
}

/** Whether the call may have gone unanswered, so that it should be retried. */
export function isRetryable(error: ChitarrellaError): boolean {
  return RETRYABLE_CODES.has(error.code);
}

/** Waits; a signal ends it early. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    if (signal.aborted) {
      done();
    }
  });
}

/** The settings of a client, the same for every transport. */
export interface Settings {
  /** The default key of `client.match`. */
  readonly key?: string;
  /** The API key of a platform, for services that require one. */
  readonly apiKey?: string;
  /** The language of clauses and refusals, a value of Accept-Language: "en", "it", "de". */
  readonly language?: string;
  /** The timeout of one attempt of a call in milliseconds, 0 for none. Default: 10 seconds. */
  readonly timeoutMs?: number;
  /** How often a lost call is retried. Default: 4 times. */
  readonly retries?: number;
}

/** The settings of one call. */
export interface CallSettings {
  /** The key of the caller; "" for the public. */
  readonly key?: string;
  /** How often it is retried. Default: that of the client. */
  readonly retries?: number;
}

/** Refuses a request that cannot be written before anything is sent. */
export function checkWritable<I extends DescMessage>(message: I, request: MessageInitShape<I>): void {
  try {
    toBinary(message, create(message, request));
  } catch (failure) {
    throw mistake("", failure instanceof Error ? failure.message : String(failure));
  }
}

/**
 * A transport with retries. The entry point for Node or for browsers creates and closes the
 * transport.
 */
export class RetryingTransport {
  /** The calls that are streams. */
  readonly streams: Pick<Client<typeof MatchService>, "watchMatch" | "watchMatches">;
  readonly #transport: Transport;
  readonly #settings: Settings;
  readonly #disconnect: () => void;
  readonly #closing = new AbortController();

  /** Calls over `transport`; `disconnect` closes its connections. */
  constructor(transport: Transport, settings: Settings, disconnect: () => void = () => {}) {
    this.#settings = settings;
    this.#disconnect = disconnect;
    this.#transport = transport;
    this.streams = createClient(MatchService, transport);
  }

  /** Aborted when the client is closed. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** Throws if the client is closed. */
  checkOpen(): void {
    if (this.closed.aborted) {
      throw new ChitarrellaError(ErrorCode.Unavailable, "The client is closed.", { fromService: false });
    }
  }

  /** The default key of a match. */
  get key(): string {
    return this.#settings.key ?? "";
  }

  /** The headers of the settings and the key. */
  headers(key: string): Record<string, string> {
    const { apiKey, language } = this.#settings;
    return {
      ...(apiKey ? { "x-api-key": apiKey } : {}),
      ...(language ? { "accept-language": language } : {}),
      ...(key ? { authorization: `Bearer ${key}` } : {}),
    };
  }

  /** Makes a call, and returns its response as a plain value. */
  async call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    settings: CallSettings = {},
  ): Promise<Plain<MessageShape<O>>> {
    return plain(method.output, await this.send(method, request, settings));
  }

  /** Iterates over the pages of a list. */
  async *pages<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    settings: CallSettings = {},
  ): AsyncGenerator<Plain<MessageShape<O>>, void, undefined> {
    for (let pageToken: string | undefined; pageToken !== ""; ) {
      const page = await this.send(method, pageToken ? { ...request, pageToken } : request, settings);
      yield plain(method.output, page);
      pageToken = (page as unknown as { readonly nextPageToken: string }).nextPageToken;
    }
  }

  /** Makes a call with retries and exponential backoff. */
  async send<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    { key = "", retries = this.#settings.retries ?? 4 }: CallSettings = {},
  ): Promise<MessageShape<O>> {
    checkWritable(method.input, request);
    const { requestId = "" } = request as { readonly requestId?: string };
    const timeoutMs = this.#settings.timeoutMs ?? 10_000;
    for (let failures = 0; ; ) {
      this.checkOpen();
      try {
        const time = timeoutMs > 0 ? timeoutMs : undefined;
        return (await this.#transport.unary(method, this.closed, time, this.headers(key), request)).message;
      } catch (failure) {
        this.checkOpen();
        const error = readError(failure, requestId);
        failures += 1;
        if (!isRetryable(error) || failures > retries) {
          throw error;
        }
      }
      await wait(backoff(failures), this.closed);
    }
  }

  /** Closes the connection and cancels the calls in flight. */
  close(): void {
    this.#closing.abort();
    this.#disconnect();
  }
}
