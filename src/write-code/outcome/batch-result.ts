import type { WriteCodeFaultCode } from "./faults.js";
import type { FileTelemetry } from "./telemetry.js";

/** What became of one file; the keys are those that models read. */
export type FileResult =
  | {
      /** Relative to `write_path`. */
      readonly filename: string;
      readonly status: "success";
      readonly operation: "create" | "modify";
      readonly code: string;
      readonly model: string;
      readonly attempts: number;
      readonly tokens: { readonly input: number; readonly output: number };
      /** Why the arbiter chose this text; null where it was not asked. */
      readonly reason: string | null;
      readonly warnings: readonly string[];
    }
  | {
      readonly filename: string;
      readonly status: "success";
      readonly operation: "image_generation";
      readonly message: string;
      readonly model: string;
      readonly warnings: readonly string[];
    }
  | {
      /** As the call names it. */
      readonly filename: string;
      readonly status: "error" | "refused" | "conflict";
      readonly error_code: WriteCodeFaultCode;
      readonly message: string;
      readonly warnings: readonly string[];
    };

/** What a batch came to, as JSON; the first eleven keys and their order are what callers know. */
export interface BatchResult {
  readonly status: "success" | "partial_success" | "error";
  readonly message: string;
  readonly files_processed: number;
  readonly files_successful: number;
  readonly code_files_processed: number;
  readonly code_files_successful: number;
  readonly image_files_processed: number;
  readonly image_files_successful: number;
  readonly write_path: string;
  readonly results: readonly FileResult[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly telemetry: readonly FileTelemetry[];
  /** `workspace.changes(changes)` undoes what the batch wrote; null where it wrote nothing. */
  readonly changes: string | null;
}

/** What the tool answers. `error` is there if and only if nothing was written that was asked for. */
export interface WriteCodeAnswer {
  readonly tool_name: "write_codebase_tool";
  readonly command: string;
  /** Null where the call could not be begun. */
  readonly output: BatchResult | null;
  readonly error: string | null;
}
