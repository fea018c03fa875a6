/** The rules in this process: the answers of the client's `Rules`, without a service. */

import {
  type AppliedMoves,
  ChitarrellaError,
  type ExplainedHand,
  type ExplainedMove,
  type GameStart,
  type LegalMoves,
  type MoveLike,
  type MoveValidation,
  type PartialPosition,
  type Position,
  type PositionLike,
  type Rules as RemoteRules,
  type RuleSetLike,
  type Score,
  type TrickOptions,
  type TrickResult,
  type View,
  type Viewer,
} from "chitarrella-client";
import { loadPyodide } from "pyodide";

/** The languages of sentences and clauses. */
export type Language = "en" | "it" | "de";

/** The settings of `loadRules`. */
export interface Loading {
  /** The language of sentences and clauses. Default: English. */
  readonly language?: Language;
  /** The URL of the folder with the files of Pyodide, with a slash at its end. Default: where its script comes from. */
  readonly pyodide?: string;
  /** The URL of the wheel. Default: `chitarrella.whl` beside this module. */
  readonly wheel?: string | URL;
  /** The URLs of wheels with games of other packages. Default: none. */
  readonly packages?: readonly (string | URL)[];
}

/** The questions that both this package and the client answer. */
export type StatelessRules = Pick<
  RemoteRules,
  | "startGame"
  | "legalMoves"
  | "explainHand"
  | "validateMove"
  | "applyMoves"
  | "getView"
  | "playableCards"
  | "resolveTrick"
  | "scoreCards"
>;

/** Answers a question, both in JSON. */
type Answer = (method: string, question: string) => string;

const IMPORT = "from chitarrella.questions.answers import answers_in\nanswers_in";

/** Loads the rules; takes seconds the first time. Throws if a file cannot be read, or a package cannot be served. */
export async function loadRules(loading: Loading = {}): Promise<Rules> {
  const { language = "en", pyodide: indexURL, packages = [] } = loading;
  const { wheel = new URL("./chitarrella.whl", import.meta.url) } = loading;
  const [python, ...wheels] = await Promise.all([
    loadPyodide(indexURL === undefined ? {} : { indexURL }),
    ...[wheel, ...packages].map(read),
  ]);
  for (const bytes of wheels) {
    python.unpackArchive(bytes, "wheel");
  }
  return new Rules(python.runPython(IMPORT)(language).answer);
}

/** Reads a file beside this module: from the disk in Node, else from its server. */
async function read(url: string | URL): Promise<Uint8Array> {
  if (new URL(url, import.meta.url).protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return new Uint8Array(await readFile(new URL(url, import.meta.url)));
  }
  const answer = await fetch(url);
  if (!answer.ok) {
    throw new Error(`${url}: ${answer.status}`);
  }
  return new Uint8Array(await answer.arrayBuffer());
}

/**
 * The rules, as `Chitarrella.rules` of the client answers them: the same names, arguments, values and errors, so that
 * one can take the place of the other. A position goes in, a position comes out; nothing is kept.
 */
export class Rules implements StatelessRules {
  /** Use `loadRules`. */
  constructor(private readonly answer: Answer) {}

  /** Returns the position before the first card, and what chance has to supply. */
  startGame(ruleSet: RuleSetLike): Promise<GameStart> {
    return this.ask("startGame", { ruleSet: readRuleSet(ruleSet) });
  }

  /** Lists the legal moves of a seat; without a seat, of the seat to move. */
  legalMoves(position: PositionLike, seat?: number): Promise<LegalMoves> {
    return this.ask("legalMoves", { ...positionField(position), seat });
  }

  /** Explains every card of a hand and every other possible move; the seat as for `legalMoves`. */
  explainHand(position: PositionLike, seat?: number): Promise<ExplainedHand> {
    return this.ask("explainHand", { ...positionField(position), seat });
  }

  /** Validates a move of a seat, or, without one, of chance. A refusal is a result, not an error. */
  validateMove(position: PositionLike, move: MoveLike, seat?: number): Promise<MoveValidation> {
    return this.ask("validateMove", {
      ...positionField(position),
      move: readMove(move),
      seat,
    });
  }

  /** Plays moves, each with its seat (undefined: chance), up to the first that is refused. */
  applyMoves(
    position: Position,
    moves: readonly { readonly seat?: number; readonly move: MoveLike }[],
  ): Promise<AppliedMoves> {
    const made = moves.map(({ seat, move }) => ({
      seat,
      move: readMove(move),
    }));
    return this.ask("applyMoves", { ...positionField(position), moves: made });
  }

  /** Returns the view of a seat, of the referee, or of the public. */
  getView(position: Position, viewer: Viewer = "public"): Promise<View> {
    return this.ask("getView", { ...positionField(position), viewer });
  }

  /** Explains, without a position, the plays of a hand to a trick; `trump` is "" for no trumps. */
  playableCards(
    ruleSet: RuleSetLike,
    hand: readonly string[],
    trick: readonly string[] = [],
    trump = "",
    options: TrickOptions = {},
  ): Promise<readonly ExplainedMove[]> {
    return this.ask("playableCards", {
      ruleSet: readRuleSet(ruleSet),
      hand,
      trick,
      trump,
      ...options,
    });
  }

  /** Returns, without a position, the card that takes a trick. What is left out is unknown. */
  resolveTrick(
    ruleSet: RuleSetLike,
    cards: readonly string[],
    trump?: string,
    trumpCard?: string,
  ): Promise<TrickResult> {
    return this.ask("resolveTrick", {
      ruleSet: readRuleSet(ruleSet),
      cards,
      trump,
      trumpCard,
    });
  }

  /** Returns, without a position, what cards count. */
  scoreCards(ruleSet: RuleSetLike, cards: readonly string[], trump = ""): Promise<readonly Score[]> {
    return this.ask("scoreCards", {
      ruleSet: readRuleSet(ruleSet),
      cards,
      trump,
    });
  }

  private async ask<T>(method: keyof StatelessRules, question: object): Promise<T> {
    const { value, error } = JSON.parse(this.answer(method, JSON.stringify(question)));
    if (error !== undefined) {
      throw new ChitarrellaError(error.code, error.message, {
        field: error.field,
      });
    }
    return value;
  }
}

function readRuleSet(ruleSet: RuleSetLike) {
  const {
    gameId,
    players = 0,
    options = {},
    edition = 0,
  } = typeof ruleSet === "string" ? { gameId: ruleSet } : ruleSet;
  const chosen = Object.entries(options).map(([name, value]) => [name, String(value)]);
  return { gameId, players, options: Object.fromEntries(chosen), edition };
}

function readMove(move: MoveLike) {
  return typeof move === "string" ? { verb: move } : move;
}

function positionField(position: PositionLike) {
  const ruleSet = readRuleSet(position.ruleSet);
  return "text" in position
    ? { position: { ruleSet, text: position.text } }
    : { partialPosition: { ...readKnown(position), ruleSet } };
}

function readKnown({ hands = {}, trick, ...others }: PartialPosition) {
  const cards = Object.entries(hands).map(([seat, hand]) => ({
    seat: Number(seat),
    cards: hand,
  }));
  return {
    ...others,
    hands: cards,
    trick: trick && ("cards" in trick ? trick : { cards: trick }),
  };
}
