/** Plays the steps of a scenario with a client, in Node or in a browser. */

import { type Chitarrella, ChitarrellaError, isFair, type Match, picture, pileOf } from "chitarrella-client";
import { event, explained, move, readMove, refusal, type Step, waiting } from "./json.js";

/** What a scenario needs besides its client. */
export interface Environment {
  /** Cuts every connection. */
  cut(): Promise<void>;
  /** Returns the number of games, asked over TLS. */
  countOverTls(): Promise<number>;
}

/** Plays one scenario. */
export class Player {
  private readonly matches = new Map<string, Match>();

  constructor(
    private readonly client: Chitarrella,
    private readonly environment: Environment,
  ) {}

  /** Runs the steps; a call that fails gives its code as the result. */
  async play(steps: readonly Step[]): Promise<unknown[]> {
    const results: unknown[] = [];
    for (const step of steps) {
      try {
        results.push(await this.run(step));
      } catch (error) {
        if (!(error instanceof ChitarrellaError)) {
          throw error;
        }
        results.push({ error: { code: error.code, field: error.field } });
      }
    }
    return results;
  }

  private run(step: Step): Promise<unknown> {
    const operation = this.operations[step.op];
    if (operation === undefined) {
      throw new Error(`there is no operation ${step.op}`);
    }
    return operation(step);
  }

  private readonly operations: Readonly<Record<string, (step: Step) => Promise<unknown>>> = {
    games: () => this.games(),
    start: (step) => this.start(step),
    legal_moves: (step) => this.legalMoves(step),
    explain: async (step) => (await this.client.rules.explain(...positionAndSeat(step))).moves.map(explained),
    judge: (step) => this.judge(step),
    playable: (step) => this.playable(step),
    trick: (step) => this.trick(step),
    count: async (step) => counts(await this.client.rules.count(step.agreement, step.cards)),
    picture: async (step) => step.cards.map((card) => picture(card, String(step.pack))),
    open: (step) => this.open(step),
    look: (step) => this.look(step),
    moves: (step) => this.moves(step),
    play: (step) => this.playMove(step),
    play_out: (step) => this.playOut(this.opened(step)),
    watch: (step) => this.watch(step),
    verify: (step) => this.verify(this.opened(step)),
    record: (step) => this.matchOf(step).record(),
    take_back: (step) => this.takeBack(step),
    tls: () => this.environment.countOverTls(),
  };

  private opened({ match }: Step): Match {
    const found = this.matches.get(match);
    if (found === undefined) {
      throw new Error(`no match ${match} was opened`);
    }
    return found;
  }

  /** Returns the match with the key of the step's viewer. */
  private matchOf(step: Step): Match {
    const opened = this.opened(step);
    const { who = "referee" } = step;
    if (step.key !== undefined) {
      return this.client.match(opened.id, step.key);
    }
    if (who === "public") {
      return this.client.match(opened.id, "");
    }
    return typeof who === "number" ? this.client.match(opened.id, opened.keys.get(who)) : opened;
  }

  private async games() {
    const keys: string[] = [];
    for await (const game of this.client.games()) {
      keys.push(game.game);
    }
    return keys;
  }

  private async start({ agreement }: Step) {
    const { position, wanted } = await this.client.rules.start(agreement);
    return { line: position.line, wanted: wanted?.verb ?? null };
  }

  private async legalMoves(step: Step) {
    const { seat, moves } = await this.client.rules.legalMoves(...positionAndSeat(step));
    return { seat: seat ?? null, moves: moves.map(move) };
  }

  private async judge(step: Step) {
    const [position, seat] = positionAndSeat(step);
    const { accepted, refusals } = await this.client.rules.judge(position, readMove(step.move), seat);
    return { accepted, refusals: refusals.map(refusal) };
  }

  private async playable({ agreement, hand, trick, trump }: Step) {
    return (await this.client.rules.playable(agreement, hand, trick, trump)).map(explained);
  }

  private async trick({ agreement, cards, trump }: Step) {
    const { place, card, tallies } = await this.client.rules.trick(agreement, cards, trump);
    return { place, card, tallies: counts(tallies) };
  }

  private async open({ as, agreement, packs, pack, bots, private: isPrivate }: Step) {
    const cards = Array.isArray(pack) ? pack : [];
    const opened = await this.client.createMatch(agreement, { packs, pack: cards, bots, private: isPrivate });
    this.matches.set(as, opened);
    const { revision, view } = await opened.look();
    return { seats: [...opened.keys.keys()].sort((one, other) => one - other), revision, ...waiting(view) };
  }

  private async look(step: Step) {
    const { revision, view, seat } = await this.matchOf(step).look();
    const { phase, scores, outcome } = view;
    const hand = seat === undefined ? [] : pileOf(view, "hand", seat).cards;
    return { revision, phase, ...waiting(view), scores, winners: outcome?.winners ?? null, hand };
  }

  private async moves(step: Step) {
    const { seat, moves, revision } = await this.matchOf(step).moves();
    return { seat: seat ?? null, moves: moves.map(move), revision };
  }

  private async playMove(step: Step) {
    const options = { expectedRevision: step.expected_revision, requestId: step.request_id };
    const played = await this.matchOf(step).play(readMove(step.move), options);
    const { accepted, revision, repeatedRequest: repeated, refusals, events } = played;
    return { accepted, revision, repeated, refusals: refusals.map(refusal), events: events.map(event) };
  }

  private async playOut(opened: Match) {
    for (;;) {
      const { seat, moves } = await opened.moves();
      const [first] = moves;
      if (seat === undefined || first === undefined) {
        return { over: (await opened.look()).over };
      }
      await this.client.match(opened.id, opened.keys.get(seat)).play(first);
    }
  }

  private async watch(step: Step) {
    const updates: unknown[] = [];
    for await (const { revision, events } of this.matchOf(step).watch()) {
      updates.push({ revision, kinds: events.map(({ kind }) => kind) });
      if (updates.length === step.cut_after) {
        await this.environment.cut();
      }
      if (updates.length === step.messages) {
        break;
      }
    }
    return updates;
  }

  private async verify(opened: Match) {
    const { agreement } = await opened.look();
    const { pack } = await this.client.game(agreement.game);
    const { draws } = await opened.draws();
    return draws.map((draw) => ({ number: draw.number, handed_in: draw.handedIn, fair: isFair(draw, pack) }));
  }

  private async takeBack(step: Step) {
    const { revision, takenBack, awaited } = await this.matchOf(step).takeBack({ refuse: step.refuse });
    return { revision, taken_back: takenBack, awaited };
  }
}

function positionAndSeat({ agreement, position, seat }: Step) {
  const { game, players = 0, options = {}, edition = 0 } = agreement;
  const chosen = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));
  return [{ agreement: { game, players, options: chosen, edition }, line: position }, seat ?? undefined] as const;
}

function counts(tallies: readonly { name: string; number: number }[]) {
  return Object.fromEntries(tallies.map(({ name, number }) => [name, number]));
}
