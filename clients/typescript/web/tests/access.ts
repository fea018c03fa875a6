/**
 * Looks for what keeps people from using a page, by the rules of axe-core for WCAG 2.2, levels A and AA; and does what
 * somebody does who knows nothing of the pages but what they say: roles and visible labels, and no address.
 */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Locator, Page } from "playwright-core";
import type { LegalMoves, View } from "../service.js";
import { CORNER, create, get, openMenu, post, type Scenario } from "./calls.js";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules whose answer depends on the colour scheme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
/** The least phone, on which nothing may scroll sideways, and a desktop. */
const WIDTHS = { phone: 360, desktop: 1280 };
const PLAYABLE = /can be played$/;
/** Not the Seven, which may be swapped too: then one chooses. */
const PLAYABLE_ONLY = /^(?!7 of ).*can be played$/;

interface Setting {
  readonly device: keyof typeof WIDTHS;
  readonly colorScheme: "light" | "dark";
}

const SETTINGS: readonly Setting[] = [
  { device: "phone", colorScheme: "light" },
  { device: "phone", colorScheme: "dark" },
  { device: "desktop", colorScheme: "light" },
  { device: "desktop", colorScheme: "dark" },
];

/** Looks at one page after the other, and keeps a picture of each. */
class Inspector {
  /** What was found, by page and setting; empty where nothing is wrong. */
  readonly findings: Record<string, string[]> = {};
  private readonly script = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

  constructor(private readonly page: Page) {}

  /** Looks at the page as it stands; in the second setting of a width only at the colours. */
  async inspect(name: string, settings = SETTINGS): Promise<void> {
    const { page } = this;
    await page.evaluate(await this.script);
    let before = "";
    for (const { device, colorScheme } of settings) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: WIDTHS[device], height: 800 });
      const found = await this.run(device !== before);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      const findings = [...found, ...(wide > 0 ? [`${wide} px too wide`] : [])];
      if (findings.length) {
        this.findings[`${name}, ${device}, ${colorScheme}`] = findings;
      }
      const file = `${name.replaceAll(/\W+/g, "-").replace(/^-|-$/g, "") || "home"}-${device}-${colorScheme}`;
      await page.screenshot({ path: `build/web/pages/${file}.png` });
      before = device;
    }
  }

  private run(all: boolean): Promise<string[]> {
    const runOnly: axe.RunOnly = all ? { type: "tag", values: TAGS } : { type: "rule", values: COLOUR_RULES };
    return this.page.evaluate(async (rules) => {
      const options = { runOnly: rules, resultTypes: ["violations" as const], preload: false };
      const { violations } = await window.axe.run(document, options);
      const line = (id: string, { target, any }: axe.NodeResult) =>
        `${id}: ${target.join(" ")} ${any[0]?.message ?? ""}`;
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => line(id, node)));
    }, runOnly);
  }
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** The rule books, and the guides: pages of one layout each. */
const ALIKE = /^\/docs\/(rules\/.|(?!api|errors|proofs)[a-z-]+$)/;

/**
 * Every page that links lead to, beginning with the first one, and one that there is not. Of those that look alike each
 * is looked at in one setting, in turn.
 */
async function pages(page: Page, url: string): Promise<unknown> {
  const inspector = new Inspector(page);
  const paths = ["/", "/there-is-no-such-page"];
  const seen: string[] = [];
  for (const path of paths) {
    const answer = await page.request.get(url + path, { headers: { accept: "text/html" } });
    const { pathname } = new URL(answer.url());
    if (!answer.headers()["content-type"]?.startsWith("text/html") || seen.includes(pathname)) {
      continue;
    }
    seen.push(pathname);
    const waitUntil = (await answer.text()).includes("<script") ? "networkidle" : "load";
    await page.goto(url + path, { waitUntil });
    await inspector.inspect(path, ALIKE.test(path) ? SETTINGS.slice(seen.length % 4).slice(0, 1) : SETTINGS);
    const links = await page.locator("a[href]").evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    const local = links.map((link) => new URL(link)).filter(({ origin }) => origin === url);
    paths.push(...new Set(local.map((link) => link.pathname).filter((one) => !paths.includes(one))));
  }
  return { seen, findings: inspector.findings };
}

/** The pages with scripts, with all that opens on them. */
async function parts(page: Page, url: string): Promise<unknown> {
  const inspector = new Inspector(page);
  await page.goto(`${url}/play/?game=briscola`);
  for (const part of await page.locator("summary").all()) {
    await part.click();
  }
  await inspector.inspect("form");
  await page.getByRole("button", { name: "Play with friends" }).click();
  await page.getByText("Player 2: has not come yet").waitFor();
  await inspector.inspect("waiting room");
  const { matchId, seatKeys, refereeKey } = await create(url, { gameId: "madrasso" });
  const match = `${url}/v1/matches/${matchId}`;
  const { view } = await get<{ view: View }>(match, refereeKey);
  const legal = await get<LegalMoves>(`${match}/legalMoves`, refereeKey);
  const key = seatKeys.find(({ seat }) => seat !== view.turn)?.key ?? "";
  await page.goto(`${url}/play/#match=${matchId}&key=${key}`);
  await page.locator(".own").getByRole("button").first().waitFor();
  await post(`${match}/moves`, { seat: legal.seat, move: legal.moves[0] }, refereeKey);
  await page.getByRole("log").getByRole("listitem").first().waitFor();
  await page.locator(".own").getByRole("button").first().click(CORNER);
  await page.getByRole("alert").filter({ hasText: "Not allowed" }).waitFor();
  await inspector.inspect("table");
  await openMenu(page);
  await page.getByText("Requests", { exact: true }).click();
  await page.getByRole("listitem").getByText(/^POST/).first().click();
  await inspector.inspect("menu");
  await page.goto(`${url}/play/#match=${matchId}&referee=${refereeKey}`);
  await page.getByRole("button", { name: PLAYABLE }).first().waitFor();
  await inspector.inspect("views");
  await page.goto(`${url}/ask/?game=madrasso&trump=d&trick=3c&hand=Ac,2s&taken=Ad`);
  await page.getByText(/^Cards taken: /).waitFor();
  await inspector.inspect("question");
  return { findings: inspector.findings };
}

/** The scenarios by name. */
export const ACCESS: Readonly<Record<string, Scenario>> = { pages, parts };

const TABLE = /^Table: /;
const FINISHED = "The match is finished";
/** Buttons that make no move of the game. */
const OTHERS = /Clear the selection/;
/** What ends a match of Cucù soonest, where it can be chosen. */
const SHORTEST = /^(Leave the game|Keep|Propose nothing)/;
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
  await page.getByText("Who plays", { exact: true }).click();
  visitor.taps++;
  await visitor.choose("Players", "4");
  await visitor.tap("button", "Start the match");
  const table = page.getByRole("region", { name: /^Table: Cucù/ });
  await table.waitFor();
  const { taps } = visitor;
  const bots = (await table.getByRole("heading", { level: 3 }).count()) - 1;
  const moves = await playToTheEnd(page, table);
  const last = await page.getByRole("log").getByRole("listitem").last().textContent();

  await visitor.tap("link", "New match");
  await visitor.choose("Game", "Madrasso");
  await visitor.tap("button", "Start the match");
  const refusal = await findRefusal(page);
  await page.getByRole("alert").getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: PLAYABLE_ONLY }).first().click(CORNER);

  await openMenu(page);
  await page.getByText("Requests", { exact: true }).click();
  const request = page
    .getByRole("listitem")
    .filter({ hasText: /^POST .*moves/ })
    .first();
  await request.getByText(/^POST/).click();
  await request.getByRole("button", { name: "Copy" }).click();
  await request.getByRole("button", { name: "Copied" }).waitFor();
  const curl = await page.evaluate("navigator.clipboard.readText()");

  await page.getByRole("link", { name: "All views side by side" }).click();
  const views = await allViews(page);
  return { taps, bots, moves, last, refusal, curl, views };
}

/** Plays a match at a table by its buttons; gives how many moves that were. */
async function playToTheEnd(page: Page, table: Locator): Promise<number> {
  const over = table.getByText(FINISHED, { exact: true });
  // Not by roles, which a browser computes for the whole page each time.
  const buttons = table.locator("[aria-label=Moves] button, [data-id='go on']").filter({ hasNotText: OTHERS });
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
    await page.locator("chitarrella-table [aria-busy=true]").waitFor({ state: "detached" });
  }
  return moves;
}

/** Plays until a card of the hand may not be played, and presses that card; gives what is read on it. */
async function findRefusal(page: Page): Promise<unknown> {
  const table = page.getByRole("region", { name: TABLE });
  const hand = table.getByRole("group", { name: "Your cards" }).getByRole("button");
  for (let tricks = 0; tricks < MOST_TRICKS; tricks++) {
    await table.getByText(/^Your turn/).waitFor();
    const playable = hand.and(page.getByRole("button", { name: PLAYABLE_ONLY }));
    await playable.first().waitFor();
    const names = await hand.evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label") ?? ""));
    const illegal = names.find((name) => !PLAYABLE.test(name));
    if (illegal) {
      await hand
        .and(page.getByRole("button", { name: illegal, exact: true }))
        .first()
        .click(CORNER);
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
    await playable.first().click(CORNER);
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
    await view.locator("[data-zone=hand]").last().waitFor();
    found[(await heading.textContent()) ?? ""] = await view
      .locator("[data-zone=hand] .card:not(.back, .faced)")
      .count();
  }
  return found;
}

/** The scenarios by name. */
export const STRANGER: Readonly<Record<string, Scenario>> = { stranger };
