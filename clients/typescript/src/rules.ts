/** Stateless questions about positions and cards. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import * as convert from "./converters.js";
import type { BatchRequestSchema, BatchResponse, PositionSchema } from "./gen/chitarrella/v1/rules_pb.js";
import { type Agreed, agreementMessage, type MoveLike, moveMessage } from "./requests.js";
import type * as responses from "./responses.js";
import type { RetryingTransport } from "./transport.js";
import type { ExplainedMove, View } from "./types.js";

/** The viewer: a seat, the referee, or the public. */
export type Eyes = number | "referee" | "public";

/** The rules, for those who store matches themselves: a position goes in, a position comes out. */
export class Rules {
  /** Created by the client. */
  constructor(private readonly transport: RetryingTransport) {}

  /** Returns the initial position and the result of chance that it awaits. */
  async start(agreed: Agreed): Promise<responses.Start> {
    const request = { agreement: agreementMessage(agreed) };
    return convert.start(await this.transport.call((options) => this.transport.rules.startGame(request, options)));
  }

  /** Lists the legal moves of a seat; without a seat, of the seat to move. */
  async legalMoves(position: responses.Position, seat?: number): Promise<responses.LegalMoves> {
    const request = { position: positionMessage(position), seat };
    return convert.legalMoves(
      await this.transport.call((options) => this.transport.rules.listLegalMoves(request, options)),
    );
  }

  /** Explains every card of a hand and every other possible move. */
  async explain(position: responses.Position, seat?: number): Promise<responses.ExplainedHand> {
    const request = { position: positionMessage(position), seat };
    return convert.hand(await this.transport.call((options) => this.transport.rules.explainHand(request, options)));
  }

  /** Checks a move of a seat, or, without one, of chance. */
  async judge(position: responses.Position, move: MoveLike, seat?: number): Promise<responses.Verdict> {
    const request = { position: positionMessage(position), move: moveMessage(move), seat };
    return convert.verdict(await this.transport.call((options) => this.transport.rules.judge(request, options)));
  }

  /** Plays moves, each with its seat (undefined: chance), until one is refused. */
  async play(
    position: responses.Position,
    moves: readonly { readonly seat?: number; readonly move: MoveLike }[],
  ): Promise<responses.PlayedMoves> {
    const made = moves.map(({ seat, move }) => ({ seat, move: moveMessage(move) }));
    const request = { position: positionMessage(position), moves: made };
    return convert.playedMoves(
      await this.transport.call((options) => this.transport.rules.playMoves(request, options)),
    );
  }

  /** Returns the view of a seat, of the referee, or of the public. */
  async look(position: responses.Position, eyes: Eyes = "public"): Promise<View> {
    const request = { position: positionMessage(position), eyes: eyesMessage(eyes) };
    return convert.view((await this.transport.call((options) => this.transport.rules.look(request, options))).view);
  }

  /** Returns, without a position, which cards of a hand may be played to a trick. */
  async playable(
    agreed: Agreed,
    hand: readonly string[],
    trick: readonly string[] = [],
    trump = "",
  ): Promise<readonly ExplainedMove[]> {
    const request = { agreement: agreementMessage(agreed), hand: [...hand], trick: [...trick], trump };
    const response = await this.transport.call((options) => this.transport.rules.listPlayableCards(request, options));
    return response.moves.map(convert.explained);
  }

  /** Returns, without a position, which card takes a trick. */
  async trick(agreed: Agreed, cards: readonly string[], trump = ""): Promise<responses.Trick> {
    const request = { agreement: agreementMessage(agreed), cards: [...cards], trump };
    return convert.trick(await this.transport.call((options) => this.transport.rules.resolveTrick(request, options)));
  }

  /** Returns the worth of a pile of cards. */
  async count(agreed: Agreed, cards: readonly string[], trump = ""): Promise<readonly responses.Tally[]> {
    const request = { agreement: agreementMessage(agreed), cards: [...cards], trump };
    return convert.tallies(await this.transport.call((options) => this.transport.rules.countPile(request, options)));
  }

  /** Has the service verify a draw; `isFair` does it locally. */
  async verifyDraw(game: string, draw: responses.Draw): Promise<responses.Fairness> {
    const { commitment, nonce, number, amount } = draw;
    const drawn = { words: [...draw.words], cards: [...draw.cards], lots: [...draw.lots] };
    const request = { game, commitment, nonce, number, amount, ...drawn };
    const { fair, code } = await this.transport.call((options) => this.transport.rules.verifyDraw(request, options));
    return { fair, code };
  }

  /** Sends many questions in one call, as messages of the contract; each has its own answer or error. */
  async batch(request: MessageInitShape<typeof BatchRequestSchema>): Promise<BatchResponse> {
    return this.transport.call((options) => this.transport.rules.batch(request, options));
  }
}

function positionMessage({ agreement, line }: responses.Position): MessageInitShape<typeof PositionSchema> {
  return { agreement: agreementMessage(agreement), line };
}

function eyesMessage(eyes: Eyes) {
  switch (eyes) {
    case "public":
      return { case: undefined };
    case "referee":
      return { case: "referee", value: true } as const;
    default:
      return { case: "seat", value: eyes } as const;
  }
}
