/** What all scripts of the pages have in common. It is one script, `/shared.js`, which the others import. */

export * from "./dom.js";
export * from "./names.js";
export * from "./service.js";
export * from "./words.js";
