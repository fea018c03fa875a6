/** The script of the page: plays scenarios and returns the results to the runner. */

import { connect } from "chitarrella-client";
import type { Step } from "./json.js";
import { type Environment, Player } from "./player.js";

/** The address of the service for platforms, and the API key of one. */
export interface PlatformAccess {
  url: string;
  apiKey: string;
}

declare global {
  interface Window {
    /** Functions of the runner that a page cannot do itself. */
    runner: Environment;
    /** Plays a scenario over a transport. */
    play: (
      url: string,
      platform: PlatformAccess,
      protocol: "connect" | "grpc-web",
      steps: Step[],
    ) => Promise<unknown[]>;
  }
}

window.play = async (url, platform, protocol, steps) => {
  const connectPlatform = () => connect(platform.url, { protocol, apiKey: platform.apiKey });
  const player = new Player(connect(url, { protocol }), window.runner, connectPlatform);
  try {
    return await player.play(steps);
  } finally {
    player.close();
  }
};
