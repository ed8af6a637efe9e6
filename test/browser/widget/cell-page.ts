import { expect, vi } from "vitest";

import { VitrineCell } from "../../../src/ui/widget/cell/cell-element.js";
import { defineCell } from "../../../src/ui/widget/cell/define-cell.js";
import { untilShown } from "../../timeouts.mjs";

export { VitrineCell };

/** Puts `html` into the page. Cells in it that are near what is seen have drawn themselves. */
export async function show(html: string): Promise<HTMLElement> {
  defineCell();
  const place = document.createElement("main");
  place.innerHTML = html;
  document.body.append(place);
  const near = [...place.querySelectorAll("vitrine-cell:not([hidden])")].filter(
    (cell) => cell.getBoundingClientRect().top < innerHeight,
  );
  await until(() => expect(near.every((cell) => cell.shadowRoot !== null)).toBe(true));
  return place;
}

/** Cells draw once for all changes of one go. */
export async function drawn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

export async function showCell(html: string): Promise<VitrineCell> {
  return cellIn(await show(html));
}

export function cellIn(place: ParentNode, selector = "vitrine-cell"): VitrineCell {
  const cell = place.querySelector(selector);
  if (!(cell instanceof VitrineCell)) throw new Error(`There is no ${selector}.`);
  return cell;
}

export function partsOf(cell: HTMLElement, name: string): HTMLElement[] {
  const found = cell.shadowRoot?.querySelectorAll<HTMLElement>(`[part~="${name}"]`) ?? [];
  return [...found].filter((each) => each.getClientRects().length > 0);
}

export function partOf(cell: HTMLElement, name: string): HTMLElement {
  const [part] = partsOf(cell, name);
  if (part === undefined) throw new Error(`The element shows no ${name}.`);
  return part;
}

export function statusOf(cell: HTMLElement): string {
  return partsOf(cell, "status")[0]?.textContent ?? "";
}

export function messagesOf(cell: HTMLElement): string[] {
  return partsOf(cell, "message").map(({ textContent }) => textContent);
}

export async function until(check: () => void): Promise<void> {
  await vi.waitFor(check, untilShown);
}
