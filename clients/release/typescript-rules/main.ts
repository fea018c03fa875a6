import { isDeepStrictEqual } from "node:util";
import { loadRules, type StatelessRules } from "@chitarrella/rules";
import { connect } from "chitarrella-client";

/** Plays the first legal moves of a deal, at a position in one line. */
async function deal(rules: StatelessRules): Promise<string> {
  const ruleSet = { gameId: "briscola", players: 2 };
  const { position, chanceRequest } = await rules.startGame(ruleSet);
  const pack = { move: { verb: chanceRequest?.verb ?? "", cards: chanceRequest?.cards ?? [] } };
  let now = await rules.applyMoves(position, [pack]);
  while (now.view.waiting === "seat" && now.legalMoves[0] !== undefined) {
    now = await rules.applyMoves(now.position, [{ seat: now.view.turn, move: now.legalMoves[0] }]);
  }
  return now.position.text;
}

const client = connect(process.argv[2] ?? "");
const local = await deal(await loadRules());
if (!isDeepStrictEqual(local, await deal(client.rules))) throw new Error(`another end of the deal: ${local}`);
const match = await client.createMatch({ gameId: "briscola", players: 2 });
for (;;) {
  const { moves, seat, revision } = await match.legalMoves();
  if (seat === undefined || moves[0] === undefined) break;
  await match.asSeat(seat).play(moves[0], { expectedRevision: revision });
}
console.log(match.id);
client.close();
