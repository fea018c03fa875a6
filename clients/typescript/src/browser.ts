/** The entry point for browsers: Connect and gRPC-Web over fetch. */

import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { checkUrl, object, oneOf, settings } from "./arguments.js";
import { Chitarrella } from "./client.js";
import { RetryingTransport, type Settings } from "./transport.js";

export * from "./index.js";

/** The settings of a connection from a browser. */
export interface Connecting extends Settings {
  /** The protocol. Default: Connect. */
  readonly protocol?: "connect" | "grpc-web";
  /** What makes the requests. Default: `fetch` of the browser. */
  readonly fetch?: typeof globalThis.fetch;
}

const CONNECTING = object<Connecting>({
  ...settings,
  protocol: oneOf("connect", "grpc-web"),
  fetch: () => {},
});

/** Returns a client of the service at a URL, such as `location.origin`; it connects with the first call. */
export function connect(url: string, connecting: Connecting = {}): Chitarrella {
  checkUrl(url);
  CONNECTING(connecting);
  const transport = connecting.protocol === "grpc-web" ? createGrpcWebTransport : createConnectTransport;
  const { fetch } = connecting;
  const options = { baseUrl: url, useBinaryFormat: true, ...(fetch ? { fetch } : {}) };
  return new Chitarrella(new RetryingTransport(transport(options), connecting));
}
