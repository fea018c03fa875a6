/** The board: zones, and cards as buttons; what is chosen on it, and what may be. */

import { make } from "./dom.js";
import type { Names } from "./names.js";
import type { Fact, Game, LegalMoves, Match, Move, Refusal, Service, View, Zone } from "./service.js";
import { fill, type Words } from "./words.js";

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
  const { names, words, service } = state;
  const { backPath } = names;
  return make(
    "span",
    { class: "hidden" },
    backPath && make("img", { class: "back", src: service.url(backPath), alt: "" }),
    `${names.count(count)}, ${words.faceDown}`,
  );
}

function face(code: string, state: State): HTMLElement {
  const card = state.names.cardOf(code);
  const text = textFace(code, state.names);
  if (!card?.picturePath) {
    return text;
  }
  const picture = make("img", { src: state.service.url(card.picturePath), alt: "", draggable: "false" });
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

/** The zone whose tricks are counted, and shown when asked for. */
const TAKEN = "taken";

/** More cards than these are drawn small where they are only shown. */
const MANY_CARDS = 10;

/** The seats whose cards the reader does not play. */
export function otherSeats(state: State, actions: Actions): HTMLElement {
  return make("div", { class: "seats" }, ...seatNumbers(state, false).map((seat) => seatPanel(seat, state, actions)));
}

/** The seats whose cards the reader plays, his own last; what a card is refused for stands above the hand. */
export function ownSeats(state: State, actions: Actions): HTMLElement {
  const own = seatNumbers(state, true).sort((one, other) => Number(one === state.mine) - Number(other === state.mine));
  return make("div", { class: "own" }, ...own.map((seat) => seatPanel(seat, state, actions)));
}

/** The zones and facts that belong to no seat. */
export function middle(state: State, actions: Actions): HTMLElement {
  const { view } = state.match;
  const zones = view.zones.filter((zone) => zone.seat === undefined);
  const label = state.words.table;
  return make(
    "section",
    { class: "middle", "aria-label": label },
    ...zonePanels(zones, state, actions),
    lastTrick(state),
    facts(
      view.facts.filter((fact) => fact.seat === undefined),
      state,
    ),
  );
}

function seatNumbers(state: State, own: boolean): number[] {
  return state.match.view.scores.map((_, seat) => seat).filter((seat) => state.seats.has(seat) === own);
}

function seatPanel(seat: number, state: State, actions: Actions): HTMLElement {
  const { match, names, words } = state;
  const { view } = match;
  const toMove = view.waiting === "WAITING_SEAT" && view.turn === seat;
  const won = view.outcome?.winners.includes(seat);
  const head = make("h3", {}, names.sitter(seat));
  const marks = [toMove ? words.turn : "", won ? words.won : ""].filter(Boolean);
  const { bank } = match.seats[seat] ?? {};
  return make(
    "section",
    { class: toMove ? "seat turn" : "seat", "aria-label": names.sitter(seat) },
    head,
    ...marks.map((mark) => make("strong", { class: "tag" }, mark)),
    make("p", { class: "score" }, `${words.score}: ${view.scores[seat] ?? 0}`),
    bank !== undefined && make("p", {}, `${words.bank}: ${Math.round(Number.parseFloat(bank))} s`),
    ...zonePanels(
      view.zones.filter((zone) => zone.seat === seat),
      state,
      actions,
    ),
    facts(
      view.facts.filter((fact) => fact.seat === seat),
      state,
    ),
  );
}

function zonePanels(zones: readonly Zone[], state: State, actions: Actions): HTMLElement[] {
  const tricks = zones.filter((zone) => zone.name === TAKEN);
  const panels = zones.filter((zone) => zone.name !== TAKEN).map((zone) => zonePanel(zone, state, actions));
  return tricks.length ? [...panels, taken(tricks, state, actions)] : panels;
}

function taken(tricks: readonly Zone[], state: State, actions: Actions): HTMLElement {
  const text = fill(state.words.tricks, { count: tricks.length });
  const id = `${TAKEN} ${tricks[0]?.seat}`;
  const last = [...tricks].reverse();
  return make(
    "details",
    { "data-id": id },
    make("summary", { "data-id": `${id} summary` }, text),
    ...last.map((zone) => zonePanel(zone, state, actions)),
  );
}

/** The last trick, until the next one has a card: the card that completed it would be seen by nobody otherwise. */
function lastTrick(state: State): HTMLElement | undefined {
  const { zones } = state.match.view;
  const isPlaying = zones.some((zone) => zone.name === "trick" && zone.size > 0);
  const last = zones.filter((zone) => zone.name === TAKEN).at(-1);
  if (isPlaying || !last?.cards.length) {
    return undefined;
  }
  const caption = last.seat === undefined ? "" : `: ${state.names.seat(last.seat)}`;
  return make(
    "div",
    { class: "zone", role: "group", "aria-label": state.words.lastTrick },
    make("p", { class: "caption" }, state.words.lastTrick + caption),
    make("div", { class: "cards" }, ...last.cards.map((code) => shownCard(code, state))),
  );
}

function zonePanel(zone: Zone, state: State, actions: Actions): HTMLElement {
  const { names, words } = state;
  const leader = zone.leader === undefined ? "" : ` (${fill(words.ledBy, { who: names.seat(zone.leader) })})`;
  const caption = names.zone(zone.name) + leader;
  const whose = zone.seat === undefined ? caption : `${caption}, ${names.seat(zone.seat)}`;
  const hidden = zone.size - zone.cards.length;
  const isMany = zone.cards.length > MANY_CARDS && !isHandZone(zone, state.seats);
  const attributes = {
    class: isMany ? "zone many" : "zone",
    role: "group",
    "data-zone": zone.name,
    "aria-label": whose,
  };
  return make(
    "div",
    attributes,
    make("p", { class: isHand(zone) ? "unseen" : "caption" }, caption),
    make(
      "div",
      { class: "cards" },
      ...cardsOf(zone, state, actions),
      (hidden > 0 || zone.size === 0) && (hidden > 0 ? hiddenCards(hidden, state) : names.count(0)),
    ),
  );
}

/** Whether a zone is the hand of a seat, which needs no caption to be seen. */
function isHand({ name, seat }: Zone): boolean {
  return name === "hand" && seat !== undefined;
}

function cardsOf(zone: Zone, state: State, actions: Actions): HTMLElement[] {
  if (!isHandZone(zone, state.seats)) {
    return zone.cards.map((code) => shownCard(code, state));
  }
  const order = new Map(state.names.game.cards.map((card, place) => [card.code, place]));
  const sorted = [...cardsOfZone(zone)].sort((one, other) => (order.get(one.code) ?? 0) - (order.get(other.code) ?? 0));
  return sorted.map((card) => playableCard(card, state, actions));
}

/** Facts as a list of names and values. */
function facts(list: readonly Fact[], state: State): HTMLElement | undefined {
  if (!list.length) {
    return undefined;
  }
  const rows = list.flatMap((fact) => [
    make("dt", {}, state.names.fact(fact.name)),
    make("dd", { "data-fact": fact.name }, state.names.value(fact)),
  ]);
  return make("dl", { class: "facts" }, ...rows);
}

/** A card that a seat may play from: where it lies, and its place there. */
export interface HandCard {
  readonly code: string;
  readonly seat: number;
  readonly id: string;
}

/** The zones from which cards are played: what a seat holds, and its faced card. */
const HAND_ZONES = ["hand", "turn_up"];

/** Whether a zone belongs to one of the seats and is played from. */
export function isHandZone(zone: Zone, seats: ReadonlySet<number>): boolean {
  return HAND_ZONES.includes(zone.name) && zone.seat !== undefined && seats.has(zone.seat);
}

/** The seats that the reader plays: his own, and those that his legal moves or the facts of the view name. */
export function seatsPlayed(view: View, mine: number | undefined, moves: readonly Move[]): ReadonlySet<number> {
  const played = new Set<number>();
  if (mine === undefined) {
    return played;
  }
  played.add(mine);
  for (const { name, seat, number } of view.facts) {
    if (name === "controller" && number === mine && seat !== undefined) {
      played.add(seat);
    }
  }
  for (const { dummySeat } of moves) {
    if (dummySeat !== undefined) {
      played.add(dummySeat);
    }
  }
  return played;
}

/** The cards of a zone, each with an id of its own, so that two equal cards are two. */
export function cardsOfZone(zone: Zone): readonly HandCard[] {
  const seat = zone.seat ?? 0;
  return zone.cards.map((code, place) => {
    const copy = zone.cards.slice(0, place).filter((other) => other === code).length;
    return { code, seat, id: `${zone.name} ${seat} ${code} ${copy}` };
  });
}

/** The legal moves of one seat, sorted by how they are made. */
export class Choices {
  /** Moves that are made by choosing cards of the hand. */
  readonly byCards: readonly Move[];
  /** All others, by verb. */
  readonly byVerb: ReadonlyMap<string, readonly Move[]>;
  /** Cards are selected first, because some move takes several. */
  readonly selecting: boolean;

  constructor(
    moves: readonly Move[],
    hand: readonly HandCard[],
    private readonly mine: number | undefined,
  ) {
    const byCards = moves.filter((move) => move.cards.length && isContained(this.cardsOf(move), hand.map(keyOf)));
    this.byCards = byCards;
    this.selecting = byCards.some((move) => move.cards.length > 1);
    const byVerb = new Map<string, Move[]>();
    for (const move of moves.filter((one) => !byCards.includes(one))) {
      byVerb.set(move.verb, [...(byVerb.get(move.verb) ?? []), move]);
    }
    this.byVerb = byVerb;
  }

  /** The moves that selected cards make. */
  made(selected: readonly HandCard[]): readonly Move[] {
    const keys = selected.map(keyOf).sort().join();
    return this.byCards.filter((move) => this.cardsOf(move).sort().join() === keys);
  }

  /** Whether selected cards can become a legal move with more cards, or are one. */
  canBecomeMove(selected: readonly HandCard[]): boolean {
    return this.byCards.some((move) => isContained(selected.map(keyOf), this.cardsOf(move)));
  }

  private cardsOf(move: Move): string[] {
    const seat = move.dummySeat ?? this.mine ?? 0;
    return move.cards.map((code) => keyOf({ code, seat, id: "" }));
  }
}

/** The verb by which cards are played now: that of a legal move, else of the phase, else of the game; or none. */
export function verbOfCards(game: Game, view: View, choices: Choices): string | undefined {
  const verbs = game.moves.filter((spec) => spec.maxCards > 0 && !spec.byChance);
  const inPhase = verbs.find((spec) => spec.phases.includes(view.phase));
  return choices.byCards[0]?.verb ?? (inPhase ?? verbs[0])?.verb;
}

function keyOf({ code, seat }: HandCard): string {
  return `${seat} ${code}`;
}

/** Whether the second list has everything of the first, as often. */
function isContained(part: readonly string[], whole: readonly string[]): boolean {
  const rest = [...whole];
  return part.every((key) => {
    const place = rest.indexOf(key);
    if (place < 0) {
      return false;
    }
    rest.splice(place, 1);
    return true;
  });
}

/** What the buttons of a table do. */
export interface Actions {
  tap(card: HandCard): void;
  play(move: Move): void;
  clear(): void;
  addSeed(): void;
  takeBack(decline: boolean): void;
}

/** A match at one revision, as its reader sees it. */
export class State {
  /** The seat that the reader acts for; undefined for the public. */
  readonly mine: number | undefined;
  readonly seats: ReadonlySet<number>;
  readonly hand: readonly HandCard[];
  readonly choices: Choices;
  selected: readonly HandCard[] = [];
  refusals: readonly Refusal[] = [];
  /** The ids of the cards that are refused. */
  refused: readonly string[] = [];

  constructor(
    readonly match: Match,
    readonly legal: LegalMoves,
    readonly names: Names,
    readonly service: Service,
  ) {
    this.mine = match.viewer ?? legal.seat;
    this.seats = seatsPlayed(match.view, this.mine, legal.moves);
    this.hand = match.view.zones.filter((zone) => isHandZone(zone, this.seats)).flatMap(cardsOfZone);
    this.choices = new Choices(legal.moves, this.hand, this.mine);
  }

  get words(): Words {
    return this.names.words;
  }

  /** Whether nothing has happened between this state and another one. */
  isAtRevisionOf({ match, legal }: State): boolean {
    return this.match.revision === match.revision && this.legal.revision === legal.revision;
  }

  /** The reader has to move; a move out of turn may be possible otherwise. */
  get isMyTurn(): boolean {
    const { turn, waiting } = this.match.view;
    return waiting === "WAITING_SEAT" && this.legal.moves.length > 0 && turn !== undefined && this.seats.has(turn);
  }

  /** Whether a card can be played, alone or together with those that are selected. */
  isPlayable(card: HandCard): boolean {
    const others = this.choices.selecting ? this.selected.filter((one) => one.id !== card.id) : [];
    return this.choices.canBecomeMove([...others, card]);
  }

  isSelected(card: HandCard): boolean {
    return this.selected.some((one) => one.id === card.id);
  }

  /** Whether a refusal says that the card may be played instead. */
  isAllowed(card: HandCard): boolean {
    return this.refusals.some((refusal) => refusal.allowedCards.includes(card.code));
  }
}
