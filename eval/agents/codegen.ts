import { Codegen, type CodegenItem } from "../../src/codegen/index.js";
import type { Session } from "../../src/session/index.js";
import { toJson, type Json } from "../checks.js";
import type { EvalTask } from "../task.js";
import { savedArtifacts, type EvalAgent } from "./agent.js";

/** The id of the answer among the artifacts of a contract. */
const ANSWER = "answer";

export const codegen: EvalAgent = {
  name: "codegen",
  title: "codegen",
  // What a program hands in is no call.
  isCompared: false,
  worksOnFiles: false,
  run: async ({ session, model, task, signal }) => {
    const [{ skills }, files] = await Promise.all([session.skills.list(), session.workspace.list()]);
    const run = new Codegen({ session, model }).run(
      {
        instruction: task.prompt.trim(),
        outputContract: contractOf(task),
        skills: skills.map(({ name }) => name),
        // An agent is told of the files by its own prompt.
        context: files.length === 0 ? "" : `Files:\n${files.map(({ path }) => `- /workspace/${path}`).join("\n")}`,
      },
      { signal },
    );
    const { items, error, ok, summary, attempts, warnings } = await run.result;
    const saved = await savedArtifacts(session);
    return {
      answer: answerIn(items),
      // What nobody asked for counts here as well, whether the program saved it or handed it in.
      artifacts: { ...saved, ...uncontracted(warnings), ...(await filesIn(items, session)) },
      failure: ok ? null : (error?.description ?? summary),
      steps: attempts,
      entries: run.events.flatMap((event) => (event.type === "call" ? [event.entry] : [])),
    };
  },
};

/** The artifact's ids are the names without what an id cannot hold. */
export function artifactId(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "_");
}

function contractOf({ answer, artifacts }: EvalTask): Record<string, Record<string, string>> {
  const contract: Record<string, Record<string, string>> = {};
  for (const [filename, { mime, description }] of Object.entries(artifacts)) {
    contract[artifactId(filename)] = { type: "file", filename, mime, description };
  }
  contract[ANSWER] = { type: "inline", format: answer.format, description: answer.description };
  return contract;
}

function answerIn(items: readonly CodegenItem[]): Json {
  const output = items.find(({ artifactId: id }) => id === ANSWER)?.output;
  return output?.kind === "inline" ? toJson(output.value) : null;
}

async function filesIn(items: readonly CodegenItem[], session: Session): Promise<Record<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const { output } of items) {
    if (output?.kind === "file") files.set(output.path, await session.workspace.read(output.workspacePath));
  }
  return Object.fromEntries(files);
}

/** By id: what was handed in beside the contract is left out of the items, and told of in a warning. */
function uncontracted(warnings: readonly string[]): Record<string, Uint8Array> {
  const ids = warnings.flatMap((warning) => /^not_in_contract: the program made (.*), which/s.exec(warning)?.[1] ?? []);
  return Object.fromEntries(ids.map((id) => [id, new Uint8Array()]));
}
