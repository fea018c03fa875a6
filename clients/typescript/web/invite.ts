/** The matches of this browser, whose keys its local storage keeps, and the room where one waits for the others. */

import { renderSVG } from "uqr";
import { isOnTurn } from "./board.js";
import { button, copyText, keep, kept, make } from "./dom.js";
import { BOTS, FRIEND, keptName, ME, type NewMatch } from "./form.js";
import { keptSlowness } from "./playback.js";
import { type Game, type Match, pause, Service, ServiceError } from "./service.js";
import type { ChitarrellaTable } from "./table.js";
import { fill, type Words, wordsOf } from "./words.js";

/** A match that was created or opened here. */
interface OwnMatch {
  readonly id: string;
  readonly key: string;
  /** The seats of the persons who are invited, with their keys; none for who was invited. */
  readonly guests: readonly { readonly seat: number; readonly key: string }[];
  /** The key of the referee, where nobody else plays; else empty. */
  readonly referee: string;
}

const STORE = "chitarrella-matches";
/** How many matches are kept, the latest first. */
const KEPT = 20;
/** How often the waiting room asks who has come. */
const POLL_MS = 3000;

/** The matches that are kept, the latest first; none where the browser keeps nothing. */
export const ownMatches = (): readonly OwnMatch[] => kept(STORE, []);

/** Keeps a match in the place of what was known of it. */
export function remember(match: OwnMatch): void {
  keep(STORE, [match, ...ownMatches().filter(({ id }) => id !== match.id)].slice(0, KEPT));
}

function forget(match: string): void {
  keep(
    STORE,
    ownMatches().filter(({ id }) => id !== match),
  );
}

/** How long a bot waits with its move, at the usual speed. */
const BOT_MS = 700;

/** A match of a game with bots, as it is usually played. */
export async function usualMatch(service: Service, gameId: string): Promise<NewMatch> {
  const { defaultPlayers: count } = (await service.game(gameId)).summary;
  const players = [ME, ...Array(count).fill(BOTS[0])];
  return { name: keptName(), ruleSet: { gameId, players: count, options: {} }, players, shared: false };
}

/** Creates a match, gives seats to bots, sits down, and keeps the match. */
export async function create(service: Service, { name, ruleSet, players, clock, shared }: NewMatch): Promise<OwnMatch> {
  const { base, language } = service;
  const {
    matchId: id,
    seatKeys,
    refereeKey,
  } = await service.createMatch(ruleSet, {
    ...(clock && { clock }),
    ...(shared && { packSource: "PACK_SOURCE_SHARED" }),
  });
  const host = new Service(base, language, refereeKey);
  for (const [person, { seat }] of seatKeys.entries()) {
    const bot = players[person];
    if (bot && bot !== ME && bot !== FRIEND) {
      await host.assignBot(id, seat, bot, BOT_MS * keptSlowness());
    }
  }
  const mine = players.indexOf(ME);
  const guests = seatKeys.filter((_, person) => person !== mine && [ME, FRIEND].includes(players[person] ?? ""));
  const key = seatKeys[mine]?.key ?? "";
  // Guests see who has invited them.
  const called = name || (guests.length ? wordsOf(language).host : "");
  if (key && called) {
    await new Service(base, language, key).join(id, called);
  }
  const match = { id, key, guests, referee: guests.length ? "" : refereeKey };
  remember(match);
  return match;
}

/** A table of one reader. */
export function tableOf(service: Service, match: string, seat?: number, isPublic = false): ChitarrellaTable {
  const table = document.createElement("chitarrella-table") as ChitarrellaTable;
  table.setAttribute("match", match);
  table.setAttribute("language", service.language);
  if (seat !== undefined) {
    table.setAttribute("seat", String(seat));
  }
  table.key = isPublic ? "" : service.key;
  return table;
}

/** The address of this page for a match, with or without a key. It names no language: that is the reader's own. */
export function linkTo(match: string, key = "", referee = "", guest = ""): string {
  const parts = Object.entries({ match, key, referee, guest }).filter(([, value]) => value);
  return `${location.origin}${location.pathname}#${new URLSearchParams(parts)}`;
}

/** The own matches with their state; those that have expired are forgotten. */
export class OwnMatches {
  readonly element = make("section", { class: "own-matches" });
  private readonly games = new Map<string, Promise<Game | undefined>>();

  constructor(
    private readonly service: Service,
    private readonly words: Words,
    private readonly titles: ReadonlyMap<string, string>,
  ) {}

  async show(): Promise<void> {
    const rows = await Promise.all(ownMatches().map((one) => this.row(one)));
    const found = rows.filter((row) => row !== undefined);
    if (found.length) {
      this.element.setAttribute("aria-label", this.words.yourMatches);
      this.element.replaceChildren(make("h2", {}, this.words.yourMatches), make("ul", {}, ...found));
    }
  }

  private async row({ id, key }: OwnMatch): Promise<HTMLElement | undefined> {
    const { base, language } = this.service;
    try {
      const match = await new Service(base, language, key).match(id);
      const title = this.titles.get(match.ruleSet.gameId) ?? match.ruleSet.gameId;
      const remove = () => {
        forget(id);
        row.remove();
      };
      const { forget: name } = this.words;
      const row = make(
        "li",
        {},
        make("a", { href: linkTo(id, key) }, title),
        " ",
        await this.score(match),
        " ",
        this.state(match),
        " ",
        button("forget", name, remove, { "aria-label": `${name}: ${title}` }),
      );
      return row;
    } catch (error) {
      if (error instanceof ServiceError && error.status === 404) {
        forget(id);
      }
      return undefined;
    }
  }

  /** The scores of the sides, that of the reader first. */
  private async score({ ruleSet, view, viewer = 0 }: Match): Promise<string> {
    const { gameId, players } = ruleSet;
    const game = this.games.get(gameId) ?? this.service.game(gameId).catch(() => undefined);
    this.games.set(gameId, game);
    const sides = (await game)?.partnerships.find((one) => one.players === players)?.sides.map(({ seats }) => seats);
    const parties = sides ?? [...view.scores.keys()].map((seat) => [seat]);
    const sorted = parties.sort((one, other) => Number(other.includes(viewer)) - Number(one.includes(viewer)));
    return `${this.words.score} ${sorted.map(([seat = 0]) => view.scores[seat]).join(" – ")}`;
  }

  private state(match: Match): HTMLElement {
    const { state, view, viewer } = match;
    const { words } = this;
    const isMine = viewer !== undefined && isOnTurn(viewer, view);
    const whom = view.turn === undefined ? "" : nameOf(match, view.turn, words);
    const open = isMine ? words.yourTurn : whom ? fill(words.waitFor, { who: whom }) : words.chance;
    const over = state === "MATCH_STATE_FINISHED" ? words.finished : words.aborted;
    const isOpen = state === "MATCH_STATE_OPEN";
    return make("span", { class: isMine && isOpen && "mine" }, isOpen ? open : over);
  }
}

function nameOf({ seats }: Match, seat: number, words: Words): string {
  return seats[seat]?.playerName || fill(words.player, { number: seat + 1 });
}

/** Who is invited, with a link each, and who has come; `enter` is called when all have, or when the host goes on. */
export class WaitingRoom {
  readonly element = make("section", { class: "waiting" });
  private readonly list = make("ul", { class: "guests" });
  private readonly said = new Map<number, HTMLElement>();

  constructor(
    private readonly service: Service,
    private readonly own: OwnMatch,
    title: string,
    private readonly words: Words,
    private readonly enter: () => void,
  ) {
    const rows = own.guests.map(({ seat, key }) => {
      const state = make("strong", {}, words.notYet);
      this.said.set(seat, state);
      const name = fill(words.player, { number: seat + 1 });
      return make(
        "li",
        {},
        make("span", {}, name, ": ", state),
        ...this.invitation(name, linkTo(own.id, key, "", "1"), title),
      );
    });
    this.list.append(...rows);
    const watch = make("details", {}, make("summary", {}, words.watch));
    watch.append(...this.invitation(words.watch, linkTo(own.id), title));
    this.element.append(
      make("h1", {}, `${title}: ${words.waitingTitle}`),
      make("p", {}, words.inviteText),
      this.list,
      button("enter", words.toTable, enter, { class: "primary" }),
      watch,
    );
  }

  /** Asks who has come until all have, or the room is left. */
  async poll(): Promise<void> {
    for (;;) {
      const match = await this.service.match(this.own.id).catch(() => undefined);
      if (!this.element.isConnected) {
        return;
      }
      const here = this.own.guests.filter(({ seat }) => match && hasCome(match, seat));
      for (const { seat } of here) {
        this.said.get(seat)?.replaceChildren(this.words.hasCome);
      }
      if (here.length === this.own.guests.length) {
        this.enter();
        return;
      }
      await pause(POLL_MS);
    }
  }

  /** Ways to pass a link on. The code is drawn here, so that its key is sent nowhere. */
  private invitation(who: string, link: string, game: string): HTMLElement[] {
    const { words } = this;
    const named = (text: string) => ({ "aria-label": `${text}: ${who}` });
    const copyIt = async () => {
      await copyText(link);
      copy.textContent = words.copied;
    };
    const copy = button("copy", words.copy, copyIt, named(words.copy));
    const text = fill(words.shareText, { game });
    const shareIt = () => navigator.share({ title: "Chitarrella", text, url: link }).catch(() => undefined);
    const share = button("share", words.share, shareIt, named(words.share));
    const code = make("details", { class: "code" }, make("summary", {}, words.qrCode));
    code.append(qrCode(link, `${words.qrCode}: ${who}`));
    const open = make("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, words.openLink);
    return [...("share" in navigator ? [share] : []), copy, open, code];
  }
}

/** The QR code of a link, drawn here: a link with a key in it is sent nowhere to be drawn. */
function qrCode(link: string, label: string): Element {
  const drawn = renderSVG(link, { ecc: "M", border: 4 });
  const code = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
  code.setAttribute("role", "img");
  code.setAttribute("aria-label", label);
  code.setAttribute("shape-rendering", "crispEdges");
  return code;
}

/** Whether the person of a seat is there, or has been. */
function hasCome({ seats }: Match, seat: number): boolean {
  return Boolean(seats[seat]?.present || seats[seat]?.lastSeenTime);
}
