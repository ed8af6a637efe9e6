import { lines, running, type ConformanceCase } from "../conformance-case.js";

const ancestry = (call: string): string =>
  lines(
    "try:",
    `    ${call}`,
    "except Exception as error:",
    "    names = [kind.__name__ for kind in type(error).__mro__]",
    "names[: names.index('RPCError') + 1]",
  );

/** Section H: errors that cross the bridge. */
export const errorCases: readonly ConformanceCase[] = [
  {
    id: "H1",
    title: "each namespace has its class, with what failed and how",
    steps: [
      running(ancestry("artifacts.load('none')"), {
        value: ["ArtifactNotFoundError", "ArtifactError", "NamespaceError", "RPCError"],
      }),
      running(ancestry("tools.failing()"), { value: ["ToolCallError", "ToolError", "NamespaceError", "RPCError"] }),
      running(ancestry("skills.invoke('none')"), {
        value: ["SkillNotFoundError", "SkillError", "NamespaceError", "RPCError"],
      }),
      running(ancestry("deps.add('nothing-of-that-name')"), { value: ["DepsError", "NamespaceError", "RPCError"] }),
      running("from vitrine import SkillError, WorkflowError\nSkillError is WorkflowError", { value: true }),
      running(
        lines(
          "from vitrine import ArtifactError",
          "try:",
          "    artifacts.load('none')",
          "except ArtifactError as error:",
          "    found = [error.namespace, error.operation, error.original_type, error.artifact_name]",
          "found",
        ),
        { value: ["artifacts", "load", "ArtifactNotFoundError", "none"] },
      ),
    ],
  },
  {
    id: "H2",
    title: "a class of ours keeps its own message, any other is named before it",
    steps: [
      running("artifacts.load('none')", {
        error: { type: "ArtifactNotFoundError", includes: ["ArtifactNotFoundError: Artifact 'none' not found\n"] },
      }),
      running(
        "from vitrine._wire_errors import error_from_wire\nstr(error_from_wire('StrangeError', 'X', 'odd', {}, 'artifacts', 'load'))",
        { value: "artifacts.load: [StrangeError] odd" },
      ),
    ],
  },
  {
    id: "H3",
    title: "no frame of the plumbing shows",
    steps: [
      running("def load():\n    return artifacts.load('none')\nload()", {
        error: {
          type: "ArtifactNotFoundError",
          includes: ["line 2, in load", "artifacts.load('none')"],
          excludes: ["vitrine/_", "site-packages", "pyodide"],
        },
      }),
    ],
  },
  {
    id: "H4",
    title: "a malformed error becomes RPCTransportError",
    steps: [
      running(
        "from vitrine._wire_errors import error_from_wire\ntype(error_from_wire(None, None, None, None, 'tools', 'call')).__name__",
        { value: "RPCTransportError" },
      ),
    ],
  },
  {
    id: "H5",
    title: "no class is lost on the way",
    steps: [running("tools.failing()", { error: { type: "ToolCallError" } })],
  },
  {
    id: "H6",
    title: "a session without a storage is refused with guidance",
    steps: [
      { kind: "open-badly", options: {}, error: "TypeError", includes: "needs a storage" },
      { kind: "open-badly", options: { storage: null }, error: "TypeError", includes: "needs a storage, not null" },
      {
        kind: "open-badly",
        options: { storage: "redis://" },
        error: "TypeError",
        includes: "needs a storage, not string",
      },
      { kind: "open-badly", options: undefined, error: "TypeError", includes: "needs a storage" },
    ],
  },
  {
    id: "H7",
    title: "the run after a timeout works",
    steps: [
      running("while True: pass", { error: { type: "RunTimeoutError" } }, 100),
      running("'alive'", { value: "alive" }),
    ],
  },
];
