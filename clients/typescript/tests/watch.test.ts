/** A watch returns each update once, even if streams break or end. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Code } from "@connectrpc/connect";
import { ErrorCode } from "chitarrella-client";
import { clientOf, failure, lost, matchState } from "./fake_service.js";

const update = (revision: number) => ({ revision, cursor: `c${revision}`, events: [{ kind: "card_played" }] });
const heartbeat = { revision: 1, cursor: "c1", events: [] };

test("it reconnects after a stream that ended regularly, until the match is finished", async () => {
  const cursors: string[] = [];
  const client = clientOf({
    async *watchMatch({ cursor }) {
      cursors.push(cursor);
      yield heartbeat;
      yield update(cursors.length);
    },
    getMatch: () => matchState(cursors.length === 2, `c${cursors.length}`),
  });
  const received: number[] = [];
  for await (const { revision } of client.match("m").watch()) {
    received.push(revision);
  }
  assert.deepEqual(
    [received, cursors],
    [
      [1, 2],
      ["", "c1"],
    ],
  );
});

test("updates between the end of the stream and that of the match are received", async () => {
  let streams = 0;
  const client = clientOf({
    async *watchMatch() {
      streams += 1;
      yield update(streams);
    },
    getMatch: () => matchState(true, "c2"),
  });
  const received: number[] = [];
  for await (const { revision } of client.match("m").watch()) {
    received.push(revision);
  }
  assert.deepEqual(received, [1, 2]);
});

test("silence without heartbeats counts as a disconnect", async () => {
  let streams = 0;
  const client = clientOf({
    async *watchMatch() {
      streams += 1;
      if (streams === 1) {
        await new Promise<never>(() => {});
      }
      yield update(1);
    },
    getMatch: () => matchState(true, "c1"),
  });
  for await (const { revision } of client.match("m").watch({ silenceMs: 50 })) {
    assert.equal(revision, 1);
  }
  assert.equal(streams, 2);
});

test("it fails with the last error after the time limit", async () => {
  const client = clientOf({
    // biome-ignore lint/correctness/useYield: it fails before the first message
    async *watchMatch() {
      throw lost();
    },
  });
  const next = client.match("m").watch({ giveUpMs: 300 })[Symbol.asyncIterator]().next();
  await assert.rejects(next, { code: ErrorCode.Unavailable });
});

test("a permanent error ends it at once", async () => {
  const client = clientOf({
    // biome-ignore lint/correctness/useYield: it fails before the first message
    async *watchMatch() {
      throw failure(Code.NotFound, ErrorCode.NoSuchMatch);
    },
  });
  const next = client.match("m").watch()[Symbol.asyncIterator]().next();
  await assert.rejects(next, { code: ErrorCode.NoSuchMatch });
});

test("closing it ends a waiting iteration", async () => {
  const client = clientOf({
    async *watchMatch(_, { signal }) {
      yield update(1);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  });
  const watch = client.match("m").watch();
  const received: number[] = [];
  for await (const { revision } of watch) {
    received.push(revision);
    setTimeout(() => watch.close(), 20);
  }
  assert.deepEqual([received, watch.cursor], [[1], "c1"]);
});
