import type { ModelNotice } from "../model/index.js";
import type { FileProposal } from "../tools/index.js";
import type { BatchResult, FileResult } from "./outcome/batch-result.js";
import type { WriteCodeFault } from "./outcome/faults.js";

/** What every event of a batch has. */
interface EventFields {
  readonly batchId: string;
  /** The call of the tool that the batch answers. */
  readonly callId: string;
  /** Grows from event to event. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Why a candidate is out before the arbiter sees it, or what it came to. */
export type CandidateEnd =
  | { readonly kind: "text"; readonly text: string; readonly language: string }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** What an event says beside its place. Files are named by their path within `/workspace`. */
export type WriteCodeEventBody =
  | {
      readonly type: "batch-started";
      readonly files: readonly { readonly path: string; readonly kind: "code" | "image" }[];
    }
  /** `candidate` counts from 0, in the order of the models; the fallback and later requests count on. */
  | {
      readonly type: "candidate-started";
      readonly path: string;
      readonly candidate: number;
      readonly model: string;
      readonly role: "candidate" | "fallback" | "repair" | "merge";
    }
  | { readonly type: "candidate-text"; readonly path: string; readonly candidate: number; readonly text: string }
  | {
      readonly type: "candidate-notice";
      readonly path: string;
      readonly candidate: number;
      readonly notice: ModelNotice;
    }
  | {
      readonly type: "candidate-retry";
      readonly path: string;
      readonly candidate: number;
      /** Failures in a row so far, from 1. */
      readonly failures: number;
      /** Milliseconds until it is asked. */
      readonly delay: number;
      readonly code: string;
      readonly message: string;
    }
  | {
      readonly type: "candidate-ended";
      readonly path: string;
      readonly candidate: number;
      readonly end: CandidateEnd;
      readonly elapsed: number;
    }
  | {
      readonly type: "chosen";
      readonly path: string;
      readonly candidate: number;
      readonly model: string;
      /** Null where there was nothing to choose between. */
      readonly arbiter: string | null;
      readonly reason: string | null;
    }
  /** A text that was looked at. `problems`: what is wrong with it; empty where all is well. */
  | {
      readonly type: "checked";
      readonly path: string;
      readonly problems: readonly string[];
      readonly isAskedAgain: boolean;
    }
  | { readonly type: "failed"; readonly path: string; readonly fault: WriteCodeFault }
  /** Before anybody is asked about them, and before anything is written. */
  | { readonly type: "proposed"; readonly files: readonly FileProposal[] }
  | { readonly type: "file-ended"; readonly path: string; readonly result: FileResult }
  | { readonly type: "warning"; readonly message: string }
  /** The last. */
  | { readonly type: "batch-ended"; readonly result: BatchResult };

/** What happens while a batch is written, for a page, a log and a test alike. */
export type WriteCodeEvent = EventFields & WriteCodeEventBody;

/** Tells an event of a batch. */
export type ReportWriteCode = (body: WriteCodeEventBody) => void;
