/** The entry for Node: Connect and gRPC-Web over HTTP/1.1 at the REST address, gRPC over HTTP/2 at its own. */

import * as http from "node:http";
import * as https from "node:https";
import type { Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import { Chitarrella } from "./client.js";
import { Line, type Settings } from "./line.js";

export * from "./index.js";

/** What the other side has to prove, and what is proved to it; PEM. */
export interface Tls {
  /** The certificates that are trusted, instead of those that Node brings along. */
  readonly ca?: string | Uint8Array;
  /** The client's own certificate, and its key. */
  readonly cert?: string | Uint8Array;
  readonly key?: string | Uint8Array;
}

/** How a program in Node connects. */
export interface Connecting extends Settings {
  /** What is spoken; Connect if nothing is said. */
  readonly protocol?: "connect" | "grpc-web" | "grpc";
  /** For a URL that begins with "https": what is other than usual. */
  readonly tls?: Tls;
}

interface Way {
  readonly transport: Transport;
  readonly hangUp: () => void;
}

/**
 * Makes a client of the service at a URL, whose scheme says whether TLS is spoken; it connects with the first call.
 *
 * Connect and gRPC-Web are at the REST address of the service, gRPC has an address of its own.
 */
export function connect(url: string, connecting: Connecting = {}): Chitarrella {
  const { protocol = "connect", tls = {} } = connecting;
  const { transport, hangUp } = protocol === "grpc" ? overHttp2(url, tls) : overHttp1(url, protocol, tls);
  return new Chitarrella(new Line(transport, connecting, hangUp));
}

function certificates({ ca, cert, key }: Tls): { ca?: string | Buffer; cert?: string | Buffer; key?: string | Buffer } {
  const pem = (said?: string | Uint8Array) => (said instanceof Uint8Array ? Buffer.from(said) : said);
  return { ca: pem(ca), cert: pem(cert), key: pem(key) };
}

function overHttp2(url: string, tls: Tls): Way {
  // Who watches sends nothing: a peer that is gone without a word is noticed by pings.
  const pings = { pingIntervalMs: 20_000, pingTimeoutMs: 10_000 };
  const sessionManager = new Http2SessionManager(url, pings, certificates(tls));
  return { transport: createGrpcTransport({ baseUrl: url, sessionManager }), hangUp: () => sessionManager.abort() };
}

function overHttp1(url: string, protocol: "connect" | "grpc-web", tls: Tls): Way {
  const secure = new URL(url).protocol === "https:";
  const agent = secure
    ? new https.Agent({ keepAlive: true, ...certificates(tls) })
    : new http.Agent({ keepAlive: true });
  const create = protocol === "connect" ? createConnectTransport : createGrpcWebTransport;
  const transport = create({ baseUrl: url, httpVersion: "1.1", nodeOptions: { agent } });
  return { transport, hangUp: () => agent.destroy() };
}
