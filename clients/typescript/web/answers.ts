/** The answers of the page `/ask/`: the sentences to be cited, and every move with the clauses in full. */

import { type Answers, Citation, type Naming, scoreText } from "./citation.js";
import type { ExplainedMove } from "./contract.js";
import { button, copyText, make } from "./dom.js";
import { reasonText } from "./names.js";
import type { Question } from "./question.js";
import { fill, termOf } from "./words.js";

/** The elements that show `answers`. */
export function answerElements(question: Question, answers: Answers, naming: Naming): HTMLElement[] {
  const { words } = naming;
  const { explained = [], resolved, counted } = answers;
  const index = resolved?.winningIndex;
  const winner = index === undefined ? undefined : question.cards.trick[index];
  const takes = winner && fill(words.takesTrick, { card: naming.card(winner) });
  const trick = resolved && [takes, scoreText(resolved.scores, words), dependence(resolved.dependsOn, naming)];
  const taken = counted && [`${words.taken}: ${scoreText(counted, words)}`];
  const lines = [trick, taken].filter((line) => line !== undefined);
  const citation = new Citation(question, answers, naming).element();
  return [
    ...(citation ? [quotation(citation, naming)] : []),
    ...explained.map((one) => explanation(one, naming)),
    ...lines.map((line) => make("p", {}, line.filter(Boolean).join(". "))),
  ];
}

/** The sentences with a button that copies them, with the address of the question. */
function quotation(citation: HTMLElement, { words }: Naming): HTMLElement {
  const copy = button("copy answer", words.copyAnswer, async () => {
    await copyText(`${citation.textContent}\n${location.href}`);
    copy.textContent = words.copied;
  });
  return make("div", { class: "quotation" }, citation, copy);
}

function explanation(one: ExplainedMove, naming: Naming): HTMLElement {
  const { words } = naming;
  const { refusals, dependsOn } = one;
  const reasons = refusals.map((refusal) => {
    const { clause, page } = refusal;
    const link = make("a", { href: naming.page(page) }, fill(words.clause, { key: clause.key }));
    const message = reasonText(refusal, (code) => naming.card(code));
    return make("blockquote", {}, make("strong", {}, message), " ", clause.text, " ", link);
  });
  const result = refusals.length ? (dependsOn.length ? words.mayBeRefused : words.refused) : words.legal;
  const rest = `: ${result}${dependence(dependsOn, naming, ". ")}`;
  return make("div", {}, make("p", {}, make("strong", {}, naming.move(one)), rest), ...reasons);
}

function dependence(parts: readonly string[], { words }: Naming, before = ""): string {
  const names = parts.map((part) => termOf(words, part)).join(", ");
  return parts.length ? before + fill(words.dependsOn, { parts: names }) : "";
}
