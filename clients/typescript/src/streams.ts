/** Reading streams of messages, whose connection may break unnoticed. */

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
