/** A watcher hears each thing once, whatever becomes of the streams. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Code } from "@connectrpc/connect";
import { ErrorCode } from "chitarrella-client";
import { clientOf, failure, lost, standing } from "./service.js";

const news = (revision: number) => ({ revision, cursor: `c${revision}`, events: [{ kind: "card_played" }] });
const heartbeat = { revision: 1, cursor: "c1", events: [] };

test("it goes on after a stream that ended well, until the match is over", async () => {
  const cursors: string[] = [];
  const client = clientOf({
    async *watchMatch({ cursor }) {
      cursors.push(cursor);
      yield heartbeat;
      yield news(cursors.length);
    },
    getMatch: () => standing(cursors.length === 2, `c${cursors.length}`),
  });
  const heard: number[] = [];
  for await (const { revision } of client.match("m").watch()) {
    heard.push(revision);
  }
  assert.deepEqual(
    [heard, cursors],
    [
      [1, 2],
      ["", "c1"],
    ],
  );
});

test("what happened between the end of the stream and that of the match is heard, too", async () => {
  let streams = 0;
  const client = clientOf({
    async *watchMatch() {
      streams += 1;
      yield news(streams);
    },
    getMatch: () => standing(true, "c2"),
  });
  const heard: number[] = [];
  for await (const { revision } of client.match("m").watch()) {
    heard.push(revision);
  }
  assert.deepEqual(heard, [1, 2]);
});

test("silence without heartbeats is a cut", async () => {
  let streams = 0;
  const client = clientOf({
    async *watchMatch() {
      streams += 1;
      if (streams === 1) {
        await new Promise<never>(() => {});
      }
      yield news(1);
    },
    getMatch: () => standing(true, "c1"),
  });
  for await (const { revision } of client.match("m").watch({ silenceMs: 50 })) {
    assert.equal(revision, 1);
  }
  assert.equal(streams, 2);
});

test("it gives up when it is told to, and says why", async () => {
  const client = clientOf({
    // biome-ignore lint/correctness/useYield: it fails before the first message
    async *watchMatch() {
      throw lost();
    },
  });
  const next = client.match("m").watch({ giveUpMs: 300 })[Symbol.asyncIterator]().next();
  await assert.rejects(next, { code: ErrorCode.Unavailable });
});

test("what would be the same on another connection ends it at once", async () => {
  const client = clientOf({
    // biome-ignore lint/correctness/useYield: it fails before the first message
    async *watchMatch() {
      throw failure(Code.NotFound, ErrorCode.NoSuchMatch);
    },
  });
  const next = client.match("m").watch()[Symbol.asyncIterator]().next();
  await assert.rejects(next, { code: ErrorCode.NoSuchMatch });
});

test("closing it ends the wait for the next thing", async () => {
  const client = clientOf({
    async *watchMatch(_, { signal }) {
      yield news(1);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  });
  const watch = client.match("m").watch();
  const heard: number[] = [];
  for await (const { revision } of watch) {
    heard.push(revision);
    setTimeout(() => watch.close(), 20);
  }
  assert.deepEqual([heard, watch.cursor], [[1], "c1"]);
});
