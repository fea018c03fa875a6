/** The command line of a runner, the scenarios, and what they need besides a client. */

import { readdir, readFile, writeFile } from "node:fs/promises";
import { connect as dial } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connect } from "chitarrella-client";
import type { Step } from "./json.js";
import type { Environment } from "./player.js";

/** The addresses as "host:port", files, and the API key of a platform. */
const NAMES = [
  "grpc",
  "rest",
  "cut",
  "tls",
  "ca",
  "platform",
  "platform-rest",
  "api-key",
  "scenarios",
  "report",
] as const;

/** The flags of the command line. */
export type Flags = Record<(typeof NAMES)[number], string> & { transport: string };

/** One scenario. */
export interface Scenario {
  name: string;
  steps: Step[];
}

/** Reads the command line. */
export function readFlags(): Flags {
  const flags = Object.fromEntries([...NAMES, "transport"].map((name) => [name, { type: "string" as const }]));
  const { values } = parseArgs({ options: flags });
  for (const name of NAMES) {
    if (typeof values[name] !== "string") {
      throw new Error(`--${name} is missing`);
    }
  }
  return { transport: "connect", ...values } as Flags;
}

/** Reads the scenarios in the order of their names. */
export async function scenarios(folder: string): Promise<Scenario[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8"))));
}

/** Cuts connections, and connects over TLS, where the service speaks gRPC. */
export function environment({ cut, tls, ca }: Flags): Environment {
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

/** Cuts all connections by connecting to this address; done when that closes. */
function cutAt(address: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`);
  return new Promise((resolve, reject) => {
    dial(Number(port), hostname)
      .on("error", reject)
      .on("close", () => resolve())
      .resume();
  });
}

/** Writes the report. */
export async function report(file: string, client: string, results: Record<string, unknown>): Promise<void> {
  await writeFile(file, JSON.stringify({ client, results }, undefined, 1));
}
