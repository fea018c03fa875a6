/** The entry for browsers: Connect and gRPC-Web by fetch. */

import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { Chitarrella } from "./client.js";
import { Line, type Settings } from "./line.js";

export * from "./index.js";

/** How a browser connects. */
export interface Connecting extends Settings {
  /** What is spoken; Connect if nothing is said. */
  readonly protocol?: "connect" | "grpc-web";
}

/** Makes a client of the service at a URL, such as `location.origin`; it connects with the first call. */
export function connect(url: string, connecting: Connecting = {}): Chitarrella {
  const transport = connecting.protocol === "grpc-web" ? createGrpcWebTransport : createConnectTransport;
  return new Chitarrella(new Line(transport({ baseUrl: url, useBinaryFormat: true }), connecting));
}
