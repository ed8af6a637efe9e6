import type { OwnedSession, OwnedToolSession } from "../agent/index.js";
import type { TrustLevel } from "../protocol/index.js";
import type { ChildOptions, ChildSession, SessionArtifacts } from "../session/index.js";
import type { Workspace } from "../workspace/index.js";
import type { WriteCodeOptions } from "../write-code/index.js";
import { codingRules } from "./coding-rules.js";
import { runTestsTool } from "./run-tests-tool.js";
import { taskDiffName } from "./coding-task.js";
import { differenceOf } from "./task-difference.js";

/** What a coding agent needs of a session: a `Session` has it, and so has one inside another. */
export interface CodingSession {
  readonly workspace: Workspace;
  readonly artifacts: Pick<SessionArtifacts, "save">;
  openChild(options: ChildOptions): Promise<ChildSession>;
}

/** The session of one task. */
export interface OpenedCodingSession extends OwnedSession, OwnedToolSession {
  readonly tools: ChildSession["tools"];
  client: ChildSession["client"];
  finish(): Promise<readonly string[]>;
}

interface CodingTask {
  readonly taskId: string;
  readonly trust?: TrustLevel | undefined;
  readonly writeCode?: WriteCodeOptions | undefined;
  /** The agent that it is for. */
  readonly kind: "code" | "react";
}

/** Opens the session of one task, which has the file tools, runs tests, and keeps what files held before it changed them. */
export async function openCodingSession(
  session: CodingSession,
  { taskId, trust, writeCode, kind }: CodingTask,
): Promise<OpenedCodingSession> {
  const child: ChildSession = await session.openChild({
    fileTools: true,
    tools: [runTestsTool((options) => child.openChild(options))],
    recordsChanges: taskId,
    ...(trust === undefined ? {} : { trust }),
    ...(writeCode === undefined ? {} : { writeCode }),
  });
  const { tools, skills, workspace, imports, journal } = child;
  return {
    instructions: codingRules(kind),
    tools,
    skills,
    workspace,
    imports,
    journal,
    client: (options) => child.client(options),
    openTrial: (options) => child.openTrial(options),
    run: (code, options) => child.run(code, options),
    finish: () => saveDifference(session, taskId),
    close: () => child.close(),
  };
}

/** @returns the name of the artifact; none where nothing was changed. */
async function saveDifference({ workspace, artifacts }: CodingSession, taskId: string): Promise<readonly string[]> {
  const changes = await workspace.changes(taskId);
  if (changes === undefined) return [];
  await changes.finish();
  const { text, summary } = await differenceOf(changes);
  if (text === "") return [];
  const name = taskDiffName(taskId);
  await artifacts.save(name, text, { description: summary, metadata: { taskId } });
  return [name];
}
