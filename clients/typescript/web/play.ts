/**
 * The page `/play/`: a form for a new match, then its table. The match and the key stand in the fragment of the address,
 * which a browser sends to nobody.
 */

import type { CreatedMatch } from "./contract.js";
import { button, make } from "./dom.js";
import { FRIEND, MatchForm, ME, type NewMatch } from "./form.js";
import { Service } from "./service.js";
import type { ChitarrellaTable } from "./table.js";
import { chooseLanguage, fill, LANGUAGES, wordsOf } from "./words.js";

const HOME = new URL("../", import.meta.url).href;
const asked = new URLSearchParams(location.search).get("language");
const language = chooseLanguage(asked, ...navigator.languages);
const words = wordsOf(language);
const main = document.querySelector("main") ?? document.body.appendChild(make("main"));
const problem = make("p", { role: "alert", class: "problem" });

/** The address of this page for a match, with or without a key. */
function linkTo(match: string, key = ""): string {
  const fragment = new URLSearchParams(key ? { match, key } : { match });
  return `${location.origin}${location.pathname}?language=${language}#${fragment}`;
}

/** Shows what the fragment of the address says: a match, or the form. */
function showAddress(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const match = fragment.get("match");
  showLanguages();
  if (match) {
    showTable(match, fragment.get("key") ?? "");
  } else {
    void showForm();
  }
}

function showLanguages(): void {
  const links = LANGUAGES.map((code) =>
    code === language
      ? make("strong", { "aria-current": "true" }, code)
      : make("a", { href: `?language=${code}${location.hash}`, hreflang: code, lang: code }, code),
  );
  const all = make("a", { href: `?language=${language}` }, words.newMatch);
  document.querySelector("nav")?.replaceChildren(...links, all);
}

function showTable(match: string, key: string, ...above: readonly HTMLElement[]): void {
  const table = document.createElement("chitarrella-table") as ChitarrellaTable;
  table.setAttribute("match", match);
  table.setAttribute("language", language);
  table.key = key;
  main.replaceChildren(...above, problem, table);
}

async function showForm(): Promise<void> {
  const service = new Service(HOME, language);
  await reported(async () => {
    const form = new MatchForm(await service.games(), service, words, (match) => reported(() => start(service, match)));
    main.replaceChildren(make("h1", {}, words.title), problem, form.element);
    await form.choose();
  });
}

/** Creates a match, gives seats to bots, and sits down. */
async function start(service: Service, { ruleSet, players }: NewMatch): Promise<void> {
  const created = await service.createMatch(ruleSet);
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
function invitations({ matchId, seatKeys }: CreatedMatch, players: readonly string[]): HTMLElement {
  const mine = players.indexOf(ME);
  const guests = seatKeys.filter((_, person) => person !== mine && [ME, FRIEND].includes(players[person] ?? ""));
  const links = guests.map(({ seat, key }) => invitation(fill(words.seat, { seat }), linkTo(matchId, key)));
  const list = make("ul", {}, ...links, invitation(words.watch, linkTo(matchId)));
  const attributes = guests.length ? { open: true } : {};
  return make("details", attributes, make("summary", {}, words.invite), make("p", {}, words.inviteText), list);
}

function invitation(text: string, link: string): HTMLElement {
  const copy = button("", words.copy, () => {
    void navigator.clipboard?.writeText(link).then(() => {
      copy.textContent = words.copied;
    });
  });
  copy.setAttribute("aria-label", `${words.copy}: ${text}`);
  return make("li", {}, make("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, text), " ", copy);
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

document.documentElement.lang = language;
document.title = `${words.title} - Chitarrella`;
// Also where a link is pasted into the same window, which changes the fragment alone.
addEventListener("popstate", showAddress);
showAddress();
