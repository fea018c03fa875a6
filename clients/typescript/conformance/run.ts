/** The runner in Node: plays the scenarios over `--transport` connect, grpc-web or grpc, and the example of the README. */

import { connect } from "chitarrella-client";
import { Player } from "./player.js";
import { report, scenarios, surroundings, type Told, told } from "./stage.js";

type Protocol = "connect" | "grpc-web" | "grpc";

function isProtocol(said: string): said is Protocol {
  return ["connect", "grpc-web", "grpc"].includes(said);
}

async function play(said: Told, protocol: Protocol): Promise<Record<string, unknown>> {
  const url = `http://${protocol === "grpc" ? said.grpc : said.rest}`;
  const results: Record<string, unknown> = {};
  for (const { name, steps } of await scenarios(said.scenarios)) {
    const client = connect(url, { protocol });
    results[name] = await new Player(client, surroundings(said)).play(steps);
    client.close();
  }
  return results;
}

async function main(): Promise<void> {
  const said = told();
  if (!isProtocol(said.transport)) {
    throw new Error(`there is no transport ${said.transport}`);
  }
  if (said.transport === "connect") {
    process.env["CHITARRELLA_URL"] = `http://${said.rest}`;
    await import("../example/readme.js");
  }
  await report(said.report, `typescript-${said.transport}`, await play(said, said.transport));
}

await main();
