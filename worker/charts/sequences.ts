import { expressionFunction, transforms } from "vega";

import { ChartFault, count } from "./chart-fault.js";

/** Numbers in a sequence. All of them are made in one go, which takes the memory of everything else in the process. */
const MOST_NUMBERS = 1_000_000;

interface SequenceTransform {
  transform: (parameters: unknown, pulse: unknown) => unknown;
}

type Sequence = (start: unknown, stop?: unknown, step?: unknown) => unknown;

/** Has no chart make a sequence of more numbers than that, as data or in an expression. */
export function boundSequences(): void {
  const found: unknown = transforms.sequence;
  const prototype: unknown = typeof found === "function" ? found.prototype : undefined;
  const sequence: unknown = expressionFunction("sequence");
  if (!isTransform(prototype) || !isSequence(sequence)) {
    throw new Error("The sequences of Vega have changed, and nothing would limit them.");
  }
  const { transform } = prototype;
  prototype.transform = function (this: SequenceTransform, parameters, pulse) {
    const { start, stop, step } = Object(parameters) as Partial<Record<string, unknown>>;
    checkSequence(start, stop, step);
    return transform.call(this, parameters, pulse);
  };
  expressionFunction("sequence", (start: unknown, stop?: unknown, step?: unknown) => {
    if (stop === undefined) checkSequence(0, start, 1);
    else checkSequence(start, stop, step);
    return stop === undefined ? sequence(start) : sequence(start, stop, step ?? 1);
  });
}

function checkSequence(start: unknown, stop: unknown, step: unknown): void {
  const length = Math.ceil((Number(stop) - Number(start)) / (Number(step ?? 1) || 1));
  if (length <= MOST_NUMBERS || Number.isNaN(length)) return;
  throw new ChartFault(`a sequence of it has ${count(length)} numbers, and ${count(MOST_NUMBERS)} are made at most`);
}

function isTransform(value: unknown): value is SequenceTransform {
  return typeof value === "object" && value !== null && "transform" in value && typeof value.transform === "function";
}

function isSequence(value: unknown): value is Sequence {
  return typeof value === "function";
}
