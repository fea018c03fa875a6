/** Builds requests from arguments. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { PackSource } from "./gen/chitarrella/v1/matches_pb.js";
import type { AgreementSchema, MoveSchema } from "./gen/chitarrella/v1/table_pb.js";
import type { Agreement, Move, Share } from "./types.js";

/** The key of a game, or an agreement; what is left out has its default. */
export type Agreed =
  | string
  | (Pick<Agreement, "game"> & {
      /** The number of players. Default: that of the game. */
      readonly players?: number;
      /** The options by name. */
      readonly options?: Readonly<Record<string, string | number | boolean>>;
      /** The edition of the rules. Default: the current one. */
      readonly edition?: number;
    });

/** A move: a verb alone, such as "pass", or a verb with its arguments, such as a `Move` of a response. */
export type MoveLike = string | (Pick<Move, "verb"> & Partial<Omit<Move, "verb">>);

/**
 * Who supplies the packs: the service, the referee, or the service once every person has added a word to the shuffle.
 */
export type Packs = "service" | "referee" | "shared";

/** The packs as the contract names them. */
export const PACK_SOURCES: Readonly<Record<Packs, PackSource>> = {
  service: PackSource.SERVICE,
  referee: PackSource.REFEREE,
  shared: PackSource.SHARED,
};

/** What a call says about its match and its caller: the id, the key, and the seat that the referee acts for. */
export interface SeatAccess {
  readonly match: string;
  readonly key: string;
  readonly seat?: number;
}

/** Converts an agreement. */
export function agreementMessage(agreed: Agreed): MessageInitShape<typeof AgreementSchema> {
  if (typeof agreed === "string") {
    return { game: agreed };
  }
  const options = Object.entries(agreed.options ?? {}).map(([name, chosen]) => [name, String(chosen)] as const);
  return { game: agreed.game, players: agreed.players, options: Object.fromEntries(options), edition: agreed.edition };
}

/** Converts a move. */
export function moveMessage(move: MoveLike): MessageInitShape<typeof MoveSchema> {
  if (typeof move === "string") {
    return { verb: move };
  }
  const { verb, cards, word, amount, seat, shares = [] } = move;
  return { verb, cards: [...(cards ?? [])], word, amount, seat, shares: shares.map(shareMessage) };
}

function shareMessage(share: Share): { person: string; amount: bigint } {
  return { person: share.person, amount: BigInt(share.amount) };
}

/** Returns a random request id. It must be unguessable: repeating a creation with it returns the keys of the match. */
export function newRequestId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
