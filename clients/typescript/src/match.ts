/** A match that the service keeps, with the eyes and the hand of one key. */

import type * as answers from "./answers.js";
import { Refused } from "./errors.js";
import type { Line } from "./line.js";
import * as reading from "./reading.js";
import { type Holder, type MoveLike, moveMessage, newRequestId } from "./requests.js";
import { Watch, type Watching } from "./watch.js";

/** How a writing call at a match is made. */
export interface Writing {
  /** Only if the table is still at this revision; otherwise `StaleRevision` is thrown. Left out: in any case. */
  readonly expectedRevision?: number;
  /** For who wants to repeat the call later, or from another process; left out, one is made. */
  readonly requestId?: string;
}

/** How a move is made. */
export interface Playing extends Writing {
  /** Have the table after the move in the answer. */
  readonly wantView?: boolean;
}

/** A match. The key says who asks: a seat, the referee, or, without one, the public. */
export class Match {
  /** Speaks for `holder` over `line`; made by the client. */
  constructor(
    private readonly line: Line,
    private readonly holder: Holder,
    /** The key of every seat, where this client has opened the match; whoever has a key is that seat. */
    readonly keys: ReadonlyMap<number, string> = new Map(),
  ) {}

  /** The name of the match. */
  get id(): string {
    return this.holder.match;
  }

  /** The key it is bound to; of a match that was just opened, the referee's. */
  get key(): string {
    return this.holder.key;
  }

  /** The seat that `asSeat` has named. */
  get seat(): number | undefined {
    return this.holder.seat;
  }

  /** Speaks for a seat: with its own key where that is known, or else with the referee's. */
  asSeat(seat: number): Match {
    return new Match(this.line, { match: this.id, key: this.keys.get(seat) ?? this.key, seat }, this.keys);
  }

  /** Looks at the table. */
  async look(): Promise<answers.Seen> {
    return reading.seen(await this.line.ask((options) => this.line.matches.getMatch(this.whose, options), this));
  }

  /** Lists what the seat may do now; for the referee, what the seat to move may do. */
  async moves(): Promise<answers.MatchMoves> {
    const answer = await this.line.ask((options) => this.line.matches.listMatchMoves(this.whose, options), this);
    return reading.matchMoves(answer);
  }

  /** Explains every card of the seat: legal, or the clauses it would break. */
  async hand(): Promise<answers.MatchHand> {
    const answer = await this.line.ask((options) => this.line.matches.explainMatchHand(this.whose, options), this);
    return reading.matchHand(answer);
  }

  /** Judges a move without making it. */
  async judge(move: MoveLike): Promise<answers.MatchVerdict> {
    const request = { ...this.whose, move: moveMessage(move) };
    return reading.matchVerdict(await this.line.ask((options) => this.line.matches.judgeMove(request, options), this));
  }

  /** Makes a move. A refusal is an answer like another: `accepted` is false; see `playOrThrow`. */
  async play(move: MoveLike, playing: Playing = {}): Promise<answers.Played> {
    const requestId = playing.requestId || newRequestId();
    const { expectedRevision, wantView } = playing;
    const request = { ...this.whose, move: moveMessage(move), expectedRevision, wantView, requestId };
    const asking = { key: this.key, requestId };
    return reading.played(await this.line.ask((options) => this.line.matches.playMove(request, options), asking));
  }

  /** Makes a move like `play`, but throws `Refused` where it is refused. */
  async playOrThrow(move: MoveLike, playing: Playing = {}): Promise<answers.Played> {
    const played = await this.play(move, playing);
    if (!played.accepted) {
      throw new Refused(played.refusals, played.revision);
    }
    return played;
  }

  /** Goes through what has happened after a cursor, or from the first card on, as those eyes may know it. */
  async *events(after = ""): AsyncGenerator<answers.Told, void, undefined> {
    for (let cursor = after, more = true; more; ) {
      const request = { ...this.whose, cursor };
      const page = await this.line.ask((options) => this.line.matches.listEvents(request, options), this);
      yield* page.moves.map(reading.told);
      ({ cursor, more } = page);
    }
  }

  /** Follows the match until it is over; after a cut it comes back by itself. */
  watch(watching: Watching = {}): Watch {
    return new Watch(this.line, this.holder, watching);
  }

  /** Adds a word to the shuffle of the pack that is wanted: any text, best a long random one. */
  async contribute(word: string): Promise<answers.Awaited> {
    return await this.contributed({ ...this.whose, word });
  }

  /** Waits for no more words, as the referee. */
  async dealNow(): Promise<answers.Awaited> {
    return await this.contributed({ match: this.id });
  }

  private async contributed(said: { match: string; seat?: number; word?: string }): Promise<answers.Awaited> {
    const requestId = newRequestId();
    const request = { ...said, requestId };
    const asking = { key: this.key, requestId };
    const answer = await this.line.ask((options) => this.line.matches.contributeToDeal(request, options), asking);
    return reading.awaited(answer);
  }

  /** Lists every pack and lot that was drawn, with as much of the proof as hides nothing any more. */
  async draws(): Promise<answers.Draws> {
    const request = { match: this.id };
    return reading.draws(await this.line.ask((options) => this.line.matches.listDraws(request, options), this));
  }

  /** Gives the record of the match: to the referee at any time, to everybody when it is over. */
  async record(): Promise<string> {
    const request = { match: this.id };
    return (await this.line.ask((options) => this.line.matches.getRecord(request, options), this)).record;
  }

  /** Asks that the last decision be taken back, agrees to that, or refuses; the referee decides for everybody. */
  async takeBack(asked: Writing & { readonly refuse?: boolean } = {}): Promise<answers.TakenBack> {
    const requestId = asked.requestId || newRequestId();
    const { refuse, expectedRevision } = asked;
    const request = { ...this.whose, refuse, expectedRevision, requestId };
    const asking = { key: this.key, requestId };
    return reading.takenBack(await this.line.ask((options) => this.line.matches.takeBack(request, options), asking));
  }

  /** Gives the seat to a bot, or back to a person where that is ""; gives the seats that bots play. */
  async seatBot(bot: string, thinkMs = 0): Promise<readonly answers.BotSeat[]> {
    const request = { ...this.whose, bot, thinkMs };
    return reading.bots((await this.line.ask((options) => this.line.matches.seatBot(request, options), this)).bots);
  }

  /** Has the move made, or the cards dealt, that time has run out for. */
  async ruleOnTime(): Promise<answers.Ruling> {
    const request = { match: this.id };
    return reading.ruling(await this.line.ask((options) => this.line.matches.ruleOnTime(request, options), this));
  }

  /** Ends the match before its time, as the referee; gives the last revision. */
  async end(): Promise<number> {
    return (await this.line.ask((options) => this.line.matches.endMatch({ match: this.id }, options), this)).revision;
  }

  /** Has the match forgotten at once, as the referee. */
  async delete(): Promise<void> {
    await this.line.ask((options) => this.line.matches.deleteMatch({ match: this.id }, options), this);
  }

  private get whose(): { match: string; seat?: number } {
    return { match: this.id, seat: this.seat };
  }
}
