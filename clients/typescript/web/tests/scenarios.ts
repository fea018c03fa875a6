/** What a stranger does at the page, by roles and visible names alone. Each returns what it saw. */

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import jsqr from "jsqr";
import type { Locator, Page } from "playwright-core";
import type { Game, GameSummary, LegalMoves, Match } from "../service.js";
import {
  CORNER,
  create,
  get,
  keyOf,
  linesOf,
  moveOnce,
  openMenu,
  openRequests,
  playable,
  post,
  reconnected,
  type Scenario,
  start,
  viewOf,
} from "./calls.js";
import {
  badRecords,
  clock,
  duel,
  embedded,
  examples,
  fairDeal,
  hastyRecords,
  history,
  record,
} from "./record_scenarios.js";

const TAKEN = "build/web/table.webp";
const KEPT = "../../docs/table.webp";
/** Pictures are compared when they are so wide, so that a line that is drawn otherwise by a pixel does not count. */
const WIDTH = 100;

/** Takes the picture of a table with a refusal; gives the mean difference of a pixel, of 255, from the picture in the repository. */
async function takePicture(page: Page, address: string): Promise<number> {
  await page.setViewportSize({ width: 600, height: 600 });
  await page.goto(address);
  const cards = page.locator(".own").getByRole("button", { name: / of [a-z]+$/ });
  await cards.nth(1).click(CORNER);
  const refusal = page.getByRole("alert").filter({ hasText: "Not allowed" });
  await refusal.waitFor();
  await page.getByText("Connected", { exact: true }).waitFor();
  const session = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 45, width: 600, height: 555, scale: 0.5 };
  const { data } = await session.send("Page.captureScreenshot", { clip, format: "webp", quality: 4 });
  await writeFile(TAKEN, data, "base64");
  const [taken, kept] = await Promise.all([TAKEN, KEPT].map((path) => readFile(path, "base64")));
  await page.goto("about:blank");
  return page.evaluate(
    async ([one, other, width]) => {
      const pixels = async (png: string) => {
        const image = new Image();
        image.src = `data:image/webp;base64,${png}`;
        await image.decode();
        const height = Math.round((image.height * width) / image.width);
        const context = new OffscreenCanvas(width, height).getContext("2d");
        context?.drawImage(image, 0, 0, width, height);
        return context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
      };
      const [first, second] = await Promise.all([pixels(one), pixels(other)]);
      const sum = first.reduce((all, value, place) => all + Math.abs(value - (second[place] ?? 0)), 0);
      return sum / first.length;
    },
    [taken ?? "", kept ?? "", WIDTH] as const,
  );
}

/** A press at the first page begins a match there, and on a phone at the page of a table; gives the paths, and what is kept. */
async function firstPage(page: Page, url: string): Promise<unknown> {
  const paths: string[] = [];
  for (const [width, height] of [
    [1280, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(url);
    await page.getByRole("link", { name: "Play Briscola", exact: true }).click();
    await playable(page).click(CORNER);
    await linesOf(page).filter({ hasText: /^You/ }).first().waitFor({ state: "attached" });
    paths.push(new URL(page.url()).pathname);
  }
  await page.goto(`${url}/play/`);
  const own = page.locator(".own-matches").getByRole("link", { name: "Briscola" });
  await own.nth(1).waitFor();
  return { paths, own: await own.count() };
}

/** What the form shows of the options of each game: the labels, and the lines of the lists; in Italian. */
async function options(page: Page, url: string): Promise<unknown> {
  const { games } = await get<{ games: readonly GameSummary[] }>(`${url}/v1/games?pageSize=100`);
  const found: Record<string, string[]> = {};
  await page.goto(`${url}/play/?language=it`);
  const group = page.locator("details").filter({ hasText: "Opzioni" });
  for (const { gameId } of games) {
    await page.locator("select[name=game]").selectOption(gameId);
    await page.locator("button[type=submit]:not([disabled])").waitFor();
    found[gameId] = await group.locator("label span, option").allTextContents();
  }
  return found;
}

/** Chooses a word, a seat and a number among the options of Coteccio, and reads the rule set of the match. */
async function chosenOptions(page: Page, url: string): Promise<unknown> {
  await page.goto(`${url}/play/?game=coteccio`);
  await page.getByLabel("Your name").fill("Carla");
  await page.getByText("Who plays", { exact: true }).click();
  await page.getByRole("combobox", { name: "Players" }).selectOption("3");
  await page.getByText("Options", { exact: true }).click();
  const list = (name: string) => page.getByRole("combobox", { name });
  await list("Calls of the doctor").selectOption({ label: "without limit" });
  await list("Most lives").selectOption({ label: "a number" });
  await page.getByRole("spinbutton", { name: "Most lives" }).fill("7");
  await list("First dealer").selectOption({ label: "Player 3" });
  const seats = await list("First dealer").getByRole("option").allTextContents();
  await page.evaluate(() => localStorage.setItem("chitarrella-speed", "1"));
  await start(page);
  await page.getByRole("region", { name: /^Table: Coteccio/ }).waitFor();
  const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("match");
  const { ruleSet, ...match } = await get<Match>(`${url}/v1/matches/${id}`);
  return { seats, ruleSet, name: match.seats[0]?.playerName, bots: match.seats.map(({ bot }) => bot) };
}

/** Reads the answer to one question in each language, copies it, and asks about a game without tricks. */
async function citations(page: Page, url: string): Promise<unknown> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const question = "game=madrasso&option.must_trump_if_void=true&trump=d&trick=3c&hand=Ac,2s,4s&taken=Ad";
  const texts: Record<string, string> = {};
  const links: (string | null)[] = [];
  for (const language of ["it", "de", "en"]) {
    await page.goto(`${url}/ask/?${question}&language=${language}`);
    const citation = page.getByRole("paragraph").filter({ hasText: "Chitarrella" });
    await citation.waitFor();
    texts[language] = (await citation.textContent()) ?? "";
    links.push(await citation.getByRole("link").getAttribute("href"));
  }
  await page.getByRole("button", { name: "Copy the answer" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate("navigator.clipboard.readText()");
  const address = page.url();
  await page.goto(`${url}/ask/?game=cucu`);
  const note = page.getByRole("status").filter({ hasText: "not played in tricks" });
  await note.waitFor();
  // The note is there before the list.
  const list = page.getByRole("combobox", { name: "Game" }).getByRole("option");
  await list.first().waitFor({ state: "attached" });
  const games = await list.allTextContents();
  return { texts, links, copied, address, note: await note.textContent(), games };
}

/** Plays a whole match of Briscola against a bot, every other card by keyboard. */
async function briscola(page: Page, url: string): Promise<unknown> {
  await page.goto(`${url}/play/`);
  await page.getByText("Who plays", { exact: true }).click();
  await page.getByRole("combobox", { name: "Player 2" }).selectOption({ label: "bot: easy" });
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("spinbutton", { name: "Games that win the match" }).fill("1");
  await start(page);
  const card = playable(page);
  const over = page.getByText("The match is finished", { exact: true });
  const lines = linesOf(page);
  let pressed = 0;
  let lostFocus = 0;
  await card.waitFor();
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  const hint = await page.getByRole("alert").filter({ hasText: "Hint: " }).textContent();
  const hinted = await page.locator(".card.hinted").getAttribute("aria-label");
  // After a draw there is another game.
  const goOn = page.getByRole("button", { name: "Continue" });
  for (;;) {
    await card.or(over).or(goOn).first().waitFor();
    if (await over.isVisible()) {
      break;
    }
    if (await goOn.isVisible()) {
      await goOn.click();
      continue;
    }
    const name = (await card.getAttribute("aria-label")) ?? "";
    if (pressed % 2) {
      await card.click();
    } else {
      await card.press("Enter");
    }
    pressed++;
    await page.getByRole("button", { name, exact: true }).waitFor({ state: "detached" });
    const focused = await page.evaluate("document.activeElement?.localName");
    lostFocus += Number(focused !== "chitarrella-table" && !(await over.isVisible()));
  }
  await lines.filter({ hasText: /wins? the match/ }).waitFor();
  const log = await lines.allTextContents();
  return { pressed, lostFocus, log, hint, hinted, address: page.url() };
}

/** Creates a match with a friend, and reloads the waiting room; gives the link for him, and the size of its code. */
async function invitation(page: Page, url: string) {
  await page.goto(`${url}/play/?game=briscola`);
  await page.getByText("Clock", { exact: true }).click();
  await page.getByRole("spinbutton", { name: "Seconds for each move (0: no limit)" }).fill("60");
  await page.getByRole("button", { name: "Play with friends" }).click();
  await page.getByText("Player 2: has not come yet").waitFor();
  await page.reload();
  const seat = page.getByRole("listitem").filter({ hasText: "Player 2: has not come yet" });
  const href = (await seat.getByRole("link").getAttribute("href")) ?? "";
  await seat.getByText("QR code").click();
  const code = seat.getByRole("img", { name: /^QR code: Player 2/ });
  await code.scrollIntoViewIfNeeded();
  const size = await code.boundingBox();
  const { side, pixels } = await code.evaluate(async (element) => {
    const picture = new Image();
    picture.src = `data:image/svg+xml,${encodeURIComponent(element.outerHTML)}`;
    await picture.decode();
    const side = (element as SVGSVGElement).viewBox.baseVal.width;
    const context = new OffscreenCanvas(side, side).getContext("2d");
    context?.drawImage(picture, 0, 0, side, side);
    return { side, pixels: [...(context?.getImageData(0, 0, side, side).data ?? [])] };
  });
  assert.equal(jsqr.default(Uint8ClampedArray.from(pixels), side, side)?.data, href);
  return { href, size };
}

/** Says a name, for which a guest is asked once. */
async function introduce(page: Page, name: string): Promise<void> {
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Go to the table" }).click();
}

/** Invites another person, who opens the link on a second phone and sees the own cards alone. */
async function invite(page: Page, url: string): Promise<unknown> {
  const { href, size } = await invitation(page, url);
  const guest = await page.context().browser()?.newContext({ locale: "de" });
  const other = (await guest?.newPage()) ?? page;
  await other.goto(href);
  const language = await other.locator("html").getAttribute("lang");
  await other.goto(href.replace("#", "?language=en#"));
  await other.getByRole("heading", { name: "Host invites you to Briscola" }).waitFor();
  await introduce(other, "Anna");
  await page.getByRole("heading", { level: 1, name: "Briscola: You, Anna" }).waitFor();
  const mine = page.locator(".own").getByRole("button", { name: /./ });
  const theirs = other.locator(".own").getByRole("button", { name: /./ });
  await theirs.first().waitFor();
  const timer = page.getByRole("timer").filter({ hasText: /\d/ });
  const clock = await timer.textContent();
  const names = (cards: typeof mine) =>
    cards.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
  // Both titles follow an answer that the table has drawn already.
  const hasSign = (one: Page) => one.waitForFunction(() => document.title.startsWith("●"));
  await Promise.any([hasSign(page), hasSign(other)]);
  const titles = [await page.title(), await other.title()];
  const turn = (await playable(page).count()) ? page : other;
  await playable(turn).click();
  // A press while the table is about to show the played card does nothing: it was made on what is past.
  await turn.getByText("Your turn").waitFor({ state: "hidden" });
  await turn.getByRole("button", { name: "Take back" }).click();
  const answering = turn === page ? other : page;
  await answering.getByRole("button", { name: "Agree" }).click();
  await turn
    .getByRole("log")
    .getByText(/take.?back|taken back/i)
    .first()
    .waitFor();
  await turn.getByText("Your turn").waitFor();
  const cards = { mine: await names(mine), theirs: await names(theirs) };
  await other.goto(`${url}/play/?language=en`);
  const matches = other.getByRole("region", { name: "Your matches" }).getByRole("listitem");
  await matches.first().waitFor();
  const own = await matches.allTextContents();
  await guest?.close();
  return { ...cards, size, clock, language, own, titles };
}

/** Plays a card, and copies the request as a program; opens all views and a copy of the match. */
async function requests(page: Page, url: string): Promise<unknown> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const created = await create(url, { gameId: "briscola", players: 2 });
  const { matchId } = created;
  const { turn } = await viewOf(url, created);
  const key = keyOf(created, turn);
  await page.goto(`${url}/play/#match=${matchId}&key=${key}`);
  await playable(page).click();
  await page
    .getByText(/is thinking$/)
    .first()
    .waitFor();
  await openRequests(page);
  const row = page
    .getByRole("listitem")
    .filter({ hasText: `POST /v1/matches/${matchId}/moves` })
    .last();
  await row.getByText(/^POST/).click();
  const programs: Record<string, string> = {};
  for (const language of ["curl", "Python", "TypeScript", "Go"]) {
    await page.getByRole("combobox", { name: "Show as" }).selectOption(language);
    await row.getByRole("button", { name: "Copy" }).click();
    await row.getByRole("button", { name: "Copied" }).waitFor();
    programs[language] = await page.evaluate("navigator.clipboard.readText()");
  }
  const shown = await row.locator("pre").first().textContent();
  await row.getByRole("button", { name: "Send again" }).click();
  await page.getByRole("listitem").filter({ hasText: '"repeatedRequest": true' }).first().waitFor();
  await row.getByRole("button", { name: "Send with a stale revision" }).click();
  const stale = page.getByRole("listitem").filter({ hasText: "stale_revision" }).first();
  await stale.waitFor();
  await page.getByRole("button", { name: "Cut the stream of events" }).click();
  await reconnected(page);
  return { key, matchId, programs, shown };
}

/** Opens all views of a match, each beside what the service says to the same reader, and a copy after one move. */
async function views(page: Page, url: string): Promise<unknown> {
  await page.setViewportSize({ width: 1280, height: 900 });
  const { matchId, refereeKey } = await create(url, { gameId: "briscola", players: 2 });
  const address = `${url}/play/#match=${matchId}&referee=${refereeKey}`;
  await page.goto(address);
  const faces = async (name: string) => {
    const hands = page.getByRole("region", { name: `View: ${name}`, exact: true }).locator("[data-zone=hand]");
    await hands.last().waitFor();
    return hands.evaluateAll((zones) => zones.map((zone) => zone.querySelectorAll(".card:not(.back)").length));
  };
  const found: Record<string, number[]> = {};
  for (const name of ["Public", "Player 1", "Player 2", "Referee"]) {
    found[name] = await faces(name);
  }
  await page.getByRole("slider").fill("1");
  await page.getByRole("button", { name: "Open a copy of the match after these moves" }).click();
  await page.waitForURL((now) => now.hash !== new URL(address).hash);
  const copy = new URLSearchParams(new URL(page.url()).hash.slice(1));
  await faces("Referee");
  const { width, wide } = await page.evaluate(() => ({ width: innerWidth, wide: document.body.scrollWidth }));
  return { found, matchId, copy: copy.get("match"), key: copy.get("referee"), width, wide };
}

/** Lays out a trick and a hand, reads the verdicts, and opens the same question by its address in German. */
async function ask(page: Page, url: string): Promise<unknown> {
  await page.goto(`${url}/ask/?game=madrasso`);
  const tap = (name: string) =>
    page
      .getByRole("group", { name: /^Tap a card/ })
      .getByRole("button", { name })
      .click();
  await page.getByRole("combobox", { name: "Trump suit" }).selectOption({ label: "coins" });
  await page.getByRole("button", { name: "Trick", exact: true }).click();
  await tap("3 of cups");
  await page.getByRole("button", { name: "Hand", exact: true }).click();
  await tap("ace of cups");
  await tap("2 of swords");
  await page.getByRole("button", { name: "Cards taken", exact: true }).click();
  await tap("ace of coins");
  await page.getByText(/^2 of swords: /).waitFor();
  await page.getByText(/^Cards taken: /).waitFor();
  const english = await page.locator(".answers").textContent();
  const legal = await page.getByRole("button", { name: /^ace of cups, can be played/ }).count();
  const address = page.url();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await page.getByRole("link", { name: "Deutsch" }).click();
  await page.getByText(/^Gestochene Karten: /).waitFor();
  return { english, german: await page.locator(".answers").textContent(), address, legal, wide };
}

/** How many cards of the trick a panel covers on phones, upright and not, and on a desktop. */
async function coveredBy(page: Page, panel: Locator): Promise<number[]> {
  const found: number[] = [];
  for (const [width, height] of [
    [390, 800],
    [844, 390],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    const covered = await panel.evaluate((one) => {
      const { x, y, right, bottom } = one.getBoundingClientRect();
      const cards = (one.getRootNode() as ShadowRoot).querySelectorAll("[data-place=middle] .card");
      const boxes = [...cards].map((card) => card.getBoundingClientRect());
      return boxes.filter((card) => card.right > x && card.bottom > y && card.x < right && card.y < bottom).length;
    });
    found.push(covered);
  }
  return found;
}

/** Presses a card that does not follow suit, at a table in Italian. */
async function madrasso(page: Page, url: string): Promise<unknown> {
  const created = await create(url, { gameId: "madrasso" });
  const { matchId, refereeKey } = created;
  const match = `${url}/v1/matches/${matchId}`;
  const view = await viewOf(url, created);
  const leader = view.turn ?? 0;
  const seat = (leader + 1) % view.scores.length;
  const suits = (of: number) => view.zones.filter((zone) => zone.seat === of).flatMap((zone) => zone.cards);
  const lead = suits(leader).find((card) => suits(seat).some((other) => other.endsWith(card.slice(-1)))) ?? "";
  await post(`${match}/moves`, { seat: leader, move: { verb: "play_card", cards: [lead] } }, refereeKey);
  const legal = await get<LegalMoves>(`${match}/legalMoves`, refereeKey);
  const key = keyOf(created, seat);
  await page.goto(`${url}/play/?language=it#match=${matchId}&key=${key}`);
  const hand = page.getByRole("group", { name: "Le tue carte" }).getByRole("button");
  await hand.first().waitFor();
  const names = await hand.evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label") ?? ""));
  const illegal = names.filter((name) => !name.endsWith("si può giocare"));
  await page.getByRole("button", { name: illegal[0] ?? "", exact: true }).click(CORNER);
  const alert = page.getByRole("alert").filter({ hasText: "Non permesso" });
  const text = await alert.textContent();
  const refused = hand.and(page.locator("[aria-description]"));
  const onCard = {
    shown: await refused.locator(".clause").textContent(),
    described: await refused.getAttribute("aria-description"),
  };
  const glowing = page.getByRole("button", { name: /si può giocare invece$/ });
  const shadows = await glowing.evaluateAll((cards) => cards.map((card) => getComputedStyle(card).boxShadow));
  const href = await alert.getByRole("link").getAttribute("href");
  const covered = await coveredBy(page, alert);
  const marks = await glowing.allTextContents();
  await alert.getByRole("button", { name: "Chiudi" }).click();
  const left = await glowing.count();
  const picture = await takePicture(page, `${url}/play/?language=en#match=${matchId}&key=${key}`);
  return { text, href, legal: legal.moves.length, names, illegal, shadows, onCard, marks, left, covered, picture };
}

/** Asks about the cards of a match without an end, and ends it, both from its menu; one with an end is given up. */
async function finish(page: Page, url: string): Promise<unknown> {
  await page.goto(`${url}/play/?game=harjan`);
  await start(page);
  await openMenu(page);
  await page.locator("summary").filter({ hasText: "Give up" }).waitFor();
  await page.goto(`${url}/play/?game=harjan&language=en`);
  await page.locator("summary").filter({ hasText: "Options" }).click();
  await page.getByLabel("Games to be won").fill("0");
  await start(page);
  await page.getByText(/^Your turn/).waitFor();
  await openMenu(page);
  const question = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Ask about this trick" }).click();
  await (await question)
    .getByRole("button", { name: /can be played/ })
    .first()
    .waitFor();
  await (await question).close();
  await page.locator("summary").filter({ hasText: "Finish the match" }).click();
  await page.getByText("who leads has won").waitFor();
  await page.getByRole("button", { name: "Finish the match" }).click();
  const end = page.getByRole("region", { name: "A draw: nobody won" });
  await end.waitFor();
  return await page.getByRole("button", { name: "Rematch" }).count();
}

/** Watches without a key while the stream is cut; the deal is told, and the moves made meanwhile once. */
async function spectator(page: Page, url: string): Promise<unknown> {
  const created = await create(url, { gameId: "briscola" });
  let cuts = 0;
  await page.route(/:watch/, async (route) => (cuts++ ? route.continue() : route.abort()));
  await page.goto(`${url}/play/#match=${created.matchId}`);
  await reconnected(page);
  await openMenu(page);
  await moveOnce(url, created);
  const menu = await page.locator(".menu .lines > :last-child", { hasText: / plays / }).textContent();
  await page.keyboard.press("Escape");
  const log = linesOf(page);
  await log.filter({ hasText: / play/ }).waitFor();
  const buttons = await page.locator("chitarrella-table .board").getByRole("button").count();
  const hidden = await page.getByText("face down").count();
  const stock = await page.locator("[data-zone=stock] .count").textContent();
  return { buttons, hidden, stock, menu, log: await log.allTextContents(), cuts };
}

/** A table whose pictures of coins are missing: they are text, the others pictures with the same names. */
async function pictures(page: Page, url: string): Promise<unknown> {
  const { matchId, refereeKey } = await create(url, { gameId: "briscola", players: 2 });
  await page.route("**/v1/games/briscola*", async (route) => {
    const game = (await (await route.fetch()).json()) as Game;
    const cards = game.cards.map((card) => ({ ...card, picturePath: `/test-cards/${card.code}.svg` }));
    await route.fulfill({ json: { ...game, cards } });
  });
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="60"/>';
  await page.route("**/test-cards/*", (route) => {
    const isMissing = route.request().url().endsWith("b.svg");
    return isMissing ? route.fulfill({ status: 404 }) : route.fulfill({ contentType: "image/svg+xml", body: svg });
  });
  await page.goto(`${url}/play/#match=${matchId}&key=${refereeKey}`);
  const cards = page.getByRole("button").or(page.getByRole("img", { name: /of/ }));
  await playable(page).waitFor();
  // A picture that fails is replaced, so that in the end all that are left have loaded.
  const isLoading = (all: Element[]) => all.some((one) => !(one as HTMLImageElement).naturalWidth);
  while (await page.locator("chitarrella-table img").evaluateAll(isLoading)) {
    await page.waitForTimeout(20);
  }
  return await cards.evaluateAll((all) =>
    all
      .filter((card) => card.classList.contains("card"))
      .map((card) => ({
        name: card.getAttribute("aria-label"),
        text: card.textContent,
        element: card.children[0]?.localName,
      })),
  );
}

/** Reads what a table shows of a declaration, of the contract with a secret ally, and of an exchange. */
async function plates(page: Page, url: string): Promise<unknown> {
  const open = async (gameId: string, fact: string, who: (seat: number, turn?: number) => number, verb = "") => {
    const created = await create(url, { gameId });
    for (;;) {
      const { facts, turn } = await viewOf(url, created);
      const { seat } = facts.find(({ name }) => name === fact) ?? {};
      if (seat !== undefined) {
        await page.goto("about:blank");
        await page.goto(`${url}/play/#match=${created.matchId}&key=${keyOf(created, who(seat, turn))}`);
        await page.locator(".own").waitFor();
        return page.locator(".chip").allTextContents();
      }
      await moveOnce(url, created, verb);
    }
  };
  await open("tressette", "declared", (seat) => (seat + 1) % 4, "declare");
  const declared = await page
    .locator(".seat")
    .getByRole("group", { name: /^declared card/ })
    .getByRole("img")
    .count();
  const ally = await open("briscola-chiamata", "ally", (seat) => seat);
  const watcher = await open("briscola-chiamata", "ally", () => -1);
  const pool = await open("cucu", "tokens", (_, turn = 0) => turn);
  const buttons = await page.locator(".moves button").allTextContents();
  await openMenu(page);
  const order = await page.locator(".facts dd").first().textContent();
  return { declared, ally, watcher, pool, buttons, order };
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  firstPage,
  options,
  chosenOptions,
  citations,
  briscola,
  madrasso,
  finish,
  spectator,
  pictures,
  plates,
  invite,
  requests,
  fairDeal,
  history,
  clock,
  views,
  ask,
  record,
  examples,
  badRecords,
  hastyRecords,
  embedded,
  duel,
};
