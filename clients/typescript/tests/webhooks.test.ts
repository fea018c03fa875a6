/** Webhooks are created once under a request id; their deliveries are listed page by page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { type DeliveryState, ErrorCode } from "chitarrella-client";
import { DeliveryState as State } from "chitarrella-client/v1";
import { clientOf, failure, lost } from "./fake_service.js";

const webhook = { webhookId: "w", url: "https://example.com/hook", createTime: timestampFromMs(1_700_000_000_000) };
const plain = { ...webhook, createTime: new Date(1_700_000_000_000), disabled: false, configured: false };

test("a webhook that was created with a lost response is created once", async () => {
  const ids: string[] = [];
  const client = clientOf({
    createWebhook({ requestId }) {
      ids.push(requestId);
      if (ids.length === 1) {
        throw lost();
      }
      return { webhook, secret: "whsec_x" };
    },
  });
  assert.deepEqual(await client.webhooks.create(webhook.url), { webhook: plain, secret: "whsec_x" });
  assert.match(String(ids[0]), /^[0-9a-f]{32}$/);
  assert.deepEqual(ids, [ids[0], ids[0]]);
});

test("a webhook in the settings of the service has no time, and cannot be changed", async () => {
  const client = clientOf({
    listWebhooks: () => ({ webhooks: [{ webhookId: "settings", configured: true }, webhook] }),
    deleteWebhook() {
      throw failure(Code.FailedPrecondition, ErrorCode.WebhookConfigured);
    },
  });
  const [configured, other] = await client.webhooks.list();
  assert.deepEqual([configured?.configured, configured?.createTime], [true, undefined]);
  assert.deepEqual(other, plain);
  await assert.rejects(client.webhooks.delete("settings"), { code: ErrorCode.WebhookConfigured });
});

test("a change leaves what is left out", async () => {
  const changes: unknown[] = [];
  const client = clientOf({
    updateWebhook({ webhookId, url, disabled }) {
      changes.push([webhookId, url, disabled]);
      return { webhook: { ...webhook, disabled: disabled ?? false } };
    },
    rotateWebhookSecret: () => ({ secret: "whsec_y" }),
  });
  assert.deepEqual(await client.webhooks.update("w", { disabled: true }), { ...plain, disabled: true });
  await client.webhooks.update("w", { url: webhook.url, disabled: false });
  assert.deepEqual(changes, [
    ["w", undefined, true],
    ["w", webhook.url, false],
  ]);
  assert.equal(await client.webhooks.rotateSecret("w"), "whsec_y");
});

test("all pages of deliveries are fetched, in one state", async () => {
  const states: State[] = [];
  const client = clientOf({
    listDeliveries({ state, pageToken }) {
      states.push(state);
      const deliveryId = pageToken || "first";
      return { deliveries: [{ deliveryId, state: State.FAILED }], nextPageToken: pageToken === "" ? "second" : "" };
    },
  });
  const listed: [string, DeliveryState][] = [];
  for await (const { deliveryId, state } of client.webhooks.deliveries("w", { state: "failed" })) {
    listed.push([deliveryId, state]);
  }
  assert.deepEqual(listed, [
    ["first", "failed"],
    ["second", "failed"],
  ]);
  assert.deepEqual(states, [State.FAILED, State.FAILED]);
});

test("a tested and a resent delivery have their state, time and error", async () => {
  const lastAttemptTime = timestampFromMs(1_700_000_000_000);
  const client = clientOf({
    testWebhook: () => ({ delivery: { state: State.FAILED, attempts: 1, lastAttemptTime, error: "timed_out" } }),
    resendDelivery: ({ deliveryId }) => ({ delivery: { deliveryId, state: State.PENDING } }),
  });
  const { state, attempts, lastAttemptTime: time, error } = await client.webhooks.test("w");
  assert.deepEqual([state, attempts, time, error], ["failed", 1, plain.createTime, "timed_out"]);
  const resent = await client.webhooks.resend("w", "d");
  assert.deepEqual([resent.deliveryId, resent.state, resent.lastAttemptTime], ["d", "pending", undefined]);
});
