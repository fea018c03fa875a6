/** The fields of a form for the options of a game, made from the catalogue and its words. */

import type { Option, TableWords } from "./contract.js";
import { make } from "./dom.js";
import { label, spaced } from "./names.js";
import { fill, type Words } from "./words.js";

/** The value of the line of a list after which a number is asked for. */
const NUMBER = "#";

/** A list of words, a number between its bounds, or both. Its label is what the catalogue says of the option. */
export class OptionField {
  readonly element: HTMLElement;
  private readonly list: HTMLSelectElement | undefined;
  private readonly number: HTMLInputElement | undefined;

  /** `change` is called when the reader has chosen another value. */
  constructor(
    readonly option: Option,
    table: TableWords,
    words: Words,
    players: number,
    change: () => void = () => undefined,
  ) {
    const { choices, minimum, maximum } = option;
    const text = label(option.description);
    const lines = choices.map((value) => [value, table.choices[option.name]?.[value] ?? spaced(value)] as const);
    if (minimum !== undefined && table.seatOptions.includes(option.name)) {
      const last = Math.min(maximum ?? players, players - 1);
      const seats = Array.from({ length: last - minimum + 1 }, (_, place) => String(minimum + place));
      this.list = this.listOf([...lines, ...seats.map((seat) => [seat, fill(words.seat, { seat })] as const)], words);
    } else if (minimum !== undefined) {
      this.number = make("input", {
        type: "number",
        min: minimum,
        max: maximum,
        value: option.default,
        required: true,
      });
      this.list = choices.length ? this.listOf([...lines, [NUMBER, words.aNumber]], words) : undefined;
    } else {
      this.list = this.listOf(lines, words);
    }
    this.element = make("div", { class: "option" }, ...this.labelled(text));
    this.value = option.default;
    this.element.addEventListener("change", () => {
      this.showNumber();
      change();
    });
  }

  /** The value, as the service takes it. */
  get value(): string {
    const { list, number } = this;
    return list && list.value !== NUMBER ? list.value : (number?.value ?? "");
  }

  set value(value: string) {
    const { list, number, option } = this;
    if (list) {
      const isLine = [...list.options].some((line) => line.value === value);
      list.value = isLine ? value : number ? NUMBER : option.default;
    }
    if (number && list?.value !== value) {
      number.value = value;
    }
    this.showNumber();
  }

  /** The value is another than that which a match has without a choice. */
  get isChosen(): boolean {
    return this.value !== "" && this.value !== this.option.default;
  }

  /** What is chosen, in words. */
  get text(): string {
    const { list, option, value } = this;
    const line = list?.value === NUMBER ? undefined : list?.selectedOptions[0]?.textContent;
    return `${label(option.description)}: ${line ?? value}`;
  }

  private listOf(lines: readonly (readonly [string, string])[], words: Words): HTMLSelectElement {
    const items = lines.map(([value, text]) =>
      make("option", { value }, value === this.option.default ? `${text} (${words.default})` : text),
    );
    return make("select", {}, ...items);
  }

  private labelled(text: string): HTMLElement[] {
    const { list, number } = this;
    const first = list ?? number;
    const rest = list && number ? [number] : [];
    if (list && number) {
      number.setAttribute("aria-label", text);
    }
    return [make("label", {}, make("span", {}, text), first), ...rest];
  }

  /** The number is there only where it counts. */
  private showNumber(): void {
    const { list, number } = this;
    if (list && number) {
      number.hidden = list.value !== NUMBER;
      number.disabled = number.hidden;
      number.value ||= String(this.option.minimum ?? "");
    }
  }
}

/** The fields of all options of a game. */
export class OptionFields {
  private fields: readonly OptionField[] = [];
  readonly element = make("div");

  /** Shows the options for a number of players; values that were chosen before are kept where they still count. */
  show(
    options: readonly Option[],
    table: TableWords,
    words: Words,
    players: number,
    chosen: Readonly<Record<string, string>> = this.chosen,
    change?: () => void,
  ): void {
    this.fields = options.map((option) => new OptionField(option, table, words, players, change));
    for (const field of this.fields) {
      field.value = chosen[field.option.name] ?? field.option.default;
    }
    this.element.replaceChildren(...this.fields.map((field) => field.element));
  }

  /** The values that are not the usual ones, by name. */
  get chosen(): Record<string, string> {
    const chosen = this.fields.filter((field) => field.isChosen);
    return Object.fromEntries(chosen.map((field) => [field.option.name, field.value]));
  }

  /** The same in words. */
  get texts(): string[] {
    return this.fields.filter((field) => field.isChosen).map((field) => field.text);
  }
}
