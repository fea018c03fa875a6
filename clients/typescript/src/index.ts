/** What the client is for Node and for browsers alike; the two entries add `connect`. */

export type * from "./answers.js";
export type * from "./catalogue.js";
export { type Beginning, Chitarrella, type Opening } from "./client.js";
export { ErrorCode, type Open, RefusalCode } from "./codes.js";
export { ChitarrellaError, Refused, StaleRevision, type Violation } from "./errors.js";
export { isFair } from "./fairness.js";
export type { Settings } from "./line.js";
export { Match, type Playing, type Writing } from "./match.js";
export { picture } from "./pictures.js";
export type { Agreed, MoveLike, Packs } from "./requests.js";
export type { Eyes, Rules } from "./rules.js";
export type * from "./table.js";
export { factOf, pileOf } from "./table.js";
export type { Watch, Watching } from "./watch.js";
