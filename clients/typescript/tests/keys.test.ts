/** Keys are replaced, and the clock of a test is advanced, once under each request id. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { clientOf, lost } from "./fake_service.js";

const created = {
  matchId: "m",
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

test("an advanced clock has the time of the match as a date", async () => {
  const received: unknown[] = [];
  const client = clientOf({
    advanceClock: ({ seconds, requestId }) => {
      received.push([seconds, requestId]);
      return { time: timestampFromMs(1_700_000_060_000), revision: 4, timedOut: true };
    },
  });
  const advance = await client.match("m", "referee").advanceClock(60, { requestId: "mine" });
  assert.deepEqual(advance, { time: new Date(1_700_000_060_000), revision: 4, timedOut: true });
  assert.deepEqual(received, [[60, "mine"]]);
});
