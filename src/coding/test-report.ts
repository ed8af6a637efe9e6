import { z } from "zod";

/** Milliseconds for all tests of a call, where it says nothing else, and at most. */
export const DEFAULT_TIMEOUT = 60_000;
export const LONGEST_TIMEOUT = 600_000;

export const TestInput = z.strictObject({
  targets: z
    .array(z.string().min(1).max(1024))
    .max(100)
    .default([])
    .describe(
      "Files, folders, or single tests: tests/test_a.py::Case::test_b, or as `failed` names them. Default: all.",
    ),
  framework: z
    .enum(["auto", "unittest", "pytest"])
    .default("auto")
    .describe("auto: pytest where the project is set up for it, else unittest."),
  timeout_ms: z.int().min(1).max(LONGEST_TIMEOUT).default(DEFAULT_TIMEOUT),
});

/** What came of tests. */
export const TestReport = z.object({
  framework: z.enum(["unittest", "pytest"]),
  ran: z.int(),
  passed: z.int(),
  skipped: z.int(),
  failed: z.array(z.object({ test: z.string(), reason: z.string() })),
  more: z.int().describe("Failed tests that are not listed."),
  output: z.string().describe("What the tests printed, its end."),
});
export type TestReport = z.infer<typeof TestReport>;

export type TestInput = z.output<typeof TestInput>;
