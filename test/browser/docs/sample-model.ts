import { inject } from "vitest";

import { openaiModel, type Model } from "../../../src/index.js";
import { dictatedScenario, type DictatedReply } from "../../servers/dictated-replies.js";

/** Where a model answers with these things in turn. */
export function dictatedURL(...replies: DictatedReply[]): string {
  return `${inject("modelServer")}/${dictatedScenario(replies)}/v1`;
}

export function dictatedModel(...replies: DictatedReply[]): Model {
  return openaiModel({ baseURL: dictatedURL(...replies), apiKey: "sk-test", model: "dictated" });
}

export const python = (...lines: string[]): string => ["```python", ...lines, "```"].join("\n");

/**
 * What a sample says that comes of it, by the comments in it that look like data. An ellipsis stands for what is left out:
 * texts are compared up to there.
 */
export function promised(sample: string): unknown[] {
  const values: unknown[] = [];
  let text = "";
  for (const line of sample.split("\n")) {
    const [, comment] = /^ *\/\/ (.*)$/.exec(line) ?? [];
    if (comment === undefined || (text === "" && !/^[[{]/.test(comment))) {
      if (text !== "") values.push((0, eval)(`(${text})`));
      text = "";
    } else {
      text += comment;
    }
  }
  return values;
}
