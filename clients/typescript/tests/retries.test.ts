/** Lost calls are retried under one request id, others are not; a watch returns each update once, even if streams break. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { ChitarrellaError, ErrorCode, MovesLost, Refused, StaleRevision } from "chitarrella-client";
import { clientOf, failure, lost, matchOf } from "./fake_service.js";

const STATUSES = [Code.Unavailable, Code.Aborted, Code.Internal, Code.Unknown];

for (const status of STATUSES) {
  test(`a move that was lost with ${Code[status]} is retried under the same request id`, async () => {
    const ids: string[] = [];
    const client = clientOf({
      playMove({ requestId }) {
        ids.push(requestId);
        if (ids.length < 2) {
          throw lost(status);
        }
        return { accepted: true, revision: 3 };
      },
    });
    const result = await client.match("m", "key").play("pass");
    assert.equal(result.revision, 3);
    assert.match(String(ids[0]), /^[0-9a-f]{32}$/);
    assert.deepEqual(ids, [ids[0], ids[0]]);
  });
}

test("a call to a store that is down is retried", async () => {
  let calls = 0;
  const client = clientOf({
    getMatch() {
      calls += 1;
      if (calls === 1) {
        throw failure(Code.Unavailable, ErrorCode.StoreDown);
      }
      return { ...matchOf(false, ""), revision: 7 };
    },
  });
  assert.equal((await client.match("m").get()).revision, 7);
});

test("the error after the last retry has the request id", async () => {
  const fail = () => {
    throw lost();
  };
  const match = clientOf({ playMove: fail }, { retries: 1 }).match("m");
  await assert.rejects(match.play("pass", { requestId: "mine" }), (error) => {
    assert(error instanceof ChitarrellaError);
    assert.deepEqual([error.code, error.requestId, error.fromService], [ErrorCode.Unavailable, "mine", false]);
    return true;
  });
});

test("an error of the service is not retried", async () => {
  let calls = 0;
  const client = clientOf({
    getMatch() {
      calls += 1;
      throw failure(Code.NotFound, ErrorCode.NoSuchMatch, { field: "match_id" });
    },
  });
  await assert.rejects(client.match("m").get(), {
    code: ErrorCode.NoSuchMatch,
    field: "match_id",
    status: Code.NotFound,
  });
  assert.equal(calls, 1);
});

test("a call that is never answered is let go and repeated", async () => {
  let calls = 0;
  const client = clientOf(
    {
      async getMatch() {
        calls += 1;
        return calls === 1 ? new Promise<never>(() => {}) : matchOf(false, "");
      },
    },
    { timeoutMs: 50 },
  );
  assert.equal((await client.match("m").get()).matchId, "m");
});

test("every invalid field is named", async () => {
  const client = clientOf({
    playMove() {
      throw failure(Code.InvalidArgument, ErrorCode.BadRequest);
    },
  });
  await assert.rejects(client.match("m").play("dance"), {
    field: "move.verb",
    violations: [{ field: "move.verb", message: "is no verb" }],
  });
});

test("a stale revision has the current revision", async () => {
  const client = clientOf({
    playMove() {
      throw failure(Code.Aborted, ErrorCode.StaleRevision, { revision: "9", still_legal: "true" });
    },
  });
  await assert.rejects(client.match("m").play("pass", { expectedRevision: 8 }), (error) => {
    assert(error instanceof StaleRevision);
    assert.deepEqual([error.revision, error.stillLegal], [9, true]);
    return true;
  });
});

test("lost moves are a stale revision of their own", async () => {
  const client = clientOf({
    playMove() {
      throw failure(Code.Aborted, ErrorCode.MovesLost, { revision: "4" });
    },
  });
  await assert.rejects(client.match("m").play("pass", { expectedRevision: 8 }), (error) => {
    assert(error instanceof MovesLost && error instanceof StaleRevision);
    assert.deepEqual([error.name, error.revision], ["MovesLost", 4]);
    return true;
  });
});

test("what the gRPC library of the server refuses has the code of its status, whatever its message", async () => {
  const cases: [Code, string, string][] = [
    [Code.ResourceExhausted, "SERVER: Received message larger than max (5 vs. 4)", "resource_exhausted"],
    [Code.ResourceExhausted, "CLIENT: Received message larger than max (5 vs. 4)", "resource_exhausted"],
  ];
  for (const [status, message, code] of cases) {
    const client = clientOf({
      playMove() {
        throw new ConnectError(message, status);
      },
    });
    await assert.rejects(client.match("m").play("pass"), { code, status, fromService: false });
  }
});

test("playOrThrow throws a refusal", async () => {
  const refusals = [
    { code: "must_follow_suit", message: "Follow suit.", clause: { key: "BR-1" }, allowedCards: ["Ab"] },
  ];
  const match = clientOf({ playMove: () => ({ accepted: false, revision: 4, refusals }) }).match("m");
  assert.equal((await match.play("pass")).accepted, false);
  await assert.rejects(match.playOrThrow("pass"), (error) => {
    assert(error instanceof Refused);
    assert.equal(String(error), "Refused: Follow suit. [must_follow_suit]");
    assert.deepEqual(error.refusals[0]?.allowedCards, ["Ab"]);
    return true;
  });
});

test("keys and the language are sent with every call", async () => {
  const sent: (string | null)[] = [];
  const client = clientOf(
    {
      getMatch(_, { requestHeader }) {
        sent.push(...["authorization", "x-api-key", "accept-language"].map((name) => requestHeader.get(name)));
        return matchOf(false, "");
      },
    },
    { key: "mine", apiKey: "platform", language: "it" },
  );
  await client.match("m").get();
  await client.match("m", "").get();
  assert.deepEqual(sent, ["Bearer mine", "platform", "it", null, "platform", "it"]);
});

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
    getMatch: () => matchOf(cursors.length === 2, `c${cursors.length}`),
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
    getMatch: () => matchOf(true, "c2"),
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
    getMatch: () => matchOf(true, "c1"),
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
