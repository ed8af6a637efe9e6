/** Which operations are meant: those with one of the tags, of one of the ids, at one of the paths. `*` stands for any text. */
export interface OperationSelection {
  readonly tags?: readonly string[];
  /** Ids of the document, or names in Python. */
  readonly operations?: readonly string[];
  readonly paths?: readonly string[];
}

export interface Selectable {
  readonly tags: readonly string[];
  readonly names: readonly string[];
  readonly path: string;
}

/** Whether an operation is meant by a selection. */
export function selects(selection: OperationSelection): (operation: Selectable) => boolean {
  const tags = patterns(selection.tags);
  const names = patterns(selection.operations);
  const paths = patterns(selection.paths);
  return (operation) =>
    operation.tags.some((tag) => matches(tags, tag)) ||
    operation.names.some((name) => matches(names, name)) ||
    matches(paths, operation.path);
}

function patterns(texts: readonly string[] = []): readonly RegExp[] {
  return texts.map((text) => {
    const literal = text.split(/\*+/).map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
    return new RegExp(`^${literal.join(".*")}$`, "su");
  });
}

function matches(expressions: readonly RegExp[], text: string): boolean {
  return expressions.some((expression) => expression.test(text));
}
