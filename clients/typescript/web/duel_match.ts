/**
 * Matches that bots play against each other, one after the other. The referee, who is this page, supplies each pack, so
 * that no deal begins before it is asked for.
 */

import type { ChanceRequest, Move } from "./contract.js";
import type { Step } from "./replay.js";
import { Service } from "./service.js";

/** How long a match is kept after its last move, in seconds. */
const KEPT_SECONDS = 3600;
/** Milliseconds between two looks at a match while bots play. */
const PAUSE_MS = 400;

/** What is played, and the kind of bot for each person at the table. */
export interface DuelSettings {
  readonly gameId: string;
  readonly players: number;
  readonly bots: readonly string[];
}

/** A match of bots. */
export class DuelMatch {
  private constructor(
    private readonly service: Service,
    private readonly id: string,
  ) {}

  /** Creates a match and gives its seats to bots. */
  static async create(service: Service, { gameId, players, bots }: DuelSettings): Promise<DuelMatch> {
    const more = { packSource: "PACK_SOURCE_REFEREE", expiresAfterSeconds: KEPT_SECONDS };
    const { matchId, seatKeys, refereeKey } = await service.createMatch({ gameId, players }, more);
    const referee = new Service(service.base, service.language, refereeKey);
    for (const [place, { seat }] of seatKeys.entries()) {
      await referee.assignBot(matchId, seat, bots[place] ?? "");
    }
    return new DuelMatch(referee, matchId);
  }

  /** The record of the match so far. */
  record(): Promise<string> {
    return this.service.record(this.id);
  }

  /** Supplies what chance has to: a pack in a random order, or a lot. */
  async supply(request: ChanceRequest): Promise<void> {
    await this.service.supply(this.id, moveOf(request));
  }

  /** Reads the record again and again, until the bots have to wait for the next pack or the match is over. */
  async follow(show: (record: string) => Promise<Step | undefined>, stop: AbortSignal): Promise<Step | undefined> {
    let step: Step | undefined;
    while (!stop.aborted) {
      step = await show(await this.record());
      if (step?.view.waiting !== "WAITING_SEAT") {
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return step;
  }
}

function moveOf({ verb, cards, amounts }: ChanceRequest): Move {
  const lot = amounts[below(amounts.length)];
  return { verb, cards: shuffled(cards), choice: "", shares: [], ...(lot === undefined ? {} : { amount: lot }) };
}

function shuffled(cards: readonly string[]): string[] {
  const order = [...cards];
  for (let place = order.length - 1; place > 0; place--) {
    const other = below(place + 1);
    [order[place], order[other]] = [order[other] as string, order[place] as string];
  }
  return order;
}

/** A random whole number below a limit, each with the same chance. */
function below(limit: number): number {
  const most = Math.floor(2 ** 32 / limit) * limit;
  for (;;) {
    const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
    if (number < most || limit === 0) {
      return limit ? number % limit : 0;
    }
  }
}
