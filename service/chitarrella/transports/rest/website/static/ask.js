// Built from clients/typescript/web by npm run web; do not edit.

// web/citation.ts
import { make } from "../shared.js?fce99d945ccb1756";
import { reasonText } from "../shared.js?fce99d945ccb1756";
import { fill, termOf } from "../shared.js?fce99d945ccb1756";
var Citation = class {
  constructor(question, answers, naming) {
    this.question = question;
    this.answers = answers;
    this.naming = naming;
  }
  question;
  answers;
  naming;
  /** The sentences, with links to the clauses; undefined where nothing is answered. */
  element() {
    const sentences = [...this.moves(), ...this.counts()];
    if (!sentences.length) {
      return void 0;
    }
    const parts = sentences.flatMap((sentence) => [" ", ...sentence]);
    return make("p", { class: "citation" }, make("cite", {}, this.beginning()), ...parts);
  }
  /** Who says so, of which game, and what is known of the position. */
  beginning() {
    const { words, game } = this.naming;
    const situation = this.situation();
    return fill(words.according, {
      game,
      players: this.question.players,
      situation: situation.length ? ` (${situation.join("; ")})` : ""
    });
  }
  situation() {
    const { words } = this.naming;
    const { cards, trump, trumpCard, stock } = this.question;
    const known = (name, what) => what && fill(words.known[name], { what });
    const names = (codes) => this.list(codes.map((code) => this.naming.card(code)));
    const parts = [
      ...this.naming.options,
      trump === "" ? words.noTrumps : known("trump", trump && this.naming.suit(trump)),
      known("trumpCard", trumpCard && this.naming.card(trumpCard)),
      known("stock", stock === void 0 ? void 0 : stock ? words.stockLeft : words.stockEmpty),
      known("trick", names(cards.trick)),
      known("hand", names(cards.hand))
    ];
    return parts.filter((part) => Boolean(part));
  }
  /** What may be played, what may not and why, and what depends on more than is known. */
  moves() {
    const { words } = this.naming;
    const moves = this.answers.explained ?? [];
    const legal = moves.filter((one) => !one.refusals.length && !one.dependsOn.length);
    const refused = moves.filter((one) => one.refusals.length && !one.dependsOn.length);
    const open = moves.filter((one) => one.dependsOn.length);
    return [
      ...grouped(legal, () => "").map((group) => [this.about(words.mayPlay, group), "."]),
      ...grouped(refused, reasons).map((group) => [
        this.about(words.mayNotPlay, group),
        ": ",
        ...this.reasons(group[0]?.refusals ?? [])
      ]),
      ...grouped(open, ({ dependsOn }) => dependsOn.join()).map((group) => {
        const parts = group[0]?.dependsOn.map((part) => termOf(words, part)) ?? [];
        return [fill(this.about(words.mayDepend, group), { parts: this.list(parts) }), "."];
      })
    ];
  }
  /** Who takes the trick, and what cards count. */
  counts() {
    const { words } = this.naming;
    const { resolved, counted } = this.answers;
    const { trick, taken } = this.question.cards;
    const winner = resolved?.winningIndex === void 0 ? void 0 : trick[resolved.winningIndex];
    const takes = winner && fill(words.takesTrick, { card: this.naming.card(winner) });
    const line = [takes, resolved && scoreText(resolved.scores, words)].filter(Boolean).join("; ");
    const takenText = counted && `${this.list(taken.map((code) => this.naming.card(code)))}: ${scoreText(counted, words)}`;
    return [line, takenText].flatMap((text) => text ? [[`${capital(text)}.`]] : []);
  }
  /** A sentence about some moves, in the number that they have. */
  about({ one, many }, moves) {
    const cards = this.list(moves.map((move) => this.naming.move(move)));
    return capital((moves.length === 1 ? one : many).replace("{cards}", cards));
  }
  reasons(refusals) {
    const { words, page } = this.naming;
    return refusals.flatMap((refusal, place) => {
      const link = make("a", { href: page(refusal.page) }, fill(words.clause, { key: refusal.clause.key }));
      return [
        place ? " " : "",
        reasonText(refusal, (code) => this.naming.card(code)).replace(/\.$/, ""),
        " (",
        link,
        ")."
      ];
    });
  }
  list(texts) {
    return new Intl.ListFormat(this.naming.language).format([...texts]);
  }
};
function scoreText(scores, words) {
  return scores.map(({ name, value }) => `${termOf(words, name)}: ${value}`).join(", ");
}
function grouped(moves, key) {
  const groups = /* @__PURE__ */ new Map();
  for (const move of moves) {
    groups.set(key(move), [...groups.get(key(move)) ?? [], move]);
  }
  return [...groups.values()];
}
function reasons({ refusals }) {
  return refusals.map(({ clause, message }) => `${clause.key} ${message}`).join();
}
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// web/answers.ts
import { button, copyText, make as make2 } from "../shared.js?fce99d945ccb1756";
import { reasonText as reasonText2 } from "../shared.js?fce99d945ccb1756";
import { fill as fill2, termOf as termOf2 } from "../shared.js?fce99d945ccb1756";
function answerElements(question, answers, naming) {
  const { words } = naming;
  const { explained = [], resolved, counted } = answers;
  const index = resolved?.winningIndex;
  const winner = index === void 0 ? void 0 : question.cards.trick[index];
  const takes = winner && fill2(words.takesTrick, { card: naming.card(winner) });
  const trick = resolved && [takes, scoreText(resolved.scores, words), dependence(resolved.dependsOn, naming)];
  const taken = counted && [`${words.taken}: ${scoreText(counted, words)}`];
  const lines = [trick, taken].filter((line) => line !== void 0);
  const citation = new Citation(question, answers, naming).element();
  return [
    ...citation ? [quotation(citation, naming)] : [],
    ...explained.map((one) => explanation(one, naming)),
    ...lines.map((line) => make2("p", {}, line.filter(Boolean).join(". ")))
  ];
}
function quotation(citation, { words }) {
  const copy = button("copy answer", words.copyAnswer, async () => {
    await copyText(`${citation.textContent}
${location.href}`);
    copy.textContent = words.copied;
  });
  return make2("div", { class: "quotation" }, citation, copy);
}
function explanation(one, naming) {
  const { words } = naming;
  const { refusals, dependsOn } = one;
  const reasons2 = refusals.map((refusal) => {
    const { clause, page } = refusal;
    const link = make2("a", { href: naming.page(page) }, fill2(words.clause, { key: clause.key }));
    const message = reasonText2(refusal, (code) => naming.card(code));
    return make2("blockquote", {}, make2("strong", {}, message), " ", clause.text, " ", link);
  });
  const result = refusals.length ? dependsOn.length ? words.mayBeRefused : words.refused : words.legal;
  const rest = `: ${result}${dependence(dependsOn, naming, ". ")}`;
  return make2("div", {}, make2("p", {}, make2("strong", {}, naming.move(one)), rest), ...reasons2);
}
function dependence(parts, { words }, before = "") {
  const names = parts.map((part) => termOf2(words, part)).join(", ");
  return parts.length ? before + fill2(words.dependsOn, { parts: names }) : "";
}

// web/ask.ts
import { button as button2, copyText as copyText2, make as make3 } from "../shared.js?fce99d945ccb1756";
import { select } from "../shared.js?fce99d945ccb1756";
import { spaced } from "../shared.js?fce99d945ccb1756";
import { OptionFields } from "../shared.js?fce99d945ccb1756";

// web/question.ts
var ROWS = ["hand", "trick", "taken"];
function readQuestion(query) {
  const list = (name) => (query.get(name) ?? "").split(",").filter(Boolean);
  const options = [...query].filter(([name]) => name.startsWith(OPTION));
  const stock = query.get("stock");
  return {
    game: query.get("game") ?? "",
    players: Number(query.get("players") ?? 0),
    options: Object.fromEntries(options.map(([name, value]) => [name.slice(OPTION.length), value])),
    cards: { hand: list("hand"), trick: list("trick"), taken: list("taken") },
    trump: query.get("trump") ?? void 0,
    trumpCard: query.get("trump_card") ?? void 0,
    stock: stock === null || !/^\d+$/.test(stock) ? void 0 : Number(stock)
  };
}
function writeQuestion(question, language) {
  const { game, players, options, cards, trump, trumpCard, stock } = question;
  const parts = [
    ["language", language],
    ["game", game],
    ["players", players ? String(players) : void 0],
    ...Object.entries(options).map(([name, value]) => [OPTION + name, value]),
    ["trump", trump],
    ["trump_card", trumpCard],
    ["stock", stock === void 0 ? void 0 : String(stock)],
    ...ROWS.map((row) => [row, cards[row].join() || void 0])
  ];
  const known = parts.filter((part) => part[1] !== void 0);
  return new URLSearchParams(known).toString().replaceAll("%2C", ",");
}
var OPTION = "option.";
function ruleSetOf({ game, players, options }) {
  return { gameId: game, players, options };
}
function partialPosition(question) {
  const { cards, trump, trumpCard, stock } = question;
  return {
    ruleSet: ruleSetOf(question),
    hands: [{ seat: 0, cards: cards.hand }],
    trick: { cards: cards.trick },
    trump,
    trumpCard,
    stockSize: stock
  };
}

// web/ask.ts
import { Service, ServiceError } from "../shared.js?fce99d945ccb1756";
import { chooseLanguage, fill as fill3, wordsOf } from "../shared.js?fce99d945ccb1756";
var HOME = new URL("../", import.meta.url).href;
var TRICK_GAMES = document.querySelector('meta[name="games"]')?.content.split(" ") ?? [];
var UNKNOWN = "?";
var NONE = "";
var Board = class {
  service;
  words;
  question;
  language;
  main = document.querySelector("main") ?? document.body.appendChild(make3("main"));
  settings = make3("div", { class: "grid" });
  options = make3("div");
  board = make3("div", { class: "rows" });
  answers = make3("section", { class: "answers", "aria-live": "polite" });
  fields = new OptionFields();
  note = make3("p", { role: "status" });
  game;
  table;
  row = "hand";
  /** The list of single cards that may be trumps; shown where an answer depends on it. */
  trumpCards = make3("div");
  asked = 0;
  constructor() {
    const query = new URLSearchParams(location.search);
    this.language = chooseLanguage(query.get("language"), document.documentElement.lang);
    this.words = wordsOf(this.language);
    this.service = new Service(HOME, this.language);
    this.question = readQuestion(query);
    const copy = button2("copy", this.words.copyQuestion, async () => {
      await copyText2(location.href);
      copy.textContent = this.words.copied;
    });
    const head = make3("h1", {}, this.words.askTitle);
    this.main.replaceChildren(
      head,
      make3("p", {}, this.words.askText),
      this.note,
      this.settings,
      this.options,
      this.board,
      this.answers,
      copy
    );
  }
  async begin() {
    const all = await this.service.games();
    const games = all.filter((game) => TRICK_GAMES.includes(game.gameId));
    const asked = all.find((game) => game.gameId === this.question.game);
    if (asked && !games.includes(asked)) {
      const book = make3("a", { href: this.service.page(`/docs/rules/${asked.gameId}`) }, this.words.rules);
      this.note.replaceChildren(fill3(this.words.noTricks, { game: asked.title }), " ", book);
      Object.assign(this.question, readQuestion(new URLSearchParams()));
    }
    this.question.game ||= games[0]?.gameId ?? "";
    const titles = games.map((game) => ({ value: game.gameId, text: game.title }));
    await this.choose(this.question.game, titles);
  }
  /** Chooses a game; the cards of another one are of no use. */
  async choose(id, games) {
    if (id !== this.question.game) {
      Object.assign(this.question, {
        game: id,
        players: 0,
        options: {},
        trump: void 0,
        trumpCard: void 0,
        stock: void 0
      });
      Object.assign(this.question.cards, { hand: [], trick: [], taken: [] });
    }
    const [game, table] = await Promise.all([this.service.game(id), this.service.tableWords(id)]);
    Object.assign(this, { game, table });
    this.question.players ||= game.summary.defaultPlayers;
    this.showSettings(game, games);
    this.showOptions(game, table);
    this.change({});
  }
  showSettings(game, games) {
    const { words, question } = this;
    const { players, gameId } = game.summary;
    const counts = players.map((count) => ({ value: String(count), text: String(count) }));
    const suits = game.suits.map(({ code, name }) => ({ value: code, text: name }));
    const unknown = { value: UNKNOWN, text: words.unknown };
    const trumps = [unknown, { value: NONE, text: words.noTrumps }, ...suits];
    const stocks = [unknown, { value: "0", text: words.stockEmpty }, { value: "1", text: words.stockLeft }];
    const known = (value) => value ?? UNKNOWN;
    const part = (value) => value === UNKNOWN ? void 0 : value;
    const cards = game.cards.map(({ code, name }) => ({ value: code, text: name }));
    this.trumpCards = make3(
      "div",
      {},
      select(
        words.trumpCard,
        [unknown, ...cards],
        known(question.trumpCard),
        (value) => this.change({ trumpCard: part(value) })
      )
    );
    this.trumpCards.hidden = question.trumpCard === void 0;
    this.settings.replaceChildren(
      select(words.game, games, gameId, (value) => void this.choose(value, games)),
      select(words.players, counts, String(question.players), (value) => this.choosePlayers(Number(value))),
      select(words.trump, trumps, known(question.trump), (value) => this.change({ trump: part(value) })),
      select(
        words.stock,
        stocks,
        known(question.stock === void 0 ? void 0 : String(Math.min(question.stock, 1))),
        (value) => this.change({ stock: value === UNKNOWN ? void 0 : Number(value) })
      ),
      this.trumpCards
    );
  }
  /** Chooses a number of players, on which it depends which seats there are. */
  choosePlayers(players) {
    this.question.players = players;
    if (this.game && this.table) {
      this.showOptions(this.game, this.table);
    }
    this.change({ options: this.fields.chosen });
  }
  /** The options of the game, folded; those that are chosen stand in the address. */
  showOptions(game, table) {
    const { question, words } = this;
    const change = () => this.change({ options: this.fields.chosen });
    this.fields.show(game.options, table, words, question.players, question.options, change);
    const folded = make3("details", { class: "options" }, make3("summary", {}, words.options), this.fields.element);
    this.options.replaceChildren(folded);
  }
  change(change) {
    Object.assign(this.question, change);
    history.replaceState(null, "", `?${writeQuestion(this.question, this.language)}`);
    for (const link of document.querySelectorAll("a[hreflang]")) {
      link.href = `?${writeQuestion(this.question, link.hreflang)}`;
    }
    this.show();
    void this.ask();
  }
  show(explained = [], winner = -1) {
    const { game, question, words } = this;
    if (!game) {
      return;
    }
    const rows = ROWS.map((row) => {
      const chosen = this.row === row;
      const pick = button2(`row ${row}`, words[row], () => {
        this.row = row;
        this.show(explained, winner);
      });
      pick.setAttribute("aria-pressed", String(chosen));
      const cards = question.cards[row].map((code, place) => this.placed(row, code, place, explained, winner));
      return make3(
        "div",
        { class: chosen ? "row chosen" : "row", role: "group", "aria-label": words[row] },
        pick,
        ...cards
      );
    });
    const pack = game.cards.map((card) => this.packCard(card));
    this.board.replaceChildren(
      ...rows,
      make3(
        "div",
        { class: "pack", role: "group", "aria-label": fill3(words.tapInto, { row: words[this.row] }) },
        ...pack
      )
    );
  }
  /** A card in a row; pressed, it goes back to the pack. */
  placed(row, code, place, explained, winner) {
    const { words } = this;
    const moves = row === "hand" ? explained.filter(({ move }) => move.cards.includes(code)) : [];
    const legal = moves.some((one) => !one.refusals.length);
    const refused = moves.length > 0 && !legal;
    const takes = row === "trick" && place === winner;
    const notes = [legal && words.legal, refused && words.refused, takes && words.takes].filter(Boolean);
    const kind = ["card", legal && "legal", refused && "dim", takes && "legal"].filter(Boolean).join(" ");
    const label = [this.name(code), ...notes, words.putBack].join(", ");
    const element = make3("button", { type: "button", class: kind, "aria-label": label }, this.face(code));
    element.addEventListener("click", () => {
      this.question.cards[row].splice(place, 1);
      this.change({});
    });
    return element;
  }
  packCard(card) {
    const used = ROWS.flatMap((row) => this.question.cards[row]).filter((code) => code === card.code).length;
    const left = Math.max(0, (card.copies || 1) - used);
    const label = card.copies > 1 ? `${card.name}, ${left}` : card.name;
    const attributes = { type: "button", class: left ? "card" : "card dim", disabled: !left, "aria-label": label };
    const element = make3("button", attributes, this.face(card.code));
    element.addEventListener("click", () => {
      this.question.cards[this.row].push(card.code);
      this.change({});
    });
    return element;
  }
  face(code) {
    const picture = this.game?.cards.find((card) => card.code === code)?.pictureUrl;
    return picture ? make3("img", { src: this.service.url(picture), alt: "", draggable: "false" }) : make3("span", {}, code);
  }
  name(code) {
    return this.game?.cards.find((card) => card.code === code)?.name ?? code;
  }
  /** Asks all that the question has cards for; only the latest answer is shown. */
  async ask() {
    const { question, service } = this;
    const { hand, trick, taken } = question.cards;
    const number = ++this.asked;
    const trumps = { trump: question.trump, trumpCard: question.trumpCard };
    try {
      const [explained, resolved, counted] = await Promise.all([
        hand.length ? service.explainHand(partialPosition(question)) : void 0,
        trick.length ? service.resolveTrick({ ruleSet: ruleSetOf(question), cards: trick, ...trumps }) : void 0,
        taken.length ? service.scoreCards({ ruleSet: ruleSetOf(question), cards: taken, trump: question.trump }) : void 0
      ]);
      if (number !== this.asked) {
        return;
      }
      this.answer({ explained: explained?.moves, resolved, counted: counted?.scores });
    } catch (error) {
      if (number === this.asked) {
        this.answers.replaceChildren(
          make3("p", { role: "alert" }, error instanceof ServiceError ? error.message : String(error))
        );
      }
    }
  }
  /** Shows what the service answers about the hand, the trick and the cards taken. */
  answer(answers) {
    const { explained = [], resolved } = answers;
    this.showTrumpCards([...explained, ...resolved ? [resolved] : []]);
    this.show(explained, resolved?.winningIndex);
    this.answers.replaceChildren(...answerElements(this.question, answers, this.naming()));
  }
  naming() {
    const { game, table, words, language, service } = this;
    const choice = (word) => table?.words[word] ?? spaced(word);
    return {
      game: game?.summary.title ?? "",
      words,
      language,
      options: this.fields.texts,
      card: (code) => this.name(code),
      suit: (code) => game?.suits.find((suit) => suit.code === code)?.name ?? code,
      move: ({ move }) => [...move.cards.map((code) => this.name(code)), move.choice && choice(move.choice)].filter(Boolean).join(", "),
      page: (path) => service.page(path)
    };
  }
  showTrumpCards(answers) {
    this.trumpCards.hidden &&= !answers.some((one) => one.dependsOn.includes("trump_card"));
  }
};
void new Board().begin();
