/** The page of questions: tricks, hands and cards taken, their answers, and how they are cited. */

import { button, copyText, mainOf, make } from "./dom.js";
import { type Choice, inPageOrder, OptionFields, select } from "./form.js";
import { capital, label, reasonText, spaced } from "./names.js";
import {
  type Card,
  type CardScores,
  type ExplainedMove,
  type Game,
  type Refusal,
  Service,
  ServiceError,
  type TableWords,
  type TrickResult,
} from "./service.js";
import { chooseLanguage, fill, termOf, type Words, wordsOf } from "./words.js";

/** The parts of a question that are rows of cards. */
const ROWS = ["hand", "trick", "taken"] as const;

type Row = (typeof ROWS)[number];

/** What is known of a position; an absent part is unknown. Cards are written as in the pack of the game. */
interface Question {
  game: string;
  players: number;
  options: Record<string, string>;
  readonly cards: Record<Row, string[]>;
  /** The trump suit; empty for no trumps. */
  trump?: string | undefined;
  /** The trump card of a game where the trump is a single card; empty for none. */
  trumpCard?: string | undefined;
  /** How many cards are left to draw. */
  stock?: number | undefined;
}

/** Reads a question from the query of an address; what is missing is unknown. */
function readQuestion(query: URLSearchParams): Question {
  const list = (name: Row) => (query.get(name) ?? "").split(",").filter(Boolean);
  const options = [...query].filter(([name]) => name.startsWith(OPTION));
  const stock = query.get("stock");
  return {
    game: query.get("game") ?? "",
    players: Number(query.get("players") ?? 0),
    options: Object.fromEntries(options.map(([name, value]) => [name.slice(OPTION.length), value])),
    cards: { hand: list("hand"), trick: list("trick"), taken: list("taken") },
    trump: query.get("trump") ?? undefined,
    trumpCard: query.get("trump_card") ?? undefined,
    stock: stock === null || !/^\d+$/.test(stock) ? undefined : Number(stock),
  };
}

/** The query of an address that asks a question. */
function writeQuestion(question: Question, language: string): string {
  const { game, players, options, cards, trump, trumpCard, stock } = question;
  const parts: [string, string | undefined][] = [
    ["language", language],
    ["game", game],
    ["players", players ? String(players) : undefined],
    ...Object.entries(options).map(([name, value]): [string, string] => [OPTION + name, value]),
    ["trump", trump],
    ["trump_card", trumpCard],
    ["stock", stock === undefined ? undefined : String(stock)],
    ...ROWS.map((row): [string, string | undefined] => [row, cards[row].join() || undefined]),
  ];
  const known = parts.filter((part): part is [string, string] => part[1] !== undefined);
  return new URLSearchParams(known).toString().replaceAll("%2C", ",");
}

const OPTION = "option.";

/** The rule set of a question, as the service takes it. */
function ruleSetOf({ game, players, options }: Question): object {
  return { gameId: game, players, options };
}

/** The question as a partial position, with the hand at seat 0. */
export function partialPosition(question: Question): object {
  const { cards, trump, trumpCard, stock } = question;
  return {
    ruleSet: ruleSetOf(question),
    hands: [{ seat: 0, cards: cards.hand }],
    trick: { cards: cards.trick },
    trump,
    trumpCard,
    stockSize: stock,
  };
}

function answerElements(question: Question, answers: Answers, naming: Naming): HTMLElement[] {
  const { words } = naming;
  const { explained = [], resolved, counted } = answers;
  const index = resolved?.winningIndex;
  const winner = index === undefined ? undefined : question.cards.trick[index];
  const takes = winner && fill(naming.isWhole ? words.takesTrick : words.leadsTrick, { card: naming.card(winner) });
  const trick = resolved && [takes, scoreText(resolved, words), dependence(resolved.dependsOn, naming)];
  const taken = counted && [`${words.taken}: ${scoreText(counted, words)}${dependence(counted.dependsOn, naming)}`];
  const lines = [trick, taken].filter((line) => line !== undefined);
  const citation = new Citation(question, answers, naming).element();
  return [
    ...grouped(explained, (one) => `${one.verdict} ${one.dependsOn} ${reasons(one)}`).map((group) =>
      explanation(group, naming),
    ),
    ...lines.map((line) => make("p", {}, capital(line.filter(Boolean).join("; ")))),
    ...(citation ? [quotation(citation, naming)] : []),
  ];
}

/** The sentences with a button that copies them, with the address of the question. */
function quotation(citation: HTMLElement, { words }: Naming): HTMLElement {
  const copy = button("copy answer", words.copyAnswer, async () => {
    await copyText(`${citation.textContent}\n${location.href}`);
    copy.textContent = words.copied;
  });
  return make("div", { class: "quotation" }, citation, copy);
}

/** What is said of moves with one verdict for the same reasons. */
function explanation(group: readonly ExplainedMove[], naming: Naming): HTMLElement {
  const { words } = naming;
  const [one] = group as [ExplainedMove];
  const { verdict, dependsOn } = one;
  const moves = group.map((each) => naming.move(each)).join(", ");
  const reasons = brokenClauses(one).map((refusal) => {
    const { clause } = refusal;
    const message = reasonText(refusal, (code) => naming.card(code));
    return make("blockquote", {}, make("strong", {}, message), " ", clause.text, " ", clauseLink(refusal, naming));
  });
  const certain = verdict === "VERDICT_ACCEPTED" ? words.legal : verdict === "VERDICT_REFUSED" && words.refused;
  const rest = `: ${certain || words.mayBeRefused + dependence(dependsOn, naming, ". ")}`;
  return make("div", {}, make("p", {}, make("strong", {}, moves), rest), ...reasons);
}

function clauseLink({ clause, pagePath }: Refusal, { words, page }: Naming): HTMLElement {
  return make("a", { href: page(pagePath) }, fill(words.clause, { key: clause.key }));
}

function dependence(parts: readonly string[], { words }: Naming, before = ""): string {
  const names = parts.map((part) => termOf(words, part)).join(", ");
  return parts.length ? before + fill(words.dependsOn, { parts: names }) : "";
}

/** What the service answers: about the moves of the hand, the trick, and the cards taken. */
export interface Answers {
  readonly explained?: readonly ExplainedMove[] | undefined;
  readonly resolved?: TrickResult | undefined;
  readonly counted?: CardScores | undefined;
}

/** What the names in the sentences depend on. */
interface Naming {
  readonly game: string;
  readonly words: Words;
  readonly language: string;
  /** The options that are not the usual ones, each with its value. */
  readonly options: readonly string[];
  /** Every seat has played to the trick. */
  readonly isWhole: boolean;
  card(code: string): string;
  suit(code: string): string;
  /** The cards and the choice of a move. */
  move(one: ExplainedMove): string;
  /** The address of a clause in the rule book. */
  page(path: string): string;
}

class Citation {
  constructor(
    private readonly question: Question,
    private readonly answers: Answers,
    private readonly naming: Naming,
  ) {}

  /** The sentences, with links to the clauses; undefined where nothing is answered. */
  element(): HTMLElement | undefined {
    const sentences = [...this.moves(), ...this.counts()];
    if (!sentences.length) {
      return undefined;
    }
    const parts = sentences.flatMap((sentence) => [" ", ...sentence]);
    return make("p", { class: "citation" }, make("cite", {}, this.beginning()), ...parts);
  }

  /** Who says so, of which game, and what is known of the position. */
  private beginning(): string {
    const { words, game } = this.naming;
    const situation = this.situation();
    return fill(words.according, {
      game,
      players: this.question.players,
      situation: situation.length ? ` (${situation.join("; ")})` : "",
    });
  }

  private situation(): string[] {
    const { words } = this.naming;
    const { cards, trump, trumpCard, stock } = this.question;
    const known = (name: keyof Words["known"], what: string | undefined) => what && fill(words.known[name], { what });
    const names = (codes: readonly string[]) => this.list(codes.map((code) => this.naming.card(code)));
    const parts = [
      ...this.naming.options,
      trump === "" ? words.noTrumps : known("trump", trump && this.naming.suit(trump)),
      known("trumpCard", trumpCard && this.naming.card(trumpCard)),
      known("stock", stock === undefined ? undefined : stock ? words.stockLeft : words.stockEmpty),
      known("trick", names(cards.trick)),
      known("hand", names(cards.hand)),
    ];
    return parts.filter((part): part is string => Boolean(part));
  }

  /** What may be played, what may not and why, and what depends on more than is known. */
  private moves(): (string | Node)[][] {
    const { words } = this.naming;
    const moves = this.answers.explained ?? [];
    const legal = moves.filter((one) => one.verdict === "VERDICT_ACCEPTED");
    const refused = moves.filter((one) => one.verdict === "VERDICT_REFUSED");
    const open = moves.filter((one) => one.verdict === "VERDICT_UNDECIDED");
    return [
      ...grouped(legal, () => "").map((group) => [this.about(words.mayPlay, group), "."]),
      ...grouped(refused, reasons).map((group) => [
        this.about(words.mayNotPlay, group),
        ": ",
        ...this.reasons(group[0] ? brokenClauses(group[0]) : []),
      ]),
      ...grouped(open, ({ dependsOn }) => dependsOn.join()).map((group) => {
        const parts = group[0]?.dependsOn.map((part) => termOf(words, part)) ?? [];
        return [fill(this.about(words.mayDepend, group), { parts: this.list(parts) }), "."];
      }),
    ];
  }

  /** Who takes the trick, and what cards count. */
  private counts(): (string | Node)[][] {
    const { words } = this.naming;
    const { resolved, counted } = this.answers;
    const { trick, taken } = this.question.cards;
    const winner = resolved?.winningIndex === undefined ? undefined : trick[resolved.winningIndex];
    const sentence = this.naming.isWhole ? words.takesTrick : words.leadsTrick;
    const takes = winner && fill(sentence, { card: this.naming.card(winner) });
    const line = [takes, resolved && scoreText(resolved, words)].filter(Boolean).join("; ");
    const takenText =
      counted?.scores.length &&
      `${this.list(taken.map((code) => this.naming.card(code)))}: ${scoreText(counted, words)}`;
    return [line, takenText].flatMap((text) => (text ? [[`${capital(text)}.`]] : []));
  }

  /** A sentence about some moves, in the number that they have. */
  private about({ one, many }: { one: string; many: string }, moves: readonly ExplainedMove[]): string {
    const cards = this.list(moves.map((move) => this.naming.move(move)));
    return capital((moves.length === 1 ? one : many).replace("{cards}", cards));
  }

  private reasons(refusals: readonly Refusal[]): (string | Node)[] {
    return refusals.flatMap((refusal, place) => [
      place ? " " : "",
      label(reasonText(refusal, (code) => this.naming.card(code))),
      " (",
      clauseLink(refusal, this.naming),
      ").",
    ]);
  }

  private list(texts: readonly string[]): string {
    return new Intl.ListFormat(this.naming.language).format([...texts]);
  }
}

/** What cards count, by name. */
function scoreText({ scores }: CardScores, words: Words): string {
  return scores.map(({ name, value }) => `${termOf(words, name)}: ${value}`).join(", ");
}

/** Lists that have the same key, in the order of their first members; none of no members. */
function grouped(moves: readonly ExplainedMove[], key: (one: ExplainedMove) => string): ExplainedMove[][] {
  const groups = new Map<string, ExplainedMove[]>();
  for (const move of moves) {
    groups.set(key(move), [...(groups.get(key(move)) ?? []), move]);
  }
  return [...groups.values()];
}

function reasons(one: ExplainedMove): string {
  return brokenClauses(one)
    .map(({ clause, message }) => `${clause.key} ${message}`)
    .join();
}

/** Why a move is refused for certain; if no single clause is certain, or the answer is not, every clause it may break. */
function brokenClauses({ verdict, refusals }: ExplainedMove): readonly Refusal[] {
  const certain = refusals.filter(({ undecided }) => verdict === "VERDICT_REFUSED" && !undecided);
  return certain.length ? certain : refusals;
}

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
  private readonly main = mainOf();
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
      make("div", { class: "asking" }, this.board, this.answers),
      copy,
    );
  }

  async begin(): Promise<void> {
    const all = inPageOrder(await this.service.games());
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
    if (id !== this.question.game) {
      return; // another one was chosen meanwhile
    }
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
    const suits = [...new Set(game.cards.map(({ suit }) => suit))];
    const pack = suits.map((suit) => {
      const cards = game.cards.filter((card) => card.suit === suit);
      return make("div", { class: "suit" }, ...cards.map((card) => this.packCard(card)));
    });
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
    const legal = moves.some((one) => one.verdict === "VERDICT_ACCEPTED");
    const refused = moves.length > 0 && moves.every((one) => one.verdict === "VERDICT_REFUSED");
    const takes = row === "trick" && place === winner;
    const notes = [
      legal && words.legal,
      refused && words.refused,
      takes && (this.isWhole ? words.takes : words.leads),
    ].filter(Boolean);
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
    const picture = this.game?.cards.find((card) => card.code === code)?.picturePath;
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
      this.answer({ explained: explained?.moves, resolved, counted });
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
    const { explained = [], resolved, counted } = answers;
    this.showTrumpCards([...explained, ...[resolved, counted].filter((one) => one !== undefined)]);
    this.show(explained, resolved?.winningIndex);
    this.answers.replaceChildren(...answerElements(this.question, answers, this.naming()));
  }

  /** Whether every seat, those of dummies too, has played to the trick. */
  private get isWhole(): boolean {
    const { cards, players } = this.question;
    const sides = this.game?.partnerships.find((one) => one.players === players)?.sides ?? [];
    return cards.trick.length >= (sides.flatMap(({ seats }) => seats).length || players);
  }

  private naming(): Naming {
    const { game, table, words, language, service } = this;
    const choice = (word: string) => table?.words[word] ?? spaced(word);
    return {
      game: game?.summary.title ?? "",
      words,
      language,
      options: this.fields.texts,
      isWhole: this.isWhole,
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
