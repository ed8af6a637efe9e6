import {
  withoutThoughts,
  type ContentPart,
  type Model,
  type ModelError,
  type ModelMessage,
  type ModelRequest,
} from "../../model/index.js";
import { isRecord, shorten, shortenBytes, type SourceFile, type Value } from "../../protocol/index.js";
import {
  asJsonSchema,
  ToolNotFoundError,
  UnknownCallableError,
  type JsonSchema,
  type Tool,
  type ToolScope,
  type ValueSchema,
} from "../../tools/index.js";
import type { ObserveTool } from "../../session/index.js";
import type { ModelReply, Notify, StepOutcome, TrialAccess } from "../work/agent-kind.js";
import { trialAccess } from "../work/trial-access.js";
import type { CallJournal, ToolCalls, ToolSession } from "../agent-session.js";
import { AnswerForm } from "../work/answer-form.js";
import type { AgentAnswer, AgentStep } from "../events/events.js";
import type { AnswerSource } from "../events/finalizer.js";
import { ShownPictures } from "../work/pictures.js";
import { endOfPrompt, rulesOf } from "../work/prompt-file.js";
import type { StepInProgress } from "../work/step.js";
import type { Work, WorkCaller } from "../work/work.js";
import { budgetPolicy } from "../budget/budget-policy.js";
import { stepCalls, type CallReporter } from "../work/call-reporter.js";
import { failureText, pythonText, unknownToolText } from "./observation.js";
import { withoutLeftOut } from "./left-out.js";
import { OfferedTools } from "./offered-tools.js";
import { boundedJson, parseReply, plainReply, type AskedCall, type ParsedReply } from "./parse-reply.js";
import {
  BAD_JSON_TEXT,
  CUT_CALLS_TEXT,
  CUT_REPLY_TEXT,
  EMPTY_REPLY_TEXT,
  LAST_ATTEMPT_TEXT,
  PICTURES_TEXT,
  reactSystemPrompt,
  WITHHELD_CALLS_TEXT,
  WITHHELD_REPLY_TEXT,
} from "./react-prompts.js";
import { RESPONSE_SCHEMA_NAME, responseSchema } from "./response-schema.js";
import { modeFor, type SpokenMode, type ToolCallingMode } from "./tool-calling-mode.js";

/** What a reply without a usable call or answer adds to the temperature, and where that ends. */
const HEAT = 0.2;
const HIGHEST_TEMPERATURE = 2;

/** Calls that are made of one reply. */
const MOST_CALLS = 100;

/** Bytes of the answer's text. */
const ANSWER_SIZE = 10_000;

export interface ReactTaskOptions {
  readonly model: Pick<Model, "name" | "sees">;
  readonly work: Work;
  readonly mode: ToolCallingMode;
  readonly temperature: number;
  readonly maxTokens: number | undefined;
  /** Characters of an observation. */
  readonly observationLength: number;
  readonly scope: ToolScope | undefined;
  readonly answer: ValueSchema | undefined;
  readonly systemSuffix: string;
  readonly promptFile: SourceFile | undefined;
  /** Hears the calls, with their whole outcomes. */
  readonly onTool: ObserveTool | undefined;
}

/** A task of a {@link ReactAgent}, from its prompt to its answer. */
export class ReactTask {
  readonly #options: ReactTaskOptions;
  readonly #tools: OfferedTools;
  readonly #calls: ToolCalls;
  readonly #rules: string | null;
  readonly #suffix: string;
  readonly #answerForm: AnswerForm | null;
  /** Of the step whose calls are being made. */
  readonly #pictures = new ShownPictures();
  readonly #answerSchema: JsonSchema | undefined;
  #mode: SpokenMode;
  #temperature: number;
  /** Where the session notes its calls. */
  readonly journal: CallJournal | null;
  /** What skills are learned on; null where the session can try none. */
  readonly learning: TrialAccess | null;
  /** The step whose calls are being made, and what reports them. */
  #step: { readonly step: StepInProgress; readonly reporter: CallReporter } | undefined;

  static async begin(session: ToolSession, options: ReactTaskOptions, notify: Notify): Promise<ReactTask> {
    await session.tools.settled?.();
    return new ReactTask(session, options, notify);
  }

  private constructor(session: ToolSession, options: ReactTaskOptions, notify: Notify) {
    const { scope, work, mode, model, temperature, answer } = options;
    const { meter } = work;
    this.journal = session.journal ?? null;
    const client = session.client({ caller: "agent", ...(scope === undefined ? {} : { scope }) });
    this.#options = options;
    const tools = (): Promise<readonly Tool[]> => Promise.resolve(client.listTools());
    this.learning = trialAccess(session, { calls: client, imports: undefined, tools });
    this.#tools = new OfferedTools(client.listTools());
    this.#rules = rulesOf(options.promptFile, notify);
    this.#suffix = endOfPrompt(session, options.systemSuffix);
    this.#mode = mode === "auto" ? modeFor(model.name) : mode;
    this.#temperature = temperature;
    this.#answerForm = answer === undefined ? null : new AnswerForm(answer);
    this.#answerSchema = answer === undefined ? undefined : asJsonSchema(answer, "input");
    this.#calls = client.openCalls({
      policy: budgetPolicy(meter),
      onPause: () => meter.pause(),
      onCall: (entry) => {
        this.#step?.reporter.report(entry, this.#step.step.part("reply").id);
      },
      ...(model.sees === true
        ? {
            onPicture: ({ mimeType, bytes }) => {
              this.#pictures.add(mimeType, bytes);
            },
          }
        : {}),
    });
  }

  /** From where the calls of a step are made: below its reply. */
  get #caller(): WorkCaller {
    const { work } = this.#options;
    return work.at(this.#step?.step.part("reply").id ?? work.log.taskId);
  }

  get callsRunId(): string {
    return this.#calls.runId;
  }

  get prompt(): string {
    return reactSystemPrompt({
      mode: this.#mode,
      tools: this.#tools.list,
      rules: this.#rules,
      answer: this.#answerSchema,
      suffix: this.#suffix,
    });
  }

  request(temperature = this.#temperature): Omit<ModelRequest, "messages"> {
    const { maxTokens } = this.#options;
    return { temperature, ...(maxTokens === undefined ? {} : { maxTokens }), ...this.#form() };
  }

  get lastAttempt() {
    return {
      message: LAST_ATTEMPT_TEXT,
      request: this.request(0),
      read: (reply: ModelReply) => this.#readLast(reply),
    };
  }

  /** In `auto` a model that refuses tools is asked for JSON. */
  adapt({ code }: ModelError, notify: Notify): string | null {
    const { mode, model } = this.#options;
    if (mode !== "auto" || this.#mode !== "native" || code !== "MODEL_TOOLS_UNSUPPORTED") return null;
    this.#mode = "validated";
    notify({
      code: "TOOL_CALLING_MODE",
      message: `"${model.name}" takes no tools by tool calls; it is asked for them in JSON from here on.`,
    });
    return this.prompt;
  }

  /** A task that goes on is as warm as it was. */
  takeUp(steps: readonly AgentStep[]): void {
    this.#answerForm?.takeUp(steps);
    for (const { reply, observation } of steps) {
      const said = parseReply(reply);
      const isNote = said.kind === "scratchpad" && observation === noteText(said.text);
      if (isNote || observation === BAD_JSON_TEXT || observation === EMPTY_REPLY_TEXT) this.#heat();
    }
  }

  async act(reply: ModelReply, step: StepInProgress, signal: AbortSignal): Promise<StepOutcome> {
    this.#step = { step, reporter: stepCalls(step, this.#options.work) };
    if (reply.toolCalls.length > 0) return this.#makeAll(reply, signal);
    const said = this.#read(reply);
    switch (said.kind) {
      case "calls":
        return this.#makeInWords(said, signal);
      case "answer": {
        const refusal = await this.#refusal(said.value);
        if (refusal !== null) return observed(refusal);
        return { kind: "answered", answer: this.#answer(said.value, "normal") };
      }
      case "scratchpad":
        this.#heat();
        return observed(noteText(said.text));
      case "bad":
        return this.#refuse(reply);
    }
  }

  close(): void {
    this.#calls.close();
  }

  #form(): Pick<ModelRequest, "tools" | "responseSchema"> {
    switch (this.#mode) {
      case "native":
        return { tools: this.#tools.forModel() };
      case "structured": {
        const { schema, strict } = responseSchema(this.#tools.list, this.#answerSchema);
        return { responseSchema: { name: RESPONSE_SCHEMA_NAME, schema, strict } };
      }
      case "validated":
      case "parsed":
        return {};
    }
  }

  #read({ text, finishReason }: ModelReply): ParsedReply {
    if (this.#mode !== "native") {
      const said = parseReply(text);
      if (said.kind !== "answer") return said;
      return { kind: "answer", value: this.#withoutLeftOut(said.value, this.#answerSchema) };
    }
    const said = withoutThoughts(text, { isProse: true }).trim();
    // Half an answer is none.
    if (said === "" || finishReason === "length" || finishReason === "filter") return { kind: "bad" };
    return { kind: "answer", value: this.#plainAnswer(said) };
  }

  /** Only the schema of replies has a model write null for what it leaves out. */
  #withoutLeftOut(value: Value, schema: JsonSchema | undefined): Value {
    return this.#mode === "structured" && schema !== undefined ? withoutLeftOut(value, schema) : value;
  }

  /** Plain text; the JSON that it holds where another form of answer is asked for. */
  #plainAnswer(said: string): Value {
    if (this.#answerForm === null) return said;
    const json = boundedJson(plainReply(said));
    return json === undefined ? said : json;
  }

  #refuse({ finishReason }: ModelReply): StepOutcome {
    // Another temperature makes no reply shorter, and no filter weaker.
    if (finishReason === "length") return observed(CUT_REPLY_TEXT);
    if (finishReason === "filter") return observed(WITHHELD_REPLY_TEXT);
    this.#heat();
    return observed(this.#mode === "native" ? EMPTY_REPLY_TEXT : BAD_JSON_TEXT);
  }

  #heat(): void {
    const hotter = Number((this.#temperature + HEAT).toFixed(2));
    this.#temperature = Math.max(this.#temperature, Math.min(HIGHEST_TEMPERATURE, hotter));
  }

  #answer(value: Value, source: AnswerSource): AgentAnswer {
    const text = shortenBytes(pythonText(value, ANSWER_SIZE), ANSWER_SIZE);
    return { value, text, verifiedBy: null, source };
  }

  async #refusal(value: Value): Promise<string | null> {
    const { text } = this.#answer(value, "normal");
    const remedy = this.#mode === "native" ? "Reply with JSON of that form." : 'Send {"answer": …} with a value of it.';
    return (await this.#answerForm?.refusal(value, { text, remedy })) ?? null;
  }

  /** Calls that are asked for now are not made any more. */
  async #readLast(reply: ModelReply): Promise<AgentAnswer | null> {
    // What is said beside them is no answer yet.
    if (this.#mode === "native" && reply.toolCalls.length > 0) return null;
    const said = this.#read(reply);
    if (said.kind !== "answer" || ((await this.#answerForm?.problem(said.value)) ?? null) !== null) return null;
    return this.#answer(said.value, "final_attempt");
  }

  /** The server's tool calls, one after the other; each is answered by its id. */
  async #makeAll({ toolCalls: calls, finishReason }: ModelReply, signal: AbortSignal): Promise<StepOutcome> {
    const observations: string[] = [];
    const messages: ModelMessage[] = [];
    for (const { id, name, arguments: text } of calls.slice(0, MOST_CALLS)) {
      const json = boundedJson(text);
      const content = await this.#make({ name, arguments: json === undefined ? text : json }, signal);
      observations.push(content);
      messages.push({ role: "tool", toolCallId: id, content });
    }
    for (const content of [...leftText(calls), ...cutText(finishReason)]) {
      observations.push(content);
      messages.push({ role: "user", content });
    }
    const pictures = this.#pictures.take();
    // The answer to a call of a tool holds text alone.
    if (pictures.length > 0)
      messages.push({ role: "user", content: [{ type: "text", text: PICTURES_TEXT }, ...pictures] });
    return { kind: "observed", observation: observations.join("\n\n"), messages };
  }

  async #makeInWords(
    { scratchpad, calls }: Extract<ParsedReply, { kind: "calls" }>,
    signal: AbortSignal,
  ): Promise<StepOutcome> {
    const parts = scratchpad === null ? [] : [noteText(scratchpad)];
    for (const call of calls.slice(0, MOST_CALLS)) parts.push(await this.#make(call, signal));
    return observed([...parts, ...leftText(calls)].join("\n\n"), this.#pictures.take());
  }

  /** What the model is told of a call. Of what a stopped task did until then nothing is lost. */
  async #make({ name, arguments: given }: AskedCall, signal: AbortSignal): Promise<string> {
    const limit = this.#options.observationLength;
    const failed = (text: string): string => `Error: ${shorten(text, limit)}`;
    if (signal.aborted) return failed("ToolError: it was not called, because the task was stopped");
    const tool = this.#tools.find(name);
    if (tool === undefined) return this.#unknown(name);
    const args = this.#withoutLeftOut(given ?? {}, tool.parameters);
    if (!isRecord(args)) return failed(this.#notAnObject);
    const heard = this.#options.onTool?.({ name: tool.path, arguments: args });
    try {
      const value = await this.#calls.call(tool.path, args, { signal, task: this.#caller });
      heard?.returned(value);
      return `Observation: ${shorten(pythonText(value, limit), limit)}`;
    } catch (error) {
      heard?.failed(error);
      // A tool may use another session, which may be closed as well.
      if (this.#calls.sessionIsClosed) throw error;
      const isGone = error instanceof ToolNotFoundError || error instanceof UnknownCallableError;
      if (isGone) return this.#unknown(name);
      return failed(failureText(error, { argumentTag: this.#argumentTag }));
    }
  }

  /** The bound of what tools return is no bound of their names. */
  #unknown(name: string): string {
    return `Error: ${unknownToolText(name, this.#tools.names)}`;
  }

  get #argumentTag(): string {
    return this.#mode === "validated" ? "ArgValidationError" : "ArgError";
  }

  get #notAnObject(): string {
    const text = "Tool arguments must be a JSON object.";
    return this.#mode === "validated" ? text : `${this.#argumentTag}: ${text}`;
  }
}

function observed(observation: string, pictures: readonly ContentPart[] = []): StepOutcome {
  const content: ModelMessage["content"] =
    pictures.length === 0 ? observation : [{ type: "text", text: observation }, ...pictures];
  return { kind: "observed", observation, messages: [{ role: "user", content }] };
}

/** What is told of calls that are not made because there are too many of them. */
function leftText(calls: readonly { readonly name: string }[]): string[] {
  const first = calls[MOST_CALLS];
  if (first === undefined) return [];
  const [all, most] = [calls.length, MOST_CALLS].map((count) => count.toLocaleString("en-US"));
  return [
    `Error: ToolError: your reply asks for ${all} calls, and only the first ${most} of one reply are made. ` +
      `From '${shorten(first.name, 80)}' on nothing was called; ask for the rest again.`,
  ];
}

/** What is told of calls of a native reply of which the server withheld the rest: only those that are whole are known. */
function cutText(finishReason: ModelReply["finishReason"]): readonly string[] {
  if (finishReason === "length") return [CUT_CALLS_TEXT];
  return finishReason === "filter" ? [WITHHELD_CALLS_TEXT] : [];
}

function noteText(text: string): string {
  return `Scratchpad noted: ${text}`;
}
