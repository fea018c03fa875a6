// Plays matches at random at the server on a port, over its own protocol: one socket a match, which plays both seats.
// `node generator.js PORT MATCHES` prints a line when all have begun; for each line of milliseconds it plays so long, then
// prints moves and latencies. When the server ends it prints how many moves of each match were acknowledged.
// With a line of those in place of MATCHES it prints how many of them the server does not know any more.
const readline = require("node:readline");
const { io } = require("socket.io-client");

const [port, argument] = process.argv.slice(2);
const CHECK_MILLISECONDS = 20000;
const connect = () => io(`http://127.0.0.1:${port}/trick`, { transports: ["websocket"] });
const print = (value) => console.log(JSON.stringify(value));
const waiting = []; // the next move of each match that does not play now
const acknowledged = {};
let ready = false;
let playing = false;
let waits = [];
let number = 0;
let seed = 1;

function random(below) {
  seed = (seed * 48271) % 2147483647; // a Lehmer generator
  return seed % below;
}

function start(socket) {
  socket.match = `m${number++}`;
  socket.emit("sync", socket.match, null, undefined, 2);
}

function play(socket, { G, ctx, _stateID }) {
  if (ctx.gameover) return start(socket);
  const hand = G.hands[Number(ctx.currentPlayer)];
  const payload = { type: "playCard", args: [hand[random(hand.length)]], playerID: ctx.currentPlayer };
  socket.since = performance.now();
  socket.emit("update", { type: "MAKE_MOVE", payload }, _stateID, socket.match, ctx.currentPlayer);
}

function answered(socket, state) {
  if (playing) return play(socket, state);
  waiting.push(() => play(socket, state));
  if (waiting.length === Number(argument) && !ready) {
    ready = true;
    print({ ready });
  }
}

function begin() {
  const socket = connect();
  socket.on("connect", () => start(socket));
  socket.on("sync", (_, { state }) => answered(socket, state));
  socket.on("update", (match, state) => {
    if (match !== socket.match) return;
    acknowledged[match] = state._stateID;
    waits.push(performance.now() - socket.since);
    answered(socket, state);
  });
  socket.on("disconnect", () => {
    print(acknowledged);
    process.exit(0);
  });
}

function check(expected) {
  const left = new Map(Object.entries(expected));
  let lost = 0;
  const end = () => {
    for (const moves of left.values()) lost += moves; // of matches that the server cannot read
    print({ lost });
    process.exit(0);
  };
  const socket = connect();
  socket.on("sync", (match, { state }) => {
    lost += Math.max(0, left.get(match) - state._stateID);
    left.delete(match);
    if (!left.size) end();
  });
  socket.on("connect", () => {
    for (const match of left.keys()) socket.emit("sync", match, null, undefined, 2);
    setTimeout(end, CHECK_MILLISECONDS);
  });
}

function measure(milliseconds) {
  waits = [];
  playing = true;
  for (const next of waiting.splice(0)) next();
  setTimeout(() => {
    playing = false;
    waits.sort((one, other) => one - other);
    const at = (share) => waits[Math.floor(share * waits.length)];
    print({ moves: waits.length, p50: at(0.5), p99: at(0.99) });
  }, milliseconds);
}

if (argument.startsWith("{")) check(JSON.parse(argument));
else {
  for (let place = 0; place < Number(argument); place++) begin();
  readline
    .createInterface({ input: process.stdin })
    .on("line", (line) => measure(Number(line)))
    .on("close", () => process.exit(0));
}
