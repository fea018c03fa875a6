/** No key is in anything printed, a mistake of the caller is an error at once, and a dropped watch ends its call. */

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { format, inspect } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Connecting, connect, ErrorCode } from "chitarrella-client";
import { clientOf, lost, matchOf } from "./fake_service.js";

const SECRETS = [
  "referee-key",
  "seat-key",
  "watch-key",
  "new-key",
  "own-key",
  "platform-key",
  "whsec_secret",
  "request-id-of-keys",
];

const service = {
  createMatch: () => ({
    match: matchOf(false, ""),
    refereeKey: "referee-key",
    seatKeys: [{ seat: 0, key: "seat-key" }],
    spectatorKey: "watch-key",
  }),
  rotateKey: () => ({ key: "new-key" }),
  createWebhook: () => ({ webhook: { webhookId: "w" }, secret: "whsec_secret" }),
  importMatch() {
    throw lost();
  },
};

function printed(thing: unknown): string[] {
  const all = { showHidden: true, depth: Number.POSITIVE_INFINITY };
  const inspected = [{}, all, { ...all, customInspect: false }].map((options) => inspect(thing, options));
  return [...inspected, format("%s %o %O %j", thing, thing, thing, thing), JSON.stringify(thing), String(thing)];
}

test("no key is printed with any object, and each is there for who asks for it", async () => {
  const settings = { key: "own-key", apiKey: "platform-key", retries: 0 };
  const client = clientOf(service, settings);
  const created = await client.createMatch("briscola");
  const seat = created.asSeat(0);
  const rotated = await created.rotateKey(0);
  const opened = client.match("m");
  const webhook = await client.webhooks.create("https://example.com");
  const error = await client.importMatch("", { requestId: "request-id-of-keys" }).catch((failed) => failed);
  const watches = [seat.watch(), seat.watch()[Symbol.asyncIterator](), client.watchMatches()];
  const real = connect("http://localhost:8080", settings);
  const things = [
    client,
    real,
    real.rules,
    client.webhooks,
    created,
    seat,
    rotated,
    opened,
    webhook,
    error,
    ...watches,
  ];
  for (const thing of [...things, { table: things }]) {
    for (const text of printed(thing)) {
      assert.deepEqual(
        SECRETS.filter((secret) => text?.includes(secret)),
        [],
        text,
      );
    }
  }
  const readable = [created.key, seat.key, created.keys.get(0), rotated.keys.get(0), opened.key, webhook.secret];
  assert.deepEqual([created.spectatorKey, seat.spectatorKey, opened.spectatorKey], ["watch-key", "watch-key", ""]);
  assert.deepEqual(readable, ["referee-key", "seat-key", "seat-key", "new-key", "own-key", "whsec_secret"]);
  assert.equal(error.requestId, "request-id-of-keys");
  assert.equal(inspect(seat), "Match { id: 'm', seat: 0 }");
  assert.equal(String(seat), "match m as seat 0");
  real.close();
});

test("a mistake of the caller is an error at once, and names the argument", async () => {
  const client = clientOf({});
  const url = "http://localhost:8080";
  const options = (given: object) => client.createMatch("briscola", given);
  const known = (given: object) => client.rules.explainHand({ ruleSet: "briscola", ...given });
  const setting = async (given: object) => connect(url, given);
  await assertRefused([
    [
      () => client.createMatch({ gameId: "briscola", players: -1 }),
      "ruleSet.players",
      "takes a whole number from 0, not -1.",
    ],
    [() => client.createMatch({ gameId: "briscola", players: 2.5 }), "ruleSet.players", "not 2.5."],
    [() => options({ clock: 30 }), "clock", "takes an object with moveTime, bank, increment, startsWhenJoined."],
    [() => options({ privat: true }), "privat", "did you mean private?"],
    [() => options({ packSource: "client" }), "packSource", 'takes "service" or "referee" or "shared", not "client".'],
    [() => options({ bots: ["greedy"] }), "bots", "takes a list of seats of bots"],
    [() => known({ trick: "" }), "trick", "takes an object with cards, leader, declaredSuit."],
    [() => known({ trick: { card: [] } }), "trick.card", "did you mean cards?"],
    [() => client.match("m").asSeat(-1).get(), "", "invalid uint32: -1"],
    [() => client.match("m").asSeat(-1).watch()[Symbol.asyncIterator]().next(), "", "invalid uint32: -1"],
    [() => client.match("m").play({ verb: "play_card", card: "Ab" } as never), "move.card", "did you mean cards?"],
    [async () => client.match("m", "a\nb"), "key", "takes a text of letters"],
    [async () => client.match("m").watch({ cursr: "" } as never), "cursr", "did you mean cursor?"],
    [() => setting({ apiKey: "clé" }), "apiKey", "takes a text of letters"],
    [() => setting({ protocol: "rest" }), "protocol", 'not "rest".'],
    [async () => connect(`${url}/v1`), "url", "The URL has no path: it is http://localhost:8080."],
    [async () => connect("localhost:8080"), "url", "The URL begins with http:// or https://"],
  ]);
});

test("so is a mistake about a match, a clock, a list or a webhook", async () => {
  const client = clientOf({});
  const match = client.match("m");
  const options = (given: object) => client.createMatch("briscola", given);
  const listed = (given: object) => client.matches(given).next();
  await assertRefused([
    [() => options({ clock: { moveTime: -1 } }), "clock.moveTime", "takes a number of seconds from 0, not -1."],
    [() => options({ expiresAfter: 60 }), "expiresAfter", "did you mean expireAfter?"],
    [() => options({ restrictions: ["no_undo"] }), "restrictions", "takes a list of the words no_takebacks, no_bots,"],
    [() => match.decide("0" as never, "late"), "winners", 'takes a list of seats, not "0".'],
    [() => match.addTime(0, Number.NaN), "seconds", "takes a number of seconds from 0"],
    [() => match.advanceClock("60" as never), "seconds", "takes a number of seconds from 0"],
    [() => match.update({ label: {} } as never), "label", "did you mean labels?"],
    [() => listed({ createdAfter: "2026" }), "createdAfter", "takes a Date"],
    [() => client.webhooks.create("", { events: [] } as never), "events", "did you mean eventTypes?"],
  ]);
});

/** Every call is refused at once, with the field at fault and a sentence. */
async function assertRefused(cases: readonly [() => Promise<unknown>, string, string][]): Promise<void> {
  for (const [call, field, sentence] of cases) {
    const begun = performance.now();
    await assert.rejects(call, (error: Record<string, unknown>) => {
      assert.deepEqual([error["code"], error["field"]], [ErrorCode.BadRequest, field], String(error));
      assert(String(error["message"]).includes(sentence), String(error));
      return true;
    });
    assert(performance.now() - begun < 150, sentence);
  }
}

test("a call after close says that the client is closed", async () => {
  const client = clientOf({});
  client.close();
  await assert.rejects(client.match("m").get(), { message: "The client is closed." });
  assert.throws(() => client.match("m").watch(), { message: "The client is closed." });
});

test("another protocol at the address is said in a sentence", async () => {
  const answers: [Connecting["protocol"], string, string][] = [
    ["connect", "\0\0\x12\x04\0\0\0\0\0", "does not speak this protocol"],
    ["connect", "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n", "does not speak this protocol"],
    ["grpc", "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n", "does not speak this protocol"],
  ];
  for (const [protocol, answer, sentence] of answers) {
    const server = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.end(answer)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    for (const scheme of ["http", "https"]) {
      const client = connect(`${scheme}://127.0.0.1:${port}`, { protocol, retries: 0, timeoutMs: 2_000 });
      const expected = scheme === "http" ? sentence : "does not speak TLS";
      await assert.rejects(client.game("briscola"), (error: Error) => error.message.includes(expected));
      client.close();
    }
    server.close();
  }
});

test("a watch that is left, fails in its loop or is dropped ends its call", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  let open = 0;
  const client = clientOf({
    async *watchMatch(_, { signal }) {
      open += 1;
      signal.addEventListener("abort", () => {
        open -= 1;
      });
      yield { revision: 1, cursor: "c1", events: [{ kind: "card_played" }] };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  });
  const match = client.match("m");
  for await (const _ of match.watch()) {
    break;
  }
  const failing = async () => {
    for await (const _ of match.watch()) {
      throw new Error("of the caller");
    }
  };
  await assert.rejects(failing(), /of the caller/);
  assert.equal(open, 0);
  await match.watch()[Symbol.asyncIterator]().next();
  assert.equal(open, 1);
  for (let tries = 0; open > 0 && tries < 200; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
  }
  assert.equal(open, 0);
});
