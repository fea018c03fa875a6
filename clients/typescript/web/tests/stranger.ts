/** What somebody does who knows nothing of the pages but what they say: roles and visible labels, and no address. */

import type { Locator, Page } from "playwright-core";
import type { Scenario } from "./calls.js";

const TABLE = /^Table: /;
const PLAYABLE = /can be played$/;
const FINISHED = "The match is finished";
/** Buttons that make no move of the game. */
const OTHERS = /take the last move back|Clear the selection|Close/;
/** What ends a match of Cucù soonest, where it can be chosen. */
const SHORTEST = /^(Do not pay|Keep the card|Propose nothing)/;
const MOST_MOVES = 400;
const MOST_TRICKS = 40;

/** Counts the taps on what has a role and a name. */
class Visitor {
  taps = 0;

  constructor(readonly page: Page) {}

  async tap(role: "link" | "button", name: string | RegExp): Promise<void> {
    await this.page.getByRole(role, { name }).first().click();
    this.taps++;
  }

  /** Chooses in a list: a tap that opens it, and one on the line. */
  async choose(list: string, line: string): Promise<void> {
    await this.page.getByRole("combobox", { name: list }).selectOption({ label: line });
    this.taps += 2;
  }
}

/** Everything, from the first page on: a match of Cucù, a refusal at Madrasso, all views, and the last request as curl. */
async function stranger(page: Page, url: string): Promise<unknown> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const visitor = new Visitor(page);
  await page.goto(url);
  await visitor.tap("link", /^Cucù/);
  await visitor.tap("link", "Play this game");
  await visitor.choose("Players", "4");
  await visitor.tap("button", "Start the match");
  const table = page.getByRole("region", { name: /^Table: Cucù/ });
  await table.waitFor();
  const { taps } = visitor;
  const bots = await table.getByRole("heading", { name: /bot: / }).count();
  const moves = await playToTheEnd(page, table);
  const last = await page.getByRole("log").getByRole("listitem").last().textContent();

  await visitor.tap("link", "New match");
  await visitor.choose("Game", "Madrasso");
  await visitor.tap("button", "Start the match");
  const refusal = await findRefusal(page);
  await page.getByRole("alert").getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: PLAYABLE }).first().click();

  await page.getByText("Requests", { exact: true }).click();
  const request = page
    .getByRole("listitem")
    .filter({ hasText: /^POST .*moves/ })
    .first();
  await request.getByText(/^POST/).click();
  await request.getByRole("button", { name: "Copy" }).click();
  await request.getByRole("button", { name: "Copied" }).waitFor();
  const curl = await page.evaluate("navigator.clipboard.readText()");

  await page.getByText("Invite", { exact: true }).click();
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "All views side by side" }).click();
  const views = await allViews(await opened);
  return { taps, bots, moves, last, refusal, curl, views };
}

/** Plays a match at a table by its buttons; gives how many moves that were. */
async function playToTheEnd(page: Page, table: Locator): Promise<number> {
  const over = table.getByText(FINISHED, { exact: true });
  const buttons = table.getByRole("region", { name: "Moves" }).getByRole("button").filter({ hasNotText: OTHERS });
  let moves = 0;
  while (moves < MOST_MOVES) {
    await buttons.or(over).first().waitFor();
    if (await over.isVisible()) {
      return moves;
    }
    const shortest = buttons.filter({ hasText: SHORTEST });
    const button = (await shortest.count()) ? shortest.first() : buttons.first();
    // A bot may have moved meanwhile, so that the button is there no more.
    moves += Number(
      await button.click({ timeout: 1000 }).then(
        () => true,
        () => false,
      ),
    );
    await page
      .getByText("Your turn", { exact: true })
      .waitFor({ state: "hidden", timeout: 300 })
      .catch(() => undefined);
  }
  return moves;
}

/** Plays until a card of the hand may not be played, and presses that card; gives what is read on it. */
async function findRefusal(page: Page): Promise<unknown> {
  const table = page.getByRole("region", { name: TABLE });
  const hand = table.getByRole("region", { name: /, you$/ }).getByRole("button");
  for (let tricks = 0; tricks < MOST_TRICKS; tricks++) {
    await table.getByText("Your turn", { exact: true }).waitFor();
    const playable = hand.and(page.getByRole("button", { name: PLAYABLE }));
    await playable.first().waitFor();
    const names = await hand.evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label") ?? ""));
    const illegal = names.find((name) => !PLAYABLE.test(name));
    if (illegal) {
      await hand
        .and(page.getByRole("button", { name: illegal, exact: true }))
        .first()
        .click();
      const refused = hand.and(page.getByRole("button", { name: /Not allowed: / }));
      await refused.waitFor();
      const alert = page.getByRole("alert").filter({ hasText: "Not allowed" });
      return {
        card: illegal,
        read: await refused.textContent(),
        name: await refused.getAttribute("aria-label"),
        described: await refused.getAttribute("aria-description"),
        allowed: await table.getByRole("button", { name: "can be played instead" }).count(),
        alert: await alert.textContent(),
      };
    }
    const name = (await playable.first().getAttribute("aria-label")) ?? "";
    await playable.first().click();
    await page.getByRole("button", { name, exact: true }).waitFor({ state: "detached" });
  }
  return undefined;
}

/** The views that stand side by side, each with the number of cards that it shows face up. */
async function allViews(page: Page): Promise<Record<string, number>> {
  const views = page.getByRole("region", { name: /^View: / });
  await views.getByRole("region", { name: TABLE }).last().waitFor();
  const found: Record<string, number> = {};
  for (const view of await views.all()) {
    const heading = view.getByRole("heading", { level: 2, name: /^View: / });
    const hands = view.getByRole("group", { name: /^The cards that a seat holds/ });
    await hands.first().waitFor();
    const cards = hands.getByRole("button").or(hands.getByRole("img"));
    found[(await heading.textContent()) ?? ""] = await cards.count();
  }
  return found;
}

/** The scenarios by name. */
export const STRANGER: Readonly<Record<string, Scenario>> = { stranger };
