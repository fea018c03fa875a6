/** Chromium as the tests drive it: that on the PATH, without what it does in the background. */

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Finds the browser on the PATH. */
function chromiumOnPath(): string {
  const places = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "chromium"));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) {
    throw new Error("chromium is not on the PATH");
  }
  return found;
}

/** Starts the browser. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumOnPath(), args: FLAGS });
}
