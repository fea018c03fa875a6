/** The line to the service: the stubs over one transport, and a call over it that is repeated where it was lost. */

import type { DescService } from "@bufbuild/protobuf";
import { type CallOptions, type Client, createClient, type Transport } from "@connectrpc/connect";
import { readError } from "./errors.js";
import { CatalogueService } from "./gen/chitarrella/v1/catalogue_pb.js";
import { MatchService } from "./gen/chitarrella/v1/matches_pb.js";
import { RulesService } from "./gen/chitarrella/v1/rules_pb.js";
import { pause, wait, wasLost } from "./retrying.js";

/** What a client has to know besides the way to the service; the same over every transport. */
export interface Settings {
  /** The key that `client.match` shows where no other is given. */
  readonly key?: string;
  /** The platform's key, where the service is not for everybody. */
  readonly apiKey?: string;
  /** In which language clauses and refusals are told, as Accept-Language has it: "en", "it", "de". */
  readonly language?: string;
  /** Milliseconds that one try of a call may take; 10 seconds if nothing is said, 0 for as long as it takes. */
  readonly timeoutMs?: number;
  /** How often a call that was lost is repeated; 4 times if nothing is said. */
  readonly retries?: number;
}

/** How one call is made. */
export interface Asking {
  /** The key that is shown; "" for the public. */
  readonly key?: string;
  /** Of a writing call: the name under which it is done once. */
  readonly requestId?: string;
  /** How often it is repeated, if other than the client's calls are. */
  readonly retries?: number;
}

/** Transports are made, and at the end let go, by the entry for Node or for browsers. */
export class Line {
  /** The stubs of the contract. */
  readonly catalogue: Client<typeof CatalogueService>;
  readonly rules: Client<typeof RulesService>;
  readonly matches: Client<typeof MatchService>;
  private readonly closing = new AbortController();

  /** Speaks over `transport`; `hangUp` lets go of its connections. */
  constructor(
    transport: Transport,
    readonly settings: Settings,
    private readonly hangUp: () => void = () => {},
  ) {
    const stub = <S extends DescService>(service: S) => createClient(service, transport);
    this.catalogue = stub(CatalogueService);
    this.rules = stub(RulesService);
    this.matches = stub(MatchService);
  }

  /** Aborted when the line is closed. */
  get closed(): AbortSignal {
    return this.closing.signal;
  }

  /** The headers that show who asks, and in which language. */
  headers(key: string): Record<string, string> {
    const { apiKey, language } = this.settings;
    return {
      ...(apiKey ? { "x-api-key": apiKey } : {}),
      ...(language ? { "accept-language": language } : {}),
      ...(key ? { authorization: `Bearer ${key}` } : {}),
    };
  }

  /** Makes a call and gives the answer; repeated with growing pauses where it was lost. */
  async ask<T>(call: (options: CallOptions) => Promise<T>, asking: Asking = {}): Promise<T> {
    const { key = "", requestId = "", retries = this.settings.retries ?? 4 } = asking;
    const timeoutMs = this.settings.timeoutMs ?? 10_000;
    const options: CallOptions = {
      headers: this.headers(key),
      signal: this.closed,
      ...(timeoutMs > 0 ? { timeoutMs } : {}),
    };
    for (let failures = 0; ; ) {
      try {
        return await call(options);
      } catch (problem) {
        const error = readError(problem, requestId);
        failures += 1;
        if (!wasLost(error) || failures > retries || this.closed.aborted) {
          throw error;
        }
      }
      await wait(pause(failures), this.closed);
    }
  }

  /** Hangs up; whatever is under way ends. */
  close(): void {
    this.closing.abort();
    this.hangUp();
  }
}
