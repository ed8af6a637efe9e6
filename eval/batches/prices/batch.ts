import { defineBatch } from "../batch.js";
import { keepsTexts } from "../keeps-texts.js";
import before from "./tree/prices.py?raw";

/** The functions that stay to the letter, however they look. */
const KEPT = ["line_total", "subtotal", "tax_included", "total", "receipt"];

export const prices = defineBatch(
  {
    name: "prices",
    level: 3,
    prompt:
      "Change /workspace/prices.py with write_codebase_tool, in one call: an order whose subtotal is 50.00 or more is sent for nothing; " +
      "a Line has a last field bulky, false unless it is given; each piece of a bulky line costs 9.00 to send, in any case, beside what " +
      "the order costs to send otherwise; an order without any pieces costs nothing to send, and lines of no pieces add nothing. " +
      `The functions ${KEPT.join(", ")} stay as they are, to the letter. Change no other file.`,
    documents: { "prices.py": keepsTexts(functionsOf(before, KEPT)) },
    wrong: [
      { mistake: "bulky things are sent for nothing as well", diff: "free-bulky", rejectedBy: ["hidden tests"] },
      { mistake: "the other functions were tidied up", diff: "tidied", rejectedBy: ["documents"] },
      { mistake: "free from more than 50.00 on", diff: "more-than", rejectedBy: ["hidden tests"] },
    ],
  },
  import.meta.glob<string>(["./tree/**", "./right/**", "./hidden/**", "./**/*.diff"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

/** The texts of some functions of a module. */
function functionsOf(source: string, names: readonly string[]): string[] {
  const parts = source.split("\n\n\n").map((part) => part.trimEnd());
  return names.flatMap((name) => parts.filter((part) => part.startsWith(`def ${name}(`)));
}
