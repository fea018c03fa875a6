// The server of boardgame.io as its manual starts it, its matches in memory; prints its port.
const { Server, Origins } = require("boardgame.io/server");
const game = require("./game");

const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
server.run({ port: 0 }).then(({ appServer }) => console.log(`port ${appServer.address().port}`));
