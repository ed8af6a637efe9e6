import type { PendingRow } from "./conformance-case.js";

const rows = (ids: string, reason: string): PendingRow[] => ids.split(" ").map((id) => ({ id, reason }));

/** Rows that the engines' suite leaves to other tests. */
export const pendingRows: readonly PendingRow[] = [
  ...rows("B25", "the message with seven tools is tried in test/unit/tools/registry.test.ts"),
  ...rows("B28", "registering is the page's: test/unit/tools/registry.test.ts"),
  ...rows("B31", "middleware is the page's: test/browser/session/calls.test.ts"),
  ...rows("E33", "files of a storage: test/unit/skills/skill-library.test.ts"),
  ...rows("E37", "ranking by meaning is not built yet; by words: test/unit/skills/skill-library.test.ts"),
  ...rows("E39", "the hash is the page's: test/unit/skills/skill-library.test.ts"),
  ...rows("E40", "the page's facade: test/unit/skills/skill-library.test.ts"),
  ...rows("G3 G5", "specifications are tried in test/unit/deps/deps-store.test.ts"),
  ...rows(
    "G7 G8 G9 G10 G11",
    "these pages are given no wheels; with those of the test: test/browser/session/deps.test.ts",
  ),
];

/** Rows of exec-and-stubs.md about sessions of `exec_command`, which are not built yet. */
export const execSessionRows: readonly string[] =
  "X24 X25 X27 X29 X37 X38 X39 X40 X41 X42 X43 X45 X46 X47 X48 X49 X51 X52 X53 X54 X55 X56".split(" ");
