/** The moves that are no tap on a card, as buttons; and the clause that a refused move breaks. */

import type { Move, Refusal } from "./contract.js";
import { button, make } from "./dom.js";
import type { Actions, State } from "./state.js";
import { fill } from "./words.js";

/** More moves of one verb than this are a list to choose from. */
const MANY = 12;

/** The moves that the reader can make now, by verb. */
export function movesPanel(state: State, actions: Actions): HTMLElement | undefined {
  const { words, match, mine } = state;
  const groups = [...state.choices.byVerb].map(([verb, moves]) => verbGroup(verb, moves, state, actions));
  const selection = selectionGroup(state, actions);
  const seeds = mine !== undefined && match.awaitingSeedsFrom.includes(mine);
  const seed = seeds && button("seed", words.addSeed, () => actions.addSeed());
  const all = [...groups, selection, seed, takeBack(state, actions)];
  return all.some(Boolean) ? make("section", { class: "moves", "aria-label": words.moves }, ...all) : undefined;
}

/** Asks to take the last decision back, or answers such a request. */
function takeBack({ match, mine, names, words }: State, actions: Actions): HTMLElement | undefined {
  if (mine === undefined || match.aborted || match.view.waiting === "WAITING_NOBODY" || match.seat === undefined) {
    return undefined;
  }
  const { takebackRequest: asked } = match;
  if (!asked) {
    return button("take back", words.takeBack, () => actions.takeBack(false), { class: "quiet" });
  }
  const text = fill(words.asksTakeBack, { who: names.seat(asked.seat) });
  const answers = asked.awaitingAnswersFrom.includes(mine);
  return make(
    "fieldset",
    {},
    make("legend", {}, text),
    answers && button("agree", words.agree, () => actions.takeBack(false)),
    (answers || asked.seat === mine) &&
      button("decline", asked.seat === mine ? words.withdraw : words.decline, () => actions.takeBack(true)),
  );
}

/** Why a move is refused, with the clause in full and a link to it in the rule book. */
export function refusalPanel(state: State, actions: Actions): HTMLElement | undefined {
  const { refusals, words } = state;
  if (!refusals.length) {
    return undefined;
  }
  const close = button("close", words.close, () => actions.clear());
  const items = refusals.map((refusal) => refusalText(refusal, state));
  return make("section", { class: "refusal", role: "alert" }, make("h3", {}, words.refused), ...items, close);
}

function refusalText(refusal: Refusal, state: State): HTMLElement {
  const { clause, page, allowedCards } = refusal;
  const message = state.names.reason(refusal);
  const link = { href: state.service.page(page), target: "_blank", rel: "noopener noreferrer", "data-id": clause.key };
  const cards = state.names.cardList(allowedCards);
  const allowed = message.includes(cards) ? "" : `${state.words.allowed}: ${cards}`;
  return make(
    "div",
    {},
    make("p", {}, make("strong", {}, message)),
    make("blockquote", {}, clause.text, " ", make("a", link, fill(state.words.clause, { key: clause.key }))),
    allowed && make("p", {}, allowed),
  );
}

function verbGroup(verb: string, moves: readonly Move[], state: State, actions: Actions): HTMLElement {
  const name = state.names.verb(verb);
  const [only] = moves;
  if (only && moves.length === 1 && !state.names.details(only)) {
    return make(
      "div",
      {},
      button(idOf(only), name, () => actions.play(only)),
    );
  }
  const group = make("fieldset", {}, make("legend", {}, name));
  if (moves.length > MANY) {
    group.append(...longList(verb, moves, state, actions));
  } else {
    const label = (move: Move) => state.names.details(move) || name;
    group.append(...moves.map((move) => button(idOf(move), label(move), () => actions.play(move))));
  }
  return group;
}

/** Many moves of one verb: a list, and a button that plays the chosen one. */
function longList(verb: string, moves: readonly Move[], state: State, actions: Actions): HTMLElement[] {
  const options = moves.map((move, place) => make("option", { value: place }, state.names.details(move)));
  const list = make("select", { "data-id": `list ${verb}`, "aria-label": state.names.verb(verb) }, ...options);
  const play = () => {
    const move = moves[list.selectedIndex];
    if (move) {
      actions.play(move);
    }
  };
  return [list, button(`play ${verb}`, state.words.play, play)];
}

/** The moves that the selected cards make. */
function selectionGroup(state: State, actions: Actions): HTMLElement | undefined {
  const { selected, words, names, choices } = state;
  if (!selected.length) {
    return undefined;
  }
  const cards = names.cardList(selected.map((card) => card.code));
  const made = choices.made(selected).map((move) => {
    const details = names.details({ ...move, cards: [], seat: undefined } as Move);
    const text = [names.verb(move.verb), details].filter(Boolean).join(": ");
    return button(idOf(move), text, () => actions.play(move), { class: "primary" });
  });
  const clear = button("clear", words.clear, () => actions.clear());
  return make("fieldset", {}, make("legend", {}, `${words.selected}: ${cards}`), ...made, clear);
}

function idOf(move: Move): string {
  return `move ${JSON.stringify(move)}`;
}
