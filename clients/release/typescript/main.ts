import { connect } from "chitarrella-client";

const client = connect(process.argv[2] ?? "");
const match = await client.createMatch({ gameId: "briscola", players: 2 });
for (;;) {
  const { moves, seat, revision } = await match.legalMoves();
  if (seat === undefined || moves[0] === undefined) break;
  await match.asSeat(seat).play(moves[0], { expectedRevision: revision });
}
console.log(match.id);
client.close();
