import type { Value } from "../../protocol/index.js";
import type { BatchResult, WriteCodeAnswer } from "./batch-result.js";
import type { FileTelemetry } from "./telemetry.js";

/** An answer as the tool returns it: what a model and a program read. */
export function answerValue({ tool_name: toolName, command, output, error }: WriteCodeAnswer): Value {
  return { tool_name: toolName, command, output: output === null ? null : resultValue(output), error };
}

function resultValue(result: BatchResult): Value {
  return {
    ...result,
    results: result.results.map((file) => ({ ...file })),
    telemetry: result.telemetry.map(telemetryValue),
  };
}

function telemetryValue({ attempts, arbiter, ...telemetry }: FileTelemetry): Value {
  return {
    ...telemetry,
    attempts: attempts.map(({ failure, ...attempt }) => ({
      ...attempt,
      failure: failure === null ? null : { ...failure },
    })),
    arbiter: { ...arbiter },
  };
}
