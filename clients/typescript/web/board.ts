/** The table as it is seen: who sits round it, what lies in its middle, what can be done, and the own hand. */

import { BACKS, button, cardBack, face, hiddenCards, make, shownCard } from "./dom.js";
import { cardsOfZone, HAND_ZONES, type HandCard, isHandZone, type State } from "./names.js";
import type { Frame } from "./playback.js";
import type { Fact, Move, View, Zone } from "./service.js";
import { fill } from "./words.js";

/** What the buttons of a table do. */
export interface Actions {
  tap(card: HandCard): void;
  play(move: Move): void;
  clear(): void;
  addSeed(): void;
  takeBack(decline: boolean): void;
  hint(): void;
}

/** The zone whose tricks are counted, and shown when asked for. */
export const TAKEN = "taken";
/** The fact of a card that a seat has declared. */
const DECLARED = "declared";
/** As many others sit round the table; more stand in rows. */
const ROUND = 5;
/** Of more cards that lie open before a seat the last ones are seen; all are in the menu. */
const LAST_CARDS = 3;
/** Beside the middle more cards than these lie on each other, though they are seen. */
const MOST_OPEN = 8;
/** With more seats than this the cards of the middle are smaller. */
const MANY_SEATS = 4;
/** So many cards lie side by side in the middle; more in rows. */
const ABREAST = 4;
/** The same where the table is wide. */
const ABREAST_WIDE = 10;
/** Between two players the cards of one have room for so many beside each other. */
const MATES = 2.2;
/** Where others sit, from -1 to 1 in both directions, by their number, from the next in order of play on. */
// biome-ignore format: a table
const SEATS: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[0, -1]],
  [[-1, -1], [1, -1]],
  [[-1, -0.5], [0, -1], [1, -0.5]],
  [[-1, -0.35], [-0.7, -1], [0.7, -1], [1, -0.35]],
  [[-1, -0.3], [-1, -1], [0, -1], [1, -1], [1, -0.3]],
];
/** The same where the table is low: the middle is left to the cards. */
// biome-ignore format: a table
const LOW_SEATS: typeof SEATS = [
  [],
  [[-1, -1]],
  [[-1, -0.8], [1, -0.8]],
  [[-1, -0.4], [-0.62, -1], [1, -0.8]],
  [[-1, -1], [-0.66, -1], [0.66, -1], [1, -1]],
  [[-1, -1], [-0.7, -1], [0.4, -1], [0.7, -1], [1, -1]],
];
/** The facts of a seat and of the table that are always shown; the others are in the menu. */
const SEAT_FACTS =
  "lives tokens chips ally alone announced out bid called_card required offered_money offered_share".split(" ");
const PIPS = ["lives", "tokens"];
/** At most so many sides have their scores above the table; more have them at their seats. */
const MOST_SCORES = 4;
/** Those that have room beside the prompt; the other ones of the reader are among those of the table. */
const OWN_FACTS = [...PIPS, "chips"];
const TABLE_FACTS = ["trump", "declared_suit", "called_card", "bid", "bidder", "required", "pool", "doubled"];

/** A card that is pressed to play it, or to select it. */
function playableCard(card: HandCard, state: State, actions?: Actions): HTMLElement {
  const { names, words, choices } = state;
  const legal = state.isPlayable(card);
  const allowed = state.isAllowed(card);
  const broken = state.refused.includes(card.id) ? state.refusals[0] : undefined;
  const refused = broken && `${words.refused}: ${broken.clause.key}`;
  const notes = [refused, allowed ? words.allowed : legal && words.legal];
  const isSent = state.sent.includes(card.id);
  const isDim = choices.byCards.length > 0 && !legal;
  const isHinted = card.seat === state.mine && state.hinted?.cards.includes(card.code);
  const kinds = [
    "card",
    isHinted && "hinted",
    legal && "legal",
    isDim && "dim",
    allowed && "allowed",
    isSent && "sent",
  ];
  const attributes = {
    type: "button",
    class: kinds.filter(Boolean).join(" "),
    part: "card",
    "data-id": card.id,
    "data-card": card.code,
    "aria-label": [names.card(card.code), ...notes.filter(Boolean)].join(", "),
    "aria-pressed": choices.selecting || state.selected.length ? String(state.isSelected(card)) : undefined,
  };
  const element = make("button", attributes, face(card.code, state));
  if (broken) {
    element.classList.add("refused");
    element.setAttribute("aria-description", `${names.reason(broken)} ${broken.clause.text}`);
    element.append(make("span", { class: "clause", "aria-hidden": "true" }, "✗"));
  }
  if (allowed) {
    element.append(make("span", { class: "mark", "aria-hidden": "true" }, "✓"));
  }
  element.addEventListener("click", () => actions?.tap(card));
  return element;
}

/** A zone in which it is known who has laid each card. */
export interface OwnedZone extends Zone {
  readonly owners?: readonly number[];
}

/** The place of a seat, and those in the middle. */
export function placeOf(seat: number | undefined): string {
  return seat === undefined ? "middle" : `seat ${seat}`;
}

/** The middle of a table, where played cards lie: the zone of the present trick, else the first that everybody sees. */
export function isMiddle(zone: Zone, state: State): boolean {
  const specs = state.names.game.zones;
  const open = specs.filter(({ seenBy }) => String(seenBy).endsWith("EVERYBODY"));
  const names = open.map(({ name }) => name).filter((name) => name !== TAKEN && name !== "turn_up");
  return zone.seat === undefined && zone.name === (names.includes("trick") ? "trick" : names[0]);
}

/** Whether a seat has left the deal, or the match. */
const isOut = (seat: number, { facts }: View): boolean =>
  facts.some((fact) => fact.name === "out" && fact.seat === seat);

/** Whether the table waits for a seat to move, perhaps for others at the same time. */
export const isOnTurn = (seat: number, { waiting, turns }: View): boolean =>
  waiting === "WAITING_SEAT" && turns.includes(seat);

/** The seats that have laid the cards of the middle, in order of play from the one that led. */
export function ownersOf(zone: OwnedZone, view: View): readonly (number | undefined)[] {
  const { leader, size, owners } = zone;
  const { turn } = view;
  if (owners?.length === size) {
    return owners;
  }
  if (leader === undefined) {
    return zone.cards.map(() => undefined);
  }
  const count = view.scores.length;
  const order = Array.from({ length: count }, (_, place) => (leader + place) % count).filter(
    (seat) => !isOut(seat, view),
  );
  const played = turn === undefined || turn === leader ? order : order.slice(0, order.indexOf(turn));
  const each = Math.max(1, Math.round(size / Math.max(1, Math.min(played.length, size))));
  return zone.cards.map((_, place) => played[Math.floor(place / each)]);
}

/** The seats in order of play from the one at the bottom, which is that of the reader. */
export function seatsFrom(state: State): number[] {
  const count = state.match.view.scores.length;
  const first = state.mine ?? 0;
  return Array.from({ length: count }, (_, place) => (first + place) % count);
}

/** The others round the table, and what lies in its middle. */
export function arena(state: State, frame?: Partial<Frame>, actions?: Actions): HTMLElement {
  const others = seatsFrom(state).slice(1);
  const isRound = others.length <= ROUND;
  const seats = others.map((seat, place) => {
    const badge = seatBadge(seat, state, frame);
    const [x, y] = SEATS[others.length]?.[place] ?? [0, 0];
    const [low, height] = LOW_SEATS[others.length]?.[place] ?? [0, 0];
    badge.style.setProperty("--lx", String(low));
    badge.style.setProperty("--ly", String(height));
    return isRound ? placed(badge, x, y) : badge;
  });
  const ring = make("div", { class: isRound ? "round" : "rows" }, ...seats);
  return make("div", { class: "arena", part: "arena" }, ring, middle(state, frame, actions), corner(state));
}

function placed<Part extends HTMLElement>(element: Part, x: number, y: number): Part {
  element.style.setProperty("--x", String(x));
  element.style.setProperty("--y", String(y));
  return element;
}

/** What lies before a seat beside what it plays from, and what it has declared. */
export function besideHand(seat: number, { match: { view } }: State): readonly Zone[] {
  const zones = view.zones.filter((zone) => zone.seat === seat && ![TAKEN, ...HAND_ZONES].includes(zone.name));
  const said = view.facts.filter((fact) => fact.seat === seat && fact.name === DECLARED);
  const cards = said.map(({ word = "" }) => word);
  return cards.length ? [...zones, { name: DECLARED, seat, cards, size: cards.length }] : zones;
}

/** Whether not all cards of a zone are shown. */
export const isShortened = ({ name, seat, cards }: Zone): boolean =>
  seat !== undefined && ![TAKEN, DECLARED, ...HAND_ZONES].includes(name) && cards.length > LAST_CARDS;

/** A seat at the edge of the table: who sits there, how it stands, and the cards. */
function seatBadge(seat: number, state: State, frame?: Partial<Frame>): HTMLElement {
  const { names, match } = state;
  // What the reader plays himself lies above his own hand.
  const hand = match.view.zones.filter((zone) => isHandZone(zone, new Set([seat])) && !state.seats.has(seat));
  const zones = [...hand, ...besideHand(seat, state)];
  return make(
    "section",
    {
      class: seatClass(seat, state, frame),
      part: "seat",
      "data-place": placeOf(seat),
      "aria-label": seatLabel(seat, state),
    },
    ...plate(seat, state, ...zones.map((zone) => zoneCards(zone, state))),
    make("span", { class: "pile", "data-place": `pile ${seat}` }),
    names.isPartner(seat) && make("small", {}, state.words.partner),
  );
}

function seatClass(seat: number, state: State, frame?: Partial<Frame>): string {
  const { view } = state.match;
  const side = state.names.sideOf(seat);
  const kinds = [
    "seat",
    isOnTurn(seat, view) && "turn",
    side >= 0 && `side-${side % 4}`,
    frame?.taker === seat && "taker",
    view.outcome?.winners.includes(seat) && "won",
    isOut(seat, view) && "out",
  ];
  return kinds.filter(Boolean).join(" ");
}

function seatLabel(seat: number, state: State): string {
  const { names, words, match } = state;
  const notes = [
    names.isPartner(seat) && words.partner,
    isOnTurn(seat, match.view) && words.turn,
    state.isDealer(seat) && words.dealer,
  ];
  return [names.sitter(seat), ...notes.filter(Boolean)].join(", ");
}

/** Whether the bar above the table has the scores: of few parties, where points and not lives are counted. */
export const hasScoreBar = (state: State): boolean =>
  partiesOf(state).length <= MOST_SCORES && !state.match.view.facts.some(({ name }) => PIPS.includes(name));

/** The first letter, the name and the numbers of a seat. */
export function plate(seat: number, state: State, ...cards: readonly HTMLElement[]): HTMLElement[] {
  const { names, match, words } = state;
  const { view } = match;
  const name = names.sitter(seat);
  const tricks = view.zones.filter((zone) => zone.name === TAKEN && zone.seat === seat).length;
  const isOwn = seat === seatsFrom(state)[0];
  const { bank } = match.seats[seat] ?? {};
  const seen = seatFacts(seat, view).filter(({ name }) => !isOwn || OWN_FACTS.includes(name));
  const hasPips = seen.some(({ name }) => PIPS.includes(name));
  const hasTricks = names.game.zones.some((zone) => zone.name === "trick");
  const numbers = [
    !hasPips &&
      names.sides.length === 0 &&
      !hasScoreBar(state) &&
      make("b", { class: "score", title: words.score }, String(view.scores[seat] ?? 0)),
    hasTricks &&
      tricks > 0 &&
      make("span", { class: "count" }, tricks === 1 ? words.oneTrick : fill(words.trickCount, { count: tricks })),
    ...seen.map((fact) => seatFact(fact, state)),
    bank !== undefined && make("span", {}, `${words.bank} ${Math.round(Number.parseFloat(bank))} s`),
    view.outcome?.winners.includes(seat) && make("strong", { class: "tag" }, words.won),
  ];
  return [
    make(
      "span",
      { class: "avatar", "aria-hidden": "true" },
      name.charAt(0),
      state.isDealer(seat) && make("i", {}, words.dealerMark),
    ),
    make("h3", {}, name),
    make("div", { class: "numbers" }, ...cards, ...numbers),
  ];
}

/** The facts that are seen at a seat: the last of several bids, and none once a card is called by the highest. */
function seatFacts(seat: number, { facts }: View): Fact[] {
  const here = facts.filter((fact) => fact.seat === seat && SEAT_FACTS.includes(fact.name));
  const has = (some: readonly Fact[], name: string) => some.some((fact) => fact.name === name);
  const isPast: Readonly<Record<string, (fact: Fact, at: number) => boolean>> = {
    ally: () => has(here, "alone"),
    bid: (_, at) => has(facts, "called_card") || has(here.slice(at + 1), "bid"),
    offered_money: ({ money }) => !Number(money),
  };
  return here.filter((fact, at) => !isPast[fact.name]?.(fact, at));
}

function seatFact(fact: Fact, { names }: State, kind?: string): HTMLElement {
  const { name, number } = fact;
  if (PIPS.includes(name) && number !== undefined && number >= 0 && number <= 6) {
    const text = make("span", { class: "unseen" }, `${names.fact(name)}: ${number}`);
    return make("span", { class: "pips" }, text, make("span", { "aria-hidden": "true" }, "●".repeat(number) || "–"));
  }
  const value = names.value(fact);
  return make("span", { class: kind }, value === names.words.yes ? names.fact(name) : `${names.fact(name)}: ${value}`);
}

/** The cards of a zone, small; hidden ones by their backs, of many the last ones and their number. */
export function zoneCards(zone: Zone, state: State): HTMLElement {
  const label = state.names.zone(zone.name);
  const whose = zone.seat === undefined ? label : `${label}, ${state.names.sitter(zone.seat)}`;
  const hidden = zone.size - zone.cards.length;
  const attributes = {
    class: "zone",
    role: "group",
    "data-zone": zone.name,
    "data-size": zone.size,
    "aria-label": whose,
  };
  return make(
    "div",
    attributes,
    ...(isShortened(zone) ? zone.cards.slice(-LAST_CARDS) : zone.cards).map((code) => shownCard(code, state)),
    isShortened(zone) && make("span", { class: "all" }, String(zone.size)),
    hidden > 0 && hiddenCards(hidden, state),
    hidden > BACKS && make("span", { class: "all", "aria-hidden": "true" }, String(hidden)),
  );
}

/** The cards of the middle, each before who has laid it. */
function middle(state: State, frame?: Partial<Frame>, actions?: Actions): HTMLElement {
  const { names, words, match } = state;
  const zone: OwnedZone = match.view.zones.find((one) => isMiddle(one, state)) ?? { name: "trick", cards: [], size: 0 };
  const owners = ownersOf(zone, match.view);
  const order = seatsFrom(state);
  const isRound = order.length <= ROUND + 1 && owners.every((one) => one !== undefined);
  const laid = zone.cards.map((code, place) => {
    const owner = owners[place];
    const name =
      owner === undefined ? names.card(code) : fill(words.playedBy, { card: names.card(code), who: names.seat(owner) });
    const card = shownCard(code, state, name);
    const [only, ...more] = state.taking.filter((move) => move.cards.includes(code));
    card.classList.toggle("takes", Boolean(only) || (owner !== undefined && owner === frame?.taker));
    if (only && !more.length) {
      card.addEventListener("click", () => actions?.play(only));
    }
    if (!isRound) {
      const under = owner === undefined ? "" : make("small", { "aria-hidden": "true" }, names.sitter(owner));
      return make("span", { class: "laid" }, card, under);
    }
    return ringSpot(card, owners, place, order);
  });
  const kind = isRound ? `middle ring${order.length > MANY_SEATS ? " many" : ""}` : "middle row";
  const element = make(
    "div",
    {
      class: kind,
      part: "middle",
      role: "group",
      "aria-label": names.zone(zone.name),
      "data-zone": zone.name,
      "data-size": zone.size,
      "data-place": "middle",
    },
    ...laid,
  );
  const rows = Math.max(1, Math.ceil(laid.length / ABREAST));
  element.style.setProperty("--rows", String(rows));
  element.style.setProperty("--cols", String(Math.ceil(laid.length / rows)));
  element.style.setProperty("--wide-rows", String(Math.max(1, Math.ceil(laid.length / ABREAST_WIDE))));
  element.style.setProperty("--n", String(laid.length));
  return element;
}

/** A card before the seat that has laid it, beside others of the same seat. */
function ringSpot(
  card: HTMLElement,
  owners: readonly (number | undefined)[],
  place: number,
  order: readonly number[],
): HTMLElement {
  const seat = order.indexOf(owners[place] ?? 0);
  const [x, y] = ringPlace(seat, order.length);
  const mates = owners.slice(0, place).filter((one) => one === owners[place]).length;
  const all = owners.filter((one) => one === owners[place]).length;
  const apart = order.length === 2 ? Math.min(0.95, MATES / all) : 0.42;
  const aside = (mates - (all - 1) / 2) * apart;
  const spot = placed(make("span", { class: "laid" }, card), x + aside, y);
  spot.style.setProperty("--low", String(lowPlace(seat, order.length) * (1 + (all - 1) * apart) + aside));
  return spot;
}

/** Where the card of a seat lies, by its place in order of play from the reader on. */
function ringPlace(place: number, count: number): readonly [number, number] {
  if (place <= 0) {
    return [0, 1];
  }
  if (count === 2) {
    return [0, -1];
  }
  if (count > MANY_SEATS) {
    const isSide = place === 1 || place === count - 1;
    const across = isSide ? Math.sign(place - 1.5) : place - count / 2;
    return [across * 1.1, isSide ? 0.8 : -1];
  }
  const angle = Math.PI * (1.5 - (2 * place) / count);
  return [Math.cos(angle) * 1.05, -Math.sin(angle)];
}

/** The same where the table is low: all side by side, the reader's own between those of the others. */
function lowPlace(place: number, count: number): number {
  const left = Math.floor(count / 2);
  return (place ? place - Number(place <= left) : left) - (count - 1) / 2;
}

/** What lies beside the middle: stock, turn-up and what is open to all; and the facts of the deal. */
function corner(state: State): HTMLElement {
  const { view } = state.match;
  const beside = view.zones.filter(
    (zone) => zone.seat === undefined && zone.name !== TAKEN && zone.size > 0 && !isMiddle(zone, state),
  );
  const hasTurnUp = beside.some(({ name }) => name === "turn_up");
  const stock = view.facts.find(({ name }) => name === "stock")?.number ?? 0;
  const shownZones = beside.map((zone) => {
    // A pack that lies open, as in a record, is shown by its number too.
    const isOpen = zone.cards.length > 0 && zone.cards.length <= MOST_OPEN;
    const shown = zoneCards(isOpen ? zone : { ...zone, cards: [] }, state);
    shown.setAttribute("data-place", zone.name === "turn_up" ? "turn_up" : "stock");
    // A turn-up that is drawn last is counted as a part of the stock.
    const count = `${zone.size}${hasTurnUp && zone.name === "stock" && stock > zone.size ? " + 1" : ""}`;
    shown.append(make("small", { class: "count", "aria-hidden": "true" }, isOpen ? "" : count));
    return shown;
  });
  const ofTable = view.facts.filter(({ name, seat }) => seat === undefined && TABLE_FACTS.includes(name));
  const own = seatFacts(seatsFrom(state)[0] ?? 0, view).filter(({ name }) => !OWN_FACTS.includes(name));
  const facts = [...ofTable, ...own].map((fact) => seatFact(fact, state, "chip"));
  return make(
    "div",
    { class: "corner" },
    make("div", { class: "piles" }, ...shownZones),
    make("div", { class: "chips" }, ...facts, contract(state)),
  );
}

/** What the soloist and the ally that the reader knows have taken together, of what they need. */
function contract({ names, match }: State): HTMLElement | undefined {
  const { facts } = match.view;
  const [required, ally] = ["required", "ally"].map((name) => facts.find((fact) => fact.name === name));
  if (required?.seat === undefined || ally?.seat === undefined) {
    return undefined;
  }
  const seats = [...new Set([required.seat, ally.seat])];
  const taken = facts.filter(({ name, seat = -1 }) => name === "card_points" && seats.includes(seat));
  const sum = taken.reduce((total, { number = 0 }) => total + number, 0);
  return make("span", { class: "chip" }, `${names.side(seats)}: ${sum} / ${required.number}`);
}

/** The hands that the reader plays, his own last; what lies open before a seat is played like its hand. */
export function ownHands(state: State, actions?: Actions): HTMLElement {
  const [bottom = 0] = seatsFrom(state);
  const others = [...state.seats].filter((seat) => seat !== bottom);
  return make(
    "div",
    { class: "own", part: "hand", "data-place": placeOf(bottom) },
    ...[...others, bottom].map((seat) => hand(seat, state, actions)),
  );
}

function hand(seat: number, state: State, actions?: Actions): HTMLElement {
  const { names, words } = state;
  const isOwn = seat === seatsFrom(state)[0];
  const zones = state.match.view.zones.filter((zone) => zone.seat === seat && HAND_ZONES.includes(zone.name));
  const size = zones.reduce((sum, zone) => sum + zone.size, 0);
  const hidden = size - zones.reduce((sum, { cards }) => sum + cards.length, 0);
  const order = new Map(names.game.cards.map((card, place) => [card.code, place]));
  const cards = zones.flatMap((zone) => [...cardsOfZone(zone)]);
  const sorted = cards.sort((one, other) => (order.get(one.code) ?? 0) - (order.get(other.code) ?? 0));
  const faces = sorted.map((card) => {
    const one = state.seats.has(seat) ? playableCard(card, state, actions) : shownCard(card.code, state);
    one.classList.toggle("faced", !card.id.startsWith("hand"));
    return one;
  });
  const element = make(
    "div",
    {
      class: isOwn ? "hand" : "hand dummy",
      role: "group",
      "aria-label": isOwn ? words.handLabel : `${names.zone("hand")}, ${names.sitter(seat)}`,
      "data-zone": "hand",
      "data-size": size,
    },
    !isOwn && make("span", { class: "whose" }, names.sitter(seat)),
    ...faces,
    ...Array.from({ length: hidden }, () => cardBack(state)),
    hidden > 0 && make("span", { class: "unseen" }, `${names.count(hidden)}, ${words.faceDown}`),
  );
  element.style.setProperty("--n", String(Math.max(1, size)));
  return element;
}

export function movesPanel(state: State, actions: Actions): HTMLElement {
  const { words, match, mine } = state;
  const { taking, choices, hand } = state;
  // What a card takes is chosen once it is pressed.
  const takes = hand.flatMap((card) => choices.takenWith(card));
  const groups = [...choices.byVerb].map(([verb, moves]) => {
    const asked = moves.filter((move) => (taking.length ? taking.includes(move) : !takes.includes(move)));
    return asked.length > 0 && verbGroup(verb, asked, state, actions);
  });
  const selection = selectionGroup(state, actions);
  const seeds = mine !== undefined && match.awaitingSeedsFrom.includes(mine);
  const seed = seeds && button("seed", words.addSeed, () => actions.addSeed());
  const attributes = { class: "moves", part: "moves", role: "group", "aria-label": words.moves };
  const [first, last] = taking.length ? [undefined, selection] : [selection, undefined];
  return make("div", attributes, first, seed, answers(state, actions), ...groups, last);
}

function answers({ match, mine, names, words }: State, actions: Actions): HTMLElement | undefined {
  const { takebackRequest: asked } = match;
  if (!asked || mine === undefined || match.viewer === undefined) {
    return undefined;
  }
  const isAsked = asked.awaitingAnswersFrom.includes(mine);
  return make(
    "fieldset",
    {},
    make("legend", {}, fill(words.asksTakeBack, { who: names.sitter(asked.seat) })),
    isAsked && button("agree", words.agree, () => actions.takeBack(false)),
    (isAsked || asked.seat === mine) &&
      button("decline", asked.seat === mine ? words.withdraw : words.decline, () => actions.takeBack(true)),
  );
}

/** More moves of one verb than this are a list to choose from. */
const MANY = 12;

function verbGroup(verb: string, moves: readonly Move[], state: State, actions: Actions): HTMLElement {
  const name = state.names.verb(verb);
  const [only] = moves;
  if (only && moves.length === 1 && !only.cards.length) {
    return button(idOf(only), state.names.move(only), () => actions.play(only));
  }
  const group = make("fieldset", {}, make("legend", {}, name));
  if (moves.length > MANY) {
    group.append(...longList(verb, moves, state, actions));
  } else {
    const label = (move: Move) => takingText(move, state) || state.names.details(move) || name;
    group.append(...moves.map((move) => button(idOf(move), label(move), () => actions.play(move))));
  }
  return group;
}

/** What the selected card takes from the table; else empty. */
function takingText(move: Move, { names, selected, taking }: State): string {
  const taken = move.cards.filter((code) => selected.every((card) => card.code !== code));
  return taking.includes(move) ? names.cardList(taken) : "";
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

function selectionGroup(state: State, actions: Actions): HTMLElement | undefined {
  const { selected, words, names, choices } = state;
  if (!selected.length) {
    return undefined;
  }
  const cards = names.cardList(selected.map((card) => card.code));
  const made = choices.made(selected).map((move) => {
    const text = `${names.move({ ...move, cards: [] })}: ${names.count(move.cards.length)}`;
    return button(idOf(move), text, () => actions.play(move), { class: "primary" });
  });
  const clear = button("clear", words.clear, () => actions.clear());
  return make("fieldset", { "aria-label": `${words.selected}: ${cards}` }, ...made, clear);
}

function idOf(move: Move): string {
  return `move ${JSON.stringify(move)}`;
}

/** The sides, or the seats where everybody plays alone; that of the reader first. */
export function partiesOf(state: State): readonly (readonly number[])[] {
  const { sides } = state.names;
  const first = state.mine ?? 0;
  const parties = sides.length ? [...sides] : seatsFrom(state).map((seat) => [seat]);
  return parties.sort((one, other) => Number(other.includes(first)) - Number(one.includes(first)));
}
