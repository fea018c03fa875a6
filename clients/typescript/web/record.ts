/** What `/record.js` is: it defines `<chitarrella-record>`. */

import { ChitarrellaRecord } from "./record_element.js";

export { ChitarrellaRecord } from "./record_element.js";

if (!customElements.get("chitarrella-record")) {
  customElements.define("chitarrella-record", ChitarrellaRecord);
}
