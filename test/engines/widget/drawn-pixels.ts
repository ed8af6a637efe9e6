import type { EnginePage } from "../drivers/index.js";

/**
 * How many pixels of an element's box have a colour, as the tab shows it: into a frame without an origin nothing else looks.
 *
 * @param element - an expression for it. It must be in view.
 * @param colour - red, green and blue, to which a pixel is near.
 * @param part - of the box's height that is looked at, from its top. Default: all of it.
 */
export async function pixelsOf(
  page: EnginePage,
  element: string,
  { colour, from = 0 }: { readonly colour: readonly number[]; readonly from?: number },
): Promise<number> {
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
