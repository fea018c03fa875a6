/** The steps of a scenario about moves in positions, batches, cards, and what is known of a position. */

import { type Chitarrella, cardOf } from "chitarrella-client";
import type * as v1 from "chitarrella-client/v1";
import { move, readMove, readRuleSet, refusal, type SeatMoveJson, type Step } from "./json.js";

type Operation = (client: Chitarrella, step: Step) => Promise<unknown>;

/** The operations. */
export const POSITION_OPERATIONS: Readonly<Record<string, Operation>> = {
  describe_cards: describeCards,
  list_known_moves: listKnownMoves,
  apply_moves: applyMoves,
  batch,
};

async function describeCards(client: Chitarrella, step: Step) {
  const game = await client.game(step.game_id ?? "");
  return step.cards.map((name) => {
    const card = cardOf(game, name);
    return {
      code: card?.code,
      name: card?.name,
      suit: card?.suit,
      order: card?.order,
      points: card?.points ?? null,
    };
  });
}

async function listKnownMoves(client: Chitarrella, { rule_set: ruleSet, known = {}, seat: asked }: Step) {
  const { hands, trick, trump, stock_size: stockSize } = known;
  const position = { ruleSet: readRuleSet(ruleSet), hands, trick, trump, stockSize };
  const { seat, moves, undecided, dependsOn } = await client.rules.legalMoves(position, asked ?? undefined);
  return {
    seat: seat ?? null,
    moves: moves.map(move),
    undecided: undecided.map((one) => ({ move: move(one.move), depends_on: one.dependsOn })),
    depends_on: dependsOn,
  };
}

function readSeatMoves(moves: readonly SeatMoveJson[] = []) {
  return moves.map((made) => ({ seat: made.seat ?? undefined, move: readMove(made.move) }));
}

async function applyMoves(client: Chitarrella, { rule_set: ruleSet, position, moves }: Step) {
  const where = { ruleSet: readRuleSet(ruleSet), text: position };
  const { position: after, applied, refusals, legalMoves } = await client.rules.applyMoves(where, readSeatMoves(moves));
  return { text: after.text, applied, refusals: refusals.map(refusal), legal_moves: legalMoves.map(move) };
}

async function batch(client: Chitarrella, { questions = [] }: Step) {
  const { answers } = await client.rules.batch({ questions: questions.map(question) });
  return answers.map(({ kind }) => answer(kind));
}

/** Converts a question; it has the position of the step, or that of an earlier answer. */
function question(step: Step) {
  const { position_of: positionOf, seat } = step;
  const ruleSet = step.rule_set && readRuleSet(step.rule_set);
  const position = step.position === undefined ? undefined : { ruleSet, text: step.position };
  switch (step.op) {
    case "start_game":
      return { positionOf, kind: { case: "startGame", value: { ruleSet } } } as const;
    case "apply_moves": {
      const moves = (step.moves ?? []).map((made) => ({ seat: made.seat ?? undefined, move: messageOf(made.move) }));
      return { positionOf, kind: { case: "applyMoves", value: { position, moves } } } as const;
    }
    default:
      return { positionOf, kind: { case: "listLegalMoves", value: { position, seat: seat ?? undefined } } } as const;
  }
}

function messageOf({ verb, cards, seat }: SeatMoveJson["move"]) {
  return { verb, cards, seat: seat ?? undefined };
}

function answer(kind: v1.Answer["kind"]) {
  switch (kind.case) {
    case "startGame":
      return kind.value.position?.text;
    case "applyMoves": {
      const { position, applied, refusals, legalMoves } = kind.value;
      return { text: position?.text, applied, refusals: refusals.map(refusalOf), legal_moves: legalMoves.map(moveOf) };
    }
    case "listLegalMoves":
      return { seat: kind.value.seat ?? null, moves: kind.value.moves.map(moveOf) };
    case "error":
      return { error: { code: kind.value.code, field: kind.value.field } };
    default:
      throw new Error(`no answer of the kind ${kind.case} was asked for`);
  }
}

function moveOf(message: v1.Move) {
  return move({ ...message, shares: message.shares.map(({ person, amount }) => ({ person, amount: Number(amount) })) });
}

function refusalOf(message: v1.Refusal) {
  return refusal({ ...message, clause: message.clause ?? { key: "", text: "", source: "" } });
}
