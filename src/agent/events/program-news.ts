import type { ModelUsage } from "../../model/index.js";

/** An artifact that a program is asked for. Each is required. */
export interface ContractSlot {
  readonly id: string;
  readonly kind: "inline" | "file";
  /** The format of an inline artifact, the MIME type of a file. */
  readonly form: string;
  /** Of a file; null otherwise. */
  readonly filename: string | null;
  readonly description: string;
}

/** What was wrong with a program, or with what it made. */
export interface ProgramFault {
  readonly where: string;
  /** A stable code, or what the program itself said. */
  readonly error: string;
  readonly description: string;
  /** A traceback, for instance. */
  readonly details: string;
}

/** What was made for a slot. */
export type SlotOutput =
  | { readonly kind: "inline"; readonly text: string }
  /** `path` is below `/workspace`; the size in bytes. */
  | { readonly kind: "file"; readonly path: string; readonly size: number };

/**
 * What a tool tells of a program that fulfils a contract, in the order in which it happens. Attempts count from 1; one
 * that mends the program is another. Long texts are cut, and of very many calls and sentences the first are told.
 */
export type ProgramNews =
  /** The first. `model` writes the program; null where it was supplied. */
  | {
      readonly kind: "begun";
      readonly name: string;
      readonly instruction: string;
      readonly model: string | null;
      readonly slots: readonly ContractSlot[];
    }
  | { readonly kind: "writing"; readonly attempt: number }
  /** The next piece of the program, while it is written. */
  | { readonly kind: "text"; readonly attempt: number; readonly text: string }
  /** The model failed for a while and is asked again: the pieces so far are not part of the program. */
  | {
      readonly kind: "asked-again";
      readonly attempt: number;
      /** Milliseconds until it is asked. */
      readonly delay: number;
      /** What failed: its stable code, and what it says. */
      readonly code: string;
      readonly message: string;
    }
  | {
      readonly kind: "written";
      readonly attempt: number;
      /** Null where the reply holds no program. */
      readonly code: string | null;
      readonly fault: ProgramFault | null;
      /** Null where no server told. */
      readonly usage: ModelUsage | null;
      /** Milliseconds. */
      readonly elapsed: number;
    }
  /** Its calls are events of their own, below this one. `code` is null where it is what was written. */
  | { readonly kind: "running"; readonly attempt: number; readonly code: string | null }
  /** What the program says of its work: what is new, null for what it said nothing of. */
  | {
      readonly kind: "progress";
      readonly attempt: number;
      readonly objective: string | null;
      readonly status: string | null;
      readonly story: readonly string[];
    }
  /** The program handed a slot in. Nobody has looked at it yet. Told once as a draft and once as whole in each attempt. */
  | { readonly kind: "handed-in"; readonly attempt: number; readonly slot: string; readonly draft: boolean }
  | {
      readonly kind: "ran";
      readonly attempt: number;
      readonly fault: ProgramFault | null;
      /** Milliseconds. */
      readonly elapsed: number;
    }
  /** What the page found when it looked: at the end, and before a program is mended. */
  | {
      readonly kind: "slot";
      readonly slot: string;
      readonly state: "filled" | "refused" | "missing";
      readonly output: SlotOutput | null;
      readonly summary: string;
      /** Null where it is filled. */
      readonly fault: ProgramFault | null;
      readonly draft: boolean;
      /** What is missing in it, as the program says. */
      readonly gaps: string | null;
      readonly warnings: readonly string[];
    }
  /** The model is shown what was wrong, and writes the program anew. */
  | { readonly kind: "mending"; readonly attempt: number; readonly fault: ProgramFault }
  /** The last. */
  | {
      readonly kind: "ended";
      readonly status: "success" | "partial" | "error";
      readonly fault: ProgramFault | null;
      readonly summary: string;
      readonly warnings: readonly string[];
      /** Calls and sentences that were too many to be told. */
      readonly leftOut: { readonly calls: number; readonly sentences: number };
    };
