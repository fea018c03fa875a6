// Built from clients/typescript/web by npm run web; do not edit.

// web/play.ts
import { button as button3, copyText as copyText2, make as make4 } from "../shared.js?fce99d945ccb1756";
import { FRIEND, MatchForm, ME } from "../shared.js?fce99d945ccb1756";

// web/reed_solomon.ts
var FIELD_POLYNOMIAL = 285;
var ORDER = 255;
var POWERS = powersOfTwo();
var EXPONENTS = new Map(POWERS.map((power2, exponent) => [power2, exponent]));
function powersOfTwo() {
  const powers = [1];
  while (powers.length < ORDER) {
    const doubled = 2 * (powers.at(-1) ?? 0);
    powers.push(doubled > ORDER ? doubled ^ FIELD_POLYNOMIAL : doubled);
  }
  return powers;
}
function power(exponent) {
  return POWERS[exponent % ORDER] ?? 0;
}
function product(one, other) {
  const [first, second] = [EXPONENTS.get(one), EXPONENTS.get(other)];
  return first === void 0 || second === void 0 ? 0 : power(first + second);
}
function generatorPolynomial(degree) {
  let polynomial = [1];
  for (let exponent = 0; exponent < degree; exponent++) {
    const lower = [0, ...polynomial].map((coefficient) => product(coefficient, power(exponent)));
    polynomial = lower.map((coefficient, index) => coefficient ^ (polynomial[index] ?? 0));
  }
  return polynomial;
}
function errorCorrection(data, count) {
  const [, ...divisor] = generatorPolynomial(count);
  let remainder = divisor.map(() => 0);
  for (const codeword of data) {
    const [highest = 0, ...rest] = remainder;
    remainder = divisor.map((coefficient, index) => (rest[index] ?? 0) ^ product(coefficient, codeword ^ highest));
  }
  return remainder;
}

// web/qr_codewords.ts
var ROWS = [
  [26, 10, 1],
  [44, 16, 1, 6, 18],
  [70, 26, 1, 6, 22],
  [100, 18, 2, 6, 26],
  [134, 24, 2, 6, 30],
  [172, 16, 4, 6, 34],
  [196, 18, 4, 6, 22, 38],
  [242, 22, 4, 6, 24, 42],
  [292, 22, 5, 6, 26, 46],
  [346, 26, 5, 6, 28, 50],
  [404, 30, 5, 6, 30, 54],
  [466, 22, 8, 6, 32, 58],
  [532, 22, 9, 6, 34, 62],
  [581, 24, 9, 6, 26, 46, 66],
  [655, 24, 10, 6, 26, 48, 70],
  [733, 28, 10, 6, 26, 50, 74],
  [815, 28, 11, 6, 30, 54, 78],
  [901, 26, 13, 6, 30, 56, 82],
  [991, 26, 14, 6, 30, 58, 86],
  [1085, 26, 16, 6, 34, 62, 90]
];
var VERSIONS = ROWS.map(([codewords, correction, blocks2, ...centres], index) => {
  return { number: index + 1, codewords, correction, blocks: blocks2, centres };
});
var BYTE_MODE = 4;
var TERMINATOR = 0;
var LAST_SHORT_COUNT = 9;
var PADDING = [236, 17];
function versionFor(bytes) {
  const version = VERSIONS.find((one) => bytes <= capacity(one));
  if (!version) {
    throw new RangeError(`${bytes} bytes are too many for a QR code of version ${VERSIONS.length}`);
  }
  return version;
}
function bitsOf(bytes, version) {
  const codewords = interleave(dataCodewords(bytes, version), version);
  return codewords.flatMap((codeword) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (codeword >> bit & 1) === 1));
}
function dataLength({ codewords, correction, blocks: blocks2 }) {
  return codewords - correction * blocks2;
}
function countLength({ number }) {
  return number > LAST_SHORT_COUNT ? 2 : 1;
}
function capacity(version) {
  return dataLength(version) - countLength(version) - 1;
}
function dataCodewords(bytes, version) {
  const count = [bytes.length >> 8, bytes.length & 255].slice(-countLength(version));
  const halves = [...count, ...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
  const groups = [BYTE_MODE, ...halves, TERMINATOR];
  const used = groups.length / 2;
  return Array.from({ length: dataLength(version) }, (_, index) => {
    const [high = 0, low = 0] = groups.slice(2 * index, 2 * index + 2);
    return index < used ? high << 4 | low : PADDING[(index - used) % 2] ?? 0;
  });
}
function interleave(data, { correction, blocks: blocks2 }) {
  const shorter = Math.floor(data.length / blocks2);
  const firstLonger = blocks2 - data.length % blocks2;
  const parts = Array.from({ length: blocks2 }, (_, block) => {
    const start2 = block * shorter + Math.max(0, block - firstLonger);
    return data.slice(start2, start2 + shorter + (block >= firstLonger ? 1 : 0));
  });
  return [...inTurn(parts), ...inTurn(parts.map((part) => errorCorrection(part, correction)))];
}
function inTurn(parts) {
  const longest = Math.max(...parts.map((part) => part.length));
  return Array.from({ length: longest }, (_, index) => parts.flatMap((part) => part.slice(index, index + 1))).flat();
}

// web/qr_mask.ts
var MASKS = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => row * column % 2 + row * column % 3 === 0,
  (row, column) => (row * column % 2 + row * column % 3) % 2 === 0,
  (row, column) => ((row + column) % 2 + row * column % 3) % 2 === 0
];
var RUN = 3;
var BLOCK = 3;
var FINDER = 40;
var BALANCE = 10;
var SHORTEST_RUN = 5;
var BALANCE_STEP = 5;
var FINDER_LIKE = /1011101(?=0000)|00001011101/g;
var QUIET = "0000";
function penalty(matrix) {
  const columns = matrix.map((_, column) => matrix.map((row) => row[column] ?? false));
  const lines = [...matrix, ...columns].map((line) => line.map(Number).join(""));
  return sum(lines.map(linePenalty)) + BLOCK * blocks(matrix) + BALANCE * imbalance(matrix);
}
function linePenalty(line) {
  const runs = (line.match(/0+|1+/g) ?? []).map((run) => run.length - SHORTEST_RUN).filter((excess) => excess >= 0);
  const alike = `${QUIET}${line}${QUIET}`.match(FINDER_LIKE) ?? [];
  return sum(runs.map((excess) => RUN + excess)) + FINDER * alike.length;
}
function blocks(matrix) {
  const pairs = matrix.slice(1).map((row, index) => {
    const above = matrix[index] ?? [];
    return row.filter((dark, column) => {
      const others = [row[column + 1], above[column], above[column + 1]];
      return others.every((other) => other === dark);
    });
  });
  return sum(pairs.map((found) => found.length));
}
function imbalance(matrix) {
  const modules = matrix.flat();
  const percent = 100 * modules.filter(Boolean).length / modules.length;
  return Math.floor(Math.abs(percent - 50) / BALANCE_STEP);
}
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

// web/qr_patterns.ts
var TIMING = 6;
var FORMAT = 8;
var LEVEL_M = 0;
var FORMAT_DIVISOR = 1335;
var FORMAT_MASK = 21522;
var FIRST_NUMBERED = 7;
var VERSION_DIVISOR = 7973;
var FINDER2 = [9, 7, 5, 3];
var ALIGNMENT = [5, 3, 1];
function functionPatterns({ number, centres }) {
  const size = 4 * number + 17;
  const drawing = Array.from({ length: size }, () => new Array(size).fill(void 0));
  for (let index = 0; index < size; index++) {
    draw(drawing, [TIMING, index], index % 2 === 0);
    draw(drawing, [index, TIMING], index % 2 === 0);
  }
  const [near, far] = [3, size - 4];
  for (const centre of [
    [near, near],
    [near, far],
    [far, near]
  ]) {
    drawSquares(drawing, centre, FINDER2);
  }
  for (const centre of alignmentCentres(centres)) {
    drawSquares(drawing, centre, ALIGNMENT);
  }
  drawFormat(drawing, 0);
  drawVersion(drawing, number, 0);
  draw(drawing, alwaysDark(drawing), false);
  return drawing;
}
function placeBits(drawing, bits) {
  const rows = drawing.map((modules) => modules.map((dark) => dark ?? false));
  for (const [index, place] of codewordPlaces(drawing).entries()) {
    draw(rows, place, bits[index] ?? false);
  }
  return rows;
}
function drawMaskNumber(rows, mask) {
  drawFormat(rows, withCheckBits(LEVEL_M << 3 | mask, FORMAT_DIVISOR) ^ FORMAT_MASK);
  draw(rows, alwaysDark(rows), true);
}
function drawVersionNumber(rows, number) {
  drawVersion(rows, number, withCheckBits(number, VERSION_DIVISOR));
}
function codewordPlaces(drawing) {
  const ascending = [...drawing.keys()];
  const descending = [...ascending].reverse();
  const columns = descending.filter((column) => column !== TIMING);
  const places = columns.flatMap((right, index) => {
    const left = columns[index + 1];
    if (index % 2 === 1 || left === void 0) {
      return [];
    }
    const rows = index % 4 === 0 ? descending : ascending;
    return rows.flatMap((row) => [
      [row, right],
      [row, left]
    ]);
  });
  return places.filter(([row, column]) => drawing[row]?.[column] === void 0);
}
function alwaysDark(drawing) {
  return [drawing.length - FORMAT, FORMAT];
}
function alignmentCentres(centres) {
  const last = centres.at(-1);
  const corners = [`${TIMING},${TIMING}`, `${TIMING},${last}`, `${last},${TIMING}`];
  const all = centres.flatMap((row) => centres.map((column) => [row, column]));
  return all.filter((place) => !corners.includes(place.join()));
}
function drawFormat(drawing, bits) {
  const end = drawing.length - 1;
  const beside = [0, 1, 2, 3, 4, 5, 7, 8];
  for (let bit = 0; bit < 15; bit++) {
    const dark = isSet(bits, bit);
    const rest = 14 - bit;
    draw(drawing, bit < 8 ? [beside[bit] ?? 0, FORMAT] : [FORMAT, beside[rest] ?? 0], dark);
    draw(drawing, bit < 8 ? [FORMAT, end - bit] : [end - rest, FORMAT], dark);
  }
}
function drawVersion(drawing, number, bits) {
  if (number < FIRST_NUMBERED) {
    return;
  }
  for (let bit = 0; bit < 18; bit++) {
    const [along, across] = [Math.floor(bit / 3), drawing.length - 11 + bit % 3];
    draw(drawing, [across, along], isSet(bits, bit));
    draw(drawing, [along, across], isSet(bits, bit));
  }
}
function withCheckBits(value, divisor) {
  const shifted = value << bitLength(divisor) - 1;
  let remainder = shifted;
  while (bitLength(remainder) >= bitLength(divisor)) {
    remainder ^= divisor << bitLength(remainder) - bitLength(divisor);
  }
  return shifted | remainder;
}
function bitLength(value) {
  return 32 - Math.clz32(value);
}
function isSet(bits, bit) {
  return (bits >> bit & 1) === 1;
}
function drawSquares(drawing, [row, column], sides) {
  for (const [index, side] of sides.entries()) {
    const [top, left] = [row - (side - 1) / 2, column - (side - 1) / 2];
    for (let module = 0; module < side * side; module++) {
      draw(drawing, [top + Math.floor(module / side), left + module % side], (sides.length - index) % 2 === 1);
    }
  }
}
function draw(drawing, [row, column], dark) {
  const modules = drawing[row];
  if (modules && column in modules) {
    modules[column] = dark;
  }
}

// web/qr.ts
var QUIET_ZONE = 4;
var SVG = "http://www.w3.org/2000/svg";
function qrMatrix(text) {
  const { version, symbols } = maskedSymbols(text);
  const penalties = symbols.map(penalty);
  const mask = penalties.indexOf(Math.min(...penalties));
  const rows = symbols[mask] ?? [];
  drawMaskNumber(rows, mask);
  drawVersionNumber(rows, version);
  return rows;
}
function maskedSymbols(text) {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  const drawing = functionPatterns(version);
  const unmasked = placeBits(drawing, bitsOf(bytes, version));
  const symbols = MASKS.map(
    (isInverted) => unmasked.map(
      (modules, row) => modules.map((dark, column) => dark !== (drawing[row]?.[column] === void 0 && isInverted(row, column)))
    )
  );
  return { version: version.number, symbols };
}
function qrPicture(text, label) {
  const matrix = qrMatrix(text);
  const side = matrix.length + 2 * QUIET_ZONE;
  const picture = makeSvg("svg", {
    viewBox: `0 0 ${side} ${side}`,
    role: "img",
    "aria-label": label,
    "shape-rendering": "crispEdges"
  });
  picture.append(
    makeSvg("path", { fill: "#fff", d: `M0 0h${side}v${side}h-${side}z` }),
    makeSvg("path", { fill: "#000", d: matrix.map(rectangles).join("") })
  );
  return picture;
}
function rectangles(modules, row) {
  const runs = [...modules.map(Number).join("").matchAll(/1+/g)];
  return runs.map(({ index, 0: { length } }) => `M${QUIET_ZONE + index} ${QUIET_ZONE + row}h${length}v1h-${length}z`).join("");
}
function makeSvg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  return element;
}

// web/requests.ts
import { button, copyText, make } from "../shared.js?fce99d945ccb1756";

// web/exchanges.ts
var PROGRAM_LANGUAGES = ["curl", "Python", "TypeScript", "Go"];
function programFor(exchange, language2) {
  switch (language2) {
    case "curl":
      return curl(exchange);
    case "Python":
      return python(exchange);
    case "TypeScript":
      return typescript(exchange);
    case "Go":
      return go(exchange);
  }
}
function withoutKey(program) {
  return program.replace(/(Bearer )[^'"]+/g, "$1KEY");
}
function curl({ method, url, headers, body }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const names = Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`);
  const parts = [`curl -sN -X ${method} ${quoted(url)}`, ...names, ...body ? [`  -d ${quoted(body)}`] : []];
  return parts.join(" \\\n");
}
var literal = (text) => JSON.stringify(text);
function python({ method, url, headers, body }) {
  const data = body ? `
    data=${literal(body)}.encode(),` : "";
  return `from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    ${literal(url)},
    method=${literal(method)},
    headers=${JSON.stringify(headers)},${data}
)
try:
    answer = urlopen(request)
except HTTPError as error:
    answer = error
print(answer.status)
for line in answer:
    print(line.decode(), end="")`;
}
function typescript({ method, url, headers, body }) {
  const content = body ? `
  body: ${literal(body)},` : "";
  return `const answer = await fetch(${literal(url)}, {
  method: ${literal(method)},
  headers: ${JSON.stringify(headers)},${content}
});
console.log(answer.status);
for await (const part of answer.body) {
  process.stdout.write(part);
}`;
}
function go({ method, url, headers, body }) {
  const names = Object.entries(headers).map(
    ([name, value]) => `	request.Header.Set(${literal(name)}, ${literal(value)})`
  );
  return `package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	request, err := http.NewRequest(${literal(method)}, ${literal(url)}, strings.NewReader(${literal(body ?? "")}))
	if err != nil {
		log.Fatal(err)
	}
${names.join("\n")}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	log.Print(answer.Status)
	io.Copy(os.Stdout, answer.Body)
}`;
}

// web/requests.ts
import { randomId, Service } from "../shared.js?fce99d945ccb1756";
import { fill } from "../shared.js?fce99d945ccb1756";
var KEPT = 30;
var RequestsPanel = class {
  /** `cut` cuts the stream of events, `runOutClock` lets the clock run out. */
  constructor(words2, cut, runOutClock) {
    this.words = words2;
    const choices = PROGRAM_LANGUAGES.map((name) => make("option", { value: name }, name));
    const languages = make("select", {}, ...choices);
    languages.addEventListener("change", () => {
      this.language = languages.value;
      for (const details of this.list.querySelectorAll("details[open]")) {
        details.dispatchEvent(new Event("toggle"));
      }
    });
    this.element = make(
      "details",
      { class: "panel" },
      make("summary", {}, words2.requests),
      make("p", {}, words2.requestsText),
      make("label", {}, make("span", {}, words2.programLanguage), languages),
      make("p", {}, button("cut", words2.cutStream, cut), button("clock", words2.runOutClock, runOutClock)),
      this.list
    );
  }
  words;
  element;
  list = make("ol", { class: "requests", reversed: true });
  language = "curl";
  /** Adds every request of a table. */
  listenTo(table) {
    table.addEventListener("chitarrella-exchange", (event) => this.add(event.detail));
  }
  /** The same service; its requests are added. */
  recorded({ base, language: language2, key }) {
    return new Service(base, language2, key, void 0, (exchange) => this.add(exchange));
  }
  /** Adds a request, the latest at the top. */
  add(exchange) {
    this.list.prepend(this.row(exchange));
    while (this.list.children.length > KEPT) {
      this.list.lastChild?.remove();
    }
  }
  row(exchange) {
    const { method, url, status } = exchange;
    const { pathname, search } = new URL(url);
    const details = make("details", {}, make("summary", {}, `${method} ${pathname}${search} · ${status || "–"}`));
    details.addEventListener("toggle", () => {
      if (details.open) {
        details.replaceChildren(details.firstChild, ...this.content(exchange));
      }
    });
    return make("li", {}, details);
  }
  content(exchange) {
    const program = programFor(exchange, this.language);
    const copy = button("copy", this.words.copyProgram, async () => {
      await copyText(program);
      copy.textContent = this.words.copied;
    });
    const again = button("again", this.words.sendAgain, () => this.send(exchange));
    const stale = staleOf(exchange);
    return [
      make("pre", { tabindex: 0 }, withoutKey(program)),
      make("p", {}, copy, again, stale && button("stale", this.words.sendStale, () => this.send(stale))),
      make("p", {}, fill(this.words.answer, { status: exchange.status || "–" })),
      make("pre", { tabindex: 0 }, pretty(exchange.answer))
    ];
  }
  /** Sends a request as it stands; the answer is a new row. */
  async send({ method, url, headers, body }) {
    const request = { method, headers, ...body ? { body } : {} };
    const sent = await fetch(url, { ...request, credentials: "omit", referrerPolicy: "no-referrer" }).catch(
      () => void 0
    );
    this.add({
      method,
      url,
      headers,
      ...body ? { body } : {},
      status: sent?.status ?? 0,
      answer: await sent?.text() ?? ""
    });
    this.list.querySelector("details")?.setAttribute("open", "");
  }
};
function staleOf(exchange) {
  const body = exchange.body ? JSON.parse(exchange.body) : {};
  if (typeof body.expectedRevision !== "number" || body.expectedRevision < 1) {
    return void 0;
  }
  const stale = { ...body, expectedRevision: body.expectedRevision - 1, requestId: randomId() };
  return { ...exchange, body: JSON.stringify(stale) };
}
function pretty(answer) {
  try {
    return JSON.stringify(JSON.parse(answer), void 0, 2);
  } catch {
    return answer;
  }
}

// web/play.ts
import { Service as Service2 } from "../shared.js?fce99d945ccb1756";

// web/views.ts
import { make as make3 } from "../shared.js?fce99d945ccb1756";

// web/history.ts
import { button as button2, make as make2 } from "../shared.js?fce99d945ccb1756";

// web/history_entries.ts
var ACTIONS = [
  ...["contributed", "shuffle_requested", "time_over", "bot_seated", "bot_left", "clock_advanced", "moves_lost"],
  ...["takeback_requested", "takeback_agreed", "takeback_declined", "taken_back"]
];
function historyOf(updates) {
  let made = [];
  const found = updates.map((update, place) => {
    const [event] = update.events;
    if (event?.kind === "taken_back") {
      const before = updates.findLastIndex((one) => one.revision <= (event.amount ?? 0));
      made = made.filter((one) => one <= before);
    } else if (!ACTIONS.includes(event?.kind ?? "")) {
      made = [...made, place];
    }
    return { ...update, moves: made.length, last: made.at(-1) };
  });
  return found.map(({ last, moves, ...update }) => {
    return { ...update, moves, isInRecord: last === void 0 || made[moves - 1] === last };
  });
}

// web/history.ts
import { Names } from "../shared.js?fce99d945ccb1756";
import { readRecord } from "../shared.js?fce99d945ccb1756";
import { Replay } from "../shared.js?fce99d945ccb1756";
import { State } from "../shared.js?fce99d945ccb1756";
import { fill as fill2 } from "../shared.js?fce99d945ccb1756";
var COPY_SECONDS = 86400;
var PAUSE_MS = 500;
var STEPS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };
var PUBLIC = -1;
var REFEREE = -2;
var HistoryPanel = class {
  /** `show` is called with whether the tables of an earlier revision are to be seen. */
  constructor(service, id, words2, tables, showStill, open) {
    this.service = service;
    this.id = id;
    this.words = words2;
    this.tables = tables;
    this.showStill = showStill;
    this.back = button2("present", words2.present, () => this.toPresent(), { hidden: true });
    const copy = button2("copy", words2.openCopy, async () => {
      const { matchId, refereeKey } = await service.importMatch(this.record, this.moves, COPY_SECONDS);
      open(matchId, refereeKey);
    });
    this.slider.addEventListener("input", () => void this.choose(this.entryAfter(Number(this.slider.value))));
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    const text = make2("p", {}, words2.historyText);
    const label = make2("label", {}, make2("span", {}, words2.afterMoves, " ", this.count), this.slider);
    const last = button2("read", words2.readMoves, () => void this.toLast());
    this.element = make2("section", { class: "panel", "aria-label": words2.history });
    this.element.append(make2("h2", {}, words2.history), text, this.list, label, copy, last, this.back, this.caption);
  }
  service;
  id;
  words;
  tables;
  showStill;
  element;
  list = make2("ol", { class: "history", start: 0 });
  slider = make2("input", { type: "range", min: 0, max: 0, value: 0 });
  count = make2("output");
  caption = make2("p", { role: "status" });
  back;
  entries = [];
  chosen = 0;
  record = "";
  game;
  match;
  /** The replay of the record, once a revision of it has been chosen. */
  replay;
  pending;
  /** Adds what has happened up to a revision, while the present is shown. */
  follow(revision) {
    const known = this.entries.at(-1)?.revision ?? 0;
    if (this.back.hidden && revision > known && this.pending === void 0) {
      this.pending = setTimeout(() => {
        this.pending = void 0;
        if (this.back.hidden) {
          this.read().catch(() => void 0);
        }
      }, PAUSE_MS);
    }
  }
  /** Reads the record and the events of the match, and stands at the last one. */
  async read() {
    const [record, updates, match] = await Promise.all([
      this.service.record(this.id),
      this.service.events(this.id, ""),
      this.service.match(this.id)
    ]);
    const { gameId, edition } = match.ruleSet;
    this.game ??= await Promise.all([this.service.game(gameId, edition), this.service.tableWords(gameId)]);
    Object.assign(this, { record, match, replay: void 0 });
    const beginning = { revision: 0, cursor: "", events: [], moves: 0, isInRecord: true };
    this.entries = [beginning, ...historyOf(updates)];
    this.slider.max = String(readRecord(record).moves.length);
    const names = new Names(...this.game, match, this.words);
    this.list.replaceChildren(...this.entries.map((entry, place) => this.row(entry, place, names)));
    this.mark(this.entries.length - 1);
  }
  get moves() {
    return this.entries[this.chosen]?.moves ?? 0;
  }
  row(entry, place, names) {
    const sentences = entry.events.map((event) => names.event(event)).join(" ");
    const note = entry.isInRecord ? "" : ` (${this.words.takenBackLater})`;
    const choose = () => void this.choose(place);
    const attributes = { disabled: !entry.isInRecord, tabindex: -1 };
    return make2("li", {}, button2("", (sentences || this.words.beginning) + note, choose, attributes));
  }
  /** The last event after which so many moves had been made. */
  entryAfter(moves) {
    return this.entries.findLastIndex((entry) => entry.moves === moves && entry.isInRecord);
  }
  onKey(event) {
    const step = STEPS[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? this.entries.length - 1 : void 0;
    if (step === void 0 && to === void 0) {
      return;
    }
    event.preventDefault();
    let place = to ?? this.chosen + (step ?? 0);
    while (step && this.entries[place]?.isInRecord === false) {
      place += step;
    }
    if (this.entries[place]) {
      void this.choose(place, true);
    }
  }
  /** Chooses an event, and shows every view after it. */
  async choose(place, hasFocus = false) {
    this.mark(place);
    if (hasFocus) {
      this.buttons()[place]?.focus();
    }
    try {
      await this.showViews(place);
    } catch (error) {
      this.caption.textContent = error instanceof Error ? error.message : String(error);
    }
  }
  async showViews(place) {
    const { game, match, moves } = this;
    if (!game || !match) {
      return;
    }
    this.replay ??= Replay.of(this.service, readRecord(this.record)).catch((error) => {
      this.replay = void 0;
      throw error;
    });
    const replay = await this.replay;
    const viewers = this.tables.map(({ viewer }) => viewerOf(viewer));
    const views = await replay.views(moves, viewers);
    if (this.chosen !== place) {
      return;
    }
    const revision = this.entries[place]?.revision ?? 0;
    for (const [index, { table }] of this.tables.entries()) {
      table.showStill(this.stateOf(match, views[index] ?? match.view, revision, game));
    }
    this.caption.textContent = fill2(this.words.atRevision, { revision });
    this.back.hidden = false;
    this.showStill(true);
  }
  stateOf(match, view, revision, game) {
    const { deadline: _, takebackRequest: __, seat: ___, ...lasting } = match;
    const past = { ...lasting, view, revision, aborted: false, bankMs: [], awaitingSeedsFrom: [], nextCommitment: "" };
    return new State(past, { moves: [], revision }, new Names(...game, past, this.words), this.service);
  }
  mark(place) {
    const buttons = this.buttons();
    for (const [index, one] of buttons.entries()) {
      one.tabIndex = index === place ? 0 : -1;
      one.setAttribute("aria-current", String(index === place));
    }
    this.chosen = place;
    buttons[place]?.scrollIntoView({ block: "nearest" });
    this.slider.value = String(this.moves);
    this.count.textContent = String(this.moves);
  }
  buttons() {
    return [...this.list.querySelectorAll("button")];
  }
  async toLast() {
    await this.read();
    this.toPresent();
  }
  toPresent() {
    this.mark(this.entries.length - 1);
    this.caption.textContent = "";
    this.back.hidden = true;
    this.showStill(false);
  }
};
function viewerOf(viewer) {
  return viewer === REFEREE ? { referee: true } : viewer === PUBLIC ? {} : { seat: viewer };
}

// web/views.ts
import { fill as fill3 } from "../shared.js?fce99d945ccb1756";
function tableOf(service, match, seat, isPublic = false) {
  const table = document.createElement("chitarrella-table");
  table.setAttribute("match", match);
  table.setAttribute("language", service.language);
  if (seat !== void 0) {
    table.setAttribute("seat", String(seat));
  }
  table.key = isPublic ? "" : service.key;
  return table;
}
async function allViews(service, id, words2, open) {
  const { view } = await service.match(id);
  const seats = view.scores.map((_, seat) => tableOf(service, id, seat));
  const tables = [tableOf(service, id, void 0, true), ...seats, tableOf(service, id)];
  const seatNames = view.scores.map((_, seat) => fill3(words2.seat, { seat }));
  const captions = [words2.publicView, ...seatNames, words2.refereeView].map((who) => fill3(words2.viewOf, { who }));
  const cut = () => {
    for (const table of tables) {
      table.cutStream();
    }
  };
  const requests = new RequestsPanel(words2, cut, () => tables.at(-1)?.runOutClock());
  for (const table of tables) {
    requests.listenTo(table);
  }
  const viewers = [PUBLIC, ...seats.keys(), REFEREE];
  const stills = viewers.map((viewer) => ({ viewer, table: emptyTable() }));
  const live = sideBySide(tables, captions);
  const still = sideBySide(
    stills.map(({ table }) => table),
    captions
  );
  still.hidden = true;
  const show = (isStill) => {
    live.hidden = isStill;
    still.hidden = !isStill;
  };
  const history2 = new HistoryPanel(requests.recorded(service), id, words2, stills, show, open);
  await history2.read();
  tables.at(-1)?.addEventListener("chitarrella-exchange", (event) => {
    const { url, answer, status } = event.detail;
    if (status === 200 && new URL(url).pathname.endsWith(`/v1/matches/${id}`)) {
      history2.follow(JSON.parse(answer).revision);
    }
  });
  return [make3("p", {}, words2.allViewsText), history2.element, live, still, requests.element];
}
function emptyTable() {
  return document.createElement("chitarrella-table");
}
function sideBySide(tables, captions) {
  const sections = tables.map((table, place) => {
    const caption = captions[place] ?? "";
    return make3("section", { "aria-label": caption }, make3("h2", {}, caption), table);
  });
  return make3("div", { class: "views" }, ...sections);
}

// web/play.ts
import { chooseLanguage, fill as fill4, wordsOf } from "../shared.js?fce99d945ccb1756";
var HOME = new URL("../", import.meta.url).href;
var query = new URLSearchParams(location.search);
var language = chooseLanguage(query.get("language"), document.documentElement.lang);
var words = wordsOf(language);
var main = document.querySelector("main") ?? document.body.appendChild(make4("main"));
var problem = make4("p", { role: "alert", class: "problem" });
function linkTo(match, key = "", referee = "") {
  const fragment = new URLSearchParams({ match, ...key && { key }, ...referee && { referee } });
  return `${location.origin}${location.pathname}?language=${language}#${fragment}`;
}
function showAddress() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const match = fragment.get("match");
  showLanguages();
  const referee = fragment.get("referee");
  document.body.classList.toggle("wide", Boolean(match && referee));
  if (match && referee) {
    void showViews(match, referee);
  } else if (match) {
    showTable(match, fragment.get("key") ?? "");
  } else {
    void showForm();
  }
}
function showLanguages() {
  for (const link of document.querySelectorAll("a[hreflang]")) {
    const search = new URLSearchParams(query);
    search.set("language", link.hreflang);
    link.href = `?${search}${location.hash}`;
  }
}
function showTable(match, key, ...above) {
  const table = tableOf(new Service2(HOME, language, key), match);
  const requests = new RequestsPanel(
    words,
    () => table.cutStream(),
    () => table.runOutClock()
  );
  requests.listenTo(table);
  const again = make4("a", { href: `?language=${language}` }, words.newMatch);
  main.replaceChildren(...above, problem, table, requests.element, make4("p", {}, again));
}
async function showViews(match, referee) {
  const open = (copy, key) => {
    history.pushState(null, "", linkTo(copy, "", key));
    showAddress();
  };
  main.replaceChildren(make4("h1", {}, words.allViews), problem);
  await reported(async () => {
    main.append(...await allViews(new Service2(HOME, language, referee), match, words, open));
  });
}
async function showForm() {
  const service = new Service2(HOME, language);
  await reported(async () => {
    const form = new MatchForm(await service.games(), service, words, (match) => reported(() => start(service, match)));
    main.replaceChildren(make4("h1", {}, words.title), problem, form.element);
    await form.choose(query.get("game") ?? "");
  });
}
async function start(service, { ruleSet, players, clock, shared }) {
  const created = await service.createMatch(ruleSet, {
    ...clock && { clock },
    ...shared && { packSource: "PACK_SOURCE_SHARED" }
  });
  const referee = new Service2(HOME, language, created.refereeKey);
  for (const [person, { seat }] of created.seatKeys.entries()) {
    const bot = players[person];
    if (bot && bot !== ME && bot !== FRIEND) {
      await referee.assignBot(created.matchId, seat, bot);
    }
  }
  const key = created.seatKeys[players.indexOf(ME)]?.key ?? "";
  history.pushState(null, "", linkTo(created.matchId, key));
  showLanguages();
  showTable(created.matchId, key, invitations(created, players));
}
function invitations({ matchId, seatKeys, refereeKey }, players) {
  const mine = players.indexOf(ME);
  const guests = seatKeys.filter((_, person) => person !== mine && [ME, FRIEND].includes(players[person] ?? ""));
  const links = guests.map(({ seat, key }) => invitation(fill4(words.seat, { seat }), linkTo(matchId, key)));
  const views = invitation(words.allViews, linkTo(matchId, "", refereeKey));
  const list = make4("ul", {}, ...links, invitation(words.watch, linkTo(matchId)), views);
  const attributes = guests.length ? { open: true } : {};
  return make4("details", attributes, make4("summary", {}, words.invite), make4("p", {}, words.inviteText), list);
}
function invitation(text, link) {
  const copy = button3("", words.copy, async () => {
    await copyText2(link);
    copy.textContent = words.copied;
  });
  copy.setAttribute("aria-label", `${words.copy}: ${text}`);
  const code = make4("details", { class: "code" }, make4("summary", {}, words.qrCode));
  code.append(qrPicture(link, `${words.qrCode}: ${text}`));
  return make4("li", {}, make4("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, text), " ", copy, code);
}
async function reported(action) {
  problem.textContent = "";
  try {
    await action();
  } catch (error) {
    problem.textContent = error instanceof Error ? error.message : String(error);
    if (!problem.isConnected) {
      main.prepend(problem);
    }
  }
}
addEventListener("popstate", showAddress);
showAddress();
