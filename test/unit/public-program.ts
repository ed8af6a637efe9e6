import { fileURLToPath } from "node:url";

import ts from "@typescript/typescript6";

export const source = fileURLToPath(new URL("../../src/", import.meta.url));

/** The library as its users' compiler reads it. */
export const program = ts.createProgram([`${source}index.ts`, `${source}virtual-modules.d.ts`], {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  target: ts.ScriptTarget.ESNext,
  noEmit: true,
});
export const checker = program.getTypeChecker();

export function publicExports(): ts.Symbol[] {
  const file = program.getSourceFile(`${source}index.ts`);
  const module = file && checker.getSymbolAtLocation(file);
  return module === undefined ? [] : checker.getExportsOfModule(module);
}

/** Whether users get instances and cannot make them themselves. */
export function isTypeOnly({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((each) => ts.isExportSpecifier(each) && (each.isTypeOnly || each.parent.parent.isTypeOnly));
}
