/** The script of the page: plays scenarios and returns the results to the runner. */

import { connect } from "chitarrella-client";
import type { Step } from "./json.js";
import { type Environment, Player } from "./player.js";

declare global {
  interface Window {
    /** Functions of the runner that a page cannot do itself. */
    runner: Environment;
    /** Plays a scenario over a transport. */
    play: (url: string, protocol: "connect" | "grpc-web", steps: Step[]) => Promise<unknown[]>;
  }
}

window.play = async (url, protocol, steps) => {
  const client = connect(url, { protocol });
  try {
    return await new Player(client, window.runner).play(steps);
  } finally {
    client.close();
  }
};
