/** Games of other packages, found and played to their end by what a stranger sees: roles, names and labels alone. */

import type { Locator, Page } from "playwright-core";
import type { Scenario } from "./calls.js";

/** More moves than a match to the lowest target has. */
const MOST_MOVES = 400;
/** How often, every 20 ms, a move is waited for before it is tried again. */
const PATIENCE = 100;

/** What was seen of one match. */
interface Played {
  readonly moves: number;
  readonly log: readonly string[];
  readonly headings: readonly string[];
  readonly last: string;
}

/** Plays Scopa, whose captures are moves of their own, and Tressette, whose cards are tapped. */
async function packageGames(page: Page, url: string): Promise<unknown> {
  await page.goto(url);
  await page
    .getByRole("link", { name: /^Scopa/ })
    .first()
    .click();
  const clauses = await page.getByText(/^SCO-4\.3/).count();
  await page
    .getByRole("link", { name: /^Play this game$/ })
    .first()
    .click();
  const scopa = await play(page, "Scopa");
  await page.goto(`${url}/play/`);
  await page.getByRole("combobox", { name: "Game" }).selectOption({ label: "Tressette" });
  return { clauses, scopa, tressette: await play(page, "Tressette") };
}

/** Starts a match for two with a greedy bot, and plays it to its end. */
async function play(page: Page, game: string): Promise<Played> {
  await page.getByRole("combobox", { name: "Players" }).selectOption("2");
  await page.getByRole("combobox", { name: "Player 2" }).selectOption({ label: "bot: greedy" });
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("combobox", { name: /The score that wins the match/ }).selectOption("11");
  await page.getByRole("button", { name: "Start the match" }).click();
  const table = page.getByRole("region", { name: `Table: ${game}` });
  await table.waitFor();
  const lines = table.getByRole("log").getByRole("listitem");
  const over = table.getByRole("status").getByText("The match is finished");
  let moves = 0;
  for (; moves < MOST_MOVES; moves++) {
    await choices(table).or(over).first().waitFor();
    if (await over.isVisible()) {
      break;
    }
    await move(table);
  }
  await lines.filter({ hasText: /wins? the match/ }).waitFor();
  const log = await lines.allTextContents();
  const headings = await table.getByRole("heading", { level: 3 }).allTextContents();
  return { moves, log, headings, last: log.at(-1) ?? "" };
}

/** The captures and declarations that are offered as buttons, and the cards that can be played. */
function choices(table: Locator): Locator {
  return captures(table).or(table.getByRole("button", { name: /can be played$/ }));
}

/** The captures of a card of the hand. */
function captures(table: Locator): Locator {
  return table.getByRole("group", { name: /^Take cards from the table/ }).getByRole("button");
}

/**
 * Makes the first move there is: a capture, or a card, which is confirmed where several could be chosen.
 *
 * A press does nothing where the match goes on while it lasts: then the caller tries again.
 */
async function move(table: Locator): Promise<void> {
  const first = ((await captures(table).count()) ? captures(table) : choices(table)).first();
  const name = (await first.getAttribute("aria-label")) ?? (await first.textContent()) ?? "";
  await first.click({ timeout: 5000 }).catch(() => undefined);
  const made = table.getByRole("button", { name, exact: true });
  const confirm = table
    .getByRole("group", { name: /^Selected: / })
    .getByRole("button")
    .first();
  for (let waited = 0; waited < PATIENCE && (await made.count()); waited++) {
    if (await confirm.isVisible()) {
      await confirm.click({ timeout: 1000 }).catch(() => undefined);
    }
    await table.page().waitForTimeout(20);
  }
}

/** The scenarios by name. */
export const PACKAGE_GAMES: Readonly<Record<string, Scenario>> = { packageGames };
