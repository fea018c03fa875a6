/** Every game played at the page, in windows of a phone and of a desktop, and one of them by keyboard alone. */

import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import type { CreatedMatch, GameSummary } from "../service.js";
import { create, get, type Scenario } from "./calls.js";
import type { Report } from "./in_page.js";
import { isReplayed } from "./record_scenarios.js";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
/** How long a press may take to be seen; after that the match has moved on, and the card is chosen again. */
const PRESS_MS = 3000;
/** After so many moves the picture of a table is taken, and the window is another one. */
const FIRST_MOVES = 6;
const MOST_MOVES = 150;
const MOST_TABS = 60;

/**
 * Plays the first deal of every game with the key of the referee, who sits at every seat: of one game the beginning on a
 * phone and the rest on a desktop, of the next game the other way round.
 */
async function games(page: Page, url: string): Promise<unknown> {
  const { games: all } = await get<{ games: GameSummary[] }>(`${url}/v1/games?pageSize=100`);
  await page.goto(`${url}/play/`);
  await addDriver(page);
  const found: Record<string, Report & { isReplayed: boolean }> = {};
  for (const [place, { gameId }] of all.entries()) {
    const match = await create(url, { gameId });
    const report = await deal(page, match, place + 1, gameId);
    found[gameId] = { ...report, isReplayed: await isReplayed(url, match.matchId, match.refereeKey) };
  }
  return found;
}

/** Lets the page play by itself; see `in_page.ts`. */
async function addDriver(page: Page): Promise<void> {
  await page.evaluate(await readFile(new URL("in_page.js", import.meta.url), "utf8"));
}

/** Plays the first deal of one match; a picture of the table is kept of both windows. */
async function deal(page: Page, match: CreatedMatch, seed: number, name: string): Promise<Report> {
  const fragment = `match=${match.matchId}&key=${match.refereeKey}`;
  await page.evaluate((to) => {
    location.hash = to;
  }, fragment);
  await page.getByRole("heading", { level: 2 }).first().waitFor();
  const [first, second] = seed % 2 ? [PHONE, DESKTOP] : [DESKTOP, PHONE];
  await page.setViewportSize(first);
  const begun = await page.evaluate(([one, most]) => window.playDeal(one, most), [seed, FIRST_MOVES] as const);
  for (const { width, height } of [first, second]) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `build/web/games/${name}-${width}.png` });
  }
  const ended = await page.evaluate(([one, most]) => window.playDeal(one, most), [seed, MOST_MOVES] as const);
  const { lines } = ended;
  const problems = [...begun.problems, ...ended.problems];
  return { moves: begun.moves + ended.moves, presses: begun.presses + ended.presses, lines, problems };
}

/** Chooses a match of Briscola with a bot and plays one deal, by Tab, the arrow keys and Enter alone. */
async function keyboard(page: Page, url: string): Promise<unknown> {
  await page.goto(`${url}/play/?game=briscola`);
  await page.locator("button[type=submit]:not([disabled])").waitFor();
  await tabTo(page, (name) => name === "Start the match");
  await page.keyboard.press("Enter");
  const card = page.getByRole("button", { name: /can be played$/ }).first();
  const deal = page.locator("[data-fact=deal]");
  await card.waitFor();
  const first = await deal.textContent();
  const style = await card.evaluate((one) => getComputedStyle(one).transitionProperty);
  let [presses, tabs] = [0, 0];
  while (first === (await deal.textContent()) && presses < MOST_MOVES) {
    await card.or(page.getByText("The match is finished")).first().waitFor();
    tabs += await tabTo(page, (name) => name.endsWith("can be played"));
    const name = await focused(page);
    await page.keyboard.press("Enter");
    presses++;
    // Nothing is detached where the match has moved on; then the card is chosen again.
    const pressed = page.getByRole("button", { name, exact: true });
    await pressed.waitFor({ state: "detached", timeout: PRESS_MS }).catch(() => undefined);
    await card.or(page.getByText("The match is finished")).first().waitFor();
  }
  return { presses, tabs, style, lines: await page.getByRole("log").getByRole("listitem").count() };
}

/** Presses Tab until what has the focus has a fitting name; gives how often. */
async function tabTo(page: Page, fits: (name: string) => boolean): Promise<number> {
  for (let tabs = 0; tabs <= MOST_TABS; tabs++) {
    if (fits(await focused(page))) {
      return tabs;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`no such control by keyboard; the last one is ${await focused(page)}`);
}

/** The name of what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let one = document.activeElement;
    while (one?.shadowRoot?.activeElement) {
      one = one.shadowRoot.activeElement;
    }
    return one?.getAttribute("aria-label") ?? one?.getAttribute("name") ?? one?.textContent ?? "";
  });
}

/** The scenarios by name. */
export const GAMES: Readonly<Record<string, Scenario>> = {
  games,
  keyboard,
};

/** What was seen of one match. */
interface Played {
  readonly moves: number;
  readonly log: readonly string[];
  readonly last: string;
}

/** Plays each game of another package, which is found by its title and begun from its rule book. */
async function packageGames(page: Page, url: string): Promise<unknown> {
  const listed = await (await page.request.get(`${url}/v1/games?pageSize=100`)).json();
  const found: Record<string, unknown> = {};
  for (const { gameId: id, title, distribution } of listed.games) {
    if (distribution !== "chitarrella") {
      await page.goto(url);
      await page
        .getByRole("link", { name: new RegExp(`^${title}`) })
        .first()
        .click();
      const clauses = await page
        .locator("[id]")
        .filter({ hasText: /^[A-Z]+-\d/ })
        .count();
      await page
        .getByRole("link", { name: /^Play this game$/ })
        .first()
        .click();
      found[id] = { clauses, ...(await play(page, title)) };
    }
  }
  return found;
}

/** Starts a match for two with an easy bot, and plays it to its end. */
async function play(page: Page, game: string): Promise<Played> {
  await page.getByText("Who plays", { exact: true }).click();
  await page.getByRole("combobox", { name: "Players" }).selectOption("2");
  await page.getByRole("combobox", { name: "Player 2" }).selectOption({ label: "bot: easy" });
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("combobox", { name: "Points that win" }).selectOption("11");
  await page.getByRole("button", { name: "Start the match" }).click();
  const table = page.getByRole("region", { name: `Table: ${game}` });
  await table.waitFor();
  await addDriver(page);
  const lines = table.getByRole("log").getByRole("listitem");
  const over = table.getByRole("status").getByText("The match is finished", { exact: true });
  let moves = 0;
  for (let deal = 1; !(await over.isVisible()); deal++) {
    moves += (await page.evaluate(([one, most]) => window.playDeal(one, most), [deal, MOST_MOVES] as const)).moves;
  }
  await lines.filter({ hasText: /wins? the match/ }).waitFor();
  const log = await lines.allTextContents();
  return { moves, log, last: log.at(-1) ?? "" };
}

/** The scenarios by name. */
export const PACKAGE_GAMES: Readonly<Record<string, Scenario>> = { packageGames };
