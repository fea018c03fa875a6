// Built from clients/typescript/web by npm run web; do not edit.

// web/cards.ts
import { make } from "./shared.js?3bb71f9c88257ee3";
function shownCard(code, state) {
  return make("span", { class: "card", role: "img", "aria-label": state.names.card(code) }, face(code, state));
}
function playableCard(card, state, actions) {
  const { names, words, choices } = state;
  const legal = state.isPlayable(card);
  const allowed = state.isAllowed(card);
  const broken = state.refused.includes(card.id) ? state.refusals[0] : void 0;
  const refused = broken && `${words.refused}: ${broken.clause.key}`;
  const notes = [refused, allowed ? words.allowed : legal && words.legal];
  const kinds = ["card", legal && "legal", choices.byCards.length > 0 && !legal && "dim", allowed && "allowed"];
  const attributes = {
    type: "button",
    class: kinds.filter(Boolean).join(" "),
    "data-id": card.id,
    "aria-label": [names.card(card.code), ...notes.filter(Boolean)].join(", "),
    "aria-pressed": choices.selecting ? String(state.isSelected(card)) : void 0
  };
  const element = make("button", attributes, face(card.code, state));
  if (broken) {
    element.classList.add("refused");
    element.setAttribute("aria-description", `${broken.message} ${broken.clause.text}`);
    element.append(make("span", { class: "clause", "aria-hidden": "true" }, `✗ ${broken.clause.key}`));
  }
  if (allowed) {
    element.append(make("span", { class: "mark", "aria-hidden": "true" }, "✓"));
  }
  element.addEventListener("click", () => actions.tap(card));
  return element;
}
function hiddenCards(count, state) {
  const { names, words } = state;
  return make(
    "span",
    { class: "hidden" },
    make("span", { class: "back", "aria-hidden": "true" }),
    `${names.count(count)}, ${words.faceDown}`
  );
}
function face(code, state) {
  const card = state.names.cardOf(code);
  const text = textFace(code, state.names);
  if (!card?.pictureUrl) {
    return text;
  }
  const picture = make("img", { src: state.service.url(card.pictureUrl), alt: "", draggable: "false" });
  picture.addEventListener("error", () => picture.replaceWith(text));
  return picture;
}
function textFace(code, names) {
  const card = names.cardOf(code);
  const suit = card ? names.suit(card.suit) : "";
  const rank = card?.rank || code;
  const under = suit || (card && card.name !== rank ? card.name : "");
  return make(
    "span",
    { class: "face", "aria-hidden": "true" },
    make("span", { class: "rank" }, rank),
    under && make("span", { class: "suit" }, under)
  );
}

// web/choices.ts
var HAND_ZONES = ["hand", "turn_up"];
function isHandZone(zone, seats) {
  return HAND_ZONES.includes(zone.name) && zone.seat !== void 0 && seats.has(zone.seat);
}
function seatsPlayed(view, mine, moves) {
  const played = /* @__PURE__ */ new Set();
  if (mine === void 0) {
    return played;
  }
  played.add(mine);
  for (const { name, seat, number } of view.facts) {
    if (name === "controller" && number === mine && seat !== void 0) {
      played.add(seat);
    }
  }
  for (const { seat } of moves) {
    if (seat !== void 0) {
      played.add(seat);
    }
  }
  return played;
}
function cardsOfZone(zone) {
  const seat = zone.seat ?? 0;
  return zone.cards.map((code, place) => {
    const copy = zone.cards.slice(0, place).filter((other) => other === code).length;
    return { code, seat, id: `${zone.name} ${seat} ${code} ${copy}` };
  });
}
var Choices = class {
  constructor(moves, hand, mine) {
    this.mine = mine;
    const byCards = moves.filter((move) => move.cards.length && isContained(this.cardsOf(move), hand.map(keyOf)));
    this.byCards = byCards;
    this.selecting = byCards.some((move) => move.cards.length > 1);
    const byVerb = /* @__PURE__ */ new Map();
    for (const move of moves.filter((one) => !byCards.includes(one))) {
      byVerb.set(move.verb, [...byVerb.get(move.verb) ?? [], move]);
    }
    this.byVerb = byVerb;
  }
  mine;
  /** Moves that are made by choosing cards of the hand. */
  byCards;
  /** All others, by verb. */
  byVerb;
  /** Cards are selected first, because some move takes several. */
  selecting;
  /** The moves that selected cards make. */
  made(selected) {
    const keys = selected.map(keyOf).sort().join();
    return this.byCards.filter((move) => this.cardsOf(move).sort().join() === keys);
  }
  /** Whether selected cards can become a legal move with more cards, or are one. */
  canBecomeMove(selected) {
    return this.byCards.some((move) => isContained(selected.map(keyOf), this.cardsOf(move)));
  }
  cardsOf(move) {
    const seat = move.seat ?? this.mine ?? 0;
    return move.cards.map((code) => keyOf({ code, seat, id: "" }));
  }
};
function verbOfCards(game, view, choices) {
  const verbs = game.moves.filter((spec) => spec.maxCards > 0 && !spec.byChance);
  const inPhase = verbs.find((spec) => spec.phases.includes(view.phase));
  return choices.byCards[0]?.verb ?? (inPhase ?? verbs[0])?.verb;
}
function keyOf({ code, seat }) {
  return `${seat} ${code}`;
}
function isContained(part, whole) {
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

// web/board.ts
import { make as make2 } from "./shared.js?3bb71f9c88257ee3";
import { fill } from "./shared.js?3bb71f9c88257ee3";
var TAKEN = "taken";
var MANY_CARDS = 10;
function otherSeats(state, actions) {
  return make2("div", { class: "seats" }, ...seatNumbers(state, false).map((seat) => seatPanel(seat, state, actions)));
}
function ownSeats(state, actions) {
  const own = seatNumbers(state, true).sort((one, other) => Number(one === state.mine) - Number(other === state.mine));
  return make2("div", { class: "own" }, ...own.map((seat) => seatPanel(seat, state, actions)));
}
function middle(state, actions) {
  const { view } = state.match;
  const zones = view.zones.filter((zone) => zone.seat === void 0);
  const label = state.words.table;
  return make2(
    "section",
    { class: "middle", "aria-label": label },
    ...zonePanels(zones, state, actions),
    lastTrick(state),
    facts(
      view.facts.filter((fact) => fact.seat === void 0),
      state
    )
  );
}
function seatNumbers(state, own) {
  return state.match.view.scores.map((_, seat) => seat).filter((seat) => state.seats.has(seat) === own);
}
function seatPanel(seat, state, actions) {
  const { match, names, words } = state;
  const { view } = match;
  const toMove = view.waiting === "WAITING_SEAT" && view.turn === seat;
  const won = view.outcome?.winners.includes(seat);
  const head = make2("h3", {}, names.sitter(seat));
  const marks = [toMove ? words.turn : "", won ? words.won : ""].filter(Boolean);
  const bank = match.bankMs[seat];
  return make2(
    "section",
    { class: toMove ? "seat turn" : "seat", "aria-label": names.sitter(seat) },
    head,
    ...marks.map((mark) => make2("strong", { class: "tag" }, mark)),
    make2("p", { class: "score" }, `${words.score}: ${view.scores[seat] ?? 0}`),
    bank !== void 0 && make2("p", {}, `${words.bank}: ${Math.round(Number(bank) / 1e3)} s`),
    ...zonePanels(
      view.zones.filter((zone) => zone.seat === seat),
      state,
      actions
    ),
    facts(
      view.facts.filter((fact) => fact.seat === seat),
      state
    )
  );
}
function zonePanels(zones, state, actions) {
  const tricks = zones.filter((zone) => zone.name === TAKEN);
  const panels = zones.filter((zone) => zone.name !== TAKEN).map((zone) => zonePanel(zone, state, actions));
  return tricks.length ? [...panels, taken(tricks, state, actions)] : panels;
}
function taken(tricks, state, actions) {
  const text = fill(state.words.tricks, { count: tricks.length });
  const id = `${TAKEN} ${tricks[0]?.seat}`;
  const last = [...tricks].reverse();
  return make2(
    "details",
    { "data-id": id },
    make2("summary", { "data-id": `${id} summary` }, text),
    ...last.map((zone) => zonePanel(zone, state, actions))
  );
}
function lastTrick(state) {
  const { zones } = state.match.view;
  const isPlaying = zones.some((zone) => zone.name === "trick" && zone.size > 0);
  const last = zones.filter((zone) => zone.name === TAKEN).at(-1);
  if (isPlaying || !last?.cards.length) {
    return void 0;
  }
  const caption = last.seat === void 0 ? "" : `: ${state.names.seat(last.seat)}`;
  return make2(
    "div",
    { class: "zone", role: "group", "aria-label": state.words.lastTrick },
    make2("p", { class: "caption" }, state.words.lastTrick + caption),
    make2("div", { class: "cards" }, ...last.cards.map((code) => shownCard(code, state)))
  );
}
function zonePanel(zone, state, actions) {
  const { names, words } = state;
  const leader = zone.leader === void 0 ? "" : ` (${fill(words.ledBy, { who: names.seat(zone.leader) })})`;
  const caption = names.zone(zone.name) + leader;
  const whose = zone.seat === void 0 ? caption : `${caption}, ${names.seat(zone.seat)}`;
  const hidden = zone.size - zone.cards.length;
  const isMany = zone.cards.length > MANY_CARDS && !isHandZone(zone, state.seats);
  const attributes = {
    class: isMany ? "zone many" : "zone",
    role: "group",
    "data-zone": zone.name,
    "aria-label": whose
  };
  return make2(
    "div",
    attributes,
    make2("p", { class: "caption" }, caption),
    make2(
      "div",
      { class: "cards" },
      ...cardsOf(zone, state, actions),
      (hidden > 0 || zone.size === 0) && (hidden > 0 ? hiddenCards(hidden, state) : names.count(0))
    )
  );
}
function cardsOf(zone, state, actions) {
  if (!isHandZone(zone, state.seats)) {
    return zone.cards.map((code) => shownCard(code, state));
  }
  const order = new Map(state.names.game.cards.map((card, place) => [card.code, place]));
  const sorted = [...cardsOfZone(zone)].sort((one, other) => (order.get(one.code) ?? 0) - (order.get(other.code) ?? 0));
  return sorted.map((card) => playableCard(card, state, actions));
}
function facts(list, state) {
  if (!list.length) {
    return void 0;
  }
  const rows = list.flatMap((fact) => [
    make2("dt", {}, state.names.fact(fact.name)),
    make2("dd", { "data-fact": fact.name }, state.names.value(fact))
  ]);
  return make2("dl", { class: "facts" }, ...rows);
}

// web/table.ts
import { make as make5, replace } from "./shared.js?3bb71f9c88257ee3";

// web/local_rules.ts
async function loadLocalRules(url, language) {
  try {
    const { loadRules } = await import(new URL(url, document.baseURI).href);
    return await loadRules({ language });
  } catch {
    return null;
  }
}
async function refusalsOf(rules, match, move, seat) {
  try {
    const { refusals, dependsOn } = await rules.validateMove(knownTo(match, seat), move, seat);
    return dependsOn.length ? [] : refusals;
  } catch {
    return [];
  }
}
function knownTo({ ruleSet, view }, seat) {
  const hand = view.zones.find((zone) => zone.name === "hand" && zone.seat === seat);
  const trick = view.zones.find((zone) => zone.name === "trick");
  const fact = (name) => view.facts.find((one) => one.name === name && one.seat === void 0);
  return {
    ruleSet,
    hands: { [seat]: hand?.cards ?? [] },
    trick: { cards: trick?.cards ?? [], ...trick?.leader === void 0 ? {} : { leader: trick.leader } },
    trump: fact("trump")?.word,
    stockSize: fact("stock")?.number
  };
}

// web/panels.ts
import { button, make as make3 } from "./shared.js?3bb71f9c88257ee3";
import { fill as fill2 } from "./shared.js?3bb71f9c88257ee3";
var MANY = 12;
function movesPanel(state, actions) {
  const { words, match, mine } = state;
  const groups = [...state.choices.byVerb].map(([verb, moves]) => verbGroup(verb, moves, state, actions));
  const selection = selectionGroup(state, actions);
  const seeds = mine !== void 0 && match.awaitingSeedsFrom.includes(mine);
  const seed = seeds && button("seed", words.addSeed, () => actions.addSeed());
  const all = [...groups, selection, seed, takeBack(state, actions)];
  return all.some(Boolean) ? make3("section", { class: "moves", "aria-label": words.moves }, ...all) : void 0;
}
function takeBack({ match, mine, names, words }, actions) {
  if (mine === void 0 || match.aborted || match.view.waiting === "WAITING_NOBODY" || match.seat === void 0) {
    return void 0;
  }
  const { takebackRequest: asked } = match;
  if (!asked) {
    return button("take back", words.takeBack, () => actions.takeBack(false), { class: "quiet" });
  }
  const text = fill2(words.asksTakeBack, { who: names.seat(asked.seat) });
  const answers = asked.awaitingAnswersFrom.includes(mine);
  return make3(
    "fieldset",
    {},
    make3("legend", {}, text),
    answers && button("agree", words.agree, () => actions.takeBack(false)),
    (answers || asked.seat === mine) && button("decline", asked.seat === mine ? words.withdraw : words.decline, () => actions.takeBack(true))
  );
}
function refusalPanel(state, actions) {
  const { refusals, words } = state;
  if (!refusals.length) {
    return void 0;
  }
  const close = button("close", words.close, () => actions.clear());
  const items = refusals.map((refusal) => refusalText(refusal, state));
  return make3("section", { class: "refusal", role: "alert" }, make3("h3", {}, words.refused), ...items, close);
}
function refusalText(refusal, state) {
  const { clause, message, page, allowedCards } = refusal;
  const link = { href: state.service.page(page), target: "_blank", rel: "noopener noreferrer", "data-id": clause.key };
  const allowed = allowedCards.length ? `${state.words.allowed}: ${state.names.cardList(allowedCards)}` : "";
  return make3(
    "div",
    {},
    make3("p", {}, make3("strong", {}, message)),
    make3("blockquote", {}, clause.text, " ", make3("a", link, fill2(state.words.clause, { key: clause.key }))),
    allowed && make3("p", {}, allowed)
  );
}
function verbGroup(verb, moves, state, actions) {
  const name = state.names.verb(verb);
  const [only] = moves;
  if (only && moves.length === 1 && !state.names.details(only)) {
    return make3(
      "div",
      {},
      button(idOf(only), name, () => actions.play(only))
    );
  }
  const group = make3("fieldset", {}, make3("legend", {}, name));
  if (moves.length > MANY) {
    group.append(...longList(verb, moves, state, actions));
  } else {
    const label = (move) => state.names.details(move) || name;
    group.append(...moves.map((move) => button(idOf(move), label(move), () => actions.play(move))));
  }
  return group;
}
function longList(verb, moves, state, actions) {
  const options = moves.map((move, place) => make3("option", { value: place }, state.names.details(move)));
  const list = make3("select", { "data-id": `list ${verb}`, "aria-label": state.names.verb(verb) }, ...options);
  const play = () => {
    const move = moves[list.selectedIndex];
    if (move) {
      actions.play(move);
    }
  };
  return [list, button(`play ${verb}`, state.words.play, play)];
}
function selectionGroup(state, actions) {
  const { selected, words, names, choices } = state;
  if (!selected.length) {
    return void 0;
  }
  const cards = names.cardList(selected.map((card) => card.code));
  const made = choices.made(selected).map((move) => {
    const details = names.details({ ...move, cards: [], seat: void 0 });
    const text = [names.verb(move.verb), details].filter(Boolean).join(": ");
    return button(idOf(move), text, () => actions.play(move), { class: "primary" });
  });
  const clear = button("clear", words.clear, () => actions.clear());
  return make3("fieldset", {}, make3("legend", {}, `${words.selected}: ${cards}`), ...made, clear);
}
function idOf(move) {
  return `move ${JSON.stringify(move)}`;
}

// web/seal.ts
import { make as make4 } from "./shared.js?3bb71f9c88257ee3";

// src/shuffle_proof.ts
var NUMBERS = 1n << 64n;
function* fairnessOf(shuffle, pack) {
  if (shuffle.nonce === "" || hexadecimal(yield bytesOf(shuffle.nonce)) !== shuffle.commitment) {
    return false;
  }
  if (shuffle.lots.length > 0) {
    const lots = [...shuffle.lots].sort((one, other) => one - other);
    return (yield* orderOf(lots, shuffle))[0] === shuffle.amount;
  }
  const canonical = [...shuffle.cards].sort((one, other) => pack.indexOf(one) - pack.indexOf(other));
  const order = yield* orderOf(canonical, shuffle);
  return order.every((card, index) => card === shuffle.cards[index]);
}
function* orderOf(things, shuffle) {
  const order = [...things];
  const numbers = new Numbers(shuffle);
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = yield* numbers.below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
var Numbers = class {
  constructor(shuffle) {
    this.shuffle = shuffle;
  }
  shuffle;
  /** The key, then the counter. */
  input = new Uint8Array(40);
  block = 0n;
  ready = [];
  /** A uniform number below a bound: numbers above its last multiple are rejected. */
  *below(bound) {
    const end = NUMBERS - NUMBERS % BigInt(bound);
    for (; ; ) {
      const number = this.ready.shift();
      if (number === void 0) {
        yield* this.refill();
      } else if (number < end) {
        return Number(number % BigInt(bound));
      }
    }
  }
  *refill() {
    if (this.block === 0n) {
      const { nonce, number, clientSeeds } = this.shuffle;
      const seeds = clientSeeds.map(({ seat, seed }) => `${seat} ${seed}
`).join("");
      this.input.set(yield bytesOf(`chitarrella shuffle 1
${nonce}
${number}
${seeds}`));
    }
    new DataView(this.input.buffer).setBigUint64(32, this.block++);
    const digest = yield this.input;
    const numbers = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
    for (let at = 0; at < digest.length; at += 8) {
      this.ready.push(numbers.getBigUint64(at));
    }
  }
};
function bytesOf(text) {
  return new TextEncoder().encode(text);
}
function hexadecimal(digest) {
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// web/proof.ts
async function prove(shuffle, pack) {
  if (shuffle.supplied) {
    return "supplied";
  }
  if (!shuffle.nonce) {
    return "secret";
  }
  if (!globalThis.crypto?.subtle) {
    return "insecure";
  }
  const steps = fairnessOf(shuffle, pack);
  let step = steps.next();
  while (!step.done) {
    step = steps.next(new Uint8Array(await crypto.subtle.digest("SHA-256", step.value)));
  }
  return step.value ? "holds" : "fails";
}
var Memory = class {
  texts = [];
  name;
  constructor(kind, match) {
    this.name = `chitarrella ${kind} ${match}`;
    try {
      this.texts = JSON.parse(sessionStorage.getItem(this.name) ?? "[]");
    } catch {
    }
  }
  /** Everything that was added, in order. */
  get all() {
    return this.texts;
  }
  add(text) {
    if (text && !this.texts.includes(text)) {
      this.texts = [...this.texts, text];
      try {
        sessionStorage.setItem(this.name, JSON.stringify(this.texts));
      } catch {
      }
    }
  }
};

// web/seal.ts
import { fill as fill3 } from "./shared.js?3bb71f9c88257ee3";
var SealPanel = class {
  element = make4("details", { class: "seal", hidden: true });
  title = make4("summary");
  content = make4("div");
  state;
  commitments;
  shown = "";
  constructor() {
    this.element.append(this.title, this.content);
    this.element.addEventListener("toggle", () => this.update());
  }
  /** Forgets the match. */
  clear() {
    this.state = void 0;
    this.commitments = void 0;
    this.shown = "";
    this.element.hidden = true;
    this.content.replaceChildren();
  }
  /** Keeps the commitment that is published now, before the shuffle; shows what is new. */
  show(state) {
    const { match, words } = state;
    this.state = state;
    this.commitments ??= new Memory("commitments", match.matchId);
    this.commitments.add(match.nextCommitment);
    this.title.textContent = words.seal;
    this.element.hidden = !match.nextCommitment && !this.commitments.all.length;
    this.update();
  }
  /** Reads the shuffles again where one may have been made, or published. */
  update() {
    const { match } = this.state ?? {};
    const key = match && [match.nextCommitment, match.awaitingSeedsFrom.join(), match.view.waiting].join(" ");
    if (this.element.open && key && key !== this.shown) {
      this.shown = key;
      void this.read().catch(() => {
        this.shown = "";
      });
    }
  }
  async read() {
    const { state, commitments } = this;
    if (!state || !commitments) {
      return;
    }
    const found = await state.service.shuffles(state.match.matchId);
    const proofs = await Promise.all(found.shuffles.map((shuffle) => prove(shuffle, state.names.game.pack)));
    if (this.state?.match.matchId === state.match.matchId) {
      const own = new Memory("seeds", state.match.matchId).all;
      const rows = found.shuffles.map((one, place) => row(one, proofs[place] ?? "secret", state, commitments.all, own));
      this.content.replaceChildren(next(found, state, commitments.all), make4("ol", {}, ...rows.reverse()));
    }
  }
};
function next({ shuffles, nextCommitment }, { words, names, match }, seen) {
  const known = [nextCommitment, match.nextCommitment, ...shuffles.map((one) => one.commitment)];
  const isBroken = !shuffles.some((one) => one.supplied) && seen.some((one) => !known.includes(one));
  const waiting = match.awaitingSeedsFrom.map((seat) => names.seat(seat)).join(", ");
  return make4(
    "div",
    {},
    make4("p", {}, words.sealText),
    nextCommitment && make4("p", {}, `${words.nextCommitment}: `, make4("code", {}, nextCommitment)),
    waiting && make4("p", {}, fill3(words.seedsAwaited, { who: waiting })),
    isBroken && result("fails", words.commitmentBroken)
  );
}
function row(shuffle, proof, state, seen, own) {
  const { words, names, mine } = state;
  const { commitment, clientSeeds, nonce, number } = shuffle;
  const isOwn = (seat, seed) => seat === mine && own.includes(seed);
  const isForged = clientSeeds.some(({ seat, seed }) => seat === mine && own.length && !isOwn(seat, seed));
  const seeds = clientSeeds.map(({ seat, seed }) => {
    const note = isOwn(seat, seed) ? ` (${words.ownSeed})` : "";
    return make4("li", {}, `${names.seat(seat)}: `, make4("code", {}, seed), note);
  });
  const before = seen.includes(commitment) ? words.seenBefore : words.notSeenBefore;
  return make4(
    "li",
    { value: number },
    make4("strong", {}, fill3(words.shuffle, { number })),
    result(isForged ? "fails" : proof, isForged ? words.seedChanged : proofText(proof, words)),
    commitment ? make4("p", {}, `${words.commitment}: `, make4("code", {}, commitment), ` (${before})`) : "",
    seeds.length ? make4("ul", { "aria-label": words.seeds }, ...seeds) : "",
    nonce ? make4("p", {}, `${words.nonce}: `, make4("code", {}, nonce)) : ""
  );
}
function result(proof, text) {
  const mark = { holds: "✓ ", fails: "✗ " }[proof] ?? "";
  return make4("p", { class: `proof ${proof}` }, mark, text);
}
function proofText(proof, words) {
  return {
    supplied: words.proofSupplied,
    secret: words.proofSecret,
    holds: words.proofHolds,
    fails: words.proofFails,
    insecure: words.proofInsecure
  }[proof];
}

// web/table.ts
import { Service } from "./shared.js?3bb71f9c88257ee3";

// web/clock.ts
import { pause } from "./shared.js?3bb71f9c88257ee3";
var PASSED_MS = 50;
async function runOutClock(service, id, match, stop) {
  const deadline = Date.parse(match.deadline ?? "");
  if (match.sandbox) {
    const { time, timedOut } = await service.advanceClock(id, 1);
    const left = Math.floor((deadline - Date.parse(time)) / 1e3) + 1;
    if (!timedOut && left > 0) {
      await service.advanceClock(id, left);
    }
    return;
  }
  await pause(Math.max(0, deadline + PASSED_MS - Date.now()));
  if (!stop.aborted) {
    await service.enforceClock(id);
  }
}

// web/session.ts
import { Names } from "./shared.js?3bb71f9c88257ee3";
import { pause as pause2, randomId, ServiceError } from "./shared.js?3bb71f9c88257ee3";

// web/state.ts
var State = class {
  constructor(match, legal, names, service) {
    this.match = match;
    this.legal = legal;
    this.names = names;
    this.service = service;
    this.mine = match.seat ?? legal.seat;
    this.seats = seatsPlayed(match.view, this.mine, legal.moves);
    this.hand = match.view.zones.filter((zone) => isHandZone(zone, this.seats)).flatMap(cardsOfZone);
    this.choices = new Choices(legal.moves, this.hand, this.mine);
  }
  match;
  legal;
  names;
  service;
  /** The seat that the reader acts for; undefined for the public. */
  mine;
  seats;
  hand;
  choices;
  selected = [];
  refusals = [];
  /** The ids of the cards that are refused. */
  refused = [];
  get words() {
    return this.names.words;
  }
  /** The reader has to move; a move out of turn may be possible otherwise. */
  get isMyTurn() {
    const { turn, waiting } = this.match.view;
    return waiting === "WAITING_SEAT" && this.legal.moves.length > 0 && turn !== void 0 && this.seats.has(turn);
  }
  /** Whether a card can be played, alone or together with those that are selected. */
  isPlayable(card) {
    const others = this.choices.selecting ? this.selected.filter((one) => one.id !== card.id) : [];
    return this.choices.canBecomeMove([...others, card]);
  }
  isSelected(card) {
    return this.selected.some((one) => one.id === card.id);
  }
  /** Whether a refusal says that the card may be played instead. */
  isAllowed(card) {
    return this.refusals.some((refusal) => refusal.allowedCards.includes(card.code));
  }
};

// web/session.ts
import { wordsOf } from "./shared.js?3bb71f9c88257ee3";
var FIRST_PAUSE_MS = 250;
var LONGEST_PAUSE_MS = 8e3;
var PASSING = [0, 408, 409, 429];
var CURSOR_CODES = ["moves_lost", "bad_cursor"];
var Session = class {
  constructor(service, id, listener, stop) {
    this.service = service;
    this.id = id;
    this.listener = listener;
    this.stop = stop;
  }
  service;
  id;
  listener;
  stop;
  state;
  /** Answers before the service does, once it is loaded. */
  rules = null;
  game;
  cursor;
  busy = false;
  stream = new AbortController();
  /** What the reader does now; never rejected. */
  action = Promise.resolve();
  /** Follows the match to its end. */
  async run() {
    const words = wordsOf(this.service.language);
    let wait = FIRST_PAUSE_MS;
    this.listener.report(words.connecting);
    while (!this.stop.aborted) {
      try {
        await this.refresh();
        if (this.isOver()) {
          this.listener.report("");
          return;
        }
        await this.follow(words.connected);
        wait = FIRST_PAUSE_MS;
      } catch (error) {
        if (this.stop.aborted || !this.isPassing(error)) {
          return;
        }
        this.listener.report(words.reconnecting);
        wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
      }
      await pause2(wait);
    }
  }
  /** Plays a card, selects it, or shows why it cannot be played. */
  async tap(card) {
    const { state } = this;
    if (!state || this.busy) {
      return;
    }
    const { choices } = state;
    const others = choices.selecting ? state.selected.filter((one) => one.id !== card.id) : [];
    const chosen = state.isSelected(card) ? others : [...others, card];
    Object.assign(state, { refusals: [], refused: [] });
    if (!choices.canBecomeMove(chosen)) {
      await this.explain(state, chosen);
      return;
    }
    const [only, ...more] = choices.made(chosen);
    if (only && !more.length && !choices.selecting) {
      await this.play(only);
      return;
    }
    state.selected = chosen;
    this.listener.show(state);
  }
  /** Plays a legal move; what it is refused for, or costs, is shown. */
  async play(move) {
    const { state } = this;
    if (state) {
      await this.once(async () => {
        const result2 = await this.service.play(this.id, state.mine, move, state.legal.revision);
        await this.refresh();
        this.showRefusals(result2);
      });
    }
  }
  /** Adds a random seed of this seat to the next shuffle. */
  async addSeed() {
    await this.once(async () => {
      const seed = randomId();
      new Memory("seeds", this.id).add(seed);
      await this.service.contributeSeed(this.id, this.state?.mine, seed);
      await this.refresh();
    });
  }
  /** Asks to take the last decision back, or answers such a request. */
  async takeBack(decline) {
    await this.once(async () => {
      await this.service.takeBack(this.id, this.state?.mine, decline);
      await this.refresh();
    });
  }
  /** Lets the time of the decision that is waited for run out: waits for it, or moves the time of a test. */
  async runOutClock() {
    const { match } = this.state ?? {};
    if (!match?.deadline) {
      this.listener.report(wordsOf(this.service.language).noClock);
      return;
    }
    try {
      await runOutClock(this.service, this.id, match, this.stop);
    } catch (error) {
      this.listener.report(textOf(error));
    }
  }
  /** Cuts the stream of events, as a broken connection does. */
  cutStream() {
    this.stream.abort();
  }
  /** Forgets the selection and the refusal. */
  clear() {
    if (this.state) {
      Object.assign(this.state, { selected: [], refusals: [], refused: [] });
      this.listener.show(this.state);
    }
  }
  /** Asks why cards cannot be played. */
  async explain(state, cards) {
    const verb = verbOfCards(state.names.game, state.match.view, state.choices);
    if (verb === void 0) {
      return;
    }
    const seat = cards.find((card) => card.seat !== state.mine)?.seat;
    const move = { verb, cards: cards.map((card) => card.code), ...seat === void 0 ? {} : { seat } };
    const ids = cards.map((card) => card.id);
    await this.once(async () => {
      if (this.rules && state.mine !== void 0 && seat === void 0) {
        this.showRefusals({ refusals: await refusalsOf(this.rules, state.match, move, state.mine) }, ids);
      }
      this.showRefusals(await this.service.validateMove(this.id, state.mine, move), ids);
    });
  }
  showRefusals({ refusals }, refused = []) {
    if (this.state && refusals.length) {
      Object.assign(this.state, { refusals, refused });
      this.listener.show(this.state);
    }
  }
  /** Does one thing at a time; what fails is reported, and the match read again. */
  async once(action) {
    if (this.busy) {
      return;
    }
    this.busy = true;
    this.action = this.attempt(action);
    await this.action;
  }
  async attempt(action) {
    this.listener.setBusy(true);
    try {
      await action();
    } catch (error) {
      const stale = error instanceof ServiceError && error.code === "stale_revision";
      this.listener.report(stale ? wordsOf(this.service.language).moved : textOf(error));
      await this.refresh().catch(() => void 0);
    } finally {
      this.busy = false;
      this.listener.setBusy(false);
    }
  }
  async follow(connected) {
    this.cursor ??= this.state?.match.cursor ?? "";
    this.listener.report(connected);
    this.stream = new AbortController();
    const signal = AbortSignal.any([this.stop, this.stream.signal]);
    for await (const { cursor, events, revision } of this.service.watch(this.id, this.cursor, signal)) {
      await this.action;
      if (revision > (this.state?.match.revision ?? 0)) {
        await this.refresh();
      }
      if (this.state && events.length) {
        this.listener.announce(events, this.state.names);
      }
      this.cursor = cursor;
    }
  }
  /** Reads the match and the legal moves. */
  async refresh() {
    const asked = this.service.key ? this.service.legalMoves(this.id) : void 0;
    asked?.catch(() => void 0);
    const match = await this.service.match(this.id);
    const { gameId, edition } = match.ruleSet;
    this.game ??= await Promise.all([this.service.game(gameId, edition), this.service.tableWords(gameId)]);
    const legal = await this.legalMoves(match, asked);
    const { state } = this;
    if (this.stop.aborted || state && match.revision < state.match.revision) {
      return;
    }
    const names = new Names(...this.game, match, wordsOf(this.service.language));
    const next2 = new State(match, legal, names, this.service);
    if (state && state.legal.revision === legal.revision) {
      Object.assign(next2, { selected: state.selected, refusals: state.refusals, refused: state.refused });
    }
    this.state = next2;
    this.listener.show(next2);
  }
  /** The legal moves at the revision of the match, or a later one: those that were asked for may be of an earlier one. */
  async legalMoves(match, asked) {
    if (!asked || match.aborted) {
      return { moves: [], revision: match.revision };
    }
    const legal = await asked;
    return legal.revision < match.revision ? this.service.legalMoves(this.id) : legal;
  }
  isOver() {
    const { match } = this.state ?? {};
    return match !== void 0 && (match.aborted || match.view.waiting === "WAITING_NOBODY");
  }
  isPassing(error) {
    if (!(error instanceof ServiceError)) {
      return true;
    }
    if (CURSOR_CODES.includes(error.code)) {
      this.cursor = void 0;
      this.state = void 0;
      return true;
    }
    const passing = PASSING.includes(error.status) || error.status >= 500;
    if (!passing) {
      this.listener.report(error.message);
    }
    return passing;
  }
};
function textOf(error) {
  return error instanceof Error ? error.message : String(error);
}

// web/style.ts
var RULES = `
:host {
  --felt: var(--chitarrella-felt, #1d5c3f);
  --on-felt: var(--chitarrella-on-felt, #ffffff);
  --paper: var(--chitarrella-paper, #fffdf5);
  --ink: var(--chitarrella-ink, #1b1b1b);
  --accent: var(--chitarrella-accent, #ffd54a);
  --width: var(--chitarrella-card-width, 4rem);
  display: block; container-type: inline-size; color: var(--on-felt);
  font: var(--chitarrella-font, 1rem/1.4 system-ui, sans-serif);
}
:host([hidden]) { display: none; }
*, *::before { box-sizing: border-box; }
.table { --size: var(--width); background: var(--felt); border-radius: .7rem; padding: .7rem; overflow-wrap: anywhere; }
h2, h3, p, dl, dd, ol, blockquote { margin: 0; padding: 0; }
h2 { font-size: 1.2rem; }
h3 { font-size: 1rem; }
header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; margin-bottom: .5rem; }
.status { font-weight: bold; }
.board { display: grid; gap: .7rem; }
.seats { display: grid; gap: .5rem; grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr)); }
.own { display: grid; gap: .5rem; }
.seat, .middle { border: 2px solid #ffffff40; border-radius: .5rem; padding: .4rem .6rem; }
.seat.turn { border: 2px dashed var(--accent); }
.seat h3 { display: inline; margin-right: .5rem; }
.tag { background: var(--accent); color: #1b1b1b; border-radius: .3rem; padding: 0 .4rem; }
.middle { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; background: #00000030; }
.zone { margin-top: .3rem; }
.caption { font-size: .85rem; }
.seats { font-size: .9rem; }
.cards { display: flex; flex-wrap: wrap; gap: .35rem; align-items: end; min-height: 1.5rem; }
.facts { display: grid; grid-template-columns: auto 1fr; gap: 0 .6rem; font-size: .85rem; align-content: start; }
.hidden { display: inline-flex; gap: .4rem; align-items: center; }
.back { width: 1.2rem; height: 1.8rem; border: 2px solid #ffffff; border-radius: .2rem; background:
  repeating-linear-gradient(45deg, #8a1c1c 0 3px, #b94a4a 3px 6px); }
.card { position: relative; display: inline-block; width: var(--size); min-height: calc(var(--size) * 1.5);
  padding: 0; border: 2px solid var(--ink); border-radius: .4rem; background: var(--paper); color: var(--ink);
  font: inherit; text-align: center; overflow-wrap: anywhere; }
.card img { display: block; width: 100%; height: auto; border-radius: .3rem; }
.face { display: grid; gap: .2rem; padding: .4rem .1rem; }
.rank { font-size: 1.3rem; font-weight: bold; line-height: 1.1; }
.suit { font-size: .8rem; line-height: 1.1; }
button.card { cursor: pointer; margin-top: .6rem; transition: transform .15s; }
button.card.legal { transform: translateY(-.5rem); border-width: 3px; }
button.card.dim { border-style: dashed; background: #cfcdc4; }
button.card[aria-pressed="true"] { transform: translateY(-.9rem); border-color: var(--accent);
  outline: 3px solid var(--accent); outline-offset: 0; }
button.card.allowed { border-color: var(--accent); box-shadow: 0 0 .6rem .3rem var(--accent); }
button.card.refused { border-color: #b3261e; }
.clause { position: absolute; inset-inline: 0; bottom: 0; padding: .1rem; background: #b3261e; color: #ffffff;
  font-size: .7rem; font-weight: bold; line-height: 1.3; border-radius: 0 0 .3rem .3rem; }
.mark { position: absolute; top: -.6rem; right: -.4rem; width: 1.3rem; height: 1.3rem; line-height: 1.3rem;
  border-radius: 50%; background: var(--accent); color: #1b1b1b; font-weight: bold; }
.moves { display: flex; flex-wrap: wrap; gap: .5rem; }
.moves button, .moves select, .refusal button { min-height: 2.5rem; min-width: 2.5rem; margin: .15rem; padding: .3rem .8rem;
  max-width: 100%; border: 2px solid var(--ink); border-radius: .4rem; background: var(--paper); color: var(--ink);
  font: inherit; cursor: pointer; }
.moves button.quiet { background: transparent; border-color: #ffffff80; color: inherit; font-size: .9rem; }
.moves button.primary { background: var(--accent); color: #1b1b1b; }
fieldset { border: 1px solid #ffffff80; border-radius: .4rem; margin: 0; padding: .2rem .4rem; min-width: 0; }
.refusal { background: var(--paper); color: var(--ink); border: 3px solid #b3261e; border-radius: .5rem; padding: .6rem; }
.refusal a { color: #0b4fa0; display: inline-block; min-height: 1.5rem; }
blockquote { border-left: 3px solid #b3261e; padding-left: .6rem; }
code { overflow-wrap: anywhere; font-size: .85rem; }
.seal ol, .seal ul { padding-left: 2rem; }
.seal li { margin-top: .4rem; }
.proof.holds, .proof.fails { font-weight: bold; }
.proof.fails { background: #b3261e; color: #ffffff; padding: .2rem .5rem; }
summary { min-height: 1.5rem; cursor: pointer; }
.still .log, .still .seal { display: none; }
.log { margin-top: .6rem; }
[role=log] { max-height: 9rem; overflow-y: auto; font-size: .9rem; }
[role=log] ol { list-style: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; box-shadow: 0 0 0 2px #000000; }
.refusal :focus-visible { outline-color: #0b4fa0; }
@container (max-width: 28rem) { .table { --size: min(var(--width), 3.4rem); padding: .4rem; } .seats { --size: 2.4rem; } }
@container (min-width: 48rem) { .table { --size: calc(var(--width) * 1.35); padding: 1rem 1.2rem; } .seats { --size: var(--width); }
  .own .cards, .own .caption { justify-content: center; text-align: center; } }
.zone.many { --size: 2.6rem; }
@media (prefers-reduced-motion: reduce) { button.card { transition: none; } }
@media (forced-colors: active) { button.card.allowed { outline: 4px double; } }
`;
function style() {
  const rules = new CSSStyleSheet();
  rules.replaceSync(RULES);
  return rules;
}

// web/table.ts
import { chooseLanguage, fill as fill4, wordsOf as wordsOf2 } from "./shared.js?3bb71f9c88257ee3";
var LOG_LINES = 200;
var STYLE = style();
var HOME = new URL("./", import.meta.url).href;
var ChitarrellaTable = class extends HTMLElement {
  static observedAttributes = ["match", "key", "seat", "language", "service", "rules"];
  root = this.attachShadow({ mode: "open" });
  heading = make5("h2");
  status = make5("p", { class: "status", role: "status" });
  clock = make5("p", { class: "clock", role: "timer" });
  connection = make5("p", { class: "connection", role: "status" });
  board = make5("div", { class: "board", tabindex: -1 });
  logTitle = make5("h3");
  log = make5("ol");
  logView = make5("div", { role: "log", "aria-live": "polite", tabindex: 0 }, this.log);
  seal = new SealPanel();
  frame = make5("section", { class: "table" });
  secret;
  session;
  stop = new AbortController();
  tick;
  isRestarting = false;
  constructor() {
    super();
    this.root.adoptedStyleSheets = [STYLE];
    const head = make5("header", {}, this.heading, this.status, this.clock, this.connection);
    const log = make5("div", { class: "log" }, this.logTitle, this.logView);
    this.frame.append(head, this.board, log, this.seal.element);
    this.root.append(this.frame);
  }
  get key() {
    return this.secret ?? this.getAttribute("key") ?? "";
  }
  set key(key) {
    this.secret = key;
    this.restart();
  }
  connectedCallback() {
    this.tick = setInterval(() => this.showClock(), 1e3);
    this.restart();
  }
  disconnectedCallback() {
    clearInterval(this.tick);
    this.stop.abort();
  }
  attributeChangedCallback() {
    this.restart();
  }
  /** Cuts the stream of events; the table connects again. */
  cutStream() {
    this.session?.cutStream();
  }
  /** Lets the time of the decision that is waited for run out. */
  runOutClock() {
    void this.session?.runOutClock();
  }
  /** Shows a state. */
  show(state) {
    const { names, words } = state;
    const actions = this.actions();
    this.heading.textContent = names.game.summary.title;
    this.frame.setAttribute("aria-label", `${words.table}: ${names.game.summary.title}`);
    setText(this.status, statusOf(state));
    this.showClock();
    this.board.setAttribute("data-revision", String(state.match.revision));
    replace(
      this.root,
      this.board,
      "button",
      otherSeats(state, actions),
      middle(state, actions),
      refusalPanel(state, actions),
      movesPanel(state, actions),
      ownSeats(state, actions)
    );
    this.seal.show(state);
  }
  /** Shows a state of a match that is not followed. */
  showStill(state) {
    this.frame.classList.add("still");
    this.frame.lang = state.service.language;
    this.show(state);
  }
  /** Adds events to the log, where they are announced. */
  announce(events, names) {
    this.log.append(...events.map((event) => make5("li", {}, names.event(event))));
    while (this.log.children.length > LOG_LINES) {
      this.log.firstChild?.remove();
    }
    this.logView.scrollTop = this.logView.scrollHeight;
  }
  /** Says that a move is on its way. */
  setBusy(busy) {
    this.board.setAttribute("aria-busy", String(busy));
  }
  /** Says how the connection is. */
  report(text) {
    setText(this.connection, text);
  }
  actions() {
    const { session } = this;
    return {
      tap: (card) => void session?.tap(card),
      play: (move) => void session?.play(move),
      clear: () => session?.clear(),
      addSeed: () => void session?.addSeed(),
      takeBack: (decline) => void session?.takeBack(decline)
    };
  }
  /** Begins anew, once for all attributes that change together. */
  restart() {
    if (!this.isConnected || this.isRestarting) {
      return;
    }
    this.isRestarting = true;
    queueMicrotask(() => {
      this.isRestarting = false;
      this.begin();
    });
  }
  begin() {
    this.stop.abort();
    this.board.replaceChildren();
    this.log.replaceChildren();
    this.seal.clear();
    const match = this.getAttribute("match");
    if (!match || !this.isConnected) {
      return;
    }
    const language = chooseLanguage(this.getAttribute("language"), document.documentElement.lang, navigator.language);
    const words = wordsOf2(language);
    this.frame.lang = language;
    this.logTitle.textContent = words.log;
    this.logView.setAttribute("aria-label", words.log);
    this.stop = new AbortController();
    const seat = this.getAttribute("seat");
    const emit = (detail) => void this.dispatchEvent(new CustomEvent("chitarrella-exchange", { detail }));
    const home = this.getAttribute("service") ?? HOME;
    const service = new Service(home, language, this.key, seat === null ? void 0 : Number(seat), emit);
    this.session = new Session(service, match, this, this.stop.signal);
    void this.session.run();
    void this.useRules(this.session, language);
  }
  /** Gives a session the rules of the attribute, if there is one, when they are loaded. */
  async useRules(session, language) {
    const url = this.getAttribute("rules");
    if (url) {
      session.rules = await loadLocalRules(url, language);
      this.dispatchEvent(new CustomEvent("chitarrella-rules", { detail: session.rules !== null }));
    }
  }
  showClock() {
    const { match, words } = this.session?.state ?? {};
    const deadline = match?.deadline;
    const left = deadline ? Math.max(0, Math.ceil((Date.parse(deadline) - Date.now()) / 1e3)) : 0;
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    setText(this.clock, deadline ? `${words?.clock}: ${time}` : "");
  }
};
function statusOf(state) {
  const { match, names, words } = state;
  const { waiting, turn } = match.view;
  if (match.aborted) {
    return words.aborted;
  }
  if (waiting === "WAITING_NOBODY") {
    return words.finished;
  }
  if (waiting !== "WAITING_SEAT" || turn === void 0) {
    return words.chance;
  }
  return state.isMyTurn ? words.yourTurn : fill4(words.waitFor, { who: names.seat(turn) });
}
function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

// web/client.ts
if (!customElements.get("chitarrella-table")) {
  customElements.define("chitarrella-table", ChitarrellaTable);
}
export {
  ChitarrellaTable
};
