/**
 * Plays scenarios at the page `/play/` of a service, all in one Chromium, each in a new context.
 *
 * `node build/web/run.mjs URL` reads the name of a scenario from each line of its input, with words for it, and prints what
 * it found as a line of JSON. The scenarios are the functions of `scenarios.ts`.
 */

import { createInterface } from "node:readline";

import { launchChromium } from "../../conformance/chromium.js";
import { ACCESS } from "./access.js";
import type { Scenario } from "./calls.js";
import { GAMES } from "./games.js";
import { PRESSES } from "./presses.js";
import { SCENARIOS } from "./scenarios.js";

/** How long a page may take to show something, on a machine that has other work. */
const PATIENCE_MS = 60_000;
const url = process.argv[2] ?? "";
const scenarios: Record<string, Scenario> = { ...SCENARIOS, ...ACCESS, ...GAMES, ...PRESSES };
const browser = await launchChromium();
try {
  for await (const name of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify({ scenario: name, ...(await play(name)) })}\n`);
  }
} finally {
  await browser.close();
}

/** What a scenario finds, the addresses of all requests, and the errors of the page; or how the scenario failed. */
async function play(name: string) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 800 },
    locale: "en",
    reducedMotion: "reduce",
  });
  const seen: { urls: string[]; errors: string[] } = { urls: [], errors: [] };
  try {
    context.setDefaultTimeout(PATIENCE_MS);
    // Everything is shown at once, but where a scenario measures how long it is seen.
    await context.addInitScript(() => {
      try {
        localStorage.setItem("chitarrella-speed", "0");
      } catch {
        // An empty page keeps nothing.
      }
    });
    const page = await context.newPage();
    page.on("request", (request) => seen.urls.push(request.url()));
    page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
    page.on("pageerror", (error) => seen.errors.push(error.message));
    const [scenario = "", ...given] = name.split(" ");
    const run = scenarios[scenario];
    if (!run) {
      throw new Error(`there is no scenario ${scenario}`);
    }
    return { ...seen, found: await run(page, url, ...given) };
  } catch (error) {
    const path = `build/web/failed/${name.replaceAll(/\W+/g, "-")}.png`;
    const page = context.pages().at(-1);
    await page?.screenshot({ path, timeout: 5000 }).catch(() => undefined);
    const shown = await Promise.all(context.pages().map((page) => page.locator("body").ariaSnapshot()));
    return { ...seen, failure: [error instanceof Error ? error.stack : String(error), ...shown].join("\n") };
  } finally {
    await context.close();
  }
}
