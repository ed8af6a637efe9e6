import { isRecord, type Json } from "./chart-facts.js";
import { reasonOf } from "./chart-fault.js";

/** The marks of Vega-Lite. Of another one its compiler says nothing but that something is undefined. */
const MARKS =
  "arc area bar boxplot circle errorband errorbar geoshape image line point rect rule square text tick trail".split(
    " ",
  );

/** Parts in which a mark is looked for. */
const MOST_PARTS = 1000;

/** What is wrong with a specification, where a library failed with an error of its own. */
export function faultIn(spec: Json, error: unknown): string {
  const mark = unknownMark(spec);
  if (mark !== undefined) return `there is no mark '${mark.slice(0, 50)}'; there are ${MARKS.join(", ")}`;
  return `its specification is faulty (${reasonOf(error)})`;
}

function unknownMark(spec: Json): string | undefined {
  const waiting: unknown[] = [spec];
  for (let parts = 0; waiting.length > 0 && parts < MOST_PARTS; parts += 1) {
    const part = waiting.pop();
    if (Array.isArray(part)) for (const item of part.slice(0, MOST_PARTS)) waiting.push(item);
    if (!isRecord(part)) continue;
    const mark = isRecord(part.mark) ? part.mark.type : part.mark;
    if (typeof mark === "string" && !MARKS.includes(mark)) return mark;
    waiting.push(part.layer, part.concat, part.hconcat, part.vconcat, part.spec);
  }
  return undefined;
}
