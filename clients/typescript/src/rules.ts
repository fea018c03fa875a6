/** Stateless questions about positions and cards. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type MoveLike,
  moveMessage,
  type PositionLike,
  positionField,
  positionMessage,
  type RuleSetLike,
  ruleSetMessage,
} from "./converters.js";
import type { BatchRequestSchema, BatchResponse } from "./gen/chitarrella/v1/questions_pb.js";
import { RulesService } from "./gen/chitarrella/v1/rules_pb.js";
import type * as responses from "./responses.js";
import type { Fairness, Shuffle } from "./shuffles.js";
import type { RetryingTransport } from "./transport.js";
import type { View } from "./types.js";

const calls = RulesService.method;

/** The viewer: a seat, the referee, or the public. */
export type Viewer = number | "referee" | "public";

/** The rules, for those who store matches themselves: a position goes in, a position comes out. */
export class Rules {
  readonly #transport: RetryingTransport;

  /** Created by the client. */
  constructor(transport: RetryingTransport) {
    this.#transport = transport;
  }

  /** Returns the position before the first card, and what chance has to supply. */
  async startGame(ruleSet: RuleSetLike): Promise<responses.GameStart> {
    const request = { ruleSet: ruleSetMessage(ruleSet) };
    return this.#transport.call(calls.startGame, request);
  }

  /**
   * Lists the legal moves of a seat; without a seat, of the seat to move. For a partial position these are the moves that
   * play cards to the trick; without a seat and the leader of the trick, those of its only hand.
   */
  async legalMoves(position: PositionLike, seat?: number): Promise<responses.LegalMoves> {
    const request = { ...positionField(position), seat };
    return this.#transport.call(calls.listLegalMoves, request);
  }

  /** Explains every card of a hand and every other possible move; the seat as for `legalMoves`. */
  async explainHand(position: PositionLike, seat?: number): Promise<responses.ExplainedHand> {
    const request = { ...positionField(position), seat };
    return this.#transport.call(calls.explainHand, request);
  }

  /**
   * Validates a move of a seat, or, without one, of chance, or of the only hand of a partial position. A refusal is a
   * result, not an error.
   */
  async validateMove(position: PositionLike, move: MoveLike, seat?: number): Promise<responses.MoveValidation> {
    const request = { ...positionField(position), move: moveMessage(move), seat };
    return this.#transport.call(calls.validateMove, request);
  }

  /** Plays moves, each with its seat (undefined: chance), up to the first that is refused. */
  async applyMoves(
    position: responses.Position,
    moves: readonly { readonly seat?: number; readonly move: MoveLike }[],
  ): Promise<responses.AppliedMoves> {
    const made = moves.map(({ seat, move }) => ({ seat, move: moveMessage(move) }));
    const request = { position: positionMessage(position), moves: made };
    return this.#transport.call(calls.applyMoves, request);
  }

  /** Returns the view of a seat, of the referee, or of the public. */
  async getView(position: responses.Position, viewer: Viewer = "public"): Promise<View> {
    const request = { position: positionMessage(position), viewer: viewerMessage(viewer) };
    return (await this.#transport.call(calls.getView, request)).view;
  }

  /**
   * Returns, without a position, the card that takes a trick. `trump` is the suit, "" for no trumps; `trumpCard` is for
   * games where the trump is a single card. Either is unknown if it is left out.
   */
  async resolveTrick(
    ruleSet: RuleSetLike,
    cards: readonly string[],
    trump?: string,
    trumpCard?: string,
  ): Promise<responses.TrickResult> {
    const request = { ruleSet: ruleSetMessage(ruleSet), cards: [...cards], trump, trumpCard };
    return this.#transport.call(calls.resolveTrick, request);
  }

  /** Returns, without a position, what cards count. `trump` is the suit, "" for no trumps; unknown if it is left out. */
  async scoreCards(ruleSet: RuleSetLike, cards: readonly string[], trump?: string): Promise<responses.CardScores> {
    const request = { ruleSet: ruleSetMessage(ruleSet), cards: [...cards], trump };
    return this.#transport.call(calls.scoreCards, request);
  }

  /** Has the service verify a shuffle; `isFair` does it locally. */
  async verifyShuffle(gameId: string, shuffle: Shuffle): Promise<Fairness> {
    const { commitment, nonce, number, amount } = shuffle;
    const lists = { clientSeeds: [...shuffle.clientSeeds], cards: [...shuffle.cards], lots: [...shuffle.lots] };
    const request = { gameId, commitment, nonce, number, amount, ...lists };
    return this.#transport.call(calls.verifyShuffle, request);
  }

  /**
   * Sends many questions in one call, as messages of the contract; each has its own answer or error, which `errorOfStatus` reads. `positionOf` of a
   * question is the index of an earlier one that starts a game or applies moves, and whose position it has.
   */
  async batch(request: MessageInitShape<typeof BatchRequestSchema>): Promise<BatchResponse> {
    return this.#transport.send(calls.batch, request);
  }
}

function viewerMessage(viewer: Viewer) {
  switch (viewer) {
    case "public":
      return { case: undefined };
    case "referee":
      return { case: "referee", value: true } as const;
    default:
      return { case: "seat", value: viewer } as const;
  }
}
