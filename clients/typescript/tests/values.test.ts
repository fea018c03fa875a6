/** Draws are verified, money is a number, and all pages of a list are fetched. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { type Draw, factOf, isFair } from "chitarrella-client";
import { clientOf } from "./fake_service.js";

const nonce = "00ff";
const commitment = createHash("sha256").update(nonce).digest("hex");
const empty = { number: 1, revision: 1, verb: "draw_dealer", handedIn: false, commitment, words: [], cards: [] };
const lot: Draw = { ...empty, nonce, lots: [0, 1, 2, 3] };

test("exactly one lot is fair, and none without its nonce", () => {
  const fair = lot.lots.filter((amount) => isFair({ ...lot, amount }));
  assert.equal(fair.length, 1);
  assert.equal(isFair({ ...lot, amount: fair[0], nonce: "" }), false);
  assert.equal(isFair({ ...lot, amount: fair[0], commitment: "00" }), false);
});

test("a word in the shuffle counts", () => {
  const results = Array.from({ length: 20 }, (_, word) => {
    const words = [{ seat: 0, word: String(word) }];
    return lot.lots.find((amount) => isFair({ ...lot, words, amount }));
  });
  assert(new Set(results).size > 1);
});

test("money and amounts by person are numbers", async () => {
  const shares = [{ person: "Anna", amount: -200n }];
  const client = clientOf({
    getMatch: () => ({
      deadlineMs: 1_700_000_000_000n,
      view: {
        facts: [
          { name: "pool", value: { case: "money", value: 9_007_199_254_740_991n } },
          { name: "debts", seat: 0, value: { case: "shares", value: { shares } } },
        ],
      },
    }),
  });
  const { view, deadlineMs } = await client.match("m").look();
  assert.equal(deadlineMs, 1_700_000_000_000);
  assert.equal(factOf(view, "pool"), Number.MAX_SAFE_INTEGER);
  assert.deepEqual(factOf(view, "debts", 0), [{ person: "Anna", amount: -200 }]);
  assert.equal(factOf(view, "debts"), undefined);
  JSON.stringify(view);
});

test("all pages are fetched", async () => {
  const client = clientOf({
    listGames: ({ pageToken }) =>
      pageToken === "" ? { games: [{ game: "a" }], nextPageToken: "more" } : { games: [{ game: "b" }] },
  });
  const keys: string[] = [];
  for await (const { game } of client.games()) {
    keys.push(game);
  }
  assert.deepEqual(keys, ["a", "b"]);
});
