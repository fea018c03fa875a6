/** A match stored by the service, seen and played with one key. */

import * as kinds from "./arguments.js";
import * as convert from "./converters.js";
import { type MoveLike, moveMessage, newRequestId, type SeatAccess } from "./converters.js";
import { type Open, Refused } from "./errors.js";
import type * as responses from "./responses.js";
import { type SeedResult, type Shuffles, seedResult, shuffles } from "./shuffles.js";
import type { RetryingTransport } from "./transport.js";
import { Watch, type Watching } from "./watch.js";

/** The option of a call that can be repeated. */
export interface Repeating {
  /** To repeat the call later or from another process. Default: a random one. */
  readonly requestId?: string;
}

/** The options of a writing call. */
export interface Writing extends Repeating {
  /** Precondition: the match has this revision; otherwise `StaleRevision` is thrown. */
  readonly expectedRevision?: number;
}

/** The options of a move. */
export interface Playing extends Writing {
  /** Request the view after the move. */
  readonly includeView?: boolean;
}

/** The options of a takeback. */
export interface TakingBack extends Writing {
  /** Decline the request of another seat, or withdraw one's own. */
  readonly decline?: boolean;
}

/** The bots of the service. */
export type Bot = "random" | "greedy" | "search";

/**
 * A match. The key identifies the caller: a seat, the referee, or, if empty, the public. Printed, it has no keys.
 */
export class Match {
  /** The id of the match. */
  readonly id: string;
  /** The seat set by `asSeat`. */
  readonly seat: number | undefined;
  readonly #transport: RetryingTransport;
  readonly #access: SeatAccess;
  readonly #keys: ReadonlyMap<number, string>;

  /** Created by the client. */
  constructor(transport: RetryingTransport, access: SeatAccess, keys: ReadonlyMap<number, string> = new Map()) {
    this.id = access.matchId;
    this.seat = access.seat;
    this.#transport = transport;
    this.#access = access;
    this.#keys = keys;
  }

  /** The key in use; for a match just created, the referee's. */
  get key(): string {
    return this.#access.key;
  }

  /** The keys of the seats, if this client created the match. A key is the only proof of a seat. */
  get keys(): ReadonlyMap<number, string> {
    return this.#keys;
  }

  /** Acts for a seat: with the seat's own key if known, else with the referee's. */
  asSeat(seat: number): Match {
    return new Match(this.#transport, { matchId: this.id, key: this.keys.get(seat) ?? this.key, seat }, this.keys);
  }

  /** Returns the current state of the match. */
  async get(): Promise<responses.MatchState> {
    return convert.matchState(
      await this.#transport.call((options) => this.#transport.matches.getMatch(this.target, options), this),
    );
  }

  /** Lists the legal moves of the seat; for the referee, those of the seat to move. */
  async legalMoves(): Promise<responses.MatchMoves> {
    const response = await this.#transport.call(
      (options) => this.#transport.matches.listMatchMoves(this.target, options),
      this,
    );
    return convert.matchMoves(response);
  }

  /** Explains every card of the seat: legal, or the clauses that forbid it. */
  async explainHand(): Promise<responses.MatchHand> {
    const response = await this.#transport.call(
      (options) => this.#transport.matches.explainMatchHand(this.target, options),
      this,
    );
    return convert.matchHand(response);
  }

  /** Validates a move without playing it. A refusal is a result, not an error. */
  async validateMove(move: MoveLike): Promise<responses.MatchMoveValidation> {
    const request = { ...this.target, move: moveMessage(move) };
    return convert.matchMoveValidation(
      await this.#transport.call((options) => this.#transport.matches.validateMatchMove(request, options), this),
    );
  }

  /** Plays a move. A refusal is a result, not an error: `accepted` is false; see `playOrThrow`. */
  async play(move: MoveLike, playing: Playing = {}): Promise<responses.MoveResult> {
    kinds.playingKind(playing);
    const requestId = playing.requestId || newRequestId();
    const { expectedRevision, includeView } = playing;
    const request = { ...this.target, move: moveMessage(move), expectedRevision, includeView, requestId };
    const settings = { key: this.key, requestId };
    return convert.moveResult(
      await this.#transport.call((options) => this.#transport.matches.playMove(request, options), settings),
    );
  }

  /** Plays a move like `play`, but throws `Refused` if it is refused. */
  async playOrThrow(move: MoveLike, playing: Playing = {}): Promise<responses.MoveResult> {
    const result = await this.play(move, playing);
    if (!result.accepted) {
      throw new Refused(result.refusals, result.revision);
    }
    return result;
  }

  /** Iterates over the updates after a cursor, or from the first card on. */
  async *events(after = ""): AsyncGenerator<responses.MatchUpdate, void, undefined> {
    for (let cursor = after, hasMore = true; hasMore; ) {
      const request = { ...this.target, cursor };
      const page = await this.#transport.call((options) => this.#transport.matches.listEvents(request, options), this);
      yield* page.moves.map(convert.matchUpdate);
      ({ cursor, hasMore } = page);
    }
  }

  /** Watches the match until it is finished; reconnects by itself. */
  watch(watching: Watching = {}): Watch {
    return new Watch(this.#transport, this.#access, watching);
  }

  /** Adds the seed of the seat to the pending shuffle: any text without line breaks, best a long random one. */
  async contributeSeed(clientSeed: string): Promise<SeedResult> {
    return await this.sendSeed({ ...this.target, clientSeed });
  }

  /** Shuffles without waiting for more seeds, as the referee. */
  async shuffleNow(): Promise<SeedResult> {
    return await this.sendSeed({ matchId: this.id });
  }

  private async sendSeed(message: { matchId: string; seat?: number; clientSeed?: string }): Promise<SeedResult> {
    const requestId = newRequestId();
    const request = { ...message, requestId };
    const settings = { key: this.key, requestId };
    const response = await this.#transport.call(
      (options) => this.#transport.matches.contributeSeed(request, options),
      settings,
    );
    return seedResult(response);
  }

  /** Lists every shuffle and lot with its proof, as far as that can be published yet. */
  async shuffles(): Promise<Shuffles> {
    const request = { matchId: this.id };
    return shuffles(
      await this.#transport.call((options) => this.#transport.matches.listShuffles(request, options), this),
    );
  }

  /** Returns the record of the match: to the referee at any time, to everybody when it is finished. */
  async record(): Promise<string> {
    const request = { matchId: this.id };
    return (await this.#transport.call((options) => this.#transport.matches.getRecord(request, options), this)).record;
  }

  /** Requests that the last decision be taken back, agrees to it, or declines; the referee decides for all. */
  async takeBack(answer: TakingBack = {}): Promise<responses.TakebackResult> {
    kinds.takingBackKind(answer);
    const requestId = answer.requestId || newRequestId();
    const { decline, expectedRevision } = answer;
    const request = { ...this.target, decline, expectedRevision, requestId };
    const settings = { key: this.key, requestId };
    return convert.takebackResult(
      await this.#transport.call((options) => this.#transport.matches.takeBack(request, options), settings),
    );
  }

  /** Assigns the seat to a bot, or back to a person if that is ""; returns the seats played by bots. */
  async assignBot(bot: Open<Bot>, thinkMs = 0): Promise<readonly responses.BotSeat[]> {
    const request = { ...this.target, bot, thinkMs };
    return convert.bots(
      (await this.#transport.call((options) => this.#transport.matches.assignBot(request, options), this)).bots,
    );
  }

  /** Plays the default move of a seat that is out of time, or shuffles if the time for seeds is used up. */
  async enforceClock(): Promise<responses.ClockResult> {
    const request = { matchId: this.id };
    return convert.clockResult(
      await this.#transport.call((options) => this.#transport.matches.enforceClock(request, options), this),
    );
  }

  /** Moves the time of a test forward, as the referee; a seat that is then out of time plays the default move. */
  async advanceClock(seconds: number, repeating: Repeating = {}): Promise<responses.ClockAdvance> {
    kinds.repeatingKind(repeating);
    const requestId = repeating.requestId || newRequestId();
    const request = { matchId: this.id, seconds, requestId };
    const settings = { key: this.key, requestId };
    return convert.clockAdvance(
      await this.#transport.call((options) => this.#transport.matches.advanceClock(request, options), settings),
    );
  }

  /**
   * Replaces the key in use, or, as the referee, that of a seat; returns the match with the new key. The old key is
   * closed at once: this object goes on only if its own key stays, and watches with the old key end.
   *
   * The new key is the `key` of the result; that of another seat is in its `keys`. A request id must be unguessable.
   */
  async rotateKey(seat?: number, repeating: Repeating = {}): Promise<Match> {
    kinds.repeatingKind(repeating);
    const requestId = repeating.requestId || newRequestId();
    const request = { matchId: this.id, seat, requestId };
    const settings = { key: this.key, requestId };
    const { key } = await this.#transport.call(
      (options) => this.#transport.matches.rotateKey(request, options),
      settings,
    );
    const old = seat === undefined ? this.key : this.keys.get(seat);
    const keys = new Map([...this.keys].map(([known, one]) => [known, one === old ? key : one]));
    if (seat !== undefined) {
      keys.set(seat, key);
    }
    return new Match(this.#transport, this.key === old ? { ...this.#access, key } : this.#access, keys);
  }

  /** Aborts the match, as the referee; returns its last revision. */
  async abort(): Promise<number> {
    return (
      await this.#transport.call((options) => this.#transport.matches.abortMatch({ matchId: this.id }, options), this)
    ).revision;
  }

  /** Deletes the match at once, as the referee. */
  async delete(): Promise<void> {
    await this.#transport.call((options) => this.#transport.matches.deleteMatch({ matchId: this.id }, options), this);
  }

  private get target(): { matchId: string; seat?: number } {
    return { matchId: this.id, seat: this.seat };
  }
}
