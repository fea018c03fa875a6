/**
 * Builds what the service serves to browsers from web/; with --check nothing is written, and it fails if the committed
 * files differ. With --tests it builds the scenarios of the browser tests instead, into build/web.
 *
 * What more than one script has is a script of its own, so that a browser loads it once. The others import it with the
 * digest of its text in the address: a browser may keep it, and has never one of another version.
 */

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import zopfli from "@gfx/zopfli";
import { build } from "esbuild";

const here = fileURLToPath(new URL("..", import.meta.url));
const served = join(here, "../../service/chitarrella/transports/rest/website/static");
/** Compresses as zopfli does, by a thirtieth smaller than zlib. */
const gzip = promisify(zopfli.gzip);
const check = process.argv.includes("--check");
/** What more than one script of the pages has. */
const SHARED = ["board", "dom", "form", "names", "playback", "record_text", "service", "style", "words"];
/** The text of the scripts that no module of web/ is: of those that define an element, and of what is shared. */
const TEXTS = {
  client: element("chitarrella-table", "ChitarrellaTable", "table"),
  record: element("chitarrella-record", "ChitarrellaRecord", "record_element"),
  shared: SHARED.map((module) => `export * from "./${module}.js";`).join("\n"),
};
/** The scripts, each with the way from its address to the root of the service. */
const SCRIPTS = { client: "./", record: "./", home: "./", play: "../", ask: "../", records: "../", duel: "../" };

/** The text of a script that exports the class of an element, and defines it. */
function element(tag, name, module) {
  return `import { ${name} } from "./${module}.js";
export { ${name} };
if (!customElements.get("${tag}")) {
  customElements.define("${tag}", ${name});
}`;
}

/** Builds one script; gives its text, and the files in it. */
async function built(name, plugins) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: here,
    ...(name in TEXTS
      ? { stdin: { contents: TEXTS[name], resolveDir: join(here, "web"), sourcefile: `web/${name}.ts` } }
      : { entryPoints: [`web/${name}.ts`] }),
    bundle: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    minify: true,
    legalComments: "none",
    metafile: true,
    write: false,
    plugins,
  });
  return { text: outputFiles[0].text, files: Object.keys(metafile.inputs).map((file) => join(here, file)) };
}

/** Leaves the shared modules out of a script, which imports them from `address`. */
function sharedAt(address, files) {
  return {
    name: "shared",
    setup({ onResolve }) {
      onResolve({ filter: /^\.\/.*\.js$/ }, ({ path, resolveDir }) => {
        const isShared = files.includes(join(resolveDir, path.replace(/\.js$/, ".ts")));
        return isShared ? { path: address, external: true } : undefined;
      });
    },
  };
}

async function write(name, text) {
  const path = join(served, `${name}.js.gz`);
  const isFresh = existsSync(path) && gunzipSync(readFileSync(path)).toString() === text;
  if (!check && !isFresh) {
    writeFileSync(path, await gzip(Buffer.from(text), { numiterations: 15 }));
  } else if (!isFresh) {
    console.error(`${path} is not up to date: npm run web in clients/typescript`);
    process.exitCode = 1;
  }
}

if (process.argv.includes("--tests")) {
  const common = { absWorkingDir: here, bundle: true, logLevel: "warning" };
  const out = (name) => join("build/web", name);
  await build({ ...common, entryPoints: ["web/tests/in_page.ts"], format: "iife", outfile: out("in_page.js") });
  const node = { platform: "node", packages: "external", format: "esm" };
  await build({ ...common, ...node, entryPoints: ["web/tests/run.ts"], outfile: out("run.mjs") });
} else {
  const shared = await built("shared", []);
  const digest = createHash("sha256").update(shared.text).digest("hex").slice(0, 16);
  await write("shared", shared.text);
  for (const [name, root] of Object.entries(SCRIPTS)) {
    const { text } = await built(name, [sharedAt(`${root}shared.js?${digest}`, shared.files)]);
    await write(name, text);
  }
}
