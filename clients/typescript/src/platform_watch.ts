/** Watching all matches of a platform: one stream, which cannot be resumed. */

import { ErrorCode } from "./codes.js";
import { platformUpdate } from "./converters.js";
import { ChitarrellaError, readError } from "./errors.js";
import type { PlatformUpdate } from "./responses.js";
import { LONGEST_SILENCE_MS, readMessages } from "./streams.js";
import type { RetryingTransport } from "./transport.js";

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
export class PlatformWatch implements AsyncIterable<PlatformUpdate | undefined> {
  private readonly silenceMs: number;
  private readonly stopping = new AbortController();
  private readonly stopped: AbortSignal;

  /** Opens its stream when it is iterated. */
  constructor(
    private readonly transport: RetryingTransport,
    watching: PlatformWatching,
  ) {
    this.silenceMs = watching.silenceMs ?? LONGEST_SILENCE_MS;
    this.stopped = AbortSignal.any([transport.closed, this.stopping.signal]);
  }

  /** Stops watching; a waiting iterator ends. */
  close(): void {
    this.stopping.abort();
  }

  /** Iterates over the updates and heartbeats. */
  async *[Symbol.asyncIterator](): AsyncGenerator<PlatformUpdate | undefined, void, undefined> {
    const headers = this.transport.headers("");
    const open = (signal: AbortSignal) => this.transport.matches.watchMatches({}, { headers, signal });
    try {
      for await (const message of readMessages(open, this.stopped, this.silenceMs)) {
        yield message.matchId === "" ? undefined : platformUpdate(message);
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
