// The server of boardgame.io as its manual starts it, its matches in memory, or in files in the folder that is given.
const { Server, Origins, FlatFile } = require("boardgame.io/server");
const game = require("./game");

const [dir] = process.argv.slice(2);
const server = Server({ games: [game], origins: [Origins.LOCALHOST], ...(dir && { db: new FlatFile({ dir }) }) });
server.run({ port: 0 }).then(({ appServer }) => {
  console.log(`game   127.0.0.1:${appServer.address().port}\nCtrl-C stops.`);
});
