/** A question about a trick, as it stands in the address of the page `/ask/`. */

/** The parts of a question that are rows of cards. */
export const ROWS = ["hand", "trick", "taken"] as const;

export type Row = (typeof ROWS)[number];

/** What is known of a position; an absent part is unknown. Cards are written as in the pack of the game. */
export interface Question {
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
export function readQuestion(query: URLSearchParams): Question {
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
export function writeQuestion(question: Question, language: string): string {
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
export function ruleSetOf({ game, players, options }: Question): object {
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
