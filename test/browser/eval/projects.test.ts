import { describe, expect, test } from "vitest";

import { checkProject } from "../../../eval/projects/check-project.js";
import { evalProjects } from "../../../eval/projects/index.js";
import { applyChanges } from "../../../eval/projects/read-diff.js";

describe.each(evalProjects)("the checker of the project $name", (project) => {
  const { files, failing, fix, wrong } = project;

  test("rejects it as the agent finds it, for the tests that are named and for hidden ones", async () => {
    const problems = await checkProject(project, files);

    const failed = problems.filter(({ part }) => part === "tests");
    expect(failed.map((problem) => problem.test)).toEqual(failing);
    expect(problems.filter(({ part }) => part === "hidden tests").length).toBeGreaterThan(failing.length);
    expect(problems.filter(({ part }) => part === "diff")).toEqual([{ part: "diff", text: "nothing was changed" }]);
  });

  test("accepts the right solution", async () => {
    expect(await checkProject(project, applyChanges(files, fix))).toEqual([]);
  });

  // The others: `npm run test:projects`.
  test.each(wrong.slice(0, 1))("rejects it where $mistake", async ({ changes, rejectedBy }) => {
    const problems = await checkProject(project, applyChanges(files, changes));

    expect([...new Set(problems.map(({ part }) => part))]).toEqual(rejectedBy);
  });
});
