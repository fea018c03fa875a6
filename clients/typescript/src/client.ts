/** The client: the catalogue, the rules, and access to matches. */

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as kinds from "./arguments.js";
import { duration, newRequestId, numberOf, type PackSource, type RuleSetLike, ruleSetMessage } from "./converters.js";
import { ChitarrellaError, type Open } from "./errors.js";
import { CatalogueService } from "./gen/chitarrella/v1/catalogue_pb.js";
import * as pb from "./gen/chitarrella/v1/match_pb.js";
import type { CreatedMatch } from "./gen/chitarrella/v1/match_requests_pb.js";
import { MatchService } from "./gen/chitarrella/v1/matches_pb.js";
import { attachedMessage, type Bot, Match, type MatchChanges } from "./match.js";
import type { Plain } from "./plain.js";
import type { BotSeat, Clock, MatchDetails, MatchResult, MatchState, Position, Restriction } from "./responses.js";
import { Rules } from "./rules.js";
import type { RetryingTransport } from "./transport.js";
import type { Game, GameSummary } from "./types.js";
import { PlatformWatch, type PlatformWatching } from "./watch.js";
import { Webhooks } from "./webhooks.js";

/** The options of a new match; what is left out has the service's default. */
export interface MatchOptions extends MatchChanges {
  /** Who supplies packs and lots. Default: the service. */
  readonly packSource?: PackSource;
  /** Hidden from everybody without a key. */
  readonly private?: boolean;
  /** Seats played by bots, such as `{ 1: "greedy" }` or `[{ seat: 1, bot: "greedy", delay: 1 }]`. */
  readonly bots?: Readonly<Record<number, Open<Bot>>> | readonly BotSeat[];
  /** The time of the seats. Default: no limit. */
  readonly clock?: Clock;
  /** To repeat the call later; it must be unguessable. Default: a random one. */
  readonly requestId?: string;
  /** What is not allowed. */
  readonly restrictions?: readonly Restriction[];
  /**
   * Makes the match a test, where the service allows tests: its clock stands still until `Match.advanceClock`, and the
   * same rule set and seed give the same deals. The seed "" shuffles by chance. Default: a real match.
   */
  readonly sandbox?: string;
}

/** What the matches of a list have in common, and their order; what is left out is not a condition. */
export interface MatchFilter {
  readonly externalId?: string;
  /** They have all of these labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** They have a player of exactly this name. */
  readonly playerName?: string;
  readonly state?: MatchState;
  readonly gameId?: string;
  /** They were created at this time or later. */
  readonly createdAfter?: Date;
  /** They ended at this time or later. */
  readonly endedAfter?: Date;
  /** A player of exactly this name has won them. */
  readonly winnerName?: string;
  /** The earliest first. Default: the latest. */
  readonly ascending?: boolean;
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
    for await (const { games } of this.#transport.pages(CatalogueService.method.listGames, {})) {
      yield* games;
    }
  }

  /**
   * Returns a game: its cards, options, moves, reasons, and the rule book. What depends on them is that of the edition,
   * the players and the options of a rule set; of the key of a game, that of the current one, the most players, and none.
   */
  async game(ruleSet: RuleSetLike): Promise<Game> {
    const { gameId, players, options = {}, edition } = ruleSetMessage(ruleSet);
    const chosen = Object.entries(options).map(([name, value]) => `${name}=${value}`);
    const request = { gameId, players, options: chosen, edition };
    return this.#transport.call(CatalogueService.method.getGame, request);
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
    return this.created(await this.#transport.call(MatchService.method.createMatch, request));
  }

  /** Creates a match from a record, or from its first `moveCount` moves, to be viewed or continued. */
  async importMatch(record: string, matchOptions: MatchOptions & { readonly moveCount?: number } = {}): Promise<Match> {
    kinds.importMatchKind(matchOptions);
    const request = { ...matchOptionsMessage(matchOptions), record, moveCount: matchOptions.moveCount };
    return this.created(await this.#transport.call(MatchService.method.importMatch, request));
  }

  /** Iterates over the matches created by the platform of the API key, or those that fit a filter, the latest first. */
  async *matches(filter: MatchFilter = {}): AsyncGenerator<MatchDetails, void, undefined> {
    kinds.filterKind(filter);
    const request = {
      ...filter,
      labels: Object.entries(filter.labels ?? {}).map(([name, value]) => `${name}=${value}`),
      state: numberOf(pb.MatchState, filter.state ?? "unspecified"),
      createdAfter: filter.createdAfter && timestampFromDate(filter.createdAfter),
      endedAfter: filter.endedAfter && timestampFromDate(filter.endedAfter),
    };
    for await (const { matches } of this.#transport.pages(MatchService.method.listMatches, request)) {
      yield* matches;
    }
  }

  /**
   * Returns the states of at most 100 matches, in the same order; each is found or has its error. A key counts at its
   * own match; at the others the caller is the public.
   */
  async getMatches(ids: readonly string[], key: string = this.#transport.key): Promise<readonly MatchResult[]> {
    kinds.key(key);
    const request = { matchIds: [...ids] };
    const { results } = await this.#transport.call(MatchService.method.batchGetMatches, request, { key });
    return results.map(({ outcome }) =>
      outcome instanceof ChitarrellaError ? { error: outcome } : { match: outcome },
    );
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

  private created({ match, refereeKey, seatKeys, spectatorKey }: Plain<CreatedMatch>): Match {
    const keys = new Map(seatKeys.map(({ seat, key }) => [seat, key]));
    return new Match(this.#transport, { matchId: match.matchId, key: refereeKey }, keys, spectatorKey);
  }
}

function matchOptionsMessage(matchOptions: MatchOptions) {
  const { packSource = "service", bots = {}, clock, restrictions = [], sandbox } = matchOptions;
  return {
    ...attachedMessage(matchOptions),
    packSource: numberOf(pb.PackSource, packSource),
    private: matchOptions.private,
    bots: Object.entries(bots).map(([seat, bot]) =>
      typeof bot === "string"
        ? { seat: Number(seat), bot }
        : { ...bot, thinkTime: duration(bot.thinkTime, "bots.thinkTime"), delay: duration(bot.delay, "bots.delay") },
    ),
    clock: clock && {
      moveTime: duration(clock.moveTime, "clock.moveTime"),
      bank: duration(clock.bank, "clock.bank"),
      increment: duration(clock.increment, "clock.increment"),
      startsWhenJoined: clock.startsWhenJoined,
    },
    requestId: matchOptions.requestId || newRequestId(),
    restrictions: restrictions.map((one) => numberOf(pb.Restriction, one)),
    sandbox: sandbox === undefined ? undefined : { seed: sandbox },
  };
}
