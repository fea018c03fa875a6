/** The service as the pages call it: the types of its JSON, the calls, and the calls that were made. */

import type * as responses from "../src/responses.js";
import type { TrickResult } from "../src/responses.js";
import type { Shuffles } from "../src/shuffles.js";
import type * as client from "../src/types.js";
import type { Game, GameSummary } from "../src/types.js";

export type { ChanceRequest, Position, TrickResult } from "../src/responses.js";
export type { Card, Game, GameSummary, MoveSpec, Option, Refusal, Zone } from "../src/types.js";

/** A value of the client without some fields, which JSON has otherwise. */
type But<T, K extends keyof T, With> = Omit<T, K> & Readonly<With>;

/** Amounts by person; 64-bit numbers are text in JSON. */
export type Share = But<client.Share, "amount", { amount: string | number }>;

export type Move = But<client.Move, "shares", { shares: readonly Share[] }>;

export type TableEvent = But<client.Event, "shares", { shares: readonly Share[] }>;

export interface Fact {
  readonly name: string;
  readonly seat?: number;
  readonly word?: string;
  readonly number?: number;
  readonly money?: string | number;
  readonly shares?: { readonly shares: readonly Share[] };
}

export type View = But<
  client.View,
  "waiting" | "facts" | "outcome",
  {
    waiting: `WAITING_${Uppercase<client.Waiting>}`;
    facts: readonly Fact[];
    outcome?: Pick<client.Outcome, "winners">;
    /** Every seat that has to move. */
    turns: readonly number[];
  }
>;

/** A seat of a match; its bank is a text such as "90s". */
interface MatchSeat extends Pick<responses.MatchSeat, "seat" | "playerName" | "present"> {
  readonly lastSeenTime?: string;
  readonly bot?: Pick<responses.BotSeat, "bot">;
  readonly bank?: string;
}

export interface Match
  extends Pick<responses.MatchDetails, "matchId" | "revision" | "sandbox" | "viewer" | "cursor">,
    Pick<responses.MatchDetails, "nextCommitment" | "awaitingSeedsFrom" | "takebackRequest"> {
  readonly ruleSet: Omit<client.RuleSet, "options"> & Partial<Pick<client.RuleSet, "options">>;
  readonly state: `MATCH_STATE_${Uppercase<responses.MatchState>}`;
  readonly seats: readonly MatchSeat[];
  readonly view: View;
  readonly deadline?: string;
}

export type LegalMoves = But<responses.MatchMoves, "moves", { moves: readonly Move[] }>;

export type MoveResult = Omit<responses.MatchMoveValidation, "verdict"> & {
  readonly accepted?: boolean;
  readonly events?: readonly TableEvent[];
};

/** Events of actions that are no move of the game. */
export const ACTIONS = new Set(
  [
    "contributed shuffle_requested timed_out bot_seated bot_left clock_advanced moves_lost joined resigned forfeited",
    "match_decided pause_requested clock_paused clock_resumed time_added",
    "takeback_requested takeback_agreed takeback_declined taken_back",
  ]
    .join(" ")
    .split(" "),
);

/** A message of the stream of a match; a heartbeat if it has no events. */
export type Update = Pick<responses.MatchUpdate, "revision" | "cursor"> & { readonly events: readonly TableEvent[] };

/** A move, and the clauses that it breaks or may break. */
export type ExplainedMove = But<
  client.ExplainedMove,
  "move" | "verdict",
  { move: Move; verdict: `VERDICT_${Uppercase<client.Verdict>}` }
>;

/** Explained moves, the index of the one that is suggested, and what it brings on average. */
interface Suggestion {
  readonly moves: readonly ExplainedMove[];
  readonly suggested?: number;
  readonly suggestedPoints?: number;
}

/** What is wrong with a question, and the path of the field at fault. */
export interface ItemError {
  readonly code: string;
  readonly message: string;
  readonly field: string;
}

/** An answer of a batch of questions about the rules; the one part that there is. */
export interface RulesAnswer {
  readonly startGame?: Pick<responses.GameStart, "position" | "chanceRequest">;
  readonly applyMoves?: AppliedMoves;
  readonly getView?: { readonly view: View };
  readonly error?: ItemError;
}

/** How many moves were made, what they led to, and why the next one was refused. */
export type AppliedMoves = But<
  responses.AppliedMoves,
  "view" | "events" | "penalties" | "points" | "legalMoves",
  { view: View; events: readonly TableEvent[] }
>;

export type CardScores = responses.CardScores;

/** The words of a table in one language, as `/words/GAME/LANGUAGE.json` has them. */
export interface TableWords {
  readonly facts: Readonly<Record<string, string>>;
  /** The facts that are true or absent. */
  readonly flags: readonly string[];
  /** The facts whose value is a seat. */
  readonly seats: readonly string[];
  /** Sentences with placeholders, by kind of event, or by kind and word. */
  readonly events: Readonly<Record<string, string>>;
  readonly parts: Readonly<Record<string, string>>;
  readonly words: Readonly<Record<string, string>>;
  /** What the values of options mean, by option and value. */
  readonly choices: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The options whose numbers are seats. */
  readonly seatOptions: readonly string[];
}

interface Keys {
  readonly seatKeys: readonly { readonly seat: number; readonly key: string }[];
  readonly refereeKey: string;
}

export interface CreatedMatch extends Keys {
  readonly matchId: string;
}

/** An error as JSON has it in a list of results. */
interface Status {
  readonly message: string;
  readonly details?: readonly { readonly reason?: string; readonly metadata?: { readonly field?: string } }[];
}

export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON; absent for GET. */
  readonly body?: string;
  /** The status of the answer; 0 where the call was lost. */
  readonly status: number;
  /** The body of the answer; empty for a stream. */
  readonly answer: string;
}

/** The languages of the programs, as a list shows them. */
export const PROGRAM_LANGUAGES = ["curl", "Python", "TypeScript", "Go"] as const;

export type ProgramLanguage = (typeof PROGRAM_LANGUAGES)[number];

/** A program that sends a request; its only secret is the key in the header `authorization`. */
export function programFor(exchange: Exchange, language: ProgramLanguage): string {
  return { curl, Python: python, TypeScript: typescript, Go: go }[language](exchange);
}

export function withoutKey(program: string): string {
  return program.replace(/(Bearer )[^'"]+/g, "$1KEY");
}

function curl({ method, url, headers, body }: Exchange): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const names = Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`);
  const parts = [`curl -sN -X ${method} ${quoted(url)}`, ...names, ...(body ? [`  -d ${quoted(body)}`] : [])];
  return parts.join(" \\\n");
}

// A JSON string is also a literal string of Python, of TypeScript and of Go.
const literal = (text: string) => JSON.stringify(text);

function python({ method, url, headers, body }: Exchange): string {
  const data = body ? `\n    data=${literal(body)}.encode(),` : "";
  return `from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    ${literal(url)},
    method=${literal(method)},
    headers=${JSON.stringify(headers)},${data}
)
try:
    answer = urlopen(request)
except HTTPError as error:
    answer = error
print(answer.status)
for line in answer:
    print(line.decode(), end="")`;
}

function typescript({ method, url, headers, body }: Exchange): string {
  const content = body ? `\n  body: ${literal(body)},` : "";
  return `const answer = await fetch(${literal(url)}, {
  method: ${literal(method)},
  headers: ${JSON.stringify(headers)},${content}
});
console.log(answer.status);
for await (const part of answer.body) {
  process.stdout.write(part);
}`;
}

function go({ method, url, headers, body }: Exchange): string {
  const names = Object.entries(headers).map(
    ([name, value]) => `\trequest.Header.Set(${literal(name)}, ${literal(value)})`,
  );
  return `package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	request, err := http.NewRequest(${literal(method)}, ${literal(url)}, strings.NewReader(${literal(body ?? "")}))
	if err != nil {
		log.Fatal(err)
	}
${names.join("\n")}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	log.Print(answer.Status)
	io.Copy(os.Stdout, answer.Body)
}`;
}

const ATTEMPTS = 4;
const PAUSE_MS = 400;
const SILENCE_MS = 60_000;
/** After so long a call without an answer counts as lost. */
const ANSWER_MS = 12_000;

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
    return this.created("/v1/matches", { ruleSet, ...more });
  }

  importMatch(record: string, moveCount: number, expireAfter: string): Promise<CreatedMatch> {
    return this.created("/v1/matches:import", { record, moveCount, expireAfter });
  }

  private async created(path: string, body: object): Promise<CreatedMatch> {
    const request = { ...body, requestId: randomId() };
    const { match, ...keys } = await this.call<Keys & { match: Match }>(path, request);
    return { ...keys, matchId: match.matchId };
  }

  /** The record of a match, for the referee at any time. */
  async record(id: string): Promise<string> {
    const { record } = await this.call<{ record: string }>(`${at(id)}/record`);
    return record;
  }

  /** All updates of a match from a page on. */
  async events(id: string, pageToken = ""): Promise<readonly Update[]> {
    const path = `${at(id)}/events?pageSize=1000&pageToken=${encodeURIComponent(pageToken)}${this.query("&")}`;
    const { updates, nextPageToken } = await this.call<{ updates: Update[]; nextPageToken: string }>(path);
    return nextPageToken ? [...updates, ...(await this.events(id, nextPageToken))] : updates;
  }

  /** Asks many questions about the rules; those about a position may take that of an earlier answer. */
  async batch(questions: readonly object[]): Promise<readonly RulesAnswer[]> {
    type Sent = Omit<RulesAnswer, "error"> & { readonly error?: Status };
    const { answers } = await this.call<{ answers: readonly Sent[] }>("/v1/rules:batch", { questions });
    return answers.map(({ error, ...answer }) => (error ? { error: itemError(error) } : answer));
  }

  /** Asks to take the last decision back, or answers such a request. */
  takeBack(id: string, seat: number | undefined, decline: boolean, expectedRevision?: number): Promise<unknown> {
    return this.call(`${at(id)}:takeBack`, { seat, decline, expectedRevision, requestId: randomId() });
  }

  /** Gives up, for the seat of the key. */
  resign(id: string): Promise<unknown> {
    return this.call(`${at(id)}:resign`, {});
  }

  /** Ends a match, which its referee may do, and says who has won. */
  decide(id: string, winners: readonly number[], reason: string): Promise<unknown> {
    return this.call(`${at(id)}:decide`, { winners, reason });
  }

  /** Gives a seat to a bot, which moves so many milliseconds after the last decision at the earliest. */
  assignBot(match: string, seat: number, bot: string, delay = 0): Promise<unknown> {
    return this.call(`${at(match)}:assignBot`, { seat, bot, delay: `${delay / 1000}s` });
  }

  join(match: string, playerName: string): Promise<unknown> {
    return this.call(`${at(match)}:join`, { playerName });
  }

  /** Every move of the seat, explained, and which of them a bot would make. */
  suggest(id: string): Promise<Suggestion> {
    return this.call(`${at(id)}/hand?suggest=true${this.query("&")}`);
  }

  match(id: string): Promise<Match> {
    return this.call(at(id) + this.query("?"));
  }

  legalMoves(id: string): Promise<LegalMoves> {
    return this.call(`${at(id)}/legalMoves${this.query("?")}`);
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

  scoreCards(question: object): Promise<CardScores> {
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
    return this.call(`${at(id)}:advanceClock`, { duration: `${seconds}s`, requestId: randomId() });
  }

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
    request.signal = signal ?? AbortSignal.timeout(ANSWER_MS);
    if (body) {
      headers["content-type"] = "application/json";
      Object.assign(request, { method: "POST", body: JSON.stringify(body) });
    }
    const answer = await fetch(this.url(path), request);
    void this.report(path, request, headers, answer);
    if (!answer.ok && !(answer.status === 422 && !isProblem(answer))) {
      throw await problem(answer, this.language);
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

function itemError({ message, details = [] }: Status): ItemError {
  const { reason = "", metadata } = details.find((one) => one.reason) ?? {};
  return { code: reason, message, field: metadata?.field ?? "" };
}

function isProblem(answer: Response): boolean {
  return (answer.headers.get("content-type") ?? "").startsWith("application/problem+json");
}

/** The error that an answer is: in English what is wrong in detail, else the title, which the service translates. */
async function problem(answer: Response, language: string): Promise<ServiceError> {
  const { code = "", detail = "", title = "" } = await answer.json().catch(() => ({}));
  return new ServiceError(answer.status, code, (language === "en" && detail) || title || answer.statusText);
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
