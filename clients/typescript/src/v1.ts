/** The messages, enums and services of the contract, for what the client does not say in words of its own. */

export * from "./gen/chitarrella/v1/catalogue_pb.js";
export * from "./gen/chitarrella/v1/matches_pb.js";
export * from "./gen/chitarrella/v1/rules_pb.js";
export * from "./gen/chitarrella/v1/table_pb.js";
