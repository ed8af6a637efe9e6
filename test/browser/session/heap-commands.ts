import type { BrowserCommand } from "vitest/node";
import { z } from "zod";

declare module "vitest/browser" {
  interface BrowserCommands {
    /**
     * How many objects of each of these constructors the test's page keeps, after garbage was collected. A `Promise` is
     * counted whoever made it; what workers and other frames keep is not. Of `Object` only plain ones are counted.
     */
    countObjects: (constructors: readonly string[]) => Promise<Readonly<Record<string, number>>>;
  }
}

/** What the protocol says of the world that the page's own scripts live in, and not of one that an extension or a driver has. */
const OfThePage = z.object({ isDefault: z.literal(true) });

/** Of all objects, since each inherits from `Object`: a query goes through the page's whole memory, so there is one. */
const COUNT = `function (...names) {
  const kinds = names.map((name) => ({ name, prototype: globalThis[name].prototype, count: 0 }));
  for (const each of this) {
    for (const kind of kinds) {
      const { name, prototype } = kind;
      if (name === "Object" ? Object.getPrototypeOf(each) === prototype : prototype.isPrototypeOf(each)) kind.count += 1;
    }
  }
  return Object.fromEntries(kinds.map(({ name, count }) => [name, count]));
}`;

const Counts = z.record(z.string(), z.number());

const countObjects: BrowserCommand<[readonly string[]]> = async (context, constructors) => {
  const url = (await context.frame()).url();
  const cdp = await context.page.context().newCDPSession(context.page);
  try {
    const contexts: number[] = [];
    cdp.on("Runtime.executionContextCreated", (event) => {
      if (OfThePage.safeParse(event.context.auxData).success) contexts.push(event.context.id);
    });
    await cdp.send("Runtime.enable");
    for (const contextId of contexts) {
      const place = await cdp.send("Runtime.evaluate", { expression: "location.href", contextId });
      if (place.result.value !== url) continue;
      const { result: prototype } = await cdp.send("Runtime.evaluate", { expression: "Object.prototype", contextId });
      const { objects } = await cdp.send("Runtime.queryObjects", { prototypeObjectId: prototype.objectId ?? "" });
      const { result } = await cdp.send("Runtime.callFunctionOn", {
        objectId: objects.objectId ?? "",
        functionDeclaration: COUNT,
        arguments: constructors.map((value) => ({ value })),
        returnByValue: true,
      });
      const counts = Counts.parse(result.value);
      await cdp.send("Runtime.releaseObject", { objectId: objects.objectId ?? "" });
      return counts;
    }
    throw new Error(`The browser's debugging protocol knows no page at ${url}.`);
  } finally {
    await cdp.detach();
  }
};

/** Commands that look into the memory of the test's page. */
export const heapCommands = { countObjects };
