/** What `/client.js` is: it defines `<chitarrella-table>`. */

import { ChitarrellaTable } from "./table.js";

export { ChitarrellaTable } from "./table.js";

if (!customElements.get("chitarrella-table")) {
  customElements.define("chitarrella-table", ChitarrellaTable);
}
