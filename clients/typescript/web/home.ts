/**
 * The first page: a press on its picture begins a match in its place, where the window has room for a table. On a phone a
 * table fills the screen, so there the link leads to the page of the table.
 */

import { make } from "./dom.js";
import { create, linkTo, tableOf, usualMatch } from "./invite.js";
import { Service } from "./service.js";
import { chooseLanguage, wordsOf } from "./words.js";

const HOME = new URL("./", import.meta.url).href;
const hero = document.querySelector(".hero");
const hasRoom = matchMedia("(min-width: 60rem) and (min-height: 40rem)");

for (const link of hero?.querySelectorAll<HTMLAnchorElement>("a[href$='#start']") ?? []) {
  link.addEventListener("click", (event) => {
    if (hasRoom.matches && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      begin(link.href).catch(() => location.assign(link.href)); // its page says what is wrong
    }
  });
}

/** Begins a match at a table in the place of the picture; `page` is the address that begins it on its own page. */
async function begin(page: string): Promise<void> {
  const { searchParams } = new URL(page);
  const service = new Service(HOME, chooseLanguage(searchParams.get("language"), document.documentElement.lang));
  const [{ id, key }] = await Promise.all([
    usualMatch(service, searchParams.get("game") ?? "").then((match) => create(service, match)),
    import(new URL("client.js", HOME).href),
  ]);
  const table = tableOf(new Service(HOME, service.language, key), id);
  const { hash } = new URL(linkTo(id, key));
  const { toTable, newMatch } = wordsOf(service.language);
  table.append(
    make("p", { slot: "menu" }, make("a", { href: page.replace("#start", hash) }, toTable)),
    make("a", { slot: "end", href: page.replace("#start", "") }, newMatch),
  );
  hero?.replaceChildren(table);
  hero?.classList.add("live");
  table.tabIndex = -1;
  table.focus({ preventScroll: true });
}
