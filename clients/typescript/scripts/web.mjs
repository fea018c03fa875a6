/**
 * Builds what the service serves to browsers from web/; with --check nothing is written, and it fails if the committed
 * files differ.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL("..", import.meta.url));
const served = join(here, "../../service/chitarrella/transports/rest/static");
const check = process.argv.includes("--check");

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: { client: "web/client.ts", play: "web/play.ts", ask: "web/ask.ts" },
  outdir: served,
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  banner: { js: "// Built from clients/typescript/web by npm run web; do not edit." },
  write: false,
});
for (const { path, text } of outputFiles) {
  if (!check) {
    writeFileSync(path, text);
  } else if (readFileSync(path, "utf8") !== text) {
    console.error(`${path} is not up to date: npm run web in clients/typescript`);
    process.exitCode = 1;
  }
}
