/** What has happened, seen event by event: views between two states, a queue that shows them, and cards that move. */

import { isMiddle, type OwnedZone, ownersOf, placeOf, TAKEN } from "./board.js";
import { keep, kept } from "./dom.js";
import { dealNumber, type State } from "./names.js";
import { ACTIONS, type TableEvent, type View, type Zone } from "./service.js";

const SPEED = "chitarrella-speed";

/** What times are multiplied by, as the browser has kept it. */
export const keptSlowness = (): number => kept(SPEED, 1);

export const keepSlowness = (value: number): void => keep(SPEED, value);

type Effect = Exclude<keyof Scene, "zones" | "apply" | "isInMiddle">;

/** The kinds of events that are seen, each with its effect and for how many milliseconds it is looked at. */
const EFFECTS: Readonly<Record<string, readonly [Effect, number]>> = {
  deal_started: ["clear", 0],
  dealt: ["draw", 140],
  card_drawn: ["draw", 300],
  robbed: ["draw", 700],
  turned_up: ["turn", 900],
  trionfo_turned: ["turn", 900],
  card_played: ["play", 750],
  cards_led: ["play", 900],
  cards_followed: ["play", 900],
  trick_taken: ["take", 1500],
  card_revealed: ["reveal", 750],
  card_shown: ["reveal", 1200],
  swapped: ["swap", 1200],
  swap_undone: ["swap", 1200],
  swap_reversed: ["swap", 1200],
  card_replaced: ["replace", 1000],
  turn_up_exchanged: ["change", 1000],
  discarded: ["discard", 600],
  declared: ["announce", 1500],
  swept: ["announce", 1500],
  revoked: ["announce", 1500],
};
/** The kinds of events that are something said: they are read, and move no card. */
const SAID = new Set(
  `said rank_bid points_bid card_called bid_passed auction_won trump_announced ally_revealed alone_revealed claimed
    claim_declined suit_declared signalled hand_shown horse_jumped inn_announced asked guaranteed offered paid promised
    cards_chosen cards_passed rob_looked rob_passed rob_left pack_cut stock_cut dealer_drawn doctor_called dropped_out
    reentered proposed agreed`.split(/\s+/),
);
const SAID_MS = 1000;
/** How long a card is on its way. */
const FLIGHT_MS = 600;
/** How long cards are under way to who has taken them. */
const SWEEP_MS = 400;
/** A longer queue is not looked at: who comes back to a table wants to see how it stands. */
const MOST_EVENTS = 80;

/** A card that goes from one place to another; without a code its back is seen. */
interface Flight {
  readonly card?: string;
  readonly from: string;
  readonly to: string;
}

/** What is seen after an event, what moves there, and for how long it is looked at. */
export interface Frame {
  readonly state: State;
  readonly event?: TableEvent;
  readonly flights: readonly Flight[];
  readonly wait: number;
  readonly taker?: number | undefined;
}

/** A deal that is over: what was results of it, what each seat had taken, and the scores before and after it. */
export interface DealEnd {
  readonly deal: number | undefined;
  readonly events: readonly TableEvent[];
  readonly taken: readonly Zone[];
  readonly before: readonly number[];
  /** Undefined where the next deal was over too before the match was read. */
  readonly after: readonly number[] | undefined;
}

type Mutable = { -readonly [Key in keyof OwnedZone]: OwnedZone[Key] };

/** The zones of a table, to which events are applied one by one. */
class Scene {
  zones: Mutable[];

  constructor(
    view: View,
    private readonly state: State,
  ) {
    this.zones = view.zones.map((zone) => ({ ...zone }));
    for (const zone of this.zones.filter((one) => isMiddle(one, state))) {
      zone.owners = ownersOf(zone, view).filter((one): one is number => one !== undefined);
    }
  }

  /** Applies an event; gives what moves. */
  apply(effect: Effect, event: TableEvent): Flight[] {
    return this[effect](event);
  }

  /** Whether all of some cards lie in the middle. */
  isInMiddle(cards: readonly string[]): boolean {
    return cards.length > 0 && cards.every((card) => this.middle().cards.includes(card));
  }

  private middle(): Mutable {
    const found = this.zones.find((zone) => isMiddle(zone, this.state));
    if (found) {
      return found;
    }
    const names = this.state.names.game.zones.map(({ name }) => name);
    const name = names.find((one) => isMiddle({ name: one, cards: [], size: 0 }, this.state)) ?? "trick";
    return this.zone(name, undefined);
  }

  private zone(name: string, seat: number | undefined): Mutable {
    let found = this.zones.find((zone) => zone.name === name && zone.seat === seat);
    if (!found) {
      found = { name, ...(seat === undefined ? {} : { seat }), cards: [], size: 0 };
      this.zones.push(found);
    }
    return found;
  }

  private add(name: string, seat: number | undefined, cards: readonly string[], hidden = 0): void {
    const zone = this.zone(name, seat);
    const isSeen = zone.cards.length === zone.size;
    zone.size += cards.length + hidden;
    zone.cards = isSeen && !hidden ? [...zone.cards, ...cards] : isSeen ? [] : zone.cards;
  }

  /** Takes cards out of a zone; gives how many were there. */
  private remove(name: string, seat: number | undefined, cards: readonly string[]): number {
    const zone = this.zones.find((one) => one.name === name && one.seat === seat);
    if (!zone) {
      return 0;
    }
    const rest = [...zone.cards];
    const found = cards.filter((card) => {
      const place = rest.indexOf(card);
      rest.splice(Math.max(place, 0), place < 0 ? 0 : 1);
      return place >= 0;
    });
    zone.cards = rest;
    zone.size -= found.length;
    return found.length;
  }

  /** Cards leave a seat: its faced card, or its hand. */
  private leave(seat: number | undefined, cards: readonly string[], hidden: number): void {
    const unseen = cards.filter((card) => !this.remove("turn_up", seat, [card]) && !this.remove("hand", seat, [card]));
    const hand = this.zone("hand", seat);
    hand.size = Math.max(0, hand.size - unseen.length - hidden);
    hand.cards = hand.cards.slice(0, hand.size);
  }

  /** The stock, or the pack that is dealt from, gets smaller. */
  private shrink(count: number): void {
    const zone = this.zones.find((one) => ["stock", "pack"].includes(one.name) && one.size > 0);
    if (zone) {
      zone.size = Math.max(0, zone.size - count);
      zone.cards = zone.cards.slice(count);
    }
  }

  clear(): Flight[] {
    this.zones = [];
    return [];
  }

  announce(): Flight[] {
    return [];
  }

  draw(event: TableEvent): Flight[] {
    const { seat, cards, hidden } = event;
    const isTurnUp = cards.length > 0 && this.remove("turn_up", undefined, cards) > 0;
    this.shrink(isTurnUp ? 0 : cards.length + hidden);
    this.add("hand", seat, cards, hidden);
    return moving(event, "stock", placeOf(seat));
  }

  turn(event: TableEvent): Flight[] {
    const { seat, cards } = event;
    this.shrink(seat === undefined ? cards.length : 0);
    this.add("turn_up", seat, cards);
    return moving(event, "stock", seat === undefined ? "turn_up" : placeOf(seat));
  }

  lay(event: TableEvent): Flight[] {
    this.add(this.middle().name, undefined, event.cards);
    return moving(event, "stock", "middle");
  }

  play(event: TableEvent): Flight[] {
    const { seat = 0, cards, hidden } = event;
    const zone = this.middle();
    this.leave(seat, cards, hidden);
    if (zone.size === 0) {
      Object.assign(zone, { leader: seat, owners: [] });
    }
    zone.owners = [...(zone.owners ?? []), ...cards.map(() => seat)];
    this.add(zone.name, undefined, cards);
    return moving(event, placeOf(seat), "middle");
  }

  take({ seat, cards }: TableEvent): Flight[] {
    this.remove(this.middle().name, undefined, cards);
    this.middle().owners = [];
    // Captured cards lie before their seat.
    if (this.state.names.game.zones.some(({ name }) => name === "captured")) {
      this.add("captured", seat, cards);
    }
    this.zones.push({ name: TAKEN, ...(seat === undefined ? {} : { seat }), cards, size: cards.length });
    return cards.map((card) => ({ card, from: "middle", to: `pile ${seat}` }));
  }

  reveal({ seat, cards }: TableEvent): Flight[] {
    const hand = this.zone("hand", seat);
    hand.cards = cards;
    hand.size = Math.max(hand.size, cards.length);
    return [];
  }

  replace(event: TableEvent): Flight[] {
    const { seat, cards, hidden } = event;
    this.leave(seat, [], 1);
    this.shrink(1);
    this.add("hand", seat, cards, hidden);
    return [{ from: placeOf(seat), to: "stock" }, ...moving(event, "stock", placeOf(seat))];
  }

  change({ seat, cards: [down = "", up = ""] }: TableEvent): Flight[] {
    this.leave(seat, [down], 0);
    this.remove("turn_up", undefined, [up]);
    this.add("turn_up", undefined, [down]);
    this.add("hand", seat, [up], 0);
    const here = placeOf(seat);
    return [
      { card: down, from: here, to: "turn_up" },
      { card: up, from: "turn_up", to: here },
    ];
  }

  discard(event: TableEvent): Flight[] {
    this.leave(event.seat, event.cards, event.hidden);
    return moving(event, placeOf(event.seat), "stock");
  }

  /** Two seats exchange their cards: of two that are seen the first is the new one of the seat. */
  swap({ seat = 0, other = 0, cards }: TableEvent): Flight[] {
    const [one, two] = [this.zone("hand", seat), this.zone("hand", other)];
    [one.size, two.size] = [two.size, one.size];
    const { mine } = this.state;
    const [first, second] = cards.length === 2 ? cards : mine === other ? [undefined, cards[0]] : [cards[0], undefined];
    one.cards = first === undefined ? [] : [first];
    two.cards = second === undefined ? [] : [second];
    const back = (card: string | undefined) => (card === undefined ? {} : { card });
    return [
      { ...back(first), from: placeOf(other), to: placeOf(seat) },
      { ...back(second), from: placeOf(seat), to: placeOf(other) },
    ];
  }
}

function moving({ cards, hidden }: TableEvent, from: string, to: string): Flight[] {
  const backs = Array.from({ length: Math.min(hidden, 4) }, () => ({ from, to }));
  return [...cards.map((card) => ({ card, from, to })), ...backs];
}

/** The effect of an event and its time; one of an unknown kind takes what lies in the middle, lays cards, or is results later. */
function effectOf(event: TableEvent, scene: Scene): readonly [Effect, number] {
  const known = EFFECTS[event.kind];
  if (known) {
    return known;
  }
  if (SAID.has(event.kind)) {
    return ["announce", SAID_MS];
  }
  const takes = event.seat !== undefined && scene.isInMiddle(event.cards);
  return takes ? ["take", 1500] : event.cards.length && event.seat === undefined ? ["lay", 900] : ["announce", 0];
}

/** What counts over all deals, beside the scores. */
const COUNTED = ["chips", "tokens", "lives"];

class Deal {
  readonly scene: Scene;

  constructor(
    private readonly view: View,
    from: State,
    readonly target: State,
    readonly number = dealNumber(view),
  ) {
    this.scene = new Scene(view, from);
  }

  /** What is seen now, where somebody is to move. */
  seen(turn: number | undefined, scores = this.view.scores): State {
    const { outcome: _, turn: __, turns: ___, ...view } = this.view;
    const zones = this.scene.zones.map((zone) => ({ ...zone }));
    // What is counted over the deals is as the deal leaves it.
    const counted = (name: string) => scores !== this.view.scores && COUNTED.includes(name);
    const after = this.target.match.view.facts;
    return this.target.at({
      ...view,
      facts: [...view.facts.filter(({ name }) => !counted(name)), ...after.filter(({ name }) => counted(name))],
      zones,
      scores,
      waiting: "WAITING_SEAT",
      ...(turn === undefined ? { turns: [] } : { turn, turns: [turn] }),
    });
  }
}

/** Who shows what a queue plays. */
export interface Stage {
  draw(frame: Frame): void;
  announce(event: TableEvent, state: State): void;
  /** Shows the end of a deal; resolved when the reader goes on. */
  endDeal(end: DealEnd, state: State, isLast: boolean): Promise<void>;
}

/** Shows states one after the other, with the events between them, each for its time. */
export class Playback {
  /** What the times are multiplied by; 0 shows everything at once. */
  slowness = 1;
  private waiting: Promise<void> = Promise.resolve();
  private queued = 0;
  /** How many events are still to be shown. */
  private left = 0;
  private shown: State | undefined;
  /** Which match is shown, of all that were. */
  private generation = 0;
  private isSkipped = false;
  private goOn: () => void = () => undefined;
  private results: TableEvent[] = [];
  private isDealt = false;
  /** The scores at the beginning of the deal. */
  private before: readonly number[] | undefined;

  constructor(private readonly stage: Stage) {}

  /** Whether something is shown that is past. */
  get isPlaying(): boolean {
    return this.queued > 0;
  }

  /** Shows a state after what has led to it. */
  push(state: State, events: readonly TableEvent[]): void {
    if (!this.isPlaying && !events.length) {
      this.settle(state);
      return;
    }
    const { generation } = this;
    this.queued++;
    this.left += events.length;
    this.waiting = this.waiting
      .then(() => this.play(state, events, generation))
      .catch((error) => console.error(error))
      .then(() => {
        if (generation === this.generation) {
          this.queued--;
          this.settle(state);
        }
      });
  }

  /** Resolved when what is known now has been shown. */
  get settled(): Promise<void> {
    return this.waiting;
  }

  /** Shows at once what is still to come, up to the end of the deal. */
  skip(): void {
    this.isSkipped = true;
    this.goOn();
  }

  /** Forgets what is to come: another match is shown. */
  reset(): void {
    this.skip();
    const { slowness, generation } = this;
    Object.assign(this, new Playback(this.stage), { slowness, generation: generation + 1 });
  }

  /** Draws how the match stands, unless later news wait already. */
  private settle(state: State): void {
    if (this.isPlaying && state !== this.shown) {
      this.shown = state;
      return;
    }
    this.shown = state;
    this.isSkipped = false;
    this.stage.draw({ state, flights: [], wait: 0 });
  }

  private async play(target: State, events: readonly TableEvent[], generation: number): Promise<void> {
    const { shown: from = target } = this;
    const isOver = target.match.state !== "MATCH_STATE_OPEN";
    const lastEnd = isOver ? undefined : events.findLast(({ kind }) => EFFECTS[kind]?.[0] === "clear");
    this.before ??= from.match.view.scores;
    let deal = new Deal(from.match.view, from, target);
    for (const [place, event] of events.entries()) {
      if (generation !== this.generation) {
        return;
      }
      const [effect, usual] = effectOf(event, deal.scene);
      if (effect === "clear") {
        await this.endDeal(deal, event === lastEnd ? target.match.view.scores : undefined, false);
        deal = new Deal({ ...target.match.view, zones: [] }, target, target, event.amount);
      }
      this.left--;
      this.stage.announce(event, target);
      this.remember(effect, event);
      const next = events.slice(place + 1).find((one) => one.seat !== undefined)?.seat;
      await this.showEvent(deal, event, effect, usual, next);
    }
    if (isOver) {
      await this.endDeal(deal, target.match.view.scores, true);
    }
  }

  /** Shows one event: cards that are taken lie there for a time before they go. */
  private async showEvent(deal: Deal, event: TableEvent, effect: Effect, usual: number, next?: number): Promise<void> {
    const { seat } = event;
    if (effect === "take") {
      await this.showFrame({ state: deal.seen(seat), event, flights: [], wait: usual, taker: seat });
    }
    const flights = deal.scene.apply(effect, event);
    const isOwn = seat !== undefined && seat === deal.target.mine;
    const wait = effect === "take" ? SWEEP_MS : effect === "announce" && isOwn ? 0 : usual;
    if (wait || flights.length) {
      await this.showFrame({ state: deal.seen(effect === "take" ? next : seat), event, flights, wait });
    }
  }

  /** Keeps what is results of a deal until its end. */
  private remember(effect: Effect, event: TableEvent): void {
    this.isDealt ||= effect !== "announce" && effect !== "clear";
    if (effect === "announce" && !SAID.has(event.kind) && !ACTIONS.has(event.kind) && event.kind !== "dealer_set") {
      this.results.push(event);
    }
  }

  /** Keeps the results among what was done in the deal before it was followed. */
  recall(events: readonly TableEvent[]): void {
    for (const event of events) {
      this.remember(EFFECTS[event.kind]?.[0] ?? (event.cards.length ? "take" : "announce"), event);
    }
  }

  private async endDeal(deal: Deal, after: readonly number[] | undefined, isLast: boolean): Promise<void> {
    const { results: events, before = [] } = this;
    if (this.isDealt && events.length) {
      this.isSkipped = false;
      const taken = deal.scene.zones.filter(({ name }) => name === TAKEN);
      await this.stage.endDeal(
        { deal: deal.number, events, taken, before, after },
        deal.seen(undefined, after),
        isLast,
      );
    }
    Object.assign(this, { results: [], isDealt: false, before: after ?? before });
  }

  /** Shows a frame for its time, or until the reader goes on. */
  private async showFrame(frame: Frame): Promise<void> {
    const wait = this.isSkipped || this.left > MOST_EVENTS ? 0 : frame.wait * this.slowness;
    if (!wait) {
      return;
    }
    this.stage.draw(frame);
    await new Promise<void>((resolve) => {
      this.goOn = resolve;
      setTimeout(resolve, wait);
    });
  }
}

/** Where the cards and places of a table are, and the cards themselves. */
interface Position {
  readonly box: DOMRect;
  readonly element: Element;
}

type Positions = ReadonlyMap<string, Position>;

export function positions(root: ParentNode): Positions {
  const found = new Map<string, Position>();
  for (const place of root.querySelectorAll("[data-place]")) {
    const name = place.getAttribute("data-place") ?? "";
    found.set(name, { box: place.getBoundingClientRect(), element: place });
    for (const card of place.querySelectorAll("[data-card]")) {
      found.set(`${name} ${card.getAttribute("data-card")}`, { box: card.getBoundingClientRect(), element: card });
    }
  }
  return found;
}

/** Lets cards move from where they were to where they are; what is not there any more moves in `layer`. */
export function fly(
  root: ParentNode,
  layer: HTMLElement,
  before: Positions,
  frame: Frame,
  slowness: number,
  back: () => Element,
): void {
  if (!slowness || matchMedia("(prefers-reduced-motion: reduce)").matches) {
    return;
  }
  const now = positions(root);
  const isSweep = frame.wait === SWEEP_MS;
  const longest = isSweep ? SWEEP_MS : Math.min(FLIGHT_MS, Math.max(frame.wait, 300));
  for (const [place, { card, from, to }] of frame.flights.entries()) {
    const old = before.get(`${from} ${card}`);
    const there = now.get(`${to} ${card}`);
    const start = first(old, before.get(from), now.get(from));
    const end = first(there, now.get(to), now.get(to.replace("pile", "seat")));
    const timing = {
      duration: longest * Math.min(1, slowness),
      easing: "cubic-bezier(.2, .7, .3, 1)",
      delay: isSweep ? 0 : place * 60 * slowness,
      fill: "backwards" as const,
    };
    if (start && end && there) {
      const scale = String(Math.min(1.6, Math.max(0.4, start.width / end.width)));
      there.element.animate(
        [
          { translate: between(end, start), scale },
          { translate: "0 0", scale: "1" },
        ],
        timing,
      );
    } else if (start && end) {
      ghost(layer, old, start, end, back, timing);
    }
  }
}

/** Where the first of some things is that are seen. */
function first(...found: readonly (Position | undefined)[]): DOMRect | undefined {
  return found.find((one) => one?.box.width)?.box ?? found.find(Boolean)?.box;
}

/** The way from the middle of one box to that of another. */
function between(from: DOMRect, to: DOMRect): string {
  return `${to.x + to.width / 2 - from.x - from.width / 2}px ${to.y + to.height / 2 - from.y - from.height / 2}px`;
}

/** A card that moves to where it is not seen any more. */
function ghost(
  layer: HTMLElement,
  old: Position | undefined,
  start: DOMRect,
  end: DOMRect,
  back: () => Element,
  timing: KeyframeAnimationOptions,
): void {
  const origin = layer.getBoundingClientRect();
  const element = (old?.element.cloneNode(true) ?? back()) as HTMLElement;
  const width = old ? old.box.width : Math.min(40, start.width);
  element.removeAttribute("data-card");
  element.classList.add("flying");
  element.setAttribute("aria-hidden", "true");
  element.style.width = `${width}px`;
  element.style.left = `${start.x + start.width / 2 - width / 2 - origin.x}px`;
  element.style.top = `${(old ? start.y : start.y + start.height / 2 - width * 0.8) - origin.y}px`;
  layer.append(element);
  const moved = {
    translate: between(start, end),
    scale: String(Math.min(1, Math.max(0.3, 40 / width))),
    opacity: "0.2",
  };
  const animation = element.animate([{ translate: "0 0", scale: "1", opacity: "1" }, moved], {
    ...timing,
    fill: "both",
  });
  animation.addEventListener("finish", () => element.remove());
}
