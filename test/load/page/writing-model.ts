import type { Model } from "../../../src/index.js";

/** Characters that come with one turn of the page, as a read of the network does. */
const PIECE = 65_536;

const replies: Readonly<Record<string, (count: number) => string>> = {
  "lines of a comment": (count) => `\`\`\`python\n${"# words in a line\n".repeat(count)}a = 1\n\`\`\``,
  "assignments of two": (count) => `\`\`\`python\n${"a = 2\n".repeat(count)}\`\`\``,
  "assignments in another order": (count) => {
    const lines = Array.from({ length: count }, (_, line) => `a = ${String((line * 7919) % count)}\n`);
    return `\`\`\`python\n${lines.join("")}\`\`\``;
  },
  "fences that open": (count) => "```python\n".repeat(count),
  "fences in strings": (count) => `\`\`\`python\n${'a = """\n```\n"""\n'.repeat(count)}\`\`\``,
  "escapes of a terminal": (count) => `\`\`\`python\n# ${"\u001b[".repeat(count)}\na = 1\n\`\`\``,
  "letters of one line": (count) => `\`\`\`python\na = "${"a".repeat(count)}"\n\`\`\``,
  "letters that were read wrongly": (count) => `\`\`\`python\n# ${"Ã¶ ".repeat(count)}\na = 1\n\`\`\``,
};

/** A model that answers what the description of a file asks it for: `300 fences that open`. */
export const writingModel: Model = {
  name: "writing",
  kind: "recorded",
  complete: async function* ({ messages }) {
    const prompt = messages.map(({ content }) => (typeof content === "string" ? content : "")).join("\n");
    const [, count = "1", kind = ""] = /## Code Description\n(\d+) ([a-z ]+)/.exec(prompt) ?? [];
    const text = replies[kind]?.(Number(count)) ?? "```python\na = 1\n```";
    for (let at = 0; at < text.length; at += PIECE) {
      yield { type: "text" as const, text: text.slice(at, at + PIECE) };
      await new Promise((resolve) => setTimeout(resolve));
    }
    yield { type: "done" as const, finishReason: "stop" as const, usage: { inputTokens: 1, outputTokens: 1 } };
  },
};
