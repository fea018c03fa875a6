/** The rules in Chromium: a page of a static server, with a strict policy, which may fetch from nowhere else. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { ChitarrellaError } from "chitarrella-client";
import type { Page } from "playwright-core";
import { launchChromium } from "../../typescript/conformance/chromium.js";
import type { Ask } from "./run.js";

/** The policy of a page with the table of a service. */
function policy(service: string): string {
  const others = `img-src ${service}; connect-src 'self' ${service}`;
  return `default-src 'none'; script-src 'self' 'wasm-unsafe-eval' ${service}; ${others}`;
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".json": "application/json",
};
const script = (packages: readonly string[]) => `import { loadRules } from "./rules.js";
const rules = loadRules({ packages: ${JSON.stringify(packages)} });
globalThis.ask = async (method, parameters) => {
  try {
    return { value: await (await rules)[method](...parameters) };
  } catch ({ code, message, field }) {
    return { error: { code, message, field } };
  }
};
globalThis.ready = rules.then(() => true);`;
const START_MS = 120_000;

/** Serves a folder and the page; returns the URL. */
async function serve(
  folder: string,
  service: string,
  packages: readonly string[],
): Promise<{ url: string; close: () => void }> {
  const server = createServer(async ({ url = "/" }, answer) => {
    const made = {
      "/": '<script type="module" src="page.js"></script>',
      "/page.js": script(packages),
    }[url];
    const found = made ?? (await readFile(join(folder, url)).catch(() => undefined));
    const type = url === "/" ? "text/html" : (TYPES[extname(url)] ?? "application/octet-stream");
    answer.writeHead(found === undefined ? 404 : 200, {
      "content-type": type,
      "content-security-policy": policy(service),
    });
    answer.end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`,
    close: () => server.close(),
  };
}

/** Opens the page and waits for the rules; `close` fails if the page has sent a request to another host. */
export async function openPage(
  folder: string,
  service: string,
  packages: readonly string[],
): Promise<{ page: Page; ask: Ask; close: () => Promise<void> }> {
  const site = await serve(folder, service, packages);
  const browser = await launchChromium();
  const page = await browser.newPage();
  const urls: string[] = [];
  const errors: string[] = [];
  page.setDefaultTimeout(START_MS);
  page.on("request", (request) => urls.push(request.url()));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text().slice(0, 300)));
  await page.goto(site.url);
  await page.waitForFunction("globalThis.ready").catch((error) => {
    throw new Error(`${errors.join("; ")}: ${String(error).slice(0, 300)}`);
  });
  const ask: Ask = async (method, ...parameters) => {
    const { value, error } = await page.evaluate(
      ([method, parameters]) =>
        (globalThis as unknown as { ask: (...asked: unknown[]) => never }).ask(method, parameters),
      [method, parameters] as const,
    );
    if (error) {
      const { code, message, field } = error as {
        code: string;
        message: string;
        field: string;
      };
      throw new ChitarrellaError(code, message, { field });
    }
    return value;
  };
  const close = async () => {
    await browser.close();
    site.close();
    const strangers = urls.filter((url) => !url.startsWith(site.url) && !url.startsWith(`${service}/`));
    if (strangers.length || errors.length) {
      throw new Error(`requests to ${strangers.join(" ")}; errors: ${errors.join("; ")}`);
    }
  };
  return { page, ask, close };
}
