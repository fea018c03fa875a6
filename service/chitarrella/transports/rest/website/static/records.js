// Built from clients/typescript/web by npm run web; do not edit.

// web/records.ts
import { button, copyText, make } from "../shared.js?fce99d945ccb1756";
import { takeRecord } from "../shared.js?fce99d945ccb1756";
import { recordWordsOf } from "../shared.js?fce99d945ccb1756";
import { Service } from "../shared.js?fce99d945ccb1756";
import { chooseLanguage } from "../shared.js?fce99d945ccb1756";
var HOME = new URL("../", import.meta.url).href;
var query = new URLSearchParams(location.search);
var language = chooseLanguage(query.get("language"), document.documentElement.lang);
var words = recordWordsOf(language);
var service = new Service(HOME, language);
var main = document.querySelector("main") ?? document.body.appendChild(make("main"));
var field = make("textarea", { rows: 6, spellcheck: "false", autocomplete: "off", wrap: "off" });
var examples = make("select", {}, make("option", { value: "" }, words.chooseExample));
var file = make("input", { type: "file", accept: ".txt,text/plain" });
var holder = make("div", { class: "holder" });
var snippet = make("pre", { tabindex: 0 });
function show(text, source = "") {
  const element = document.createElement("chitarrella-record");
  element.setAttribute("language", language);
  if (source) {
    element.setAttribute("src", source);
    const before = field.value;
    const loaded = () => {
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
function embedded(source) {
  const address = source === "match.txt" ? source : new URL(source, location.href).href;
  const script = `<script type="module" src="${new URL("record.js", HOME)}"></${"script"}>`;
  return `${script}
<chitarrella-record src="${address}" language="${language}"></chitarrella-record>`;
}
function given(text) {
  field.value = text;
  examples.value = "";
  setAddress();
  show(text);
}
async function opened(files) {
  const [first] = files ?? [];
  if (first) {
    given(await first.text());
  }
}
function example(game) {
  setAddress();
  if (game) {
    show(void 0, `${HOME}records/${game}.txt`);
  }
}
function setAddress() {
  const search = new URLSearchParams({ language, ...examples.value && { game: examples.value } });
  history.replaceState(null, "", `?${search}`);
  for (const link of document.querySelectorAll("a[hreflang]")) {
    search.set("language", link.hreflang);
    link.href = `?${search}`;
  }
}
function labelled(text, input) {
  return make("label", {}, make("span", {}, text), input);
}
async function begin() {
  const copy = button("copy", words.copy, async () => {
    await copyText(snippet.textContent ?? "");
    copy.textContent = words.copied;
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
    copy
  );
  main.replaceChildren(make("h1", {}, words.title), make("p", {}, words.text), controls, holder, paste, embed);
  examples.addEventListener("change", () => example(examples.value));
  file.addEventListener("change", () => void opened(file.files));
  const games = (await service.games()).filter((game) => game.distribution === "chitarrella");
  examples.append(...games.map((game) => make("option", { value: game.gameId }, game.title)));
  const passed = takeRecord();
  if (passed) {
    given(passed);
  } else if (!field.value) {
    const asked = query.get("game") ?? "";
    examples.value = games.some((game) => game.gameId === asked) ? asked : games[0]?.gameId ?? "";
    example(examples.value);
  }
}
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
