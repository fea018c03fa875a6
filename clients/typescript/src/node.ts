/** The entry point for Node: Connect and gRPC-Web over HTTP/1.1 at the REST address, gRPC over HTTP/2 at its own. */

import * as http from "node:http";
import * as https from "node:https";
import type { Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import { checkUrl, object, oneOf, settings } from "./arguments.js";
import { Chitarrella } from "./client.js";
import { RetryingTransport, type Settings } from "./transport.js";

export * from "./index.js";

/** The certificates of a TLS connection, in PEM. */
export interface Tls {
  /** The trusted certificates, instead of those of Node. */
  readonly ca?: string | Uint8Array;
  /** The client's certificate, and its key. */
  readonly cert?: string | Uint8Array;
  readonly key?: string | Uint8Array;
}

/** The settings of a connection from Node. */
export interface Connecting extends Settings {
  /** The protocol. Default: Connect. */
  readonly protocol?: "connect" | "grpc-web" | "grpc";
  /** Only for a URL with "https". */
  readonly tls?: Tls;
}

interface Connection {
  readonly transport: Transport;
  readonly disconnect: () => void;
}

const pem = () => {};
const CONNECTING = object<Connecting>({
  ...settings,
  protocol: oneOf("connect", "grpc-web", "grpc"),
  tls: object<Tls>({ ca: pem, cert: pem, key: pem }),
});

/**
 * Returns a client of the service at a URL, whose scheme enables TLS; it connects with the first call.
 *
 * Connect and gRPC-Web are at the REST address of the service, gRPC has an address of its own.
 */
export function connect(url: string, connecting: Connecting = {}): Chitarrella {
  checkUrl(url);
  CONNECTING(connecting);
  const { protocol = "connect", tls = {} } = connecting;
  const { transport, disconnect } = protocol === "grpc" ? overHttp2(url, tls) : overHttp1(url, protocol, tls);
  return new Chitarrella(new RetryingTransport(transport, connecting, disconnect));
}

function certificates({ ca, cert, key }: Tls): { ca?: string | Buffer; cert?: string | Buffer; key?: string | Buffer } {
  const pem = (message?: string | Uint8Array) => (message instanceof Uint8Array ? Buffer.from(message) : message);
  return { ca: pem(ca), cert: pem(cert), key: pem(key) };
}

function overHttp2(url: string, tls: Tls): Connection {
  // Detects a dead peer, also while only watching.
  const pings = { pingIntervalMs: 20_000, pingTimeoutMs: 10_000 };
  const sessionManager = new Http2SessionManager(url, pings, certificates(tls));
  // After the events of this turn: without the manager, nobody handles the error of a connection that has just failed.
  const disconnect = () => void setImmediate(() => setImmediate(() => sessionManager.abort()));
  return { transport: createGrpcTransport({ baseUrl: url, sessionManager }), disconnect };
}

function overHttp1(url: string, protocol: "connect" | "grpc-web", tls: Tls): Connection {
  const encrypted = new URL(url).protocol === "https:";
  const agent = encrypted
    ? new https.Agent({ keepAlive: true, ...certificates(tls) })
    : new http.Agent({ keepAlive: true });
  const create = protocol === "connect" ? createConnectTransport : createGrpcWebTransport;
  const transport = create({ baseUrl: url, httpVersion: "1.1", nodeOptions: { agent } });
  return { transport, disconnect: () => agent.destroy() };
}
