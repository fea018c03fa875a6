// Built from clients/typescript/web by npm run web; do not edit.

// web/ask.ts
import { button, copyText, make } from "../shared.js?8103d79127dd4b70";
import { control, optionRow, select } from "../shared.js?8103d79127dd4b70";
import { spaced } from "../shared.js?8103d79127dd4b70";

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
import { Service, ServiceError } from "../shared.js?8103d79127dd4b70";
import { chooseLanguage, fill, termOf, wordsOf } from "../shared.js?8103d79127dd4b70";
var HOME = new URL("../", import.meta.url).href;
var UNKNOWN = "?";
var NONE = "";
var Board = class {
  service;
  words;
  question;
  language;
  main = document.querySelector("main") ?? document.body.appendChild(make("main"));
  settings = make("div", { class: "grid" });
  options = make("div");
  table = make("div", { class: "rows" });
  answers = make("section", { class: "answers", "aria-live": "polite" });
  game;
  row = "hand";
  /** The list of single cards that may be trumps; shown where an answer depends on it. */
  trumpCards = make("div");
  asked = 0;
  constructor() {
    const query = new URLSearchParams(location.search);
    this.language = chooseLanguage(query.get("language"), document.documentElement.lang);
    this.words = wordsOf(this.language);
    this.service = new Service(HOME, this.language);
    this.question = readQuestion(query);
    const copy = button("copy", this.words.copyQuestion, async () => {
      await copyText(location.href);
      copy.textContent = this.words.copied;
    });
    const head = make("h1", {}, this.words.askTitle);
    this.main.replaceChildren(
      head,
      make("p", {}, this.words.askText),
      this.settings,
      this.options,
      this.table,
      this.answers,
      copy
    );
  }
  async begin() {
    const games = await this.service.games();
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
    const game = await this.service.game(id);
    this.game = game;
    this.question.players ||= game.summary.defaultPlayers;
    this.showSettings(game, games);
    this.change({});
  }
  showSettings(game, games) {
    const { words, question } = this;
    const { players, gameId } = game.summary;
    const counts2 = players.map((count) => ({ value: String(count), text: String(count) }));
    const suits = game.suits.map(({ code, name }) => ({ value: code, text: name }));
    const unknown = { value: UNKNOWN, text: words.unknown };
    const trumps = [unknown, { value: NONE, text: words.noTrumps }, ...suits];
    const stocks = [unknown, { value: "0", text: words.stockEmpty }, { value: "1", text: words.stockLeft }];
    const known = (value) => value ?? UNKNOWN;
    const part = (value) => value === UNKNOWN ? void 0 : value;
    const cards = game.cards.map(({ code, name }) => ({ value: code, text: name }));
    this.trumpCards = make(
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
      select(words.players, counts2, String(question.players), (value) => this.change({ players: Number(value) })),
      select(words.trump, trumps, known(question.trump), (value) => this.change({ trump: part(value) })),
      select(
        words.stock,
        stocks,
        known(question.stock === void 0 ? void 0 : String(Math.min(question.stock, 1))),
        (value) => this.change({ stock: value === UNKNOWN ? void 0 : Number(value) })
      ),
      this.trumpCards
    );
    this.options.replaceChildren(this.optionList(game));
  }
  /** The options of the game, folded; those that are chosen stand in the address. */
  optionList(game) {
    const { question, words } = this;
    const rows = game.options.map((option) => {
      const input = control(option, words);
      input.value = question.options[option.name] ?? option.default;
      input.addEventListener("change", () => {
        const { [option.name]: _, ...others } = question.options;
        const isDefault = input.value === "" || input.value === option.default;
        this.change({ options: isDefault ? others : { ...others, [option.name]: input.value } });
      });
      return optionRow(option, input);
    });
    return make("details", { class: "options" }, make("summary", {}, words.options), ...rows);
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
      const pick = button(`row ${row}`, words[row], () => {
        this.row = row;
        this.show(explained, winner);
      });
      pick.setAttribute("aria-pressed", String(chosen));
      const cards = question.cards[row].map((code, place) => this.placed(row, code, place, explained, winner));
      return make(
        "div",
        { class: chosen ? "row chosen" : "row", role: "group", "aria-label": words[row] },
        pick,
        ...cards
      );
    });
    const pack = game.cards.map((card) => this.packCard(card));
    this.table.replaceChildren(
      ...rows,
      make(
        "div",
        { class: "pack", role: "group", "aria-label": fill(words.tapInto, { row: words[this.row] }) },
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
    const element = make("button", { type: "button", class: kind, "aria-label": label }, this.face(code));
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
    const element = make("button", attributes, this.face(card.code));
    element.addEventListener("click", () => {
      this.question.cards[this.row].push(card.code);
      this.change({});
    });
    return element;
  }
  face(code) {
    const picture = this.game?.cards.find((card) => card.code === code)?.pictureUrl;
    return picture ? make("img", { src: this.service.url(picture), alt: "", draggable: "false" }) : make("span", {}, code);
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
      this.answer(explained, resolved, counted);
    } catch (error) {
      if (number === this.asked) {
        this.answers.replaceChildren(
          make("p", { role: "alert" }, error instanceof ServiceError ? error.message : String(error))
        );
      }
    }
  }
  /** Shows what the service answers about the hand, the trick and the cards taken. */
  answer(explained, resolved, counted) {
    const { question, words } = this;
    const { trick } = question.cards;
    const index = resolved?.winningIndex;
    this.showTrumpCards([...explained?.moves ?? [], ...resolved ? [resolved] : []]);
    this.show(explained?.moves, index);
    const takes = index === void 0 ? "" : fill(words.takesTrick, { card: this.name(trick[index] ?? "") });
    this.answers.replaceChildren(
      ...(explained?.moves ?? []).map((one) => this.explanation(one)),
      this.line(resolved && [takes, counts(resolved.scores, words), this.dependence(resolved.dependsOn)]),
      this.line(counted && [`${words.taken}: ${counts(counted.scores, words)}`])
    );
  }
  showTrumpCards(answers) {
    this.trumpCards.hidden &&= !answers.some((one) => one.dependsOn.includes("trump_card"));
  }
  explanation({ move, refusals, dependsOn }) {
    const { words } = this;
    const cards = move.cards.map((code) => this.name(code)).join(", ");
    const what = [cards, move.choice && spaced(move.choice)].filter(Boolean).join(", ");
    const reasons = refusals.map(({ clause, message, page }) => {
      const link = make("a", { href: this.service.page(page) }, fill(words.clause, { key: clause.key }));
      return make("blockquote", {}, make("strong", {}, message), " ", clause.text, " ", link);
    });
    const result = refusals.length ? dependsOn.length ? words.mayBeRefused : words.refused : words.legal;
    return make(
      "div",
      {},
      make("p", {}, make("strong", {}, what), `: ${result}${this.dependence(dependsOn, ". ")}`),
      ...reasons
    );
  }
  dependence(parts = [], before = "") {
    return parts.length ? before + fill(this.words.dependsOn, { parts: parts.map((part) => termOf(this.words, part)).join(", ") }) : "";
  }
  line(parts) {
    return make("p", {}, (parts ?? []).filter(Boolean).join(". "));
  }
};
function counts(scores, words) {
  return scores.map(({ name, value }) => `${termOf(words, name)}: ${value}`).join(", ");
}
void new Board().begin();
