/** The exports for Node and for browsers; the two entry points add `connect`. */

export { cardImage } from "./card_images.js";
export { Chitarrella, type CreateMatchOptions, type MatchFilter, type MatchOptions } from "./client.js";
export { ErrorCode, type Open, RefusalCode } from "./codes.js";
export { ChitarrellaError, MovesLost, Refused, StaleRevision, type Violation } from "./errors.js";
export { isFair } from "./fairness.js";
export type * from "./games.js";
export { cardOf } from "./games.js";
export { Match, type Playing, type Repeating, type Writing } from "./match.js";
export type { PlatformWatch, PlatformWatching } from "./platform_watch.js";
export type { MoveLike, PackSource, PartialPosition, PartialTrick, PositionLike, RuleSetLike } from "./requests.js";
export type * from "./responses.js";
export type { Rules, TrickOptions, Viewer } from "./rules.js";
export type { ClientSeed, Fairness, SeedResult, Shuffle, Shuffles } from "./shuffles.js";
export type { Settings } from "./transport.js";
export type * from "./types.js";
export { factOf, zoneOf } from "./types.js";
export type { Watch, Watching } from "./watch.js";
export type { CreatedWebhook, Delivery, DeliveryState, Webhook, Webhooks } from "./webhooks.js";
