/** What a runner is told on its command line, and what it can do with it: read the scenarios, cut, ask over TLS. */

import { readdir, readFile, writeFile } from "node:fs/promises";
import { connect as dial } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connect } from "chitarrella-client";
import type { Surroundings } from "./player.js";
import type { Step } from "./writing.js";

/** The addresses as "host:port", and files. */
const FLAGS = ["grpc", "rest", "cut", "tls", "ca", "scenarios", "report"] as const;

/** What was said on the command line. */
export type Told = Record<(typeof FLAGS)[number], string> & { transport: string };

/** One scenario. */
export interface Scenario {
  name: string;
  steps: Step[];
}

/** Reads the command line. */
export function told(): Told {
  const flags = Object.fromEntries([...FLAGS, "transport"].map((name) => [name, { type: "string" as const }]));
  const { values } = parseArgs({ options: flags });
  for (const name of FLAGS) {
    if (typeof values[name] !== "string") {
      throw new Error(`--${name} is missing`);
    }
  }
  return { transport: "connect", ...values } as Told;
}

/** Reads the scenarios in the order of their names. */
export async function scenarios(folder: string): Promise<Scenario[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8"))));
}

/** Cuts, and asks over TLS: there the service speaks gRPC. */
export function surroundings({ cut, tls, ca }: Told): Surroundings {
  return {
    cut: () => cutAt(cut),
    async countOverTls() {
      const client = connect(`https://${tls}`, { protocol: "grpc", tls: { ca: await readFile(ca) } });
      try {
        let games = 0;
        for await (const _ of client.games()) {
          games += 1;
        }
        return games;
      } finally {
        client.close();
      }
    },
  };
}

/** Connects to the address that cuts all others; it is done when that closes. */
function cutAt(address: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`);
  return new Promise((resolve, reject) => {
    dial(Number(port), hostname)
      .on("error", reject)
      .on("close", () => resolve())
      .resume();
  });
}

/** Writes what came of everything. */
export async function report(file: string, client: string, results: Record<string, unknown>): Promise<void> {
  await writeFile(file, JSON.stringify({ client, results }, undefined, 1));
}
