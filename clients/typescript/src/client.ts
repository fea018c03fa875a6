/** The client: the catalogue, the rules, and access to matches. */

import * as kinds from "./arguments.js";
import * as convert from "./converters.js";
import { newRequestId, PACK_SOURCES, type PackSource, type RuleSetLike, ruleSetMessage } from "./converters.js";
import type { Open } from "./errors.js";
import type { CreateMatchResponse } from "./gen/chitarrella/v1/matches_pb.js";
import { type Bot, Match } from "./match.js";
import type { FoundMatch, MatchSummary, Position } from "./responses.js";
import { Rules } from "./rules.js";
import type { RetryingTransport } from "./transport.js";
import type { Game, GameSummary } from "./types.js";
import { PlatformWatch, type PlatformWatching } from "./watch.js";
import { Webhooks } from "./webhooks.js";

/** The options of a new match; what is left out has the service's default. */
export interface MatchOptions {
  /** Who supplies packs and lots. Default: the service. */
  readonly packSource?: PackSource;
  /** Hidden from everybody without a key. */
  readonly private?: boolean;
  /** Seats played by bots, such as `{ 1: "greedy" }`. */
  readonly bots?: Readonly<Record<number, Open<Bot>>>;
  /** Seconds for each decision, and in the bank of each seat. */
  readonly clock?: { readonly moveSeconds?: number; readonly bankSeconds?: number };
  /** The match is deleted this many seconds after its last move. */
  readonly expiresAfterSeconds?: number;
  /** To repeat the call later; it must be unguessable. Default: a random one. */
  readonly requestId?: string;
  /** The platform's own id of the match. */
  readonly externalId?: string;
  /** The platform's own labels, such as `{ cup: "spring" }`; `Chitarrella.matches` finds the match by them. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The names of the players by seat. Everybody who may see the match sees them. */
  readonly playerNames?: Readonly<Record<number, string>>;
  /**
   * Makes the match a test, where the service allows tests: its clock stands still until `Match.advanceClock`, and the
   * same rule set and seed give the same deals. The seed "" shuffles by chance. Default: a real match.
   */
  readonly sandbox?: string;
}

/** What the matches of a list have in common; what is left out is not a condition. */
export interface MatchFilter {
  readonly externalId?: string;
  /** They have all of these labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** They have a player of exactly this name. */
  readonly playerName?: string;
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
  /** The webhooks of the platform of the API key. */
  readonly webhooks: Webhooks;

  readonly #transport: RetryingTransport;

  /** Use `connect`. */
  constructor(transport: RetryingTransport) {
    this.#transport = transport;
    this.rules = new Rules(transport);
    this.webhooks = new Webhooks(transport);
  }

  /** Iterates over the games in the order of their keys. */
  async *games(): AsyncGenerator<GameSummary, void, undefined> {
    let pageToken = "";
    do {
      const request = { pageToken };
      const page = await this.#transport.call((options) => this.#transport.catalogue.listGames(request, options));
      yield* page.games;
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /** Returns an edition of a game, 0 for the current one: its cards, options, moves, reasons, and the rule book. */
  async game(gameId: string, edition = 0): Promise<Game> {
    const request = { gameId, edition };
    return convert.game(await this.#transport.call((options) => this.#transport.catalogue.getGame(request, options)));
  }

  /** Creates a match; the result acts for the referee and has the `keys` of all seats. */
  async createMatch(ruleSet: RuleSetLike, matchOptions: CreateMatchOptions = {}): Promise<Match> {
    kinds.createMatchKind(matchOptions);
    const request = {
      ...matchOptionsMessage(matchOptions),
      ruleSet: ruleSetMessage(ruleSet),
      pack: [...(matchOptions.pack ?? [])],
      position: matchOptions.position?.text,
    };
    const settings = { requestId: request.requestId };
    return this.created(
      await this.#transport.call((options) => this.#transport.matches.createMatch(request, options), settings),
    );
  }

  /** Creates a match from a record, or from its first `moveCount` moves, to be viewed or continued. */
  async importMatch(record: string, matchOptions: MatchOptions & { readonly moveCount?: number } = {}): Promise<Match> {
    kinds.importMatchKind(matchOptions);
    const request = { ...matchOptionsMessage(matchOptions), record, moveCount: matchOptions.moveCount };
    const settings = { requestId: request.requestId };
    const response = await this.#transport.call(
      (options) => this.#transport.matches.importMatch(request, options),
      settings,
    );
    return this.created(response.created);
  }

  /** Iterates over the matches created by the platform of the API key, or those that fit a filter, the latest first. */
  async *matches(filter: MatchFilter = {}): AsyncGenerator<MatchSummary, void, undefined> {
    kinds.filterKind(filter);
    const { externalId, playerName } = filter;
    const labels = Object.entries(filter.labels ?? {}).map(([name, value]) => `${name}=${value}`);
    let pageToken = "";
    do {
      const request = { pageToken, externalId, labels, playerName };
      const page = await this.#transport.call((options) => this.#transport.matches.listMatches(request, options));
      yield* page.matches.map(convert.matchSummary);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /**
   * Returns the states of at most 100 matches, in the same order; each is found or has its error. A key counts at its
   * own match; at the others the caller is the public.
   */
  async getMatches(ids: readonly string[], key: string = this.#transport.key): Promise<readonly FoundMatch[]> {
    kinds.key(key);
    const request = { matchIds: [...ids] };
    const settings = { key };
    const response = await this.#transport.call(
      (options) => this.#transport.matches.batchGetMatches(request, options),
      settings,
    );
    return response.matches.map(convert.foundMatch);
  }

  /** Watches all matches of the platform of the API key from now on. It throws if updates may be missing. */
  watchMatches(watching: PlatformWatching = {}): PlatformWatch {
    return new PlatformWatch(this.#transport, watching);
  }

  /** Returns a match by its id and a key: a seat's, the referee's, or "" for the public. */
  match(id: string, key: string = this.#transport.key): Match {
    kinds.key(key);
    return new Match(this.#transport, { matchId: id, key });
  }

  /** Closes the connection and cancels the calls in flight. */
  close(): void {
    this.#transport.close();
  }

  private created(message?: CreateMatchResponse): Match {
    const { matchId = "", refereeKey = "", seatKeys = [] } = message ?? {};
    const keys = new Map(seatKeys.map(({ seat, key }) => [seat, key]));
    return new Match(this.#transport, { matchId, key: refereeKey }, keys);
  }
}

function matchOptionsMessage(matchOptions: MatchOptions) {
  const { packSource = "service", bots = {}, clock, expiresAfterSeconds, sandbox } = matchOptions;
  const { externalId, labels = {}, playerNames = {} } = matchOptions;
  return {
    packSource: PACK_SOURCES[packSource],
    private: matchOptions.private,
    bots: Object.entries(bots).map(([seat, bot]) => ({ seat: Number(seat), bot })),
    clock,
    expiresAfterSeconds,
    requestId: matchOptions.requestId || newRequestId(),
    externalId,
    labels: { ...labels },
    playerNames: Object.entries(playerNames).map(([seat, name]) => ({ seat: Number(seat), name })),
    sandbox: sandbox === undefined ? undefined : { seed: sandbox },
  };
}
