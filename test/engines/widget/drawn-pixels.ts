import type { EnginePage } from "../drivers/index.js";

/** Colours of what the pages draw. */
const BARS = [208, 0, 255];
const ROWS = [0, 200, 83];

/** @returns what is not as it must be of the chart in a frame. */
export async function showsBars(page: EnginePage, frame: string): Promise<readonly string[]> {
  const bars = await seen(page, frame, { colour: BARS });
  return bars > 5000 ? [] : [`the chart shows ${String(bars)} pixels of its bars`];
}

/** @param from - where in the frame it is looked for, as a part of its height. */
export async function showsRows(page: EnginePage, frame: string, from = 0): Promise<readonly string[]> {
  const rows = await seen(page, frame, { colour: ROWS, from });
  return rows > 5000 ? [] : [`the HTML shows ${String(rows)} pixels of its table`];
}

interface Look {
  /** Red, green and blue, to which a pixel is near. */
  readonly colour: readonly number[];
  /** Where in the box it begins, as a part of its height from its top. */
  readonly from?: number;
}

/** Pixels of a colour in a frame, which is brought into view and may take some time to show what is in it. */
async function seen(page: EnginePage, frame: string, look: Look): Promise<number> {
  await page.evaluate(`${frame}.scrollIntoView({ block: "center", behavior: "instant" })`);
  let count = 0;
  for (let looks = 0; looks < 20 && count === 0; looks += 1) {
    // Until the next frames of the tab are there.
    await page.evaluate("new Promise((go) => requestAnimationFrame(() => setTimeout(go, 100)))");
    count = await pixelsOf(page, frame, look);
  }
  return count;
}

/**
 * How many pixels of an element's box have a colour, as the tab shows it: into a frame without an origin nothing else looks.
 */
async function pixelsOf(page: EnginePage, element: string, { colour, from = 0 }: Look): Promise<number> {
  const image = Buffer.from(await page.screenshot()).toString("base64");
  const found = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(image)}), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const scale = bitmap.width / innerWidth;
    const box = (${element}).getBoundingClientRect();
    const top = Math.max(0, box.top + box.height * ${String(from)});
    const [left, width, height] = [box.left, box.width, Math.min(box.bottom, innerHeight) - top];
    const canvas = new OffscreenCanvas(Math.max(1, width * scale), Math.max(1, height * scale));
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, -left * scale, -top * scale);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const wanted = ${JSON.stringify(colour)};
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (wanted.every((value, index) => Math.abs(data[at + index] - value) < 24)) count += 1;
    }
    return Math.round(count / scale / scale);
  })()`);
  return Number(found);
}
