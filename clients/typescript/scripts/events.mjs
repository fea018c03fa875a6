/** Writes src/gen/events.ts from the texts of the service: every kind of event, with the fields that it may have. */

import { readFileSync, writeFileSync } from "node:fs";

const texts = new URL("../../../service/chitarrella/i18n/locale/en.json", import.meta.url);
const kinds = Object.entries(JSON.parse(readFileSync(texts, "utf8"))["event kinds"]);
const lines = kinds.map(
  ([kind, [fields, when]]) => `  /** ${when} */\n  ${kind}: ${JSON.stringify(fields.match(/\w+/g) ?? [])},\n`,
);
writeFileSync(
  new URL("../src/gen/events.ts", import.meta.url),
  `export const EVENT_FIELDS = {\n${lines.join("")}} as const;\n`,
);
