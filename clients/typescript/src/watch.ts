/** Following a match through cuts. */

import type { Told } from "./answers.js";
import { readError } from "./errors.js";
import type { WatchMatchResponse } from "./gen/chitarrella/v1/matches_pb.js";
import type { Line } from "./line.js";
import { seen, told } from "./reading.js";
import type { Holder } from "./requests.js";
import { Following, wait } from "./retrying.js";

/** How a match is watched. */
export interface Watching {
  /** Go on after this cursor; left out, begin with the first card. */
  readonly cursor?: string;
  /** Milliseconds for which it may stay cut off before `next` throws; left out, any time. */
  readonly giveUpMs?: number;
  /** Milliseconds of silence, without even a heartbeat, that count as a cut; left out, a minute. 0 for any time. */
  readonly silenceMs?: number;
}

/**
 * What happens in a match, as it happens, each thing once; ends when the match is over.
 *
 * When the connection is cut it comes back by itself and goes on where it was. `cursor` is that place: kept somewhere,
 * it lets another watch go on there. It can be gone through once; leaving the loop stops watching.
 */
export class Watch implements AsyncIterable<Told> {
  private readonly following: Following;
  private readonly silenceMs: number;
  private readonly stopping = new AbortController();
  private readonly stopped: AbortSignal;

  /** Listens over `line` with the eyes of `holder`, as soon as it is gone through. */
  constructor(
    private readonly line: Line,
    private readonly holder: Holder,
    watching: Watching,
  ) {
    this.following = new Following(watching.cursor ?? "", watching.giveUpMs ?? Number.POSITIVE_INFINITY);
    this.silenceMs = watching.silenceMs ?? 60_000;
    this.stopped = AbortSignal.any([line.closed, this.stopping.signal]);
  }

  /** The place behind the last thing that was told. */
  get cursor(): string {
    return this.following.cursor;
  }

  /** Stops watching; who is waiting for the next thing is told that there is none. */
  close(): void {
    this.stopping.abort();
  }

  /** Goes through what happens. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Told, void, undefined> {
    try {
      while (!this.stopped.aborted && !this.following.over) {
        yield* this.listen();
      }
    } finally {
      this.close();
    }
  }

  /** Tells what one stream tells; then finds out whether there is more, and waits as long as it has to. */
  private async *listen(): AsyncGenerator<Told, void, undefined> {
    let delay: number;
    try {
      for await (const message of this.stream()) {
        this.following.heard();
        if (message.events.length > 0) {
          const news = told(message);
          this.following.cursor = news.cursor;
          yield news;
        }
      }
      delay = this.following.ended(await this.look());
    } catch (problem) {
      if (this.stopped.aborted) {
        return;
      }
      delay = this.following.cut(readError(problem));
    }
    await wait(delay, this.stopped);
  }

  /** Opens one stream; it is cut after too long a silence, and ends with the watch. */
  private async *stream(): AsyncGenerator<WatchMatchResponse, void, undefined> {
    const { match, key, seat } = this.holder;
    const silence = new AbortController();
    const signal = AbortSignal.any([this.stopped, silence.signal]);
    const headers = this.line.headers(key);
    let timer = this.alarm(silence);
    try {
      const messages = this.line.matches.watchMatch({ match, seat, cursor: this.cursor }, { headers, signal });
      for await (const message of messages) {
        clearTimeout(timer);
        yield message;
        timer = this.alarm(silence);
      }
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  private alarm(silence: AbortController): ReturnType<typeof setTimeout> | undefined {
    return this.silenceMs > 0 ? setTimeout(() => silence.abort(), this.silenceMs) : undefined;
  }

  /** Sees how the match stands. */
  private async look() {
    const { match, key, seat } = this.holder;
    const ask = this.line.ask((options) => this.line.matches.getMatch({ match, seat }, options), { key, retries: 0 });
    return seen(await ask);
  }
}
