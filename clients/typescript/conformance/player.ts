/** Plays the steps of a scenario with a client; the same in Node and in a browser. */

import { type Chitarrella, ChitarrellaError, isFair, type Match, picture, pileOf } from "chitarrella-client";
import { event, explained, move, readMove, refusal, type Step, waiting } from "./writing.js";

/** What goes on outside the client. */
export interface Surroundings {
  /** Cuts every connection. */
  cut(): Promise<void>;
  /** Asks over TLS how many games there are. */
  countOverTls(): Promise<number>;
}

/** Plays one scenario; the name of an operation is that of a method, but for the dashes. */
export class Player {
  private readonly matches = new Map<string, Match>();

  constructor(
    private readonly client: Chitarrella,
    private readonly around: Surroundings,
  ) {}

  /** Carries out the steps; what fails gives its code. */
  async play(steps: readonly Step[]): Promise<unknown[]> {
    const results: unknown[] = [];
    for (const step of steps) {
      try {
        results.push(await this.carryOut(step));
      } catch (error) {
        if (!(error instanceof ChitarrellaError)) {
          throw error;
        }
        results.push({ error: { code: error.code, field: error.field } });
      }
    }
    return results;
  }

  private carryOut(step: Step): Promise<unknown> {
    const act = this.acts[step.op];
    if (act === undefined) {
      throw new Error(`there is no operation ${step.op}`);
    }
    return act(step);
  }

  private readonly acts: Readonly<Record<string, (step: Step) => Promise<unknown>>> = {
    games: () => this.games(),
    start: (step) => this.start(step),
    legal_moves: (step) => this.legalMoves(step),
    explain: async (step) => (await this.client.rules.explain(...asked(step))).moves.map(explained),
    judge: (step) => this.judge(step),
    playable: (step) => this.playable(step),
    trick: (step) => this.trick(step),
    count: async (step) => tallied(await this.client.rules.count(step.agreement, step.cards)),
    picture: async (step) => step.cards.map((card) => picture(card, String(step.pack))),
    open: (step) => this.open(step),
    look: (step) => this.look(step),
    moves: (step) => this.moves(step),
    play: (step) => this.playMove(step),
    play_out: (step) => this.playOut(this.opened(step)),
    watch: (step) => this.watch(step),
    verify: (step) => this.verify(this.opened(step)),
    record: (step) => this.eyes(step).record(),
    take_back: (step) => this.takeBack(step),
    tls: () => this.around.countOverTls(),
  };

  private opened({ match }: Step): Match {
    const found = this.matches.get(match);
    if (found === undefined) {
      throw new Error(`no match ${match} was opened`);
    }
    return found;
  }

  /** Gives a match with the eyes of who asks. */
  private eyes(step: Step): Match {
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
    const { seat, moves } = await this.client.rules.legalMoves(...asked(step));
    return { seat: seat ?? null, moves: moves.map(move) };
  }

  private async judge(step: Step) {
    const [position, seat] = asked(step);
    const { accepted, refusals } = await this.client.rules.judge(position, readMove(step.move), seat);
    return { accepted, refusals: refusals.map(refusal) };
  }

  private async playable({ agreement, hand, trick, trump }: Step) {
    return (await this.client.rules.playable(agreement, hand, trick, trump)).map(explained);
  }

  private async trick({ agreement, cards, trump }: Step) {
    const { place, card, tallies } = await this.client.rules.trick(agreement, cards, trump);
    return { place, card, tallies: tallied(tallies) };
  }

  private async open({ as, agreement, packs, pack, bots, private: hidden }: Step) {
    const cards = Array.isArray(pack) ? pack : [];
    const opened = await this.client.createMatch(agreement, { packs, pack: cards, bots, private: hidden });
    this.matches.set(as, opened);
    const { revision, view } = await opened.look();
    return { seats: [...opened.keys.keys()].sort((one, other) => one - other), revision, ...waiting(view) };
  }

  private async look(step: Step) {
    const { revision, view, seat } = await this.eyes(step).look();
    const { phase, scores, outcome } = view;
    const hand = seat === undefined ? [] : pileOf(view, "hand", seat).cards;
    return { revision, phase, ...waiting(view), scores, winners: outcome?.winners ?? null, hand };
  }

  private async moves(step: Step) {
    const { seat, moves, revision } = await this.eyes(step).moves();
    return { seat: seat ?? null, moves: moves.map(move), revision };
  }

  private async playMove(step: Step) {
    const playing = { expectedRevision: step.expected_revision, requestId: step.request_id };
    const played = await this.eyes(step).play(readMove(step.move), playing);
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
    const told: unknown[] = [];
    for await (const { revision, events } of this.eyes(step).watch()) {
      told.push({ revision, kinds: events.map(({ kind }) => kind) });
      if (told.length === step.cut_after) {
        await this.around.cut();
      }
      if (told.length === step.messages) {
        break;
      }
    }
    return told;
  }

  private async verify(opened: Match) {
    const { agreement } = await opened.look();
    const { pack } = await this.client.game(agreement.game);
    const { draws } = await opened.draws();
    return draws.map((draw) => ({ number: draw.number, handed_in: draw.handedIn, fair: isFair(draw, pack) }));
  }

  private async takeBack(step: Step) {
    const { revision, takenBack, awaited } = await this.eyes(step).takeBack({ refuse: step.refuse });
    return { revision, taken_back: takenBack, awaited };
  }
}

function asked({ agreement, position, seat }: Step) {
  const { game, players = 0, options = {}, edition = 0 } = agreement;
  const chosen = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));
  return [{ agreement: { game, players, options: chosen, edition }, line: position }, seat ?? undefined] as const;
}

function tallied(tallies: readonly { name: string; number: number }[]) {
  return Object.fromEntries(tallies.map(({ name, number }) => [name, number]));
}
