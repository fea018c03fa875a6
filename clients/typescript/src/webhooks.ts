/** The webhooks of a platform, and what was delivered to them. */

import * as kinds from "./arguments.js";
import { date, newRequestId } from "./converters.js";
import * as pb from "./gen/chitarrella/v1/webhooks_pb.js";
import type { Repeating } from "./match.js";
import type { RetryingTransport } from "./transport.js";

/** Where the service sends messages to a platform. */
export interface Webhook {
  readonly webhookId: string;
  readonly url: string;
  /** When it was created; absent for one in the settings of the service. */
  readonly createTime?: Date;
  /** It receives no messages. */
  readonly disabled: boolean;
  /** It stands in the settings of the service; no call changes it. */
  readonly configured: boolean;
}

/**
 * A new webhook with the secret that signs its messages, for a library of Standard Webhooks. Printed, it has no secret.
 */
export class CreatedWebhook {
  readonly webhook: Webhook;
  readonly #secret: string;

  /** Returned by `Webhooks.create`. */
  constructor(webhook: Webhook, secret: string) {
    this.webhook = webhook;
    this.#secret = secret;
  }

  /** It is returned only here. */
  get secret(): string {
    return this.#secret;
  }
}

/**
 * The state of a delivery: "pending" if it will be attempted, "failed" if it is not attempted any more. "unspecified" is
 * a state that a newer service has added; in a filter, any state.
 */
export type DeliveryState = "unspecified" | "pending" | "sent" | "failed";

/** The delivery of a message to a webhook. */
export interface Delivery {
  readonly deliveryId: string;
  /** The id of the message: its header `webhook-id`. */
  readonly messageId: string;
  /** The type of the message, such as "match.moved". */
  readonly type: string;
  /** "" for a test message. */
  readonly matchId: string;
  readonly state: DeliveryState;
  /** The number of attempts. */
  readonly attempts: number;
  /** When the last attempt was made; absent without one. */
  readonly lastAttemptTime?: Date;
  /** The HTTP status of the last attempt; 0 without one. */
  readonly statusCode: number;
  /** Why the last attempt failed, such as "timed_out"; "" if it did not. */
  readonly error: string;
}

const STATES: Readonly<Record<pb.DeliveryState, DeliveryState>> = {
  [pb.DeliveryState.UNSPECIFIED]: "unspecified",
  [pb.DeliveryState.PENDING]: "pending",
  [pb.DeliveryState.SENT]: "sent",
  [pb.DeliveryState.FAILED]: "failed",
};

const STATE_NUMBERS: Readonly<Record<DeliveryState, pb.DeliveryState>> = {
  unspecified: pb.DeliveryState.UNSPECIFIED,
  pending: pb.DeliveryState.PENDING,
  sent: pb.DeliveryState.SENT,
  failed: pb.DeliveryState.FAILED,
};

/** The webhooks of the platform of the API key. */
export class Webhooks {
  readonly #transport: RetryingTransport;

  /** Created by the client. */
  constructor(transport: RetryingTransport) {
    this.#transport = transport;
  }

  /** Creates a webhook; the result has its secret, which no other call returns. A request id must be unguessable. */
  async create(url: string, repeating: Repeating = {}): Promise<CreatedWebhook> {
    kinds.repeatingKind(repeating);
    const requestId = repeating.requestId || newRequestId();
    const request = { url, requestId };
    const { webhook, secret } = await this.#transport.call(
      (options) => this.#transport.webhooks.createWebhook(request, options),
      { requestId },
    );
    return new CreatedWebhook(readWebhook(webhook), secret);
  }

  /** Lists the webhooks of the platform, the one in the settings of the service first. */
  async list(): Promise<readonly Webhook[]> {
    const { webhooks } = await this.#transport.call((options) => this.#transport.webhooks.listWebhooks({}, options));
    return webhooks.map(readWebhook);
  }

  /** Changes the URL of a webhook, disables or enables it; what is left out stays as it is. */
  async update(webhookId: string, changes: { readonly url?: string; readonly disabled?: boolean }): Promise<Webhook> {
    kinds.webhookChangesKind(changes);
    const { url, disabled } = changes;
    const request = { webhookId, url, disabled };
    return readWebhook(
      (await this.#transport.call((options) => this.#transport.webhooks.updateWebhook(request, options))).webhook,
    );
  }

  /** Replaces the secret of a webhook, and returns the new one; the old one signs beside it for 24 hours. */
  async rotateSecret(webhookId: string): Promise<string> {
    const request = { webhookId };
    return (await this.#transport.call((options) => this.#transport.webhooks.rotateWebhookSecret(request, options)))
      .secret;
  }

  /** Deletes a webhook with its deliveries. */
  async delete(webhookId: string): Promise<void> {
    await this.#transport.call((options) => this.#transport.webhooks.deleteWebhook({ webhookId }, options));
  }

  /** Sends a test message now, and returns its delivery, sent or failed. */
  async test(webhookId: string): Promise<Delivery> {
    const request = { webhookId };
    return readDelivery(
      (await this.#transport.call((options) => this.#transport.webhooks.testWebhook(request, options))).delivery,
    );
  }

  /** Iterates over the deliveries to a webhook, the latest first; with a state, over those in it. */
  async *deliveries(
    webhookId: string,
    filter: { readonly state?: DeliveryState } = {},
  ): AsyncGenerator<Delivery, void, undefined> {
    kinds.deliveryFilterKind(filter);
    const state = STATE_NUMBERS[filter.state ?? "unspecified"];
    let pageToken = "";
    do {
      const request = { webhookId, state, pageToken };
      const page = await this.#transport.call((options) => this.#transport.webhooks.listDeliveries(request, options));
      yield* page.deliveries.map(readDelivery);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /** Sends the message of a delivery again, and returns the delivery, which is pending then. */
  async resend(webhookId: string, deliveryId: string): Promise<Delivery> {
    const request = { webhookId, deliveryId };
    return readDelivery(
      (await this.#transport.call((options) => this.#transport.webhooks.resendDelivery(request, options))).delivery,
    );
  }
}

function readWebhook(message?: pb.Webhook): Webhook {
  const { webhookId = "", url = "", createTime, disabled = false, configured = false } = message ?? {};
  return { webhookId, url, createTime: date(createTime), disabled, configured };
}

function readDelivery(message?: pb.Delivery): Delivery {
  if (message === undefined) {
    throw new TypeError("a response without its delivery");
  }
  const { deliveryId, messageId, type, matchId, attempts, statusCode, error } = message;
  const state = STATES[message.state] ?? "unspecified";
  const lastAttemptTime = date(message.lastAttemptTime);
  return { deliveryId, messageId, type, matchId, state, attempts, lastAttemptTime, statusCode, error };
}
