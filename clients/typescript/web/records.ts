/** The page `/records/`: a record is pasted, dropped, opened from a file or chosen among the examples, and shown. */

import { button, copyText, mainOf, make } from "./dom.js";
import { inPageOrder, labelled } from "./form.js";
import type { ChitarrellaRecord } from "./record_element.js";
import { recordWordsOf, takeRecord } from "./record_text.js";
import { Service } from "./service.js";
import { chooseLanguage, wordsOf } from "./words.js";

const HOME = new URL("../", import.meta.url).href;
const query = new URLSearchParams(location.search);
const language = chooseLanguage(query.get("language"), document.documentElement.lang);
const words = recordWordsOf(language);
const service = new Service(HOME, language);
const main = mainOf();
const field = make("textarea", { rows: 6, spellcheck: "false", autocomplete: "off", wrap: "off" });
const examples = make("select", {}, make("option", { value: "" }, words.chooseExample));
const file = make("input", { type: "file", accept: ".txt,text/plain" });
const holder = make("div", { class: "holder" });
const snippet = make("pre", { tabindex: 0 });

/** Shows a record, or the one at an address of this service. */
function show(text: string | undefined, source = ""): void {
  const element = document.createElement("chitarrella-record") as ChitarrellaRecord;
  element.setAttribute("language", language);
  if (source) {
    element.setAttribute("src", source);
    const before = field.value;
    const loaded = () => {
      // Who has written something meanwhile keeps it.
      if (field.value === before) {
        field.value = element.record;
      }
    };
    element.addEventListener("chitarrella-step", loaded, { once: true });
  } else {
    element.record = text ?? "";
  }
  holder.replaceChildren(element);
  snippet.textContent = embedded(source || "match.txt");
}

/** What shows a record on another page. */
function embedded(source: string): string {
  const address = source === "match.txt" ? source : new URL(source, location.href).href;
  const script = `<script type="module" src="${new URL("record.js", HOME)}"></${"script"}>`;
  return `${script}\n<chitarrella-record src="${address}" language="${language}"></chitarrella-record>`;
}

/** Shows a record that somebody has given: it is no example any more. */
function given(text: string): void {
  field.value = text;
  examples.value = "";
  setAddress();
  show(text);
}

async function opened(files: FileList | null | undefined): Promise<void> {
  const [first] = files ?? [];
  if (first) {
    given(await first.text());
  }
}

function example(game: string): void {
  setAddress();
  if (game) {
    show(undefined, `${HOME}records/${game}.txt`);
  }
}

/** Keeps the example in the address, and in the links to the other languages. */
function setAddress(): void {
  const search = new URLSearchParams({ language, ...(examples.value && { game: examples.value }) });
  history.replaceState(null, "", `?${search}`);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[hreflang]")) {
    search.set("language", link.hreflang);
    link.href = `?${search}`;
  }
}

async function begin(): Promise<void> {
  const copy = button("copy", words.copy, async () => {
    await copyText(snippet.textContent ?? "");
    copy.textContent = wordsOf(language).copied;
  });
  const showIt = button("show", words.show, () => given(field.value), { class: "primary" });
  const controls = make("div", { class: "grid" }, labelled(words.example, examples), labelled(words.open, file));
  const paste = make("div", {}, labelled(words.paste, field), showIt);
  const embed = make(
    "details",
    { class: "panel" },
    make("summary", {}, words.embed),
    make("p", {}, words.embedText),
    snippet,
    copy,
  );
  main.replaceChildren(make("h1", {}, words.title), make("p", {}, words.text), controls, holder, paste, embed);
  examples.addEventListener("change", () => example(examples.value));
  file.addEventListener("change", () => void opened(file.files));
  // An example is written for the games of the service itself alone, and not for those of other packages.
  const games = inPageOrder(await service.games()).filter((game) => game.distribution === "chitarrella");
  examples.append(...games.map((game) => make("option", { value: game.gameId }, game.title)));
  const passed = takeRecord();
  if (passed) {
    given(passed);
  } else if (!field.value) {
    // Nobody has given a record while the games were listed.
    const asked = query.get("game") ?? "";
    examples.value = games.some((game) => game.gameId === asked) ? asked : (games[0]?.gameId ?? "");
    example(examples.value);
  }
}

addEventListener("keydown", (event) => {
  if (event.target === document.body) {
    holder.querySelector<ChitarrellaRecord>("chitarrella-record")?.press(event);
  }
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const { files } = event.dataTransfer ?? {};
  const text = event.dataTransfer?.getData("text/plain");
  if (files?.length) {
    void opened(files);
  } else if (text) {
    given(text);
  }
});
addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (event.target !== field && text) {
    event.preventDefault();
    given(text);
  }
});
void begin();
