/** Lets the clock of a match run out. */

import type { Match } from "./contract.js";
import { pause, type Service } from "./service.js";

/** How long after its deadline the time is over for certain. */
const PASSED_MS = 50;

/** Waits for the deadline of a match and has it enforced; the time of a test is moved there, which its referee may do. */
export async function runOutClock(service: Service, id: string, match: Match, stop: AbortSignal): Promise<void> {
  const deadline = Date.parse(match.deadline ?? "");
  if (match.sandbox) {
    const { time, timedOut } = await service.advanceClock(id, 1); // only the answer says what time it is there
    const left = Math.floor((deadline - Date.parse(time)) / 1000) + 1; // beyond the deadline, not up to it
    if (!timedOut && left > 0) {
      await service.advanceClock(id, left);
    }
    return;
  }
  await pause(Math.max(0, deadline + PASSED_MS - Date.now()));
  if (!stop.aborted) {
    await service.enforceClock(id);
  }
}
