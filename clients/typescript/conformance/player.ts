/** Plays the steps of a scenario with a client, in Node or in a browser. */

import {
  type Chitarrella,
  ChitarrellaError,
  cardImage,
  cardOf,
  type Delivery,
  type DeliveryState,
  errorOfStatus,
  isFair,
  type Match,
  type MatchDetails,
  type MatchOptions,
  type MatchState,
  type PlatformUpdate,
  zoneOf,
} from "chitarrella-client";
import type * as v1 from "chitarrella-client/v1";
import {
  event,
  explained,
  move,
  readMove,
  readRuleSet,
  refusal,
  type SeatMoveJson,
  type Step,
  validation,
  waiting,
  written,
} from "./json.js";

type Operation = (client: Chitarrella, step: Step) => Promise<unknown>;

/** The operations. */
export const POSITION_OPERATIONS: Readonly<Record<string, Operation>> = {
  describe_cards: describeCards,
  list_known_moves: listKnownMoves,
  apply_moves: applyMoves,
  batch,
};

async function describeCards(client: Chitarrella, step: Step) {
  const game = await client.game(step.game_id ?? "");
  return step.cards.map((name) => written(cardOf(game, name), "code", "name", "suit", "order", "points"));
}

async function listKnownMoves(client: Chitarrella, step: Step) {
  const found = await client.rules.legalMoves(...positionAndSeat(step));
  return {
    ...written(found, "seat", "depends_on"),
    moves: found.moves.map(move),
    undecided: found.undecided.map((one) => ({ move: move(one.move), depends_on: one.dependsOn })),
  };
}

function readSeatMoves(moves: readonly SeatMoveJson[] = []) {
  return moves.map((made) => ({ seat: made.seat ?? undefined, move: readMove(made.move) }));
}

async function applyMoves(client: Chitarrella, { rule_set: ruleSet, position, moves }: Step) {
  const where = { ruleSet: readRuleSet(ruleSet), text: position };
  const { position: after, applied, refusals, legalMoves } = await client.rules.applyMoves(where, readSeatMoves(moves));
  return { text: after.text, applied, refusals: refusals.map(refusal), legal_moves: legalMoves.map(move) };
}

async function batch(client: Chitarrella, { questions = [] }: Step) {
  const { answers } = await client.rules.batch({ questions: questions.map(question) });
  return answers.map(({ kind }) => answer(kind));
}

/** Converts a question; it has the position of the step, or that of an earlier answer. */
function question(step: Step) {
  const { position_of: positionOf, seat } = step;
  const ruleSet = step.rule_set && readRuleSet(step.rule_set);
  const position = step.position === undefined ? undefined : { ruleSet, text: step.position };
  switch (step.op) {
    case "start_game":
      return { positionOf, kind: { case: "startGame", value: { ruleSet } } } as const;
    case "apply_moves": {
      const moves = (step.moves ?? []).map((made) => ({ seat: made.seat ?? undefined, move: messageOf(made.move) }));
      return { positionOf, kind: { case: "applyMoves", value: { position, moves } } } as const;
    }
    default:
      return { positionOf, kind: { case: "listLegalMoves", value: { position, seat: seat ?? undefined } } } as const;
  }
}

function messageOf({ verb, cards, dummy_seat: dummySeat }: SeatMoveJson["move"]) {
  return { verb, cards, dummySeat: dummySeat ?? undefined };
}

function answer(kind: v1.Answer["kind"]) {
  switch (kind.case) {
    case "startGame":
      return kind.value.position?.text;
    case "applyMoves": {
      const { position, applied, refusals, legalMoves } = kind.value;
      return { text: position?.text, applied, refusals: refusals.map(refusalOf), legal_moves: legalMoves.map(moveOf) };
    }
    case "listLegalMoves":
      return { seat: kind.value.seat ?? null, moves: kind.value.moves.map(moveOf) };
    case "error":
      return { error: written(errorOfStatus(kind.value), "code", "field") };
    default:
      throw new Error(`no answer of the kind ${kind.case} was asked for`);
  }
}

function moveOf(message: v1.Move) {
  return move({ ...message, shares: message.shares.map(({ person, amount }) => ({ person, amount: Number(amount) })) });
}

function refusalOf(message: v1.Refusal) {
  return refusal({ ...message, clause: message.clause ?? { key: "", text: "", source: "" } });
}

/** What the steps of a platform need of the player of the scenario. */
export interface Scene {
  readonly client: Chitarrella;
  readonly matches: ReadonlyMap<string, Match>;
  matchOf(step: Step): Match;
  keep(name: string, match: Match): void;
  play(steps: readonly Step[]): Promise<unknown[]>;
}

/**
 * Plays the steps of a platform. Other matches and webhooks of the platform than those of the scenario are left out of
 * every result, and what is left is sorted by name.
 */
export class PlatformPlayer {
  private readonly webhooks = new Map<string, string>();

  constructor(private readonly scene: Scene) {}

  readonly operations: Readonly<Record<string, (step: Step) => Promise<unknown>>> = {
    describe_match: async (step) => attached(await this.scene.matchOf(step).get()),
    list_matches: (step) => this.listMatches(step),
    get_matches: (step) => this.getMatches(step),
    watch_matches: (step) => this.watchMatches(step),
    abort_match: async (step) => ({ revision: (await this.scene.matchOf(step).abort()).revision }),
    join_match: async (step) => managed(await this.scene.matchOf(step).join(step.player_name)),
    resign_match: async (step) => managed(await this.scene.matchOf(step).resign()),
    decide_match: async (step) => managed(await this.scene.matchOf(step).decide(step.winners ?? [], step.reason ?? "")),
    update_match: async (step) => {
      const { external_id: externalId, labels, player_names: playerNames } = step;
      return managed(await this.scene.matchOf(step).update({ externalId, labels, playerNames }));
    },
    pause_clock: async (step) => managed(await this.scene.matchOf(step).pauseClock({ resume: step.resume })),
    add_time: async (step) => managed(await this.scene.matchOf(step).addTime(step.seat ?? 0, step.seconds ?? 0)),
    rotate_key: (step) => this.rotateKey(step),
    advance_clock: (step) => this.advanceClock(step),
    create_webhook: (step) => this.createWebhook(step),
    list_webhooks: () => this.listWebhooks(),
    update_webhook: (step) => this.updateWebhook(step),
    rotate_webhook_secret: async (step) => ({
      has_secret: (await this.scene.client.webhooks.rotateSecret(this.webhookOf(step))).startsWith("whsec_"),
    }),
    test_webhook: async (step) => delivery(await this.scene.client.webhooks.test(this.webhookOf(step))),
    list_deliveries: async (step) => (await this.deliveries(step)).map(delivery),
    resend_delivery: (step) => this.resendDelivery(step),
    delete_webhook: async (step) => {
      await this.scene.client.webhooks.delete(this.webhookOf(step));
      return null;
    },
  };

  private nameOf(matchId: string): string | undefined {
    return [...this.scene.matches].find(([, { id }]) => id === matchId)?.[0];
  }

  private async listMatches(step: Step) {
    const { external_id: externalId, labels, player_name: playerName, winner_name: winnerName } = step;
    const state = step.state as MatchState | undefined;
    const found: { match: string }[] = [];
    for await (const one of this.scene.client.matches({ externalId, labels, playerName, winnerName, state })) {
      const match = this.nameOf(one.matchId);
      if (match !== undefined) {
        found.push({ match, ...attached(one) });
      }
    }
    return found.sort((one, other) => one.match.localeCompare(other.match));
  }

  private async getMatches(step: Step) {
    const names = step.matches ?? [];
    const ids = names.map((name) => this.scene.matches.get(name)?.id ?? name);
    const found = await this.scene.client.getMatches(ids, this.scene.matchOf(step).key);
    return found.map(({ match: details, error }, index) => {
      const match = names[index];
      return error === undefined
        ? { match, ...written(details, "revision", "viewer") }
        : { match, error: written(error, "code", "field") };
    });
  }

  private async watchMatches({ steps = [], messages }: Step) {
    const updates: { match: string }[] = [];
    let started = false;
    for await (const update of this.scene.client.watchMatches()) {
      if (!started) {
        started = true; // at the first heartbeat: what happens after it is received
        await this.scene.play(steps);
      }
      const match = update && this.nameOf(update.matchId);
      if (update && match !== undefined) {
        updates.push({ match, ...platformUpdate(update) });
      }
      if (updates.length === messages) {
        break;
      }
    }
    return updates.sort((one, other) => one.match.localeCompare(other.match));
  }

  private async rotateKey(step: Step) {
    const match = this.scene.matchOf(step);
    const changed = await match.rotateKey(step.seat ?? undefined);
    this.scene.keep(step.as, changed);
    const seats = [...changed.keys.keys()].filter((seat) => changed.keys.get(seat) !== match.keys.get(seat));
    return { own: changed.key !== match.key, replaced: seats.sort((one, other) => one - other) };
  }

  private async advanceClock(step: Step) {
    const advance = await this.scene.matchOf(step).advanceClock(step.seconds ?? 0);
    return { ...written(advance, "timed_out"), ...written(advance.match, "revision") };
  }

  private async createWebhook({ as, url = "" }: Step) {
    const { webhook, secret } = await this.scene.client.webhooks.create(url);
    this.webhooks.set(as, webhook.webhookId);
    return { ...written(webhook, "url", "disabled", "configured"), has_secret: secret.startsWith("whsec_") };
  }

  private async listWebhooks() {
    const found = await this.scene.client.webhooks.list();
    return [...this.webhooks]
      .flatMap(([webhook, id]) =>
        found.filter(({ webhookId }) => webhookId === id).map(({ url, disabled }) => ({ webhook, url, disabled })),
      )
      .sort((one, other) => one.webhook.localeCompare(other.webhook));
  }

  private async updateWebhook(step: Step) {
    const { url, disabled } = step;
    return written(await this.scene.client.webhooks.update(this.webhookOf(step), { url, disabled }), "url", "disabled");
  }

  private webhookOf({ webhook = "" }: Step): string {
    return this.webhooks.get(webhook) ?? webhook;
  }

  private async deliveries(step: Step): Promise<Delivery[]> {
    const state = step.state as DeliveryState | undefined;
    const found: Delivery[] = [];
    for await (const one of this.scene.client.webhooks.deliveries(this.webhookOf(step), { state })) {
      found.push(one);
    }
    return found;
  }

  private async resendDelivery(step: Step) {
    const id = step.delivery ?? (await this.deliveries(step))[0]?.deliveryId ?? "";
    return delivery(await this.scene.client.webhooks.resend(this.webhookOf(step), id));
  }
}

function attached(match: MatchDetails) {
  const named = match.seats.filter(({ playerName }) => playerName);
  const names = Object.fromEntries(named.map(({ seat, playerName }) => [seat, playerName]));
  return { ...written(match, "external_id", "labels", "sandbox"), player_names: names };
}

function managed(match: MatchDetails) {
  const { outcome, seats } = match;
  return {
    ...attached(match),
    ...written(match, "state", "end_reason", "clock_paused", "pause_requested_by", "restrictions"),
    ...written(outcome, "winners", "ending"),
    joined: seats.filter(({ joined }) => joined).map(({ seat }) => seat),
    resigned: seats.filter(({ resigned }) => resigned).map(({ seat }) => seat),
    banks: seats.map(({ bank }) => bank).filter((bank) => bank !== undefined),
  };
}

function platformUpdate({ update, state }: PlatformUpdate) {
  const kinds = (update?.events ?? []).map(({ kind }) => kind);
  return { revision: update?.revision ?? null, kinds, state };
}

function delivery(value: Delivery) {
  return { ...written(value, "type", "state", "attempts"), has_error: value.error !== "" };
}

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
        results.push({ error: written(error, "code", "field") });
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
    suggest_move: async (step) => (await this.matchOf(step).explainHand({ suggest: true })).suggested !== undefined,
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
    const found = await this.client.rules.legalMoves(...positionAndSeat(step));
    return { ...written(found, "seat"), moves: found.moves.map(move) };
  }

  private async explainHand(step: Step) {
    const { moves } = await this.client.rules.explainHand(...positionAndSeat(step));
    return moves.map(explained);
  }

  private async validateMove(step: Step) {
    const [position, seat] = positionAndSeat(step);
    return validation(await this.client.rules.validateMove(position, readMove(step.move), seat));
  }

  private async resolveTrick({ rule_set: ruleSet, cards, trump }: Step) {
    const result = await this.client.rules.resolveTrick(readRuleSet(ruleSet), cards, trump ?? "");
    return { ...written(result, "winning_index", "winning_card"), scores: scoresByName(result.scores) };
  }

  private async scoreCards({ rule_set: ruleSet, cards, trump }: Step) {
    const result = await this.client.rules.scoreCards(readRuleSet(ruleSet), cards, trump);
    return { ...written(result, "depends_on"), scores: scoresByName(result.scores) };
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
    const { revision, view, viewer, outcome } = await this.matchOf(step).get();
    const hand = viewer === undefined ? [] : zoneOf(view, "hand", viewer).cards;
    return { revision, ...written(view, "phase", "scores"), ...waiting(view), ...written(outcome, "winners"), hand };
  }

  private async listMatchMoves(step: Step) {
    const found = await this.matchOf(step).legalMoves();
    return { ...written(found, "seat", "revision"), moves: found.moves.map(move) };
  }

  private async playMove(step: Step) {
    const options = { expectedRevision: step.expected_revision, requestId: step.request_id };
    const result = await this.matchOf(step).play(readMove(step.move), options);
    return {
      ...written(result, "accepted", "revision", "repeated_request"),
      refusals: result.refusals.map(refusal),
      events: result.events.map(event),
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
    return shuffles.map((shuffle) => ({ ...written(shuffle, "number", "supplied"), fair: isFair(shuffle, pack) }));
  }

  private async takeBack(step: Step) {
    const result = await this.matchOf(step).takeBack({ decline: step.decline });
    const awaited = result.match.takebackRequest?.awaitingAnswersFrom ?? [];
    return { ...written(result, "taken_back"), ...written(result.match, "revision"), awaiting_answers_from: awaited };
  }
}

function matchOptions(step: Step): MatchOptions {
  const {
    pack_source: packSource,
    bots,
    external_id: externalId,
    labels,
    player_names: playerNames,
    sandbox,
    restrictions,
  } = step;
  const clock = step.clock && { moveTime: step.clock[0], bank: step.clock[1] };
  return { packSource, bots, private: step.private, clock, externalId, labels, playerNames, sandbox, restrictions };
}

/** Reads the position of a step, or what it knows of one. */
function positionAndSeat({ rule_set, position, known, seat }: Step) {
  const ruleSet = readRuleSet(rule_set);
  const { stock_size: stockSize, ...parts } = known ?? {};
  return [known ? { ruleSet, ...parts, stockSize } : { ruleSet, text: position }, seat ?? undefined] as const;
}

function scoresByName(scores: readonly { name: string; value: number }[]) {
  return Object.fromEntries(scores.map(({ name, value }) => [name, value]));
}
