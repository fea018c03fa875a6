/** The client: the catalogue, the rules, and the door to matches. */

import type { MatchSummary, Position } from "./answers.js";
import type { Comparison, Game, GameSummary } from "./catalogue.js";
import type { CreateMatchResponse } from "./gen/chitarrella/v1/matches_pb.js";
import type { Line } from "./line.js";
import { Match } from "./match.js";
import * as reading from "./reading.js";
import { type Agreed, agreementMessage, newRequestId, PACK_SOURCES, type Packs } from "./requests.js";
import { Rules } from "./rules.js";

/** How a match is opened; whatever is left out is as the service has it. */
export interface Opening {
  /** Who deals; the service if nothing is said. "shared" packs are dealt when every seat has said `contribute`. */
  readonly packs?: Packs;
  /** Nobody without a key may look. */
  readonly private?: boolean;
  /** Seats that bots play, such as `{ 1: "greedy" }`. */
  readonly bots?: Readonly<Record<number, string>>;
  /** Seconds that a decision may take, and that each seat has in its bank beside that. */
  readonly clock?: { readonly moveSeconds?: number; readonly bankSeconds?: number };
  /** The match is forgotten so many seconds after its last move. */
  readonly expiresAfterSeconds?: number;
  /** For who wants to repeat the call later: one that nobody guesses. Left out, one is made. */
  readonly requestId?: string;
}

/** How a new match is begun. */
export interface Beginning extends Opening {
  /** The pack of the first deal, first card first. */
  readonly pack?: readonly string[];
  /** The position to begin from. */
  readonly position?: Position;
}

/** A client of the service. Made by `connect`; lost calls are repeated by themselves, which is safe for every call. */
export class Chitarrella {
  /** Questions about positions and cards. */
  readonly rules: Rules;

  /** Speaks over `line`; use `connect`. */
  constructor(private readonly line: Line) {
    this.rules = new Rules(line);
  }

  /** Goes through the games in the order of their keys. */
  async *games(): AsyncGenerator<GameSummary, void, undefined> {
    let pageToken = "";
    do {
      const request = { pageToken };
      const page = await this.line.ask((options) => this.line.catalogue.listGames(request, options));
      yield* page.games;
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /** Describes a game: pack, options, moves, reasons, and the rule book, of the current or another edition. */
  async game(key: string, edition = 0): Promise<Game> {
    const request = { game: key, edition };
    return reading.game(await this.line.ask((options) => this.line.catalogue.getGame(request, options)));
  }

  /** Tells two games, or two agreements on one, apart. */
  async compare(first: Agreed, second: Agreed): Promise<Comparison> {
    const request = { first: agreementMessage(first), second: agreementMessage(second) };
    return reading.comparison(await this.line.ask((options) => this.line.catalogue.compareGames(request, options)));
  }

  /** Opens a match; what comes back is bound to the referee's key and has the `keys` of all seats. */
  async createMatch(agreed: Agreed, beginning: Beginning = {}): Promise<Match> {
    const opening = openingMessage(beginning);
    const request = {
      ...opening,
      agreement: agreementMessage(agreed),
      pack: [...(beginning.pack ?? [])],
      position: beginning.position?.line,
    };
    const asking = { requestId: opening.requestId };
    return this.opened(await this.line.ask((options) => this.line.matches.createMatch(request, options), asking));
  }

  /** Opens a match from a record, or from the first `moves` of it, to look at it or to play on from there. */
  async importMatch(record: string, opening: Opening & { readonly moves?: number } = {}): Promise<Match> {
    const request = { ...openingMessage(opening), record, moves: opening.moves };
    const asking = { requestId: request.requestId };
    const answer = await this.line.ask((options) => this.line.matches.importMatch(request, options), asking);
    return this.opened(answer.opened);
  }

  /** Goes through the matches that the platform of the API key has opened, the latest first. */
  async *matches(): AsyncGenerator<MatchSummary, void, undefined> {
    let pageToken = "";
    do {
      const request = { pageToken };
      const page = await this.line.ask((options) => this.line.matches.listMatches(request, options));
      yield* page.matches.map(reading.matchSummary);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /** Binds to a match by its name and a key: a seat's, the referee's, or "" for the public's eyes. */
  match(id: string, key: string = this.line.settings.key ?? ""): Match {
    return new Match(this.line, { match: id, key });
  }

  /** Hangs up; whatever is under way ends. */
  close(): void {
    this.line.close();
  }

  private opened(said?: CreateMatchResponse): Match {
    const { match = "", refereeKey = "", seatKeys = [] } = said ?? {};
    return new Match(this.line, { match, key: refereeKey }, new Map(seatKeys.map(({ seat, key }) => [seat, key])));
  }
}

function openingMessage(opening: Opening) {
  const { packs = "service", bots = {}, clock, expiresAfterSeconds } = opening;
  return {
    packSource: PACK_SOURCES[packs],
    private: opening.private,
    bots: Object.entries(bots).map(([seat, bot]) => ({ seat: Number(seat), bot })),
    clock,
    expiresAfterSeconds,
    requestId: opening.requestId || newRequestId(),
  };
}
