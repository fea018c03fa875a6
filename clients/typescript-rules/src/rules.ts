/** The rules in this process: the answers of the client's `Rules`, without a service. */

import { connect, type Rules } from "chitarrella-client/browser";
import { loadPyodide } from "pyodide";

/** The languages of sentences and clauses. */
export type Language = "en" | "it" | "de";

/** The settings of `loadRules`. */
export interface Loading {
  /** The language of sentences and clauses. Default: English. */
  readonly language?: Language;
  /** The URL of the folder with the files of Pyodide, with a slash at its end. Default: where its script comes from. */
  readonly pyodide?: string;
  /** The URL of the wheel. Default: `chitarrella.whl` beside this module. */
  readonly wheel?: string | URL;
  /** The URL of the runtime of Protocol Buffers. Default: `protobuf.zip` beside this module. */
  readonly protobuf?: string | URL;
  /** The URLs of wheels with games of other packages. Default: none. */
  readonly packages?: readonly (string | URL)[];
}

/** The questions that both this package and the client answer. */
export type StatelessRules = Pick<Rules, keyof Rules>;

/** Answers a call of a method with the message of a request: the HTTP status and the body of the response. */
type Answer = (method: string, request: Uint8Array) => { toJs(): [number, Uint8Array<ArrayBuffer>]; destroy(): void };

const OPEN = `
from chitarrella.transports.webassembly import LocalRules

def open_rules(language):
    rules = LocalRules(language)
    return lambda method, request: rules.answer(method, request.to_bytes())

open_rules`;

/**
 * Loads the rules; takes seconds the first time. They answer as `Chitarrella.rules` of the client: a position goes in, a
 * position comes out; nothing is kept. Throws if a file cannot be read, or a package cannot be served.
 */
export async function loadRules(loading: Loading = {}): Promise<StatelessRules> {
  const { language = "en", pyodide: indexURL, packages = [] } = loading;
  const { wheel = new URL("./chitarrella.whl", import.meta.url) } = loading;
  const { protobuf = new URL("./protobuf.zip", import.meta.url) } = loading;
  const [python, ...archives] = await Promise.all([
    loadPyodide(indexURL === undefined ? {} : { indexURL }),
    ...[wheel, protobuf, ...packages].map(read),
  ]);
  for (const bytes of archives) {
    python.unpackArchive(bytes, "wheel");
  }
  const answer: Answer = python.runPython(OPEN)(language);
  // The client calls a service over Connect, and the answer comes from this process.
  const local: typeof fetch = async (url, request) => {
    const method = new URL(String(url)).pathname.split("/").at(-1) ?? "";
    const answered = answer(method, request?.body as Uint8Array);
    const [status, body] = answered.toJs();
    answered.destroy();
    const type = status === 200 ? "application/proto" : "application/json";
    return new Response(body, { status, headers: { "content-type": type } });
  };
  return connect("http://localhost", { fetch: local, retries: 0, timeoutMs: 0 }).rules;
}

/** Reads a file beside this module: from the disk in Node, else from its server. */
async function read(url: string | URL): Promise<Uint8Array> {
  if (new URL(url, import.meta.url).protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return new Uint8Array(await readFile(new URL(url, import.meta.url)));
  }
  const answer = await fetch(url);
  if (!answer.ok) {
    throw new Error(`${url}: ${answer.status}`);
  }
  return new Uint8Array(await answer.arrayBuffer());
}
