/** Plays the steps of a scenario with a client, in Node or in a browser. */

import {
  type Chitarrella,
  ChitarrellaError,
  cardImage,
  isFair,
  type Match,
  type MatchOptions,
  zoneOf,
} from "chitarrella-client";
import { event, explained, move, readMove, readRuleSet, refusal, type Step, waiting } from "./json.js";
import { PlatformPlayer } from "./platform_player.js";
import { POSITION_OPERATIONS } from "./positions_player.js";

/** What a scenario needs besides its client. */
export interface Environment {
  /** Cuts every connection. */
  cut(): Promise<void>;
  /** Returns the number of games, asked over TLS. */
  countOverTls(): Promise<number>;
}

/** Plays one scenario. */
export class Player {
  readonly matches = new Map<string, Match>();
  private readonly platform = new PlatformPlayer(this);

  /** Plays with `client`, or, from the step `connect_platform` on, with a client that shows an API key. */
  constructor(
    public client: Chitarrella,
    private readonly environment: Environment,
    private readonly connectPlatform: () => Chitarrella,
  ) {}

  /** Closes the client. */
  close(): void {
    this.client.close();
  }

  /** Keeps a match under its name in the scenario. */
  keep(name: string, match: Match): void {
    this.matches.set(name, match);
  }

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
    const operation = this.operations[step.op] ?? this.platform.operations[step.op];
    if (operation !== undefined) {
      return operation(step);
    }
    const about = POSITION_OPERATIONS[step.op];
    if (about === undefined) {
      throw new Error(`there is no operation ${step.op}`);
    }
    return about(this.client, step);
  }

  private readonly operations: Readonly<Record<string, (step: Step) => Promise<unknown>>> = {
    list_games: () => this.listGames(),
    start_game: (step) => this.startGame(step),
    list_legal_moves: (step) => this.listLegalMoves(step),
    explain_hand: (step) => this.explainHand(step),
    validate_move: (step) => this.validateMove(step),
    list_playable_cards: (step) => this.listPlayableCards(step),
    resolve_trick: (step) => this.resolveTrick(step),
    score_cards: (step) => this.scoreCards(step),
    card_images: async (step) => step.cards.map((card) => cardImage(card, String(step.pack))),
    connect_platform: async () => {
      this.close();
      this.client = this.connectPlatform();
      return null;
    },
    create_match: (step) => this.createMatch(step),
    import_match: (step) => this.importMatch(step),
    get_match: (step) => this.getMatch(step),
    list_match_moves: (step) => this.listMatchMoves(step),
    play_move: (step) => this.playMove(step),
    play_out: (step) => this.playOut(this.createdMatch(step)),
    watch_match: (step) => this.watchMatch(step),
    verify_shuffles: (step) => this.verifyShuffles(this.createdMatch(step)),
    get_record: (step) => this.matchOf(step).record(),
    take_back: (step) => this.takeBack(step),
    tls: () => this.environment.countOverTls(),
  };

  private createdMatch({ match }: Step): Match {
    const found = this.matches.get(match);
    if (found === undefined) {
      throw new Error(`no match ${match} was created`);
    }
    return found;
  }

  /** Returns the match with the key of the step's viewer. */
  matchOf(step: Step): Match {
    const created = this.createdMatch(step);
    const { who = "referee" } = step;
    if (step.key !== undefined) {
      return this.client.match(created.id, step.key);
    }
    if (who === "public") {
      return this.client.match(created.id, "");
    }
    return typeof who === "number" ? this.client.match(created.id, created.keys.get(who)) : created;
  }

  private async listGames() {
    const keys: string[] = [];
    for await (const { gameId } of this.client.games()) {
      keys.push(gameId);
    }
    return keys;
  }

  private async startGame(step: Step) {
    const { position, chanceRequest } = await this.client.rules.startGame(readRuleSet(step.rule_set));
    return { text: position.text, chance_request: chanceRequest?.verb ?? null };
  }

  private async listLegalMoves(step: Step) {
    const { seat, moves } = await this.client.rules.legalMoves(...positionAndSeat(step));
    return { seat: seat ?? null, moves: moves.map(move) };
  }

  private async explainHand(step: Step) {
    const { moves } = await this.client.rules.explainHand(...positionAndSeat(step));
    return moves.map(explained);
  }

  private async validateMove(step: Step) {
    const [position, seat] = positionAndSeat(step);
    const { accepted, refusals } = await this.client.rules.validateMove(position, readMove(step.move), seat);
    return { accepted, refusals: refusals.map(refusal) };
  }

  private async listPlayableCards({ rule_set: ruleSet, hand, trick, trump }: Step) {
    return (await this.client.rules.playableCards(readRuleSet(ruleSet), hand, trick, trump)).map(explained);
  }

  private async resolveTrick({ rule_set: ruleSet, cards, trump }: Step) {
    const result = await this.client.rules.resolveTrick(readRuleSet(ruleSet), cards, trump ?? "");
    const { winningIndex, winningCard, scores } = result;
    return { winning_index: winningIndex ?? null, winning_card: winningCard, scores: scoresByName(scores) };
  }

  private async scoreCards({ rule_set: ruleSet, cards, trump }: Step) {
    return scoresByName(await this.client.rules.scoreCards(readRuleSet(ruleSet), cards, trump));
  }

  private async createMatch(step: Step) {
    const options = { ...matchOptions(step), pack: Array.isArray(step.pack) ? step.pack : [] };
    return await this.created(step, await this.client.createMatch(readRuleSet(step.rule_set), options));
  }

  private async importMatch(step: Step) {
    const options = { ...matchOptions(step), moveCount: step.move_count };
    return await this.created(step, await this.client.importMatch(await this.createdMatch(step).record(), options));
  }

  private async created({ as }: Step, match: Match) {
    this.keep(as, match);
    const { revision, view } = await match.get();
    return { seats: [...match.keys.keys()].sort((one, other) => one - other), revision, ...waiting(view) };
  }

  private async getMatch(step: Step) {
    const { revision, view, seat } = await this.matchOf(step).get();
    const { phase, scores, outcome } = view;
    const hand = seat === undefined ? [] : zoneOf(view, "hand", seat).cards;
    return { revision, phase, ...waiting(view), scores, winners: outcome?.winners ?? null, hand };
  }

  private async listMatchMoves(step: Step) {
    const { seat, moves, revision } = await this.matchOf(step).legalMoves();
    return { seat: seat ?? null, moves: moves.map(move), revision };
  }

  private async playMove(step: Step) {
    const options = { expectedRevision: step.expected_revision, requestId: step.request_id };
    const result = await this.matchOf(step).play(readMove(step.move), options);
    const { accepted, revision, repeatedRequest, refusals, events } = result;
    return {
      accepted,
      revision,
      repeated_request: repeatedRequest,
      refusals: refusals.map(refusal),
      events: events.map(event),
    };
  }

  private async playOut(created: Match) {
    for (;;) {
      const { seat, moves } = await created.legalMoves();
      const [first] = moves;
      if (seat === undefined || first === undefined) {
        return { finished: (await created.get()).over };
      }
      await this.client.match(created.id, created.keys.get(seat)).play(first);
    }
  }

  private async watchMatch(step: Step) {
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

  private async verifyShuffles(created: Match) {
    const { ruleSet } = await created.get();
    const { pack } = await this.client.game(ruleSet.gameId);
    const { shuffles } = await created.shuffles();
    return shuffles.map((shuffle) => {
      const { number, supplied } = shuffle;
      return { number, supplied, fair: isFair(shuffle, pack) };
    });
  }

  private async takeBack(step: Step) {
    const result = await this.matchOf(step).takeBack({ decline: step.decline });
    const { revision, takenBack, awaitingAnswersFrom } = result;
    return { revision, taken_back: takenBack, awaiting_answers_from: awaitingAnswersFrom };
  }
}

function matchOptions(step: Step): MatchOptions {
  const { pack_source: packSource, bots, external_id: externalId, labels, player_names: playerNames, sandbox } = step;
  const clock = step.clock && { moveSeconds: step.clock[0], bankSeconds: step.clock[1] };
  return { packSource, bots, private: step.private, clock, externalId, labels, playerNames, sandbox };
}

function positionAndSeat({ rule_set: ruleSet, position, seat }: Step) {
  return [{ ruleSet: readRuleSet(ruleSet), text: position }, seat ?? undefined] as const;
}

function scoresByName(scores: readonly { name: string; value: number }[]) {
  return Object.fromEntries(scores.map(({ name, value }) => [name, value]));
}
