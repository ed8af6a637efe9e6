import { expect, test } from "vitest";

import { LONGEST_LINKED, pythonFragment, pythonInFragment } from "../../../src/ui/state/text/python-link.js";

test.each(["print(6 * 7)\n", "größe = '字' # 😀", "", "a" + "?>".repeat(LONGEST_LINKED / 2)])(
  "code comes back out of an address, case %#",
  (code) => {
    const { hash } = new URL(pythonFragment(code), "https://example.org/demo/");

    expect(pythonInFragment(hash)).toBe(code);
  },
);

test.each(["", "#", "#other", "#python=%%%", "#python=_w", `#python=${"A".repeat(4 * LONGEST_LINKED)}`])(
  "a fragment without code gives none, case %#",
  (fragment) => {
    expect(pythonInFragment(fragment)).toBeNull();
  },
);
