/** Presses while the table is drawn anew. */

import type { Page } from "playwright-core";
import type { View } from "../contract.js";
import { create, get, type Scenario } from "./calls.js";

/** Holds a card while the table connects again and is drawn anew, then lets it go. Returns what was played. */
async function longPress(page: Page, url: string): Promise<unknown> {
  const { matchId, seatKeys, refereeKey } = await create(url, { gameId: "briscola", players: 2 });
  const { view } = await get<{ view: View }>(`${url}/v1/matches/${matchId}`, refereeKey);
  const key = seatKeys.find((one) => one.seat === view.turn)?.key ?? "";
  await page.goto(`${url}/play/#match=${matchId}&key=${key}`);
  const connected = page.getByText("Connected", { exact: true });
  await connected.waitFor();
  const card = page.getByRole("button", { name: /can be played$/ }).first();
  const pressed = ((await card.getAttribute("data-id")) ?? "").split(" ")[2];
  await card.hover();
  await page.mouse.down();
  await page.evaluate("document.querySelector('chitarrella-table').cutStream()");
  await page.getByText("The connection is lost; connecting again").waitFor();
  await connected.waitFor();
  await page.mouse.up();
  await page.getByText("Your turn").waitFor({ state: "detached" });
  const after = await get<{ view: View }>(`${url}/v1/matches/${matchId}`);
  const trick = after.view.zones.find((zone) => zone.name === "trick")?.cards;
  return { pressed, trick };
}

export const PRESSES: Readonly<Record<string, Scenario>> = { longPress };
