#!/usr/bin/env node
/** `chitarrella-rules FOLDER` copies what a page needs into a folder: rules.js, the wheel, Protocol Buffers and Pyodide beside it. */

import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** What `loadPyodide` reads. */
const PYODIDE = ["pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: chitarrella-rules FOLDER");
  process.exit(2);
}
const dist = fileURLToPath(new URL("../dist", import.meta.url));
const pyodide = dirname(fileURLToPath(import.meta.resolve("pyodide")));
mkdirSync(folder, { recursive: true });
copyFileSync(join(dist, "web/rules.js"), join(folder, "rules.js"));
for (const name of ["chitarrella.whl", "protobuf.zip"]) {
  copyFileSync(join(dist, name), join(folder, name));
}
for (const name of PYODIDE) {
  copyFileSync(join(pyodide, name), join(folder, name));
}
