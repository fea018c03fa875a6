/** Converts messages to plain values, in which required fields are present and no number is a bigint, and arguments to messages. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { moveKind, partialPositionKind, ruleSetKind } from "./arguments.js";
import type * as books from "./gen/chitarrella/v1/catalogue_pb.js";
import type * as matches from "./gen/chitarrella/v1/matches_pb.js";
import { PackSource as PackSourceNumber } from "./gen/chitarrella/v1/matches_pb.js";
import type * as rules from "./gen/chitarrella/v1/rules_pb.js";
import type { PartialPositionSchema, PartialTrickSchema, PositionSchema } from "./gen/chitarrella/v1/rules_pb.js";
import type * as pb from "./gen/chitarrella/v1/table_pb.js";
import { type MoveSchema, type RuleSetSchema, Verdict, Waiting } from "./gen/chitarrella/v1/table_pb.js";
import type * as responses from "./responses.js";
import type { Position } from "./responses.js";
import type * as games from "./types.js";
import type * as table from "./types.js";
import type { Move, RuleSet, Share } from "./types.js";

const VERDICT: Readonly<Record<Verdict, table.Verdict>> = {
  [Verdict.UNSPECIFIED]: "unspecified",
  [Verdict.ACCEPTED]: "accepted",
  [Verdict.REFUSED]: "refused",
  [Verdict.UNDECIDED]: "undecided",
};

const WAITING: Readonly<Record<Waiting, table.Waiting>> = {
  [Waiting.UNSPECIFIED]: "unspecified",
  [Waiting.SEAT]: "seat",
  [Waiting.CHANCE]: "chance",
  [Waiting.NOBODY]: "nobody",
};

/** Converts a rule set. */
export function ruleSet(message?: pb.RuleSet): table.RuleSet {
  const { gameId = "", players = 0, options = {}, edition = 0 } = message ?? {};
  return { gameId, players, options, edition };
}

function share(message: pb.Share): table.Share {
  return { person: message.person, amount: Number(message.amount) };
}

/** Converts a move. */
export function move(message?: pb.Move): table.Move {
  const { verb = "", cards = [], choice = "", amount, seat, shares = [] } = message ?? {};
  return { verb, cards, choice, amount, seat, shares: shares.map(share) };
}

/** Converts an event. */
export function event(message: pb.Event): table.Event {
  const { kind, seat, cards, hidden, word, amount, other, shares } = message;
  return { kind, seat, cards, hidden, word, amount, other, shares: shares.map(share) };
}

function value({ value: message }: pb.Fact): table.Value | undefined {
  switch (message.case) {
    case "shares":
      return message.value.shares.map(share);
    case "money":
      return Number(message.value);
    default:
      return message.value;
  }
}

/** Converts a view. */
export function view(message?: pb.View): table.View {
  return {
    phase: message?.phase ?? "",
    waiting: WAITING[message?.waiting ?? Waiting.UNSPECIFIED] ?? "unspecified",
    turn: message?.turn,
    zones: (message?.zones ?? []).map(({ name, seat, cards, size, leader }) => ({ name, seat, cards, size, leader })),
    facts: (message?.facts ?? []).map((fact) => ({ name: fact.name, seat: fact.seat, value: value(fact) })),
    scores: message?.scores ?? [],
    outcome: message?.outcome && { winners: message.outcome.winners },
  };
}

/** Converts a refusal. */
export function refusal(message: pb.Refusal): table.Refusal {
  const { code, message: explanation, allowedCards, offendingCards, word, amount, penalty, page, undecided } = message;
  const { key = "", text = "", source = "" } = message.clause ?? {};
  const clause = { key, text, source };
  return { code, clause, message: explanation, allowedCards, offendingCards, word, amount, penalty, page, undecided };
}

/** Converts an explained move. */
export function explained(message: pb.ExplainedMove): table.ExplainedMove {
  return { move: move(message.move), ...moveValidation(message) };
}

/** Converts a position. */
export function position(message?: rules.Position): responses.Position {
  return { ruleSet: ruleSet(message?.ruleSet), text: message?.text ?? "" };
}

function chanceRequest(message?: rules.ChanceRequest): responses.ChanceRequest | undefined {
  return message && { verb: message.verb, cards: message.cards, amounts: message.amounts };
}

/** Converts the beginning of a game. */
export function gameStart(message: rules.StartGameResponse): responses.GameStart {
  return {
    position: position(message.position),
    chanceRequest: chanceRequest(message.chanceRequest),
    view: view(message.view),
  };
}

/** Converts the legal moves in a position. */
export function legalMoves(message: rules.ListLegalMovesResponse): responses.LegalMoves {
  return {
    moves: message.moves.map(move),
    seat: message.seat,
    chanceRequest: chanceRequest(message.chanceRequest),
    undecided: message.undecided.map(explained),
    dependsOn: message.dependsOn,
  };
}

/** Converts an explained hand. */
export function explainedHand(message: rules.ExplainHandResponse): responses.ExplainedHand {
  return { moves: message.moves.map(explained), seat: message.seat, dependsOn: message.dependsOn };
}

/** Converts the result of validating a move. */
export function moveValidation(message: rules.ValidateMoveResponse | pb.ExplainedMove): responses.MoveValidation {
  const { verdict, refusals, dependsOn } = message;
  return { verdict: VERDICT[verdict] ?? "unspecified", refusals: refusals.map(refusal), dependsOn };
}

/** Converts the result of moves in a position. */
export function appliedMoves(message: rules.ApplyMovesResponse): responses.AppliedMoves {
  return {
    position: position(message.position),
    applied: message.applied,
    refusals: message.refusals.map(refusal),
    penalties: message.penalties.map(({ index, refusals }) => ({ index, refusals: refusals.map(refusal) })),
    events: message.events.map(event),
    view: view(message.view),
    chanceRequest: chanceRequest(message.chanceRequest),
    points: message.points,
    legalMoves: message.legalMoves.map(move),
  };
}

/** Converts what cards count. */
export function cardScores(message: rules.ScoreCardsResponse | rules.ResolveTrickResponse): responses.CardScores {
  const { scores, dependsOn } = message;
  return { scores: scores.map(({ name, value: score }) => ({ name, value: score })), dependsOn };
}

/** Converts the card that takes a trick. */
export function trickResult(message: rules.ResolveTrickResponse): responses.TrickResult {
  const { winningIndex, winningCard } = message;
  return { winningIndex, winningCard, ...cardScores(message) };
}

/** Converts the state of a match. */
export function matchState(message: matches.GetMatchResponse): responses.MatchState {
  const { matchId, revision, seat, aborted, cursor, nextCommitment, awaitingSeedsFrom, takebackRequest } = message;
  return {
    matchId,
    ruleSet: ruleSet(message.ruleSet),
    revision,
    view: view(message.view),
    seat,
    aborted,
    over: aborted || message.view?.waiting === Waiting.NOBODY,
    cursor,
    nextCommitment,
    awaitingSeedsFrom,
    deadline: date(message.deadline),
    bankMs: message.bankMs.map(Number),
    takebackRequest: takebackRequest && {
      seat: takebackRequest.seat,
      awaitingAnswersFrom: takebackRequest.awaitingAnswersFrom,
    },
    bots: bots(message.bots),
    externalId: message.externalId,
    labels: message.labels,
    playerNames: playerNames(message.playerNames),
    sandbox: message.sandbox,
  };
}

function playerNames(message: readonly matches.PlayerName[]): readonly responses.PlayerName[] {
  return message.map(({ seat, name }) => ({ seat, name }));
}

/** Converts the result for one match of a batch. */
export function foundMatch({ outcome }: matches.FoundMatch): responses.FoundMatch {
  switch (outcome.case) {
    case "match":
      return { match: matchState(outcome.value) };
    case "error": {
      const { code, message, field } = outcome.value;
      return { error: { code, message, field } };
    }
    default:
      throw new TypeError("a result without a match and without an error");
  }
}

/** Converts a time, if there is one. */
export function date(message?: Timestamp): Date | undefined {
  return message && timestampDate(message);
}

/** Converts the seats played by bots. */
export function bots(message: readonly matches.BotSeat[]): readonly responses.BotSeat[] {
  return message.map(({ seat, bot, thinkMs }) => ({ seat, bot, thinkMs }));
}

/** Converts the legal moves in a match. */
export function matchMoves(message: matches.ListMatchMovesResponse): responses.MatchMoves {
  return { moves: message.moves.map(move), seat: message.seat, revision: message.revision };
}

/** Converts an explained hand of a match. */
export function matchHand(message: matches.ExplainMatchHandResponse): responses.MatchHand {
  return { moves: message.moves.map(explained), seat: message.seat, revision: message.revision };
}

/** Converts the result of validating a move in a match. */
export function matchMoveValidation(message: matches.ValidateMatchMoveResponse): responses.MatchMoveValidation {
  const { verdict, refusals, revision } = message;
  return { verdict: VERDICT[verdict] ?? "unspecified", refusals: refusals.map(refusal), revision };
}

/** Converts the result of a move. */
export function moveResult(message: matches.PlayMoveResponse): responses.MoveResult {
  return {
    accepted: message.accepted,
    refusals: message.refusals.map(refusal),
    revision: message.revision,
    events: message.events.map(event),
    view: message.view && view(message.view),
    repeatedRequest: message.repeatedRequest,
  };
}

/** Converts an update. */
export function matchUpdate(message: matches.WatchMatchResponse): responses.MatchUpdate {
  return { revision: message.revision, cursor: message.cursor, events: message.events.map(event) };
}

/** Converts an update of one of the matches of a platform. */
export function platformUpdate(message: matches.WatchMatchesResponse): responses.PlatformUpdate {
  const { matchId, update, finished, aborted } = message;
  return { matchId, update: update && matchUpdate(update), finished, aborted };
}

/** Converts the result of a takeback request. */
export function takebackResult(message: matches.TakeBackResponse): responses.TakebackResult {
  const { revision, takenBack, awaitingAnswersFrom } = message;
  return { revision, takenBack, awaitingAnswersFrom };
}

/** Converts the result of enforcing the clock. */
export function clockResult(message: matches.EnforceClockResponse): responses.ClockResult {
  return { timedOut: message.timedOut, revision: message.revision, deadline: date(message.deadline) };
}

/** Converts the result of advancing the clock; throws if its time is missing. */
export function clockAdvance({ time, revision, timedOut }: matches.AdvanceClockResponse): responses.ClockAdvance {
  if (time === undefined) {
    throw new TypeError("an advanced clock without its time");
  }
  return { time: timestampDate(time), revision, timedOut };
}

/** Converts an entry of the list of matches; throws if its time is missing. */
export function matchSummary(message: matches.MatchSummary): responses.MatchSummary {
  const { $typeName: _, $unknown: __, ...plain } = message;
  if (plain.createTime === undefined) {
    throw new TypeError("a match without the time of its creation");
  }
  return {
    ...plain,
    ruleSet: ruleSet(message.ruleSet),
    createTime: timestampDate(plain.createTime),
    playerNames: playerNames(message.playerNames),
  };
}

/** Converts a game; throws if its summary is missing. */
export function game(message: books.GetGameResponse): games.Game {
  const { summary, pack, options, moves, reasons, clauses, editions, cards, suits, partnerships, zones } = message;
  if (summary === undefined) {
    throw new TypeError("a game without its summary");
  }
  return { summary, pack, options, moves, reasons, clauses, editions, cards, suits, partnerships, zones };
}

/** The key of a game, or a rule set; what is left out has its default. */
export type RuleSetLike =
  | string
  | (Pick<RuleSet, "gameId"> & {
      /** The number of players. Default: that of the game. */
      readonly players?: number;
      /** The options by name. */
      readonly options?: Readonly<Record<string, string | number | boolean>>;
      /** The edition of the rules. Default: the current one. */
      readonly edition?: number;
    });

/** A move: a verb alone, such as "pass", or a verb with its arguments, such as a `Move` of a response. */
export type MoveLike = string | (Pick<Move, "verb"> & Partial<Omit<Move, "verb">>);

/** A trick, as far as it is known. */
export interface PartialTrick {
  /** The cards in order of play; none for a lead. */
  readonly cards: readonly string[];
  /** The seat that leads it. Without it, the seat of the question is the one to play. */
  readonly leader?: number;
  /** The suit that the leader of the trump card has declared; "" for none. */
  readonly declaredSuit?: string;
}

/**
 * What is known of a position in a game of tricks. A part that is left out is unknown, and nothing is assumed about it:
 * an answer names the unknown parts that it depends on.
 */
export interface PartialPosition {
  readonly ruleSet: RuleSetLike;
  /** The known hands by seat, each complete. */
  readonly hands?: Readonly<Record<number, readonly string[]>>;
  /** The current trick, or only its cards. */
  readonly trick?: PartialTrick | readonly string[];
  /** The trump suit; "" for no trumps. */
  readonly trump?: string;
  /** The trump card, in games where the trump is a single card; "" for none. */
  readonly trumpCard?: string;
  /** The number of cards to draw. */
  readonly stockSize?: number;
  /** The seats that take part in the deal, where seats may sit out. */
  readonly dealtIn?: readonly number[];
}

/** A position, or what is known of it. */
export type PositionLike = Position | PartialPosition;

/**
 * Who supplies packs and lots: the service, the referee, or ("shared") the service when every person has added a seed to
 * the shuffle.
 */
export type PackSource = "service" | "referee" | "shared";

/** The pack sources as the contract numbers them. */
export const PACK_SOURCES: Readonly<Record<PackSource, PackSourceNumber>> = {
  service: PackSourceNumber.SERVICE,
  referee: PackSourceNumber.REFEREE,
  shared: PackSourceNumber.SHARED,
};

/** What a call says about its match and its caller: the id, the key, and the seat that the referee acts for. */
export interface SeatAccess {
  readonly matchId: string;
  readonly key: string;
  readonly seat?: number;
}

/** Converts a rule set. */
export function ruleSetMessage(ruleSet: RuleSetLike): MessageInitShape<typeof RuleSetSchema> {
  ruleSetKind(ruleSet, "ruleSet");
  if (typeof ruleSet === "string") {
    return { gameId: ruleSet };
  }
  const { gameId, players, edition } = ruleSet;
  const options = Object.entries(ruleSet.options ?? {}).map(([name, chosen]) => [name, String(chosen)] as const);
  return { gameId, players, options: Object.fromEntries(options), edition };
}

/** Converts a position. */
export function positionMessage({ ruleSet, text }: Position): MessageInitShape<typeof PositionSchema> {
  return { ruleSet: ruleSetMessage(ruleSet), text };
}

/** Converts a whole or a partial position to the field of a request. */
export function positionField(position: PositionLike) {
  return "text" in position
    ? { position: positionMessage(position) }
    : { partialPosition: partialPositionMessage(position) };
}

function partialPositionMessage(position: PartialPosition): MessageInitShape<typeof PartialPositionSchema> {
  partialPositionKind(position);
  const { ruleSet, hands = {}, trick, trump, trumpCard, stockSize, dealtIn = [] } = position;
  return {
    ruleSet: ruleSetMessage(ruleSet),
    hands: Object.entries(hands).map(([seat, cards]) => ({ seat: Number(seat), cards: [...cards] })),
    trick: trick && trickMessage(trick),
    trump,
    trumpCard,
    stockSize,
    dealtIn: [...dealtIn],
  };
}

function trickMessage(trick: PartialTrick | readonly string[]): MessageInitShape<typeof PartialTrickSchema> {
  return "cards" in trick ? { ...trick, cards: [...trick.cards] } : { cards: [...trick] };
}

/** Converts a move. */
export function moveMessage(move: MoveLike): MessageInitShape<typeof MoveSchema> {
  moveKind(move, "move");
  if (typeof move === "string") {
    return { verb: move };
  }
  const { verb, cards, choice, amount, seat, shares = [] } = move;
  return { verb, cards: [...(cards ?? [])], choice, amount, seat, shares: shares.map(shareMessage) };
}

function shareMessage(share: Share): { person: string; amount: bigint } {
  return { person: share.person, amount: BigInt(share.amount) };
}

/** Returns a random request id. It must be unguessable: repeating a creation with it returns the keys of the match. */
export function newRequestId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
