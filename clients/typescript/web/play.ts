/**
 * The page `/play/`: a form for a new match, then its table. The match and the key stand in the fragment of the address,
 * which a browser sends to nobody.
 */

import type { CreatedMatch } from "./contract.js";
import { button, copyText, make } from "./dom.js";
import { FRIEND, MatchForm, ME, type NewMatch } from "./form.js";
import { qrPicture } from "./qr.js";
import { RequestsPanel } from "./requests.js";
import { Service } from "./service.js";
import { allViews, tableOf } from "./views.js";
import { chooseLanguage, fill, wordsOf } from "./words.js";

const HOME = new URL("../", import.meta.url).href;
const query = new URLSearchParams(location.search);
const language = chooseLanguage(query.get("language"), document.documentElement.lang);
const words = wordsOf(language);
const main = document.querySelector("main") ?? document.body.appendChild(make("main"));
const problem = make("p", { role: "alert", class: "problem" });

/** The address of this page for a match, with or without a key; with `referee` for all its views. */
function linkTo(match: string, key = "", referee = ""): string {
  const fragment = new URLSearchParams({ match, ...(key && { key }), ...(referee && { referee }) });
  return `${location.origin}${location.pathname}?language=${language}#${fragment}`;
}

/** Shows what the fragment of the address says: a match, or the form. */
function showAddress(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const match = fragment.get("match");
  showLanguages();
  const referee = fragment.get("referee");
  document.body.classList.toggle("wide", Boolean(match && referee));
  if (match && referee) {
    void showViews(match, referee);
  } else if (match) {
    showTable(match, fragment.get("key") ?? "");
  } else {
    void showForm();
  }
}

/** The links to the other languages keep the game and the match. */
function showLanguages(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[hreflang]")) {
    const search = new URLSearchParams(query);
    search.set("language", link.hreflang);
    link.href = `?${search}${location.hash}`;
  }
}

function showTable(match: string, key: string, ...above: readonly HTMLElement[]): void {
  const table = tableOf(new Service(HOME, language, key), match);
  const requests = new RequestsPanel(
    words,
    () => table.cutStream(),
    () => table.runOutClock(),
  );
  requests.listenTo(table);
  const again = make("a", { href: `?language=${language}` }, words.newMatch);
  main.replaceChildren(...above, problem, table, requests.element, make("p", {}, again));
}

/** Shows all views of a match side by side. */
async function showViews(match: string, referee: string): Promise<void> {
  const open = (copy: string, key: string) => {
    history.pushState(null, "", linkTo(copy, "", key));
    showAddress();
  };
  main.replaceChildren(make("h1", {}, words.allViews), problem);
  await reported(async () => {
    main.append(...(await allViews(new Service(HOME, language, referee), match, words, open)));
  });
}

async function showForm(): Promise<void> {
  const service = new Service(HOME, language);
  await reported(async () => {
    const form = new MatchForm(await service.games(), service, words, (match) => reported(() => start(service, match)));
    main.replaceChildren(make("h1", {}, words.title), problem, form.element);
    await form.choose(query.get("game") ?? "");
  });
}

/** Creates a match, gives seats to bots, and sits down. */
async function start(service: Service, { ruleSet, players, clock, shared }: NewMatch): Promise<void> {
  const created = await service.createMatch(ruleSet, {
    ...(clock && { clock }),
    ...(shared && { packSource: "PACK_SOURCE_SHARED" }),
  });
  const referee = new Service(HOME, language, created.refereeKey);
  for (const [person, { seat }] of created.seatKeys.entries()) {
    const bot = players[person];
    if (bot && bot !== ME && bot !== FRIEND) {
      await referee.assignBot(created.matchId, seat, bot);
    }
  }
  const key = created.seatKeys[players.indexOf(ME)]?.key ?? "";
  history.pushState(null, "", linkTo(created.matchId, key));
  showLanguages();
  showTable(created.matchId, key, invitations(created, players));
}

/** The links to the seats of other persons, and that of spectators. */
function invitations({ matchId, seatKeys, refereeKey }: CreatedMatch, players: readonly string[]): HTMLElement {
  const mine = players.indexOf(ME);
  const guests = seatKeys.filter((_, person) => person !== mine && [ME, FRIEND].includes(players[person] ?? ""));
  const links = guests.map(({ seat, key }) => invitation(fill(words.seat, { seat }), linkTo(matchId, key)));
  const views = invitation(words.allViews, linkTo(matchId, "", refereeKey));
  const list = make("ul", {}, ...links, invitation(words.watch, linkTo(matchId)), views);
  const attributes = guests.length ? { open: true } : {};
  return make("details", attributes, make("summary", {}, words.invite), make("p", {}, words.inviteText), list);
}

function invitation(text: string, link: string): HTMLElement {
  const copy = button("", words.copy, async () => {
    await copyText(link);
    copy.textContent = words.copied;
  });
  copy.setAttribute("aria-label", `${words.copy}: ${text}`);
  const code = make("details", { class: "code" }, make("summary", {}, words.qrCode));
  code.append(qrPicture(link, `${words.qrCode}: ${text}`));
  return make("li", {}, make("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, text), " ", copy, code);
}

/** Does something; an error is shown. */
async function reported(action: () => Promise<void>): Promise<void> {
  problem.textContent = "";
  try {
    await action();
  } catch (error) {
    problem.textContent = error instanceof Error ? error.message : String(error);
    if (!problem.isConnected) {
      main.prepend(problem);
    }
  }
}

// Also where a link is pasted into the same window, which changes the fragment alone.
addEventListener("popstate", showAddress);
showAddress();
