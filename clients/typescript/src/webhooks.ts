/** The webhooks of a platform, and what was delivered to them. */

import * as kinds from "./arguments.js";
import { newRequestId, numberOf } from "./converters.js";
import type { Open } from "./errors.js";
import { DeliveryState as DeliveryStates, WebhookService } from "./gen/chitarrella/v1/webhooks_pb.js";
import type { Repeating } from "./match.js";
import type { RetryingTransport } from "./transport.js";

const calls = WebhookService.method;

/** The types of messages that a webhook receives. */
export type EventType =
  | "match.created"
  | "match.moved"
  | "deal.finished"
  | "match.finished"
  | "match.aborted"
  | "match.expired";

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
  /** The types of messages that it receives; none for all. */
  readonly eventTypes: readonly Open<EventType>[];
}

/** The options of a new webhook. */
export interface CreatingWebhook extends Repeating {
  /** The types of messages that it receives. Default: all. */
  readonly eventTypes?: readonly Open<EventType>[];
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

/** The webhooks of the platform of the API key. */
export class Webhooks {
  readonly #transport: RetryingTransport;

  /** Created by the client. */
  constructor(transport: RetryingTransport) {
    this.#transport = transport;
  }

  /** Creates a webhook; the result has its secret, which no other call returns. A request id must be unguessable. */
  async create(url: string, creating: CreatingWebhook = {}): Promise<CreatedWebhook> {
    kinds.creatingWebhookKind(creating);
    const { requestId, eventTypes = [] } = creating;
    const request = { url, requestId: requestId || newRequestId(), eventTypes: [...eventTypes] };
    const { webhook, secret } = await this.#transport.call(calls.createWebhook, request);
    return new CreatedWebhook(webhook, secret);
  }

  /** Lists the webhooks of the platform, the one in the settings of the service first. */
  async list(): Promise<readonly Webhook[]> {
    return (await this.#transport.call(calls.listWebhooks, {})).webhooks;
  }

  /** Changes a webhook: its URL, whether it is disabled, the types of its messages; what is left out stays as it is. */
  async update(
    webhookId: string,
    changes: Partial<Pick<Webhook, "url" | "disabled" | "eventTypes">>,
  ): Promise<Webhook> {
    kinds.webhookChangesKind(changes);
    const { url, disabled, eventTypes = [] } = changes;
    const request = { webhookId, url, disabled, eventTypes: [...eventTypes] };
    return (await this.#transport.call(calls.updateWebhook, request)).webhook;
  }

  /** Replaces the secret of a webhook, and returns the new one; the old one signs beside it for 24 hours. */
  async rotateSecret(webhookId: string): Promise<string> {
    return (await this.#transport.call(calls.rotateWebhookSecret, { webhookId })).secret;
  }

  /** Deletes a webhook with its deliveries. */
  async delete(webhookId: string): Promise<void> {
    await this.#transport.call(calls.deleteWebhook, { webhookId });
  }

  /** Sends a test message now, and returns its delivery, sent or failed. */
  async test(webhookId: string): Promise<Delivery> {
    return (await this.#transport.call(calls.testWebhook, { webhookId })).delivery;
  }

  /** Iterates over the deliveries to a webhook, the latest first; with a state, over those in it. */
  async *deliveries(
    webhookId: string,
    filter: { readonly state?: DeliveryState } = {},
  ): AsyncGenerator<Delivery, void, undefined> {
    kinds.deliveryFilterKind(filter);
    const state = numberOf(DeliveryStates, filter.state ?? "unspecified");
    for await (const page of this.#transport.pages(calls.listDeliveries, { webhookId, state })) {
      yield* page.deliveries;
    }
  }

  /** Sends the message of a delivery again, and returns the delivery, which is pending then. */
  async resend(webhookId: string, deliveryId: string): Promise<Delivery> {
    const request = { webhookId, deliveryId };
    return (await this.#transport.call(calls.resendDelivery, request)).delivery;
  }
}
