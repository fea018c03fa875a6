/** The options of every game in the form of `/play/`, and questions of the page `/ask/` as they are cited. */

import type { Page } from "playwright-core";
import type { GameSummary, Match } from "../contract.js";
import { get, type Scenario } from "./calls.js";

/** What the form shows of the options of each game: the labels, and the lines of the lists; in Italian. */
async function options(page: Page, url: string): Promise<unknown> {
  const { games } = await get<{ games: readonly GameSummary[] }>(`${url}/v1/games?pageSize=100`);
  const found: Record<string, string[]> = {};
  for (const { gameId } of games) {
    await page.goto(`${url}/play/?game=${gameId}&language=it`);
    await page.getByText("Opzioni", { exact: true }).click();
    const group = page.locator("details").filter({ hasText: "Opzioni" });
    found[gameId] = await group.locator("label span, option").allTextContents();
  }
  return found;
}

/** Chooses a word, a seat and a number among the options of Coteccio, and reads the rule set of the match. */
async function chosenOptions(page: Page, url: string): Promise<unknown> {
  await page.goto(`${url}/play/?game=coteccio`);
  await page.getByRole("combobox", { name: "Players" }).selectOption("3");
  await page.getByText("Options", { exact: true }).click();
  const list = (name: string) => page.getByRole("combobox", { name });
  await list("How often the doctor may be called").selectOption({ label: "without limit" });
  await list("How many lives one may have at most").selectOption({ label: "a number" });
  await page.getByRole("spinbutton", { name: "How many lives one may have at most" }).fill("7");
  await list("Which seat deals first").selectOption({ label: "Seat 2" });
  const seats = await list("Which seat deals first").getByRole("option").allTextContents();
  await page.getByRole("button", { name: "Start the match" }).click();
  await page.getByRole("region", { name: /^Table: Coteccio/ }).waitFor();
  const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("match");
  const { ruleSet } = await get<Match>(`${url}/v1/matches/${id}`);
  return { seats, ruleSet };
}

/** Reads the answer to one question in each language, copies it, and asks about a game without tricks. */
async function citations(page: Page, url: string): Promise<unknown> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const question = "game=madrasso&option.must_trump_if_void=true&trump=d&trick=3c&hand=Ac,2s,4s&taken=Ad";
  const texts: Record<string, string> = {};
  const links: (string | null)[] = [];
  for (const language of ["it", "de", "en"]) {
    await page.goto(`${url}/ask/?${question}&language=${language}`);
    const citation = page.getByRole("paragraph").filter({ hasText: "Chitarrella" });
    await citation.waitFor();
    texts[language] = (await citation.textContent()) ?? "";
    links.push(await citation.getByRole("link").getAttribute("href"));
  }
  await page.getByRole("button", { name: "Copy the answer" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate("navigator.clipboard.readText()");
  const address = page.url();
  await page.goto(`${url}/ask/?game=cucu`);
  const note = page.getByRole("status").filter({ hasText: "not played in tricks" });
  await note.waitFor();
  const games = await page.getByRole("combobox", { name: "Game" }).getByRole("option").allTextContents();
  return { texts, links, copied, address, note: await note.textContent(), games };
}

/** The scenarios by name. */
export const FORMS: Readonly<Record<string, Scenario>> = { options, chosenOptions, citations };
