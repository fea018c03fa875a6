/** What a stranger does with records, at the duel of bots and behind a match, by roles and visible names alone. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { Replay, readRecord } from "../record_text.js";
import { type CreatedMatch, type LegalMoves, type Match, Service } from "../service.js";
import { create, createWith, get, linesOf, moveOnce, openMenu, openRequests, post } from "./calls.js";

const EXAMPLE = ["game briscola", "players 2", "edition 1", ""];

/** Steps through an example by keys, then reads the same step in German. */
export async function record(page: Page, url: string): Promise<unknown> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${url}/records/?game=briscola`);
  const region = page.getByRole("region", { name: "Record: Briscola" });
  const sentences = region.getByRole("status");
  await region.getByText("Step 0 of 41").waitFor();
  await region.focus();
  const texts: string[] = [];
  for (const [key, step] of [
    ["ArrowRight", 1],
    ["ArrowRight", 2],
    ["ArrowRight", 3],
    ["End", 41],
    ["ArrowLeft", 40],
    ["Home", 0],
  ] as const) {
    await page.keyboard.press(key);
    await shown(page, step);
    texts.push((await sentences.textContent()) ?? "");
  }
  await region.getByRole("button", { name: "Play on" }).click();
  await shown(page, 1);
  await region.getByRole("button", { name: "Pause" }).click();
  const cards = await region.locator("[data-zone=hand] .card:not(.back)").count();
  await page.getByRole("link", { name: "Deutsch" }).click();
  await page.getByText("Schritt 0 von 41").waitFor();
  await page.getByRole("button", { name: "Schritt vor" }).click();
  await shown(page, 1);
  const german = await page.getByRole("region", { name: "Aufzeichnung: Briscola" }).getByRole("status").textContent();
  return { texts, cards, german };
}

/** Opens the example of every game at the width of a phone, and goes to its end. */
export async function examples(page: Page, url: string): Promise<unknown> {
  await page.goto(`${url}/records/?language=it`);
  const list = page.getByRole("combobox", { name: "Esempio" });
  await page.getByText(/^Passo 0 di/).waitFor();
  const games = await list.locator("option").evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  const found: Record<string, unknown> = {};
  for (const game of games.filter(Boolean)) {
    await list.selectOption(game);
    const title = await list.evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.text ?? "");
    const region = page.getByRole("region", { name: `Partita scritta: ${title}`, exact: true });
    await region.getByText(/^Passo 0 di/).waitFor();
    await region.getByRole("button", { name: "Ultimo passo" }).click();
    const last = Number(await region.getByRole("slider").getAttribute("max"));
    await shown(page, last);
    const text = await region.getByRole("status").textContent();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    found[game] = { last, text, wide, alerts: (await region.getByRole("alert").allTextContents()).join("") };
  }
  return found;
}

/** Gives records that are not valid: by pasting, as a file, and in the field. */
export async function badRecords(page: Page, url: string): Promise<unknown> {
  await page.goto(`${url}/records/`);
  const alert = page.getByRole("alert").filter({ hasText: "The record is not valid" });
  const field = page.getByRole("textbox", { name: "Your own match" });
  const good = await (await fetch(`${url}/records/madrasso.txt`)).text();
  const lines = good.split("\n");
  const twice = [...lines.slice(0, 6), lines[5] ?? "", ...lines.slice(7)].join("\n");
  const given: Record<string, string> = {
    heading: [...EXAMPLE, "1 play_card 4c", "hello"].join("\n"),
    game: "game poker\nplayers 2\n",
    players: "game madrasso\nplayers 3\n",
    option: "game briscola\noption colour red\n",
    verb: [...EXAMPLE, "1 lay_card 4c"].join("\n"),
    card: [...EXAMPLE, "1 play_card Zz"].join("\n"),
    position: [...EXAMPLE.slice(0, 3), "position phase=nowhere"].join("\n"),
    refused: twice,
  };
  const found: Record<string, string> = {};
  for (const [name, text] of Object.entries(given)) {
    await field.fill(text);
    await page.getByRole("button", { name: "Show the record" }).click();
    await alert.waitFor();
    found[name] = (await alert.textContent()) ?? "";
  }
  await shown(page, 0);
  await page.getByRole("button", { name: "Last step" }).click();
  await shown(page, 2);
  const clause = await alert.getByRole("link").first().getAttribute("href");
  await page
    .getByLabel("Open a file")
    .setInputFiles({ name: "m.txt", mimeType: "text/plain", buffer: Buffer.from(good) });
  await alert.waitFor({ state: "detached" });
  await page.getByText("Step 0 of").waitFor();
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, "game poker");
  await alert.waitFor();
  return { found, clause };
}

/** Gives a record before the games are listed, and writes one while the example is loaded. */
export async function hastyRecords(page: Page, url: string): Promise<unknown> {
  const field = page.getByRole("textbox", { name: "Your own match" });
  const region = page.getByRole("region", { name: "Record: Briscola" });
  const given = EXAMPLE.join("\n");
  const listed = await delayed(page, "**/v1/games?*");
  await page.goto(`${url}/records/`);
  await field.fill(given);
  await page.getByRole("button", { name: "Show the record" }).click();
  await region.getByText("Step 0 of 0").waitFor();
  await listed();
  await page.getByRole("option", { name: "Madrasso" }).waitFor({ state: "attached" });
  const shownAfter = await region.getByText(/^Step 0 of/).textContent();
  const loaded = await delayed(page, "**/records/*.txt");
  await page.goto(`${url}/records/?game=briscola&language=en`);
  await page.getByRole("option", { name: "Madrasso" }).waitFor({ state: "attached" });
  await field.fill(given);
  await loaded();
  await region.getByText(/^Step 0 of [1-9]/).waitFor();
  return { shownAfter, kept: (await field.inputValue()) === given };
}

/** Keeps back the requests for a path; what it returns lets them go on. */
async function delayed(page: Page, path: string): Promise<() => Promise<void>> {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route(path, async (route) => {
    await opened;
    await route.continue();
  });
  return async () => {
    const answered = page.waitForResponse(path);
    open();
    await answered;
  };
}

/** A page of another origin with a strict policy: it has a record in its text, and its own colours. */
export async function embedded(page: Page, url: string): Promise<unknown> {
  const text = await (await fetch(`${url}/records/cucu.txt`)).text();
  const policy = `default-src 'none'; script-src ${url}; connect-src ${url}; img-src ${url} data:; style-src 'self'`;
  const html = `<!DOCTYPE html><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css">
    <script type="module" src="${url}/record.js"></script>
    <chitarrella-record language="it" step="11">${text.replaceAll("<", "&lt;")}</chitarrella-record>`;
  const server = createServer((request, response) => {
    const isStyle = request.url?.endsWith(".css");
    response.setHeader("content-type", isStyle ? "text/css" : "text/html");
    response.setHeader("content-security-policy", policy);
    response.end(isStyle ? "chitarrella-record { --chitarrella-felt: rgb(1, 2, 3); }" : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await shown(page, 11);
  const region = page.getByRole("region", { name: "Partita scritta: Cucù" });
  const felt = await region.evaluate((one) => getComputedStyle(one).backgroundColor);
  server.closeAllConnections();
  server.close();
  return { felt, text: await region.getByRole("status").textContent() };
}

/** Lets two bots play some deals of Briscola, pauses, and reads the chart and its table. */
export async function duel(page: Page, url: string): Promise<unknown> {
  await page.goto(`${url}/duel/`);
  await page.getByRole("combobox", { name: "Game" }).selectOption({ label: "Coteccio" });
  await page.getByRole("combobox", { name: "Players" }).selectOption("3");
  await page.getByRole("combobox", { name: "Bot 3" }).selectOption("easy");
  await page.getByRole("combobox", { name: "Seconds between moves" }).selectOption("0.1");
  await page.getByRole("button", { name: "Start the duel" }).click();
  const next = page.getByRole("button", { name: "Next deal" });
  const count = page.getByText(/^(Waiting|Deals)/);
  await count.waitFor();
  // A deal may be over between two looks, so that the number is passed.
  while (Number(/^Deals: (\d+)$/.exec((await count.textContent()) ?? "")?.[1] ?? 0) < 2) {
    await next.click();
    await page.waitForTimeout(50);
  }
  await page.getByRole("button", { name: "Pause" }).click();
  const step = page.getByText(/^Step \d+ of/);
  const paused = await step.textContent();
  await page.waitForTimeout(400);
  const later = await step.textContent();
  const isPlaying = await page.getByRole("button", { name: "Pause" }).count();
  const lines = await page.getByRole("img", { name: "Score after each deal" }).locator("polyline").count();
  await page.getByText("Score after each deal", { exact: true }).first().click();
  const rows = await page.getByRole("row").allTextContents();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await page.getByRole("button", { name: "Read the record" }).click();
  await page
    .getByRole("region", { name: "Record: Coteccio" })
    .getByText(/^Step 0 of/)
    .waitFor();
  return { paused, later, isPlaying, lines, rows, wide };
}

/** Waits until a step is on the table. */
async function shown(page: Page, step: number): Promise<void> {
  await page.locator(`chitarrella-record [data-step="${step}"]`).waitFor();
}

/** Whether the rules give the same view after the moves of the record as the match has. */
export async function isReplayed(url: string, id: string, key: string): Promise<boolean> {
  const service = new Service(url, "en", key);
  const { view } = await service.match(id);
  const replay = await Replay.of(service, readRecord(await service.record(id)));
  const views = await replay.views(replay.last, [{ referee: true }]);
  return isDeepStrictEqual(views, [view]);
}

/** What seat 1 is shown to have seen after a revision. */
async function cardsOfSeat(page: Page, revision: string): Promise<unknown> {
  await page
    .getByRole("status")
    .filter({ hasText: `After revision ${revision}` })
    .waitFor();
  const seat = page.getByRole("region", { name: "View: Player 2", exact: true }).locator("visible=true");
  const zones = await seat
    .locator("[data-zone=trick], [data-zone=hand]")
    .evaluateAll((all) =>
      all.map((zone) => `${zone.getAttribute("data-zone")} ${zone.querySelectorAll(".card:not(.back)").length}`),
    );
  return { zones, buttons: await seat.locator("chitarrella-table .board").getByRole("button").count() };
}

/** Goes back to earlier revisions by click and by arrow keys, without a copy; then opens a copy there. */
export async function history(page: Page, url: string): Promise<unknown> {
  await page.setViewportSize({ width: 1280, height: 900 });
  const created = await create(url, { gameId: "briscola", players: 2 });
  const { matchId, refereeKey } = created;
  for (let made = 0; made < 3; made++) {
    await moveOnce(url, created);
  }
  await post(`${url}/v1/matches/${matchId}:takeBack`, {}, refereeKey);
  let copies = 0;
  page.on("request", (request) => {
    copies += Number(request.url().endsWith(":import"));
  });
  await page.goto(`${url}/play/#match=${matchId}&referee=${refereeKey}`);
  const list = page.getByRole("region", { name: "Events", exact: true }).getByRole("listitem");
  await list.filter({ hasText: "Beginning" }).waitFor();
  const events = await list.allTextContents();
  const cards = (revision: string) => cardsOfSeat(page, revision);
  await list.nth(1).getByRole("button").click();
  const dealt = await cards("1");
  await page.keyboard.press("ArrowDown");
  const played = await cards("2");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown"); // over the move that was taken back
  const after = await cards("5");
  await page.keyboard.press("Home");
  const beginning = await cards("0");
  await page.getByRole("slider").fill("2");
  await cards("2");
  const before = copies;
  await page.getByRole("button", { name: "Open a copy of the match after these moves" }).click();
  await page.waitForURL((now) => !now.hash.includes(matchId));
  await list.nth(2).waitFor();
  return { events, dealt, played, after, beginning, before, copies, copied: await list.count() };
}

/** Lets the clock run out: of a test, whose time is moved, and of a match with a second for each move. */
export async function clock(page: Page, url: string): Promise<unknown> {
  const seen: Record<string, string | null> = {};
  const ruleSet = { gameId: "briscola", players: 2 };
  for (const [name, more] of Object.entries({
    test: { clock: { moveTime: "3600s" }, sandbox: { seed: "tarallo" } },
    real: { clock: { moveTime: "1s" } },
  })) {
    const { matchId, refereeKey } = await createWith(url, ruleSet, more);
    await page.goto(`${url}/play/#match=${matchId}&key=${refereeKey}`);
    await page
      .getByRole("timer")
      .filter({ hasText: /\d:\d\d/ })
      .waitFor();
    await page.getByText("Connected", { exact: true }).waitFor();
    await openRequests(page);
    await page.getByRole("button", { name: "Let the clock run out" }).click();
    const line = linesOf(page).filter({ hasText: "is over" }).first();
    await line.waitFor();
    seen[name] = await line.textContent();
    const call = name === "test" ? "advanceClock" : "enforceClock";
    await page
      .getByText(new RegExp(`POST .*:${call} · 200`))
      .first()
      .waitFor();
  }
  return seen;
}

/** Adds a seed of each seat and plays, deal by deal: a stand-off is followed by another one with seeds of its own. */
async function playFairly(page: Page, match: string, { seatKeys, refereeKey }: CreatedMatch): Promise<void> {
  const panel = page.locator(".fair-deal");
  const goOn = page.getByRole("button", { name: "Continue" });
  const addSeed = page.getByRole("button", { name: "Add a seed to the shuffle" });
  while ((await get<Match>(match)).state === "MATCH_STATE_OPEN") {
    await page.getByRole("button", { name: "Close" }).first().click();
    await goOn.or(addSeed).first().waitFor();
    if (await goOn.isVisible()) {
      await goOn.click();
    }
    await addSeed.click();
    await panel.getByText("Seeds are awaited from: Player 2").waitFor({ state: "attached" });
    await openMenu(page);
    await post(`${match}:contributeSeed`, { clientSeed: "tarallo" }, seatKeys[1]?.key);
    await panel.getByText("The nonce is secret").first().waitFor();
    const legal = () => get<LegalMoves>(`${match}/legalMoves`, refereeKey);
    for (let { seat, moves } = await legal(); moves[0]; { seat, moves } = await legal()) {
      await post(`${match}/moves`, { seat, move: moves[0] }, refereeKey);
    }
  }
}

/** Plays a match whose shuffle has a seed of each seat; the page proves it, and a forged one not. */
export async function fairDeal(page: Page, url: string): Promise<unknown> {
  const ruleSet = { gameId: "briscola", players: 2, options: { rubber_games: "1" } };
  const created = await createWith(url, ruleSet, { packSource: "PACK_SOURCE_SHARED" });
  const { matchId, seatKeys } = created;
  const match = `${url}/v1/matches/${matchId}`;
  await page.goto(`${url}/play/#match=${matchId}&key=${seatKeys[0]?.key}`);
  await openMenu(page);
  await page.getByText("Fair deal", { exact: true }).click();
  const panel = page.locator(".fair-deal");
  await panel.getByText("Seeds are awaited from: you, Player 2").waitFor();
  const commitment = await panel.locator("code").first().textContent();
  await playFairly(page, match, created);
  await openMenu(page); // the end of the match has closed it
  await panel.getByText("The proof holds").first().waitFor();
  const shown = await panel.getByRole("listitem").last().textContent();
  const text = await panel.textContent();
  await page.route("**/shuffles", async (route) => {
    const answer = await (await route.fetch()).json();
    answer.shuffles.at(-1).cards.reverse();
    await route.fulfill({ json: answer });
  });
  const forged: Record<string, string | null> = {};
  for (const [language, title] of Object.entries({ it: "Mescolata equa", de: "Faires Geben" })) {
    await page.goto(`${url}/play/?language=${language}#match=${matchId}`);
    await openMenu(page);
    await page.getByText(title, { exact: true }).click();
    await panel.locator(".fails").first().waitFor();
    forged[language] = await panel.locator(".fails").first().textContent();
  }
  return { commitment, shown, text, forged };
}
