/** Replays a record by stateless questions to the service: the view after each move, and what the move brought about. */

import { OPTION, parseMove, RecordError, type RecordLine, type RecordText } from "./record_text.js";
import {
  type AppliedMoves,
  type ChanceRequest,
  type Game,
  type ItemError,
  type Move,
  type Position,
  type Refusal,
  type RulesAnswer,
  type Service,
  ServiceError,
  type TableEvent,
  type View,
} from "./service.js";

/** The greatest number of moves in a question. */
const MOST_MOVES = 1000;
/** How many steps are asked for at once: the one to show, and those that are likely to follow. */
const AHEAD = 16;

/** Who looks at a position: a seat, the referee or the public. */
export type Viewer = Partial<{ readonly seat: number; readonly referee: true }>;

/** What one move led to. The first step has no events. */
export interface Step {
  readonly view: View;
  readonly events: readonly TableEvent[];
  readonly position: Position;
  /** Absent unless chance has to move. */
  readonly chanceRequest?: ChanceRequest | undefined;
}

interface SeatMove {
  readonly seat?: number;
  readonly move: Move;
}

/** A move that the rules refuse, with its line and the clauses that it breaks. */
export class RefusedMove extends RecordError {
  constructor(
    line: number,
    readonly refusals: readonly Refusal[],
  ) {
    super(refusals[0]?.code ?? "", line, refusals[0]?.message ?? "");
  }
}

/** A record that is stepped through. */
export class Replay {
  private readonly steps = new Map<number, Step>();
  private loading: Promise<void> = Promise.resolve();

  private constructor(
    private readonly service: Service,
    readonly game: Game,
    readonly record: RecordText,
    private readonly moves: SeatMove[],
    /** What is wrong with the record behind the moves that can be shown. */
    readonly error: RecordError | undefined,
  ) {}

  /** Reads the game and validates every move; throws `RecordError` if there is nothing to show. */
  static async of(service: Service, record: RecordText): Promise<Replay> {
    const { gameId, edition } = record.ruleSet;
    const game = await service.game(gameId, edition).catch((error) => {
      throw errorAt(error, record.lines.get("game") ?? 0);
    });
    const all: SeatMove[] = [];
    let error: RecordError | undefined;
    for (const line of record.moves) {
      try {
        all.push(moveOf(line, game));
      } catch (malformed) {
        error = malformed as RecordError;
        break;
      }
    }
    const first = await beginning(service, record);
    const checked = await check(service, record, first.position, all);
    const replay = new Replay(service, game, record, all.slice(0, checked.count), checked.error ?? error);
    replay.steps.set(0, first);
    return replay;
  }

  /** The number of the last step. */
  get last(): number {
    return this.moves.length;
  }

  /** Adds the moves by which a record that the service has written has grown. */
  extend(record: RecordText): void {
    this.moves.push(...record.moves.slice(this.last).map((line) => moveOf(line, this.game)));
  }

  /** The step after so many moves. */
  async at(number: number): Promise<Step> {
    if (!this.steps.has(number)) {
      this.loading = this.loading.catch(() => undefined).then(() => this.load(number));
      await this.loading;
    }
    return this.steps.get(number) as Step;
  }

  /** What some viewers see after so many moves. */
  async views(number: number, viewers: readonly Viewer[]): Promise<readonly View[]> {
    const { position } = await this.at(number);
    const answers = await this.service.batch(viewers.map((viewer) => ({ getView: { ...viewer, position } })));
    return answers.map(({ getView, error }) => {
      if (!getView) {
        throw new RecordError(error?.code ?? "", 0, error?.message ?? "");
      }
      return getView.view;
    });
  }

  /** Asks for a step and the following ones, from the nearest step before that is known. */
  private async load(number: number): Promise<void> {
    if (this.steps.has(number)) {
      return;
    }
    let known = number - 1;
    while (!this.steps.has(known)) {
      known--;
    }
    const questions: SeatMove[][] = chunks(this.moves.slice(known, number - 1));
    const before = questions.length;
    const last = Math.min(number + AHEAD - 1, this.last);
    questions.push(...this.moves.slice(number - 1, last).map((move) => [move]));
    const answers = await applyAll(this.service, (this.steps.get(known) as Step).position, questions);
    for (const [place, answer] of answers.slice(before).entries()) {
      const { view, events, position, chanceRequest } = answerOf(answer);
      this.steps.set(number + place, { view, events, position, chanceRequest });
    }
  }
}

async function beginning(service: Service, { ruleSet, position, lines }: RecordText): Promise<Step> {
  const given: Position | undefined = position ? { ruleSet, text: position } : undefined;
  const view = { referee: true, ...(given ? { position: given } : {}) };
  const questions = given ? [{ getView: view }] : [{ startGame: { ruleSet } }, { positionOf: 0, getView: view }];
  const answers = await service.batch(questions);
  const failed = answers.find((answer) => answer.error)?.error;
  if (failed) {
    throw new RecordError(failed.code, headingLine(failed, lines), failed.message);
  }
  const start = given ?? (answers[0]?.startGame?.position as Position);
  const { chanceRequest } = answers[0]?.startGame ?? {};
  return { view: answers.at(-1)?.getView?.view as View, events: [], position: start, chanceRequest };
}

/** How many of the moves can be played, and what is wrong with the next one. */
async function check(service: Service, record: RecordText, start: Position, moves: readonly SeatMove[]) {
  const parts = chunks(moves);
  const answers = parts.length ? await applyAll(service, start, parts) : [];
  let count = 0;
  for (const [place, answer] of answers.entries()) {
    if (answer.error) {
      const index = Number(/moves\[(\d+)\]/.exec(answer.error.field)?.[1] ?? 0);
      return checkedUpTo(service, record, start, moves, count + index, answer.error);
    }
    const { applied, refusals } = answerOf(answer);
    count += applied;
    if (applied < (parts[place]?.length ?? 0)) {
      return { count, error: new RefusedMove(record.moves[count]?.line ?? 0, refusals) };
    }
  }
  return { count, error: undefined };
}

/** The moves before one that cannot be read are played after all: none of its chunk was. */
async function checkedUpTo(
  service: Service,
  record: RecordText,
  start: Position,
  moves: readonly SeatMove[],
  index: number,
  error: ItemError,
): Promise<{ count: number; error: RecordError | undefined }> {
  const before = await check(service, record, start, moves.slice(0, index));
  return before.error
    ? before
    : { count: index, error: new RecordError(error.code, record.moves[index]?.line ?? 0, error.message) };
}

/** Plays lists of moves, each from the position after the list before. */
function applyAll(
  service: Service,
  start: Position,
  lists: readonly (readonly SeatMove[])[],
): Promise<readonly RulesAnswer[]> {
  const questions = lists.map((moves, place) =>
    place ? { positionOf: place - 1, applyMoves: { moves } } : { applyMoves: { position: start, moves } },
  );
  return service.batch(questions);
}

function moveOf(line: RecordLine, game: Game): SeatMove {
  const move = parseMove(line, game);
  return line.seat === undefined ? { move } : { move, seat: line.seat };
}

function answerOf(answer: RulesAnswer): AppliedMoves {
  if (!answer.applyMoves) {
    throw new RecordError(answer.error?.code ?? "", 0, answer.error?.message ?? "");
  }
  return answer.applyMoves;
}

function chunks(moves: readonly SeatMove[]): SeatMove[][] {
  const count = Math.ceil(moves.length / MOST_MOVES);
  return Array.from({ length: count }, (_, place) => moves.slice(place * MOST_MOVES, (place + 1) * MOST_MOVES));
}

/** The line of the heading that an error is about. */
function headingLine({ code, field }: ItemError, lines: ReadonlyMap<string, number>): number {
  const option = [...lines].find(([key]) => key.startsWith(OPTION) && field.includes(key.slice(OPTION.length)));
  const names: Record<string, string> = {
    unknown_game: "game",
    bad_players: "players",
    edition_not_supported: "edition",
    bad_position: "position",
  };
  return option?.[1] ?? lines.get(names[code] ?? "") ?? 0;
}

function errorAt(error: unknown, line: number): unknown {
  return error instanceof ServiceError && error.status ? new RecordError(error.code, line, error.message) : error;
}
