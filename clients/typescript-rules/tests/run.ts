/**
 * The runner of the scenarios with the rules in Node, or with `--page` in Chromium.
 *
 * The client of the scenarios is the TypeScript client with other `rules`. Each answer must be equal to that of the
 * service, in every field. Prints the size and the start time.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import { type Chitarrella, ChitarrellaError, connect } from "chitarrella-client";
import type { Page } from "playwright-core";
import { environment, type Flags, readFlags, report, scenarios } from "../../typescript/conformance/environment.js";
import { Player } from "../../typescript/conformance/player.js";
import { openPage } from "./page.js";
import { tapAtTable } from "./table.js";

/** Asks the rules: the method and its arguments. */
export type Ask = (method: string, ...parameters: unknown[]) => Promise<unknown>;

/** Scenarios with another step are about matches, which the rules do not keep. */
const STEPS = [
  ...["apply_moves", "describe_cards", "batch", "explain_hand", "list_known_moves", "list_legal_moves"],
  ...["resolve_trick", "score_cards", "start_game", "validate_move"],
];
const METHODS = [
  ...["startGame", "legalMoves", "explainHand", "validateMove", "applyMoves", "getView"],
  ...["resolveTrick", "scoreCards", "verifyShuffle", "batch"],
];
const FOLDER = fileURLToPath(new URL("./page", import.meta.url));
/** Wheels of games of other packages, which `scripts/build.sh` has put beside the page. */
const PACKAGES = readdirSync(join(FOLDER, "packages")).map((name) => `packages/${name}`);

/** Writes bytes as a list, whether they are a Buffer of Node or not. */
function bytes(_: string, value: { readonly type?: string; readonly data?: unknown } | null) {
  return value instanceof Uint8Array ? [...value] : value?.type === "Buffer" ? value.data : value;
}

/** What a call came to, so that two calls can be compared. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  try {
    return JSON.parse(JSON.stringify(await call, bytes));
  } catch (error) {
    if (error instanceof ChitarrellaError) {
      return {
        error: { code: error.code, message: error.message, field: error.field },
      };
    }
    throw error;
  }
}

/** A client whose stateless calls are answered by `ask`, and compared with the answers of the service. */
function withRules(client: Chitarrella, ask: Ask): Chitarrella {
  const service = client.rules as unknown as Record<string, (...parameters: unknown[]) => Promise<unknown>>;
  const remote = Object.fromEntries(METHODS.map((name) => [name, service[name]?.bind(service)]));
  for (const name of METHODS) {
    service[name] = async (...parameters) => {
      const call = ask(name, ...parameters);
      const [mine, theirs] = await Promise.all([outcome(call), outcome(remote[name]?.(...parameters) as never)]);
      if (!isDeepStrictEqual(mine, theirs)) {
        throw new Error(`${name} ${JSON.stringify([parameters, mine, theirs])}`);
      }
      return call;
    };
  }
  return client;
}

/** The rules in this process, loaded from the package as a user installs it. */
async function inNode(): Promise<{ page?: Page; ask: Ask; close: () => Promise<void> }> {
  const { loadRules } = await import("@chitarrella/rules");
  const packages = PACKAGES.map((name) => new URL(name, `file://${FOLDER}/`));
  const rules = (await loadRules({ packages })) as unknown as Record<string, Ask>;
  return {
    ask: (method, ...parameters) => rules[method]?.(...(parameters as [string])) as never,
    close: async () => {},
  };
}

/** Megabytes that a browser fetches: every file, compressed as a web server does it. */
function size(): string {
  const files = readdirSync(FOLDER).filter((name) => name !== "packages");
  const sizes = files.map((name) => gzipSync(readFileSync(join(FOLDER, name))).length);
  return (sizes.reduce((sum, one) => sum + one, 0) / 1e6).toFixed(1);
}

async function playAll(flags: Flags, ask: Ask): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  const service = () => connect(`http://${flags.rest}`);
  for (const { name, steps } of await scenarios(flags.scenarios)) {
    if (steps.every(({ op }) => STEPS.includes(op))) {
      const player = new Player(withRules(service(), ask), environment(flags), service);
      results[name] = await player.play(steps);
      player.close();
    }
  }
  return results;
}

async function main(): Promise<void> {
  const inPage = process.argv.includes("--page");
  process.argv = process.argv.filter((word) => word !== "--page");
  const flags = readFlags();
  const begun = performance.now();
  const service = `http://${flags.rest}`;
  const { page, ask, close } = await (inPage ? openPage(FOLDER, service, PACKAGES) : inNode());
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  try {
    process.stdout.write(`rules: ${size()} MB compressed, ${seconds} s to start in ${inPage ? "Chromium" : "Node"}\n`);
    if (page) {
      await tapAtTable(page, service, connect(service));
    }
    await report(flags.report, "rules", await playAll(flags, ask));
  } finally {
    await close();
  }
}

await main();
