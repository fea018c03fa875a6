/**
 * The runner in a browser: a page of another origin, in Chromium, plays every scenario over Connect and over gRPC-Web.
 *
 * Both have the same results; if not, both are reported. Cutting connections and gRPC over TLS, which a page cannot do,
 * are done here.
 */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { launchChromium } from "./chromium.js";
import { environment, type Flags, readFlags, report, scenarios } from "./environment.js";

const PAGE = '<!doctype html><meta charset="utf-8"><title>Chitarrella</title><script src="page.js"></script>';

/** Serves the page at an origin of its own; returns its URL. */
async function serve(): Promise<{ url: string; close: () => void }> {
  const script = await readFile(new URL("../page.js", import.meta.url));
  const server = createServer(({ url }, answer) => {
    const asked = url === "/page.js";
    answer.setHeader("content-type", asked ? "text/javascript; charset=utf-8" : "text/html");
    answer.end(asked ? script : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Opens the page and gives it the functions of the environment. */
async function open(page: Page, url: string, flags: Flags): Promise<void> {
  const { cut, countOverTls } = environment(flags);
  await page.exposeFunction("cut", cut);
  await page.exposeFunction("countOverTls", countOverTls);
  await page.goto(url);
  await page.evaluate("window.runner = { cut: window.cut, countOverTls: window.countOverTls }");
}

/** Results as text, without the times in records. */
function withoutTimes(results: unknown): string {
  return JSON.stringify(results).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "");
}

async function playAll(page: Page, flags: Flags): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const { name, steps } of await scenarios(flags.scenarios)) {
    const play = (protocol: "connect" | "grpc-web") =>
      page.evaluate(([url, platform, protocol, steps]) => window.play(url, platform, protocol, steps), [
        `http://${flags.rest}`,
        { url: `http://${flags["platform-rest"]}`, apiKey: flags["api-key"] },
        protocol,
        steps,
      ] as const);
    const connect = await play("connect");
    const grpcWeb = await play("grpc-web");
    results[name] = withoutTimes(connect) === withoutTimes(grpcWeb) ? connect : [{ connect, "grpc-web": grpcWeb }];
  }
  return results;
}

async function main(): Promise<void> {
  const flags = readFlags();
  const site = await serve();
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await open(page, site.url, flags);
    await report(flags.report, "typescript-browser", await playAll(page, flags));
  } finally {
    await browser.close();
    site.close();
  }
}

await main();
