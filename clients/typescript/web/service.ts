/** Calls of the REST API, and the stream of a match as lines of JSON. A key is sent in a header, never in a URL. */

import type { Shuffles } from "../src/shuffles.js";
import type {
  CreatedMatch,
  ExplainedMove,
  Game,
  GameSummary,
  LegalMoves,
  Match,
  Move,
  MoveResult,
  RulesAnswer,
  Scores,
  TableWords,
  TrickResult,
  Update,
} from "./contract.js";
import type { Exchange } from "./exchanges.js";

const ATTEMPTS = 4;
const PAUSE_MS = 400;
const SILENCE_MS = 60_000;

/** An error of the service, with its reason code; `status` is 0 for a lost call. */
export class ServiceError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Waits for some milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A random id in hexadecimal digits, also where the page has no secure context. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The service at one address, in one language, for the holder of one key; an empty key is the public. */
export class Service {
  constructor(
    readonly base: string,
    readonly language: string,
    readonly key = "",
    /** For the referee: the seat whose view is read. */
    readonly seat?: number,
    private readonly onExchange?: (exchange: Exchange) => void,
  ) {}

  /** The address of a path, such as "/docs/rules/GAME#CLAUSE", below that of the service. */
  url(path: string): string {
    return this.base.replace(/\/$/, "") + path;
  }

  /** The page of a clause in the language of the reader. */
  page(path: string): string {
    const [page, anchor = ""] = path.split("#");
    return this.url(`${page}?language=${this.language}#${anchor}`);
  }

  async games(): Promise<readonly GameSummary[]> {
    const { games } = await this.call<{ games: readonly GameSummary[] }>("/v1/games?pageSize=100");
    return games;
  }

  game(id: string, edition = 0): Promise<Game> {
    return this.call(`/v1/games/${encodeURIComponent(id)}${edition ? `?edition=${edition}` : ""}`);
  }

  /** The names of facts and the sentences of events at a table of a game. */
  tableWords(game: string): Promise<TableWords> {
    return this.call(`/words/${encodeURIComponent(game)}/${this.language}.json`);
  }

  /** Creates a match; `more` are further fields of the request. */
  createMatch(ruleSet: object, more: object = {}): Promise<CreatedMatch> {
    return this.call("/v1/matches", { ruleSet, ...more, requestId: randomId() });
  }

  /** Creates a match from the first moves of a record. */
  async importMatch(record: string, moveCount: number, expiresAfterSeconds: number): Promise<CreatedMatch> {
    const body = { record, moveCount, expiresAfterSeconds, requestId: randomId() };
    const { created } = await this.call<{ created: CreatedMatch }>("/v1/matches:import", body);
    return created;
  }

  /** The record of a match, for the referee at any time. */
  async record(id: string): Promise<string> {
    const { record } = await this.call<{ record: string }>(`${at(id)}/record`);
    return record;
  }

  /** All updates of a match after a cursor, in pages. */
  async events(id: string, cursor: string): Promise<readonly Update[]> {
    const path = `${at(id)}/events?pageSize=1000&cursor=${encodeURIComponent(cursor)}`;
    const page = await this.call<{ moves: readonly Update[]; cursor: string; hasMore: boolean }>(path);
    return page.hasMore ? [...page.moves, ...(await this.events(id, page.cursor))] : page.moves;
  }

  /** Asks many questions about the rules; those about a position may take that of an earlier answer. */
  async batch(questions: readonly object[]): Promise<readonly RulesAnswer[]> {
    const { answers } = await this.call<{ answers: readonly RulesAnswer[] }>("/v1/rules:batch", { questions });
    return answers;
  }

  /** Asks to take the last decision back, or answers such a request. */
  takeBack(id: string, seat: number | undefined, decline: boolean, expectedRevision?: number): Promise<unknown> {
    return this.call(`${at(id)}:takeBack`, { seat, decline, expectedRevision, requestId: randomId() });
  }

  assignBot(match: string, seat: number, bot: string): Promise<unknown> {
    return this.call(`${at(match)}:assignBot`, { seat, bot });
  }

  match(id: string): Promise<Match> {
    return this.call(at(id) + this.query("?"));
  }

  legalMoves(id: string): Promise<LegalMoves> {
    return this.call(`${at(id)}/moves${this.query("?")}`);
  }

  validateMove(id: string, seat: number | undefined, move: Partial<Move>): Promise<MoveResult> {
    return this.call(`${at(id)}:validateMove`, { seat, move });
  }

  /** Plays a move at one revision. A refusal is a result. */
  play(id: string, seat: number | undefined, move: Move, expectedRevision: number): Promise<MoveResult> {
    return this.call(`${at(id)}/moves`, { seat, move, expectedRevision, requestId: randomId() });
  }

  /** Supplies a pack or a lot, as the referee, where the match waits for it. */
  supply(id: string, move: Move): Promise<MoveResult> {
    return this.call(`${at(id)}/moves`, { move, requestId: randomId() });
  }

  /** Every move of the only hand of a partial position, explained. */
  explainHand(partialPosition: object): Promise<{ readonly moves: readonly ExplainedMove[] }> {
    return this.call("/v1/rules:explainHand", { partialPosition });
  }

  resolveTrick(question: object): Promise<TrickResult> {
    return this.call("/v1/rules:resolveTrick", question);
  }

  scoreCards(question: object): Promise<{ readonly scores: Scores }> {
    return this.call("/v1/rules:scoreCards", question);
  }

  contributeSeed(id: string, seat: number | undefined, clientSeed: string): Promise<unknown> {
    return this.call(`${at(id)}:contributeSeed`, { seat, clientSeed, requestId: randomId() });
  }

  /** Plays for the seat to move if its time is over. */
  enforceClock(id: string): Promise<unknown> {
    return this.call(`${at(id)}:enforceClock`, {});
  }

  /** Moves the time of a test forward; its time then, and whether a deadline has passed. */
  advanceClock(id: string, seconds: number): Promise<{ readonly time: string; readonly timedOut: boolean }> {
    return this.call(`${at(id)}:advanceClock`, { seconds, requestId: randomId() });
  }

  /** The shuffles of a match with their proofs. */
  shuffles(id: string): Promise<Shuffles> {
    return this.call(`${at(id)}/shuffles`);
  }

  /** Reads the stream of a match from a cursor until it ends; a long silence counts as a cut. */
  async *watch(id: string, cursor: string, stop: AbortSignal): AsyncGenerator<Update> {
    const cut = new AbortController();
    const end = () => cut.abort();
    stop.addEventListener("abort", end);
    let silence = setTimeout(end, SILENCE_MS);
    try {
      const path = `${at(id)}:watch?cursor=${encodeURIComponent(cursor)}${this.query("&")}`;
      const answer = await this.send(path, undefined, "application/x-ndjson", cut.signal);
      for await (const line of lines(answer)) {
        clearTimeout(silence);
        silence = setTimeout(end, SILENCE_MS);
        yield messageOf(line);
      }
    } finally {
      clearTimeout(silence);
      stop.removeEventListener("abort", end);
      cut.abort();
    }
  }

  /** Calls the service, again after a lost call: a request with a body has a request id, or is idempotent. */
  private async call<T>(path: string, body?: object): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.send(path, body);
        return (await answer.json()) as T;
      } catch (error) {
        const known = error instanceof ServiceError ? error : new ServiceError(0, "unavailable", String(error));
        if ((known.status !== 0 && known.status !== 503) || attempt === ATTEMPTS) {
          throw known;
        }
        await pause(PAUSE_MS * 2 ** attempt);
      }
    }
  }

  private async send(path: string, body?: object, accept = "application/json", signal?: AbortSignal) {
    const headers: Record<string, string> = { accept, "accept-language": this.language };
    if (this.key) {
      headers["authorization"] = `Bearer ${this.key}`;
    }
    const request: RequestInit = { headers, credentials: "omit", referrerPolicy: "no-referrer", cache: "no-cache" };
    if (signal) {
      request.signal = signal;
    }
    if (body) {
      headers["content-type"] = "application/json";
      Object.assign(request, { method: "POST", body: JSON.stringify(body) });
    }
    const answer = await fetch(this.url(path), request);
    void this.report(path, request, headers, answer);
    if (!answer.ok && !(answer.status === 422 && !isProblem(answer))) {
      throw await problem(answer);
    }
    return answer;
  }

  /** The seat of the referee's view as a part of a query. */
  private query(before: string): string {
    return this.seat === undefined ? "" : `${before}seat=${this.seat}`;
  }

  /** Reports a request to who listens; the answer of a stream is left out. */
  private async report(path: string, request: RequestInit, headers: Record<string, string>, answer: Response) {
    if (this.onExchange) {
      const { method = "GET", body } = request;
      const isStream = headers["accept"] !== "application/json";
      const text = isStream ? "" : await answer.clone().text();
      const sent = typeof body === "string" ? { body } : {};
      this.onExchange({ method, url: this.url(path), headers, ...sent, status: answer.status, answer: text });
    }
  }
}

function at(match: string): string {
  return `/v1/matches/${encodeURIComponent(match)}`;
}

function isProblem(answer: Response): boolean {
  return (answer.headers.get("content-type") ?? "").startsWith("application/problem+json");
}

async function problem(answer: Response): Promise<ServiceError> {
  const { code = "", detail = "", title = "" } = await answer.json().catch(() => ({}));
  return new ServiceError(answer.status, code, detail || title || answer.statusText);
}

function messageOf(line: string): Update {
  const { error, ...message } = JSON.parse(line);
  if (error) {
    throw new ServiceError(error.status, error.code, error.detail || error.title);
  }
  return message;
}

async function* lines(answer: Response): AsyncGenerator<string> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    rest += decoder.decode(value, { stream: true });
    const whole = rest.split("\n");
    rest = whole.pop() ?? "";
    yield* whole.filter((line) => line.trim());
  }
}
