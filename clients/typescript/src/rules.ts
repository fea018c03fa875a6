/** Questions about positions and cards; the service keeps nothing of them. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type * as answers from "./answers.js";
import type { BatchRequestSchema, BatchResponse, PositionSchema } from "./gen/chitarrella/v1/rules_pb.js";
import type { Line } from "./line.js";
import * as reading from "./reading.js";
import { type Agreed, agreementMessage, type MoveLike, moveMessage } from "./requests.js";
import type { ExplainedMove, View } from "./table.js";

/** Whose eyes: a seat's, the referee's, or else the public's. */
export type Eyes = number | "referee" | "public";

/** The rules, for those who keep their own matches: a position goes in, a position comes out. */
export class Rules {
  /** Asks over `line`; made by the client. */
  constructor(private readonly line: Line) {}

  /** Gives the position before the first card, and what the table has to supply. */
  async start(agreed: Agreed): Promise<answers.Start> {
    const request = { agreement: agreementMessage(agreed) };
    return reading.start(await this.line.ask((options) => this.line.rules.startGame(request, options)));
  }

  /** Lists what a seat may do; without a seat, the seat to move. */
  async legalMoves(position: answers.Position, seat?: number): Promise<answers.LegalMoves> {
    const request = { position: positionMessage(position), seat };
    return reading.legalMoves(await this.line.ask((options) => this.line.rules.listLegalMoves(request, options)));
  }

  /** Explains every card of a hand, and every other act within reach. */
  async explain(position: answers.Position, seat?: number): Promise<answers.ExplainedHand> {
    const request = { position: positionMessage(position), seat };
    return reading.hand(await this.line.ask((options) => this.line.rules.explainHand(request, options)));
  }

  /** Judges a move of a seat, or, without one, of the table itself. */
  async judge(position: answers.Position, move: MoveLike, seat?: number): Promise<answers.Verdict> {
    const request = { position: positionMessage(position), move: moveMessage(move), seat };
    return reading.verdict(await this.line.ask((options) => this.line.rules.judge(request, options)));
  }

  /** Plays moves, each with the seat that makes it (undefined: the table), until one is refused. */
  async play(
    position: answers.Position,
    moves: readonly { readonly seat?: number; readonly move: MoveLike }[],
  ): Promise<answers.PlayedMoves> {
    const made = moves.map(({ seat, move }) => ({ seat, move: moveMessage(move) }));
    const request = { position: positionMessage(position), moves: made };
    return reading.playedMoves(await this.line.ask((options) => this.line.rules.playMoves(request, options)));
  }

  /** Shows a position as a seat sees it, or the referee, or the public. */
  async look(position: answers.Position, eyes: Eyes = "public"): Promise<View> {
    const request = { position: positionMessage(position), eyes: eyesMessage(eyes) };
    return reading.view((await this.line.ask((options) => this.line.rules.look(request, options))).view);
  }

  /** Says at a glance which cards of a hand may be played to a trick. */
  async playable(
    agreed: Agreed,
    hand: readonly string[],
    trick: readonly string[] = [],
    trump = "",
  ): Promise<readonly ExplainedMove[]> {
    const request = { agreement: agreementMessage(agreed), hand: [...hand], trick: [...trick], trump };
    const answer = await this.line.ask((options) => this.line.rules.listPlayableCards(request, options));
    return answer.moves.map(reading.explained);
  }

  /** Says at a glance which card takes a trick. */
  async trick(agreed: Agreed, cards: readonly string[], trump = ""): Promise<answers.Trick> {
    const request = { agreement: agreementMessage(agreed), cards: [...cards], trump };
    return reading.trick(await this.line.ask((options) => this.line.rules.resolveTrick(request, options)));
  }

  /** Says at a glance what a pile of cards is worth. */
  async count(agreed: Agreed, cards: readonly string[], trump = ""): Promise<readonly answers.Tally[]> {
    const request = { agreement: agreementMessage(agreed), cards: [...cards], trump };
    return reading.tallies(await this.line.ask((options) => this.line.rules.countPile(request, options)));
  }

  /** Lets the service check that a draw came out as promised; `isFair` does it here. */
  async verifyDraw(game: string, draw: answers.Draw): Promise<answers.Fairness> {
    const { commitment, nonce, number, amount } = draw;
    const drawn = { words: [...draw.words], cards: [...draw.cards], lots: [...draw.lots] };
    const request = { game, commitment, nonce, number, amount, ...drawn };
    const { fair, code } = await this.line.ask((options) => this.line.rules.verifyDraw(request, options));
    return { fair, code };
  }

  /** Puts many questions in one call, in the words of the contract; each has its own answer or its own fault. */
  async batch(request: MessageInitShape<typeof BatchRequestSchema>): Promise<BatchResponse> {
    return this.line.ask((options) => this.line.rules.batch(request, options));
  }
}

function positionMessage({ agreement, line }: answers.Position): MessageInitShape<typeof PositionSchema> {
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
