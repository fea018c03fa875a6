/** The picture of the README: a table on which a card is refused, and how far the one in the repository is from it. */

import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";

const TAKEN = "build/web/table.png";
const KEPT = "../../docs/table.png";
/** Pictures are compared when they are so wide, so that a line that is drawn otherwise by a pixel does not count. */
const WIDTH = 100;

/** Takes the picture of a table; gives the mean difference of a pixel, of 255, from the picture in the repository. */
export async function takePicture(page: Page, address: string): Promise<number> {
  await page.setViewportSize({ width: 760, height: 900 });
  await page.goto(address);
  const cards = page.locator(".own").getByRole("button", { name: / of [a-z]+$/ });
  await cards.nth(1).click();
  await page.getByRole("alert").filter({ hasText: "Not allowed" }).waitFor();
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.locator("chitarrella-table").screenshot({ path: TAKEN });
  const [taken, kept] = await Promise.all([TAKEN, KEPT].map((path) => readFile(path, "base64")));
  await page.goto("about:blank");
  return page.evaluate(
    async ([one, other, width]) => {
      const pixels = async (png: string) => {
        const image = new Image();
        image.src = `data:image/png;base64,${png}`;
        await image.decode();
        const height = Math.round((image.height * width) / image.width);
        const context = new OffscreenCanvas(width, height).getContext("2d");
        context?.drawImage(image, 0, 0, width, height);
        return context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
      };
      const [first, second] = await Promise.all([pixels(one), pixels(other)]);
      const sum = first.reduce((all, value, place) => all + Math.abs(value - (second[place] ?? 0)), 0);
      return sum / first.length;
    },
    [taken ?? "", kept ?? "", WIDTH] as const,
  );
}
