/** Generates the code of the contract into a temporary folder, and fails if src/gen differs. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const kept = join(here, "src/gen");
const template = join(here, "buf.gen.yaml");

/** Every file of a folder with what is in it. */
function contents(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const named = files.map((file) => join(file.parentPath ?? file.path, file.name)).sort();
  return JSON.stringify(named.map((path) => [path.slice(folder.length), readFileSync(path, "utf8")]));
}

const fresh = mkdtempSync(join(tmpdir(), "chitarrella-gen-"));
try {
  // What is written to ../clients/typescript/src/gen from proto/ lands two folders further down.
  const run = { cwd: join(here, "../../proto"), stdio: "inherit" };
  const proto = join(fresh, "proto");
  execFileSync(join(here, "node_modules/.bin/buf"), ["generate", "--template", template, "--output", proto], run);
  if (contents(join(fresh, "clients/typescript/src/gen")) !== contents(kept)) {
    console.error("src/gen is not up to date: npm run generate");
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true });
}
