/**
 * When a call is repeated, and how long to wait before it is.
 *
 * Every call may be repeated: reading changes nothing, and a writing call carries a request id, under which the service
 * does a thing once.
 */

import type { Seen } from "./answers.js";
import { ErrorCode } from "./codes.js";
import { ChitarrellaError } from "./errors.js";

const FIRST_MS = 200;
const FACTOR = 2.5;
const LONGEST_MS = 3_000;

/** Codes of calls that may not have been answered: lost, or the next worker answers, or the store comes back. */
const PASSING: ReadonlySet<string> = new Set([
  ErrorCode.DeadlineExceeded,
  ErrorCode.ShuttingDown,
  ErrorCode.StoreDown,
  ErrorCode.Unavailable,
]);

/** Codes that end a stream which may be taken up again a little later. */
const PASSING_STREAM: ReadonlySet<string> = new Set([...PASSING, ErrorCode.TooMany, ErrorCode.TooSlow]);

/** Says how many milliseconds to wait after so many failures in a row; a little off, so that callers do not crowd. */
export function pause(failures: number): number {
  const grown = FIRST_MS * FACTOR ** Math.min(failures - 1, 30);
  return Math.min(grown, LONGEST_MS) * (0.8 + 0.4 * Math.random());
}

/** Tells whether a call may not have been answered, so that it is to be repeated. */
export function wasLost(error: ChitarrellaError): boolean {
  return PASSING.has(error.code);
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

/** One who watches a match: where it stands, and how long it has been cut off. */
export class Following {
  /** Whether the match is over and everything was heard. */
  over = false;
  private failures = 0;
  private since = 0;
  private overBefore = false;

  /** Goes on after `cursor`; when cut off for `giveUpMs`, gives up. */
  constructor(
    public cursor: string,
    private readonly giveUpMs: number,
  ) {}

  /** Takes note that the service speaks. */
  heard(): void {
    this.failures = 0;
  }

  /** Says how many milliseconds to wait before watching again; throws the error where that would not help. */
  cut(error: ChitarrellaError): number {
    if (!PASSING_STREAM.has(error.code)) {
      throw error;
    }
    const now = performance.now();
    if (this.failures === 0) {
      this.since = now;
    }
    this.failures += 1;
    const delay = pause(this.failures);
    if (now + delay - this.since > this.giveUpMs) {
      throw error;
    }
    return delay;
  }

  /**
   * Takes note of how the match stands after a stream has ended well; says how long to wait before watching again.
   *
   * A stream ends when the match is over, but also when the service stops; and if the match came to its end only after
   * the stream's, there is something left to be heard.
   */
  ended(seen: Seen): number {
    this.over = seen.over && (this.overBefore || seen.cursor === this.cursor);
    this.overBefore = seen.over;
    return seen.over ? 0 : this.cut(new ChitarrellaError(ErrorCode.Unavailable, "The service has ended the stream."));
  }
}
