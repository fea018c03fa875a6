/** A lobby with tables of Briscola: people open tables and sit down, and each gets the key of the own seat only. */

import { randomUUID } from "node:crypto";
import { ChitarrellaError, connect, type Match } from "chitarrella-client";
import express, { type NextFunction, type Request, type Response } from "express";

interface Table {
  readonly id: string;
  readonly players: number;
  /** The names of the people at it, by seat. */
  readonly people: string[];
  /** With the referee's key. It stays here, because it shows every hand. */
  match?: Promise<Match>;
}

/** What the caller has done wrong. */
class LobbyError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const service = process.env["CHITARRELLA"] ?? "http://127.0.0.1:8080";
const client = connect(service);
const names = new Map<string, string>();
const tables = new Map<string, Table>();

/** Returns the name of the caller, who has registered. */
function callerOf(request: Request): string {
  const name = names.get(request.get("authorization")?.replace(/^Bearer /, "") ?? "");
  if (name === undefined) {
    throw new LobbyError(401, "not_registered", "Register with POST /people, and send the token as a bearer token.");
  }
  return name;
}

function tableOf(request: Request): Table {
  const table = tables.get(String(request.params["id"]));
  if (table === undefined) {
    throw new LobbyError(404, "no_such_table", "There is no such table.");
  }
  return table;
}

/** Returns the match of a full table; creates it once, and again only if that has failed. */
function matchOf(table: Table): Promise<Match> {
  const ruleSet = { gameId: "briscola", players: table.players, options: { rubber_games: 1 } };
  const options = { private: true, playerNames: { ...table.people } };
  table.match ??= client.createMatch(ruleSet, options).catch((error: unknown) => {
    delete table.match;
    throw error;
  });
  return table.match;
}

/** Returns what everybody may know of a table. */
function publicTable({ id, players, people }: Table) {
  return { id, players, people, full: people.length === players };
}

const lobby = express();
lobby.use(express.json());

lobby.post("/people", (request, response) => {
  const name: unknown = request.body?.name;
  if (typeof name !== "string" || !/^[\p{L}\p{N} ]{1,30}$/u.test(name)) {
    throw new LobbyError(400, "bad_name", "The name has 1 to 30 letters, digits and spaces.");
  }
  if ([...names.values()].includes(name)) {
    throw new LobbyError(409, "name_taken", "Somebody else has this name.");
  }
  const token = randomUUID();
  names.set(token, name);
  response.status(201).json({ name, token });
});

lobby.get("/tables", (_request, response) => {
  response.json([...tables.values()].map(publicTable));
});

lobby.post("/tables", (request, response) => {
  const name = callerOf(request);
  const players: unknown = request.body?.players ?? 2;
  if (typeof players !== "number" || ![2, 3, 4].includes(players)) {
    throw new LobbyError(400, "bad_players", "A table has 2, 3 or 4 players.");
  }
  const table: Table = { id: randomUUID(), players, people: [name] };
  tables.set(table.id, table);
  response.status(201).json(publicTable(table));
});

lobby.post("/tables/:id/seats", (request, response) => {
  const [name, table] = [callerOf(request), tableOf(request)];
  if (!table.people.includes(name)) {
    if (table.people.length === table.players) {
      throw new LobbyError(409, "table_full", "The table is full.");
    }
    table.people.push(name);
  }
  response.json(publicTable(table));
});

lobby.get("/tables/:id/seat", async (request, response) => {
  const [name, table] = [callerOf(request), tableOf(request)];
  const seat = table.people.indexOf(name);
  if (seat < 0) {
    throw new LobbyError(403, "not_seated", "You do not sit at this table.");
  }
  if (table.people.length < table.players) {
    throw new LobbyError(409, "waiting", "Somebody is still missing at the table.");
  }
  const match = await matchOf(table);
  response.set("cache-control", "no-store").json({ service, matchId: match.id, seat, key: match.keys.get(seat) });
});

lobby.get("/tables/:id", async (request, response) => {
  const table = tableOf(request);
  const outcome = (await (await table.match)?.get())?.view.outcome; // of what the referee sees, no card
  response.json({ ...publicTable(table), winners: outcome?.winners.map((seat) => table.people[seat]) });
});

lobby.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  if (error instanceof LobbyError) {
    response.status(error.status).json({ code: error.code, message: error.message });
  } else if (error instanceof ChitarrellaError) {
    response.status(error.fromService ? 502 : 503).json({ code: error.code, message: error.message });
  } else {
    const status = (error as { status?: number }).status ?? 500; // a body that is no JSON has 400
    const [code, message] = status < 500 ? ["bad_request", String(error)] : ["internal", "Something failed."];
    response.status(status).json({ code, message });
  }
});

const server = lobby.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", (error?: Error) => {
  const address = server.address();
  if (error || address === null || typeof address === "string") {
    console.error(`The lobby cannot listen: ${error?.message}`);
    process.exit(1);
  }
  process.stdout.write(`Lobby http://127.0.0.1:${address.port}\n`);
});
