/** The table of the service in a page of another origin: with `rules`, a tap is answered before the service answers. */

import type { Chitarrella } from "chitarrella-client";
import type { Page } from "playwright-core";

/** A refused card of the seat to move, in a match that is played until there is one. */
async function refusedCard(client: Chitarrella) {
  const match = await client.createMatch({ gameId: "madrasso", players: 4 });
  for (;;) {
    const { moves, seat } = await match.legalMoves();
    const [first] = moves;
    if (seat === undefined || first === undefined) {
      throw new Error("no card was refused in the whole match");
    }
    const hand = await match.asSeat(seat).explainHand();
    const refused = hand.moves.find(({ refusals }) => refusals.some(({ code }) => code === "must_follow_suit"));
    if (refused) {
      return { match: match.id, key: match.keys.get(seat) ?? "", id: `hand ${seat} ${refused.move.cards[0]} 0` };
    }
    await match.asSeat(seat).play(first);
  }
}

/** Taps a refused card while the answer of the service is delayed; throws if nothing is shown. */
export async function tapAtTable(page: Page, service: string, client: Chitarrella): Promise<void> {
  const { match, key, id } = await refusedCard(client);
  await page.evaluate(
    async ([service, match, key]) => {
      await import(`${service}/client.js`);
      const table = document.createElement("chitarrella-table");
      const loaded = new Promise((resolve) =>
        table.addEventListener("chitarrella-rules", (event) => resolve((event as CustomEvent).detail)),
      );
      for (const [name, value] of Object.entries({ service, match, key, language: "it", rules: "/rules.js" })) {
        table.setAttribute(name, value);
      }
      document.body.append(table);
      if (!(await loaded)) {
        throw new Error("the table has not loaded the rules");
      }
    },
    [service, match, key] as const,
  );
  let release = () => {};
  const paused = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = false;
  await page.route("**:validateMove", async (route) => {
    asked = true;
    await paused;
    await route.continue();
  });
  await page.locator(`[data-id="${id}"]`).click();
  const local = await page.locator(".refusal").textContent();
  const answered = page.waitForResponse((response) => response.url().endsWith(":validateMove"));
  release();
  await answered;
  await page.locator('.board[aria-busy="false"]').waitFor();
  const decided = await page.locator(".refusal").textContent();
  if (!asked || local !== decided || !local?.includes("MA-")) {
    throw new Error(`shown first: ${local}; shown by the service: ${decided}`);
  }
}
