// Plays matches at random at the server on a port, over its own protocol: one socket a match, which plays both seats.
// `node generator.js PORT MATCHES`; for each line of milliseconds it plays so long, then prints moves and seconds.
const readline = require("node:readline");
const { io } = require("socket.io-client");

const [port, matches] = process.argv.slice(2).map(Number);
const waiting = []; // the next move of each match that does not play now
let playing = false;
let moves = 0;
let number = 0;
let seed = 1;

function random(below) {
  seed = (seed * 48271) % 2147483647; // a Lehmer generator
  return seed % below;
}

function answered(next) {
  if (playing) next();
  else waiting.push(next);
}

function start(socket) {
  const match = `m${number++}`;
  socket.emit("sync", match, null, undefined, 2);
  return match;
}

function play(socket, match, { G, ctx, _stateID }) {
  if (ctx.gameover) {
    socket.match = start(socket);
    return;
  }
  const hand = G.hands[Number(ctx.currentPlayer)];
  const payload = { type: "playCard", args: [hand[random(hand.length)]], playerID: ctx.currentPlayer };
  socket.emit("update", { type: "MAKE_MOVE", payload }, _stateID, match, ctx.currentPlayer);
}

for (let place = 0; place < matches; place++) {
  const socket = io(`http://127.0.0.1:${port}/trick`, { transports: ["websocket"] });
  socket.on("connect", () => (socket.match = start(socket)));
  socket.on("sync", (match, { state }) => answered(() => play(socket, match, state)));
  socket.on("update", (match, state) => {
    if (match !== socket.match) return;
    if (playing) moves += 1;
    answered(() => play(socket, match, state));
  });
  socket.on("disconnect", () => process.exit(1));
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const begun = performance.now();
  moves = 0;
  playing = true;
  for (const next of waiting.splice(0)) next();
  setTimeout(() => {
    playing = false;
    console.log(JSON.stringify({ moves, seconds: (performance.now() - begun) / 1000 }));
  }, Number(line));
}).on("close", () => process.exit(0));
