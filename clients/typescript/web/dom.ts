/** Makes elements of a page. Nothing is parsed as HTML, and no style is set by text. */

type Child = Node | string | false | undefined;

/** The attributes of an element; those that are undefined or false are left out, true is an empty one. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Makes an element with attributes and children. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter(isShown));
  return element;
}

/** Makes a button. `id` keeps the focus where the same button is made again. */
export function button(id: string, text: string, press: () => unknown, attributes: Attributes = {}): HTMLButtonElement {
  const element = make("button", { type: "button", "data-id": id, ...attributes }, text);
  element.addEventListener("click", press);
  return element;
}

/** Replaces what is in an element; the focus goes to the same button, else to the first one of `fallback`, else to the parent. */
export function replace(root: ShadowRoot, parent: HTMLElement, fallback: string, ...children: readonly Child[]): void {
  const focused = root.activeElement;
  const id = focused && parent.contains(focused) ? (focused.getAttribute("data-id") ?? "") : undefined;
  const open = new Set([...parent.querySelectorAll("details[open]")].map((one) => one.getAttribute("data-id")));
  parent.replaceChildren(...children.filter(isShown));
  for (const details of parent.querySelectorAll("details")) {
    details.open = open.has(details.getAttribute("data-id"));
  }
  if (id !== undefined) {
    const same = parent.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
    (same ?? parent.querySelector<HTMLElement>(fallback) ?? parent).focus();
  }
}

/** Copies a text; without a secure context by a selection, which browsers still allow. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = make("textarea", { readonly: true }, text);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

function isShown(child: Child): child is Node | string {
  return child !== undefined && child !== false && child !== "";
}
