import { describe, expect, test } from "vitest";

import { checkProject } from "../../../../eval/projects/check-project.js";
import { evalProjects } from "../../../../eval/projects/index.js";
import { applyChanges } from "../../../../eval/projects/read-diff.js";

// The first of each project is tried in projects.test.ts.
describe.each(evalProjects)("the checker of the project $name", (project) => {
  test.each(project.wrong.slice(1))("rejects it where $mistake", async ({ changes, rejectedBy }) => {
    const problems = await checkProject(project, applyChanges(project.files, changes));

    expect([...new Set(problems.map(({ part }) => part))]).toEqual(rejectedBy);
  });
});
