/** The words of the pages in the language of the reader; `i18n/` has a file for each language. */

import { GERMAN } from "./i18n/de.js";
import { ENGLISH, type Words } from "./i18n/en.js";
import { ITALIAN } from "./i18n/it.js";
import { ServiceError } from "./service.js";

export type { Words };

const ALL: Readonly<Record<string, Words>> = { en: ENGLISH, it: ITALIAN, de: GERMAN };

/** The first of some language tags whose language the service speaks, English without one. */
export function chooseLanguage(...tags: readonly (string | null | undefined)[]): string {
  const codes = tags.map((tag) => (tag ?? "").toLowerCase().split("-")[0] ?? "");
  return codes.find((code) => code in ALL) ?? "en";
}

export function wordsOf(language: string): Words {
  return ALL[language] ?? ENGLISH;
}

/** What people call a count, a part of a position or a bot; one without a name is written in words. */
export function termOf(words: Words, term: string): string {
  const name = term.slice(term.lastIndexOf(".") + 1);
  return words.terms[name] ?? name.replaceAll("_", " ");
}

/** Fills in the placeholders of a text. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** The form of a text that fits a number. */
export function counted(forms: Readonly<Record<string, string>>, n: number, language: string): string {
  return fill(forms[new Intl.PluralRules(language).select(n)] ?? forms["other"] ?? "", { n });
}

/** What is wrong, in the language of the reader, by the code of the service. */
export function errorText(words: Words, error: unknown): string {
  if (!(error instanceof ServiceError)) {
    return words.errors["unavailable"] ?? String(error);
  }
  return words.errors[error.status ? error.code : "unavailable"] ?? error.message;
}
