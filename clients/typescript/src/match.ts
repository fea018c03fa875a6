/** A match stored by the service, seen and played with one key. */

import * as convert from "./converters.js";
import { Refused } from "./errors.js";
import { type MoveLike, moveMessage, newRequestId, type SeatAccess } from "./requests.js";
import type * as responses from "./responses.js";
import type { RetryingTransport } from "./transport.js";
import { Watch, type Watching } from "./watch.js";

/** The options of a writing call. */
export interface Writing {
  /** Precondition: the match has this revision; otherwise `StaleRevision` is thrown. */
  readonly expectedRevision?: number;
  /** To repeat the call later or from another process. Default: a random one. */
  readonly requestId?: string;
}

/** The options of a move. */
export interface Playing extends Writing {
  /** Request the view after the move. */
  readonly wantView?: boolean;
}

/** A match. The key identifies the caller: a seat, the referee, or, if empty, the public. */
export class Match {
  /** Created by the client. */
  constructor(
    private readonly transport: RetryingTransport,
    private readonly access: SeatAccess,
    /** The keys of the seats, if this client created the match. A key is the only proof of a seat. */
    readonly keys: ReadonlyMap<number, string> = new Map(),
  ) {}

  /** The id of the match. */
  get id(): string {
    return this.access.match;
  }

  /** The key in use; for a match just created, the referee's. */
  get key(): string {
    return this.access.key;
  }

  /** The seat set by `asSeat`. */
  get seat(): number | undefined {
    return this.access.seat;
  }

  /** Acts for a seat: with the seat's own key if known, else with the referee's. */
  asSeat(seat: number): Match {
    return new Match(this.transport, { match: this.id, key: this.keys.get(seat) ?? this.key, seat }, this.keys);
  }

  /** Returns the current state of the match. */
  async look(): Promise<responses.Seen> {
    return convert.seen(
      await this.transport.call((options) => this.transport.matches.getMatch(this.target, options), this),
    );
  }

  /** Lists the legal moves of the seat; for the referee, those of the seat to move. */
  async moves(): Promise<responses.MatchMoves> {
    const response = await this.transport.call(
      (options) => this.transport.matches.listMatchMoves(this.target, options),
      this,
    );
    return convert.matchMoves(response);
  }

  /** Explains every card of the seat: legal, or the clauses that forbid it. */
  async hand(): Promise<responses.MatchHand> {
    const response = await this.transport.call(
      (options) => this.transport.matches.explainMatchHand(this.target, options),
      this,
    );
    return convert.matchHand(response);
  }

  /** Checks a move without playing it. */
  async judge(move: MoveLike): Promise<responses.MatchVerdict> {
    const request = { ...this.target, move: moveMessage(move) };
    return convert.matchVerdict(
      await this.transport.call((options) => this.transport.matches.judgeMove(request, options), this),
    );
  }

  /** Plays a move. A refusal is a result, not an error: `accepted` is false; see `playOrThrow`. */
  async play(move: MoveLike, playing: Playing = {}): Promise<responses.Played> {
    const requestId = playing.requestId || newRequestId();
    const { expectedRevision, wantView } = playing;
    const request = { ...this.target, move: moveMessage(move), expectedRevision, wantView, requestId };
    const settings = { key: this.key, requestId };
    return convert.played(
      await this.transport.call((options) => this.transport.matches.playMove(request, options), settings),
    );
  }

  /** Plays a move like `play`, but throws `Refused` if it is refused. */
  async playOrThrow(move: MoveLike, playing: Playing = {}): Promise<responses.Played> {
    const played = await this.play(move, playing);
    if (!played.accepted) {
      throw new Refused(played.refusals, played.revision);
    }
    return played;
  }

  /** Iterates over the updates after a cursor, or from the first card on. */
  async *events(after = ""): AsyncGenerator<responses.Told, void, undefined> {
    for (let cursor = after, more = true; more; ) {
      const request = { ...this.target, cursor };
      const page = await this.transport.call((options) => this.transport.matches.listEvents(request, options), this);
      yield* page.moves.map(convert.update);
      ({ cursor, more } = page);
    }
  }

  /** Watches the match until it is over; reconnects by itself. */
  watch(watching: Watching = {}): Watch {
    return new Watch(this.transport, this.access, watching);
  }

  /** Adds the seat's word to the awaited shuffle: any text, best a long random one. */
  async contribute(word: string): Promise<responses.Awaited> {
    return await this.sendContribution({ ...this.target, word });
  }

  /** Shuffles without waiting for more words, as the referee. */
  async dealNow(): Promise<responses.Awaited> {
    return await this.sendContribution({ match: this.id });
  }

  private async sendContribution(message: { match: string; seat?: number; word?: string }): Promise<responses.Awaited> {
    const requestId = newRequestId();
    const request = { ...message, requestId };
    const settings = { key: this.key, requestId };
    const response = await this.transport.call(
      (options) => this.transport.matches.contributeToDeal(request, options),
      settings,
    );
    return convert.awaited(response);
  }

  /** Lists every shuffle and lot with its proof, as far as that can be published yet. */
  async draws(): Promise<responses.Draws> {
    const request = { match: this.id };
    return convert.draws(
      await this.transport.call((options) => this.transport.matches.listDraws(request, options), this),
    );
  }

  /** Returns the record of the match: to the referee at any time, to everybody once it is over. */
  async record(): Promise<string> {
    const request = { match: this.id };
    return (await this.transport.call((options) => this.transport.matches.getRecord(request, options), this)).record;
  }

  /** Requests that the last decision be taken back, agrees to it, or declines; the referee decides for all. */
  async takeBack(asked: Writing & { readonly refuse?: boolean } = {}): Promise<responses.TakenBack> {
    const requestId = asked.requestId || newRequestId();
    const { refuse, expectedRevision } = asked;
    const request = { ...this.target, refuse, expectedRevision, requestId };
    const settings = { key: this.key, requestId };
    return convert.takenBack(
      await this.transport.call((options) => this.transport.matches.takeBack(request, options), settings),
    );
  }

  /** Assigns the seat to a bot, or back to a person if that is ""; returns the seats played by bots. */
  async seatBot(bot: string, thinkMs = 0): Promise<readonly responses.BotSeat[]> {
    const request = { ...this.target, bot, thinkMs };
    return convert.bots(
      (await this.transport.call((options) => this.transport.matches.seatBot(request, options), this)).bots,
    );
  }

  /** Enforces the clock: plays the default move of a seat that is out of time. */
  async ruleOnTime(): Promise<responses.Ruling> {
    const request = { match: this.id };
    return convert.ruling(
      await this.transport.call((options) => this.transport.matches.ruleOnTime(request, options), this),
    );
  }

  /** Aborts the match, as the referee; returns its last revision. */
  async end(): Promise<number> {
    return (await this.transport.call((options) => this.transport.matches.endMatch({ match: this.id }, options), this))
      .revision;
  }

  /** Deletes the match at once, as the referee. */
  async delete(): Promise<void> {
    await this.transport.call((options) => this.transport.matches.deleteMatch({ match: this.id }, options), this);
  }

  private get target(): { match: string; seat?: number } {
    return { match: this.id, seat: this.seat };
  }
}
