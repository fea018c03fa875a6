/** What is bundled for the browser: plays scenarios in the page, and hands the results to who has opened it. */

import { connect } from "chitarrella-client";
import { Player, type Surroundings } from "./player.js";
import type { Step } from "./writing.js";

declare global {
  interface Window {
    /** What the page cannot do itself is done by the runner. */
    runner: Surroundings;
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
