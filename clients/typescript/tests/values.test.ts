/** Shuffles are verified, money is a number, times are dates, and all pages of a list are fetched. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { cardOf, factOf, isFair, type Shuffle } from "chitarrella-client";
import { clientOf } from "./fake_service.js";

const nonce = "00ff";
const commitment = createHash("sha256").update(nonce).digest("hex");
const empty = { number: 1, revision: 1, verb: "draw_dealer", supplied: false, commitment, clientSeeds: [], cards: [] };
const lot: Shuffle = { ...empty, nonce, lots: [0, 1, 2, 3] };

test("exactly one lot is fair, and none without its nonce", () => {
  const fair = lot.lots.filter((amount) => isFair({ ...lot, amount }));
  assert.equal(fair.length, 1);
  assert.equal(isFair({ ...lot, amount: fair[0], nonce: "" }), false);
  assert.equal(isFair({ ...lot, amount: fair[0], commitment: "00" }), false);
});

test("a seed in the shuffle counts", () => {
  const results = Array.from({ length: 20 }, (_, number) => {
    const clientSeeds = [{ seat: 0, seed: String(number) }];
    return lot.lots.find((amount) => isFair({ ...lot, clientSeeds, amount }));
  });
  assert(new Set(results).size > 1);
});

test("money and amounts by person are numbers, a deadline is a date", async () => {
  const shares = [{ person: "Anna", amount: -200n }];
  const client = clientOf({
    getMatch: () => ({
      deadline: timestampFromMs(1_700_000_000_123),
      view: {
        facts: [
          { name: "pool", value: { case: "money", value: 9_007_199_254_740_991n } },
          { name: "debts", seat: 0, value: { case: "shares", value: { shares } } },
        ],
      },
    }),
  });
  const { view, deadline } = await client.match("m").get();
  assert.deepEqual(deadline, new Date(1_700_000_000_123));
  assert.equal(factOf(view, "pool"), Number.MAX_SAFE_INTEGER);
  assert.deepEqual(factOf(view, "debts", 0), [{ person: "Anna", amount: -200 }]);
  assert.equal(factOf(view, "debts"), undefined);
  JSON.stringify(view);
});

test("all pages are fetched", async () => {
  const client = clientOf({
    listGames: ({ pageToken }) =>
      pageToken === "" ? { games: [{ gameId: "a" }], nextPageToken: "more" } : { games: [{ gameId: "b" }] },
  });
  const keys: string[] = [];
  for await (const { gameId } of client.games()) {
    keys.push(gameId);
  }
  assert.deepEqual(keys, ["a", "b"]);
});

test("a match in the list has the date of its creation", async () => {
  const client = clientOf({
    listMatches: () => ({
      matches: [{ matchId: "m", ruleSet: { gameId: "briscola" }, createTime: timestampFromMs(1_700_000_000_000) }],
    }),
  });
  const listed: unknown[] = [];
  for await (const { matchId, ruleSet, createTime } of client.matches()) {
    listed.push([matchId, ruleSet.gameId, createTime]);
  }
  assert.deepEqual(listed, [["m", "briscola", new Date(1_700_000_000_000)]]);
});

test("a game has its cards, suits, partners and zones", async () => {
  const client = clientOf({
    getGame: () => ({
      summary: { gameId: "briscola" },
      cards: [{ code: "Ab", name: "asso di bastoni", suit: "b", rank: "A", order: 10, points: 11, copies: 1 }],
      suits: [{ code: "b", name: "bastoni" }],
      partnerships: [{ players: 4, sides: [{ seats: [0, 2] }, { seats: [1, 3] }] }],
      zones: [{ name: "hand", seenBy: "owner" }],
    }),
  });
  const game = await client.game("briscola");
  assert.deepEqual([cardOf(game, "Ab")?.points, cardOf(game, "XX")], [11, undefined]);
  assert.deepEqual([game.suits[0]?.name, game.zones[0]?.seenBy], ["bastoni", "owner"]);
  assert.deepEqual(
    game.partnerships.map(({ players, sides }) => [players, sides.map(({ seats }) => seats)]),
    [
      [
        4,
        [
          [0, 2],
          [1, 3],
        ],
      ],
    ],
  );
});
