/** A match as its reader sees it, and what may happen to it besides moves. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { type DescMessage, type Message, toJson } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { MatchDetails } from "chitarrella-client";
import { Ending, MatchService, PackSource, Restriction } from "chitarrella-client/v1";
import { CREATED, clientOf, matchOf } from "./fake_service.js";

const time = timestampFromMs(CREATED.getTime() + 60_000);
const later = new Date(CREATED.getTime() + 60_000);

test("a match has its words, its times as dates, and durations in seconds", async () => {
  const client = clientOf({
    getMatch: () => ({
      ...matchOf(true, "c"),
      updateTime: time,
      endTime: time,
      packSource: PackSource.SHARED,
      clock: { moveTime: durationFromMs(1_500), bank: durationFromMs(300_000), startsWhenJoined: true },
      seats: [
        { seat: 0, playerName: "Anna", bank: durationFromMs(12_250), joined: true, resigned: true, present: true },
        { seat: 1, bot: { seat: 1, bot: "search", thinkTime: durationFromMs(500) }, playedBy: 0, lastSeenTime: time },
      ],
      outcome: { winners: [1], ending: Ending.RESIGNED },
      endReason: "late",
      restrictions: [Restriction.NO_BOTS, 99 as Restriction],
      clockPaused: true,
      pauseRequestedBy: [1],
      viewer: 0,
    }),
  });
  const { createTime, updateTime, expireTime, ...match } = await client.match("m").get();
  assert.deepEqual([createTime, updateTime, match.endTime, expireTime], [CREATED, later, later, undefined]);
  assert.deepEqual([match.state, match.over, match.packSource, match.endReason], ["finished", true, "shared", "late"]);
  assert.deepEqual(match.clock, { moveTime: 1.5, bank: 300, increment: undefined, startsWhenJoined: true });
  const anna = { seat: 0, playerName: "Anna", bot: undefined, playedBy: undefined, bank: 12.25 };
  const search = { seat: 1, bot: "search", thinkTime: 0.5, delay: undefined };
  const bot = { seat: 1, playerName: "", bot: search, playedBy: 0, bank: undefined };
  assert.deepEqual(match.seats, [
    { ...anna, joined: true, resigned: true, present: true, lastSeenTime: undefined },
    { ...bot, joined: false, resigned: false, present: false, lastSeenTime: later },
  ]);
  assert.deepEqual(match.outcome, { winners: [1], ending: "resigned" });
  assert.deepEqual(match.restrictions, ["no_bots", "unspecified"]);
  assert.deepEqual([match.clockPaused, match.pauseRequestedBy, match.viewer], [true, [1], 0]);
  assert.deepEqual([match.view.zones, match.view.waiting], [[], "unspecified"]);
});

test("each call sends what it was given, and returns the match after it", async () => {
  let received: unknown[] = [];
  const { abortMatch, addTime, assignBot, decideMatch, joinMatch, pauseClock, resignMatch, updateMatch } =
    MatchService.method;
  const methods = [abortMatch, addTime, assignBot, decideMatch, joinMatch, pauseClock, resignMatch, updateMatch];
  const answers = methods.map(({ name, localName, input }) => [
    localName,
    (request: Message) => {
      received = [name, toJson(input as DescMessage, request)];
      return { ...matchOf(false, "c"), revision: 7 };
    },
  ]);
  const referee = clientOf(Object.fromEntries(answers)).match("m", "key").asSeat(1);
  const changes = { externalId: "", labels: { cup: "" }, playerNames: { 0: "Ugo" }, expireAfter: 60 };
  const sentChanges = { externalId: "", labels: { cup: "" }, playerNames: [{ name: "Ugo" }], expireAfter: "60s" };
  const calls: [() => Promise<MatchDetails>, string, object][] = [
    [() => referee.join("Anna"), "JoinMatch", { seat: 1, playerName: "Anna" }],
    [() => referee.resign(), "ResignMatch", { seat: 1 }],
    [() => referee.decide([0, 2], "late"), "DecideMatch", { winners: [0, 2], reason: "late" }],
    [() => referee.pauseClock({ resume: true }), "PauseClock", { seat: 1, resume: true }],
    [() => referee.abort("no players"), "AbortMatch", { reason: "no players" }],
    [() => referee.abort(), "AbortMatch", {}],
    [() => referee.assignBot("easy", 0.5, 1), "AssignBot", { seat: 1, bot: "easy", thinkTime: "0.500s", delay: "1s" }],
    [() => referee.addTime(0, 90, { requestId: "mine" }), "AddTime", { duration: "90s", requestId: "mine" }],
    [() => referee.update(changes), "UpdateMatch", sentChanges],
    [() => referee.update({}), "UpdateMatch", {}],
  ];
  for (const [call, name, fields] of calls) {
    const { revision, state } = await call();
    assert.deepEqual([revision, state], [7, "open"]);
    assert.deepEqual(received, [name, { matchId: "m", ...fields }]);
  }
});

test("a clock, restrictions and a lifetime are created with the match", async () => {
  const requests: unknown[] = [];
  const client = clientOf({
    createMatch: ({ clock, restrictions, expireAfter, bots: [bot] }) => {
      requests.push(clock?.moveTime, clock?.increment, clock?.startsWhenJoined, restrictions, expireAfter, bot?.delay);
      return { match: matchOf(false, "") };
    },
  });
  const clock = { moveTime: 30, increment: 0.5, startsWhenJoined: true };
  const others = { expireAfter: 3600, bots: [{ seat: 1, bot: "easy", delay: 0.5 }] };
  await client.createMatch("briscola", { clock, restrictions: ["no_takebacks", "no_spectators"], ...others });
  const times = [30_000, 500, 3_600_000].map((ms) => durationFromMs(ms));
  const words = [Restriction.NO_TAKEBACKS, Restriction.NO_SPECTATORS];
  assert.deepEqual(requests, [times[0], times[1], true, words, times[2], times[1]]);
});

test("a takeback and the clock have the match after them", async () => {
  const match = { ...matchOf(false, ""), takebackRequest: { seat: 0, awaitingAnswersFrom: [1] } };
  const received: unknown[] = [];
  const client = clientOf({
    takeBack: () => ({ takenBack: false, match }),
    enforceClock: () => ({ timedOut: true, match }),
    advanceClock: ({ duration, requestId }) => {
      received.push([duration, requestId]);
      return { time, timedOut: true, match };
    },
  });
  const referee = client.match("m", "referee");
  const { takenBack, match: after } = await referee.takeBack();
  assert.deepEqual([takenBack, after.takebackRequest], [false, { seat: 0, awaitingAnswersFrom: [1] }]);
  const enforced = await referee.enforceClock();
  assert.deepEqual([enforced.timedOut, enforced.match.matchId], [true, "m"]);
  const advance = await referee.advanceClock(60, { requestId: "mine" });
  assert.deepEqual([advance.time, advance.timedOut, advance.match.state], [later, true, "open"]);
  assert.deepEqual(received, [[durationFromMs(60_000), "mine"]]);
});

test("every page of events is read, with times and banks", async () => {
  const tokens: string[] = [];
  const client = clientOf({
    listEvents: ({ pageToken }) => {
      tokens.push(pageToken);
      const update = { revision: tokens.length, cursor: "c", events: [{ kind: "card_played" }] };
      const timed = { time, thinkTime: durationFromMs(2_500), deadline: time, banks: [durationFromMs(9_000)] };
      return pageToken === "more"
        ? { updates: [{ ...update, ...timed }] }
        : { updates: [update], nextPageToken: "more" };
    },
  });
  const updates: unknown[] = [];
  for await (const { revision, time: at, thinkTime, deadline, banks } of client.match("m").events("c0")) {
    updates.push([revision, at, thinkTime, deadline, banks]);
  }
  assert.deepEqual(tokens, ["c0", "more"]);
  assert.deepEqual(updates, [
    [1, undefined, undefined, undefined, []],
    [2, later, 2.5, later, [9]],
  ]);
});
