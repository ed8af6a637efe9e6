/**
 * In the place of `vega-canvas`, which finds no canvas without a document. Without one Vega takes every letter for a wide one:
 * labels are cut, and legends lie far from their charts.
 */
export function canvas(width: number, height: number): OffscreenCanvas | null {
  return typeof OffscreenCanvas === "undefined" ? null : new OffscreenCanvas(width, height);
}

/** Pictures are not loaded, to be measured or for anything else. */
export function image(): null {
  return null;
}
