/** A match stored by the service, seen and played with one key. */

import * as kinds from "./arguments.js";
import { duration, type MoveLike, moveMessage, newRequestId, type SeatAccess } from "./converters.js";
import { type Open, Refused } from "./errors.js";
import { MatchService } from "./gen/chitarrella/v1/matches_pb.js";
import type * as responses from "./responses.js";
import type { Shuffles } from "./shuffles.js";
import type { RetryingTransport } from "./transport.js";
import { Watch, type Watching } from "./watch.js";

const calls = MatchService.method;

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

/** What a platform attaches to a match, and how long it is kept. */
export interface MatchChanges {
  /** The platform's own id of the match. */
  readonly externalId?: string;
  /** The platform's own labels, such as `{ cup: "spring" }`; `Chitarrella.matches` finds the match by them. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The names of the players by seat. Everybody who may see the match sees them. */
  readonly playerNames?: Readonly<Record<number, string>>;
  /** The match is deleted this many seconds after its last move: at least 60. */
  readonly expireAfter?: number;
}

/** Converts what a platform attaches. */
export function attachedMessage({ externalId, labels = {}, playerNames = {}, expireAfter }: MatchChanges) {
  return {
    externalId,
    labels: { ...labels },
    playerNames: Object.entries(playerNames).map(([seat, name]) => ({ seat: Number(seat), name })),
    expireAfter: duration(expireAfter, "expireAfter"),
  };
}

/** The bots of the service. */
export type Bot = "easy" | "normal" | "strong" | "random" | "greedy" | "search";

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
  readonly #spectatorKey: string;

  /** Created by the client. */
  constructor(
    transport: RetryingTransport,
    access: SeatAccess,
    keys: ReadonlyMap<number, string> = new Map(),
    spectatorKey = "",
  ) {
    this.id = access.matchId;
    this.seat = access.seat;
    this.#transport = transport;
    this.#access = access;
    this.#keys = keys;
    this.#spectatorKey = spectatorKey;
  }

  /** The key in use; for a match just created, the referee's. */
  get key(): string {
    return this.#access.key;
  }

  /** The keys of the seats, if this client created the match. A key is the only proof of a seat. */
  get keys(): ReadonlyMap<number, string> {
    return this.#keys;
  }

  /** The key of spectators, if this client created the match and it is private: its holder sees what the public would. */
  get spectatorKey(): string {
    return this.#spectatorKey;
  }

  /** Acts for a seat: with the seat's own key if known, else with the referee's. */
  asSeat(seat: number): Match {
    return this.with({ matchId: this.id, key: this.keys.get(seat) ?? this.key, seat }, this.keys);
  }

  private with(access: SeatAccess, keys: ReadonlyMap<number, string>): Match {
    return new Match(this.#transport, access, keys, this.#spectatorKey);
  }

  /** Returns the current state of the match. */
  async get(): Promise<responses.MatchDetails> {
    return this.#transport.call(calls.getMatch, this.target, this);
  }

  /** Lists the legal moves of the seat; for the referee, those of the seat to move. */
  async legalMoves(): Promise<responses.MatchMoves> {
    return this.#transport.call(calls.listMatchMoves, this.target, this);
  }

  /** Explains every card of the seat: legal, or the clauses that forbid it; `suggest` adds the move of a normal bot. */
  async explainHand(explaining: { readonly suggest?: boolean } = {}): Promise<responses.MatchHand> {
    kinds.explainingKind(explaining);
    return this.#transport.call(calls.explainMatchHand, { ...this.target, ...explaining }, this);
  }

  /** Validates a move without playing it. A refusal is a result, not an error. */
  async validateMove(move: MoveLike): Promise<responses.MatchMoveValidation> {
    const request = { ...this.target, move: moveMessage(move) };
    return this.#transport.call(calls.validateMatchMove, request, this);
  }

  /** Plays a move. A refusal is a result, not an error: `accepted` is false; see `playOrThrow`. */
  async play(move: MoveLike, playing: Playing = {}): Promise<responses.MoveResult> {
    kinds.playingKind(playing);
    const { expectedRevision, includeView } = playing;
    const request = {
      ...this.target,
      move: moveMessage(move),
      expectedRevision,
      includeView,
      requestId: playing.requestId || newRequestId(),
    };
    return this.#transport.call(calls.playMove, request, this);
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
    const request = { ...this.target, pageToken: after };
    for await (const { updates } of this.#transport.pages(calls.listEvents, request, this)) {
      yield* updates;
    }
  }

  /** Watches the match until it is finished; reconnects by itself. */
  watch(watching: Watching = {}): Watch {
    return new Watch(this.#transport, this.#access, watching);
  }

  /** Adds the seed of the seat to the pending shuffle: any text without line breaks, best a long random one. */
  async contributeSeed(clientSeed: string): Promise<responses.MatchDetails> {
    const request = { ...this.target, clientSeed, requestId: newRequestId() };
    return this.#transport.call(calls.contributeSeed, request, this);
  }

  /** Shuffles without waiting for more seeds, as the referee. */
  async shuffleNow(): Promise<responses.MatchDetails> {
    const request = { matchId: this.id, requestId: newRequestId() };
    return this.#transport.call(calls.contributeSeed, request, this);
  }

  /** Lists every shuffle and lot with its proof, as far as that can be published yet. */
  async shuffles(): Promise<Shuffles> {
    return this.#transport.call(calls.listShuffles, { matchId: this.id }, this);
  }

  /** Returns the record of the match: to the referee at any time, to everybody when it is finished. */
  async record(): Promise<string> {
    return (await this.#transport.call(calls.getRecord, { matchId: this.id }, this)).record;
  }

  /** Requests that the last decision be taken back, agrees to it, or declines; the referee decides for all. */
  async takeBack(answer: TakingBack = {}): Promise<responses.TakebackResult> {
    kinds.takingBackKind(answer);
    const { decline, expectedRevision } = answer;
    const request = { ...this.target, decline, expectedRevision, requestId: answer.requestId || newRequestId() };
    return this.#transport.call(calls.takeBack, request, this);
  }

  /**
   * Assigns the seat to a bot, with some seconds to think about a move, or back to a person if that is "". It moves at
   * the earliest `delay` seconds after the last decision.
   */
  async assignBot(bot: Open<Bot>, thinkTime?: number, delay?: number): Promise<responses.MatchDetails> {
    const request = {
      ...this.target,
      bot,
      thinkTime: duration(thinkTime, "thinkTime"),
      delay: duration(delay, "delay"),
    };
    return this.#transport.call(calls.assignBot, request, this);
  }

  /** Says that the player of the seat is there, perhaps with a name. */
  async join(playerName = ""): Promise<responses.MatchDetails> {
    return this.#transport.call(calls.joinMatch, { ...this.target, playerName }, this);
  }

  /** Gives up for the seat; as the referee or the platform, lets the seat of `asSeat` forfeit. */
  async resign(): Promise<responses.MatchDetails> {
    return this.#transport.call(calls.resignMatch, this.target, this);
  }

  /** Decides who has won, as the referee or the platform; no winners make a draw. */
  async decide(winners: readonly number[], reason: string): Promise<responses.MatchDetails> {
    kinds.seats(winners, "winners");
    const request = { matchId: this.id, winners: [...winners], reason };
    return this.#transport.call(calls.decideMatch, request, this);
  }

  /** Changes what the platform attaches to the match; what is left out stays, a label with the value "" goes. */
  async update(changes: MatchChanges): Promise<responses.MatchDetails> {
    kinds.matchChangesKind(changes);
    const request = { ...attachedMessage(changes), matchId: this.id };
    return this.#transport.call(calls.updateMatch, request, this);
  }

  /** Asks for the clock to be paused, or to go on; the referee and the platform decide so. */
  async pauseClock(pausing: { readonly resume?: boolean } = {}): Promise<responses.MatchDetails> {
    kinds.pausingKind(pausing);
    const request = { ...this.target, resume: pausing.resume };
    return this.#transport.call(calls.pauseClock, request, this);
  }

  /** Adds whole seconds to the bank of a seat, as the referee or the platform. */
  async addTime(seat: number, seconds: number, repeating: Repeating = {}): Promise<responses.MatchDetails> {
    kinds.repeatingKind(repeating);
    const request = {
      matchId: this.id,
      seat,
      duration: duration(seconds, "seconds"),
      requestId: repeating.requestId || newRequestId(),
    };
    return this.#transport.call(calls.addTime, request, this);
  }

  /** Plays the default move of a seat that is out of time, or shuffles if the time for seeds is used up. */
  async enforceClock(): Promise<responses.ClockResult> {
    return this.#transport.call(calls.enforceClock, { matchId: this.id }, this);
  }

  /** Moves the time of a test forward by whole seconds, as the referee; a seat that is then out of time plays the default move. */
  async advanceClock(seconds: number, repeating: Repeating = {}): Promise<responses.ClockAdvance> {
    kinds.repeatingKind(repeating);
    const request = {
      matchId: this.id,
      duration: duration(seconds, "seconds"),
      requestId: repeating.requestId || newRequestId(),
    };
    return this.#transport.call(calls.advanceClock, request, this);
  }

  /**
   * Replaces the key in use, or, as the referee, that of a seat; returns the match with the new key. The old key is
   * closed at once: this object goes on only if its own key stays, and watches with the old key end.
   *
   * The new key is the `key` of the result; that of another seat is in its `keys`. A request id must be unguessable.
   */
  async rotateKey(seat?: number, repeating: Repeating = {}): Promise<Match> {
    kinds.repeatingKind(repeating);
    const request = { matchId: this.id, seat, requestId: repeating.requestId || newRequestId() };
    const { key } = await this.#transport.call(calls.rotateKey, request, this);
    const old = seat === undefined ? this.key : this.keys.get(seat);
    const keys = new Map([...this.keys].map(([known, one]) => [known, one === old ? key : one]));
    if (seat !== undefined) {
      keys.set(seat, key);
    }
    return this.with(this.key === old ? { ...this.#access, key } : this.#access, keys);
  }

  /** Aborts the match, as the referee; the reason is for everybody who may see it. */
  async abort(reason = ""): Promise<responses.MatchDetails> {
    return this.#transport.call(calls.abortMatch, { matchId: this.id, reason }, this);
  }

  /** Deletes the match at once, as the referee. */
  async delete(): Promise<void> {
    await this.#transport.call(calls.deleteMatch, { matchId: this.id }, this);
  }

  /** The id, and the seat if there is one. */
  toString(): string {
    return `match ${this.id}${this.seat === undefined ? "" : ` as seat ${this.seat}`}`;
  }

  private get target(): { matchId: string; seat?: number } {
    return { matchId: this.id, seat: this.seat };
  }
}
