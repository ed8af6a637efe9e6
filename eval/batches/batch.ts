import { readDiff, type FileChange } from "../projects/read-diff.js";
import { treesOf, type Tree } from "../projects/trees.js";
import type { Level } from "../level.js";

/** The parts of a batch's checker. Each says no by itself. */
export type BatchPart = "files" | "documents" | "hidden tests" | "written tests";

/** Says what is wrong with the text of a file that could be read as what it is; null when nothing is. */
export type DocumentCheck = (text: string) => string | null;

/** A wrong solution that looks like a right one. */
export interface WrongBatch {
  readonly mistake: string;
  /** What has to reject it; the other parts accept it, so that each is seen to be needed. */
  readonly rejectedBy: readonly BatchPart[];
  /** Of the files of the right solution. */
  readonly changes: readonly FileChange[];
}

/** A program with a mistake, which tests that were written have to notice. */
export interface PlantedMistake {
  readonly mistake: string;
  /** Instead of those that were written, by path. */
  readonly files: Tree;
}

/** Files that are to be written, or changed, by `write_codebase_tool`. */
export interface Batch {
  /** The name of its folder. */
  readonly name: string;
  readonly level: Level;
  /** What the agent is asked for. */
  readonly prompt: string;
  /** What the workspace holds before, by path below `/workspace`. */
  readonly files: Tree;
  /** The paths of the files that are to be written. No other one may be changed. */
  readonly asked: readonly string[];
  /** What the files that are no code have to hold. That they can be read as what they are is looked at for all of them. */
  readonly documents: Readonly<Record<string, DocumentCheck>>;
  /** Tests of the checker alone; their folder is `hidden`. Empty where no Python is asked for. */
  readonly hidden: Tree;
  /** How many tests have to be written, where any are asked for: in the folder `tests`. */
  readonly fewestTests: number;
  readonly planted: readonly PlantedMistake[];
  /** Files that are right. */
  readonly right: Tree;
  readonly wrong: readonly WrongBatch[];
}

/** What a batch's `batch.ts` says; the rest lies beside it as files. */
export interface BatchDefinition extends Pick<Batch, "name" | "level" | "prompt"> {
  readonly documents?: Batch["documents"];
  readonly fewestTests?: number;
  /** By the name of its folder in `planted/`. */
  readonly planted?: Readonly<Record<string, string>>;
  readonly wrong: readonly (Pick<WrongBatch, "mistake" | "rejectedBy"> & {
    /** The name of its file in `wrong/`, without `.diff`. */
    readonly diff: string;
  })[];
}

/**
 * Reads what lies beside a `batch.ts`: `tree/` is what an agent finds, `right/` what it is to write, `hidden/` the hidden tests,
 * `planted/` folders of programs with a mistake, and `wrong/*.diff` what makes of the right solution a wrong one.
 *
 * @param texts - by path, as `import.meta.glob` gives them.
 */
export function defineBatch(definition: BatchDefinition, texts: Readonly<Record<string, string>>): Batch {
  const { documents = {}, fewestTests = 0, planted = {}, wrong, ...rest } = definition;
  const { files, hidden, diffs } = treesOf(texts);
  const below = (folder: string): Tree =>
    new Map(
      Object.entries(texts).flatMap(([path, text]) =>
        path.startsWith(`./${folder}/`) ? [[path.slice(folder.length + 3), text] as const] : [],
      ),
    );
  const right = below("right");
  return {
    ...rest,
    files,
    asked: [...right.keys()].sort(),
    documents,
    hidden,
    fewestTests,
    planted: Object.entries(planted).map(([folder, mistake]) => ({ mistake, files: below(`planted/${folder}`) })),
    right,
    wrong: wrong.map(({ diff, ...about }) => {
      const text = diffs.get(`wrong/${diff}.diff`);
      if (text === undefined) throw new TypeError(`${rest.name} has no wrong/${diff}.diff.`);
      return { ...about, changes: readDiff(text) };
    }),
  };
}
