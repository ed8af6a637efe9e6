import { expect, test } from "vitest";

import { addressWarning, webAddress } from "../../../src/ui/drawing/web-address.js";

test.each(["https://shop.example/login", "http://127.0.0.1:8000/"])("%s can be opened", (text) => {
  expect(webAddress(text)?.href).toBe(text);
});

test.each(["javascript:alert(1)", "data:text/html,hello", "file:///etc/passwd", "/login", ""])(
  "%s cannot be opened",
  (text) => {
    expect(webAddress(text)).toBeNull();
  },
);

test("what may mislead about an address is said", () => {
  const warning = (text: string): string => addressWarning(new URL(text));

  expect(warning("https://shop.example/")).toBe("");
  expect(warning("http://shop.example/")).toBe("The connection to it is not encrypted.");
  expect(warning("https://sh\u043ep.example/")).toBe("Letters of its name may look like others.");
  expect(warning("https://shop.example@evil.example/")).toContain("What stands before the @");
});
