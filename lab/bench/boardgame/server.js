// The server of boardgame.io as its manual starts it, its matches in memory, or in files in the folder that is given.
const { Server, Origins, FlatFile } = require("boardgame.io/server");

// A trivial trick game for two: 40 cards, three in the hand, a card is drawn after each trick.
// The higher card of the led suit takes the trick, whoever takes it leads, and any card may be played.
const { INVALID_MOVE } = require("boardgame.io/core");

const SUITS = 4;
const RANKS = 10;
const HAND = 3;

function setup({ random }) {
  const stock = random.Shuffle([...Array(SUITS * RANKS).keys()]);
  return { hands: [stock.splice(0, HAND), stock.splice(0, HAND)], stock, trick: [], taken: [0, 0], next: 0 };
}

function playCard({ G, playerID }, card) {
  const seat = Number(playerID);
  const place = G.hands[seat].indexOf(card);
  if (place < 0) return INVALID_MOVE;
  G.hands[seat].splice(place, 1);
  G.trick.push(card);
  G.next = 1 - seat;
  if (G.trick.length < 2) return;
  const [led, other] = G.trick;
  const isTaken = Math.floor(led / RANKS) === Math.floor(other / RANKS) && other > led;
  const winner = isTaken ? seat : 1 - seat;
  G.taken[winner] += 1;
  G.trick = [];
  G.next = winner;
  for (const drawer of [winner, 1 - winner]) if (G.stock.length) G.hands[drawer].push(G.stock.pop());
}

function endIf({ G }) {
  if (!G.stock.length && !G.hands[0].length && !G.hands[1].length) return { taken: G.taken };
}

const game = {
  name: "trick",
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true,
  setup,
  moves: { playCard },
  turn: { minMoves: 1, maxMoves: 1, order: { first: () => 0, next: ({ G }) => G.next } },
  endIf,
};

const [dir] = process.argv.slice(2);
const server = Server({ games: [game], origins: [Origins.LOCALHOST], ...(dir && { db: new FlatFile({ dir }) }) });
server.run({ port: 0 }).then(({ appServer }) => {
  console.log(`game   127.0.0.1:${appServer.address().port}\nCtrl-C stops.`);
});
