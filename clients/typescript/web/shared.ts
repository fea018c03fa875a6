/** What more than one script of the pages has. It is one script, `/shared.js`, which the others import. */

export * from "./board.js";
export * from "./dom.js";
export * from "./form.js";
export * from "./names.js";
export * from "./record_text.js";
export * from "./replay.js";
export * from "./service.js";
export * from "./state.js";
export * from "./words.js";
