/**
 * How a model says which tool it wants:
 *
 * - `native`: by the server's tool calls; plain text is the answer.
 * - `structured`: as JSON, to whose schema the server holds the model.
 * - `validated`: as JSON; arguments that do not fit are told as `ArgValidationError`.
 * - `parsed`: as JSON; arguments that do not fit are told as `ArgError`.
 * - `auto`: whichever the model is known for by its name, and `validated` where it refuses tools.
 */
export type ToolCallingMode = "auto" | SpokenMode;

/** What `auto` comes to. */
export type SpokenMode = "native" | "structured" | "validated" | "parsed";

/** TinyAgent's list of models that hold to a schema, by how their names begin. */
const STRUCTURED = ["gpt-4o", "gpt-4.1", "o1", "o3", "openai/gpt-oss"];

/** TinyAgent's list of models that know tool calls, by what their names hold, and those that came after it. */
const NATIVE = [
  "gpt-3.5",
  "gpt-4",
  "claude",
  "gemini",
  "mistral",
  "llama",
  "qwen",
  "deepseek",
  "openai/",
  "anthropic/",
  "google/",
  "meta-llama/",
  "mistralai/",
  "gpt-5",
  "o4",
  "grok",
  "glm-",
  "kimi",
];

/** The mode for a model of that name. */
export function modeFor(model: string): SpokenMode {
  const name = model.toLowerCase();
  if (STRUCTURED.some((prefix) => name.startsWith(prefix))) return "structured";
  return NATIVE.some((part) => name.includes(part)) ? "native" : "validated";
}
