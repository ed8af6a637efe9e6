import { expect, test } from "vitest";

import { seconds, wordsOfPhase, wordsOfVersions } from "../../../../src/ui/widget/shared/words.js";

test("each phase has words, and what is loaded its megabytes", () => {
  expect(wordsOfPhase({ kind: "loading-python", loaded: 3_900_000, total: 6_300_000 })).toEqual({
    text: "Loading Python",
    detail: ", 3.9 of 6.3 MB",
    progress: 3.9 / 6.3,
  });
  expect(wordsOfPhase({ kind: "loading-python", loaded: 3_900_000, total: undefined })).toEqual({
    text: "Loading Python",
    detail: ", 3.9 MB",
  });
  expect(wordsOfPhase({ kind: "loading-python", loaded: 7_000_000, total: 6_300_000 })).toEqual({
    text: "Loading Python",
    detail: ", 7.0 MB",
  });
  expect(wordsOfPhase({ kind: "installing", packages: ["numpy", "pandas"] }).text).toBe("Installing numpy, pandas");
  expect(wordsOfPhase({ kind: "loading-files", names: ["a", "b", "c", "d"] }).text).toBe("Loading 4 files");
  expect(wordsOfPhase({ kind: "waiting", reason: "other-cells" }).text).toBe("Waiting for other cells");
});

test("times are for people", () => {
  expect([3, 42, 340, 12_340].map(seconds)).toEqual(["under 0.01 s", "0.04 s", "0.3 s", "12.3 s"]);
});

test("two versions are named in their order", () => {
  expect(wordsOfVersions("0.10.0", ["0.9.1"])).toBe(
    "This page loads Vitrine 0.9.1 and 0.10.0. The cells are run by 0.10.0, which came first.",
  );
  expect(wordsOfVersions("0.1.0", ["0.3.0", "0.2.0"])).toBe(
    "This page loads Vitrine 0.1.0, 0.2.0 and 0.3.0. The cells are run by 0.1.0, which came first.",
  );
});
