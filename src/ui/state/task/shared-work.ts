import { agentTool, CodeAgent } from "../../../agent/index.js";
import { codegenTool } from "../../../codegen/index.js";
import type { CompleteOptions, Model, ModelChunk, ModelRequest } from "../../../model/index.js";
import type { Session } from "../../../session/index.js";
import type { ToolAdapter } from "../../../tools/index.js";
import { writeCodeTool, type WriteCodeOptions } from "../../../write-code/index.js";
import type { OnAgentQuestion } from "../questions/questions.js";
import { limitOptions, type TaskLimits } from "../session/task-limits.js";

/** The agent that the page offers as a tool. */
const ASSISTANT = "assistant";
/** The tool that has a program written by contract. */
const PROGRAMS = "codegen_python";

const ASSISTANT_DESCRIPTION =
  "Another agent, with a Python of its own and these tools, for one part of a task; several may work at once. " +
  "It sees /workspace and artifacts as they are stored, knows nothing but the text it is given, and returns its answer.";

/** What the programs of the recorded model see: what they are told must not change with the tools that a user adds. */
const TOOLS_OF_RECORDED_PROGRAMS = ["catalog", "warehouses"];

export interface SharedWork {
  readonly session: Session;
  /** Who answers agents and writes programs at the moment at which they ask. */
  readonly model: () => Model;
  readonly limits: () => TaskLimits;
  /** Answers what the code of agents asks. */
  readonly onQuestion: OnAgentQuestion;
  /** Whether what is asked must be what was asked when it was recorded. */
  readonly isRecorded: boolean;
}

/** The tools in whose course models work: an assistant, and programs by contract. */
export function taskTools({ session, model, limits, onQuestion, isRecorded }: SharedWork): readonly ToolAdapter[] {
  const assistant = agentTool({
    name: ASSISTANT,
    description: ASSISTANT_DESCRIPTION,
    session,
    storage: "parent",
    spread: { depth: 2 },
    agent: (child) => {
      const { maxSteps, prices } = limitOptions(limits());
      return new CodeAgent({
        session: child,
        model: model(),
        onQuestion: (question, context) => onQuestion(question, { ...context, agent: ASSISTANT }),
        ...(maxSteps === undefined ? {} : { maxSteps }),
        ...(prices === undefined ? {} : { prices }),
      });
    },
  });
  const programs = codegenTool({
    name: PROGRAMS,
    session,
    model: new ModelOfTheMoment(model),
    ...(isRecorded ? { scope: { names: TOOLS_OF_RECORDED_PROGRAMS } } : {}),
  });
  return [assistant, programs];
}

/** The tool that has files written by several models; none where they are not to. */
export function writingTool(session: Session, writers: WriteCodeOptions | undefined): readonly ToolAdapter[] {
  return writers === undefined ? [] : [writeCodeTool({ session, ...writers })];
}

/** Whatever model is chosen when a request is made. */
class ModelOfTheMoment implements Model {
  readonly #model: () => Model;

  constructor(model: () => Model) {
    this.#model = model;
  }

  get name(): string {
    return this.#model().name;
  }

  get kind(): Model["kind"] {
    return this.#model().kind;
  }

  get sees(): boolean {
    return this.#model().sees ?? false;
  }

  complete(request: ModelRequest, options?: CompleteOptions): AsyncIterable<ModelChunk> {
    return this.#model().complete(request, options);
  }
}
