import { afterEach, describe, expect, test, vi } from "vitest";

import { sparePolicyHere } from "../../../src/executor/hosts/spare-policy.js";

const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const PHONES = [
  "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
];

/** As if this were a page with such a navigator, in a window of its own or in another page. */
function standIn(navigator: object, { isEmbedded = false } = {}): void {
  const window = {};
  vi.stubGlobal("navigator", navigator);
  vi.stubGlobal("window", Object.assign(window, { parent: isEmbedded ? {} : window }));
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the spare that suits the place", () => {
  test("is one on a desktop, whether or not its browser tells the memory", () => {
    standIn({ userAgent: DESKTOP });
    expect(sparePolicyHere()).toBe("one");

    standIn({ userAgent: DESKTOP, deviceMemory: 8, userAgentData: { mobile: false } });
    expect(sparePolicyHere()).toBe("one");
  });

  test.each([
    [0.25, "none"],
    [2, "none"],
    [4, "one"],
    [8, "one"],
  ] as const)("with %s GB of memory is %s", (deviceMemory, expected) => {
    standIn({ userAgent: DESKTOP, deviceMemory });

    expect(sparePolicyHere()).toBe(expected);
  });

  test.each(PHONES)("is none on a phone: %s", (userAgent) => {
    standIn({ userAgent });

    expect(sparePolicyHere()).toBe("none");
  });

  test("goes by what the browser says of the device, where it does, and not by its name", () => {
    standIn({ userAgent: DESKTOP, userAgentData: { mobile: true } });
    expect(sparePolicyHere()).toBe("none");

    standIn({ userAgent: PHONES[0], userAgentData: { mobile: false } });
    expect(sparePolicyHere()).toBe("one");
  });

  test("is none inside another page", () => {
    standIn({ userAgent: DESKTOP, deviceMemory: 8 }, { isEmbedded: true });

    expect(sparePolicyHere()).toBe("none");
  });
});
