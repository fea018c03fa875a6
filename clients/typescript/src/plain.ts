/**
 * Messages as plain values: enums are words, times are dates, durations are seconds, and no number is a bigint. The
 * descriptor of a message says what its fields are.
 */

import { create, type DescMessage, isMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import {
  type Duration,
  DurationSchema,
  durationMs,
  type Timestamp,
  TimestampSchema,
  timestampDate,
} from "@bufbuild/protobuf/wkt";
import { type ChitarrellaError, errorOfStatus } from "./errors.js";
import type { Audience, Family, OptionType, ScoreDirection } from "./gen/chitarrella/v1/catalogue_pb.js";
import {
  type Match,
  MatchSchema,
  type MatchState,
  type PackSource,
  type Restriction,
} from "./gen/chitarrella/v1/match_pb.js";
import {
  type Ending,
  type Shares,
  SharesSchema,
  type Verdict,
  ViewSchema,
  type Waiting,
} from "./gen/chitarrella/v1/table_pb.js";
import type { DeliveryState } from "./gen/chitarrella/v1/webhooks_pb.js";
import { type Status, StatusSchema } from "./gen/google/rpc/status_pb.js";
import type { MatchDetails } from "./responses.js";
import type { Share } from "./types.js";

/** The names of an enum of the contract, in small letters. */
export type Words<E> = Lowercase<Extract<keyof E, string>>;

type Enums =
  | [Audience, typeof Audience]
  | [DeliveryState, typeof DeliveryState]
  | [Ending, typeof Ending]
  | [Family, typeof Family]
  | [MatchState, typeof MatchState]
  | [OptionType, typeof OptionType]
  | [PackSource, typeof PackSource]
  | [Restriction, typeof Restriction]
  | [ScoreDirection, typeof ScoreDirection]
  | [Verdict, typeof Verdict]
  | [Waiting, typeof Waiting];

type WordOf<V, E = Enums> = E extends [infer N, infer Names] ? (V extends N ? Words<Names> : never) : never;

type NameOf<K> = Exclude<K, "$typeName" | "$unknown">;

/** The fields of a message. A message in it counts as there: the contract says where one may be absent. */
type PlainFields<M> = {
  readonly [K in keyof M as M[K] extends Message | undefined ? never : NameOf<K>]: Plain<NonNullable<M[K]>>;
} & {
  readonly [K in keyof M as M[K] extends Message | undefined ? NameOf<K> : never]-?: Plain<NonNullable<M[K]>>;
};

/** A message, or a value in one, as a plain value. */
export type Plain<V> = V extends Timestamp
  ? Date
  : V extends Duration
    ? number
    : V extends Shares
      ? readonly Share[]
      : V extends Status
        ? ChitarrellaError
        : V extends Match
          ? MatchDetails
          : V extends Message
            ? PlainFields<V>
            : V extends { readonly case: string | undefined; readonly value?: infer X }
              ? Plain<NonNullable<X>>
              : V extends readonly (infer I)[]
                ? readonly Plain<I>[]
                : V extends bigint
                  ? number
                  : V extends number
                    ? `${number}` extends `${V}`
                      ? number
                      : WordOf<V>
                    : V;

/** Converts a message. */
export function plain<D extends DescMessage>(desc: D, message: MessageShape<D>): Plain<MessageShape<D>> {
  return plainMessage(desc, message) as Plain<MessageShape<D>>;
}

function plainMessage(desc: DescMessage, message: Message): unknown {
  if (isMessage(message, TimestampSchema)) {
    return timestampDate(message);
  }
  if (isMessage(message, DurationSchema)) {
    return durationMs(message) / 1000;
  }
  if (isMessage(message, StatusSchema)) {
    return errorOfStatus(message);
  }
  const fields = plainFields(desc, message);
  if (isMessage(message, SharesSchema)) {
    return fields["shares"];
  }
  if (isMessage(message, MatchSchema)) {
    const view = fields["view"] ?? plain(ViewSchema, create(ViewSchema));
    return { ...fields, view, over: fields["state"] === "finished" || fields["state"] === "aborted" };
  }
  return fields;
}

function plainFields(desc: DescMessage, message: Message): Record<string, unknown> {
  const values = message as unknown as Readonly<Record<string, unknown>>;
  const members = desc.members.map((member) => {
    const value = values[member.localName];
    if (member.kind === "field") {
      return [member.localName, plainValue(member, value)];
    }
    const chosen = value as { readonly case?: string; readonly value?: unknown };
    const field = member.fields.find(({ localName }) => localName === chosen.case);
    return [member.localName, field && plainValue(field, chosen.value)];
  });
  return Object.fromEntries(members);
}

function plainValue(field: DescMessage["fields"][number], value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => plainValue(field, one));
  }
  if (field.enum) {
    return (field.enum.value[Number(value)]?.localName ?? "UNSPECIFIED").toLowerCase();
  }
  if (field.message && value !== undefined) {
    return plainMessage(field.message, value as Message);
  }
  return typeof value === "bigint" ? Number(value) : value;
}
