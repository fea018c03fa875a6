/** The answer to a question of the page `/ask/` as sentences to be cited: "According to Chitarrella, ...". */

import type { ExplainedMove, Refusal, Scores, TrickResult } from "./contract.js";
import { make } from "./dom.js";
import { reasonText } from "./names.js";
import type { Question } from "./question.js";
import { fill, termOf, type Words } from "./words.js";

/** What the service answers: about the moves of the hand, the trick, and the cards taken. */
export interface Answers {
  readonly explained?: readonly ExplainedMove[] | undefined;
  readonly resolved?: TrickResult | undefined;
  readonly counted?: Scores | undefined;
}

/** What the names in the sentences depend on. */
export interface Naming {
  readonly game: string;
  readonly words: Words;
  readonly language: string;
  /** The options that are not the usual ones, each with its value. */
  readonly options: readonly string[];
  card(code: string): string;
  suit(code: string): string;
  /** The cards and the choice of a move. */
  move(one: ExplainedMove): string;
  /** The address of a clause in the rule book. */
  page(path: string): string;
}

/** Writes the sentences of one answer. */
export class Citation {
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
    const legal = moves.filter((one) => !one.refusals.length && !one.dependsOn.length);
    const refused = moves.filter((one) => one.refusals.length && !one.dependsOn.length);
    const open = moves.filter((one) => one.dependsOn.length);
    return [
      ...grouped(legal, () => "").map((group) => [this.about(words.mayPlay, group), "."]),
      ...grouped(refused, reasons).map((group) => [
        this.about(words.mayNotPlay, group),
        ": ",
        ...this.reasons(group[0]?.refusals ?? []),
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
    const takes = winner && fill(words.takesTrick, { card: this.naming.card(winner) });
    const line = [takes, resolved && scoreText(resolved.scores, words)].filter(Boolean).join("; ");
    const takenText =
      counted && `${this.list(taken.map((code) => this.naming.card(code)))}: ${scoreText(counted, words)}`;
    return [line, takenText].flatMap((text) => (text ? [[`${capital(text)}.`]] : []));
  }

  /** A sentence about some moves, in the number that they have. */
  private about({ one, many }: { one: string; many: string }, moves: readonly ExplainedMove[]): string {
    const cards = this.list(moves.map((move) => this.naming.move(move)));
    return capital((moves.length === 1 ? one : many).replace("{cards}", cards));
  }

  private reasons(refusals: readonly Refusal[]): (string | Node)[] {
    const { words, page } = this.naming;
    return refusals.flatMap((refusal, place) => {
      const link = make("a", { href: page(refusal.page) }, fill(words.clause, { key: refusal.clause.key }));
      return [
        place ? " " : "",
        reasonText(refusal, (code) => this.naming.card(code)).replace(/\.$/, ""),
        " (",
        link,
        ").",
      ];
    });
  }

  private list(texts: readonly string[]): string {
    return new Intl.ListFormat(this.naming.language).format([...texts]);
  }
}

/** What cards count, by name. */
export function scoreText(scores: Scores, words: Words): string {
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

function reasons({ refusals }: ExplainedMove): string {
  return refusals.map(({ clause, message }) => `${clause.key} ${message}`).join();
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
