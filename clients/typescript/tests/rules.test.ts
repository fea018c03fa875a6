/** Questions about the rules, and the values of their answers. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { cardOf, eventByKind, factOf, isFair, type PartialPosition, type Shuffle } from "chitarrella-client";
import {
  Audience,
  Family,
  ListLegalMovesRequestSchema,
  type ListLegalMovesResponseSchema,
  OptionType,
  ResolveTrickRequestSchema,
  Verdict,
} from "chitarrella-client/v1";
import { clientOf, matchOf } from "./fake_service.js";

const undecided: MessageInitShape<typeof ListLegalMovesResponseSchema> = {
  undecided: [
    {
      move: { verb: "play_card", cards: ["2c"] },
      verdict: Verdict.UNDECIDED,
      refusals: [{ code: "x", undecided: true }],
      dependsOn: ["trump"],
    },
  ],
};

/** Asks for legal moves; returns the request that was received, and the response. */
async function asked(position: PartialPosition) {
  const requests: unknown[] = [];
  const client = clientOf({
    listLegalMoves: (request) => {
      requests.push(request);
      return undecided;
    },
  });
  return { response: await client.rules.legalMoves(position), request: requests[0] };
}

test("what is left out is absent, an empty text and a zero are not", async () => {
  const hands = { 0: ["Ab", "2c"] };
  const { request } = await asked({
    ruleSet: "briscola",
    hands,
    trick: ["Rs"],
    trump: "",
    stockSize: 0,
    dealtIn: [0, 2],
  });
  const partialPosition = {
    ruleSet: { gameId: "briscola" },
    hands: [{ seat: 0, cards: ["Ab", "2c"] }],
    trick: { cards: ["Rs"] },
    trump: "",
    stockSize: 0,
    dealtIn: [0, 2],
  };
  assert.deepEqual(request, create(ListLegalMovesRequestSchema, { partialPosition }));
});

test("a trick has its leader and its declared suit", async () => {
  const trick = { cards: [], leader: 0, declaredSuit: "" };
  const { request } = await asked({ ruleSet: "briscola", trick });
  const partialPosition = { ruleSet: { gameId: "briscola" }, trick };
  assert.deepEqual(request, create(ListLegalMovesRequestSchema, { partialPosition }));
});

test("an undecided move names what it depends on", async () => {
  const { response } = await asked({ ruleSet: "briscola" });
  assert.deepEqual(response.moves, []);
  assert.deepEqual(response.dependsOn, []);
  const [move] = response.undecided;
  assert.deepEqual([move?.move.cards, move?.verdict, move?.dependsOn], [["2c"], "undecided", ["trump"]]);
  assert.deepEqual(
    move?.refusals.map(({ undecided }) => undecided),
    [true],
  );
});

test("a trump that is left out is unknown, and an index that depends on it is absent", async () => {
  const requests: unknown[] = [];
  const client = clientOf({
    resolveTrick: (request) => {
      requests.push(request);
      return request.trump === undefined ? { dependsOn: ["trump"] } : { winningIndex: 0, winningCard: "Rs" };
    },
  });
  const unknown = await client.rules.resolveTrick("briscola", ["Rs", "2d"]);
  assert.deepEqual(unknown, { winningIndex: undefined, winningCard: "", scores: [], dependsOn: ["trump"] });
  assert.equal((await client.rules.resolveTrick("briscola", ["Rs", "2d"], "", "MAT")).winningIndex, 0);
  const asked = { ruleSet: { gameId: "briscola" }, cards: ["Rs", "2d"] };
  const expected = [asked, { ...asked, trump: "", trumpCard: "MAT" }];
  assert.deepEqual(
    requests,
    expected.map((request) => create(ResolveTrickRequestSchema, request)),
  );
});

test("applied moves have penalties and the next legal moves", async () => {
  const client = clientOf({
    applyMoves: () => ({
      applied: 2,
      penalties: [{ index: 1, refusals: [{ code: "zero_card_lead", penalty: true }] }],
      legalMoves: [{ verb: "play_card", cards: ["Ab"] }],
    }),
  });
  const position = { ruleSet: { gameId: "briscola", players: 0, options: {}, edition: 0 }, text: "x" };
  const { penalties, legalMoves } = await client.rules.applyMoves(position, [{ seat: 0, move: "pass" }]);
  assert.deepEqual(
    penalties.map(({ index, refusals }) => [index, refusals[0]?.code]),
    [[1, "zero_card_lead"]],
  );
  assert.deepEqual(
    legalMoves.map(({ cards }) => cards),
    [["Ab"]],
  );
});

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
      ...matchOf(false, ""),
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

test("a game has its cards, options, suits, partners, zones and events, for the rule set", async () => {
  const requests: unknown[] = [];
  const client = clientOf({
    getGame: ({ gameId, ...rest }) => ({
      summary: { gameId, family: requests.push([rest.players, rest.options, rest.edition]) && Family.TRICKS },
      options: [{ name: "rubber_games", type: OptionType.INTEGER, label: "Games" }],
      events: [{ kind: "card_played", fields: ["seat", "cards"] }],
      cards: [{ code: "Ab", name: "asso di bastoni", suit: "b", rank: "A", order: 10, points: 11, copies: 1 }],
      suits: [{ code: "b", name: "bastoni" }],
      partnerships: [{ players: 4, sides: [{ seats: [0, 2] }, { seats: [1, 3] }] }],
      zones: [{ name: "hand", seenBy: Audience.OWNER }],
    }),
  });
  const game = await client.game({ gameId: "briscola", players: 4, options: { rubber_games: 1 }, edition: 2 });
  await client.game("briscola");
  assert.deepEqual(requests, [
    [4, ["rubber_games=1"], 2],
    [0, [], 0],
  ]);
  assert.deepEqual([game.summary.family, game.summary.scoreDirection], ["tricks", "unspecified"]);
  assert.deepEqual([game.options[0]?.type, game.events[0]?.fields], ["integer", ["seat", "cards"]]);
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

test("an event of a known kind has the fields of its kind", () => {
  const event = { kind: "trick_taken", seat: 1, cards: ["Ab"], hidden: 0, word: "", shares: [] };
  const known = eventByKind(event);
  assert.ok(known?.kind === "trick_taken");
  assert.deepEqual([known.seat, known.cards], [1, ["Ab"]]);
  // @ts-expect-error: a trick has no amount
  assert.equal(known.amount, undefined);
  assert.equal(eventByKind({ ...event, kind: "toString" }), undefined);
});
