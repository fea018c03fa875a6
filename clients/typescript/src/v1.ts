/** The messages, enums and services of the contract. */

export * from "./gen/chitarrella/v1/catalogue_pb.js";
export * from "./gen/chitarrella/v1/match_pb.js";
export * from "./gen/chitarrella/v1/match_play_pb.js";
export * from "./gen/chitarrella/v1/match_requests_pb.js";
export * from "./gen/chitarrella/v1/matches_pb.js";
export * from "./gen/chitarrella/v1/position_pb.js";
export * from "./gen/chitarrella/v1/questions_pb.js";
export * from "./gen/chitarrella/v1/rules_pb.js";
export * from "./gen/chitarrella/v1/table_pb.js";
export * from "./gen/chitarrella/v1/webhooks_pb.js";
