/** Cards as elements: a picture where the service has one, else rank and suit as text. */

import type { HandCard } from "./choices.js";
import { make } from "./dom.js";
import type { Names } from "./names.js";
import type { Actions, State } from "./state.js";

/** A card that is only shown. */
export function shownCard(code: string, state: State): HTMLElement {
  return make("span", { class: "card", role: "img", "aria-label": state.names.card(code) }, face(code, state));
}

/** A card that is pressed to play it, or to select it. */
export function playableCard(card: HandCard, state: State, actions: Actions): HTMLElement {
  const { names, words, choices } = state;
  const legal = state.isPlayable(card);
  const allowed = state.isAllowed(card);
  const broken = state.refused.includes(card.id) ? state.refusals[0] : undefined;
  const refused = broken && `${words.refused}: ${broken.clause.key}`;
  const notes = [refused, allowed ? words.allowed : legal && words.legal];
  const kinds = ["card", legal && "legal", choices.byCards.length > 0 && !legal && "dim", allowed && "allowed"];
  const attributes = {
    type: "button",
    class: kinds.filter(Boolean).join(" "),
    "data-id": card.id,
    "aria-label": [names.card(card.code), ...notes.filter(Boolean)].join(", "),
    "aria-pressed": choices.selecting ? String(state.isSelected(card)) : undefined,
  };
  const element = make("button", attributes, face(card.code, state));
  if (broken) {
    element.classList.add("refused");
    element.setAttribute("aria-description", `${names.reason(broken)} ${broken.clause.text}`);
    element.append(make("span", { class: "clause", "aria-hidden": "true" }, `✗ ${broken.clause.key}`));
  }
  if (allowed) {
    element.append(make("span", { class: "mark", "aria-hidden": "true" }, "✓"));
  }
  element.addEventListener("click", () => actions.tap(card));
  return element;
}

/** Cards that lie face down. */
export function hiddenCards(count: number, state: State): HTMLElement {
  const { names, words } = state;
  return make(
    "span",
    { class: "hidden" },
    make("span", { class: "back", "aria-hidden": "true" }),
    `${names.count(count)}, ${words.faceDown}`,
  );
}

function face(code: string, state: State): HTMLElement {
  const card = state.names.cardOf(code);
  const text = textFace(code, state.names);
  if (!card?.pictureUrl) {
    return text;
  }
  const picture = make("img", { src: state.service.url(card.pictureUrl), alt: "", draggable: "false" });
  picture.addEventListener("error", () => picture.replaceWith(text));
  return picture;
}

function textFace(code: string, names: Names): HTMLElement {
  const card = names.cardOf(code);
  const suit = card ? names.suit(card.suit) : "";
  const rank = card?.rank || code;
  // A pack without suits has names that are not made of rank and suit.
  const under = suit || (card && card.name !== rank ? card.name : "");
  return make(
    "span",
    { class: "face", "aria-hidden": "true" },
    make("span", { class: "rank" }, rank),
    under && make("span", { class: "suit" }, under),
  );
}
