/** Watching a match: a stream of updates that reconnects by itself. */

import { platformWatchingKind, watchingKind } from "./arguments.js";
import type { SeatAccess } from "./converters.js";
import { ChitarrellaError, ErrorCode, readError } from "./errors.js";
import { MatchUpdateSchema, type MatchUpdate as UpdateMessage } from "./gen/chitarrella/v1/match_pb.js";
import { PlatformUpdateSchema } from "./gen/chitarrella/v1/match_play_pb.js";
import { MatchService } from "./gen/chitarrella/v1/matches_pb.js";
import { plain } from "./plain.js";
import type { MatchDetails, MatchUpdate, PlatformUpdate } from "./responses.js";
import { backoff, checkWritable, RETRYABLE_CODES, type RetryingTransport, wait } from "./transport.js";

/** Opens a stream that a signal cancels. */
export type OpenStream<M> = (signal: AbortSignal) => AsyncIterable<M>;

/** Silence without any message that counts as a disconnect, in milliseconds, where a watch does not say. */
export const LONGEST_SILENCE_MS = 60_000;

/** Yields the messages of a stream; cancels it when `stopped` is aborted, and after too long a silence (0: never). */
export async function* readMessages<M>(
  open: OpenStream<M>,
  stopped: AbortSignal,
  silenceMs: number,
): AsyncGenerator<M, void, undefined> {
  const silence = new AbortController();
  const alarm = () => (silenceMs > 0 ? setTimeout(() => silence.abort(), silenceMs) : undefined);
  let timer = alarm();
  try {
    for await (const message of open(AbortSignal.any([stopped, silence.signal]))) {
      clearTimeout(timer);
      yield message;
      timer = alarm();
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** Ends the call of a watch that is dropped without having been closed. */
const DROPPED = new FinalizationRegistry<AbortController>((stopping) => stopping.abort());

/** What ends a watch: it is closed or dropped, or the client is closed. */
abstract class Watcher {
  readonly #stopping = new AbortController();
  readonly #stopped: AbortSignal;

  protected constructor(transport: RetryingTransport) {
    transport.checkOpen();
    this.#stopped = AbortSignal.any([transport.closed, this.#stopping.signal]);
    DROPPED.register(this, this.#stopping);
  }

  protected get stopped(): AbortSignal {
    return this.#stopped;
  }

  /** Stops watching; a waiting iterator ends. */
  close(): void {
    this.#stopping.abort();
  }
}

/** The settings of a `PlatformWatch`. */
export interface PlatformWatching {
  /** As in `Watching`. */
  readonly silenceMs?: number;
}

/**
 * The updates of all matches of a platform from now on; `undefined` is a heartbeat.
 *
 * The first item is a heartbeat: what happens after it is received. It does not reconnect, because updates may be
 * missing then: it throws, and `Chitarrella.matches` and `Match.events` return what was missed. It ends without an error
 * only when it or the client is closed. It can be iterated once; leaving the loop stops watching.
 */
export class PlatformWatch extends Watcher implements AsyncIterable<PlatformUpdate | undefined> {
  readonly #transport: RetryingTransport;
  readonly #silenceMs: number;

  /** Opens its stream when it is iterated. */
  constructor(transport: RetryingTransport, watching: PlatformWatching) {
    platformWatchingKind(watching);
    super(transport);
    this.#transport = transport;
    this.#silenceMs = watching.silenceMs ?? LONGEST_SILENCE_MS;
  }

  /** Iterates over the updates and heartbeats. */
  async *[Symbol.asyncIterator](): AsyncGenerator<PlatformUpdate | undefined, void, undefined> {
    const headers = this.#transport.headers("");
    const open = (signal: AbortSignal) => this.#transport.streams.watchMatches({}, { headers, signal });
    try {
      for await (const message of readMessages(open, this.stopped, this.#silenceMs)) {
        yield message.matchId === "" ? undefined : plain(PlatformUpdateSchema, message);
      }
      // The service never ends this stream without an error, so something in between has: updates may be missing.
      throw new ChitarrellaError(ErrorCode.Unavailable, "The stream has ended.");
    } catch (failure) {
      if (!this.stopped.aborted) {
        throw readError(failure);
      }
    } finally {
      this.close();
    }
  }
}

/** Codes of streams that may be reopened later. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  ...RETRYABLE_CODES,
  ErrorCode.TooMany,
  ErrorCode.RateLimited,
  ErrorCode.TooSlow,
]);

/** The settings of a watch. */
export interface Watching {
  /** Resume after this cursor. Default: start with the first card. */
  readonly cursor?: string;
  /** Milliseconds that it may stay disconnected before `next` throws. Default: no limit. */
  readonly giveUpMs?: number;
  /**
   * Milliseconds without any message, heartbeats included, that count as a disconnect; 0 for no limit. Default: a
   * minute.
   */
  readonly silenceMs?: number;
}

/**
 * The updates of a match as they happen, each exactly once; ends when the match is finished.
 *
 * When the connection breaks, it reconnects and resumes. Another watch can resume from `cursor`. It can be iterated
 * once; leaving the loop stops watching.
 */
export class Watch extends Watcher implements AsyncIterable<MatchUpdate> {
  readonly #transport: RetryingTransport;
  readonly #access: SeatAccess;
  readonly #subscription: Subscription;
  readonly #silenceMs: number;

  /** Opens its stream when it is iterated. */
  constructor(transport: RetryingTransport, access: SeatAccess, watching: Watching) {
    watchingKind(watching);
    super(transport);
    this.#transport = transport;
    this.#access = access;
    this.#subscription = new Subscription(watching.cursor ?? "", watching.giveUpMs ?? Number.POSITIVE_INFINITY);
    this.#silenceMs = watching.silenceMs ?? LONGEST_SILENCE_MS;
  }

  /** The cursor behind the last update returned. */
  get cursor(): string {
    return this.#subscription.cursor;
  }

  /** Iterates over the updates. */
  async *[Symbol.asyncIterator](): AsyncGenerator<MatchUpdate, void, undefined> {
    try {
      while (!this.stopped.aborted && !this.#subscription.finished) {
        yield* this.readStream();
      }
    } finally {
      this.close();
    }
  }

  /** Yields the updates of one stream, then waits before the next one, unless the match is finished. */
  private async *readStream(): AsyncGenerator<MatchUpdate, void, undefined> {
    let delay: number;
    try {
      for await (const message of this.openStream()) {
        this.#subscription.receive();
        if (message.events.length > 0) {
          const update = plain(MatchUpdateSchema, message);
          this.#subscription.cursor = update.cursor;
          yield update;
        }
      }
      delay = this.#subscription.afterStreamEnd(await this.getMatch());
    } catch (failure) {
      if (this.stopped.aborted) {
        return;
      }
      delay = this.#subscription.afterError(readError(failure));
    }
    await wait(delay, this.stopped);
  }

  /** Opens one stream, which is cancelled after too long a silence and by the end of the watch. */
  private openStream(): AsyncGenerator<UpdateMessage, void, undefined> {
    const { matchId, key, seat } = this.#access;
    const request = { matchId, seat, cursor: this.cursor };
    checkWritable(MatchService.method.watchMatch.input, request);
    const headers = this.#transport.headers(key);
    const open = (signal: AbortSignal) => this.#transport.streams.watchMatch(request, { headers, signal });
    return readMessages(open, this.stopped, this.#silenceMs);
  }

  /** Fetches the state of the match. */
  private async getMatch() {
    const { matchId, key, seat } = this.#access;
    const settings = { key, retries: 0 };
    return this.#transport.call(MatchService.method.getMatch, { matchId, seat }, settings);
  }
}

/** The state of a watch: its cursor, and since when it has been disconnected. */
class Subscription {
  /** Whether the match is finished and all updates were received. */
  finished = false;
  private failures = 0;
  private disconnectedSince = 0;
  private wasFinished = false;

  /** Resumes after `cursor`; fails after being disconnected for `giveUpMs`. */
  constructor(
    public cursor: string,
    private readonly giveUpMs: number,
  ) {}

  /** Handles a message. */
  receive(): void {
    this.failures = 0;
  }

  /** Returns the pause before the next attempt, in milliseconds; throws the error if it is permanent. */
  afterError(error: ChitarrellaError): number {
    if (!TRANSIENT_CODES.has(error.code)) {
      throw error;
    }
    const now = performance.now();
    if (this.failures === 0) {
      this.disconnectedSince = now;
    }
    this.failures += 1;
    const delay = backoff(this.failures);
    if (now + delay - this.disconnectedSince > this.giveUpMs) {
      throw error;
    }
    return delay;
  }

  /**
   * Handles a stream that ended regularly; returns the pause before the next one, in milliseconds.
   *
   * A stream ends when the match is finished, but also when the service stops. If the match was finished after the
   * stream, there are updates left to read.
   */
  afterStreamEnd({ over: finished, cursor }: MatchDetails): number {
    this.finished = finished && (this.wasFinished || cursor === this.cursor);
    this.wasFinished = finished;
    return finished
      ? 0
      : this.afterError(new ChitarrellaError(ErrorCode.Unavailable, "The service has ended the stream."));
  }
}
