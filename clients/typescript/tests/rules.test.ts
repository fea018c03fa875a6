/** A partial position has its known parts only, and answers name the unknown parts that they depend on. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { PartialPosition } from "chitarrella-client";
import {
  ListLegalMovesRequestSchema,
  type ListLegalMovesResponseSchema,
  ListPlayableCardsRequestSchema,
  ResolveTrickRequestSchema,
} from "chitarrella-client/v1";
import { clientOf } from "./fake_service.js";

const undecided: MessageInitShape<typeof ListLegalMovesResponseSchema> = {
  undecided: [{ move: { verb: "play_card", cards: ["2c"] }, refusals: [{ code: "x" }], dependsOn: ["trump"] }],
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
  const { request } = await asked({ ruleSet: "briscola", hands, trick: ["Rs"], trump: "", stockSize: 0 });
  const partialPosition = {
    ruleSet: { gameId: "briscola" },
    hands: [{ seat: 0, cards: ["Ab", "2c"] }],
    trick: { cards: ["Rs"] },
    trump: "",
    stockSize: 0,
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
  assert.deepEqual([move?.move.cards, move?.refusals.length, move?.dependsOn], [["2c"], 1, ["trump"]]);
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

test("playable cards are asked with the trump card", async () => {
  const requests: unknown[] = [];
  const client = clientOf({
    listPlayableCards: (request) => {
      requests.push(request);
      return {};
    },
  });
  const options = { stockLeft: true, trumpCard: "MAT", declaredSuit: "numbers" };
  await client.rules.playableCards("cuccu-a-trionfo", ["IV"], [], "", options);
  const request = { ruleSet: { gameId: "cuccu-a-trionfo" }, hand: ["IV"], ...options };
  assert.deepEqual(requests, [create(ListPlayableCardsRequestSchema, request)]);
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
