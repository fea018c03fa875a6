/** The steps of a scenario that only a platform makes: with its API key, about its matches and its webhooks. */

import type {
  Chitarrella,
  Delivery,
  DeliveryState,
  Match,
  MatchState,
  MatchSummary,
  PlatformUpdate,
} from "chitarrella-client";
import type { Step } from "./json.js";

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
    abort_match: async (step) => ({ revision: await this.scene.matchOf(step).abort() }),
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

  private async listMatches({ external_id: externalId, labels, player_name: playerName }: Step) {
    const found: { match: string }[] = [];
    for await (const one of this.scene.client.matches({ externalId, labels, playerName })) {
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
    return found.map(({ match: state, error }, index) => {
      const match = names[index];
      return error === undefined
        ? { match, revision: state?.revision, seat: state?.seat ?? null }
        : { match, error: { code: error.code, field: error.field } };
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
    const { revision, timedOut } = await this.scene.matchOf(step).advanceClock(step.seconds ?? 0);
    return { revision, timed_out: timedOut };
  }

  private async createWebhook({ as, url = "" }: Step) {
    const { webhook, secret } = await this.scene.client.webhooks.create(url);
    this.webhooks.set(as, webhook.webhookId);
    const { disabled, configured } = webhook;
    return { url: webhook.url, disabled, configured, has_secret: secret.startsWith("whsec_") };
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
    const webhook = await this.scene.client.webhooks.update(this.webhookOf(step), { url, disabled });
    return { url: webhook.url, disabled: webhook.disabled };
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

function attached({ externalId, labels, playerNames, sandbox }: MatchState | MatchSummary) {
  const names = Object.fromEntries(playerNames.map(({ seat, name }) => [seat, name]));
  return { external_id: externalId, labels, player_names: names, sandbox };
}

function platformUpdate({ update, finished, aborted }: PlatformUpdate) {
  const kinds = (update?.events ?? []).map(({ kind }) => kind);
  return { revision: update?.revision ?? null, kinds, finished, aborted };
}

function delivery({ type, state, attempts, error }: Delivery) {
  return { type, state, attempts, has_error: error !== "" };
}
