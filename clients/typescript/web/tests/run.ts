/**
 * Plays at the page `/play/` of a service in Chromium and prints what it found, as JSON.
 *
 * `node build/web/run.mjs URL SCENARIO`; the scenarios are the functions of `scenarios.ts`.
 */

import { launchChromium } from "../../conformance/chromium.js";
import { ACCESS } from "./access.js";
import { GAMES, PACKAGE_GAMES } from "./games.js";
import { LOADING } from "./loading.js";
import { PRESSES } from "./presses.js";
import { FORMS, SCENARIOS } from "./scenarios.js";
import { STRANGER } from "./stranger.js";

const [url = "", name = ""] = process.argv.slice(2);
const scenario = { ...SCENARIOS, ...ACCESS, ...FORMS, ...GAMES, ...LOADING, ...PACKAGE_GAMES, ...PRESSES, ...STRANGER }[
  name
];
if (!scenario) {
  throw new Error(`there is no scenario ${name}`);
}
const browser = await launchChromium();
try {
  const context = await browser.newContext({
    viewport: { width: 390, height: 800 },
    locale: "en",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const seen: { urls: string[]; errors: string[] } = { urls: [], errors: [] };
  page.on("request", (request) => seen.urls.push(request.url()));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  page.on("pageerror", (error) => seen.errors.push(error.message));
  const found = await scenario(page, url);
  process.stdout.write(JSON.stringify({ ...seen, found }));
} finally {
  await browser.close();
}
