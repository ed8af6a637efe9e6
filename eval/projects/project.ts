import { readDiff, type FileChange } from "./read-diff.js";
import { treesOf, type Tree } from "./trees.js";

/** The parts of a checker. Each says no by itself. */
export type Part = "diff" | "tests" | "hidden tests";

/** A wrong solution that looks like a right one. */
export interface WrongSolution {
  readonly mistake: string;
  /** What has to reject it; the other parts accept it, so that each is seen to be needed. */
  readonly rejectedBy: readonly Part[];
  readonly changes: readonly FileChange[];
}

/** A small Python project with one bug in it, which some of its tests show. */
export interface Project {
  /** The name of its folder. */
  readonly name: string;
  /** What the agent is asked for. */
  readonly prompt: string;
  /** As the agent finds it, by path below `/workspace`. */
  readonly files: Tree;
  /** The folder whose files may be changed: the package, without its tests, data and settings. */
  readonly folder: string;
  /** Lines that a right solution may add and remove together. */
  readonly mostLines: number;
  /** The tests that the bug fails. All others pass. */
  readonly failing: readonly string[];
  /** Tests of the checker alone, which try the bug in other ways; their folder is `hidden`. */
  readonly hidden: Tree;
  /** A solution that is right. */
  readonly fix: readonly FileChange[];
  readonly wrong: readonly WrongSolution[];
}

/** What a project's `project.ts` says; the rest lies beside it as files. */
export interface ProjectDefinition extends Pick<Project, "name" | "prompt" | "folder" | "mostLines" | "failing"> {
  readonly wrong: readonly WrongDefinition[];
}

interface WrongDefinition extends Pick<WrongSolution, "mistake" | "rejectedBy"> {
  /** The name of its file in `wrong/`, without `.diff`. */
  readonly diff: string;
}

/**
 * Reads what lies beside a `project.ts`: `tree/` is the project, `hidden/` the hidden tests, `fix.diff` the right solution, and
 * `wrong/*.diff` the others.
 *
 * @param texts - by path, as `import.meta.glob` gives them.
 */
export function defineProject(definition: ProjectDefinition, texts: Readonly<Record<string, string>>): Project {
  const { files, hidden, diffs } = treesOf(texts);
  const changesOf = (path: string): FileChange[] => {
    const diff = diffs.get(path);
    if (diff === undefined) throw new TypeError(`${definition.name} has no ${path}.`);
    return readDiff(diff);
  };
  return {
    ...definition,
    files,
    hidden,
    fix: changesOf("fix.diff"),
    wrong: definition.wrong.map(({ diff, ...rest }) => ({ ...rest, changes: changesOf(`wrong/${diff}.diff`) })),
  };
}
