import { z } from "zod";

/** The script asks for a second worker of itself: the analysis runs there. */
const WorkerRequest = z.object({
  type: z.literal("browser/newWorker"),
  initialData: z.unknown(),
  port: z.instanceof(MessagePort),
});

/** A request where it has an id, else a notification. */
const Call = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
});

const Answer = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.number(),
  /** Absent where there is an error. */
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

/** What the worker may say: JSON-RPC as the language server protocol has it, and one message of the script's own. */
export const ServerMessage = z.union([WorkerRequest, Call, Answer]);
export type ServerMessage = z.infer<typeof ServerMessage>;

/** From 0 on; characters are UTF-16 units. */
const Position = z.object({ line: z.int().nonnegative(), character: z.int().nonnegative() });

/** Characters. Of a type inside of a type the checker says everything, which can be megabytes. */
const LONGEST_MESSAGE = 4_000;

export const Diagnostic = z.object({
  range: z.object({ start: Position, end: Position }),
  message: z.string().transform((text) => text.slice(0, LONGEST_MESSAGE)),
  /** The rule; absent where it is about syntax. */
  code: z.union([z.string(), z.number()]).optional(),
});
export type Diagnostic = z.infer<typeof Diagnostic>;

export const PublishedDiagnostics = z.object({
  uri: z.string(),
  diagnostics: z.array(Diagnostic),
});

export const ConfigurationRequest = z.object({ items: z.array(z.object({ section: z.string().optional() })) });
