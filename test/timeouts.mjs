// How long the tests wait before they call something lost: all such limits, in one place. A limit that is reached says that
// something hangs, and never that a machine is slow, so each is some ten times what its work takes on two idle cores. A
// timeout that is what a test is about (a run of 200 ms that must be stopped) stands in that test.
//
// Each is shorter than those around it, so that what gives up first is what can say what it waited for:
// SHOWS < ANSWERS < TEST < LONG_TEST < SUITE.

/** For what the page does at once, or with one call: `expect.poll`, `vi.waitFor`, Playwright's `expect`. */
export const SHOWS = 60_000;

/** For what an interpreter, a model's replies or a browser have to bring about: a demo that is ready, a task's answer. */
export const ANSWERS = 180_000;

/** Limits of runs, models and tools in tests that are not about them: as much as the tests' own waits. */
export const RUN = 180_000;

/** One test, and each hook around one. */
export const TEST = 300_000;

/** A test or hook that does the work of many: a build, a whole batch of attempts, all documents there are. */
export const LONG_TEST = 900_000;

/** A suite that is one command of `npm test`, and one engine's share of such a suite: half of the time that CI has. */
export const SUITE = 2_700_000;

/** For a browser or a process that is asked to close, before it is killed. */
export const CLOSING = 5_000;

/** For `vi.waitFor` and `vi.waitUntil`, which otherwise give up after a second. */
export const untilShown = { timeout: SHOWS, interval: 50 };

/** The same for what takes an interpreter. */
export const untilAnswered = { timeout: ANSWERS, interval: 50 };
