/** What a platform does: matches with labels, lists by them, many matches at once, and the updates of all. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { ErrorCode, type PlatformUpdate } from "chitarrella-client";
import { ListMatchesRequestSchema, Waiting } from "chitarrella-client/v1";
import { clientOf, failure } from "./fake_service.js";

const platformOptions = {
  externalId: "t-1",
  labels: { cup: "spring" },
  playerNames: { 0: "Anna", 1: "Ugo" },
  sandbox: "",
};
const playerNames = [
  { seat: 0, name: "Anna" },
  { seat: 1, name: "Ugo" },
];

test("a match is created and imported with what a platform attaches, and as a test", async () => {
  const received: unknown[] = [];
  const keep = (request: {
    externalId: string;
    labels: object;
    playerNames: { seat: number; name: string }[];
    sandbox?: { seed: string };
  }) => {
    const names = request.playerNames.map(({ seat, name }) => ({ seat, name }));
    received.push([request.externalId, request.labels, names, request.sandbox?.seed]);
    return {};
  };
  const client = clientOf({ createMatch: keep, importMatch: keep });
  await client.createMatch("briscola", platformOptions);
  await client.importMatch("a record", platformOptions);
  await client.createMatch("briscola");
  const attached = ["t-1", { cup: "spring" }, playerNames, ""];
  assert.deepEqual(received, [attached, attached, ["", {}, [], undefined]]);
});

test("a list has the matches that fit its filter, on every page", async () => {
  const requests: unknown[] = [];
  const client = clientOf({
    listMatches: (request) => {
      requests.push(request);
      const createTime = timestampFromMs(1_700_000_000_000);
      const matches = [{ matchId: "m", createTime, externalId: "t-1", playerNames, sandbox: true }];
      return request.pageToken === "" ? { matches, nextPageToken: "more" } : {};
    },
  });
  const listed: unknown[] = [];
  const filter = { externalId: "t-1", labels: { cup: "spring", round: "2" }, playerName: "Anna" };
  for await (const summary of client.matches(filter)) {
    listed.push([summary.externalId, summary.playerNames, summary.sandbox]);
  }
  const request = { ...filter, labels: ["cup=spring", "round=2"] };
  assert.deepEqual(listed, [["t-1", playerNames, true]]);
  assert.deepEqual(requests, [
    create(ListMatchesRequestSchema, request),
    create(ListMatchesRequestSchema, { ...request, pageToken: "more" }),
  ]);
});

test("many matches are each found or have their error", async () => {
  const received: unknown[] = [];
  const attached = { externalId: "t-1", labels: { cup: "spring" }, playerNames, sandbox: true };
  const client = clientOf(
    {
      batchGetMatches: ({ matchIds }, { requestHeader }) => {
        received.push([matchIds, requestHeader.get("authorization")]);
        const error = { code: "no_such_match", message: "No such match." };
        const match = { matchId: "m", view: { waiting: Waiting.NOBODY }, ...attached };
        return {
          matches: [{ outcome: { case: "match", value: match } }, { outcome: { case: "error", value: error } }],
        };
      },
    },
    { key: "mine" },
  );
  const [first, second] = await client.getMatches(["m", "n"]);
  const { externalId, labels, sandbox, over } = first?.match ?? {};
  assert.deepEqual(
    [externalId, labels, first?.match?.playerNames, sandbox, over, first?.error],
    ["t-1", { cup: "spring" }, playerNames, true, true, undefined],
  );
  assert.deepEqual(second, { error: { code: ErrorCode.NoSuchMatch, message: "No such match.", field: "" } });
  await client.getMatches(["m"], "");
  assert.deepEqual(received, [
    [["m", "n"], "Bearer mine"],
    [["m"], null],
  ]);
});

test("the updates of a platform are received with its heartbeats, and an ended stream is an error", async () => {
  const client = clientOf({
    async *watchMatches() {
      yield {};
      yield { matchId: "m", update: { revision: 2, cursor: "c2", events: [{ kind: "card_played" }] }, finished: true };
      yield { matchId: "n", aborted: true };
    },
  });
  const received: (PlatformUpdate | undefined)[] = [];
  const watching = (async () => {
    for await (const update of client.watchMatches()) {
      received.push(update);
    }
  })();
  await assert.rejects(watching, { code: ErrorCode.Unavailable });
  const [heartbeat, moved, aborted] = received;
  assert.equal(heartbeat, undefined);
  assert.deepEqual([moved?.matchId, moved?.update?.revision, moved?.finished, moved?.aborted], ["m", 2, true, false]);
  assert.deepEqual(aborted, { matchId: "n", update: undefined, finished: false, aborted: true });
  assert.equal(received.length, 3);
});

test("watching a platform throws the error of the service, and after a silence", async () => {
  let streams = 0;
  const client = clientOf({
    async *watchMatches() {
      streams += 1;
      if (streams === 1) {
        throw failure(Code.PermissionDenied, ErrorCode.PlatformOnly);
      }
      await new Promise<never>(() => {});
    },
  });
  const next = () => client.watchMatches({ silenceMs: 50 })[Symbol.asyncIterator]().next();
  await assert.rejects(next(), { code: ErrorCode.PlatformOnly });
  await assert.rejects(next(), { code: ErrorCode.Unavailable });
  assert.equal(streams, 2);
});

test("closing the watch of a platform ends a waiting iteration", async () => {
  const client = clientOf({
    async *watchMatches(_, { signal }) {
      yield {};
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  });
  const watch = client.watchMatches();
  const received: unknown[] = [];
  for await (const update of watch) {
    received.push(update);
    setTimeout(() => watch.close(), 20);
  }
  assert.deepEqual(received, [undefined]);
});
