/** A record that one page of the service leaves for the page `/records/`, in the storage of this window. */

const NAME = "chitarrella-record";

/** Leaves a record and goes to the page. */
export function passRecord(record: string, language: string): void {
  sessionStorage.setItem(NAME, record);
  location.assign(`../records/?language=${language}`);
}

/** Takes the record that was left; empty without one. */
export function takeRecord(): string {
  const record = sessionStorage.getItem(NAME) ?? "";
  sessionStorage.removeItem(NAME);
  return record;
}
