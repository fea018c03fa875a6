/** Scenarios of what lies behind a match: its events, and its shuffles. */

import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { readRecord } from "../record_text.js";
import { Replay } from "../replay.js";
import { type CreatedMatch, type LegalMoves, Service } from "../service.js";
import { create, get, post } from "./calls.js";

/** Whether the rules give the same view after the moves of the record as the match has. */
export async function isReplayed(url: string, id: string, key: string): Promise<boolean> {
  const service = new Service(url, "en", key);
  const { view } = await service.match(id);
  const replay = await Replay.of(service, readRecord(await service.record(id)));
  const views = await replay.views(replay.last, [{ referee: true }]);
  return isDeepStrictEqual(views, [view]);
}

/** What seat 1 is shown to have seen after a revision. */
async function cardsOfSeat(page: Page, revision: string): Promise<unknown> {
  await page
    .getByRole("status")
    .filter({ hasText: `After revision ${revision}` })
    .waitFor();
  const seat = page.getByRole("region", { name: "View: Seat 1", exact: true }).locator("visible=true");
  const zones = await seat
    .locator("[data-zone=trick], [data-zone=hand]")
    .evaluateAll((all) =>
      all.map((zone) => `${zone.getAttribute("data-zone")} ${zone.querySelectorAll(".card").length}`),
    );
  return { zones, buttons: await seat.locator("chitarrella-table").getByRole("button").count() };
}

/** Goes back to earlier revisions by click and by arrow keys, without a copy; then opens a copy there. */
export async function history(page: Page, url: string): Promise<unknown> {
  await page.setViewportSize({ width: 1280, height: 900 });
  const { matchId, refereeKey } = await create(url, { gameId: "briscola", players: 2 });
  const match = `${url}/v1/matches/${matchId}`;
  for (let made = 0; made < 3; made++) {
    const { seat, moves } = await get<LegalMoves>(`${match}/moves`, refereeKey);
    await post(`${match}/moves`, { seat, move: moves[0] }, refereeKey);
  }
  await post(`${match}:takeBack`, {}, refereeKey);
  let copies = 0;
  page.on("request", (request) => {
    copies += Number(request.url().endsWith(":import"));
  });
  await page.goto(`${url}/play/#match=${matchId}&referee=${refereeKey}`);
  const list = page.getByRole("region", { name: "Events", exact: true }).getByRole("listitem");
  await list.filter({ hasText: "Beginning" }).waitFor();
  const events = await list.allTextContents();
  const cards = (revision: string) => cardsOfSeat(page, revision);
  await list.nth(1).getByRole("button").click();
  const dealt = await cards("1");
  await page.keyboard.press("ArrowDown");
  const played = await cards("2");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown"); // over the move that was taken back
  const after = await cards("5");
  await page.keyboard.press("Home");
  const beginning = await cards("0");
  await page.getByRole("slider").fill("2");
  await cards("2");
  const before = copies;
  await page.screenshot({ path: "build/web/history.png", fullPage: true });
  await page.getByRole("button", { name: "Open a copy of the match after these moves" }).click();
  await page.waitForURL((now) => !now.hash.includes(matchId));
  await list.nth(2).waitFor();
  return { events, dealt, played, after, beginning, before, copies, copied: await list.count() };
}

/** Lets the clock run out: of a test, whose time is moved, and of a match with a second for each move. */
export async function clock(page: Page, url: string): Promise<unknown> {
  const seen: Record<string, string | null> = {};
  const ruleSet = { gameId: "briscola", players: 2 };
  for (const [name, more] of Object.entries({
    test: { clock: { moveSeconds: 3600 }, sandbox: { seed: "tarallo" } },
    real: { clock: { moveSeconds: 1 } },
  })) {
    const { matchId, refereeKey } = await post<CreatedMatch>(`${url}/v1/matches`, { ruleSet, ...more });
    await page.goto(`${url}/play/#match=${matchId}&key=${refereeKey}`);
    await page.getByRole("timer").filter({ hasText: "time left" }).waitFor();
    await page.getByText("Connected", { exact: true }).waitFor();
    await page.getByText("Requests", { exact: true }).click();
    await page.getByRole("button", { name: "Let the clock run out" }).click();
    const line = page.getByRole("log").getByRole("listitem").filter({ hasText: "is over" }).first();
    await line.waitFor();
    seen[name] = await line.textContent();
    const call = name === "test" ? "advanceClock" : "enforceClock";
    await page
      .getByText(new RegExp(`POST .*:${call} · 200`))
      .first()
      .waitFor();
  }
  return seen;
}

/** Plays a match whose shuffle has a seed of each seat; the page proves it, and a forged one not. */
export async function fairDeal(page: Page, url: string): Promise<unknown> {
  const ruleSet = { gameId: "briscola", players: 2, options: { rubber_games: "1" } };
  const created = await post<CreatedMatch>(`${url}/v1/matches`, { ruleSet, packSource: "PACK_SOURCE_SHARED" });
  const { matchId, seatKeys, refereeKey } = created;
  const match = `${url}/v1/matches/${matchId}`;
  await page.goto(`${url}/play/#match=${matchId}&key=${seatKeys[0]?.key}`);
  await page.getByText("Fair deal", { exact: true }).click();
  const panel = page.locator(".fair-deal");
  await panel.getByText("Seeds are awaited from: Seat 0, Seat 1").waitFor();
  await page.getByRole("button", { name: "Add a seed to the shuffle" }).click();
  await panel.getByText("Seeds are awaited from: Seat 1").waitFor();
  const commitment = await panel.locator("code").first().textContent();
  await post(`${match}:contributeSeed`, { clientSeed: "tarallo" }, seatKeys[1]?.key);
  await panel.getByText("The nonce is secret").waitFor();
  for (;;) {
    const { seat, moves } = await get<LegalMoves>(`${match}/moves`, refereeKey);
    if (!moves[0]) {
      break;
    }
    await post(`${match}/moves`, { seat, move: moves[0] }, refereeKey);
  }
  await panel.getByText("The proof holds").first().waitFor();
  const shown = await panel.getByRole("listitem").last().textContent();
  const text = await panel.textContent();
  await page.locator("chitarrella-table").screenshot({ path: "build/web/fair_deal.png" });
  await page.route("**/shuffles", async (route) => {
    const answer = await (await route.fetch()).json();
    answer.shuffles.at(-1).cards.reverse();
    await route.fulfill({ json: answer });
  });
  const forged: Record<string, string | null> = {};
  for (const [language, title] of Object.entries({ it: "Smazzata equa", de: "Faires Geben" })) {
    await page.goto(`${url}/play/?language=${language}#match=${matchId}`);
    await page.getByText(title, { exact: true }).click();
    await panel.locator(".fails").first().waitFor();
    forged[language] = await panel.locator(".fails").first().textContent();
  }
  return { commitment, shown, text, forged };
}
