/** What a stranger does at the page, by roles and visible names alone. Each returns what it saw. */

import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import type { CreatedMatch, Game, GameSummary, LegalMoves, View } from "../contract.js";
import type { Report } from "./in_page.js";

type Scenario = (page: Page, url: string) => Promise<unknown>;

const MOST_MOVES = 150;
const PLAYABLE = /can be played$/;

async function post<T>(url: string, body: object, key = ""): Promise<T> {
  const headers = { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return (await answer.json()) as T;
}

async function get<T>(url: string, key = ""): Promise<T> {
  const answer = await fetch(url, { headers: key ? { authorization: `Bearer ${key}` } : {} });
  return (await answer.json()) as T;
}

/** Creates a match whose deals are always the same. */
function create(url: string, ruleSet: object): Promise<CreatedMatch> {
  return post(`${url}/v1/matches`, { ruleSet, sandbox: { seed: "tarallo" } });
}

/** Plays a whole match of Briscola against a bot, every other card by keyboard. */
async function briscola(page: Page, url: string): Promise<unknown> {
  await page.goto(`${url}/play/`);
  await page.getByRole("combobox", { name: "Game" }).selectOption({ label: "Briscola" });
  await page.getByRole("combobox", { name: "Players" }).selectOption("2");
  await page.getByRole("combobox", { name: "Player 2" }).selectOption({ label: "bot: random" });
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("spinbutton", { name: "games won make the rubber" }).fill("1");
  await page.getByRole("button", { name: "Start the match" }).click();
  const card = page.getByRole("button", { name: PLAYABLE }).first();
  const over = page.getByText("The match is finished");
  const lines = page.getByRole("log").getByRole("listitem");
  let pressed = 0;
  let lostFocus = 0;
  for (;;) {
    await card.or(over).first().waitFor();
    if (await over.isVisible()) {
      break;
    }
    const name = (await card.getAttribute("aria-label")) ?? "";
    if (pressed % 2) {
      await card.click();
    } else {
      await card.press("Enter");
    }
    pressed++;
    await page.getByRole("button", { name, exact: true }).waitFor({ state: "detached" });
    const focused = await page.evaluate("document.activeElement?.localName");
    lostFocus += Number(focused !== "chitarrella-table" && !(await over.isVisible()));
  }
  await lines.filter({ hasText: "match won" }).waitFor();
  const log = await lines.allTextContents();
  return { pressed, lostFocus, log, address: page.url() };
}

/** Presses a card that does not follow suit, at a table in Italian. */
async function madrasso(page: Page, url: string): Promise<unknown> {
  const { matchId, seatKeys, refereeKey } = await create(url, { gameId: "madrasso" });
  const match = `${url}/v1/matches/${matchId}`;
  const { view } = await get<{ view: View }>(match, refereeKey);
  const leader = view.turn ?? 0;
  const seat = (leader + 1) % view.scores.length;
  const suits = (of: number) => view.zones.filter((zone) => zone.seat === of).flatMap((zone) => zone.cards);
  const lead = suits(leader).find((card) => suits(seat).some((other) => other.endsWith(card.slice(-1)))) ?? "";
  await post(`${match}/moves`, { seat: leader, move: { verb: "play_card", cards: [lead] } }, refereeKey);
  const legal = await get<LegalMoves>(`${match}/moves`, refereeKey);
  const key = seatKeys.find((one) => one.seat === seat)?.key ?? "";
  await page.goto(`${url}/play/?language=it#match=${matchId}&key=${key}`);
  const hand = page.getByRole("group", { name: `Posto ${seat}` }).getByRole("button");
  await hand.first().waitFor();
  const names = await hand.evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label") ?? ""));
  const illegal = names.filter((name) => !name.endsWith("si può giocare"));
  await page.getByRole("button", { name: illegal[0] ?? "", exact: true }).click();
  const alert = page.getByRole("alert").filter({ hasText: "Non permesso" });
  const link = alert.getByRole("link");
  const text = await alert.textContent();
  const glowing = page.getByRole("button", { name: /si può giocare invece$/ });
  const shadows = await glowing.evaluateAll((cards) => cards.map((card) => getComputedStyle(card).boxShadow));
  const result = { text, href: await link.getAttribute("href"), legal: legal.moves.length, names, illegal, shadows };
  const marks = await glowing.allTextContents();
  await alert.getByRole("button", { name: "Chiudi" }).click();
  return { ...result, marks, left: await glowing.count() };
}

/** Plays the first deal of every game, with the key of the referee, who sits at every seat. */
async function games(page: Page, url: string): Promise<unknown> {
  const script = await readFile(new URL("in_page.js", import.meta.url), "utf8");
  const { games: all } = await get<{ games: GameSummary[] }>(`${url}/v1/games?pageSize=100`);
  await page.goto(`${url}/play/`);
  await page.evaluate(script);
  const reports: Record<string, Report & { seconds: number }> = {};
  for (const [place, { gameId }] of all.entries()) {
    const started = Date.now();
    const { matchId, refereeKey } = await create(url, { gameId });
    await page.evaluate(`location.hash = "match=${matchId}&key=${refereeKey}"`);
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    const report = await page.evaluate(([seed, most]) => window.playDeal(seed, most), [place + 1, MOST_MOVES] as const);
    reports[gameId] = { ...report, seconds: (Date.now() - started) / 1000 };
  }
  return reports;
}

/** Watches without a key while the stream is cut; the moves made meanwhile are told once. */
async function spectator(page: Page, url: string): Promise<unknown> {
  const { matchId, refereeKey } = await create(url, { gameId: "briscola" });
  let cuts = 0;
  await page.route(/:watch/, async (route) => (cuts++ ? route.continue() : route.abort()));
  await page.goto(`${url}/play/#match=${matchId}`);
  await page.getByText("The connection is lost; connecting again").waitFor();
  await page.getByText("Connected", { exact: true }).waitFor();
  const moves = `${url}/v1/matches/${matchId}/moves`;
  const { seat, moves: legal } = await get<LegalMoves>(moves, refereeKey);
  await post(moves, { seat, move: legal[0] }, refereeKey);
  const log = page.getByRole("log").getByRole("listitem");
  await log.first().waitFor();
  const buttons = await page.locator("chitarrella-table").getByRole("button").count();
  const hidden = await page.getByText("face down").count();
  return { buttons, hidden, log: await log.allTextContents(), cuts };
}

/** A table whose pictures of coins are missing: they are text, the others pictures with the same names. */
async function pictures(page: Page, url: string): Promise<unknown> {
  const { matchId, refereeKey } = await create(url, { gameId: "briscola", players: 2 });
  await page.route("**/v1/games/briscola*", async (route) => {
    const game = (await (await route.fetch()).json()) as Game;
    const cards = game.cards.map((card) => ({ ...card, pictureUrl: `/test-cards/${card.code}.svg` }));
    await route.fulfill({ json: { ...game, cards } });
  });
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="60"/>';
  await page.route("**/test-cards/*", (route) => {
    const isMissing = route.request().url().endsWith("d.svg");
    return isMissing ? route.fulfill({ status: 404 }) : route.fulfill({ contentType: "image/svg+xml", body: svg });
  });
  await page.goto(`${url}/play/#match=${matchId}&key=${refereeKey}`);
  const cards = page.getByRole("button").or(page.getByRole("img", { name: /of/ }));
  await page.getByRole("button", { name: PLAYABLE }).first().waitFor();
  // A picture that fails is replaced, so that in the end all that are left have loaded.
  const isLoading = (all: Element[]) => all.some((one) => !(one as HTMLImageElement).naturalWidth);
  while (await page.locator("chitarrella-table img").evaluateAll(isLoading)) {
    await page.waitForTimeout(20);
  }
  return await cards.evaluateAll((all) =>
    all
      .filter((card) => card.classList.contains("card"))
      .map((card) => ({
        name: card.getAttribute("aria-label"),
        text: card.textContent,
        element: card.children[0]?.localName,
      })),
  );
}

/** The scenarios by name. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = { briscola, madrasso, games, spectator, pictures };
