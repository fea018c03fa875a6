/** The exports for Node and for browsers; the two entry points add `connect`. */

export { Chitarrella, type CreateMatchOptions, type MatchFilter, type MatchOptions } from "./client.js";
export type { MoveLike, PackSource, PartialPosition, PartialTrick, PositionLike, RuleSetLike } from "./converters.js";
export {
  ChitarrellaError,
  ErrorCode,
  errorOfStatus,
  MovesLost,
  type Open,
  RefusalCode,
  Refused,
  StaleRevision,
  type Violation,
} from "./errors.js";
export {
  type Bot,
  Match,
  type MatchChanges,
  type Playing,
  type Repeating,
  type TakingBack,
  type Writing,
} from "./match.js";
export type * from "./responses.js";
export type { Rules, Viewer } from "./rules.js";
export type { ClientSeed, Fairness, Shuffle, Shuffles } from "./shuffles.js";
export { isFair } from "./shuffles.js";
export type { Settings } from "./transport.js";
export type * from "./types.js";
export { cardImage, cardOf, eventByKind, factOf, zoneOf } from "./types.js";
export type { PlatformWatch, PlatformWatching, Watch, Watching } from "./watch.js";
export type {
  CreatedWebhook,
  CreatingWebhook,
  Delivery,
  DeliveryState,
  EventType,
  Webhook,
  Webhooks,
} from "./webhooks.js";
