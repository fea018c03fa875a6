/** What callers give, checked before anything is sent: a mistake is an error at once, and names the argument. */

import type { CreateMatchOptions, MatchFilter, MatchOptions } from "./client.js";
import type { MoveLike, PartialPosition, PartialTrick, RuleSetLike } from "./converters.js";
import { mistake } from "./errors.js";
import type { MatchChanges, Playing, Repeating, TakingBack } from "./match.js";
import type { Clock } from "./responses.js";
import type { Settings } from "./transport.js";
import type { PlatformWatching, Watching } from "./watch.js";
import type { CreatingWebhook, Webhook } from "./webhooks.js";

/** Throws unless a value is of its kind; `path` names it, "" for the options of a call. */
type Kind = (value: unknown, path?: string) => void;

type Shape<T> = Readonly<Record<keyof T, Kind>>;

function kind(words: string, is: (value: unknown) => boolean): Kind {
  return (value, path = "") => {
    if (!is(value)) {
      throw mistake(path, `${path} takes ${words}, not ${JSON.stringify(value) ?? String(value)}.`);
    }
  };
}

function listOf(words: string, is: (value: unknown) => boolean): Kind {
  return kind(`a list of ${words}`, (value) => Array.isArray(value) && value.every(is));
}

const isText = (value: unknown) => typeof value === "string";
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const text = kind("a text", isText);
const texts = listOf("texts", isText);
const flag = kind("true or false", (value) => typeof value === "boolean");
const number = kind("a number", (value) => typeof value === "number");
const integer = kind("a whole number", Number.isInteger);
const count = kind("a whole number from 0", isCount);
const time = kind("a Date", (value) => value instanceof Date && Number.isFinite(value.getTime()));
const anyObject = kind("an object", isObject);

/** Seconds. */
export const seconds = kind("a number of seconds from 0", (value) => Number.isFinite(value) && Number(value) >= 0);

/** The numbers of seats. */
export const seats = listOf("seats", isCount);

/** One of these words. */
export function oneOf(...words: readonly string[]): Kind {
  return kind(words.map((word) => `"${word}"`).join(" or "), (value) => words.includes(String(value)));
}

/** A key as a header can carry it. The error does not tell it. */
export const key: Kind = (value, path = "key") => {
  if (!isText(value) || /[^!-~]/.test(String(value))) {
    throw mistake(path, `${path} takes a text of letters, digits and signs of ASCII, without blanks and line breaks.`);
  }
};

/** An object with these properties and no others. */
export function object<T>(shape: Shape<Required<T>>): Kind {
  const names = Object.keys(shape);
  return (value, path = "") => {
    if (!isObject(value)) {
      throw mistake(path, `${path || "The argument"} takes an object with ${names.join(", ")}.`);
    }
    for (const [name, one] of Object.entries(value as object)) {
      const full = path ? `${path}.${name}` : name;
      if (!Object.hasOwn(shape, name)) {
        throw mistake(full, `There is no ${full}; ${suggestion(name, names)}`);
      }
      if (one !== undefined) {
        shape[name as keyof T](one, full);
      }
    }
  };
}

/** What may have been meant by a name: what begins like it, or one of all. */
function suggestion(name: string, names: readonly string[]): string {
  for (let length = name.length; length >= 3; length -= 1) {
    const close = names.find((known) => known.toLowerCase().startsWith(name.slice(0, length).toLowerCase()));
    if (close) {
      return `did you mean ${close}?`;
    }
  }
  return `there are ${names.join(", ")}.`;
}

/** An object with values of a kind, by names of a kind. */
function each(of: Kind, names: Kind = text): Kind {
  return (value, path) => {
    anyObject(value, path);
    for (const [name, one] of Object.entries(value as object)) {
      names(name, `${path}.${name}`);
      of(one, `${path}.${name}`);
    }
  };
}

const seat = kind("the number of a seat as its name", (value) => value !== "" && isCount(Number(value)));

const orText =
  (of: Kind): Kind =>
  (value, path) =>
    isText(value) || of(value, path);
const orList =
  (of: Kind, list = texts): Kind =>
  (value, path) =>
    (Array.isArray(value) ? list : of)(value, path);

/** The kind of a rule set, or of the key of a game. */
export const ruleSetKind = orText(
  object<Exclude<RuleSetLike, string>>({
    gameId: text,
    players: count,
    options: each(
      kind("a text, a number, true or false", (value) => ["string", "number", "boolean"].includes(typeof value)),
    ),
    edition: count,
  }),
);

/** The kind of a move, or of a verb. */
export const moveKind = orText(
  object<Exclude<MoveLike, string>>({
    verb: text,
    cards: texts,
    choice: text,
    amount: integer,
    dummySeat: count,
    shares: listOf("shares", isObject),
  }),
);

/** The kind of what is known of a position. */
export const partialPositionKind = object<PartialPosition>({
  ruleSet: ruleSetKind,
  hands: each(texts, seat),
  trick: orList(object<PartialTrick>({ cards: texts, leader: count, declaredSuit: text })),
  trump: text,
  trumpCard: text,
  stockSize: count,
  dealtIn: seats,
});

const attachedKinds = { externalId: text, labels: each(text), playerNames: each(text, seat), expireAfter: seconds };
const restrictions = ["no_takebacks", "no_bots", "no_spectators"];
const matchOptions: Shape<Required<MatchOptions>> = {
  packSource: oneOf("service", "referee", "shared"),
  private: flag,
  bots: orList(each(text, seat), listOf("seats of bots", isObject)),
  clock: object<Clock>({ moveTime: seconds, bank: seconds, increment: seconds, startsWhenJoined: flag }),
  requestId: text,
  ...attachedKinds,
  restrictions: listOf(`the words ${restrictions.join(", ")}`, (value) => restrictions.includes(String(value))),
  sandbox: text,
};
const writing = { requestId: text, expectedRevision: count };

/** The kinds of the options of each call. */
export const createMatchKind = object<CreateMatchOptions>({ ...matchOptions, pack: texts, position: anyObject });
export const importMatchKind = object<MatchOptions & { moveCount?: number }>({ ...matchOptions, moveCount: count });
export const matchChangesKind = object<MatchChanges>(attachedKinds);
export const filterKind = object<MatchFilter>({
  externalId: text,
  labels: each(text),
  playerName: text,
  state: oneOf("unspecified", "open", "finished", "aborted"),
  gameId: text,
  createdAfter: time,
  endedAfter: time,
  winnerName: text,
  ascending: flag,
});
export const repeatingKind = object<Repeating>({ requestId: text });
export const playingKind = object<Playing>({ ...writing, includeView: flag });
export const takingBackKind = object<TakingBack>({ ...writing, decline: flag });
export const explainingKind = object<{ suggest?: boolean }>({ suggest: flag });
export const pausingKind = object<{ resume?: boolean }>({ resume: flag });
export const watchingKind = object<Watching>({ cursor: text, giveUpMs: number, silenceMs: number });
export const platformWatchingKind = object<PlatformWatching>({ silenceMs: number });
export const creatingWebhookKind = object<CreatingWebhook>({ requestId: text, eventTypes: texts });
export const webhookChangesKind = object<Partial<Pick<Webhook, "url" | "disabled" | "eventTypes">>>({
  url: text,
  disabled: flag,
  eventTypes: texts,
});
export const deliveryFilterKind = object({ state: oneOf("unspecified", "pending", "sent", "failed") });

/** The kinds of the settings of every connection. */
export const settings: Shape<Required<Settings>> = {
  key,
  apiKey: key,
  language: text,
  timeoutMs: number,
  retries: count,
};

/** Throws unless this is the URL of a service. */
export function checkUrl(url: string): void {
  const { protocol, origin, pathname, search, hash } = URL.canParse(url) ? new URL(url) : new URL("about:blank");
  if (protocol !== "http:" && protocol !== "https:") {
    throw mistake("url", "The URL begins with http:// or https://, as in http://localhost:8080.");
  }
  if (pathname + search + hash !== "/") {
    throw mistake("url", `The URL has no path: it is ${origin}.`);
  }
}
