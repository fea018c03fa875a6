/** The table of the service in a page of another origin: with `rules`, a tap is answered before the service answers. */

import type { Chitarrella, Match, Move, Refusal } from "chitarrella-client";
import type { Page } from "playwright-core";

/** A card that the seat with `key` may not play, and its `data-id` at the table. */
interface RefusedCard {
  readonly match: string;
  readonly key: string;
  readonly id: string;
}

/** How many matches are played; most have several such cards. */
const MOST_MATCHES = 10;

/**
 * A refused card of the seat to move, in matches that are played until there is one.
 *
 * With `faced` the suit led is to be followed by the card that lies face up before the dealer, who holds no other of it.
 */
async function refusedCard(client: Chitarrella, faced: boolean): Promise<RefusedCard> {
  for (let count = 0; count < MOST_MATCHES; count++) {
    const found = await refusedIn(await client.createMatch({ gameId: "madrasso", players: 4 }), faced);
    if (found) {
      return found;
    }
  }
  throw new Error(`no card was refused in ${MOST_MATCHES} matches`);
}

async function refusedIn(match: Match, faced: boolean): Promise<RefusedCard | undefined> {
  for (;;) {
    const { moves, seat } = await match.legalMoves();
    const [first] = moves;
    if (seat === undefined || first === undefined) {
      return undefined;
    }
    const hand = await match.asSeat(seat).explainHand();
    const { view } = await match.asSeat(seat).get();
    const turnUp = view.zones.find((zone) => zone.name === "turn_up" && zone.seat === seat)?.cards ?? [];
    const isFaced = ({ allowedCards }: Refusal) => turnUp.length > 0 && String(allowedCards) === String(turnUp);
    // The Seven that may be swapped is not refused: a tap swaps it.
    const isOfUse = ({ cards: [card = ""] }: Move) => moves.some(({ cards }) => cards.includes(card));
    const refused = hand.moves.find(
      ({ move, refusals: [why] }) => why?.code === "must_follow_suit" && isFaced(why) === faced && !isOfUse(move),
    );
    if (refused) {
      const [card = ""] = refused.move.cards;
      const id = `${turnUp.includes(card) ? "turn_up" : "hand"} ${seat} ${card} 0`;
      return { match: match.id, key: match.keys.get(seat) ?? "", id };
    }
    await match.asSeat(seat).play(first);
  }
}

/** Taps refused cards while the answer of the service is delayed; throws if nothing is shown. */
export async function tapAtTable(page: Page, service: string, client: Chitarrella): Promise<void> {
  for (const faced of [false, true]) {
    await tapCard(page, service, await refusedCard(client, faced));
  }
}

async function tapCard(page: Page, service: string, { match, key, id }: RefusedCard): Promise<void> {
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
      document.body.replaceChildren(table);
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
  await page.unroute("**:validateMove");
  if (!asked || local !== decided || !local?.includes("MA-")) {
    throw new Error(`shown first: ${local}; shown by the service: ${decided}`);
  }
}
