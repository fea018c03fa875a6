/** The client: the catalogue, the rules, and access to matches. */

import * as convert from "./converters.js";
import type { Comparison, Game, GameSummary } from "./games.js";
import type { CreateMatchResponse } from "./gen/chitarrella/v1/matches_pb.js";
import { Match } from "./match.js";
import { newRequestId, PACK_SOURCES, type PackSource, type RuleSetLike, ruleSetMessage } from "./requests.js";
import type { MatchSummary, Position } from "./responses.js";
import { Rules } from "./rules.js";
import type { RetryingTransport } from "./transport.js";

/** The options of a new match; what is left out has the service's default. */
export interface MatchOptions {
  /** Who supplies packs and lots. Default: the service. */
  readonly packSource?: PackSource;
  /** Hidden from everybody without a key. */
  readonly private?: boolean;
  /** Seats played by bots, such as `{ 1: "greedy" }`. */
  readonly bots?: Readonly<Record<number, string>>;
  /** Seconds for each decision, and in the bank of each seat. */
  readonly clock?: { readonly moveSeconds?: number; readonly bankSeconds?: number };
  /** The match is deleted this many seconds after its last move. */
  readonly expiresAfterSeconds?: number;
  /** To repeat the call later; it must be unguessable. Default: a random one. */
  readonly requestId?: string;
}

/** The options of a new match that is not imported. */
export interface CreateMatchOptions extends MatchOptions {
  /** The pack of the first deal, first card first. */
  readonly pack?: readonly string[];
  /** The position to start from. */
  readonly position?: Position;
}

/** A client of the service, returned by `connect`. Lost calls are retried, which is safe for every call. */
export class Chitarrella {
  /** Stateless questions about positions and cards. */
  readonly rules: Rules;

  /** Use `connect`. */
  constructor(private readonly transport: RetryingTransport) {
    this.rules = new Rules(transport);
  }

  /** Iterates over the games in the order of their keys. */
  async *games(): AsyncGenerator<GameSummary, void, undefined> {
    let pageToken = "";
    do {
      const request = { pageToken };
      const page = await this.transport.call((options) => this.transport.catalogue.listGames(request, options));
      yield* page.games;
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /** Returns an edition of a game, 0 for the current one: pack, options, moves, reasons, and the rule book. */
  async game(gameId: string, edition = 0): Promise<Game> {
    const request = { gameId, edition };
    return convert.game(await this.transport.call((options) => this.transport.catalogue.getGame(request, options)));
  }

  /** Lists the differences between two games, or two rule sets of one game. */
  async compare(first: RuleSetLike, second: RuleSetLike): Promise<Comparison> {
    const request = { first: ruleSetMessage(first), second: ruleSetMessage(second) };
    return convert.comparison(
      await this.transport.call((options) => this.transport.catalogue.compareGames(request, options)),
    );
  }

  /** Creates a match; the result acts for the referee and has the `keys` of all seats. */
  async createMatch(ruleSet: RuleSetLike, matchOptions: CreateMatchOptions = {}): Promise<Match> {
    const request = {
      ...matchOptionsMessage(matchOptions),
      ruleSet: ruleSetMessage(ruleSet),
      pack: [...(matchOptions.pack ?? [])],
      position: matchOptions.position?.text,
    };
    const settings = { requestId: request.requestId };
    return this.created(
      await this.transport.call((options) => this.transport.matches.createMatch(request, options), settings),
    );
  }

  /** Creates a match from a record, or from its first `moveCount` moves, to be viewed or continued. */
  async importMatch(record: string, matchOptions: MatchOptions & { readonly moveCount?: number } = {}): Promise<Match> {
    const request = { ...matchOptionsMessage(matchOptions), record, moveCount: matchOptions.moveCount };
    const settings = { requestId: request.requestId };
    const response = await this.transport.call(
      (options) => this.transport.matches.importMatch(request, options),
      settings,
    );
    return this.created(response.created);
  }

  /** Iterates over the matches created by the platform of the API key, the latest first. */
  async *matches(): AsyncGenerator<MatchSummary, void, undefined> {
    let pageToken = "";
    do {
      const request = { pageToken };
      const page = await this.transport.call((options) => this.transport.matches.listMatches(request, options));
      yield* page.matches.map(convert.matchSummary);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /** Returns a match by its id and a key: a seat's, the referee's, or "" for the public. */
  match(id: string, key: string = this.transport.settings.key ?? ""): Match {
    return new Match(this.transport, { matchId: id, key });
  }

  /** Closes the connection and cancels the calls in flight. */
  close(): void {
    this.transport.close();
  }

  private created(message?: CreateMatchResponse): Match {
    const { matchId = "", refereeKey = "", seatKeys = [] } = message ?? {};
    const keys = new Map(seatKeys.map(({ seat, key }) => [seat, key]));
    return new Match(this.transport, { matchId, key: refereeKey }, keys);
  }
}

function matchOptionsMessage(matchOptions: MatchOptions) {
  const { packSource = "service", bots = {}, clock, expiresAfterSeconds } = matchOptions;
  return {
    packSource: PACK_SOURCES[packSource],
    private: matchOptions.private,
    bots: Object.entries(bots).map(([seat, bot]) => ({ seat: Number(seat), bot })),
    clock,
    expiresAfterSeconds,
    requestId: matchOptions.requestId || newRequestId(),
  };
}
