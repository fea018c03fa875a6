/** Extracts the first example of the README, to be compiled and run against the service of the tests. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const example = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1];
const url = '"http://127.0.0.1:8080"';
if (!example?.includes(url)) {
  throw new Error(`the README has no example that connects to ${url}`);
}
mkdirSync(new URL("../example", import.meta.url), { recursive: true });
writeFileSync(
  new URL("../example/readme.ts", import.meta.url),
  `/** The example of the README, made by scripts/example.mjs. */\n\n${example.replace(url, 'String(process.env["CHITARRELLA_URL"])')}`,
);
