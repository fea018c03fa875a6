/** Presses while the table is drawn anew, and what a browser loads until a table is shown. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import type { LegalMoves, View } from "../service.js";
import { CORNER, create, get, keyOf, linesOf, playable, post, type Scenario, viewOf } from "./calls.js";

/** A match of Briscola for two, with the keys of the seat to move and of the other one. */
async function briscola(url: string) {
  const created = await create(url, { gameId: "briscola", players: 2 });
  const match = `${url}/v1/matches/${created.matchId}`;
  const { turn = 0 } = await viewOf(url, created);
  const page = (key: string) => `${url}/play/#match=${created.matchId}&key=${key}`;
  return { match, page, leader: keyOf(created, turn), other: keyOf(created, 1 - turn) };
}

async function trick(match: string): Promise<readonly string[] | undefined> {
  const { view } = await get<{ view: View }>(match);
  return view.zones.find((zone) => zone.name === "trick")?.cards;
}

/** Presses a card, lets the table connect again and be drawn anew, and releases the card. Returns what was played. */
async function longPress(page: Page, url: string): Promise<unknown> {
  const { match, leader, page: address } = await briscola(url);
  await page.goto(address(leader));
  const connected = page.getByText("Connected", { exact: true });
  await connected.waitFor();
  const card = playable(page);
  const pressed = ((await card.getAttribute("data-id")) ?? "").split(" ")[2];
  await card.hover();
  await page.mouse.down();
  await page.evaluate("document.querySelector('chitarrella-table').cutStream()");
  await page.getByText("The connection is lost; connecting again").waitFor();
  await connected.waitFor();
  await page.mouse.up();
  await page.getByText("Your turn").waitFor({ state: "detached" });
  return { pressed, trick: await trick(match) };
}

/** Presses a card before its turn, which comes before the release: nothing is played that its reader has not seen. */
async function earlyPress(page: Page, url: string): Promise<unknown> {
  const { match, leader, other, page: address } = await briscola(url);
  await page.goto(address(other));
  await page.getByText("Connected", { exact: true }).waitFor();
  const card = page.locator(".own").getByRole("button", { name: / of / }).first();
  await card.hover();
  await page.mouse.down();
  const { moves } = await get<LegalMoves>(`${match}/legalMoves`, leader);
  await post(`${match}/moves`, { move: moves[0] }, leader);
  await linesOf(page)
    .filter({ hasText: / plays / })
    .waitFor();
  const before = await page.getByText("Your turn").count();
  await page.mouse.up();
  await page.getByText("Your turn").waitFor();
  const lead = await trick(match);
  await playable(page).click();
  await page
    .locator("[data-zone=trick] .card")
    .nth(1)
    .or(page.getByText(/takes? the trick/))
    .first()
    .waitFor();
  return { before, lead };
}

/** Chooses the cards to pass at Hearts, at a seat that is not the first of those that choose at the same time. */
async function passing(page: Page, url: string): Promise<unknown> {
  const created = await create(url, { gameId: "hearts" });
  const { turns } = await viewOf(url, created);
  await page.goto(`${url}/play/#match=${created.matchId}&key=${keyOf(created, turns.at(-1))}`);
  const turn = await page.getByText(/^Your turn: /).textContent();
  await page.waitForFunction(() => document.title.startsWith("●"));
  for (const place of [0, 1, 2]) {
    await page.locator(".own .card").nth(place).click(CORNER);
  }
  await page.locator(".moves .primary").click();
  await page.getByText(/ is thinking$/).waitFor();
  return { turns, turn, title: await page.title() };
}

/** The bytes that are loaded until a table with its pictures is shown to who has never been here. */
async function weight(page: Page, url: string): Promise<unknown> {
  const { matchId, refereeKey } = await create(url, { gameId: "madrasso" });
  await page.goto(`${url}/play/#match=${matchId}&key=${refereeKey}`);
  await playable(page).waitFor();
  await page.waitForFunction(() => {
    const root = document.querySelector("chitarrella-table")?.shadowRoot;
    return [...(root?.querySelectorAll("img") ?? [])].every((one) => one.complete && one.naturalWidth > 0);
  });
  const loaded = await page.evaluate(() => {
    const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return (entries as PerformanceResourceTiming[]).map(({ name, encodedBodySize }) => [
      new URL(name).pathname,
      encodedBodySize,
    ]);
  });
  return { loaded, elsewhere: await elsewhere(page, url, matchId) };
}

/** Shows the same table on a page of another site, which has one script. */
async function elsewhere(page: Page, url: string, match: string): Promise<unknown> {
  const script = `<script type="module" src="${url}/client.js"></script>`;
  const site = createServer((_, answer) => {
    answer.setHeader("content-type", "text/html").end(`${script}<chitarrella-table match="${match}">`);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  try {
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.getByRole("region", { name: "Table: Madrasso" }).waitFor();
    return await page.getByText("face down").count();
  } finally {
    site.close();
    site.closeAllConnections();
  }
}

export const PRESSES: Readonly<Record<string, Scenario>> = { longPress, earlyPress, passing, weight };
