import { z } from "zod";

import { ToolRegistry, type Tool } from "../../src/tools/index.js";

/** A question in a user's words, and the operations any of which answers it. */
export const Queries = z.array(
  z.strictObject({ query: z.string(), namespace: z.string(), operations: z.array(z.string()).min(1) }),
);
export type Query = z.infer<typeof Queries>[number];

export interface Recall {
  readonly queries: number;
  /** How many of them have one of their operations among the first ten, five, and at the first place. */
  readonly at10: number;
  readonly at5: number;
  readonly at1: number;
  readonly missed: readonly Query[];
}

/** How often `tools.search` finds what was meant, in a registry that holds all the tools. */
export async function measureRecall(tools: readonly Tool[], queries: readonly Query[]): Promise<Recall> {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register({ tool, call: () => Promise.resolve(null) });
  const ranks: number[] = [];
  const missed: Query[] = [];
  for (const query of queries) {
    const { hits } = await registry.search(query.query);
    const rank = hits.findIndex(
      ({ tool, callable }) =>
        tool.name === query.namespace && callable !== null && query.operations.includes(callable.name),
    );
    ranks.push(rank);
    if (rank < 0) missed.push(query);
  }
  const within = (limit: number): number => ranks.filter((rank) => rank >= 0 && rank < limit).length;
  return { queries: queries.length, at10: within(10), at5: within(5), at1: within(1), missed };
}

/** Queries whose answer is no operation of the tools: a mistake of who wrote them. */
export function unanswerable(tools: readonly Tool[], queries: readonly Query[]): readonly string[] {
  return queries.flatMap(({ namespace, operations }) => {
    const known = new Set(tools.find(({ name }) => name === namespace)?.callables.map(({ name }) => name));
    return operations.filter((name) => !known.has(name)).map((name) => `${namespace}.${name}`);
  });
}
