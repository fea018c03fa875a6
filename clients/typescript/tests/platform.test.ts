/** What a platform does: labels, batches, one watch of its matches, keys that rotate, webhooks. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { anyPack, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { type DeliveryState, ErrorCode, type MatchDetails, type PlatformUpdate } from "chitarrella-client";
import { ListMatchesRequestSchema, MatchState, DeliveryState as State } from "chitarrella-client/v1";
import { ErrorInfoSchema } from "#dist/gen/google/rpc/error_details_pb.js";
import { CREATED, clientOf, failure, lost, matchOf } from "./fake_service.js";

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
const seats = playerNames.map(({ seat, name }) => ({ seat, playerName: name }));
const namesOf = (match?: MatchDetails) => match?.seats.map(({ playerName }) => playerName);

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
    return { match: matchOf(false, "") };
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
      const matches = [{ ...matchOf(true, ""), externalId: "t-1", seats, sandbox: true }];
      return request.pageToken === "" ? { matches, nextPageToken: "more" } : {};
    },
  });
  const listed: unknown[] = [];
  const texts = { externalId: "t-1", playerName: "Anna", gameId: "briscola", winnerName: "Ugo", ascending: true };
  const times = { createdAfter: CREATED, endedAfter: CREATED };
  const labels = { cup: "spring", round: "2" };
  for await (const match of client.matches({ ...texts, ...times, labels, state: "finished" })) {
    listed.push([match.externalId, namesOf(match), match.sandbox, match.state, match.over]);
  }
  const createTime = timestampFromMs(CREATED.getTime());
  const conditions = { state: MatchState.FINISHED, createdAfter: createTime, endedAfter: createTime };
  const request = { ...texts, ...conditions, labels: ["cup=spring", "round=2"] };
  assert.deepEqual(listed, [["t-1", ["Anna", "Ugo"], true, "finished", true]]);
  assert.deepEqual(requests, [
    create(ListMatchesRequestSchema, request),
    create(ListMatchesRequestSchema, { ...request, pageToken: "more" }),
  ]);
});

test("many matches are each found or have their error", async () => {
  const received: unknown[] = [];
  const attached = { externalId: "t-1", labels: { cup: "spring" }, seats, sandbox: true };
  const client = clientOf(
    {
      batchGetMatches: ({ matchIds }, { requestHeader }) => {
        received.push([matchIds, requestHeader.get("authorization")]);
        const info = { reason: "no_such_match", domain: "chitarrella", metadata: { field: "match_ids[1]" } };
        const details = [anyPack(ErrorInfoSchema, create(ErrorInfoSchema, info))];
        const error = { code: Code.NotFound, message: "No such match.", details };
        const match = { ...matchOf(true, "c"), ...attached };
        return {
          results: [{ outcome: { case: "match", value: match } }, { outcome: { case: "error", value: error } }],
        };
      },
    },
    { key: "mine" },
  );
  const [first, second] = await client.getMatches(["m", "n"]);
  const { externalId, labels, sandbox, over } = first?.match ?? {};
  assert.deepEqual(
    [externalId, labels, namesOf(first?.match), sandbox, over, first?.error],
    ["t-1", { cup: "spring" }, ["Anna", "Ugo"], true, true, undefined],
  );
  const { code, message, field, status } = second?.error ?? {};
  assert.deepEqual(
    [code, message, field, status],
    [ErrorCode.NoSuchMatch, "No such match.", "match_ids[1]", Code.NotFound],
  );
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
      yield {
        matchId: "m",
        update: { revision: 2, cursor: "c2", events: [{ kind: "card_played" }] },
        state: MatchState.FINISHED,
      };
      yield { matchId: "n", state: MatchState.ABORTED };
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
  assert.deepEqual([moved?.matchId, moved?.update?.revision, moved?.state], ["m", 2, "finished"]);
  assert.deepEqual(aborted, { matchId: "n", update: undefined, state: "aborted" });
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

const created = {
  match: matchOf(false, ""),
  refereeKey: "referee",
  seatKeys: [
    { seat: 0, key: "first" },
    { seat: 1, key: "second" },
  ],
};

/** A client whose service replaces keys, and the keys, seats and request ids that it received. */
function keyService() {
  const received: { key: string | null; seat?: number; requestId: string }[] = [];
  const client = clientOf({
    createMatch: () => created,
    rotateKey({ seat, requestId }, { requestHeader }) {
      received.push({ key: requestHeader.get("authorization"), seat, requestId });
      if (received.length === 1) {
        throw lost();
      }
      return { key: "new" };
    },
  });
  return { client, received };
}

test("the referee replaces the key of a seat", async () => {
  const { client, received } = keyService();
  const match = await client.createMatch("briscola");
  const rotated = await match.rotateKey(1);
  assert.deepEqual(
    [rotated.id, rotated.key, [...rotated.keys]],
    [
      "m",
      "referee",
      [
        [0, "first"],
        [1, "new"],
      ],
    ],
  );
  assert.deepEqual(
    received.map(({ key, seat }) => [key, seat]),
    [
      ["Bearer referee", 1],
      ["Bearer referee", 1],
    ],
  );
  assert.equal(received[0]?.requestId, received[1]?.requestId);
  assert.match(String(received[0]?.requestId), /^[0-9a-f]{32}$/);
});

test("a seat replaces its own key", async () => {
  const { client, received } = keyService();
  const seat = (await client.createMatch("briscola")).asSeat(1);
  const rotated = await seat.rotateKey(undefined, { requestId: "sixteen letters." });
  assert.deepEqual([rotated.key, rotated.seat, rotated.keys.get(1), rotated.keys.get(0)], ["new", 1, "new", "first"]);
  assert.deepEqual(received[1], { key: "Bearer second", seat: undefined, requestId: "sixteen letters." });
});

test("the referee of an opened match learns the new key of a seat", async () => {
  const { client } = keyService();
  const rotated = await client.match("m", "referee").rotateKey(0);
  assert.deepEqual([rotated.key, [...rotated.keys]], ["referee", [[0, "new"]]]);
});

const webhook = { webhookId: "w", url: "https://example.com/hook", createTime: timestampFromMs(1_700_000_000_000) };
const plain = {
  ...webhook,
  createTime: new Date(1_700_000_000_000),
  disabled: false,
  configured: false,
  eventTypes: [],
};

test("a webhook that was created with a lost response is created once", async () => {
  const ids: string[] = [];
  const types: string[] = [];
  const client = clientOf({
    createWebhook({ requestId, eventTypes }) {
      ids.push(requestId);
      types.push(...eventTypes);
      if (ids.length === 1) {
        throw lost();
      }
      return { webhook, secret: "whsec_x" };
    },
  });
  const created = await client.webhooks.create(webhook.url, { eventTypes: ["match.finished"] });
  assert.deepEqual([created.webhook, created.secret], [plain, "whsec_x"]);
  assert.match(String(ids[0]), /^[0-9a-f]{32}$/);
  assert.deepEqual(ids, [ids[0], ids[0]]);
  assert.deepEqual(types, ["match.finished", "match.finished"]);
});

test("a webhook in the settings of the service has no time, and cannot be changed", async () => {
  const client = clientOf({
    listWebhooks: () => ({ webhooks: [{ webhookId: "settings", configured: true }, webhook] }),
    deleteWebhook() {
      throw failure(Code.FailedPrecondition, ErrorCode.WebhookConfigured);
    },
  });
  const [configured, other] = await client.webhooks.list();
  assert.deepEqual([configured?.configured, configured?.createTime], [true, undefined]);
  assert.deepEqual(other, plain);
  await assert.rejects(client.webhooks.delete("settings"), { code: ErrorCode.WebhookConfigured });
});

test("a change leaves what is left out", async () => {
  const changes: unknown[] = [];
  const client = clientOf({
    updateWebhook({ webhookId, url, disabled, eventTypes }) {
      changes.push([webhookId, url, disabled, eventTypes]);
      return { webhook: { ...webhook, disabled: disabled ?? false, eventTypes } };
    },
    rotateWebhookSecret: () => ({ secret: "whsec_y" }),
  });
  assert.deepEqual(await client.webhooks.update("w", { disabled: true }), { ...plain, disabled: true });
  const changed = await client.webhooks.update("w", { url: webhook.url, disabled: false, eventTypes: ["match.moved"] });
  assert.deepEqual(changed.eventTypes, ["match.moved"]);
  assert.deepEqual(changes, [
    ["w", undefined, true, []],
    ["w", webhook.url, false, ["match.moved"]],
  ]);
  assert.equal(await client.webhooks.rotateSecret("w"), "whsec_y");
});

test("all pages of deliveries are fetched, in one state", async () => {
  const states: State[] = [];
  const client = clientOf({
    listDeliveries({ state, pageToken }) {
      states.push(state);
      const deliveryId = pageToken || "first";
      return { deliveries: [{ deliveryId, state: State.FAILED }], nextPageToken: pageToken === "" ? "second" : "" };
    },
  });
  const listed: [string, DeliveryState][] = [];
  for await (const { deliveryId, state } of client.webhooks.deliveries("w", { state: "failed" })) {
    listed.push([deliveryId, state]);
  }
  assert.deepEqual(listed, [
    ["first", "failed"],
    ["second", "failed"],
  ]);
  assert.deepEqual(states, [State.FAILED, State.FAILED]);
});

test("a tested and a resent delivery have their state, time and error", async () => {
  const lastAttemptTime = timestampFromMs(1_700_000_000_000);
  const client = clientOf({
    testWebhook: () => ({ delivery: { state: State.FAILED, attempts: 1, lastAttemptTime, error: "timed_out" } }),
    resendDelivery: ({ deliveryId }) => ({ delivery: { deliveryId, state: State.PENDING } }),
  });
  const { state, attempts, lastAttemptTime: time, error } = await client.webhooks.test("w");
  assert.deepEqual([state, attempts, time, error], ["failed", 1, plain.createTime, "timed_out"]);
  const resent = await client.webhooks.resend("w", "d");
  assert.deepEqual([resent.deliveryId, resent.state, resent.lastAttemptTime], ["d", "pending", undefined]);
});
