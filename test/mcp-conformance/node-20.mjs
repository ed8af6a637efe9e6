// Loaded before the conformance suite (`node --import`): it imports a function that Node 20 does not have, and that its
// client scenarios do not call.
import fs from "node:fs";
import { register } from "node:module";

if (!("globSync" in fs)) {
  const hook = `
    const stand = "export * from 'node:fs'; export { default } from 'node:fs'; export function globSync() { throw new Error('needs Node 22'); }";
    export function resolve(specifier, context, next) {
      if (specifier !== "fs" || !context.parentURL?.includes("/conformance/dist/")) return next(specifier, context);
      return { url: "data:text/javascript," + encodeURIComponent(stand), shortCircuit: true };
    }`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
