import { html, nothing, type TemplateResult } from "lit";

import type { ConversationItem } from "../../../agent/index.js";
import { messageText, type ModelMessage } from "../../../model/index.js";
import { formatCount } from "../../state/text/format.js";
import { cutText } from "../../state/text/text-ends.js";

const SPEAKERS: Readonly<Record<ModelMessage["role"], string>> = {
  system: "The prompt",
  user: "The model was told",
  assistant: "The model said",
  tool: "The model was told",
};

/** What was said in the tasks that one continues, folded: the model knows it, and it is said again with the task. */
export function earlierWords(items: readonly ConversationItem[]): TemplateResult | typeof nothing {
  if (items.length === 0) return nothing;
  const messages = items.flatMap((item) => (item.kind === "turn" ? [item.message] : [item.reply, ...item.told]));
  return html`<details class="memory">
    <summary>What was said before this task: ${formatCount(messages.length, "message")}</summary>
    ${messages.map(
      (message) =>
        html`<p class="caption">${SPEAKERS[message.role]}</p>
          <pre class="plain" tabindex="0">${cutText(wordsOf(message))}</pre>`,
    )}
  </details>`;
}

function wordsOf(message: ModelMessage): string {
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  const asked = calls.map(({ name, arguments: given }) => `${name}(${given})`);
  return [messageText(message), ...asked].filter((text) => text !== "").join("\n");
}
