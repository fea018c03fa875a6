/** Every game played at the page against bots, in windows of phones and desktops, and one of them by keyboard alone. */

import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { type Game, type GameSummary, pause, Service } from "../service.js";
import { createWith, get, keyOf, linesOf, playable, post, type Scenario, start } from "./calls.js";
import { isReplayed } from "./record_scenarios.js";

const WINDOWS = {
  phone: { width: 390, height: 844 },
  landscape: { width: 844, height: 390 },
  tablet: { width: 820, height: 1180 },
  desktop: { width: 1280, height: 800 },
};
/** Options that make a match short where they have their least value. */
const LENGTHS = ["rubber_games", "target", "game_target", "target_wins", "match_deals", "tokens", "lives", "min_deals"];
/** How long a press may take to be seen; after that the match has moved on, and the card is chosen again. */
const PRESS_MS = 3000;
/** So many moves are made at the usual speed, where it is measured for how long cards are seen. */
const TIMED_MOVES = 3;
const MOST_MOVES = 400;
const MOST_DEALS = 6;
const MOST_TABS = 60;

/** Plays a match of games in one window, of all games where none is named: at first at the usual speed, then at once. */
async function games(page: Page, url: string, size = "phone", ...only: readonly string[]) {
  const { games: all } = await get<{ games: GameSummary[] }>(`${url}/v1/games?pageSize=100`);
  await page.setViewportSize(WINDOWS[size as keyof typeof WINDOWS]);
  // The first move is made, and known, before the page knows what was done before it, and the stream begins last.
  await page.route(/\/events|:watch/, async (route) => {
    await pause(route.request().url().includes(":watch") ? 1000 : 500);
    await route.continue();
  });
  const found: Record<string, unknown> = {};
  for (const [place, { gameId }] of all.entries()) {
    if (!only.length || only.includes(gameId)) {
      found[gameId] = await playGame(page, url, gameId, place + 1).catch((error) => ({ problems: [String(error)] }));
    }
  }
  return found;
}

/** Plays a match; gives what was found at it, and of how many deals a summary is due. */
async function playGame(page: Page, url: string, gameId: string, seed: number, language = "en", least = LENGTHS) {
  const { options } = await get<Game>(`${url}/v1/games/${gameId}`);
  const lengths = options.filter(({ name, minimum }) => least.includes(name) && minimum !== undefined);
  const values = lengths.map(({ name, minimum = 0 }) => [name, String(Math.max(1, minimum))]);
  const sandbox = { sandbox: { seed: "tarallo" } };
  // A game may refuse the least value beside the others; then its match is as long as usual, and not played to its end.
  const created = await createWith(url, { gameId, options: Object.fromEntries(values) }, sandbox).catch(() =>
    createWith(url, { gameId }, sandbox),
  );
  const { matchId, refereeKey, seatKeys } = created;
  for (const { seat } of seatKeys.slice(1)) {
    await post(`${url}/v1/matches/${matchId}:assignBot`, { seat, bot: "greedy" }, refereeKey);
  }
  await page.goto("about:blank");
  await page.goto(`${url}/play/?language=${language}#match=${matchId}&key=${keyOf(created, seatKeys[0]?.seat)}`);
  await page.getByRole("heading", { level: 2 }).first().waitFor();
  await addDriver(page);
  const run = (most: number, speed: string) =>
    page.evaluate((given) => window.playMatch(...given), [seed, most, least.length ? MOST_DEALS : 1, speed] as const);
  const first = await run(TIMED_MOVES, "1");
  const rest = await run(MOST_MOVES, "0");
  const events = (await new Service(url, "en", refereeKey).events(matchId)).flatMap((update) => update.events);
  const begun = events.filter(({ kind }) => kind === "deal_started").length;
  return {
    ...rest,
    moves: first.moves + rest.moves,
    summaries: first.summaries + (first.isOver ? 0 : rest.summaries),
    problems: [...first.problems, ...rest.problems],
    deals: rest.isOver ? begun : begun - 1,
    isReplayed: await isReplayed(url, matchId, refereeKey),
  };
}

/** Takes pictures of a game in three languages, light and dark; gives for each the moments that never came. */
function moments(first: Page, url: string, gameId = "") {
  const takeAll = async (language: string) => {
    const left = new Set(["start", "trick", "refusal", "summary", "end"]);
    const page = await first.context().newPage();
    await page.setViewportSize(WINDOWS[(process.env["WINDOW"] ?? "phone") as keyof typeof WINDOWS]);
    await page.exposeFunction("take", async (moment: string) => {
      for (const colorScheme of left.delete(moment) ? (["light", "dark"] as const) : []) {
        const path = `../../build/web/pictures/${gameId}-${moment}-${language}-${colorScheme}.jpg`;
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path, quality: 60 });
      }
    });
    // A deal of a usual match has a summary, a short match an end.
    for (const least of [[], LENGTHS]) {
      await playGame(page, url, gameId, 1, language, least);
    }
    return [...left];
  };
  return Promise.all(["en", "it", "de"].map(takeAll));
}

/** Lets the page play by itself; see `in_page.ts`. */
async function addDriver(page: Page): Promise<void> {
  await page.evaluate(await readFile(new URL("in_page.js", import.meta.url), "utf8"));
}

/** Begins a match of Briscola on the first page and plays one deal, by Tab, the arrow keys and Enter alone. */
async function keyboard(page: Page, url: string): Promise<unknown> {
  await page.goto(`${url}/`);
  await tabTo(page, (name) => name === "Play Briscola");
  await page.keyboard.press("Enter");
  const card = playable(page);
  const end = page.getByRole("button", { name: "Continue" });
  await card.waitFor();
  // Found and asked in one step, for the table is drawn anew in between.
  const style = await page.evaluate(() => {
    const drawn = document.querySelector("chitarrella-table")?.shadowRoot?.querySelector("button.card");
    return drawn ? getComputedStyle(drawn).transitionProperty : "";
  });
  let [presses, tabs] = [0, 0];
  while (!(await end.isVisible()) && presses < MOST_MOVES) {
    tabs += await tabTo(page, (name) => name.endsWith("can be played"));
    const name = await focused(page);
    await page.keyboard.press("Enter");
    presses++;
    // Nothing is detached where the match has moved on; then the card is chosen again.
    const pressed = page.getByRole("button", { name, exact: true });
    await pressed.waitFor({ state: "detached", timeout: PRESS_MS }).catch(() => undefined);
    await card.or(end).first().waitFor();
  }
  await tabTo(page, (name) => name === "Continue");
  await page.keyboard.press("Enter");
  await card.waitFor();
  return { presses, tabs, style, lines: await linesOf(page).count() };
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

/** Starts a match with easy bots at all other seats, and plays it to its end. */
async function play(page: Page, game: string) {
  await page.getByText("Who plays", { exact: true }).click();
  for (const other of await page.getByRole("combobox", { name: /^Player [2-9]$/ }).all()) {
    await other.selectOption({ label: "bot: easy" });
  }
  await page.getByText("Options", { exact: true }).click();
  await page.getByLabel("Points that win").fill("1");
  await start(page);
  await page.getByRole("region", { name: `Table: ${game}` }).waitFor();
  await addDriver(page);
  const { moves } = await page.evaluate((most) => window.playMatch(1, most, most, "0"), MOST_MOVES);
  const log = await linesOf(page).allTextContents();
  return { moves, log };
}

export const GAMES: Readonly<Record<string, Scenario>> = { games, keyboard, packageGames, moments };
