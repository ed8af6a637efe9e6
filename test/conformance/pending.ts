import type { PendingRow } from "./conformance-case.js";

const rows = (ids: string, reason: string): PendingRow[] => ids.split(" ").map((id) => ({ id, reason }));

/** Rows that are not run as data here. */
export const pendingRows: readonly PendingRow[] = [
  ...rows("B25", "the message with seven tools is tried in test/unit/tools/registry.test.ts"),
  ...rows("B28", "registering is the page's: test/unit/tools/registry.test.ts"),
  ...rows("B30", "a session has no scope yet; the registry's view is tried in test/unit/tools/registry.test.ts"),
  ...rows("B31", "middleware is the page's: test/browser/session/calls.test.ts"),
  ...rows("E33", "files of a storage: test/unit/skills/skill-library.test.ts"),
  ...rows("E37", "the ranking is not promised yet"),
  ...rows("E39", "the hash is the page's: test/unit/skills/skill-library.test.ts"),
  ...rows("E40", "the page's facade: test/unit/skills/skill-library.test.ts"),
  ...rows("F8", "either is allowed; the type wins here"),
  ...rows("G3 G5", "specifications are tried in test/unit/deps/deps-store.test.ts"),
  ...rows("G7 G8 G9 G10 G11", "needs a folder of wheels: test/browser/session/deps.test.ts"),
];

/** Every row of spec/py-code-mode-cases.md. */
export const allRows: readonly string[] = [
  "A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A19 A21 A22 A24 A25 A26 A27 A28 A29 A31 A32 A33 A35 A36 A37 A40 A41 A42 A43 A44",
  "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 B15 B16 B17 B18 B19 B20 B22 B23 B24 B25 B26 B27 B28 B29 B30 B31",
  "C1 C2 C3 C4 C5 C8 C9 C10 C11 C12 C14 C15 C16 C17 C18 C19 C20",
  "D1 D2 D5 D6 D7 D8 D9 D10 D11 D12 D13",
  "E1 E2 E3 E4 E5 E6 E7 E8 E9 E10 E11 E12 E13 E14 E15 E16 E17 E18 E19 E22 E23 E24 E25 E26 E28 E29 E30 E31 E33 E34 E35 E36 E37 E38 E39 E40",
  "F1 F2 F3 F4 F6 F7 F8 F9 F10 F11 F12 F13 F14 F15 F16 F17 F18 F20 F21 F22 F23 F25 F26",
  "G1 G2 G3 G4 G5 G6 G7 G8 G9 G10 G11",
  "H1 H2 H3 H4 H5 H6 H7",
].flatMap((section) => section.split(" "));
