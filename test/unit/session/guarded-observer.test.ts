import { expect, test } from "vitest";

import type { ObserveTool } from "../../../src/session/index.js";
import { guardedObserver } from "../../../src/session/calls/guarded-observer.js";
import { ProblemReports } from "../../../src/session/calls/problem-reports.js";

const failing =
  (where: "called" | "returned" | "failed"): ObserveTool =>
  () => {
    const fail = (at: string) => (): void => {
      if (at === where) throw new Error(`at ${at}`);
    };
    fail("called")();
    return { returned: fail("returned"), failed: fail("failed") };
  };

test.each(["called", "returned", "failed"] as const)(
  "a listener that fails when a call has %s breaks no call",
  (where) => {
    const reported: unknown[] = [];
    const reports = new ProblemReports((error) => reported.push(error));
    const observe = guardedObserver(failing(where), (listener) => reports.guarded(listener));

    const heard = observe?.({ name: "mail", arguments: {} });
    heard?.returned(1);
    heard?.failed(new Error("the tool's"));

    expect(reported).toMatchObject([{ message: `at ${where}` }]);
  },
);
