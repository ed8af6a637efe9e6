import type { PendingRow } from "./conformance-case.js";

const rows = (ids: string, reason: string): PendingRow[] => ids.split(" ").map((id) => ({ id, reason }));

/** Rows that are not run as data here. */
export const pendingRows: readonly PendingRow[] = [
  ...rows("B25", "the message with seven tools is tried in test/unit/tools/registry.test.ts"),
  ...rows("B28", "registering is the page's: test/unit/tools/registry.test.ts"),
  ...rows("B30", "the view is the registry's, which no code of a session makes: test/unit/tools/registry.test.ts"),
  ...rows("B31", "middleware is the page's: test/browser/session/calls.test.ts"),
  ...rows("E33", "files of a storage: test/unit/skills/skill-library.test.ts"),
  ...rows("E37", "the score is not promised yet; that a search finds something is tried in test/unit/skills/skill-library.test.ts"),
  ...rows("E39", "the hash is the page's: test/unit/skills/skill-library.test.ts"),
  ...rows("E40", "the page's facade; no single test has been matched to the whole row"),
  ...rows("F8", "either is allowed; the type wins here"),
  ...rows("G3 G5", "specifications are tried in test/unit/deps/deps-store.test.ts"),
  ...rows("G7 G8 G9 G10 G11", "need a folder of wheels: test/browser/session/deps.test.ts"),
];
