import { ContractError, parseContract, type Contract } from "../contract/index.js";
import type { ModelMessage, ModelUsage } from "../model/index.js";
import { messageOf, shortenTo, type Value } from "../protocol/index.js";
import type { Skill } from "../skills/index.js";
import type { CallingTask } from "../tools/index.js";
import { CallRecords } from "./records/call-records.js";
import type { CodegenOptions, CodegenRequest } from "./codegen-options.js";
import { CANCELLED, codegenError, type CodegenError } from "./errors.js";
import type { CodegenLog, CodegenEventBody } from "./events.js";
import type { CodegenItem } from "./outcome/items.js";
import { keepCallRecords } from "./records/keep-call-records.js";
import { codegenMessages, repairMessage } from "./writer/prompt.js";
import { ProgramAttempt, type AttemptOutcome } from "./program/program-attempt.js";
import { ProgramWriter, type WrittenProgram } from "./writer/program-writer.js";
import { failedResult, resultFilename, type CodegenResult } from "./outcome/result.js";
import { parseSources, type SourcePool } from "./sources/sources.js";
import { ProgramReporter } from "./program-reporter.js";

export interface CodegenTaskOptions extends CodegenOptions {
  readonly runId: string;
  readonly log: CodegenLog;
  readonly signal: AbortSignal;
  readonly parentCall: string | undefined;
  readonly task: CallingTask | undefined;
}

interface ParsedRequest {
  readonly contract: Contract;
  readonly instruction: string;
  readonly progName: string;
  readonly skills: readonly Skill[];
  readonly sources: SourcePool;
  readonly context: string;
}

/** Skills that a program may be given: the model is shown the source of each. */
const MOST_SKILLS = 50;

/** One call of codegen, from its parameters to its result. */
export class CodegenTask {
  readonly #request: CodegenRequest;
  readonly #options: CodegenTaskOptions;
  readonly #resultFilename: string;
  readonly #reporter: ProgramReporter;
  readonly #records = new CallRecords();
  readonly #outcomes: AttemptOutcome[] = [];
  readonly #executedPrograms: string[] = [];
  #attempts = 0;
  #usage: ModelUsage | null = null;
  #codegenTime = 0;
  #execTime = 0;

  constructor(request: CodegenRequest, options: CodegenTaskOptions) {
    this.#request = request;
    this.#options = options;
    this.#resultFilename = resultFilename(options.runId);
    this.#reporter = new ProgramReporter(options.task, options.parentCall);
  }

  /** Never rejects: a failure is a result. */
  async run(): Promise<CodegenResult> {
    const { log, runId } = this.#options;
    const result = await this.#solve().catch((error: unknown) => this.#failed(unexpected(error), []));
    this.#report({ type: "codegen-ended", result }, `${runId}/end`);
    log.end();
    return result;
  }

  async #solve(): Promise<CodegenResult> {
    const request = await this.#parse();
    if (request instanceof ContractError) {
      const { code, message, entry, field } = request;
      const details = entry === null && field === null ? "" : JSON.stringify({ entry, field });
      return this.#failed(codegenError({ where: "codegen", error: code, description: message, details }), []);
    }
    const { contract, instruction, progName } = request;
    const { model, repairs = 1, runId } = this.#options;
    this.#report({ type: "codegen-started", progName, instruction, contract, model: model.name }, runId);
    const messages: ModelMessage[] = [];
    for (;;) {
      const attempt = this.#newAttempt(request);
      const generated = await this.#generateAndOpen(attempt, { messages, request });
      const outcome = await this.#carryOut(attempt, generated);
      this.#outcomes.push(outcome);
      const { error } = outcome;
      const canRepair = this.#attempts <= repairs && isRepairable(outcome) && !this.#options.signal.aborted;
      if (!canRepair) return this.#concluded(request);
      const cause = error ?? incomplete(outcome.items);
      this.#report(
        { type: "repair", attempt: this.#attempts, error: cause, items: outcome.items },
        `${runId}/${String(this.#attempts)}/repair`,
      );
      messages.push(
        { role: "assistant", content: outcome.reply.trim() === "" ? "(no reply)" : outcome.reply },
        repairMessage(cause, { missing: faults(outcome), calls: this.#records.all, errorLog: outcome.errorLog }),
      );
    }
  }

  async #parse(): Promise<ParsedRequest | ContractError> {
    const { instruction, outputContract, progName, skills, sourcesList, context = "" } = this.#request;
    try {
      if (typeof instruction !== "string" || instruction.trim() === "") {
        throw new ContractError("missing_parameters", "The instruction is missing.", { field: "instruction" });
      }
      return {
        contract: parseContract(outputContract),
        instruction,
        progName: typeof progName === "string" && progName.trim() !== "" ? progName : "Program",
        skills: await this.#skills(skills),
        sources: parseSources(sourcesList, this.#options.knownSources?.()),
        context,
      };
    } catch (error) {
      if (error instanceof ContractError) return error;
      throw error;
    }
  }

  /** `clean_units`, `skills.clean_units`, `skills.public.clean_units`. */
  async #skills(given: Value): Promise<Skill[]> {
    const names =
      given === null || given === undefined ? [] : Array.isArray(given) ? (given as readonly Value[]) : [given];
    if (names.length > MOST_SKILLS) {
      const most = String(MOST_SKILLS);
      throw new ContractError("unknown_skill", `A program has at most ${most} skills.`, { field: "skills" });
    }
    const found: Skill[] = [];
    for (const name of names) {
      const wanted = typeof name === "string" ? (name.split(".").at(-1) ?? "") : "";
      const skill = wanted === "" ? null : await this.#options.session.skills.get(wanted);
      if (skill === null) {
        const label = typeof name === "string" ? shortenTo(name, 200) : "whose name is no text";
        throw new ContractError("unknown_skill", `There is no skill ${label}.`, { field: "skills" });
      }
      found.push(skill);
    }
    return found;
  }

  #newAttempt({ contract, sources }: ParsedRequest): ProgramAttempt {
    this.#attempts += 1;
    const { runId } = this.#options;
    const number = this.#attempts;
    return new ProgramAttempt({
      ...this.#options,
      number,
      contract,
      records: this.#records,
      sources,
      programLabel: "codegen_python",
      outputDir: `/workspace/codegen/${runId}${number === 1 ? "" : `-${String(number)}`}`,
      resultFilename: this.#resultFilename,
      needsDone: true,
      report: (body, part) => {
        this.#report(body, `${runId}/${String(number)}/${part}`);
      },
      followLog: (write) => {
        this.#options.log.followProject(write);
      },
    });
  }

  /** The interpreter starts while the model writes. */
  async #generateAndOpen(
    attempt: ProgramAttempt,
    { messages, request }: { readonly messages: ModelMessage[]; readonly request: ParsedRequest },
  ): Promise<Pick<WrittenProgram, "generated" | "reply">> {
    try {
      await attempt.open();
      if (messages.length === 0) {
        const { lineBudget = 80 } = this.#options;
        messages.push(...codegenMessages({ ...request, lineBudget, tools: await attempt.tools() }));
      }
    } catch (error) {
      const failure = codegenError({ where: "codegen.tool", error: "session_failed", description: messageOf(error) });
      return { generated: { kind: "error", error: this.#options.signal.aborted ? CANCELLED : failure }, reply: "" };
    }
    return this.#write(messages);
  }

  async #write(messages: readonly ModelMessage[]): Promise<WrittenProgram> {
    const { runId } = this.#options;
    const attempt = this.#attempts;
    const writer = new ProgramWriter({
      ...this.#options,
      attempt,
      report: (body, part) => {
        this.#report(body, `${runId}/${String(attempt)}/${part}`);
      },
    });
    const written = await writer.write(messages);
    this.#codegenTime += written.elapsed;
    this.#usage = added(this.#usage, written.usage);
    return written;
  }

  async #carryOut(
    attempt: ProgramAttempt,
    { generated, reply }: Pick<WrittenProgram, "generated" | "reply">,
  ): Promise<AttemptOutcome> {
    try {
      if (generated.kind === "error") return await attempt.withoutProgram(generated.error, reply);
      const { notes, others } = generated;
      const outcome = await attempt.run(generated.code, { reply, notes, others });
      this.#execTime += outcome.elapsed;
      this.#executedPrograms.push(...outcome.programPath);
      return outcome;
    } catch (error) {
      return await attempt.withoutProgram(unexpected(error), reply);
    } finally {
      await attempt.close();
    }
  }

  /** The attempt that made most, of equals the last that ran; files of those that made less are let go. */
  async #concluded({ sources }: ParsedRequest): Promise<CodegenResult> {
    const outcomes = this.#outcomes;
    const best = outcomes.reduce((one, other) => (worth(other) >= worth(one) ? other : one));
    const last = outcomes.at(-1)?.error ?? null;
    const error = last !== null && STOPS.includes(last.error) ? last : best.error;
    const warnings = [...best.warnings];
    for (const [index, other] of outcomes.entries()) {
      if (index >= outcomes.indexOf(best) && other.error !== null && other.error !== error) {
        warnings.push(`attempt_failed: ${String(index + 1)}: ${other.error.error}: ${other.error.description}`);
      }
      if (worth(other) === worth(best)) continue;
      await other.discard().catch((failure: unknown) => warnings.push(`files_left: ${messageOf(failure)}`));
    }
    const { session, runId } = this.#options;
    warnings.push(...(await keepCallRecords(session.workspace, runId, this.#records)));
    for (const item of best.items) this.#report({ type: "item", item }, `${runId}/item/${item.artifactId}`);
    return { ...this.#failed(error, best.items), ...this.#ran(best, sources), warnings };
  }

  #ran(outcome: AttemptOutcome, sources: SourcePool): Partial<CodegenResult> {
    const calls = this.#records.all;
    return {
      reasoning: outcome.notes,
      outputDir: outcome.outputDir,
      projectLog: outcome.projectLog,
      errorLog: outcome.errorLog,
      sourcesPool: sources.addedOr(outcome.items.flatMap(({ sourcesUsed }) => sourcesUsed)),
      toolCallsIndex: CallRecords.indexOf(calls),
      calls,
      program: outcome.code,
    };
  }

  /** What every result has; the error is null where all is well. */
  #failed(error: CodegenError | null, items: readonly CodegenItem[]): CodegenResult {
    const usable = items.filter(({ status }) => status === "success").length;
    const ok = error === null && usable === items.length && items.length > 0;
    const failure = error ?? incomplete(items);
    return {
      ...failedResult(this.#options.runId, failure),
      ...(ok ? { ok, error: null, summary: `Made ${String(usable)} artifacts` } : {}),
      status: ok ? "success" : usable > 0 ? "partial" : "error",
      items,
      executedPrograms: this.#executedPrograms,
      attempts: this.#attempts,
      usage: this.#usage,
      timings: { codegen: this.#codegenTime, exec: this.#execTime },
    };
  }

  #report(body: CodegenEventBody, id: string): void {
    const at = id.lastIndexOf("/");
    this.#reporter.report(
      this.#options.log.add(body, { id, parentId: at < 0 ? null : this.#parentOf(id.slice(0, at)) }),
    );
  }

  /** Attempts are named by their number alone, and are no event. */
  #parentOf(id: string): string {
    return id.startsWith(`${this.#options.runId}/`) && id.split("/").length > 2 ? id : this.#options.runId;
  }
}

/** What ends the whole, whichever attempt made most. */
const STOPS = ["cancelled", "budget_reached"];

/** What never ran is worth less than a program that made nothing: its log and its files say more. */
function worth({ code, items }: AttemptOutcome): number {
  return code === null ? 0 : 1 + items.filter(({ status }) => status === "success").length;
}

/** What another program could mend: not a failure that the program stated itself, nor what stopped it from outside. */
function isRepairable({ error, items, statedFailure }: AttemptOutcome): boolean {
  if (statedFailure) return false;
  if (error === null) return items.some(({ status }) => status === "error");
  return ![...STOPS, "timeout", "codegen_model_error", "session_failed", "internal"].includes(error.error);
}

function incomplete(items: readonly CodegenItem[]): CodegenError {
  const first = items.find(({ status }) => status === "error")?.error;
  const failed = items.filter(({ status }) => status === "error").map(({ artifactId }) => artifactId);
  const description = `${String(failed.length)} of ${String(items.length)} artifacts cannot be used: ${failed.join(", ")}`;
  return codegenError({ where: "execution", error: first?.error ?? "missing_artifact", description });
}

function faults({ items, warnings }: AttemptOutcome): string[] {
  const failed = items.filter(({ status }) => status === "error");
  return [...failed.map(({ artifactId, error }) => `${artifactId} (${error?.description ?? ""})`), ...warnings];
}

function added(total: ModelUsage | null, usage: ModelUsage | null): ModelUsage | null {
  if (total === null || usage === null) return total ?? usage;
  return {
    inputTokens: total.inputTokens + usage.inputTokens,
    outputTokens: total.outputTokens + usage.outputTokens,
  };
}

function unexpected(error: unknown): CodegenError {
  return codegenError({ where: "codegen.tool", error: "internal", description: messageOf(error), managed: false });
}
