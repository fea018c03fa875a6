/** What a browser loads until a table is shown, at the service and on a page of another site. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { create, type Scenario } from "./calls.js";

/** The bytes that are loaded until a table with its pictures is shown to who has never been here. */
async function weight(page: Page, url: string): Promise<unknown> {
  const { matchId, refereeKey } = await create(url, { gameId: "madrasso" });
  await page.goto(`${url}/play/#match=${matchId}&key=${refereeKey}`);
  await page
    .getByRole("button", { name: /can be played$/ })
    .first()
    .waitFor();
  await page.waitForFunction(() => {
    const root = document.querySelector("chitarrella-table")?.shadowRoot;
    return [...(root?.querySelectorAll("img") ?? [])].every((one) => one.complete && one.naturalWidth > 0);
  });
  const loaded = await page.evaluate(() => {
    const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return (entries as PerformanceResourceTiming[]).map(({ name, transferSize }) => [
      new URL(name).pathname,
      transferSize,
    ]);
  });
  return { loaded, elsewhere: await elsewhere(page, url, matchId) };
}

/** Shows the same table on a page of another site, which has one script. */
async function elsewhere(page: Page, url: string, match: string): Promise<unknown> {
  const script = `<script type="module" src="${url}/client.js"></script>`;
  const site = createServer((_, answer) => {
    answer.setHeader("content-type", "text/html").end(`${script}<chitarrella-table match="${match}">`);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  try {
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.getByRole("region", { name: "Table: Madrasso" }).waitFor();
    return await page.getByText("face down").count();
  } finally {
    site.close();
    site.closeAllConnections();
  }
}

/** The scenarios by name. */
export const LOADING: Readonly<Record<string, Scenario>> = { weight };
