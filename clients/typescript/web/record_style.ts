/** The style of a record, beside that of a table. */

const RULES = `
.record:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.steps { display: flex; flex-wrap: wrap; gap: .35rem; align-items: center; margin: .4rem 0; }
.steps button { min-height: 2.75rem; min-width: 2.75rem; padding: 0 .5rem; border: 2px solid var(--ink); border-radius: .4rem;
  background: var(--paper); color: var(--ink); font: inherit; cursor: pointer; }
.steps button svg { display: block; width: 1.2rem; height: 1.2rem; margin: auto; fill: currentColor; }
.steps button[aria-disabled="true"] { opacity: .5; cursor: default; }
.steps label { display: flex; flex: 1 1 10rem; gap: .5rem; align-items: center; min-width: 0; }
.steps input { flex: 1; min-width: 4rem; min-height: 1.5rem; accent-color: var(--accent); }
.events { background: var(--paper); color: var(--ink); border-radius: .4rem; padding: .3rem .6rem; margin-bottom: .6rem;
  height: 6.4rem; overflow-y: auto; }
.zone:is([data-zone="stock"], [data-zone="pack"]) .card { width: 1.9rem; min-height: 0; }
.invalid { background: var(--paper); color: var(--ink); border: 3px solid #b3261e; border-radius: .5rem; padding: .6rem;
  margin-bottom: .6rem; }
.invalid:empty { display: none; }
.invalid a { color: #0b4fa0; display: inline-block; min-height: 1.5rem; }
.invalid pre { margin: .3rem 0; overflow-x: auto; font-size: .85rem; }
`;

/** The style rules, which every record on a page shares. */
export function recordStyle(): CSSStyleSheet {
  const rules = new CSSStyleSheet();
  rules.replaceSync(RULES);
  return rules;
}
