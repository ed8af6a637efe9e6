import { describe, expect, test } from "vitest";

import { ClosedLoader } from "../../../worker/charts/closed-loader.js";

const PICTURE = "data:image/png;base64,iVBORw0KGgo=";

describe("the loader of charts", () => {
  test.each([
    ["http:", "http://127.0.0.1:1/data.json"],
    ["https:", "https://example.invalid/data.csv"],
    ["no scheme, of the page's own folder", "data/cars.json"],
    ["no scheme, of another host", "//example.invalid/data.json"],
    ["file:", "file:///etc/passwd"],
    ["data:", "data:application/json,[1]"],
    ["blob:", "blob:null/0"],
    ["javascript:", "javascript:alert(1)"],
  ])("refuses data from an address of %s, and says so", async (_scheme, address) => {
    for (const load of ["load", "http", "file", "sanitize"] as const) {
      const loader = new ClosedLoader();

      await expect(loader[load](address)).rejects.toThrow(`it wants data from ${address}`);
      expect(loader.fault?.message).toContain("charts here draw only what is in them");
    }
  });

  test("takes a picture of pixels that is in its own address, and no other", async () => {
    const loader = new ClosedLoader();

    expect(await loader.sanitize(PICTURE, { context: "image" })).toEqual({ href: PICTURE });
    expect(loader.fault).toBeUndefined();
    for (const address of [
      "https://example.invalid/a.png",
      "data:image/svg+xml,<svg/>",
      "data:text/html,x",
      ` ${PICTURE}`,
    ]) {
      await expect(new ClosedLoader().sanitize(address, { context: "image" })).rejects.toThrow(
        "it wants a picture from",
      );
    }
  });

  test("leaves links out, without refusing the chart", async () => {
    const loader = new ClosedLoader();

    await expect(loader.sanitize("https://example.invalid", { context: "href" })).rejects.toThrow();
    expect(loader.fault).toBeUndefined();
  });

  test("says what was asked for first, of a long address the beginning", async () => {
    const loader = new ClosedLoader();
    await loader.load(`https://example.invalid/${"x".repeat(100_000)}`).catch(() => undefined);
    await loader.load("https://second.invalid").catch(() => undefined);

    expect(loader.fault?.message).toMatch(/^it wants data from https:\/\/example\.invalid\/x+…, and/);
    expect(loader.fault?.message.length).toBeLessThan(300);
  });
});
