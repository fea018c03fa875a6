/** Looks for what keeps people from using a page, by the rules of axe-core for WCAG 2.2, levels A and AA. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { CORNER, create, linesOf, moveOnce, openRequests, playable, type Scenario, viewOf } from "./calls.js";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules whose answer depends on the colour scheme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
/** The least phone, on which nothing may scroll sideways, and a desktop. */
const WIDTHS = { phone: 360, desktop: 1280 };

const SETTINGS = (["phone", "desktop"] as const).flatMap((device) =>
  (["light", "dark"] as const).map((colorScheme) => ({ device, colorScheme })),
);

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
  const created = await create(url, { gameId: "madrasso" });
  const { matchId, seatKeys, refereeKey } = created;
  const { turn } = await viewOf(url, created);
  const key = seatKeys.find(({ seat }) => seat !== turn)?.key ?? "";
  await page.goto(`${url}/play/#match=${matchId}&key=${key}`);
  await page.locator(".own").getByRole("button").first().waitFor();
  await moveOnce(url, created);
  await linesOf(page).first().waitFor();
  await page.locator(".own").getByRole("button").first().click(CORNER);
  await page.getByRole("alert").filter({ hasText: "Not allowed" }).waitFor();
  await inspector.inspect("table");
  await openRequests(page);
  await page.getByRole("listitem").getByText(/^POST/).first().click();
  await inspector.inspect("menu");
  await page.goto(`${url}/play/#match=${matchId}&referee=${refereeKey}`);
  await playable(page).waitFor();
  await inspector.inspect("views");
  await page.goto(`${url}/ask/?game=madrasso&trump=d&trick=3c&hand=Ac,2s&taken=Ad`);
  await page.getByText(/^Cards taken: /).waitFor();
  await inspector.inspect("question");
  return { findings: inspector.findings };
}

export const ACCESS: Readonly<Record<string, Scenario>> = { pages, parts };
