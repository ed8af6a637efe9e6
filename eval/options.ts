import { parseArgs } from "node:util";

import { agentNamed, evalAgents, type EvalAgent } from "./agents/index.js";
import type { EvalTask } from "./task.js";
import { evalTasks, taskNamed } from "./tasks/index.js";

/** A model behind a server of the protocol. */
export interface ModelSettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
}

/** What `npm run eval -- …` was asked. */
export interface EvalOptions {
  readonly tasks: readonly EvalTask[];
  readonly agents: readonly EvalAgent[];
  /** Null: the shipped transcripts answer. */
  readonly model: ModelSettings | null;
  /** How often each task is given to each agent. */
  readonly repeat: number;
  /** Milliseconds for one task. */
  readonly limit: number;
  /** The file for all that was measured. */
  readonly json: string | undefined;
  readonly help: boolean;
}

const KEY_VARIABLE = "VITRINE_EVAL_KEY";
const OPENAI = "https://api.openai.com/v1";

export const USAGE = `npm run eval -- [options]
  --task NAME          only this task; may be repeated
  --agent NAMES        ${evalAgents.map(({ name }) => name).join(",")} or some of them. Default: all
  --base-url URL       the model's server, up to /v1. Default: $VITRINE_EVAL_BASE_URL, else OpenAI's if there is a key
  --model NAME         as the server calls it. Default: $VITRINE_EVAL_MODEL
  --key-from-env NAME  the variable that holds the key. Default: ${KEY_VARIABLE}
  --repeat N           each task N times with each agent. Default: 1
  --limit SECONDS      for one task. Default: 300
  --json FILE          write everything that was measured
Without a key and without a server's address the transcripts of eval/transcripts answer, which people wrote.`;

/** @throws {TypeError} naming the option that is not known, lacks something, or does not go with another. */
export function parseOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>>): EvalOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      task: { type: "string", multiple: true, default: [] },
      agent: { type: "string", multiple: true, default: [] },
      "base-url": { type: "string" },
      model: { type: "string" },
      "key-from-env": { type: "string" },
      repeat: { type: "string", default: "1" },
      limit: { type: "string", default: "300" },
      json: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const { task, agent, json, help } = values;
  const agents = agent.flatMap((names) => names.split(",")).map((name) => agentNamed(name.trim()));
  return {
    tasks: task.length === 0 ? evalTasks : task.map(taskNamed),
    agents: agents.length === 0 ? evalAgents : agents,
    model: modelSettings(values, env),
    repeat: wholeNumber("--repeat", values.repeat),
    limit: 1000 * wholeNumber("--limit", values.limit),
    json,
    help,
  };
}

function modelSettings(
  values: { readonly "base-url"?: string; readonly model?: string; readonly "key-from-env"?: string },
  env: Readonly<Record<string, string | undefined>>,
): ModelSettings | null {
  const variable = values["key-from-env"];
  const apiKey = (env[variable ?? KEY_VARIABLE] ?? "").trim();
  if (variable !== undefined && apiKey === "") throw new TypeError(`--key-from-env: ${variable} is not set.`);
  const address = values["base-url"] ?? env.VITRINE_EVAL_BASE_URL ?? (apiKey === "" ? undefined : OPENAI);
  if (address === undefined) {
    if (values.model !== undefined) throw new TypeError("--model wants a key, or a --base-url that needs none.");
    return null;
  }
  if (!/^https?:$/.test(URL.canParse(address) ? new URL(address).protocol : "")) {
    throw new TypeError(`--base-url: ${address} is not a complete address such as ${OPENAI}.`);
  }
  const model = values.model ?? env.VITRINE_EVAL_MODEL ?? "";
  if (model.trim() === "") throw new TypeError("--model is missing: how does the server call the model?");
  return { baseURL: address, apiKey, model: model.trim() };
}

function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new TypeError(`${option} wants a whole number from 1 on.`);
  return number;
}
