/** Requests out of arguments: whatever is decided before a call is made. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { PackSource } from "./gen/chitarrella/v1/matches_pb.js";
import type { AgreementSchema, MoveSchema } from "./gen/chitarrella/v1/table_pb.js";
import type { Agreement, Move, Share } from "./table.js";

/** What is played: the key of a game, or an agreement; what is left out has its default. */
export type Agreed =
  | string
  | (Pick<Agreement, "game"> & {
      /** How many persons play; left out, the number that the game names first. */
      readonly players?: number;
      /** The house rules by name. */
      readonly options?: Readonly<Record<string, string | number | boolean>>;
      /** The edition of the rules; left out, the current one. */
      readonly edition?: number;
    });

/** A move: a verb alone, such as "pass", or a verb with what it takes. A `Move` of an answer is one, too. */
export type MoveLike = string | (Pick<Move, "verb"> & Partial<Omit<Move, "verb">>);

/** Who deals: the service, the referee by hand, or the service when every person has added a word to the shuffle. */
export type Packs = "service" | "referee" | "shared";

/** The packs as the contract names them. */
export const PACK_SOURCES: Readonly<Record<Packs, PackSource>> = {
  service: PackSource.SERVICE,
  referee: PackSource.REFEREE,
  shared: PackSource.SHARED,
};

/** Who asks about a match: its name, the key that is shown, and the seat that the referee asks for. */
export interface Holder {
  readonly match: string;
  readonly key: string;
  readonly seat?: number;
}

/** Writes what is played. */
export function agreementMessage(agreed: Agreed): MessageInitShape<typeof AgreementSchema> {
  if (typeof agreed === "string") {
    return { game: agreed };
  }
  const options = Object.entries(agreed.options ?? {}).map(([name, chosen]) => [name, String(chosen)] as const);
  return { game: agreed.game, players: agreed.players, options: Object.fromEntries(options), edition: agreed.edition };
}

/** Writes a move. */
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

/** Makes a name for a writing call, one that nobody guesses: who knows that of an opened match can have its keys. */
export function newRequestId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
