/** The page `/ask/`: a trick, a hand and cards that were taken, and what the rules say about them. */

import { answerElements } from "./answers.js";
import type { Answers, Naming } from "./citation.js";
import type { Card, ExplainedMove, Game, TableWords } from "./contract.js";
import { button, copyText, make } from "./dom.js";
import { type Choice, select } from "./form.js";
import { spaced } from "./names.js";
import { OptionFields } from "./option_fields.js";
import { partialPosition, type Question, ROWS, type Row, readQuestion, ruleSetOf, writeQuestion } from "./question.js";
import { Service, ServiceError } from "./service.js";
import { chooseLanguage, fill, wordsOf } from "./words.js";

const HOME = new URL("../", import.meta.url).href;
/** The games that are played in tricks, as the page names them. */
const TRICK_GAMES = document.querySelector<HTMLMetaElement>('meta[name="games"]')?.content.split(" ") ?? [];
/** How a list writes that a part is unknown, and that there is none. */
const UNKNOWN = "?";
const NONE = "";

/** The page. Whatever changes the question is written into the address, and asked. */
class Board {
  private readonly service: Service;
  private readonly words;
  private readonly question: Question;
  private readonly language: string;
  private readonly main = document.querySelector("main") ?? document.body.appendChild(make("main"));
  private readonly settings = make("div", { class: "grid" });
  private readonly options = make("div");
  private readonly board = make("div", { class: "rows" });
  private readonly answers = make("section", { class: "answers", "aria-live": "polite" });
  private readonly fields = new OptionFields();
  private readonly note = make("p", { role: "status" });
  private game: Game | undefined;
  private table: TableWords | undefined;
  private row: Row = "hand";
  /** The list of single cards that may be trumps; shown where an answer depends on it. */
  private trumpCards = make("div");
  private asked = 0;

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
      this.note,
      this.settings,
      this.options,
      this.board,
      this.answers,
      copy,
    );
  }

  async begin(): Promise<void> {
    const all = await this.service.games();
    const games = all.filter((game) => TRICK_GAMES.includes(game.gameId));
    const asked = all.find((game) => game.gameId === this.question.game);
    if (asked && !games.includes(asked)) {
      const book = make("a", { href: this.service.page(`/docs/rules/${asked.gameId}`) }, this.words.rules);
      this.note.replaceChildren(fill(this.words.noTricks, { game: asked.title }), " ", book);
      Object.assign(this.question, readQuestion(new URLSearchParams()));
    }
    this.question.game ||= games[0]?.gameId ?? "";
    const titles = games.map((game) => ({ value: game.gameId, text: game.title }));
    await this.choose(this.question.game, titles);
  }

  /** Chooses a game; the cards of another one are of no use. */
  private async choose(id: string, games: readonly Choice[]): Promise<void> {
    if (id !== this.question.game) {
      Object.assign(this.question, {
        game: id,
        players: 0,
        options: {},
        trump: undefined,
        trumpCard: undefined,
        stock: undefined,
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

  private showSettings(game: Game, games: readonly Choice[]): void {
    const { words, question } = this;
    const { players, gameId } = game.summary;
    const counts = players.map((count) => ({ value: String(count), text: String(count) }));
    const suits = game.suits.map(({ code, name }) => ({ value: code, text: name }));
    const unknown = { value: UNKNOWN, text: words.unknown };
    const trumps = [unknown, { value: NONE, text: words.noTrumps }, ...suits];
    const stocks = [unknown, { value: "0", text: words.stockEmpty }, { value: "1", text: words.stockLeft }];
    const known = (value: string | undefined) => value ?? UNKNOWN;
    const part = (value: string) => (value === UNKNOWN ? undefined : value);
    const cards = game.cards.map(({ code, name }) => ({ value: code, text: name }));
    this.trumpCards = make(
      "div",
      {},
      select(words.trumpCard, [unknown, ...cards], known(question.trumpCard), (value) =>
        this.change({ trumpCard: part(value) }),
      ),
    );
    this.trumpCards.hidden = question.trumpCard === undefined;
    this.settings.replaceChildren(
      select(words.game, games, gameId, (value) => void this.choose(value, games)),
      select(words.players, counts, String(question.players), (value) => this.choosePlayers(Number(value))),
      select(words.trump, trumps, known(question.trump), (value) => this.change({ trump: part(value) })),
      select(
        words.stock,
        stocks,
        known(question.stock === undefined ? undefined : String(Math.min(question.stock, 1))),
        (value) => this.change({ stock: value === UNKNOWN ? undefined : Number(value) }),
      ),
      this.trumpCards,
    );
  }

  /** Chooses a number of players, on which it depends which seats there are. */
  private choosePlayers(players: number): void {
    this.question.players = players;
    if (this.game && this.table) {
      this.showOptions(this.game, this.table);
    }
    this.change({ options: this.fields.chosen });
  }

  /** The options of the game, folded; those that are chosen stand in the address. */
  private showOptions(game: Game, table: TableWords): void {
    const { question, words } = this;
    const change = () => this.change({ options: this.fields.chosen });
    this.fields.show(game.options, table, words, question.players, question.options, change);
    const folded = make("details", { class: "options" }, make("summary", {}, words.options), this.fields.element);
    this.options.replaceChildren(folded);
  }

  private change(change: Partial<Question>): void {
    Object.assign(this.question, change);
    history.replaceState(null, "", `?${writeQuestion(this.question, this.language)}`);
    for (const link of document.querySelectorAll<HTMLAnchorElement>("a[hreflang]")) {
      link.href = `?${writeQuestion(this.question, link.hreflang)}`;
    }
    this.show();
    void this.ask();
  }

  private show(explained: readonly ExplainedMove[] = [], winner = -1): void {
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
        ...cards,
      );
    });
    const pack = game.cards.map((card) => this.packCard(card));
    this.board.replaceChildren(
      ...rows,
      make(
        "div",
        { class: "pack", role: "group", "aria-label": fill(words.tapInto, { row: words[this.row] }) },
        ...pack,
      ),
    );
  }

  /** A card in a row; pressed, it goes back to the pack. */
  private placed(row: Row, code: string, place: number, explained: readonly ExplainedMove[], winner: number) {
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

  private packCard(card: Card): HTMLElement {
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

  private face(code: string): HTMLElement {
    const picture = this.game?.cards.find((card) => card.code === code)?.pictureUrl;
    return picture
      ? make("img", { src: this.service.url(picture), alt: "", draggable: "false" })
      : make("span", {}, code);
  }

  private name(code: string): string {
    return this.game?.cards.find((card) => card.code === code)?.name ?? code;
  }

  /** Asks all that the question has cards for; only the latest answer is shown. */
  private async ask(): Promise<void> {
    const { question, service } = this;
    const { hand, trick, taken } = question.cards;
    const number = ++this.asked;
    const trumps = { trump: question.trump, trumpCard: question.trumpCard };
    try {
      const [explained, resolved, counted] = await Promise.all([
        hand.length ? service.explainHand(partialPosition(question)) : undefined,
        trick.length ? service.resolveTrick({ ruleSet: ruleSetOf(question), cards: trick, ...trumps }) : undefined,
        taken.length
          ? service.scoreCards({ ruleSet: ruleSetOf(question), cards: taken, trump: question.trump })
          : undefined,
      ]);
      if (number !== this.asked) {
        return;
      }
      this.answer({ explained: explained?.moves, resolved, counted: counted?.scores });
    } catch (error) {
      if (number === this.asked) {
        this.answers.replaceChildren(
          make("p", { role: "alert" }, error instanceof ServiceError ? error.message : String(error)),
        );
      }
    }
  }

  /** Shows what the service answers about the hand, the trick and the cards taken. */
  private answer(answers: Answers): void {
    const { explained = [], resolved } = answers;
    this.showTrumpCards([...explained, ...(resolved ? [resolved] : [])]);
    this.show(explained, resolved?.winningIndex);
    this.answers.replaceChildren(...answerElements(this.question, answers, this.naming()));
  }

  private naming(): Naming {
    const { game, table, words, language, service } = this;
    const choice = (word: string) => table?.words[word] ?? spaced(word);
    return {
      game: game?.summary.title ?? "",
      words,
      language,
      options: this.fields.texts,
      card: (code) => this.name(code),
      suit: (code) => game?.suits.find((suit) => suit.code === code)?.name ?? code,
      move: ({ move }) =>
        [...move.cards.map((code) => this.name(code)), move.choice && choice(move.choice)].filter(Boolean).join(", "),
      page: (path) => service.page(path),
    };
  }

  private showTrumpCards(answers: readonly { readonly dependsOn: readonly string[] }[]): void {
    this.trumpCards.hidden &&= !answers.some((one) => one.dependsOn.includes("trump_card"));
  }
}

void new Board().begin();
