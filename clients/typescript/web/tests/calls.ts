/** What a scenario is, and the calls of the service with which it prepares its matches. */

import type { Page } from "playwright-core";
import type { CreatedMatch, LegalMoves, View } from "../service.js";

/** What a stranger does at the page of a service, with the words behind its name; gives what it saw. */
export type Scenario = (page: Page, url: string, ...given: readonly string[]) => Promise<unknown>;

/** Sends an object; the answer as it comes. */
export async function post<T>(url: string, body: object, key = ""): Promise<T> {
  const headers = { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return (await answer.json()) as T;
}

export async function get<T>(url: string, key = ""): Promise<T> {
  const answer = await fetch(url, { headers: key ? { authorization: `Bearer ${key}` } : {} });
  return (await answer.json()) as T;
}

/** Where a card of a hand is pressed: the rest of it may lie under the next one. */
export const CORNER = { position: { x: 10, y: 30 } };

/** Makes the first legal move of a match, or one of a verb. */
export async function moveOnce(url: string, { matchId, refereeKey }: CreatedMatch, verb = ""): Promise<void> {
  const match = `${url}/v1/matches/${matchId}`;
  const { seat, moves } = await get<LegalMoves>(`${match}/legalMoves`, refereeKey);
  const move = moves.find((one) => one.verb === verb) ?? moves[0];
  await post(`${match}/moves`, { seat, move }, refereeKey);
}

export async function viewOf(url: string, { matchId, refereeKey }: CreatedMatch): Promise<View> {
  return (await get<{ view: View }>(`${url}/v1/matches/${matchId}`, refereeKey)).view;
}

/** The first card that can be played. */
export const playable = (page: Page) => page.getByRole("button", { name: /can be played$/ }).first();

export const linesOf = (page: Page) => page.getByRole("log").getByRole("listitem");

/** Waits until a stream that was cut is there again. */
export async function reconnected(page: Page): Promise<void> {
  await page.getByText("The connection is lost; connecting again").waitFor();
  await page.getByText("Connected", { exact: true }).waitFor();
}

/** Starts the match that the form says. */
export const start = (page: Page) => page.getByRole("button", { name: "Start the match" }).click();

/** Opens the menu of the table, where all is that is not needed to play. */
export async function openMenu(page: Page): Promise<void> {
  await page.locator("chitarrella-table [data-id=menu]").first().click();
}

/** Opens the requests, which stand under the last entry of the menu. */
export async function openRequests(page: Page): Promise<void> {
  await openMenu(page);
  await page.getByText("For developers", { exact: true }).click();
  await page.getByText("Requests", { exact: true }).click();
}

export function keyOf({ seatKeys }: CreatedMatch, seat: number | undefined): string {
  return seatKeys.find((one) => one.seat === seat)?.key ?? "";
}

/** Creates a match whose deals are always the same. */
export function create(url: string, ruleSet: object): Promise<CreatedMatch> {
  return createWith(url, ruleSet, { sandbox: { seed: "tarallo" } });
}

/** Creates a match; `more` are further fields of the request. */
export async function createWith(url: string, ruleSet: object, more: object): Promise<CreatedMatch> {
  type Sent = Omit<CreatedMatch, "matchId"> & { readonly match: { readonly matchId: string } };
  const { match, ...keys } = await post<Sent>(`${url}/v1/matches`, { ruleSet, ...more });
  return { ...keys, matchId: match.matchId };
}
