/** Answers out of messages: what is always there is there, and no number is a bigint. */

import type * as answers from "./answers.js";
import type { Comparison, Game } from "./catalogue.js";
import type * as books from "./gen/chitarrella/v1/catalogue_pb.js";
import type * as matches from "./gen/chitarrella/v1/matches_pb.js";
import type * as rules from "./gen/chitarrella/v1/rules_pb.js";
import type * as pb from "./gen/chitarrella/v1/table_pb.js";
import { Waiting } from "./gen/chitarrella/v1/table_pb.js";
import type * as table from "./table.js";

const WAITING: Readonly<Record<Waiting, table.Waiting>> = {
  [Waiting.UNSPECIFIED]: "unspecified",
  [Waiting.SEAT]: "seat",
  [Waiting.TABLE]: "table",
  [Waiting.NOBODY]: "nobody",
};

/** Reads what is played. */
export function agreement(said?: pb.Agreement): table.Agreement {
  const { game = "", players = 0, options = {}, edition = 0 } = said ?? {};
  return { game, players, options, edition };
}

function share(said: pb.Share): table.Share {
  return { person: said.person, amount: Number(said.amount) };
}

/** Reads a move. */
export function move(said?: pb.Move): table.Move {
  const { verb = "", cards = [], word = "", amount, seat, shares = [] } = said ?? {};
  return { verb, cards, word, amount, seat, shares: shares.map(share) };
}

/** Reads what happened. */
export function event(said: pb.Event): table.Event {
  const { kind, seat, cards, hidden, word, amount, other, shares } = said;
  return { kind, seat, cards, hidden, word, amount, other, shares: shares.map(share) };
}

function value({ value: said }: pb.Fact): table.Value | undefined {
  switch (said.case) {
    case "shares":
      return said.value.shares.map(share);
    case "money":
      return Number(said.value);
    default:
      return said.value;
  }
}

/** Reads what a reader sees. */
export function view(said?: pb.View): table.View {
  return {
    phase: said?.phase ?? "",
    waiting: WAITING[said?.waiting ?? Waiting.UNSPECIFIED] ?? "unspecified",
    turn: said?.turn,
    piles: (said?.piles ?? []).map(({ name, seat, cards, size, leader }) => ({ name, seat, cards, size, leader })),
    facts: (said?.facts ?? []).map((fact) => ({ name: fact.name, seat: fact.seat, value: value(fact) })),
    scores: said?.scores ?? [],
    outcome: said?.outcome && { winners: said.outcome.winners },
  };
}

/** Reads why something is refused. */
export function refusal(said: pb.Refusal): table.Refusal {
  const { code, because, instead, held, word, amount, penalty, page } = said;
  const { key = "", says = "", source = "" } = said.clause ?? {};
  return { code, clause: { key, says, source }, because, instead, held, word, amount, penalty, page };
}

/** Reads a move with the clauses against it. */
export function explained(said: pb.ExplainedMove): table.ExplainedMove {
  return { move: move(said.move), refusals: said.refusals.map(refusal) };
}

/** Reads a position. */
export function position(said?: rules.Position): answers.Position {
  return { agreement: agreement(said?.agreement), line: said?.line ?? "" };
}

function wanted(said?: rules.Wanted): answers.Wanted | undefined {
  return said && { verb: said.verb, cards: said.cards, amounts: said.amounts };
}

/** Reads a beginning. */
export function start(said: rules.StartGameResponse): answers.Start {
  return { position: position(said.position), wanted: wanted(said.wanted), view: view(said.view) };
}

/** Reads what a seat may do in a position. */
export function legalMoves(said: rules.ListLegalMovesResponse): answers.LegalMoves {
  return { moves: said.moves.map(move), seat: said.seat, wanted: wanted(said.wanted) };
}

/** Reads a hand that was explained. */
export function hand(said: rules.ExplainHandResponse): answers.ExplainedHand {
  return { moves: said.moves.map(explained), seat: said.seat };
}

/** Reads a verdict. */
export function verdict(said: rules.JudgeResponse): answers.Verdict {
  return { accepted: said.accepted, refusals: said.refusals.map(refusal) };
}

/** Reads what came of moves in a position. */
export function playedMoves(said: rules.PlayMovesResponse): answers.PlayedMoves {
  return {
    position: position(said.position),
    played: said.played,
    refusals: said.refusals.map(refusal),
    events: said.events.map(event),
    view: view(said.view),
    wanted: wanted(said.wanted),
    points: said.points,
  };
}

/** Reads counts. */
export function tallies(said: rules.CountPileResponse): readonly answers.Tally[] {
  return said.tallies.map(({ name, number }) => ({ name, number }));
}

/** Reads who takes a trick. */
export function trick(said: rules.ResolveTrickResponse): answers.Trick {
  const counted = said.tallies.map(({ name, number }) => ({ name, number }));
  return { place: said.place, card: said.card, tallies: counted };
}

/** Reads how a match looks. */
export function seen(said: matches.GetMatchResponse): answers.Seen {
  const { match, revision, seat, ended, cursor, nextCommitment, wordsAwaited, askedBack } = said;
  return {
    match,
    agreement: agreement(said.agreement),
    revision,
    view: view(said.view),
    seat,
    ended,
    over: ended || said.view?.waiting === Waiting.NOBODY,
    cursor,
    nextCommitment,
    wordsAwaited,
    deadlineMs: milliseconds(said.deadlineMs),
    bankMs: said.bankMs.map(Number),
    askedBack: askedBack && { seat: askedBack.seat, awaited: askedBack.awaited },
    bots: bots(said.bots),
  };
}

function milliseconds(said?: bigint): number | undefined {
  return said === undefined ? undefined : Number(said);
}

/** Reads which seats bots play. */
export function bots(said: readonly matches.BotSeat[]): readonly answers.BotSeat[] {
  return said.map(({ seat, bot, thinkMs }) => ({ seat, bot, thinkMs }));
}

/** Reads what a seat may do in a match. */
export function matchMoves(said: matches.ListMatchMovesResponse): answers.MatchMoves {
  return { moves: said.moves.map(move), seat: said.seat, revision: said.revision };
}

/** Reads a hand of a match that was explained. */
export function matchHand(said: matches.ExplainMatchHandResponse): answers.MatchHand {
  return { moves: said.moves.map(explained), seat: said.seat, revision: said.revision };
}

/** Reads a verdict on a move in a match. */
export function matchVerdict(said: matches.JudgeMoveResponse): answers.MatchVerdict {
  return { accepted: said.accepted, refusals: said.refusals.map(refusal), revision: said.revision };
}

/** Reads what came of a move. */
export function played(said: matches.PlayMoveResponse): answers.Played {
  return {
    accepted: said.accepted,
    refusals: said.refusals.map(refusal),
    revision: said.revision,
    events: said.events.map(event),
    view: said.view && view(said.view),
    repeatedRequest: said.repeatedRequest,
  };
}

/** Reads what somebody learns of one move. */
export function told(said: matches.WatchMatchResponse): answers.Told {
  return { revision: said.revision, cursor: said.cursor, events: said.events.map(event) };
}

/** Reads what came of an ask to take back. */
export function takenBack(said: matches.TakeBackResponse): answers.TakenBack {
  return { revision: said.revision, takenBack: said.takenBack, awaited: said.awaited };
}

/** Reads a ruling on time. */
export function ruling(said: matches.RuleOnTimeResponse): answers.Ruling {
  return { ruled: said.ruled, revision: said.revision, deadlineMs: milliseconds(said.deadlineMs) };
}

/** Reads what came of a word in a shuffle. */
export function awaited(said: matches.ContributeToDealResponse): answers.Awaited {
  return { revision: said.revision, wordsAwaited: said.wordsAwaited };
}

/** Reads what was drawn. */
export function draws(said: matches.ListDrawsResponse): answers.Draws {
  return { draws: said.draws.map(draw), nextCommitment: said.nextCommitment };
}

function draw(said: matches.Draw): answers.Draw {
  const { $typeName: _, $unknown: __, ...plain } = said;
  return { ...plain, words: said.words.map(({ seat, word }) => ({ seat, word })) };
}

/** Reads a match of a platform. */
export function matchSummary(said: matches.MatchSummary): answers.MatchSummary {
  const { $typeName: _, $unknown: __, ...plain } = said;
  return { ...plain, agreement: agreement(said.agreement) };
}

/** Reads a game; throws where the service has left out its line in the list. */
export function game(said: books.GetGameResponse): Game {
  const { summary, pack, options, moves, reasons, clauses, editions } = said;
  if (summary === undefined) {
    throw new TypeError("a game without its summary");
  }
  return { summary, pack, options, moves, reasons, clauses, editions };
}

/** Reads what differs. */
export function comparison(said: books.CompareGamesResponse): Comparison {
  return { differences: said.differences, clausesAlike: said.clausesAlike };
}
