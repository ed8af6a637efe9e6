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

/** Every object there is inherits from `Object`. */
const COUNT_PLAIN =
  "function () { return this.filter((each) => Object.getPrototypeOf(each) === Object.prototype).length; }";

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
      const counts: Record<string, number> = {};
      for (const name of constructors) {
        const { result: prototype } = await cdp.send("Runtime.evaluate", {
          expression: `${name}.prototype`,
          contextId,
        });
        const { objects } = await cdp.send("Runtime.queryObjects", { prototypeObjectId: prototype.objectId ?? "" });
        const { result } = await cdp.send("Runtime.callFunctionOn", {
          objectId: objects.objectId ?? "",
          functionDeclaration: name === "Object" ? COUNT_PLAIN : "function () { return this.length; }",
          returnByValue: true,
        });
        counts[name] = Number(result.value);
        await cdp.send("Runtime.releaseObject", { objectId: objects.objectId ?? "" });
      }
      return counts;
    }
    throw new Error(`The browser's debugging protocol knows no page at ${url}.`);
  } finally {
    await cdp.detach();
  }
};

/** Commands that look into the memory of the test's page. */
export const heapCommands = { countObjects };
