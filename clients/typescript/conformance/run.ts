/**
 * The runner in Node: plays the scenarios over `--transport` connect, grpc-web or grpc, and the example of the README.
 */

import { connect } from "chitarrella-client";
import { environment, type Flags, readFlags, report, scenarios } from "./environment.js";
import { Player } from "./player.js";

type Protocol = "connect" | "grpc-web" | "grpc";

function isProtocol(name: string): name is Protocol {
  return ["connect", "grpc-web", "grpc"].includes(name);
}

async function play(flags: Flags, protocol: Protocol): Promise<Record<string, unknown>> {
  const url = `http://${protocol === "grpc" ? flags.grpc : flags.rest}`;
  const platformUrl = `http://${protocol === "grpc" ? flags.platform : flags["platform-rest"]}`;
  const connectPlatform = () => connect(platformUrl, { protocol, apiKey: flags["api-key"] });
  const results: Record<string, unknown> = {};
  for (const { name, steps } of await scenarios(flags.scenarios)) {
    const player = new Player(connect(url, { protocol }), environment(flags), connectPlatform);
    results[name] = await player.play(steps);
    player.close();
  }
  return results;
}

async function main(): Promise<void> {
  const flags = readFlags();
  if (!isProtocol(flags.transport)) {
    throw new Error(`unknown transport ${flags.transport}`);
  }
  if (flags.transport === "connect") {
    process.env["CHITARRELLA_URL"] = `http://${flags.rest}`;
    await import("../example/readme.js");
  }
  await report(flags.report, `typescript-${flags.transport}`, await play(flags, flags.transport));
}

await main();
