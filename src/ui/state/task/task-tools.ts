import type { Model } from "../../../model/index.js";
import type { Session } from "../../../session/index.js";
import { ToolNameTakenError, type ToolAdapter } from "../../../tools/index.js";
import type { WriteCodeOptions } from "../../../write-code/index.js";
import type { DemoSession } from "../session/demo-session.js";
import type { OnAgentQuestion } from "../questions/questions.js";
import type { Settings } from "../session/settings.js";
import type { TaskLimits } from "../session/task-limits.js";

export interface TaskToolsOptions {
  readonly session: DemoSession;
  readonly settings: Settings;
  readonly model: () => Model;
  /** Who writes files together, as the settings have it; undefined where several models are not to. */
  readonly writers: () => Promise<WriteCodeOptions | undefined>;
  /** Answers what the code of agents asks. */
  readonly onQuestion: OnAgentQuestion;
}

/** Offers the tools in whose course models work in every session, unless the user's settings leave them out of what a model is told. */
export class TaskTools {
  readonly #options: TaskToolsOptions;
  #offered: { readonly session: Session; readonly key: string; names: readonly string[] } | undefined;
  #settled: Promise<void> = Promise.resolve();

  constructor(options: TaskToolsOptions) {
    this.#options = options;
    const { session, settings } = options;
    const offer = (opened: Session): void => {
      // One change after the other: what a later one takes back must be there.
      this.#settled = this.#settled
        .then(() => this.#offer(opened))
        .catch((error: unknown) => {
          // A task goes on without them.
          console.error(error);
        });
    };
    session.onOpen(offer);
    settings.onChange(() => {
      if (session.current !== undefined) offer(session.current);
    });
  }

  /** Resolves once what the settings say is there. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  /** What is there of them. */
  get names(): readonly string[] {
    return this.#offered?.names ?? [];
  }

  async #offer(session: Session): Promise<void> {
    const { settings, model, onQuestion } = this.#options;
    const { kind, offersAgents, writers: chosen, baseURL, apiKey } = settings.current;
    const isRecorded = kind === "recorded";
    const writing = chosen.isOn ? [chosen, baseURL, apiKey] : [];
    const key = isRecorded ? "recorded" : JSON.stringify([offersAgents, ...writing]);
    const before = this.#offered;
    if (before?.session === session) {
      if (before.key === key) return;
      for (const name of before.names) void session.tools.remove(name);
    }
    const offered = { session, key, names: [] as readonly string[] };
    this.#offered = offered;
    if (!isRecorded && !offersAgents && !chosen.isOn) return;
    const { taskTools, writingTool } = await import("./shared-work.js");
    const limits = (): TaskLimits => settings.current.limits;
    const tools = [
      ...(isRecorded || offersAgents ? taskTools({ session, model, limits, onQuestion, isRecorded }) : []),
      ...writingTool(session, await this.#options.writers()),
    ];
    offered.names = tools.filter((tool) => register(session, tool)).map(({ tool }) => tool.name);
  }
}

/** False where a tool of the user's has the name: it stays. */
function register(session: Session, tool: ToolAdapter): boolean {
  try {
    session.tools.register(tool);
    return true;
  } catch (error) {
    if (error instanceof ToolNameTakenError) return false;
    throw error;
  }
}
