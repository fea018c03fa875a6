/** Converts messages to plain values: required fields are present, and no number is a bigint. */

import type * as books from "./gen/chitarrella/v1/catalogue_pb.js";
import type * as matches from "./gen/chitarrella/v1/matches_pb.js";
import type * as rules from "./gen/chitarrella/v1/rules_pb.js";
import type * as pb from "./gen/chitarrella/v1/table_pb.js";
import { Waiting } from "./gen/chitarrella/v1/table_pb.js";
import type * as responses from "./responses.js";
import type * as table from "./types.js";

const WAITING: Readonly<Record<Waiting, table.Waiting>> = {
  [Waiting.UNSPECIFIED]: "unspecified",
  [Waiting.SEAT]: "seat",
  [Waiting.TABLE]: "table",
  [Waiting.NOBODY]: "nobody",
};

/** Converts an agreement. */
export function agreement(message?: pb.Agreement): table.Agreement {
  const { game = "", players = 0, options = {}, edition = 0 } = message ?? {};
  return { game, players, options, edition };
}

function share(message: pb.Share): table.Share {
  return { person: message.person, amount: Number(message.amount) };
}

/** Converts a move. */
export function move(message?: pb.Move): table.Move {
  const { verb = "", cards = [], word = "", amount, seat, shares = [] } = message ?? {};
  return { verb, cards, word, amount, seat, shares: shares.map(share) };
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
    piles: (message?.piles ?? []).map(({ name, seat, cards, size, leader }) => ({ name, seat, cards, size, leader })),
    facts: (message?.facts ?? []).map((fact) => ({ name: fact.name, seat: fact.seat, value: value(fact) })),
    scores: message?.scores ?? [],
    outcome: message?.outcome && { winners: message.outcome.winners },
  };
}

/** Converts a refusal. */
export function refusal(message: pb.Refusal): table.Refusal {
  const { code, because, instead, held, word, amount, penalty, page } = message;
  const { key = "", says = "", source = "" } = message.clause ?? {};
  return { code, clause: { key, says, source }, because, instead, held, word, amount, penalty, page };
}

/** Converts an explained move. */
export function explained(message: pb.ExplainedMove): table.ExplainedMove {
  return { move: move(message.move), refusals: message.refusals.map(refusal) };
}

/** Converts a position. */
export function position(message?: rules.Position): responses.Position {
  return { agreement: agreement(message?.agreement), line: message?.line ?? "" };
}

function wanted(message?: rules.Wanted): responses.Wanted | undefined {
  return message && { verb: message.verb, cards: message.cards, amounts: message.amounts };
}

/** Converts the start of a match. */
export function start(message: rules.StartGameResponse): responses.Start {
  return { position: position(message.position), wanted: wanted(message.wanted), view: view(message.view) };
}

/** Converts the legal moves in a position. */
export function legalMoves(message: rules.ListLegalMovesResponse): responses.LegalMoves {
  return { moves: message.moves.map(move), seat: message.seat, wanted: wanted(message.wanted) };
}

/** Converts an explained hand. */
export function hand(message: rules.ExplainHandResponse): responses.ExplainedHand {
  return { moves: message.moves.map(explained), seat: message.seat };
}

/** Converts a verdict. */
export function verdict(message: rules.JudgeResponse): responses.Verdict {
  return { accepted: message.accepted, refusals: message.refusals.map(refusal) };
}

/** Converts the result of moves in a position. */
export function playedMoves(message: rules.PlayMovesResponse): responses.PlayedMoves {
  return {
    position: position(message.position),
    played: message.played,
    refusals: message.refusals.map(refusal),
    events: message.events.map(event),
    view: view(message.view),
    wanted: wanted(message.wanted),
    points: message.points,
  };
}

/** Converts counts. */
export function tallies(message: rules.CountPileResponse): readonly responses.Tally[] {
  return message.tallies.map(({ name, number }) => ({ name, number }));
}

/** Converts the winner of a trick. */
export function trick(message: rules.ResolveTrickResponse): responses.Trick {
  const counted = message.tallies.map(({ name, number }) => ({ name, number }));
  return { place: message.place, card: message.card, tallies: counted };
}

/** Converts the state of a match. */
export function seen(message: matches.GetMatchResponse): responses.Seen {
  const { match, revision, seat, ended, cursor, nextCommitment, wordsAwaited, askedBack } = message;
  return {
    match,
    agreement: agreement(message.agreement),
    revision,
    view: view(message.view),
    seat,
    ended,
    over: ended || message.view?.waiting === Waiting.NOBODY,
    cursor,
    nextCommitment,
    wordsAwaited,
    deadlineMs: milliseconds(message.deadlineMs),
    bankMs: message.bankMs.map(Number),
    askedBack: askedBack && { seat: askedBack.seat, awaited: askedBack.awaited },
    bots: bots(message.bots),
  };
}

function milliseconds(message?: bigint): number | undefined {
  return message === undefined ? undefined : Number(message);
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

/** Converts the verdict on a move in a match. */
export function matchVerdict(message: matches.JudgeMoveResponse): responses.MatchVerdict {
  return { accepted: message.accepted, refusals: message.refusals.map(refusal), revision: message.revision };
}

/** Converts the result of a move. */
export function played(message: matches.PlayMoveResponse): responses.Played {
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
export function update(message: matches.WatchMatchResponse): responses.Told {
  return { revision: message.revision, cursor: message.cursor, events: message.events.map(event) };
}

/** Converts the result of a takeback request. */
export function takenBack(message: matches.TakeBackResponse): responses.TakenBack {
  return { revision: message.revision, takenBack: message.takenBack, awaited: message.awaited };
}

/** Converts the result of enforcing the clock. */
export function ruling(message: matches.RuleOnTimeResponse): responses.Ruling {
  return { ruled: message.ruled, revision: message.revision, deadlineMs: milliseconds(message.deadlineMs) };
}

/** Converts the result of a contribution. */
export function awaited(message: matches.ContributeToDealResponse): responses.Awaited {
  return { revision: message.revision, wordsAwaited: message.wordsAwaited };
}

/** Converts draws. */
export function draws(message: matches.ListDrawsResponse): responses.Draws {
  return { draws: message.draws.map(draw), nextCommitment: message.nextCommitment };
}

function draw(message: matches.Draw): responses.Draw {
  const { $typeName: _, $unknown: __, ...plain } = message;
  return { ...plain, words: message.words.map(({ seat, word }) => ({ seat, word })) };
}

/** Converts an entry of the list of matches. */
export function matchSummary(message: matches.MatchSummary): responses.MatchSummary {
  const { $typeName: _, $unknown: __, ...plain } = message;
  return { ...plain, agreement: agreement(message.agreement) };
}

/** Converts a game; throws if its summary is missing. */
export function game(message: books.GetGameResponse): responses.Game {
  const { summary, pack, options, moves, reasons, clauses, editions } = message;
  if (summary === undefined) {
    throw new TypeError("a game without its summary");
  }
  return { summary, pack, options, moves, reasons, clauses, editions };
}

/** Converts a comparison. */
export function comparison(message: books.CompareGamesResponse): responses.Comparison {
  return { differences: message.differences, clausesAlike: message.clausesAlike };
}
