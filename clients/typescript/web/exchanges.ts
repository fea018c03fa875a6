/** Requests to the service with their answers, and programs that send one again. */

/** A request and what came of it. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON; absent for GET. */
  readonly body?: string;
  /** The status of the answer; 0 where the call was lost. */
  readonly status: number;
  /** The body of the answer; empty for a stream. */
  readonly answer: string;
}

/** The languages of the programs, as a list shows them. */
export const PROGRAM_LANGUAGES = ["curl", "Python", "TypeScript", "Go"] as const;

export type ProgramLanguage = (typeof PROGRAM_LANGUAGES)[number];

/** A program that sends a request; its only secret is the key in the header `authorization`. */
export function programFor(exchange: Exchange, language: ProgramLanguage): string {
  switch (language) {
    case "curl":
      return curl(exchange);
    case "Python":
      return python(exchange);
    case "TypeScript":
      return typescript(exchange);
    case "Go":
      return go(exchange);
  }
}

/** The program without the key, to be looked at. */
export function withoutKey(program: string): string {
  return program.replace(/(Bearer )[^'"]+/g, "$1KEY");
}

function curl({ method, url, headers, body }: Exchange): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const names = Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`);
  const parts = [`curl -sN -X ${method} ${quoted(url)}`, ...names, ...(body ? [`  -d ${quoted(body)}`] : [])];
  return parts.join(" \\\n");
}

// A JSON string is also a literal string of Python, of TypeScript and of Go.
const literal = (text: string) => JSON.stringify(text);

function python({ method, url, headers, body }: Exchange): string {
  const data = body ? `\n    data=${literal(body)}.encode(),` : "";
  return `from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    ${literal(url)},
    method=${literal(method)},
    headers=${JSON.stringify(headers)},${data}
)
try:
    answer = urlopen(request)
except HTTPError as error:
    answer = error
print(answer.status)
for line in answer:
    print(line.decode(), end="")`;
}

function typescript({ method, url, headers, body }: Exchange): string {
  const content = body ? `\n  body: ${literal(body)},` : "";
  return `const answer = await fetch(${literal(url)}, {
  method: ${literal(method)},
  headers: ${JSON.stringify(headers)},${content}
});
console.log(answer.status);
for await (const part of answer.body) {
  process.stdout.write(part);
}`;
}

function go({ method, url, headers, body }: Exchange): string {
  const names = Object.entries(headers).map(
    ([name, value]) => `\trequest.Header.Set(${literal(name)}, ${literal(value)})`,
  );
  return `package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	request, err := http.NewRequest(${literal(method)}, ${literal(url)}, strings.NewReader(${literal(body ?? "")}))
	if err != nil {
		log.Fatal(err)
	}
${names.join("\n")}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	log.Print(answer.Status)
	io.Copy(os.Stdout, answer.Body)
}`;
}
